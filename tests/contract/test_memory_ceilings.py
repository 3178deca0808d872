"""Peak memory of each public function that takes `max_memory`, as a ratio to it."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from rewrite import (
    Puzzle,
    State,
    compare,
    contains,
    distances,
    explore,
    hardest,
    rate,
    scramble,
    search,
    seqs,
    solutions,
)
from rewrite.language.rules import rule
from rewrite.native import status
from tests.benchmarks.measure import forget_the_peak, memory
from tests.benchmarks.spaces import Tile, sliding

LIMIT = 150_000_000
MOST = 1.15
SEARCHES = {"compare": 2}
"""Calls that have so many searches at once, each with the limit for itself."""
NATIVE = [
    "search breadth_first", "search uniform_cost", "search bidirectional", "explore", "hardest",
    "rate", "compare", "solutions", "strings",
]  # fmt: skip
PYTHON = ["search breadth_first", "explore", "distances", "hardest", "rate", "strings"]


def _tiles() -> tuple[Puzzle, State]:
    return sliding("4", "4"), State([*map(Tile, range(16), [2, 1, *range(3, 16), 0])])


def _strings() -> Puzzle:
    S = seqs("S")
    return Puzzle([rule(f"add {k}", take=[S], put=[(*S, k)]) for k in range(3)], start=[()])


def _run(call: str, engine: str, warmed: bool) -> float:
    """Return the peak of a call by its limit, in the process it runs in.

    warmed  after a small search: what is loaded for the first is there, and memory is in pieces
    """
    if warmed:
        search(sliding("3", "3"), goal=contains(Tile(0, 0)), engine=engine)
    puzzle, goal = _tiles()
    given: dict[str, Any] = {"engine": engine, "max_memory": LIMIT}
    tasks: dict[str, Callable[[], Any]] = {
        "explore": lambda: explore(puzzle, **given),
        "distances": lambda: distances(puzzle, **given),
        "hardest": lambda: hardest(puzzle, goal=puzzle.start, **given),
        "rate": lambda: rate(puzzle, goal=goal, **given),
        "compare": lambda: compare(puzzle, ["breadth_first", "uniform_cost"], goal=goal, **given),
        "solutions": lambda: sum(1 for _ in solutions(puzzle, goal=contains(Tile(0, 0)), **given)),
        "scramble": lambda: scramble(puzzle, steps=60, seed=1, max_memory=LIMIT),
        "strings": lambda: search(_strings(), goal=contains((9,)), **given),
    }
    kind, _, strategy = call.partition(" ")
    run = tasks.get(kind, lambda: search(puzzle, goal=goal, strategy=strategy, **given))
    before = memory("VmRSS")
    forget_the_peak()
    found = run()
    peak = memory("VmHWM")
    assert found is not None
    assert peak is not None
    assert before is not None
    return (peak - before) / LIMIT


@pytest.mark.long
@pytest.mark.skipif(memory("VmHWM") is None, reason="this system does not tell the peak")
@pytest.mark.parametrize("warmed", [False, True])
@pytest.mark.parametrize(
    ("call", "engine"),
    [
        *[(call, "native") for call in NATIVE],
        *[(call, "python") for call in PYTHON],
        ("scramble", "python"),
    ],
)
def test_the_peak_is_at_most_a_little_above_the_limit(call: str, engine: str, warmed: bool) -> None:
    if engine == "native" and not status().usable:
        pytest.skip("the native engine is not there")
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        assert fresh.submit(_run, call, engine, warmed).result() <= MOST * SEARCHES.get(call, 1)
