"""Forms: conditions over slots and bits, read once for all who ask what they say."""

import pytest

from rewrite import (
    ANY,
    Puzzle,
    State,
    contains,
    count,
    exactly,
    ints,
    lacks,
    rule,
    strs,
    term,
    terminal,
    total,
)
from rewrite.compiler.slots import forms
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.compiler.task import Task
from rewrite.language.conditions import Aggregate, Condition, condition
from tests.engines import over_slots


@term
class Cell:
    place: int
    value: int


P, Q, X, Y = ints("P Q X Y")
START = State([Cell(0, 1), Cell(1, 2)])
SWAP = rule("swap", take=[Cell(P, X), Cell(Q, Y)], put=[Cell(P, Y), Cell(Q, X)])
PROGRAM = over_slots(Task(Puzzle(SWAP, start=START), START, None)).program


def shape(given: forms.Form) -> object:
    """The names of the classes of a form, parts inside."""
    parts = [getattr(given, part) for part in ("left", "right", "inner") if hasattr(given, part)]
    name = type(given).__name__
    return (name, *map(shape, parts)) if parts else name


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (contains(Cell(0, 1)) & ~lacks(Cell(1, X)),
         ("AllOf", "Matches", ("Denied", ("Denied", "Matches")))),
        (condition(START) | (count(Cell(P, 1)) > 1), ("OneOf", "Codes", "Holds")),
        (~terminal(), ("Denied", "Terminal")),
        (exactly(Cell(0, X), Cell(1, Y)), "Whole"),
        (contains(Cell(0, X)) & contains(Cell(1, X)), "Opaque"),
        (lacks(Cell(0, X), when=count(Cell(P, X)) > 1), "Opaque"),
    ],
)  # fmt: skip
def test_the_form_of_a_condition(given: Condition, wanted: object) -> None:
    assert shape(forms.read(PROGRAM, given)) == wanted


def test_conditions_that_share_a_variable_are_not_apart_though_neither_binds_it() -> None:
    form = forms.read(PROGRAM, ~contains(Cell(0, X)) & contains(Cell(1, X)))
    assert isinstance(form, forms.AllOf)
    assert not form.apart


def test_equal_conditions_are_read_once() -> None:
    first, second = (forms.read(PROGRAM, contains(Cell(0, number))) for number in (1, 1))
    assert first is second


@term
class Sign:
    place: int
    mark: str


U, V = strs("U V")
EXCHANGE = rule("exchange", take=[Sign(P, U), Sign(Q, V)], put=[Sign(P, V), Sign(Q, U)])
SIGNS = State([Sign(0, "*"), Sign(1, "+"), Sign(2, "*")])
SIGNED = over_slots(Task(Puzzle(EXCHANGE, start=SIGNS), SIGNS, None)).program


def test_any_beside_an_asterisk_that_is_a_text_is_counted_by_instances() -> None:
    asked = count(Sign(ANY, "*"))
    assert isinstance(asked, Aggregate)
    matches = forms.counted(SIGNED, asked)
    assert (len(matches.changes), matches.every, matches.value) == (3, True, 1)


def test_any_that_matches_one_occurrence_in_several_ways_is_not_counted_by_instances() -> None:
    asked = count((*ANY, X, *ANY))
    assert isinstance(asked, Aggregate)
    with pytest.raises(Unsuitable, match="in several ways"):
        forms.counted(PROGRAM, asked)


def test_matches_are_worth_the_value_of_an_aggregate_or_one() -> None:
    summed = total(P, Sign(P, "*"))
    assert isinstance(summed, Aggregate)
    assert forms.counted(SIGNED, summed).value is P
    asked = forms.read(SIGNED, contains(Sign(P, "*")))
    assert isinstance(asked, forms.Matches)
    assert (asked.value, asked.every) == (1, False)
