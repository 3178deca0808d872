"""Conditions and aggregates as declarations; what they mean is tested in test_satisfaction.py."""

import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rewrite import (
    ANY,
    Bag,
    RuleError,
    State,
    StateError,
    contains,
    count,
    exactly,
    highest,
    ints,
    lacks,
    lowest,
    rule,
    seqs,
    term,
    terminal,
    total,
)
from rewrite.language.conditions import Both, Condition, condition, goal_condition
from rewrite.language.expressions import kind_of
from rewrite.language.order import source


@term
class On:
    who: Any
    bank: Any


M, N = ints("M N")
S = seqs("S")
MANY: Any = count(M) > 7


def is_small(state: State) -> bool:
    return len(state) < 3


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (contains(M, N, when=M > N), "contains(M, N, when=M > N)"),
        (
            contains(M, when=[M > 1, M < 5], absent=[N]),
            "contains(M, when=[M > 1, M < 5], absent=N)",
        ),
        (lacks(On(M, ANY), absent=On(N, "a")), "lacks(On(M, ANY), absent=On(N, 'a'))"),
        (exactly(M), "exactly(M)"),
        (exactly(), "exactly()"),
        (contains((*S, 9)), "contains((*S, 9))"),
        (contains(Bag([M, 1])), "contains([1, M])"),
        (terminal(), "terminal()"),
        (contains(M) & contains(N), "(contains(M) & contains(N))"),
        (contains(M) & (M > 1), "(contains(M) & (M > 1))"),
        ((M > 1) & contains(M), "((M > 1) & contains(M))"),
        ((M > 1) | lacks(M), "((M > 1) | lacks(M))"),
        (contains(M) | is_small, "(contains(M) | is_small)"),
        (MANY | State([2]), "((count(M) > 7) | State([2]))"),
        (State([2]) & MANY, "(State([2]) & (count(M) > 7))"),
        (MANY & is_small, "((count(M) > 7) & is_small)"),
        (is_small | MANY, "(is_small | (count(M) > 7))"),
        (State([2]) | State([3]), "(State([2]) | State([3]))"),
        (State([2]) | is_small, "(State([2]) | is_small)"),
        (is_small & State([2]), "(is_small & State([2]))"),
        (State([2]) & contains(M), "(State([2]) & contains(M))"),
        (contains(M) | State([2]), "(contains(M) | State([2]))"),
        (~State([2]), "~State([2])"),
        (~contains(M), "~contains(M)"),
        (~(contains(M) & terminal()), "~(contains(M) & terminal())"),
    ],
)
def test_a_condition_shows_its_source(given: Condition, text: str) -> None:
    assert repr(given) == text


@pytest.mark.parametrize(
    ("aggregate", "text", "kind"),
    [
        (count(On(M, "left")), "count(On(M, 'left'))", "int"),
        (count(M, N, when=M > N), "count(M, N, when=M > N)", "int"),
        (total(M * 2, On(M, ANY)), "total(M * 2, On(M, ANY))", "int"),
        (lowest(abs(M - 793), M), "lowest(abs(M - 793), M)", "int"),
        (highest(S, S), "highest(S, S)", "seq"),
        (count(M) > count(N), "count(M) > count(N)", "bool"),
    ],
)
def test_an_aggregate_is_an_expression_and_knows_its_kind(
    aggregate: Any, text: str, kind: str
) -> None:
    assert source(aggregate) == text
    assert kind_of(aggregate) == kind


def test_conditions_compare_by_content() -> None:
    assert contains(M, when=M > 1) == contains(M, when=[M > 1])
    assert hash(contains(M)) == hash(contains(M))
    assert contains(M) != lacks(M)
    assert contains(1) != contains(True)
    assert contains(M) & terminal() == contains(M) & terminal()
    assert contains(M) & terminal() != contains(M) | terminal()
    assert ~contains(M) != contains(M)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: count(), "count() needs at least one pattern: count(On(who, 'left'))"),
        (lambda: lowest(M), "lowest(M) needs patterns: lowest(value, pattern, …). For the smaller"),
        (lambda: lowest(M), "of two values write least(a, b)"),
        (lambda: highest(M), "For the larger of two values write greatest(a, b)"),
        (lambda: total(M), "total(M) needs patterns"),
        (lambda: contains(*S), "contains(...): *S is a bare splice outside a tuple; write (*S, X)"),
        (lambda: count(*S), "count(...): *S is a bare splice outside a tuple; write (*S, X) for a"),
        (lambda: contains(1.5), "1.5 cannot be a term: a float is not exact"),
        (lambda: contains({1}), "{1} cannot be a term: a set loses duplicates; use a list"),
    ],
)
def test_wrong_patterns_of_a_condition_are_refused(wrong: Callable[[], Any], text: str) -> None:
    with pytest.raises(TypeError, match=re.escape(text)):
        wrong()


def test_a_list_of_patterns_in_a_condition_is_refused_with_both_ways_out() -> None:
    text = (
        "contains(...): [M, N] is one nested bag. Give the patterns one by one: contains(M, N); a "
        "nested bag is written Bag([M, N]) here"
    )
    with pytest.raises(RuleError, match=re.escape(text)):
        contains([M, N])


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (M > 3, "M > 3"),
        (is_small, "is_small"),
        (State([1, 2]), "State([1, 2])"),
        ([State([1]), State([2]), State([1, 1])], "one of 3 states"),
        ({State([1]), State([2])}, "one of 2 states"),
        ([contains(M), M > 3], "(contains(M) & (M > 3))"),
        (contains(M), "contains(M)"),
    ],
)
def test_a_goal_may_be_a_condition_a_function_a_state_or_a_collection_of_states(
    goal: Any, text: str
) -> None:
    assert repr(goal_condition(goal)) == text


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (793, "goal=793: a goal is a condition; write contains(793)"),
        ("a", "goal='a': a goal is a condition; write contains('a')"),
        (On(1, 2), "goal=On(1, 2): a goal is a condition; write contains(On(1, 2))"),
        (M, "M is not a condition: it is of kind int. Compare it with something, e.g. M == 0"),
        (1.5, "1.5 is not a condition: write an expression such as M > N"),
        (On, "is not a condition"),
    ],
)
def test_what_is_no_goal_is_refused(goal: Any, text: str) -> None:
    with pytest.raises(RuleError, match=re.escape(text)):
        goal_condition(goal)


@pytest.mark.parametrize("goal", [[1, 2], [], (1, On(1, 2)), [State([1]), 1]])
def test_a_list_that_is_no_collection_of_states_is_refused_as_a_goal(goal: Any) -> None:
    with pytest.raises(StateError, match="a goal is a condition such as contains") as raised:
        goal_condition(goal)
    assert f"exactly({', '.join(map(repr, goal))})" in str(raised.value)


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (["x"], "for one state of these terms write State(['x']), or exactly('x')"),
        ([M, "x"], "for one state of these terms write exactly(M, 'x')"),
    ],
)
def test_a_list_of_terms_as_a_goal_is_refused_with_the_way_out(goal: Any, text: str) -> None:
    with pytest.raises(StateError, match=re.escape(text) + "$"):
        goal_condition(goal)


def test_expressions_states_and_functions_join_without_a_condition_among_them() -> None:
    code = (
        "from rewrite import State, ints; M = ints('M'); print(~State([2]), (M > 7) | State([2]))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout == "~State([2]) ((M > 7) | State([2]))\n"


@pytest.mark.parametrize("wrong", [On(1, 2), None, 1.5])
def test_what_an_expression_cannot_be_joined_with_is_refused(wrong: Any) -> None:
    for left, right in ((MANY, wrong), (wrong, MANY), (State([1]), wrong)):
        with pytest.raises(RuleError, match="is not a condition: write an expression"):
            left | right


def test_a_list_of_conditions_is_joined_so_that_the_left_binds_for_the_right() -> None:
    joined = goal_condition([contains(M), M > 3])
    assert isinstance(joined, Both)
    assert joined == contains(M) & (M > 3)


def test_truth_values_are_no_conditions() -> None:
    told = "this condition is already False: Python compared before the search began. Comparing "
    with pytest.raises(RuleError, match=re.escape(told + "patterns: M == 3 and Box(M) == Box(N)")):
        condition(False)


def test_a_comparison_with_a_truth_value_shows_as_it_was_written() -> None:
    made = rule("x", take=[M], when=[(M > 3) == True])  # noqa: E712
    assert repr(made) == "rule('x', take=[M], when=[(M > 3) == True])"


def positive(state: State) -> bool:
    """A function that another process finds by its name."""
    return len(state) > 0


def test_what_a_condition_keeps_of_itself_does_not_travel() -> None:
    joined = contains(On(M, 3)) & condition(positive)
    assert {one.__name__ for one in joined.classes} == {"On"}
    assert joined.term_key() is joined.term_key()
    carried = pickle.dumps(joined)
    assert str(id(positive)).encode() not in carried  # its key is another one elsewhere
    again = pickle.loads(carried)
    assert "_measure" not in vars(again)
    assert (again, again.classes) == (joined, joined.classes)
