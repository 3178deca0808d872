"""Disjoint sets: what is together, and which number stands for it."""

from hypothesis import given
from hypothesis import strategies as st

from rewrite.reasoning.disjoint_sets import DisjointSets


def test_the_least_number_stands_for_a_set_however_it_was_joined() -> None:
    sets = DisjointSets(6)
    for one, other in ((5, 3), (4, 5), (1, 4)):
        sets.join(one, other)
    assert [sets.find(one) for one in range(6)] == [0, 1, 2, 1, 1, 1]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_two_numbers_are_together_exactly_if_a_chain_of_joins_leads_from_one_to_the_other(
    joins: list[tuple[int, int]],
) -> None:
    sets, slow = DisjointSets(10), [{one} for one in range(10)]
    for one, other in joins:
        sets.join(one, other)
        whole = slow[one] | slow[other]
        for member in whole:
            slow[member] = whole
    assert [sets.find(one) for one in range(10)] == [min(group) for group in slow]
