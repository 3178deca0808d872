"""States over fields that meet constraints, and constraints on states that are known in part."""

from itertools import product

import pytest

from rewrite.analysis.fields import Field
from rewrite.analysis.goals.assignments import NoGoalStates, assignments
from rewrite.analysis.goals.constraints import (
    Constraint,
    Every,
    Match,
    Some,
    Sum,
    Unknown,
    opposite,
)

ABC = ("a", "b", "c")
FIELDS = [Field(2 * place, 2, ABC, 0) for place in range(4)]
ALL = sum(field.mask for field in FIELDS)


def is_(place: int, number: int) -> Match:
    return Match(((FIELDS[place].mask, number << FIELDS[place].offset),))


def equal(first: int, second: int) -> Match:
    """A look-up that has an entry where two fields hold the same."""
    one, two = FIELDS[first], FIELDS[second]
    table = {
        a << one.offset | b << two.offset: ["yes"] if a == b else []
        for a, b in product(range(3), repeat=2)
    }
    return Match((), (), one.mask | two.mask, table)


def brute(constraint: Constraint) -> list[int]:
    codes = [
        sum(number << field.offset for number, field in zip(held, FIELDS, strict=True))
        for held in product(range(3), repeat=4)
    ]
    return sorted(code for code in codes if constraint.holds(code, ALL) is not False)


@pytest.mark.parametrize(
    "constraint",
    [
        is_(0, 1),
        opposite(is_(0, 1)),
        Some((is_(0, 1), is_(1, 2))),
        opposite(Some((is_(0, 1), is_(1, 2), equal(2, 3)))),
        opposite(Every((is_(0, 1), is_(1, 2)))),
        Every((equal(0, 1), equal(1, 2), opposite(equal(2, 3)))),
        Some((Every((is_(0, 0), is_(1, 1))), equal(0, 3))),
        Sum(tuple([(is_(place, 2), 1) for place in range(4)]), "==", 2),
        Sum(tuple([(is_(place, 2), place - 1) for place in range(4)]), ">=", 2),
        Sum(tuple([(is_(place, 1), -2) for place in range(4)]), "<", -3),
        opposite(Sum(tuple([(is_(place, 2), 1) for place in range(4)]), "!=", 1)),
        Sum(((equal(0, 1), 1), (equal(2, 3), 1)), "<=", 1),
        Every((Unknown(), Match((), ((FIELDS[2].mask, 0),)))),
        Some(()),
        Every(()),
    ],
)
def test_the_states_are_those_that_trying_all_finds(constraint: Constraint) -> None:
    assert assignments(FIELDS, constraint, {}, 1_000) == brute(constraint)


@pytest.mark.parametrize("constraint", [Every(()), equal(0, 2), Some((is_(0, 1), is_(3, 0)))])
def test_values_stand_as_often_as_is_prescribed(constraint: Constraint) -> None:
    def often(code: int, number: int) -> int:
        return sum(field.number(code) == number for field in FIELDS)

    wanted = [c for c in brute(constraint) if often(c, 0) == 2 and often(c, 1) == 1]
    assert assignments(FIELDS, constraint, {(0, 0): 2, (0, 1): 1}, 1_000) == wanted


def test_too_many_states_are_refused_before_any_is_listed() -> None:
    many = [Field(2 * place, 2, ABC, 0) for place in range(200)]
    with pytest.raises(NoGoalStates, match="is met by more than 100,000 states"):
        assignments(many, is_(0, 1), {}, 100_000)


def test_too_much_work_is_refused() -> None:
    many = [Field(2 * place, 2, ABC, 0) for place in range(40)]
    mask = sum(field.mask for field in many)
    odd = Sum(tuple([(Match(((field.mask, 0),)), 1) for field in many]), "!=", 20)
    assert odd.scope == mask
    text = "does not narrow its states down: 500 tries did not list them"
    with pytest.raises(NoGoalStates, match=text):
        assignments(many, odd, {}, 100)
