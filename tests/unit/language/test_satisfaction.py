"""What conditions and aggregates mean in a state with its facts."""

import re
from typing import Any

import pytest

from rewrite import (
    ANY,
    Bag,
    Puzzle,
    RuleError,
    State,
    contains,
    count,
    digits,
    exactly,
    highest,
    ints,
    lacks,
    lowest,
    number,
    rule,
    seqs,
    strs,
    term,
    terminal,
    terms,
    total,
)
from rewrite.language.conditions import goal_condition
from rewrite.language.evaluation import NoValue
from rewrite.language.meaning import bindings, is_goal, value_of, world_of
from tests.terms import On


@term
class At:
    place: int
    thing: Any


@term
class Wall:
    at: int


M, N, X, Y = ints("M N X Y")
S = seqs("S")
who, here = strs("who here")
P = terms("P")

PUZZLE = Puzzle(rule("drop", take=[M], when=M > 100), facts=[Wall(5), Wall(5), 7])
STATE = [4, 4, 9, True, "a", (1, 2), [3, 1], At(1, "x"), At(2, "x"), At(2, "y")]


def holds(goal: Any, state: Any = STATE) -> bool:
    return is_goal(PUZZLE, State(state), goal_condition(goal))


def answers(goal: Any, state: Any = STATE) -> list[str]:
    found = bindings(world_of(PUZZLE, State(state)), goal_condition(goal))
    texts = (" ".join(f"{v!r}={value!r}" for v, value in env.items()) for env in found)
    return sorted(texts)


def worth(expression: Any, state: Any = STATE) -> Any:
    return value_of(PUZZLE, expression, State(state))


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (contains(4), True), (contains(4, 4), True), (contains(4, 4, 4), False),
        (contains(1), False), (contains(True), True), (contains(), True),
        (contains(Wall(5), Wall(5)), True), (contains(Wall(5), Wall(5), Wall(5)), False),
        (contains(7, 9), True), (contains((*S, 2)), True), (contains(Bag([1, 3])), True),
        (contains(M, N, when=M + N == 13), True), (contains(M, M), True),
        (contains(M, N, when=M * N == 81), False), (contains(M, when=M > 9), False),
        (contains(M, when=[M > 4, M < 9]), True),
        (contains(At(X, "x"), absent=At(X, "y")), True),
        (contains(At(X, "y"), absent=At(X, "x")), False),
        (contains(M, absent=[Wall(ANY)]), False), (contains(M, absent=[Wall(M + 1)]), True),
        (contains(At(X, P), At(X + 1, P)), True), (contains(At(X, P), At(X + 2, P)), False),
        (lacks(M, when=M > 9), True), (lacks(Wall(5)), False), (lacks(At(X, "z")), True),
        (lacks(At(X, "x"), when=~(X > 0)), True), (lacks(At(X, "x"), absent=At(X, "y")), False),
        (lacks(), False),
        (contains(4) & contains(9), True), (contains(4) & contains(8), False),
        (contains(8) | contains(9), True), (contains(8) | lacks(9), False),
        (~contains(8), True), (~(contains(8) | contains(9)), False),
        (contains(M) & (M > 8), True), (contains(At(X, "x")) & lacks(At(X, "y")), True),
        (contains(At(X, "x")) & contains(At(X, "y")) & (X > 1), True),
        (contains(At(X, "y")) & lacks(At(X, "x")), False),
        (lambda state: len(state) == 10, True), (lambda state: 7 in state, False),
        (State(STATE), True), (State([1]), False), ([State([1]), State(STATE)], True),
        (count(M) == 4, True), (count(ANY) == 13, True),
        (contains(M, when=10 // (M - 4) == 2), True),
        (contains(M, when=number((M, 10)) > 0), False),
        (lacks(M, when=M // 0 > 1), True),
    ],
)  # fmt: skip
def test_a_condition_matches_the_state_together_with_the_facts(goal: Any, expected: bool) -> None:
    assert holds(goal) is expected


@pytest.mark.parametrize(
    ("goal", "state", "expected"),
    [
        (exactly(), [], True),
        (exactly(), [1], False),
        (exactly(M, N), [1, 2], True),
        (exactly(M, N), [1, 2, 3], False),
        (exactly(M, M), [1, 2], False),
        (exactly(M, N, when=M > N), [1, 2], True),
        (exactly(M, Wall(ANY)), [1], False),
        (exactly(M, Wall(ANY)), [1, Wall(3)], True),
        (exactly(7), [], False),
        (exactly(M, when=count(Wall(5)) == 2), [1], True),
        (exactly(1), [True], False),
    ],
)
def test_exactly_compares_the_state_alone_and_its_guards_see_the_facts(
    goal: Any, state: list[Any], expected: bool
) -> None:
    assert holds(goal, state) is expected


def test_a_goal_with_variables_yields_the_bindings_of_each_match() -> None:
    assert answers(contains(At(X, "x"))) == ["X=1", "X=2"]
    assert answers(contains(M, when=M < 9)) == ["M=4", "M=7"]
    assert answers(exactly(M, N), [1, 2]) == ["M=1 N=2", "M=2 N=1"]
    assert answers(contains(At(X, "x")) & contains(At(X, P))) == [
        "X=1 P='x'",
        "X=2 P='x'",
        "X=2 P='y'",
    ]
    assert answers(contains(At(X, "y")) | contains(At(1, P))) == ["P='x'", "X=2"]
    assert answers(lacks(8)) == [""]
    assert answers(contains(S)) == ["S=(1, 2)"]


def test_lacks_with_a_local_variable_means_for_any_and_with_a_bound_one_keeps_its_value() -> None:
    assert answers(contains(At(X, "x")) & lacks(At(X, "y"))) == ["X=1"]
    assert answers(contains(At(X, "x")) & lacks(At(Y, "y"))) == []
    assert not holds(lacks(At(X, "y")))


def test_count_counts_occurrences() -> None:
    bank = [On("missionary", "left")] * 3 + [On("cannibal", "left")] * 2
    assert worth(count(On("missionary", "left")), bank) == 3
    assert worth(count(On(who, "left")), bank) == 5
    assert worth(count(On("missionary", "left"), On("missionary", "left")), bank) == 6
    assert worth(count(On(who, here), On("cannibal", here)), bank) == 3 * 2 + 2
    assert worth(count(On(who, "right")), bank) == 0
    assert worth(count(Wall(ANY)), bank) == 2
    assert worth(count((*ANY, 0, *ANY)), [(0, 0)]) == 1
    assert worth(count((*S, 0, *ANY)), [(0, 0)]) == 2


@pytest.mark.parametrize(
    ("aggregate", "value"),
    [
        (total(M, M), 24), (total(M, M, when=M < 9), 15), (total(1, ANY), 13),
        (total(M, At(M, 9)), 0),
        (total(X * 10, At(X, ANY)), 50), (lowest(M, M), 4), (highest(M, M), 9),
        (lowest(abs(M - 8), M), 1), (highest(P, At(2, P)), "y"), (lowest(S, S), (1, 2)),
        (lowest(M - N, M, N), -5), (total(M, M) - count(M), 20),
        (highest(count(At(X, ANY)), At(X, ANY)), 2), (count(M, when=count(At(M - 2, ANY)) > 0), 2),
    ],
)  # fmt: skip
def test_aggregates_range_over_all_matches(aggregate: Any, value: Any) -> None:
    assert worth(aggregate) == value


def test_lowest_and_highest_of_nothing_have_no_value() -> None:
    for nothing in (lowest(M, At(M, "z")), highest(M, M, when=M > 99)):
        with pytest.raises(NoValue):
            worth(nothing)
        assert not holds(nothing == 3)
        assert not holds(nothing != 3)


def test_a_value_that_is_not_there_spoils_a_sum_but_not_a_guard() -> None:
    with pytest.raises(NoValue):
        worth(total(10 // (M - 4), M))
    assert worth(total(M, M, when=10 // (M - 4) > 0)) == 7 + 9
    assert worth(count(M, when=digits(M - 7)[0] >= 0)) == 2


def test_terminal_holds_where_no_rule_applies() -> None:
    assert holds(terminal(), [3])
    assert not holds(terminal(), [101])
    assert holds(terminal() & contains(3), [3])


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (
            contains(P, when=P + 1 > 3),
            "goal=contains(P, when=P + 1 > 3) failed in P + 1 with P=True, in state [True, 4]: "
            "TypeError: needs a whole number, found True",
        ),
        (total(P, P) > 1, "failed in total(P, P), in state [True, 4]: TypeError: needs whole"),
        (
            contains(P, when=~P),
            "failed in ~P with P=4, in state [True, 4]: TypeError: needs True or False",
        ),
        (lambda state: state.gone, "in state [True, 4]: AttributeError: 'State' object has no"),
    ],
)
def test_a_condition_that_fails_is_an_error_that_names_it(goal: Any, text: str) -> None:
    with pytest.raises(RuleError, match=re.escape(text)) as raised:
        holds(goal, [True, 4])
    assert raised.value.__cause__ is not None
    assert raised.value.state == State([True, 4])


def test_a_heuristic_that_fails_is_an_error_that_names_it() -> None:
    text = "lowest(P + 1, P) failed in P + 1 with P='a', in state ['a']: TypeError: needs a whole"
    with pytest.raises(RuleError, match=re.escape(text)):
        worth(lowest(P + 1, P), ["a"])
