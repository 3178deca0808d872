"""The immutable multiset."""

import pickle
import re

import pytest

from rewrite import Bag, TermError


def test_a_bag_compares_by_content_and_counts_duplicates() -> None:
    assert Bag([1, 2, 1]) == Bag([2, 1, 1])
    assert hash(Bag([1, 2, 1])) == hash(Bag([2, 1, 1]))
    assert Bag([1, 2, 1]) != Bag([1, 2])
    assert Bag([True]) != Bag([1])
    assert Bag([1]) == [1]  # it is written so
    assert Bag([1]) != (1,)


def test_a_bag_tells_its_terms_with_their_numbers_in_canonical_order() -> None:
    bag = Bag(["a", 1, True, 1])
    assert bag.items == (True, 1, 1, "a")
    assert [(repr(term), number) for term, number in bag.distinct()] == [
        ("True", 1),
        ("1", 2),
        ("'a'", 1),
    ]
    assert (bag.count(1), bag.count(True), bag.count(False), bag.count("a")) == (2, 1, 0, 1)
    assert 1 in bag
    assert 2 not in bag
    assert (len(bag), list(bag)) == (4, [True, 1, 1, "a"])


def test_count_reads_its_term_as_a_bag_does() -> None:
    bag = Bag([(1, [2, 3]), [1], 7])
    assert (bag.count((1, [3, 2])), bag.count([1]), (1, [2]) in bag) == (1, 1, False)
    with pytest.raises(TermError, match=re.escape("None cannot be a term")):
        _ = None in bag


def test_a_bag_has_no_order_with_what_is_none() -> None:
    with pytest.raises(TypeError, match="not supported between instances of 'Bag' and 'int'"):
        _ = Bag([1]) < 3


def test_an_empty_bag_is_possible() -> None:
    assert (len(Bag()), repr(Bag()), Bag().distinct()) == (0, "[]", [])


def test_bags_are_ordered_and_can_be_pickled() -> None:
    assert Bag([1]) < Bag([2])
    assert pickle.loads(pickle.dumps(Bag([2, 1]))) == Bag([1, 2])


def test_a_bag_takes_no_new_attributes() -> None:
    with pytest.raises(AttributeError):
        Bag().extra = 1  # type: ignore[attr-defined]
