"""Groups by a stabiliser chain agree with multiplying generators until nothing is new."""

from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.reasoning.symmetry.permutations import Group, Orbits, Permutation, generated


def symmetric(degree: int) -> Group:
    def swap(at: int) -> Permutation:
        return (*range(at), at + 1, at, *range(at + 2, degree))

    return Group(degree, tuple(range(degree - 1)), tuple([swap(at) for at in range(degree - 1)]))


def test_products_come_once_the_identity_first_and_breadth_first() -> None:
    found = generated([(1, 2, 0), (1, 0, 2)], 6)
    assert found == [(0, 1, 2), (1, 2, 0), (1, 0, 2), (2, 0, 1), (0, 2, 1), (2, 1, 0)]


def test_products_are_none_exactly_where_there_are_more_than_most() -> None:
    turns = [(1, 2, 3, 4, 0)]
    assert [generated(turns, most) is None for most in (0, 1, 4, 5, 6)] == [True] * 3 + [False] * 2


@pytest.mark.parametrize("degree", range(1, 7))
def test_all_permutations_are_as_many_as_the_factorial(degree: int) -> None:
    group = symmetric(degree)
    group.check()
    assert group.order == factorial(degree)
    elements = group.elements(group.order)
    assert elements is not None
    assert elements[0] == tuple(range(degree))
    assert len(elements) == len(set(elements)) == group.order
    assert group.elements(group.order - 1) is None


def test_a_subgroup_is_the_largest_of_the_chain_that_is_small_enough() -> None:
    group = symmetric(5)
    sizes = {most: len(group.subgroup(most)) for most in (0, 1, 2, 5, 6, 23, 24, 119, 120, 999)}
    assert sizes == {0: 1, 1: 1, 2: 2, 5: 2, 6: 6, 23: 6, 24: 24, 119: 24, 120: 120, 999: 120}
    assert all(one[:2] == (0, 1) for one in group.subgroup(6))
    assert group.subgroup(120) == group.elements(120)


@given(st.lists(st.permutations(range(6)), max_size=3))
def test_orbits_are_where_products_take_a_point(drawn: list[list[int]]) -> None:
    generators = [tuple(one) for one in drawn]
    products = generated(generators, 720, degree=6)
    assert products is not None
    orbits = Orbits(6, generators)
    assert [set(orbit) for orbit in orbits.of] == [
        {one[point] for one in products} for point in range(6)
    ]
