"""Forms: conditions over slots and bits, read once for all who ask what they say."""

import pytest

from rewrite import Puzzle, State, contains, count, exactly, ints, lacks, rule, term, terminal
from rewrite.compiler.slots import forms
from rewrite.compiler.task import Task
from rewrite.language.conditions import Condition, condition
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
