"""Chips: any term, cut where it is deep, wide or long."""

import re

import pytest

from rewrite.language.bag import Bag
from rewrite.language.terms import term
from rewrite.show.drawing.chips import DEEPEST, WRAP, Flow, chip, said
from rewrite.show.drawing.tags import width_of
from tests.terms import Box


@term
class Nothing:
    pass


@term
class Pair:
    one: object
    two: object


def texts(value: object) -> list[str]:
    return re.findall(r">([^<>]+)</text>", chip(value).svg)


def test_a_term_of_one_plain_argument_is_drawn_as_that() -> None:
    assert chip(Box(7)) == chip(7)


def test_arguments_elements_and_inner_names_are_read_in_order() -> None:
    assert texts(Pair(1, (2, "x"))) == ["1", "2", "x"]
    assert texts(Pair(Box(3), Bag([5, 4]))) == ["Box", "3", "4", "5"]
    assert texts(Nothing()) == ["Nothing"]


def test_a_sequence_and_a_bag_of_the_same_elements_look_different() -> None:
    assert chip((1, 2)) != chip(Bag([1, 2]))


def test_a_term_of_10000_levels_is_cut() -> None:
    deep: object = 0
    for _ in range(10_000):
        deep = (deep,)
    assert texts(deep) == ["…"]
    assert chip(deep).svg.count("<rect") == DEEPEST


def test_a_wide_term_says_how_many_were_left_out() -> None:
    shown = texts(tuple(range(100)))
    assert shown[-1] == f"… {100 - len(shown) + 1} more"
    assert len(texts(tuple(range(17)))) == 17  # no room is saved by leaving out one


@pytest.mark.parametrize("value", ["a" * 10**6, 10**5000, -(10**5000)], ids=type)
def test_a_long_value_is_cut(value: object) -> None:
    [shown] = texts(value)
    assert "…" in shown
    assert len(shown) < 30


@pytest.mark.parametrize("digits", range(1, 60))
def test_a_number_is_written_out_or_its_first_and_last_digits_are(digits: int) -> None:
    written = "1234567890" * 6
    value = int(written[:digits])
    shown = said(value)
    assert said(-value) == f"-{shown}"
    if "…" in shown:
        first, last = shown.split("…")
        assert str(value).startswith(first)
        assert str(value).endswith(last)
        assert len(first) == len(last) == 8
    else:
        assert shown == str(value)


def test_a_row_is_as_wide_as_the_page_at_most() -> None:
    flow = Flow()
    for number in range(100):
        flow = flow.put(chip(number), (number,))
    assert flow.size[0] <= WRAP
    places = [(mark.y, mark.x) for mark in flow.marks]
    assert places == sorted(places)
    assert len(set(places)) == 100


def test_a_box_is_wide_enough_for_its_text() -> None:
    assert chip("missionary").width > width_of("missionary", 16)
