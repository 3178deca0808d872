"""What heuristics cost, in states of plain search, before any is made."""

import pytest

from puzzles import eight_puzzle, rush_hour
from rewrite import Puzzle, contains, search
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.engine.interface import Engine
from rewrite.native import status
from rewrite.search.candidates import Candidate, candidates

pytestmark = pytest.mark.skipif(not status().usable, reason="without the core there are no tables")

WORDS = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
FIFTEEN = eight_puzzle.instance(*WORDS.split())


def engine_of(puzzle: Puzzle) -> Engine:
    assert puzzle.start is not None
    return build(Task(puzzle, puzzle.start, puzzle.goal))


def afforded(puzzle: Puzzle, max_memory: int | None = None) -> list[Candidate]:
    assert puzzle.goal is not None
    return candidates(engine_of(puzzle), puzzle.goal, max_memory)


def test_a_fifteen_puzzle_affords_small_tables_and_then_large_ones() -> None:
    small, large = afforded(FIFTEEN)
    assert (small.entries, large.entries) == (3 * 16**5 + 16**4, 3 * 16**6)
    # 524,160 places of four tiles and the blank each, 43,680 of three, and three moves from each
    assert small.build_cost == 1 + 3 * (3 * 524_160 + 43_680) // 10
    assert large.build_cost == 1 + 3 * 3 * 5_765_760 // 10


def test_tables_that_memory_has_no_room_for_are_left_out() -> None:
    assert len(afforded(FIFTEEN, 100_000_000)) == 1
    assert afforded(FIFTEEN, 10_000_000) == []


def test_tables_of_rush_hour_cost_more_than_the_search_of_its_states() -> None:
    puzzle = rush_hour.instance()
    [candidate] = afforded(puzzle)
    assert candidate.build_cost > 100 * search(puzzle).states


def test_goals_that_no_table_speaks_of_afford_nothing() -> None:
    puzzle = eight_puzzle.instance()
    nothing = puzzle.replace(goal=contains(eight_puzzle.Tile(0, 9)))
    assert afforded(nothing) == []
