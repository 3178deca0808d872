"""Pictures: texts that can be drawn, and what a puzzle shows of a state."""

import copy
import pickle
import re
from typing import Any

import pytest

from rewrite.drawing.change import marked
from rewrite.errors import ViewError
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.views.grid import grid
from rewrite.views.picture import Picture
from rewrite.views.pictures import as_text, drawn, drawn_or_told, fresh

C, V = ints("C V")


@term
class At:
    cell: int
    value: int


@term
class On:
    who: str
    bank: str


VIEW = grid(3, At(C, V))
STATE = State([At(0, 1), At(4, 2)])
PUZZLE = Puzzle(rule("x", take=[At(C, V)], put=[At(C + 1, V)]))


def test_what_a_view_returns_is_a_text_that_can_be_drawn() -> None:
    made = VIEW(STATE)
    assert isinstance(made, Picture)
    assert made == "1 . .\n. 2 ."
    assert len(made.drawing().marks) == 3


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]
)
def test_a_copied_picture_is_drawn_as_before(again: Any) -> None:
    made = VIEW(STATE)
    assert isinstance(made, Picture)
    assert again(made) == made
    assert again(made).drawing() == made.drawing()


def test_a_function_may_return_what_a_view_made_of_another_state() -> None:
    puzzle = PUZZLE.replace(show=lambda state: VIEW(State([*state, At(8, 9)])))
    assert len(drawn(puzzle, STATE).marks) == 4


def test_the_text_of_a_function_is_shown_as_it_stands() -> None:
    puzzle = PUZZLE.replace(show=lambda state: "a <b>\n\n  c")
    drawing = drawn(puzzle, STATE)
    shown = re.findall(r">([^<]+)</text>", drawing.svg(style=False))
    assert shown == ["a &lt;b&gt;", "  c"]
    assert drawing.marks[1].y - drawing.marks[0].y == 2 * drawing.marks[0].look.height


def test_without_a_view_the_terms_are_drawn_under_the_names_of_their_constructors() -> None:
    state = State([On("wolf", "left"), On("goat", "left"), At(3, 4)])
    drawing = drawn(PUZZLE, state)
    assert [mark.terms for mark in drawing.marks] == [
        (),
        (At(3, 4),),
        (),
        (On("goat", "left"),),
        (On("wolf", "left"),),
    ]
    assert ">At</text>" in drawing.marks[0].look.svg
    assert ">On</text>" in drawing.marks[2].look.svg


def test_equal_terms_are_chips_of_their_own_until_they_are_too_many() -> None:
    assert [mark.terms for mark in drawn(PUZZLE, State([7] * 12)).marks] == [(7,)] * 12
    many = drawn(PUZZLE, State([7] * 13))
    assert [mark.terms for mark in many.marks] == [(7,), ()]
    assert ">×13<" in many.marks[1].look.svg


def test_an_empty_state_says_so() -> None:
    assert ">nothing<" in drawn(PUZZLE, State([])).svg()


def test_a_view_that_fails_is_told_with_the_state() -> None:
    puzzle = PUZZLE.replace(show=grid(2, At(C, V), rows=1))
    with pytest.raises(ViewError, match="is in cell 4"):
        drawn(puzzle, STATE)
    assert "is in cell 4" in drawn_or_told(puzzle, STATE).said
    assert str(STATE) in drawn_or_told(puzzle, STATE).said


def test_what_the_last_step_put_there_is_marked() -> None:
    puzzle = PUZZLE.replace(show=VIEW)
    after = State([At(0, 1), At(5, 2)])
    found = marked(drawn(puzzle, STATE), drawn(puzzle, after), fresh(STATE, after))
    assert [mark.terms for mark in found.marks if mark.changed] == [(At(5, 2),)]


def test_fresh_terms_are_those_that_are_more_than_before() -> None:
    assert fresh(State([1, 1, 2]), State([1, 1, 1, 3])) == [1, 3]


def test_a_long_line_goes_on_below() -> None:
    drawing = as_text("0123456789" * 30 + "\nend")
    shown = re.findall(r">([^<]+)</text>", drawing.svg(style=False))
    assert "".join(shown) == "0123456789" * 30 + "end"
    assert len(shown) == 4
    assert drawing.width < 1_200


def test_a_long_text_is_cut_and_what_is_read_out_too() -> None:
    drawing = as_text("x" * 100_000)
    assert "too large to draw" in drawing.svg()
    assert len(drawing.svg()) < 20_000
    assert len(drawn(PUZZLE, State(["x" * 100_000])).svg()) < 20_000
