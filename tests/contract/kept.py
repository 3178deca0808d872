"""Searches that are kept in folders: small ones of every kind, and what must be equal of them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import frozen

from puzzles import PUZZLES
from rewrite import (
    Distances,
    Puzzle,
    Result,
    contains,
    distances,
    fn,
    ints,
    lowest,
    rule,
    search,
    term,
    terms,
)
from tests.answers import labelled

ROOT = Path(__file__).parents[2]
M, N = ints("M N")
P = terms("P")


def towers() -> Puzzle:
    """Numbers that grow beyond the room that states have at first, and new texts."""
    return Puzzle(
        rule("add", take=[M], put=[M + 7], when=M < 4000),
        rule("double", take=[M], put=[2 * M, M], when=M < 300),
        rule("join", take=[M, N], put=[M + N], when=M < N),
        start=[1], goal=contains(4321), name="towers",
    )  # fmt: skip


@term
class Cell:
    name: int
    value: Any


@term
class Ring:
    of: int


@fn
def following(value: Any) -> Any:
    if isinstance(value, Ring):
        return value.of + 1
    return Ring(value) if value == 2000 else min(value + 1, 4500)


def restarting() -> Puzzle:
    """Its states need more room twice: for a constructor that a function makes, for more bits."""
    return Puzzle(
        rule("on", take=[Cell(0, P)], put=[Cell(0, following(P))]),
        rule("other", take=[Cell(1, N)], put=[Cell(1, N + 1)], when=N < 3),
        start=[Cell(0, 0), Cell(1, 0)], goal=contains(Cell(0, 4400), Cell(1, 3)),
        name="restarting",
    )  # fmt: skip


@frozen
class Kind:
    make: Callable[[], Puzzle]
    options: dict[str, Any]
    table: bool = False

    def run(self, **more: Any) -> Result | Distances:
        if self.table:
            return distances(self.make(), **(self.options | more))
        return search(self.make(), **(self.options | more))


EIGHT = PUZZLES["eight_puzzle"]
KINDS = {
    "breadth_first": Kind(EIGHT, {"strategy": "breadth_first"}),
    "multisets": Kind(PUZZLES["digitle"], {"solutions": None, "max_states": 60_000}),
    "growing": Kind(towers, {"max_states": 40_000, "strategy": "breadth_first"}),
    "restarting": Kind(restarting, {"strategy": "breadth_first"}),
    "uniform_cost": Kind(EIGHT, {"strategy": "uniform_cost"}),
    "astar": Kind(EIGHT, {"strategy": "astar", "heuristic": "goal_count"}),
    "weighted": Kind(EIGHT, {"strategy": "astar", "heuristic": "hmax", "weight": 1.5}),
    "greedy": Kind(PUZZLES["klotski"], {"strategy": "greedy", "heuristic": "goal_count"}),
    "both_ends": Kind(PUZZLES["pancakes"], {"strategy": "bidirectional"}),
    "symmetry": Kind(PUZZLES["peg_solitaire"], {"symmetry": "find", "max_states": 60_000}),
    "minimize": Kind(
        PUZZLES["digitle"], {"minimize": lowest(abs(M - 793), M), "max_states": 60_000}),
    "shortest": Kind(EIGHT, {"distinct": "paths", "shortest": True}),
    "stored": Kind(PUZZLES["pancakes"], {}, table=True),
    "table": Kind(EIGHT, {}, table=True),
}  # fmt: skip


def facts(found: Result | Distances) -> dict[str, Any]:
    """What of a result must not depend on how often it was stopped: everything but the time."""
    if isinstance(found, Distances):
        return {
            "levels": found.levels, "complete": found.complete, "limit": found.limit,
            "encoding": found.encoding, "farthest": found.farthest(10**6),
        }  # fmt: skip
    more = ("swept", "engine", "python_calls", "shortest_paths", "ruled_out", "nearest")
    return labelled(found, *more)


CHILD = """
import sys, warnings
sys.path.insert(0, {root!r})
warnings.simplefilter("ignore")
from rewrite.checkpoints import checkpoint_writer as schedule
schedule.EVERY, schedule.TIMES = {every!r}, {times!r}
from tests.contract.kept import KINDS
print("begins", flush=True)
KINDS[{kind!r}].run(checkpoint={folder!r}, **{options!r})
print("ends", flush=True)
"""


def child(
    kind: str, folder: Path, *, every: float = 0.01, times: float = 0, **options: Any
) -> subprocess.Popen[str]:
    """Start a process that searches, and saves as often as it can."""
    code = CHILD.format(
        root=str(ROOT), every=every, times=times, kind=kind, folder=str(folder), options=options
    )
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONHASHSEED": str(hash(folder) % 1000)},
    )  # fmt: skip
