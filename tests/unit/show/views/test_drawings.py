"""Views as drawings: which marks there are, where, and of which terms."""

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from rewrite.errors import ViewError
from rewrite.language.functions import ints, seqs, strs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.show.drawing.change import change
from rewrite.show.drawing.drawing import MARGIN, MOST_MARKS, Drawing, Mark
from rewrite.show.drawing.looks import look_of
from rewrite.show.drawing.palette import NAMED, Style
from rewrite.show.views.cells import View
from rewrite.show.views.grid import grid
from rewrite.show.views.lines import banks, chain, pegs, ring, vessels
from rewrite.show.views.pictures import drawn
from tests.terms import At

P, V, D = ints("P V D")
N = strs("N")
S = seqs("S")


@term
class Part:
    cell: int
    sign: str


def draw(view: Callable[[State], str], *terms: Any) -> Drawing:
    assert isinstance(view, View)
    return view.drawing(State(terms))


def pieces(drawing: Drawing) -> list[Mark]:
    """The marks that show a term."""
    return [mark for mark in drawing.marks if mark.terms]


def at(mark: Mark) -> tuple[float, float]:
    """Row and column of the upper left corner of a mark on a board of squares."""
    return (mark.y - MARGIN) / 40, (mark.x - MARGIN) / 40


def texts(drawing: Drawing) -> str:
    return "".join(mark.look.svg for mark in drawing.marks)


def test_a_cell_is_drawn_where_its_number_says_and_shows_its_term() -> None:
    [mark] = pieces(draw(grid(3, At(P, V)), At(5, 7)))
    assert at(mark) == (1, 2)
    assert mark.terms == (At(5, 7),)
    assert mark.look == look_of(Style(), "7")


def test_all_floor_is_one_mark_and_all_walls_are_one() -> None:
    view = grid(4, (At(P, V), "@"), background="####\n#  #\n####")
    assert [len(mark.terms) for mark in draw(view, At(5, 0)).marks] == [0, 0, 1]
    assert len(draw(grid(9, At(P, V), rows=9), At(0, 1)).marks) == 2


def test_there_is_no_floor_outside_of_the_walls() -> None:
    def floors(background: str) -> int:
        view = grid(5, (At(P, V), " "), background=background)
        return texts(draw(view)).split('class="rw-floor"')[0].count("v33")

    assert floors("  ###\n### #\n#   #\n#####") == 4
    assert floors("  ###\n### #\n    #\n#####") == 0  # through the gap one gets inside
    assert floors(".....") == 5


def test_a_blank_that_is_shown_where_nothing_is_has_no_floor() -> None:
    drawing = draw(grid(3, At(P, V), empty=" "), At(0, 1), At(4, 2))
    assert texts(drawing).split('class="rw-floor"')[0].count("v33") == 2


def test_one_term_over_several_cells_is_one_piece_with_its_text_once() -> None:
    [mark] = pieces(draw(grid(3, (At(P, V), "A", (P, P + 1, P + 3))), At(1, 0)))
    assert at(mark) == (0, 1)
    assert (mark.look.width, mark.look.height) == (80, 80)
    assert mark.look.svg.count(">A</text>") == 1


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("⊏⊐", 1),
        ("⊐⊏", 2),
        ("⊏⊓", 2),
        ("⊓\n⊔", 1),
        ("┌┐\n└┘", 1),
        ("┌┐┌┐\n└┘└┘", 2),
        ("□□", 2),
        ("┌─┐\n│┼│\n└─┘", 2),
        ("├┤\n└┘", 1),
    ],
)
def test_signs_that_are_open_towards_each_other_join(rows: str, expected: int) -> None:
    lines = rows.split("\n")
    signs = [
        Part(10 * row + column, sign)
        for row, line in enumerate(lines)
        for column, sign in enumerate(line)
    ]
    found = pieces(draw(grid(10, Part(P, N)), *signs))
    assert len(found) == expected
    assert sorted(part.cell for mark in found for part in mark.terms) == [s.cell for s in signs]


def test_a_joined_piece_has_no_text_and_the_colour_of_its_shape() -> None:
    third, other, one = pieces(
        draw(grid(4, Part(P, N)), *map(Part, range(6), "⊏⊐⊏⊐□.")),
    )
    assert one.look == other.look != third.look
    assert "<text" not in one.look.svg + third.look.svg


def test_a_sign_that_joins_nothing_is_a_text() -> None:
    [mark] = pieces(draw(grid(3, Part(P, N)), Part(0, "│")))
    assert ">│</text>" in mark.look.svg


def test_parts_do_not_join_around_the_edge_or_where_a_look_is_given() -> None:
    parts = [Part(2, "⊏"), Part(3, "⊐")]
    assert len(pieces(draw(grid(3, Part(P, N)), *parts))) == 2
    parts = [Part(0, "⊏"), Part(1, "⊐")]
    assert len(pieces(draw(grid(3, Part(P, N), looks={"⊏": "red"}), *parts))) == 2


def test_nothing_is_drawn_for_a_blank() -> None:
    assert not pieces(draw(grid(3, Part(P, N)), Part(0, "."), Part(1, " "), Part(2, "")))
    assert len(pieces(draw(grid(3, Part(P, N), looks={".": "target"}), Part(0, ".")))) == 1
    view = grid(3, At(P, V), looks={"0": "blank"})
    assert [mark.terms for mark in pieces(draw(view, At(0, 0), At(1, 1)))] == [(At(1, 1),)]


def test_a_look_is_that_of_its_text_else_that_of_all_others() -> None:
    view = grid(4, Part(P, N), looks={"X": "red car", None: "disc"})
    found = pieces(draw(view, Part(0, "X"), Part(1, "y")))
    looks = look_of(Style("car", "red"), "X"), look_of(Style("disc"), "y")
    assert {mark.look for mark in found} == {*looks}


def test_a_colour_that_is_given_to_a_text_is_taken_by_no_other() -> None:
    plain = draw(grid(4, Part(P, N)), Part(0, "O"))
    reserved = draw(grid(4, Part(P, N), looks={"X": "red"}), Part(0, "O"))
    assert NAMED["red"] in texts(plain)
    assert NAMED["red"] not in texts(reserved)


def test_known_signs_look_like_what_they_are_without_being_told() -> None:
    drawing = draw(grid(4, Part(P, N)), Part(0, "●"), Part(1, "·"))
    looks = look_of(Style("disc"), "●"), look_of(Style("hole"), "·")
    assert {mark.look for mark in pieces(drawing)} == {*looks}


def test_a_disc_stands_in_a_hole_that_stays_when_it_goes() -> None:
    view = grid(4, (At(P, 1), "●"), (At(P, 0), "·"))
    before, after = draw(view, At(0, 1), At(1, 0)), draw(view, At(0, 0), At(1, 1))
    found = change(before, after)
    assert (len(found.travels), found.gone, found.new) == (1, (), ())


def test_all_holes_lie_below_all_discs() -> None:
    _, *marks = draw(grid(4, (At(P, 1), "●"), (At(P, 0), "·")), At(0, 1), At(1, 0), At(2, 1)).marks
    hole, disc = look_of(Style("hole"), "·"), look_of(Style("disc"), "●")
    assert [mark.look for mark in marks] == [hole, hole, hole, disc, disc]


def test_of_two_patterns_in_one_cell_the_first_lies_on_top() -> None:
    view = grid(2, (At(P, 1), "a"), (At(P, 2), "b"))
    assert [mark.terms for mark in pieces(draw(view, At(0, 1), At(0, 2)))] == [
        (At(0, 2),),
        (At(0, 1),),
    ]


def test_what_lies_below_is_drawn_below_and_not_in_the_text() -> None:
    plain = grid(3, At(P, V), rows=2)
    view = grid(3, At(P, V), rows=2, floor={(1, 2): "red target"})
    assert view(State([At(1, 7)])) == plain(State([At(1, 7)]))
    _floor, target, piece = draw(view, At(1, 7)).marks
    assert not target.terms
    assert NAMED["red"] in target.look.svg
    assert piece.terms


def test_a_gap_stands_between_two_boards() -> None:
    right, left = pieces(draw(grid(4, At(P, V), gap_after=2), At(1, 1), At(2, 2)))
    assert right.x - left.x > 40


def test_sums_are_beside_each_row_of_each_board_and_below_each_column() -> None:
    view = grid(4, At(P, V), gap_after=2, sums=15)
    state = State([At(0, 7), At(1, 8), At(2, 1), At(4, 8), At(6, 14), At(7, 2)])
    assert view(state) == (
        "7  8   15    1  .    1\n8  .    8   14  2   16\n15  8        15  2".replace(
            "7  8 ", " 7  8 "
        ).replace("8  . ", " 8  . ")
    )
    drawing = draw(view, *state)
    sums = [mark for mark in drawing.marks[1:] if not mark.terms]
    shown = [re.findall(">([^<]+)</text>", mark.look.svg)[0] for mark in sums]
    assert shown == ["15", "1", "8", "16", "15", "8", "15", "2"]
    reached = [NAMED["green"] in mark.look.svg for mark in sums]
    assert reached == [text == "15" for text in shown]
    assert sums[0].x - sums[1].x < 0 < sums[4].y - sums[2].y
    right = max(mark.x + mark.look.width for mark in sums)
    assert right == drawing.width - MARGIN
    plain = draw(grid(4, At(P, V), gap_after=2, sums=True), *state)
    assert NAMED["green"] not in "".join(m.look.svg for m in plain.marks if not m.terms)


def test_cells_beyond_the_columns_do_not_exist() -> None:
    view = grid(3, (At(P, V), "A", (P, P + V)), stride=4, rows=2)
    assert view(State([At(1, 4)])) == ". A .\n. A ."
    [mark] = pieces(draw(view, At(4, 1)))
    assert at(mark) == (1, 0)
    for face in (view, lambda state: draw(view, *state)):
        with pytest.raises(ViewError, match=r"stride=4\): At\(2, 1\) is in cell 3, .* column 4"):
            face(State([At(2, 1)]))
        with pytest.raises(ViewError, match="from 0 to 6"):
            face(State([At(6, 1)]))


def test_the_elements_of_a_sequence_are_numbered_by_the_stride_too() -> None:
    view = grid(2, S, stride=3)
    assert view(State([(1, 2, 3, 4)])) == "1 2\n3 4"
    assert [at(mark) for mark in pieces(draw(view, (1, 2, 3, 4)))][::-1] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    ]


def test_what_is_round_is_as_wide_as_it_is_high_in_narrow_cells() -> None:
    drawing = draw(grid(3, (At(P, V), "●"), aspect=1 / 2, rows=1), At(0, 0), At(2, 0))
    left, right = pieces(drawing)[::-1]
    assert right.x - left.x == left.look.width == left.look.height == 40
    assert left.x == MARGIN
    assert right.x + 40 == drawing.width - MARGIN


def test_trimmed_lines_have_no_blanks_at_their_end() -> None:
    view = grid(3, (At(P, V), "x"), background=" · \n·", trim=True)
    assert view(State([At(3, 0)])) == " ·\nx"


def test_a_disk_of_a_peg_is_a_mark_of_its_own_with_the_term_of_the_peg() -> None:
    drawing = draw(pegs((N, S)), ("a", (1, 2, 4)), ("b", ()))
    found = pieces(drawing)
    assert [mark.terms for mark in found] == [(("a", (1, 2, 4)),)] * 3
    narrow = [mark.look.width for mark in found]
    assert narrow == sorted(narrow, reverse=True)  # the lowest first
    assert narrow[0] - narrow[1] == pytest.approx(2 * (narrow[1] - narrow[2]))  # to scale
    assert [mark.y for mark in found] == sorted((mark.y for mark in found), reverse=True)


def test_the_ground_of_a_peg_is_in_the_text_and_no_disk() -> None:
    view = pegs((N, S), ground=9)
    assert view(State([("a", (1, 9))])) == "a: 9 1"
    assert len(pieces(draw(view, ("a", (1, 9)), ("b", (9,))))) == 1


def test_disks_that_are_no_numbers_are_all_as_wide() -> None:
    found = pieces(draw(pegs((N, S), top="last"), ("a", ("red", "blue"))))
    assert len({mark.look.width for mark in found}) == 1
    assert ">blue<" in min(found, key=lambda mark: mark.y).look.svg


def test_the_elements_of_a_chain_touch_and_the_rest_is_loose() -> None:
    drawing = draw(chain(), (4, 8), 3, 1)
    first, second, loose, other = pieces(drawing)
    assert first.terms == second.terms == ((4, 8),)
    assert second.x == first.x + first.look.width
    assert loose.y == other.y > first.y
    assert other.x > loose.x + loose.look.width


def test_elements_are_linked_by_a_separator_that_is_not_blank() -> None:
    drawing = draw(chain(separator=" → "), (4, 8, 2), 3)
    links = [mark for mark in drawing.marks if ">→<" in mark.look.svg]
    assert [mark.terms for mark in links] == [(), ()]
    first, second, *_ = pieces(drawing)
    assert links[0].x == first.x + first.look.width < second.x
    assert not [mark for mark in draw(chain(), (4, 8)).marks if not mark.terms]


def test_a_goal_is_shown_above_and_in_its_colour_where_it_is_reached() -> None:
    view = chain(V, shows=V, goal=24)
    assert view(State([3, 24])) == "3 24  (goal: 24)"
    drawing = draw(view, 3, 24)
    three, reached = pieces(drawing)
    assert [NAMED["green"] in mark.look.svg for mark in (three, reached)] == [False, True]
    word, goal = drawing.marks[:2]
    assert (">goal<" in word.look.svg, ">24<" in goal.look.svg) == (True, True)
    assert goal.y < three.y
    assert view(State([])) == "(goal: 24)"


def test_a_chain_may_say_what_is_shown_of_a_term() -> None:
    view = chain(At(P, V), shows=V * 10, separator="  ")
    state = State([At(0, 1), At(1, 2), 7])
    assert view(state) == "10  20 | 7"
    found = pieces(draw(view, *state))
    assert [mark.terms for mark in found] == [(At(0, 1),), (At(1, 2),), (7,)]
    assert ">20<" in found[1].look.svg
    with pytest.raises(ViewError, match=r"D uses D, which At\(P, V\) does not bind"):
        chain(At(P, V), shows=D)
    with pytest.raises(ViewError, match="1 // V has no value for P=0, V=0"):
        chain(At(P, V), shows=1 // V)(State([At(0, 0)]))


def test_a_stacked_sequence_has_its_first_element_on_top() -> None:
    view = chain(stacked=True)
    assert view(State([(3, 1, 2)])) == "3 1 2"
    found = sorted(pieces(draw(view, (3, 1, 2))), key=lambda mark: mark.y)
    assert [mark.look.width for mark in found] == [150, 34, 92]


def test_a_ring_shows_the_places_that_are_empty_too_if_it_knows_its_size() -> None:
    view = ring(At(P, V), size=8)
    drawing = draw(view, At(3, 41))
    assert [mark.terms for mark in pieces(drawing)] == [(At(3, 41),)]
    assert texts(drawing).count('class="rw-frame"') == 8
    assert texts(draw(ring(At(P, V)), At(3, 41))).count('class="rw-frame"') == 1


def test_after_the_last_place_of_a_ring_comes_the_first() -> None:
    view = ring(At(P, V), size=8)
    assert draw(view, At(0, 41)).marks[0] == draw(view, At(8, 41)).marks[0]
    [first], [last] = pieces(draw(view, At(0, 41))), pieces(draw(view, At(8, 41)))
    assert (first.x, first.y) == (last.x, last.y)


@pytest.mark.parametrize("cells", [(0, 8), (1, -1), (3, 9), (2, 2)])
def test_a_ring_loses_no_cell_that_has_no_place_of_its_own(cells: tuple[int, ...]) -> None:
    terms = [At(cell, number) for number, cell in enumerate(cells)]
    found = pieces(draw(ring(At(P, V), size=8), *terms))
    assert {mark.terms for mark in found} == {(one,) for one in terms}


def test_a_stacked_chain_of_what_is_no_sequence_is_chips() -> None:
    view = chain(D, stacked=True)
    assert [mark.terms for mark in pieces(draw(view, 7, 9))] == [(7,), (9,)]
    view = chain(At(P, V), stacked=True)
    assert [mark.terms for mark in pieces(draw(view, At(1, 2)))] == [(At(1, 2),)]


@pytest.mark.parametrize(
    "view", [chain(), chain(stacked=True), pegs((N, S)), vessels(At(P, V)), ring(At(P, V)),
             grid(3, At(P, V), empty=" ")],
)  # fmt: skip
def test_a_state_of_nothing_says_so(view: View) -> None:
    drawing = draw(view)
    assert ">nothing<" in texts(drawing)
    assert drawing.said == "nothing"


HUGE = 10**5000


@pytest.mark.parametrize(
    ("view", "terms"),
    [
        (vessels(At(P, V)), [At(HUGE, HUGE // 2), At(3, HUGE), At(HUGE, -HUGE)]),
        (pegs((N, S)), [("a", (HUGE, 1)), ("b", (-HUGE,))]),
        (chain(stacked=True), [(1, HUGE, -HUGE)]),
        (chain(), [(1, HUGE), HUGE]),
        (ring(At(P, V)), [At(HUGE, HUGE)]),
        (ring(At(P, V), size=4), [At(HUGE, HUGE)]),
        (grid(2, At(P, V)), [At(0, HUGE)]),
    ],
)
def test_numbers_of_any_size_are_told_and_drawn(view: View, terms: list[Any]) -> None:
    assert view(State(terms))
    assert len(pieces(draw(view, *terms))) >= len(terms)


def test_errors_tell_numbers_of_any_size() -> None:
    with pytest.raises(ViewError, match="is in cell 0x"):
        grid(2, At(P, V))(State([At(HUGE, 1)]))
    with pytest.raises(ViewError, match="size is 1 or more"):
        vessels(At(P, V))(State([At(-HUGE, 1)]))


def test_the_lines_of_a_glass_are_counted_only_where_they_are_drawn() -> None:
    assert draw(vessels(At(P, V)), At(10**12, 5)).marks[1].look.svg.count("<path") == 1
    assert draw(vessels(At(P, V)), At(5, 5)).marks[1].look.svg.count("h-9") == 4


@pytest.mark.parametrize(
    "view",
    [
        chain(),
        grid(2, (At(P, V), "x")),
        grid(1, S),
        ring(At(P, D)),
        vessels(At(P, V)),
        pegs((N, S)),
    ],
)
def test_a_term_that_nests_as_deep_as_any_is_told_and_drawn(view: View) -> None:
    deep: Any = 7
    for _ in range(497):
        deep = (deep, ())
    state = State([(deep,), At(0, 5)]) if view != pegs((N, S)) else State([("a", (deep,))])
    if view == vessels(At(P, V)):
        state = State([deep])
    view(state)
    assert view.drawing(state).svg()


@pytest.mark.parametrize("view", [chain(), grid(2, At(P, V)), vessels(At(P, V))])
@pytest.mark.parametrize("given", [None, [1], "x", (1, 2)])
def test_a_view_of_what_is_no_state_is_an_error(view: View, given: Any) -> None:
    with pytest.raises(ViewError, match=r"…\): a view shows a State, .* write State\(\[…\]\)"):
        view(given)


def given(**options: Any) -> dict[str, Any]:
    """Options of types that they do not have."""
    return options


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: grid(3, At(P, V), looks={"a": "rde"}), r"looks=\{'a': …\}\): a look is a shape"),
        (lambda: grid(3, At(P, V), looks={1: "red"}), "1 is never shown"),
        (lambda: grid(3, At(P, V), **given(looks=[1])), "a dict from what is shown"),
        (lambda: grid(3, At(P, V), floor={1: "rde"}), r"floor=\{1: …\}\): a look is a shape"),
        (
            lambda: grid(3, At(P, V), floor={-1: "red"}),
            r"floor=\{-1: …\}\): the floor is in cell -1",
        ),
        (lambda: grid(3, At(P, V), **given(floor=[1])), "a dict from cells"),
        (lambda: grid(3, At(P, V), stride=2), r"stride=2\): the cells are numbered 3 to a row"),
        (lambda: grid(3, At(P, V), aspect=0), "a number from 0.1 to 10"),
        (lambda: ring(At(P, V), size=0), r"size=0\): a whole number of 1 or more"),
        (lambda: vessels(At(1, V)), "has 1 variable; the first one is the size"),
        (lambda: grid(3, At(P, V), **given(background=["###"])), r"join a list .* '\\n'\.join"),
        (lambda: grid(3, At(P, V), **given(empty=0)), r"empty=…\): empty is .* given 0.* type int"),
        (lambda: grid(3, At(P, V), empty=".\n"), "this has two lines"),
        (lambda: grid(3, At(P, V), **given(rows=True)), "rows=True.*a whole number of 1 or more"),
        (lambda: grid(3, At(P, V), rows=0), "rows=0.*a whole number of 1 or more"),
        (lambda: grid(3, At(P, V), **given(rows="2")), "rows='2'.*a whole number of 1 or more"),
        (lambda: grid(3, At(P, V), **given(stride=4.0)), r"stride=4\.0"),
        (lambda: grid(3, At(P, V), **given(trim=1)), "trim is True or False"),
        (lambda: grid(3, At(P, V), **given(aspect=True)), "a number from 0.1 to 10"),
        (lambda: grid(3, (At(P, V), {"..": "x"})), r"a dict from one character .* \{'..': 'x'\}"),
        (lambda: grid(3, (At(P, V), {1: "x"})), "a dict from one character"),
        (lambda: grid(3, (At(P, V), {".": 1})), "a dict from one character"),
        (lambda: grid(3, (At(P, V), 1.5)), r"grid\(…, \(At\(P, V\), …\)\): 1.5 cannot be a term"),
        (lambda: grid(3, (At(P, V), None)), r"grid\(….*None cannot be a term"),
        (lambda: grid(3, (At(P, V), lambda: 1)), r"grid\(….*cannot be a term"),
        (lambda: grid(3, (At(P, V), "x", 1.5)), r"grid\(….*1.5 cannot be a term"),
        (lambda: grid(3, (At(P, V), At(D, 1))), "uses D, which"),
        (lambda: pegs((N, S), floor=1.5), r"pegs\(…, floor=…\): 1.5 cannot be a term"),
        (lambda: pegs((N, S), floor=D), r"pegs\(…, floor=D\): .* this is a pattern"),
        (lambda: pegs((N, S), ground=At(1, D)), r"ground=At\(1, D\)\): .* this is a pattern"),
        (lambda: chain(**given(separator=1)), r"separator=…\): the text between two elements"),
        (lambda: chain(**given(stacked=1)), "stacked is True or False"),
        (lambda: chain(At(P, V), shows=1.5), r"shows=…\): 1.5 cannot be a term"),
        (lambda: chain(goal=V), r"chain\(…, goal=V\): .* this is a pattern"),
        (lambda: ring(At(P, V), **given(keeps=1)), "keeps is True or False"),
        (
            lambda: chain(V, formula={"add": "plus"}),
            r"formula=\{'add': 'plus'\}\): True, or a dict",
        ),
        (lambda: chain(V, **given(formula={"add": []})), "one of \\+ - "),
        (lambda: chain(V, **given(formula={1: "+"})), "from the name of a rule"),
        (lambda: chain(V, **given(formula=None)), "formula=None"),
        (lambda: grid(3, At(P, V), **given(sums="15")), r"sums='15'\): True, or the sum to reach"),
        (lambda: grid(4, At(P, V), **given(folded=1)), "folded is True or False"),
    ],
)
def test_arguments_of_views_are_checked_where_they_are_given(make: Any, message: str) -> None:
    with pytest.raises(ViewError, match=message):
        make()


def test_only_a_cell_beyond_the_end_asks_for_more_rows() -> None:
    view = grid(3, At(P, V))
    with pytest.raises(ViewError, match=r"for more give rows=$"):
        view(State([At(30_000, 1)]))
    with pytest.raises(ViewError, match=r"to 29999: a cell is a whole number of 0 or more$"):
        view(State([At(-1, 1)]))


def test_the_background_below_may_be_the_text_of_an_empty_cell() -> None:
    view = grid(2, (At(P, V), {"--": "x"}), empty="--")
    assert view(State([At(0, 1)])) == " x --"


def test_a_ring_of_many_places_is_drawn_in_rows() -> None:
    cells = [At(place, place * 10) for place in range(60)]
    drawing = draw(ring(At(P, V)), *cells)
    assert [mark.terms for mark in pieces(drawing)] == [(cell,) for cell in cells]
    assert drawing.width < 620


def test_the_water_in_a_vessel_is_as_high_as_its_amount() -> None:
    view = vessels(At(P, V))
    assert view(State([At(5, 4), At(3, 0)])) == "0 of 3  4 of 5"
    drawing = draw(view, At(5, 4), At(3, 0))
    assert [mark.terms for mark in drawing.marks] == [(At(3, 0),)] * 2 + [(At(5, 4),)] * 2
    water, glass = drawing.marks[2:]
    assert glass.look.height == 150
    assert f'y="{150 - 4 - 4 / 5 * 146:.2f}'.rstrip("0") in water.look.svg
    assert drawing.marks[1].look.height == 90


@pytest.mark.parametrize("cell", [At(0, 0), At(-3, 1), Part(3, "x")])
def test_a_vessel_without_size_or_amount_is_an_error(cell: Any) -> None:
    view = vessels(At(P, V)) if isinstance(cell, At) else vessels(Part(P, N))
    with pytest.raises(ViewError, match="both are whole numbers, and the size is 1 or more"):
        view(State([cell]))


STATE = State([At(3, 1), At(4, 2), (1, 2), ("a", (1, 2)), 7])


@pytest.mark.parametrize(
    "view",
    [
        grid(3, At(P, V)),
        grid(3, S),
        ring(At(P, V)),
        ring(At(P, V), size=5),
        grid(3, At(P, V), sums=True),
        chain(goal=7),
        chain(),
        chain(stacked=True),
        pegs((N, S)),
        vessels(At(P, V)),
    ],
)
def test_every_view_says_its_text_and_draws_within_its_panel(view: View) -> None:
    for state in (STATE, State([])):
        drawing = view.drawing(state)
        assert view.text(state) == view(state)
        assert drawing.said == (view(state) or "nothing")
        for mark in drawing.marks:
            assert mark.x >= 0 <= mark.y
            assert mark.x + mark.look.width <= drawing.width
            assert mark.y + mark.look.height <= drawing.height
        assert {term for mark in drawing.marks for term in mark.terms} <= {*state}


NASTY = "<script>alert('1')</script>\"&amp;\x1b"


@pytest.mark.parametrize(
    ("view", "terms"),
    [
        (grid(3, Part(P, N)), [Part(0, NASTY)]),
        (grid(3, Part(P, N), looks={None: "car"}), [Part(0, NASTY)]),
        (grid(2, (Part(P, N), "x"), background="<&\n'\""), [Part(0, "a")]),
        (ring(Part(P, N)), [Part(0, NASTY)]),
        (ring(Part(P, N)), [Part(place, NASTY) for place in range(30)]),
        (chain(), [(NASTY,), NASTY]),
        (chain(goal=NASTY, separator=NASTY), [(NASTY, 1), NASTY]),
        (banks((Part(P, N), N, P), sides=(0, NASTY)), [Part(0, NASTY)]),
        (pegs((N, S)), [(NASTY, (NASTY,))]),
        (lambda state: NASTY, [1]),
        (None, [NASTY, Part(0, NASTY), (NASTY, [NASTY])]),
    ],
)
def test_a_text_of_a_puzzle_is_never_markup(view: Any, terms: list[Any]) -> None:
    svg = drawn(PUZZLE.replace(show=view), State(terms)).svg(style=False)
    known = {"svg", "g", "rect", "path", "circle", "text"}
    found = {element.tag.split("}")[-1] for element in ElementTree.fromstring(svg).iter()}
    assert found <= known
    assert "<script" not in svg
    assert "\x1b" not in svg


PUZZLE = Puzzle(rule("x", take=[1], put=[2]))


@pytest.mark.parametrize(
    ("view", "terms"),
    [
        (grid(400, At(P, V)), [At(399 * 400, 1)]),
        (grid(400, At(P, V)), [At(cell, 1) for cell in range(MOST_MARKS + 1)]),
        (grid(400, S), [tuple(range(MOST_MARKS + 1))]),
        (chain(), [tuple(range(MOST_MARKS + 1))]),
        (pegs((N, S)), [("a", tuple(range(MOST_MARKS + 1)))]),
        (ring(At(P, V)), [At(cell, 1) for cell in range(MOST_MARKS // 2 + 1)]),
        (vessels(At(P, V)), [At(size + 1, 0) for size in range(MOST_MARKS // 2 + 1)]),
        (None, list(range(MOST_MARKS + 1))),
    ],
)
def test_what_has_too_many_marks_is_shown_as_text(view: Any, terms: list[Any]) -> None:
    puzzle, state = PUZZLE.replace(show=view), State(terms)
    drawing = drawn(puzzle, state)
    assert not pieces(drawing)
    assert drawing.said[:3_000] == puzzle.shown(state)[:3_000]
    assert drawing.width < 1_200
    assert len(drawing.svg()) < 60_000
    if view is not None:
        with pytest.raises(ViewError, match="at most 4,000 marks, and this one would have"):
            view.drawing(state)
