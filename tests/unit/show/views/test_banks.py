"""Banks of a river: who stands where, in text and drawing."""

import re

import pytest

from rewrite import State, ViewError, banks, ints, strs, term
from rewrite.show.drawing.change import change
from rewrite.show.drawing.drawing import Drawing
from rewrite.show.views.cells import View
from tests.terms import On

who, bank = strs("who bank")
minutes, side = ints("minutes side")


@term
class Boat:
    bank: str


@term
class Walker:
    minutes: int
    side: int


@term
class Torch:
    side: int


FERRY = banks((On(who, bank), who, bank), boat=Boat(bank), looks={"wolf": "wolf"})
BRIDGE = banks(
    (Walker(minutes, side), minutes, side),
    (Torch(side), "torch"),
    sides=(0, 1),
    looks={None: "person", "torch": "torch"},
)


def drawing(view: object, *terms: object) -> Drawing:
    assert isinstance(view, View)
    return view.drawing(State(terms))


def test_the_text_says_who_is_on_which_bank_and_where_the_boat_is() -> None:
    people = [On("wolf", "right"), On("goat", "left"), On("goat", "left")]
    assert FERRY(State([*people, Boat("left")])) == "goat×2 [boat]~~~~ wolf"
    assert FERRY(State([*people, Boat("right")])) == "goat×2 ~~~~[boat] wolf"
    assert FERRY(State(people)) == "goat×2 ~~~~ wolf"


def test_without_a_boat_there_is_a_bridge_and_names_are_in_the_order_of_terms() -> None:
    state = State([Walker(10, 0), Walker(2, 0), Walker(1, 1), Torch(1)])
    assert BRIDGE(state) == "2 10 ==== 1 torch"
    assert BRIDGE(State([])) == "===="
    brown = 'fill="#7a4a1e"'
    assert brown in drawing(BRIDGE).marks[0].look.svg
    assert brown not in drawing(FERRY).marks[0].look.svg


def test_each_figure_is_a_mark_of_its_own_with_its_name_below() -> None:
    found = drawing(FERRY, On("wolf", "left"), On("goat", "right"), Boat("right"))
    _, boat, goat, wolf = found.marks
    assert [mark.terms for mark in (boat, goat, wolf)] == [
        (Boat("right"),),
        (On("goat", "right"),),
        (On("wolf", "left"),),
    ]
    assert re.findall(">([^<]+)</text>", wolf.look.svg) == ["wolf"]
    assert wolf.look.svg.count("<path") == 4
    assert ">goat<" in goat.look.svg  # no look is given: a chip
    assert goat.x > boat.x > wolf.x


def test_who_stays_does_not_move_when_another_of_its_kind_crosses() -> None:
    goats = [On("goat", "left")] * 3
    before = drawing(FERRY, *goats, On("wolf", "left"), Boat("left"))
    after = drawing(FERRY, *goats[:2], On("goat", "right"), On("wolf", "left"), Boat("right"))
    found = change(before, after)
    assert (found.gone, found.new) == ((), ())
    assert {before.marks[start].terms[0] for start, _ in found.travels} == {goats[0], Boat("left")}


def test_a_long_name_stays_within_its_place() -> None:
    *_, one, other = drawing(FERRY, On("x" * 40, "left"), On("wolf" * 9, "left")).marks
    assert one.look.width == other.look.width == other.x - one.x
    [scale] = re.findall(r"scale\(([\d.]+)\)", one.look.svg)
    assert 0 < float(scale) < 0.5


def test_another_side_is_an_error_in_text_and_drawing() -> None:
    message = r"On\('goat', 'up'\) is on side 'up'; the sides are 'left' and 'right'.*sides="
    state = State([On("goat", "up")])
    with pytest.raises(ViewError, match=message):
        FERRY(state)
    with pytest.raises(ViewError, match=message):
        drawing(FERRY, *state)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sides": ("a",)}, r"sides=\('a',\)\): a tuple of the left and the right one"),
        ({"sides": (who, "b")}, r"banks\(…, sides=who\): .* this is a pattern"),
        ({"looks": {"wolf": "wulf"}}, r"banks\(…, looks=\{'wolf': …\}\): a look is a shape"),
        ({"looks": {1: "wolf"}}, r"banks\(…, looks=.*1 is never shown"),
        ({"boat": Boat("left")}, r"banks\(…\): Boat\('left'\) has 0 variables"),
    ],
)
def test_arguments_are_checked_where_they_are_given(options: dict, message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(ViewError, match=message):
        banks((On(who, bank), who, bank), **options)


def test_figures_must_be_given() -> None:
    with pytest.raises(ViewError, match="shows nothing; give patterns: banks"):
        banks()
