"""Sliding pieces of odd shapes: every search finds ways as long as by the definition."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from rewrite import Puzzle, SearchError, contains, replay, search
from tests.engines import engines_for, natively, quiet
from tests.property.by_definition import small, twin
from tests.property.sliding_puzzles import Free, Piece, slide, sliding_puzzles
from tests.property.test_native_agrees import agree

pytestmark = quiet

MOST_STATES = 60
OPTIONS: list[dict[str, Any]] = [
    {},
    {"symmetry": "find"},
    {"strategy": "bidirectional"},
    {"strategy": "bidirectional", "symmetry": "find"},
    {"heuristic": "hmax"},
    {"heuristic": "auto"},
    {"heuristic": "hmax", "symmetry": "find"},
    {"heuristic": "hmax", "strategy": "idastar", "max_depth": 8},
    {"heuristic": "ff"},
    {"heuristic": "goal_count", "strategy": "greedy"},
]


CASES = [(options, engine) for options in OPTIONS for engine in engines_for(**options)]


@given(sliding_puzzles(), st.sampled_from(CASES))
def test_every_search_finds_a_way_as_long_as_the_definition(
    puzzle: Puzzle, case: tuple[dict[str, Any], str]
) -> None:
    options, engine = case
    space = small(puzzle, MOST_STATES)
    wanted = space.left.get(space.start)
    with suppress(SearchError):  # not every puzzle has goal states or fields to list
        # making the databases of one board may take minutes
        result = search(puzzle, engine=engine, max_seconds=10, **options)
        event(f"{options}: {result.status}")
        if result.limit == "max_seconds":
            return
        if result.path is None:
            assert wanted is None or (result.status, options.get("max_depth")) == ("limit", 8)
            return
        assert wanted is not None
        assert replay(puzzle, puzzle.start, result.path).states == result.path.states
        assert len(result.path) == wanted or (not result.optimal and len(result.path) > wanted)


@natively
@given(sliding_puzzles(), st.sampled_from(OPTIONS))
def test_both_engines_answer_as_defined(puzzle: Puzzle, options: dict[str, Any]) -> None:
    agree(puzzle, {**options, "max_states": 100})


@pytest.mark.parametrize(("options", "engine"), CASES, ids=str)
def test_cells_that_a_piece_leaves_need_no_term_that_held_them(
    options: dict[str, Any], engine: str
) -> None:
    # a cell of the edge and the pieces on it share a field, but for the piece that has its own:
    # what this piece leaves is set to "free" in a field that none of its tests mentions
    kinds = {"B": (0,), "C": (0,), "D": (-4, 0)}
    ways = {"up": -4, "down": 4, "left": -1, "right": 1}
    pieces = [Piece("B", 0), Piece("C", 1), Piece("C", 4), Piece("D", 6)]
    puzzle = Puzzle(
        [slide(k, shape, way, by) for k, shape in kinds.items() for way, by in ways.items()],
        start=[*pieces, Free(5)],
        goal=contains(Piece("B", 1), Piece("C", 0), Piece("C", 5)),
    )
    space = twin(puzzle, 1_000)
    assert space is not None
    steps = space.left[space.start]
    result = search(puzzle, engine=engine, **options)
    assert len(result.paths[0]) == steps or (not result.optimal and len(result.paths[0]) > steps)
