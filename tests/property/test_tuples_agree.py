"""Puzzles of tuples are searched as their twins of constructors, and answer by the definition."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.errors import SearchError
from rewrite.language.order import source
from rewrite.language.puzzles import Puzzle
from rewrite.language.terms import Term
from rewrite.search.api import search
from rewrite.search.arguments import question
from rewrite.search.twin import Twins, twin
from tests.engines import ENGINES, quiet
from tests.property.alike_puzzles import alike_puzzles
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import judge, small
from tests.property.computed_puzzles import computed_puzzles
from tests.property.drawn import drawn
from tests.property.symmetric_puzzles import ring_puzzles

pytestmark = quiet

OPTIONS: list[dict[str, Any]] = [
    {}, {}, {"symmetry": "find"}, {"symmetry": "none", "solutions": None},
    {"strategy": "breadth_first", "solutions": 3}, {"strategy": "bidirectional"},
    {"strategy": "astar", "heuristic": "auto"}, {"min_depth": 1}, {"best": False},
    {"distinct": "paths", "solutions": 3},
    {"distinct": "paths", "shortest": True, "solutions": None},
]  # fmt: skip


class Untwins(Twins):
    """Tuples in place of constructors, with their names at the front or without."""

    named = True

    def term(self, given: Any) -> Any:
        given = self.inner(given)
        if not isinstance(given, Term):
            return given
        front = [type(given).__name__] if self.named else []
        return (*front, *given.term_arguments())


class Nameless(Untwins):
    """Then constructors with equally many fields become one: another puzzle, but a puzzle."""

    named = False


@st.composite
def tuple_puzzles(draw: st.DrawFn) -> Puzzle:
    kinds = [board_puzzles(), ring_puzzles(), alike_puzzles(False), alike_puzzles(True)]
    puzzle = draw(st.one_of(*kinds, computed_puzzles()))
    made = (Nameless if draw(st.integers(0, 3)) == 0 else Untwins)(frozenset())
    assert puzzle.start is not None
    return made.puzzle(puzzle).begun(made.state(puzzle.start), made.inner(puzzle.goal))


@pytest.mark.parametrize("engine", ENGINES)
@given(tuple_puzzles(), st.sampled_from(OPTIONS))
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
