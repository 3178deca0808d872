"""Puzzles as newcomers wrote them, against plain searches.

`python -m tests.benchmarks.phrasing FOLDER`: the folder holds the programs (p02.py, p03.py …) and
common.py with the plain searches. A program is read up to its first search, and the puzzle is taken
as it stands there. Every call runs in a process of its own, after import; the shortest of three is
printed, with what plain Python takes for the same.
"""

import contextlib
import io
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rewrite import search

ROUNDS = 3
ROBOTS = """
def succ(s):
    for i in range(3):
        for d in D:
            c = s[i]
            while (n := nxt.get((c, d))) is not None and n not in s: c = n
            if c != s[i]: t = list(s); t[i] = c; yield tuple(t)
start = [Robot("red", 0), Robot("green", 27), Robot("blue", 60)]
p = Puzzle(slide, facts=facts(nxt), start=start, goal=contains(Robot("red", 38)), name="ricochet")
def way(c, d):
    out, via, t = [], [], nxt.get((c, d))
    while t is not None:
        via.append(t); n = nxt.get((t, d))
        out.append(rule(f"{R} {d}", take=[Robot(R, c)], put=[Robot(R, t)], name=f"{c} {d} {t}",
            absent=[Robot(ANY, v) for v in via], keep=[Robot(ANY, n)] if n is not None else []))
        t = n
    return out
loop = Puzzle([way(c, d) for c in range(64) for d in D], start=start, goal=p.goal, name="loop")
"""


@frozen
class Row:
    """A puzzle of a program: read up to a marker, without some lines, and without what stands
    between two others; what is evaluated then.
    """

    file: str
    until: str
    puzzle: str
    plain: str = ""
    drop: tuple[str, ...] = ()
    cut: tuple[str, str] = ("", "")
    more: str = ""
    asked: dict[str, Any] = field(factory=dict)

    def module(self, folder: Path) -> dict[str, Any]:
        text = (folder / self.file).read_text("utf-8").split(self.until)[0]
        if self.cut[0]:
            before, rest = text.split(self.cut[0], 1)
            text = before + rest.split(self.cut[1], 1)[1]
        lines = [line for line in text.splitlines() if not line.startswith(self.drop or "\0")]
        found: dict[str, Any] = {"__name__": "program"}
        with contextlib.redirect_stdout(io.StringIO()):
            exec("\n".join(lines) + "\n" + self.more, found)
        return found


MAIN, LOOP = "if __name__", "bfs((0,27,60), succ, lambda s: s[0] == 38)"
LUNAR, CUBE = "bfs(st, succ, lambda s: s[0] == 12)", "{}.replace(start=start({}, scr({}, {})))"
BLOCKS: Any = {
    "drop": ("print(",),
    "cut": ("for pz in", "# own plain A*: blocks not on the right stack (admissible)"),
}
ROWS = {
    "ricochet": Row("p02.py", MAIN, "p", LOOP, more=ROBOTS),
    "ricochet, a rule for each ray": Row("p02.py", MAIN, "loop", LOOP, more=ROBOTS),
    "ricochet, cells": Row("p02c.py", "rep(", "p"),
    "ricochet, arithmetic": Row("p02c.py", 'rep("ricochet xy"', "p", drop=("rep(", "print(")),
    "lunar lockout": Row("p13.py", "r=search(", "P", LUNAR),
    "burnt pancakes, sequence": Row("p04.py", 'rep("burnt seq', "seqp"),
    "burnt pancakes, places": Row("p04.py", "print(explain", "slots", drop=("rep(",)),
    "blocks": Row("p08.py", 'print("plain A*"', "p", "solve()", **BLOCKS),
    "blocks with Clear": Row("p08.py", 'print("plain A*"', "b2", "solve()", **BLOCKS),
    "24-puzzle, any answer": Row("p17.py", MAIN, "p",
                                 asked={"strategy": "greedy", "heuristic": "auto"}),
    "FreeCell 4×4": Row("p18.py", "r=search(", "p"),
    "Rubik's cube, cubies, 8 turns": Row("p03.py", MAIN, CUBE.format("cubies", "cubies", 8, 8)),
    "Rubik's cube, cubies, 12 turns": Row("p03.py", MAIN, CUBE.format("cubies", "cubies", 12, 12)),
}  # fmt: skip


def child(folder: Path, name: str, what: str) -> None:
    """Run one call and print its seconds and what it found."""
    sys.path.insert(0, str(folder))
    row = ROWS[name]
    module = row.module(folder)
    asked: Any = eval(row.puzzle, module) if what == "ours" else None
    begin = time.perf_counter()
    found: Any = search(asked, max_seconds=60, **row.asked) if asked else eval(row.plain, module)
    seconds = time.perf_counter() - begin
    print(seconds, found.summary() if asked else found[:2], sep="\t")


def main(folder: str) -> None:
    for name, row in ROWS.items():
        best = {}
        for what in ("ours", "plain") if row.plain else ("ours",):
            command = [sys.executable, "-m", "tests.benchmarks.phrasing", folder, name, what]
            runs = [
                subprocess.run(command, capture_output=True, text=True, check=True).stdout
                for _ in range(ROUNDS)
            ]
            best[what] = min((line.strip().split("\t") for line in runs), key=lambda r: float(r[0]))
        plain = f"{float(best['plain'][0]):8.4f} s plain" if row.plain else " " * 16
        print(f"{name:32} {float(best['ours'][0]):8.4f} s {plain}  {best['ours'][1]}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        child(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
    else:
        main(sys.argv[1])
