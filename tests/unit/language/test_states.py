"""`State`: what it is made from, and how it prints."""

import pickle
import re
from collections import Counter
from typing import Any

import pytest

from rewrite import Bag, State, StateError, TermError, ints
from rewrite.language.order import term_key
from tests.terms import Box

M = ints("M")


def test_a_state_is_made_from_any_collection_but_a_set_or_from_a_counter() -> None:
    expected = State([4, 4, 7])
    assert State((7, 4, 4)) == expected
    with pytest.raises(StateError, match=r"cannot be a state: an iterator is used up.*give a list"):
        State(iter([4, 7, 4]))
    assert State(Counter({4: 2, 7: 1})) == expected
    assert State(expected) == expected
    assert State(Bag([4, 7, 4])) == expected
    assert State(range(3)) == State([2, 1, 0])
    assert State() == State([])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({7}, "{7} cannot be a state: a set loses duplicates; use a list"),
        (frozenset({7}), "cannot be a state: a set loses duplicates; use a list"),
        ("abc", "'abc' cannot be a state: a state is a list of terms; write ['abc'] for a state"),
        (5, "5 cannot be a state: a state is a list of terms; write [5] for a state"),
        (Box(1), "Box(1) cannot be a state: a state is a list of terms; write [Box(1)]"),
        ({"a": 1}, "{'a': 1} cannot be a state: use a list of terms, or a Counter"),
        ([Box(M)], "Box(M) cannot be in a state: it holds a variable; a state is made of values"),
        (Counter({4: -1}), "the Counter holds 4 -1 times; a number of occurrences is a whole"),
        (Counter({4: 1.5}), "the Counter holds 4 1.5 times"),
    ],
)
def test_what_is_no_state_is_refused_with_a_way_out(value: Any, text: str) -> None:
    with pytest.raises(StateError, match=re.escape(text)) as raised:
        State(value)
    assert isinstance(raised.value, TypeError)


def test_a_number_that_python_does_not_print_is_refused_like_any_other() -> None:
    with pytest.raises(StateError, match=r"^0x31.* cannot be a state"):
        State(10**5000)
    with pytest.raises(TermError, match=r"^Bag\(0x31.* a bag is made of a list"):
        Bag(10**5000)  # type: ignore[arg-type]


def test_a_float_in_a_state_is_refused_as_a_term() -> None:
    with pytest.raises(TermError, match=re.escape("1.0 cannot be a term: a float is not exact")):
        State([1.0])


def test_true_and_one_are_two_terms_of_a_state() -> None:
    state = State([True, 1])
    assert len(state) == 2
    assert (state.count(1), state.count(True)) == (1, 1)
    assert State([1, 1]) != state


def test_count_reads_its_term_as_a_state_does() -> None:
    state = State([[1, 2], (1, [2]), 3, 3])
    assert (state.count([2, 1]), state.count((1, [2])), state.count(3)) == (1, 1, 2)
    with pytest.raises(TermError, match=re.escape("3.0 cannot be a term")):
        state.count(3.0)


def test_a_number_beyond_what_python_writes_in_decimals_prints_too() -> None:
    state = State([10**6000, ("a", -(10**5000))])
    assert eval(repr(state)) == state


def test_a_state_equals_a_list_of_its_terms_in_any_order() -> None:
    state, itself = State([2, Box(1), 2]), list[Any]()
    itself.append(itself)
    assert state == [Box(1), 2, 2]
    assert [2, Box(1), 2] == state
    assert (state != [2, 2, Box(1)]) is False
    assert Bag([1, [3, 2]]) == [[2, 3], 1]
    for other in ([2, Box(1)], [2, 2, Box(2)], [2, 2, 1.5], itself, (2, 2, Box(1)), []):
        assert state != other
        assert other != state
    assert State([True]) != [1]
    assert repr(State([1]) == [M]) == "[1] == [M]"


def test_a_state_prints_so_that_it_can_be_pasted_back() -> None:
    state = State([Box(2), "a", (1, ("b",)), [3, [1]], True, 1, -(10**20)])
    assert eval(repr(state)) == state
    assert State(eval(str(state))) == state
    assert str(state) == "[True, -100000000000000000000, 1, 'a', (1, ('b',)), [3, [1]], Box(2)]"


def test_a_state_is_a_value() -> None:
    state = State([2, 1, 2])
    assert hash(state) == hash(State([1, 2, 2]))
    assert pickle.loads(pickle.dumps(state)) == state
    assert type(pickle.loads(pickle.dumps(state))) is State
    assert State([1]) < State([2])
    assert term_key(state) == term_key(State((1, 2, 2)))
    with pytest.raises(AttributeError):
        state.extra = 1  # type: ignore[attr-defined]


def test_a_state_becomes_a_counter_unless_that_would_merge_true_and_one() -> None:
    assert State([4, 4, 7]).counter() == Counter({4: 2, 7: 1})
    with pytest.raises(StateError, match=re.escape("has no Counter: Python takes True and 1 for")):
        State([True, 1]).counter()


def test_a_state_knows_the_classes_and_the_texts_inside_it() -> None:
    state = State([("a", [Box(1), "b"]), True, "c"])
    assert {one.__name__ for one in state.classes} == {"Box"}
    assert state.texts == {"a", "b", "c"}
    assert state.kinds == {tuple, Bag, int, str, bool}
    assert (State([1]).classes, State([1]).texts) == (frozenset(), frozenset())
