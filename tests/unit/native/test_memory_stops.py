"""A search that runs into `max_memory` and goes on with more ends as if it had not been stopped."""

from typing import Any

import pytest

from puzzles import eight_puzzle
from rewrite import lacks
from rewrite.search.limits import Limits
from tests.unit.native.both_ends import Searched, engine_of

NEVER_THERE = eight_puzzle.Tile(0, 9)
SOLVED = [eight_puzzle.Tile(cell, (cell + 1) % 9) for cell in range(9)]


def stopped_often(found: Searched, memory: int, more: int) -> int:
    """Go on with a little more memory each time; return how often it was not enough."""
    stops = 0
    while found.stopped == ("limit", "max_memory"):
        stops, memory = stops + 1, memory + more
        limits = Limits(max_memory=memory)
        found.stopped = found.core.advance(None, limits, None, lambda *_: False, lambda: False)
        found.answers += found.core.answers()
    return stops


@pytest.mark.parametrize("threads", [1, 2])
def test_every_state_is_tested_for_the_goal_though_memory_ran_out_in_a_batch(threads: int) -> None:
    puzzle = eight_puzzle.instance().replace(goal=lacks(NEVER_THERE))  # any state is a goal
    engine = engine_of(puzzle)
    limits = Limits(max_memory=200_000)
    assert puzzle.start is not None
    found = Searched(engine, puzzle.start, strategy="breadth_first", limits=limits, threads=threads)
    found.stopped = "limit", "max_memory"  # the start is an answer: one was wanted
    assert stopped_often(found, 200_000, 50_000) > 20
    assert [codes[-1] for codes, _, _ in found.answers] == list(range(181_440))
    assert [order for _, order, _ in found.answers] == list(range(1, 181_441))


@pytest.mark.parametrize("weighted", [False, True])
def test_both_ends_find_the_same_way_though_memory_ran_out_often(weighted: bool) -> None:
    puzzle = eight_puzzle.instance()
    engine: Any = engine_of(puzzle)
    assert puzzle.start is not None
    goal = engine.encode(type(puzzle.start)(SOLVED))
    smooth = Searched(engine, puzzle.start, [goal], inverse=engine, weighted=weighted)
    limits = Limits(max_memory=40_000)
    found = Searched(engine, puzzle.start, [goal], inverse=engine, weighted=weighted, limits=limits)
    assert stopped_often(found, 40_000, 10_000) > 20
    assert [trail for trail, *_ in found.answers] == [trail for trail, *_ in smooth.answers]
