"""Pictures: texts that can be drawn, and what a puzzle shows of a state."""

import copy
import pickle
import re
from itertools import pairwise
from typing import Any

import pytest

from rewrite.errors import ViewError
from rewrite.language.functions import fn, ints, seqs, strs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State, beyond
from rewrite.results.path import Path
from rewrite.show.drawing.change import marked
from rewrite.show.drawing.drawing import Drawing
from rewrite.show.views.cells import Picture, View
from rewrite.show.views.grid import grid
from rewrite.show.views.lines import chain, pegs, ring
from rewrite.show.views.pictures import as_text, drawn, drawn_or_told, film
from tests.terms import At, On

C, V, N = ints("C V N")
S = seqs("S")
W = strs("W")


@fn
def half(number: int) -> int:
    """Half of an even number."""
    if number % 2:
        raise ValueError("odd")
    return number // 2


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


@pytest.mark.parametrize("keeps", [False, True])
def test_pictures_of_a_path_keep_what_earlier_states_held_if_the_view_says_so(keeps: bool) -> None:
    puzzle = PUZZLE.replace(show=ring(At(C, V), size=5, keeps=keeps))
    path = Path(puzzle, [State([At(cell, 7)]) for cell in range(3)])
    found = [pieces(drawing) for drawing in film(path)]
    assert found[0] == [(At(0, 7), False)]
    assert found[2] == (
        [(At(0, 7), True), (At(1, 7), True), (At(2, 7), False)] if keeps else [(At(2, 7), False)]
    )
    assert path.to_svg().count('opacity="0.6"') == keeps


def pieces(drawing: Drawing) -> list[tuple[Any, bool]]:
    """The terms that are drawn, and whether faintly."""
    marks = [mark for mark in drawing.marks if mark.terms]
    return [(mark.terms[0], 'opacity="0.6"' in mark.look.svg) for mark in marks]


@pytest.mark.parametrize(
    ("cells", "size", "shown"),
    [
        ([At(0, 1), At(1, 2), At(0, 3)], None, [At(0, 3), At(1, 2)]),  # a newer value
        ([At(0, 1), At(3, 2)], 3, [At(3, 2)]),  # the place `size` is 0 again
        ([At(0, 1), At(3, 2), At(1, 5)], 3, [At(3, 2), At(1, 5)]),  # of two, the newest
        ([At(8, 1), At(1, 2)], 3, [At(1, 2)]),  # no place of the ring
        ([At(1, 2), At(7, 1)], 3, [At(1, 2), At(7, 1)]),  # not drawn as a ring of three
        ([At(at, at) for at in range(30)], None, [At(at, at) for at in range(30)]),  # in rows
    ],
)
def test_each_place_of_a_ring_shows_its_newest_value(
    cells: list[At], size: int | None, shown: list[At]
) -> None:
    rules = [rule("to", take=[one], put=[other]) for one, other in pairwise(cells)]
    puzzle = Puzzle(*rules, show=ring(At(C, V), size=size, keeps=True))
    last = film(Path(puzzle, [State([cell]) for cell in cells]))[-1]
    assert pieces(last) == [(cell, cell != cells[-1]) for cell in shown]


def test_a_view_that_failed_on_the_way_fails_there_only() -> None:
    puzzle = PUZZLE.replace(show=ring((C, At(V, half(C))), keeps=True))
    rules = rule("x", take=[(C, At(V, N))], put=[(C + 1, At(V, N))])
    path = Path(puzzle.replace(rules=(rules,)), [State([(at, At(0, 1))]) for at in (1, 2, 3)])
    first, second, third = film(path)
    assert "odd" in first.said
    assert [mark.terms for mark in second.marks if mark.terms] == [((2, At(0, 1)),)]
    assert "odd" in third.said


def test_an_empty_state_says_so() -> None:
    assert ">nothing<" in drawn(PUZZLE, State([])).svg()


def test_a_view_that_fails_is_told_with_the_state() -> None:
    puzzle = PUZZLE.replace(show=grid(2, At(C, V), rows=1))
    with pytest.raises(ViewError, match="is in cell 4"):
        drawn(puzzle, STATE)
    assert "is in cell 4" in drawn_or_told(puzzle, STATE).said
    assert str(STATE) in drawn_or_told(puzzle, STATE).said


class Broken(View):
    """A view whose drawing has a fault."""

    def text(self, state: State) -> str:
        return "text"

    def drawing(self, state: State, past: object = None) -> Drawing:
        raise OverflowError("too far")


def test_a_drawing_that_fails_in_any_way_is_told() -> None:
    puzzle = PUZZLE.replace(show=Broken())
    with pytest.raises(ViewError, match=r"drawing of state .* failed: OverflowError: too far"):
        drawn(puzzle, STATE)
    assert "too far" in drawn_or_told(puzzle, STATE).said
    assert "too far" in Path(puzzle, [STATE])._repr_html_()


def changed(view: View, before: State, after: State) -> list[str]:
    """The texts of what is marked after a step."""
    puzzle = PUZZLE.replace(show=view)
    found = marked(drawn(puzzle, before), drawn(puzzle, after), beyond(after, before))
    marks = [mark for mark in found.marks if mark.changed]
    return ["".join(re.findall(r">([^<]+)</text>", mark.look.svg)) for mark in marks]


@pytest.mark.parametrize(
    ("view", "before", "after", "expected"),
    [
        (chain(), [(1, 2, 3)], [(4, 1, 2, 3)], ["4"]),
        (chain(), [(1, 2, 3)], [(1, 9, 2, 8, 3)], ["9", "8"]),
        (chain(), [(1, 2, 3)], [(1, 222, 3)], ["222"]),
        (chain(), [(1, 2, 3)], [(4, 3, 1, 2)], ["4", "3", "1", "2"]),
        (chain(), [(1, 2), (7, 3)], [(2,), (7,), (9, 1, 3)], ["2", "9", "1", "3"]),
        (grid(3, S, rows=2), [(1, 2, 3)], [(4, 1, 2, 3)], ["4"]),
        (grid(3, S), [(1, 2, 3, 4, 0, 5)], [(1, 0, 3, 4, 2, 5)], ["2", "0"]),
        (grid(3, At(C, V)), [At(0, 1), At(4, 2)], [At(0, 1), At(5, 2)], ["2"]),
        (chain(stacked=True), [(1, 2, 3, 4)], [(3, 2, 1, 4)], ["1", "3"]),
        (
            pegs((W, S)),
            [("a", (1, 2, 3)), ("b", ()), ("c", (4,))],
            [("a", (2, 3)), ("b", ()), ("c", (1, 4))],
            ["1"],
        ),
    ],
)
def test_what_made_room_is_not_marked_and_what_moved_is(
    view: View, before: list[Any], after: list[Any], expected: list[str]
) -> None:
    assert sorted(changed(view, State(before), State(after))) == sorted(expected)


def test_wide_signs_take_the_room_of_two_letters() -> None:
    assert as_text("漢" * 10).width == as_text("ab" * 10).width
    assert len(as_text("漢" * 120).marks) == 2


def test_a_view_shows_what_cannot_be_printed_as_signs_in_its_text_too() -> None:
    view = grid(2, (At(C, V), "\u202e"), background="\x1b.\n..", empty="-")
    assert view(State([At(3, 1)])).replace(" ", "") == "\\x1b.\n.\\u202e"
    assert chain(separator="\u2066")(State([(1, 2)])) == "1\\u20662"


def test_a_tab_is_shown_as_blanks() -> None:
    assert ">a       b<" in as_text("a\tb").svg(style=False)


def test_what_the_last_step_put_there_is_marked() -> None:
    puzzle = PUZZLE.replace(show=VIEW)
    after = State([At(0, 1), At(5, 2)])
    found = marked(drawn(puzzle, STATE), drawn(puzzle, after), beyond(after, STATE))
    assert [mark.terms for mark in found.marks if mark.changed] == [(At(5, 2),)]


def test_fresh_terms_are_those_that_are_more_than_before() -> None:
    assert beyond(State([1, 1, 1, 3]), State([1, 1, 2])) == [1, 3]


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
