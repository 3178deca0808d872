"""`improve`: any answer, then better ones, then a proof."""

from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve

from rewrite import Puzzle, RewriteWarning, SearchError, contains, improve, ints, rule, search
from rewrite.results.result import Result
from tests.engines import natively
from tests.terms import A, C

pytestmark = natively
N, M = ints("N M")
SIDE = 6
MOVES = [
    rule(f"{name} {{N}} {{M}}", take=[C(N, M)], put=[C(to_n, to_m)], when=guard, cost=cost)
    for name, to_n, to_m, guard, cost in [
        ("down", N + 1, M, N < SIDE, 5), ("right", N, M + 1, M < SIDE, 1),
        ("jump", N + 2, M, N < SIDE - 1, 3),
    ]
]  # fmt: skip
BOARD = Puzzle(MOVES, start=[C(0, 0)], goal=contains(C(SIDE, SIDE)), sets=True)


def test_each_answer_is_better_than_the_one_before_and_the_last_is_proved() -> None:
    told: list[Result] = []
    found = improve(BOARD, max_seconds=60, better=told.append)
    costs = [one.path.cost for one in told if one.path is not None]
    assert costs == sorted(set(costs), reverse=True)
    assert found.optimal
    assert costs[-1] == found.paths[0].cost == search(BOARD, strategy="uniform_cost").paths[0].cost


def test_no_answer_is_a_proof_too() -> None:
    assert improve(BOARD, goal=contains(C(SIDE + 1, 0)), max_seconds=60).status == "exhausted"


def test_without_time_nothing_is_claimed() -> None:
    found = improve(BOARD, max_seconds=0)
    assert (found.status, found.optimal) == ("limit", False)


def test_the_start_may_be_the_goal() -> None:
    found = improve(BOARD, goal=contains(C(0, 0)), max_seconds=60)
    assert found.summary().startswith("0 steps")


def test_seconds_are_a_number() -> None:
    assert improve(BOARD, goal=contains(C(0, 0)), max_seconds=10**400).status == "found"
    wrong: Any
    for wrong in ("x", -1, -(10**400), float("nan")):
        with pytest.raises(SearchError, match=rf"max_seconds={wrong!r}\) must be a number of 0 or"):
            improve(BOARD, goal=contains(C(0, 0)), max_seconds=wrong)


def test_after_ctrl_c_nothing_more_is_searched() -> None:
    calls: list[dict[str, Any]] = []

    def stopped(*given: Any, **how: Any) -> Result:
        calls.append(how)
        found = search(*given, **how)
        return found if len(calls) < 3 else evolve(found, status="interrupted", paths=())

    with patch("rewrite.search.tasks.improve.search", stopped):
        found = improve(BOARD, max_seconds=60)
    assert len(calls) == 3
    assert found.path is not None
    assert not found.optimal
    assert found.notes[-1].startswith("not proved cheapest in ")


def test_what_the_callback_raises_is_not_swallowed_and_a_warning_comes_once() -> None:
    def wrong(found: Result) -> None:
        raise SearchError("mine")

    with pytest.raises(SearchError, match="mine"):
        improve(BOARD, max_seconds=60, better=wrong)
    idle = Puzzle(*MOVES, rule("idle", take=[A(0)], put=[A(1)]), start=[C(0, 0)], sets=True)
    with pytest.warns(RewriteWarning) as warned:
        improve(idle, goal=contains(C(SIDE, SIDE)), max_seconds=60)
    assert len({str(one.message) for one in warned}) == len(warned)
