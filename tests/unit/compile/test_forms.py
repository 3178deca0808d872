"""Forms: what conditions over slots and bits say."""

import pytest

from rewrite import (
    ANY,
    Puzzle,
    State,
    contains,
    count,
    ints,
    rule,
    strs,
    term,
)
from rewrite.compile.slots import forms
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.language.conditions import Aggregate
from tests.engines import over_slots
from tests.terms import At

P, Q, X, Y = ints("P Q X Y")
START = State([At(0, 1), At(1, 2)])
SWAP = rule("swap", take=[At(P, X), At(Q, Y)], put=[At(P, Y), At(Q, X)])
PROGRAM = over_slots(Task(Puzzle(SWAP, start=START), START, None)).program


def test_conditions_that_share_a_variable_are_not_apart_though_neither_binds_it() -> None:
    form = forms.read(PROGRAM, ~contains(At(0, X)) & contains(At(1, X)))
    assert isinstance(form, forms.AllOf)
    assert not form.apart


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
