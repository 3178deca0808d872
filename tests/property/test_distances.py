"""A table of distances is what breadth-first search by the definition finds."""

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from rewrite.language.puzzles import Puzzle
from rewrite.search.tasks.distances import distances
from tests.engines import ENGINES
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import levels
from tests.property.strategies import puzzles
from tests.property.walking_puzzles import walking_puzzles

pytestmark = pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")


FREE = board_puzzles().map(lambda puzzle: puzzle.replace(never=[]))


WALKS = walking_puzzles(forbids=True)


@given(st.one_of(board_puzzles(), FREE, puzzles(), WALKS), st.integers(0, 4))
def test_distances_are_those_of_the_definition_on_both_engines(puzzle: Puzzle, depth: int) -> None:
    expected = levels(puzzle, depth)
    for engine in ENGINES:
        found = distances(puzzle, engine=engine, max_depth=depth)
        note(f"{engine}, {found.encoding}: {found!r}")
        assert found.levels == [len(level) for level in expected]
        for number, level in enumerate(expected):
            assert {found.distance(state) for state in level} == {number}
        assert found.farthest() == sorted(expected[-1])
        paths = [found.path(state) for state in expected[-1][:3]]
        assert all(len(path.steps) == len(expected) - 1 for path in paths)
