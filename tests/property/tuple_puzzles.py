"""Random puzzles with tuples in place of constructors."""

from typing import Any

from hypothesis import strategies as st

from rewrite.language.puzzles import Puzzle
from rewrite.language.terms import Term
from rewrite.search.tuples import Twins
from tests.property.alike_puzzles import alike_puzzles
from tests.property.board_puzzles import board_puzzles
from tests.property.computed_puzzles import computed_puzzles
from tests.property.strategies import begun
from tests.property.symmetric_puzzles import ring_puzzles


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
    untwinned = made.puzzle(puzzle).begun(made.state(puzzle.start), made.inner(puzzle.goal))
    # the start of a set as searches begin with it: without repeats
    return untwinned.begun(begun(untwinned), untwinned.goal) if puzzle.sets else untwinned
