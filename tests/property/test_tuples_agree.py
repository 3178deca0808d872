"""Puzzles of tuples are searched as their twins of constructors, and answer by the definition."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite import Puzzle, SearchError, explore, search
from rewrite.language.order import source
from rewrite.search.arguments import question
from rewrite.search.twin import twin
from tests.engines import ENGINES, quiet
from tests.property.by_definition import judge, small
from tests.property.drawn import drawn
from tests.property.sequence_puzzles import sequence_puzzles
from tests.property.tuple_puzzles import tuple_puzzles

pytestmark = quiet
PUZZLES = st.one_of(tuple_puzzles(), sequence_puzzles())

OPTIONS: list[dict[str, Any]] = [
    {}, {}, {"symmetry": "find"}, {"symmetry": "none", "solutions": None},
    {"strategy": "breadth_first", "solutions": 3}, {"strategy": "bidirectional"},
    {"strategy": "astar", "heuristic": "auto"}, {"min_depth": 1}, {"best": False},
    {"distinct": "paths", "solutions": 3},
    {"distinct": "paths", "shortest": True, "solutions": None},
]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@given(PUZZLES, st.sampled_from(OPTIONS))
def test_searches_agree_with_the_definition(
    engine: str, puzzle: Puzzle, options: dict[str, Any]
) -> None:
    space = small(puzzle)
    try:
        result = search(puzzle, engine=engine, max_states=1_000, **options)
    except SearchError:
        return  # no other end, or only the core does it
    assert result.puzzle is puzzle
    judge(result, space, options)


@pytest.mark.parametrize("engine", ENGINES)
@given(PUZZLES)
def test_spaces_are_those_of_the_definition(engine: str, puzzle: Puzzle) -> None:
    after = small(puzzle).after
    space = explore(puzzle, engine=engine)
    assert space.puzzle is puzzle
    assert space.complete
    states = space.states
    assert {*states} == {*after}
    assert states[0] == puzzle.start
    assert {(states[a], states[b]) for a, b in space.edges} == {
        (one, to) for one in after for to in after[one]
    }


def test_most_sequences_become_terms_of_their_places() -> None:
    """Of 200 puzzles … do, whatever the seed: bounds are far below."""
    asked = [question(puzzle, None, None, goal_needed=False) for puzzle in drawn(sequence_puzzles)]
    assert sum(twin(one) is not one for one in asked) >= 60


def test_most_of_them_have_a_twin() -> None:
    """Of 200 puzzles … have, whatever the seed: bounds are far below."""
    twins = 0
    for puzzle in drawn(tuple_puzzles):
        asked = question(puzzle, None, None, goal_needed=False)
        other = twin(asked)
        if other is not asked:
            twins += 1
            assert source(other.start) == source(asked.start) or len(other.start) > 1
    assert twins >= 100
