"""Modules of Maude, run by Maude and by us, in turn in one process; whole calls.

`python -m tests.benchmarks.maude_modules [ROUNDS]`. The work is the same: as many answers, and as
many states where a search sees all of them.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from rewrite import maude_module
from tests.real_modules import answers_of_maude
from tests.unit.readers.maude_puzzles import (
    BLACKBOARD,
    BLOCKS,
    BRIDGE,
    HANOI,
    JUGS,
    KHUN_PHAN,
    RABBITS,
    RECOLORING,
)

DIGITLE = """
mod DIGITLE is
  protecting NAT .
  sort Pool . subsort Nat < Pool .
  op _;_ : Pool Pool -> Pool [ctor assoc comm] .
  vars A B : Nat .
  rl [add] : A ; B => A + B .   rl [times] : A ; B => A * B .
  crl [minus] : A ; B => sd(A, B) if A > B .
  crl [by] : A ; B => A quo B if B > 0 /\\ A rem B == 0 .
endm
"""
BOARD = (
    "free(1, 5) free(2, 5) tall(1, 1) big(2, 1) tall(4, 1) tall(1, 3) wide(2, 3) tall(4, 3) "
    "small(2, 4) small(3, 4) small(3, 5) small(4, 5)"
)
JUG = "jug(3, 0) jug(5, 0) jug(8, 0) jug(13, 0) jug(21, 0)"
WALKERS = "walker(1, near) walker(2, near) walker(3, near) walker(5, near) walker(8, near)"
DISKS = "10 9 8 7 6 5 4 3 2 1"
SEARCHES = {
    "blackboard, 10 numbers": (BLACKBOARD, "1 4 9 16 25 36 49 64 7 11 =>! N"),
    "recoloring, 17": (RECOLORING, f"{'w ' * 17}=>* b {'w ' * 16}"),
    "rabbits, 2 × 12": (RABBITS, f"{'x ' * 12}free {'o ' * 12}=>* {'o ' * 12}free {'x ' * 12}"),
    "jugs of 3, 5, 8, 13, 21": (JUGS, f"{JUG} =>* jug(21, 20) jug(13, 0) R:Jugs"),
    "bridge, 5 walkers": (BRIDGE, f"{{ torch(near) clock(0) {WALKERS} }} =>* {{ P torch(far) }}"),
    "hanoi, 10": (HANOI, f"(0)[{DISKS}] | (1)[nil] | (2)[nil] =>* (2)[{DISKS}] | R:Towers"),
    "digitle, no 1439": (DIGITLE, "75 ; 4 ; 7 ; 9 ; 8 ; 2 =>* 1439 ; R:Pool"),
    "digitle, seven numbers": (DIGITLE, "75 ; 4 ; 7 ; 9 ; 8 ; 2 ; 3 =>* 14393 ; R:Pool"),
    "Khun Phan": (KHUN_PHAN, f"{BOARD} =>* B:Board big(2, 9)"),
    "blocks, 6": (BLOCKS, "hand & table('a) & table('b) & table('c) & table('d) & table('e) & "
        "table('f) & clear('a) & clear('b) & clear('c) & clear('d) & clear('e) & clear('f) =>* "
        "on('a, 'a) & P:Props"),
}  # fmt: skip


def main(rounds: int) -> None:
    print("| search | states | Maude | rewrite | ratio |\n| --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, asked) in SEARCHES.items():
            file = Path(folder) / "module.maude"
            file.write_text(text.split("endm")[0] + f"endm\nsearch {asked} .\n")
            known = maude_module(file)
            times: dict[str, list[float]] = {"maude": [], "ours": []}
            for _ in range(rounds):
                begun = time.perf_counter()
                theirs = answers_of_maude(known, 1, 10**9)
                times["maude"].append(time.perf_counter() - begun)
                begun = time.perf_counter()
                found = maude_module(file).search(1)
                times["ours"].append(time.perf_counter() - begun)
                assert len(found.paths) == len(theirs)
            maude, ours = [median(one) for one in times.values()]
            told = f"{maude:.2f} s | {ours:.2f} s | {maude / ours:.1f}"
            print(f"| {name} | {found.states:,} | {told} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 3)
