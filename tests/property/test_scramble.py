"""What scramble says of the way back is true by the definition of the rules."""

from hypothesis import given, note
from hypothesis import strategies as st

from rewrite.language.puzzles import Puzzle
from rewrite.search.tasks.scramble import scramble
from tests.engines import quiet
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import levels
from tests.property.tuple_puzzles import tuple_puzzles
from tests.property.walking_puzzles import walking_puzzles

pytestmark = quiet
STEPS = 4


@given(
    st.one_of(board_puzzles(), walking_puzzles(forbids=True), tuple_puzzles()),
    st.integers(0, STEPS),
    st.integers(0, 3),
)
def test_the_way_back_is_as_long_as_a_scrambled_state_says(
    puzzle: Puzzle, steps: int, seed: int
) -> None:
    board = scramble(puzzle, None, steps, seed)
    note(f"{board!r}: {board.distance}, {board.exact}")
    if board.distance is None:
        assert not board.exact
        return
    assert puzzle.start is not None
    assert board.distance <= steps
    [real] = [n for n, level in enumerate(levels(puzzle, STEPS, board)) if puzzle.start in level]
    assert real == board.distance if board.exact else real <= board.distance
