"""Formulas about fields, split into cases: against trying every combination."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.compile.slots import cases as module
from rewrite.compile.slots.cases import ANYTHING, GONE, Conjunction, Formula, Numbers, cases
from rewrite.compile.slots.keys import Unsuitable

SIZES = (2, 3, 3)
SOME = st.builds(Numbers, st.frozensets(st.integers(0, 2)), st.booleans())
CONJUNCTIONS = st.dictionaries(st.integers(0, 2), SOME, max_size=3)


def domain(field: int) -> Numbers:
    return Numbers(frozenset(range(SIZES[field])))


def holds(given: Conjunction, held: tuple[int, ...]) -> bool:
    return all(numbers.admits(held[field]) for field, numbers in given.items())


@given(CONJUNCTIONS, st.lists(st.lists(CONJUNCTIONS, max_size=3), max_size=3))
def test_each_assignment_is_in_one_case_if_all_formulas_hold(
    known: Conjunction, formulas: list[Formula]
) -> None:
    found = cases(known, formulas, domain)
    for held in product(*map(range, SIZES)):
        right = holds(known, held) and all(any(holds(one, held) for one in f) for f in formulas)
        assert sum(holds(one, held) for one in found) == right


@given(SOME, SOME)
def test_sets_of_numbers(left: Numbers, right: Numbers) -> None:
    for number in (GONE, 0, 1, 2, 3):
        assert (left & right).admits(number) == (left.admits(number) and right.admits(number))
        assert (~left).admits(number) != left.admits(number)
    assert left.none == (left & ANYTHING == Numbers(frozenset()))


def test_too_many_cases_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CASES", 3)
    one_of_two = [[{0: Numbers(frozenset([0]))}, {1: Numbers(frozenset([0]))}],
                  [{0: Numbers(frozenset([1]))}, {2: Numbers(frozenset([0]))}]]  # fmt: skip
    assert len(cases({}, one_of_two, domain)) <= 3
    with pytest.raises(Unsuitable, match="more than 3 cases"):
        cases({}, [[{0: Numbers(frozenset([n]))} for n in (0, 1)],
                   [{1: Numbers(frozenset([n]))} for n in (0, 1, 2)]], domain)  # fmt: skip
