"""The code of random puzzles reads only what was written, in either encoding."""

from hypothesis import given

from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language.puzzles import Puzzle
from tests.engines import over_multiset
from tests.property.board_puzzles import board_puzzles
from tests.property.growing_puzzles import growing_puzzles
from tests.property.strategies import puzzles
from tests.unit.code.well_formed import check, units


def agree(puzzle: Puzzle) -> None:
    assert puzzle.start is not None
    task = Task(puzzle, puzzle.start, puzzle.goal)
    chosen = build(task)
    assert isinstance(chosen, (SlotEngine, MultisetEngine))
    for engine in (chosen, over_multiset(task)):
        for unit in units(engine.code):
            check(unit)


@given(puzzles())
def test_code_of_random_rules_is_well_formed(puzzle: Puzzle) -> None:
    agree(puzzle)


@given(board_puzzles())
def test_code_of_random_boards_is_well_formed(puzzle: Puzzle) -> None:
    agree(puzzle)


@given(growing_puzzles())
def test_code_of_puzzles_whose_terms_grow_is_well_formed(puzzle: Puzzle) -> None:
    agree(puzzle)
