"""All shortest paths are exactly those that trying every way by the definition finds."""

from typing import Any

from attrs import evolve
from hypothesis import given, note
from hypothesis import strategies as st

from rewrite import Puzzle, State, solutions
from rewrite.language import meaning
from tests.engines import goal_of, natively, quiet, searched_by_core
from tests.property.board_puzzles import board_puzzles
from tests.property.strategies import begun, puzzles

pytestmark = [natively, quiet]
DEPTH, WAYS = 4, 400


def by_definition(puzzle: Puzzle) -> list[tuple[State, ...]] | None:
    """Every sequence of states to the nearest goals, found level by level; None: too many."""
    level: list[tuple[State, ...]] = [(begun(puzzle),)]
    for _ in range(DEPTH + 1):
        goals = [path for path in level if meaning.is_goal(puzzle, path[-1], goal_of(puzzle))]
        if goals:
            return goals
        longer = {
            (*path, way.after): None
            for path in level
            for way in meaning.successors(puzzle, path[-1])
        }
        if len(longer) > WAYS:
            return None
        level = list(longer)
    return []


@given(st.one_of(board_puzzles(), puzzles()))
def test_the_shortest_paths_are_those_of_the_definition_each_once(puzzle: Puzzle) -> None:
    if puzzle.goal is None:
        return
    puzzle = puzzle.replace(rules=tuple(evolve(rule, cost=1) for rule in puzzle.rules))
    expected = by_definition(puzzle)
    if expected is None:
        return
    asked: dict[str, Any] = {"distinct": "paths", "shortest": True, "max_depth": DEPTH}
    result = searched_by_core(puzzle, solutions=None, **asked)
    note(f"{result!r}")
    assert result.shortest_paths == (None if result.status == "limit" else len(expected))
    listed = [path.states for path in result.paths]
    assert {*listed} == {*expected}
    assert len(listed) == len(expected)
    lazily = [path.states for path in solutions(puzzle, **asked)]
    assert lazily == listed
