"""The same spaces searched by Maude: the package `maude` from PyPI, running in this process.

The modules are written for this benchmark. Where there are several ways to write a puzzle in Maude,
the fastest that we found is kept, so that the comparison is fair to Maude; each builder says what
lost. A search is Maude's own `search` command with a goal that no state matches, and the number of
states is the one that Maude prints. Reading a module (`loaded`) is not part of a search.

The first search of a process is the fast one: a second takes 1.05 times as long, a sixth 1.3 times.
Each search of the benchmark is therefore the first of its process.
"""

import importlib
import importlib.util
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations
from typing import Any

from tests.benchmarks.workloads import Workload

PAIRS_OF_PEGS = list(combinations("0123", 2))


def full_space(workload: Workload) -> int:
    """The number of states that Maude finds from the start of this workload.

    Raises RuntimeError if Maude refuses the module or the search, or matches the goal.
    """
    name, start = loaded(workload)
    printed = maude_prints(f"search in {name} : {start} =>* nothing .\n")
    states = re.search(r"^No solution\.\s+states: (\d+) ", printed, re.MULTILINE)
    if states is None:
        raise RuntimeError(f"Maude's search in {name} did not end without a solution: {printed}")
    return int(states[1])


def shortest(target: int, numbers: str) -> list[str]:
    """The rules of a shortest way from the numbers to a pool with the target, by the package."""
    text, _ = digitle(str(target))
    maude_prints(text)
    module = interpreter().getModule("DIGITLE")
    start, goal = module.parseTerm(numbers), module.parseTerm(f"{target} P:Pool")
    for _, _, path, _ in start.search(interpreter().ANY_STEPS, goal):
        return [str(each) for each in path()[::2]]
    return []


def version() -> str | None:
    """The version of Maude, or None where the package is not installed."""
    if importlib.util.find_spec("maude") is None:
        return None
    return str(interpreter().MAUDE_VERSION)


@cache
def interpreter() -> Any:
    """The module `maude`, ready for input. Imported late: it may not be installed."""
    maude = importlib.import_module("maude")
    maude.init(advise=False)
    return maude


@cache
def loaded(workload: Workload) -> tuple[str, str]:
    """Lets Maude read the module of a workload; gives the module's name and the start term."""
    text, start = MODULES[workload.puzzle](*workload.words)
    name = text.split()[1]
    if interpreter().getModule(name) is None:
        maude_prints(text)
    if interpreter().getModule(name) is None:
        raise RuntimeError(f"Maude refuses the module {name}:\n{text}")
    return name, start


def maude_prints(text: str) -> str:
    """What Maude writes to the standard output of the process while it reads this text.

    There is no other way to its statistics: the search objects of the Python package do not count
    the states they have seen.
    """
    maude = interpreter()
    sys.stdout.flush()
    with tempfile.TemporaryFile() as file:
        terminal = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            maude.input(text)
        finally:
            os.dup2(terminal, 1)
            os.close(terminal)
        file.seek(0)
        return file.read().decode()


def digitle(target: str, *numbers: str) -> tuple[str, str]:
    """Pools as multisets. Not faster: rules without the guard, rules on a whole pool in braces."""
    text = """mod DIGITLE is
  protecting NAT .
  sort Pool .
  subsort NzNat < Pool .
  op __ : Pool Pool -> Pool [ctor assoc comm] .
  op nothing : -> Pool [ctor] .
  vars M N : NzNat .
  crl M N => M + N if M >= N .
  crl M N => sd(M, N) if M > N .
  crl M N => M * N if M >= N .
  crl M N => M quo N if M >= N /\\ N divides M .
endm
"""
    return text, " ".join(numbers)


def eight_puzzle(*rows: str) -> tuple[str, str]:
    """Boards as an operator with nine arguments, 24 rules: half the time of an associative list."""
    rules = [
        free_rule("board", 9, {gap: "t0", near: f"X{near}"}, {gap: f"X{near}", near: "t0"})
        for gap, near in permutations(range(9), 2)
        if abs(gap // 3 - near // 3) + abs(gap % 3 - near % 3) == 1
    ]
    text = f"""mod EIGHT-PUZZLE is
  sorts Tile Board .
  ops {" ".join(f"t{number}" for number in range(9))} : -> Tile [ctor] .
  op board : {"Tile " * 9}-> Board [ctor] .
  op nothing : -> Board [ctor] .
  vars {" ".join(f"X{cell}" for cell in range(9))} : Tile .
  {" ".join(rules)}
endm
"""
    return text, f"board({', '.join(f't{number}' for number in ''.join(rows))})"


def hanoi(pegs: str, disks: str) -> tuple[str, str]:
    """The peg of each disk, smallest first; a rule for each disk and pair of pegs, no conditions.

    That no smaller disk lies on either peg is said by sorts: N02 has the pegs 0 and 2 only. Slower:
    pegs as lists of disks (with `if D < E`, or with sorts for it), a multiset of such pegs.
    """
    if pegs != "4":
        raise ValueError(f"the module for Hanoi is written for 4 pegs; found {pegs}")
    count = int(disks)
    rules = []
    for disk in range(count):
        for source, target in permutations("0123", 2):
            others = "".join(sorted({*"0123"} - {source, target}))
            smaller = {less: f"X{less}:N{others}" for less in range(disk)}
            before, after = {**smaller, disk: f"p{source}"}, {**smaller, disk: f"p{target}"}
            rules.append(free_rule("position", count, before, after))
    text = f"""mod HANOI is
  sorts P0 P1 P2 P3 {" ".join(f"N{a}{b}" for a, b in PAIRS_OF_PEGS)} Peg Position .
  {" ".join(f"subsorts P{a} P{b} < N{a}{b} < Peg ." for a, b in PAIRS_OF_PEGS)}
  {" ".join(f"op p{a} : -> P{a} [ctor] ." for a in "0123")}
  op position : {"Peg " * count}-> Position [ctor] .
  op nothing : -> Position [ctor] .
  vars {" ".join(f"X{disk}" for disk in range(count))} : Peg .
  {" ".join(rules)}
endm
"""
    return text, f"position({', '.join(['p0'] * count)})"


KLOTSKI_START = "vbov oooo vhov osso s..s"
KLOTSKI_BLOCKS = {"s": (1, 1), "v": (2, 1), "h": (1, 2), "b": (2, 2)}  # rows, columns


def klotski() -> tuple[str, str]:
    """Boards as an operator with 20 arguments and a rule for each slide of a block between places.

    A cell holds the block whose upper left corner it is, or o (occupied), or e (empty). Slower:
    parts of blocks told apart (1.1 times), blocks and empty cells as a multiset (1.5 to 2.5 times,
    ground rules), the same with arithmetic (8 times).
    """
    start = KLOTSKI_START.replace(" ", "").replace(".", "e")
    rules = [free_rule("board", 20, before, after) for before, after in klotski_slides()]
    text = f"""mod KLOTSKI is
  sorts Cell Board .
  ops s v h b o e : -> Cell [ctor] .
  op board : {"Cell " * 20}-> Board [ctor] .
  op nothing : -> Board [ctor] .
  vars {" ".join(f"X{cell}" for cell in range(20))} : Cell .
  {" ".join(rules)}
endm
"""
    return text, f"board({', '.join(start)})"


def klotski_slides() -> Iterator[tuple[dict[int, str], dict[int, str]]]:
    """What the cells hold before and after, for every slide of a block by one cell."""
    for block, (rows, columns) in KLOTSKI_BLOCKS.items():
        places = [(i, j) for i in range(6 - rows) for j in range(5 - columns)]
        for (i, j), (k, m) in permutations(places, 2):
            if abs(i - k) + abs(j - m) == 1:
                old, new = (
                    {4 * (row + r) + column + c: "o" for r in range(rows) for c in range(columns)}
                    | {4 * row + column: block}
                    for row, column in [(i, j), (k, m)]
                )
                empty = dict.fromkeys([*old, *new], "e")
                yield empty | old, empty | new


def free_rule(operator: str, arity: int, before: dict[int, str], after: dict[int, str]) -> str:
    """A rule on an operator with fixed places; those that are not mentioned stay as they are."""
    places = range(arity)
    left, right = (
        ", ".join(cells.get(place, f"X{place}") for place in places) for cells in (before, after)
    )
    return f"rl {operator}({left}) => {operator}({right}) ."


def digitle_steps(*numbers: str) -> tuple[str, str]:
    """The steps as one more element of the pool, each a constructor around those before it.

    Slower: a pair of pool and steps (1.1 times), the same with an empty pool as identity (1.3).
    """
    text = """mod DIGITLE-STEPS is
  protecting NAT .
  sorts Pool Steps .
  subsorts NzNat Steps < Pool .
  op __ : Pool Pool -> Pool [ctor assoc comm] .
  op nothing : -> Pool [ctor] .
  op none : -> Steps [ctor] .
  ops add sub mul div : Steps NzNat NzNat -> Steps [ctor] .
  vars M N : NzNat .
  var S : Steps .
  crl M N S => (M + N) add(S, M, N) if M >= N .
  crl M N S => sd(M, N) sub(S, M, N) if M > N .
  crl M N S => (M * N) mul(S, M, N) if M >= N .
  crl M N S => (M quo N) div(S, M, N) if M >= N /\\ N divides M .
endm
"""
    return text, f"{' '.join(numbers)} none"


MODULES: dict[str, Callable[..., tuple[str, str]]] = {
    "digitle": digitle,
    "digitle_steps": digitle_steps,
    "eight_puzzle": eight_puzzle,
    "eight_tuple": eight_puzzle,  # the same boards: an associative list takes twice the time
    "hanoi": hanoi,
    "klotski": klotski,
}
