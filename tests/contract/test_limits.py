"""Where a search stops, says so, and goes on when asked: states, seconds, memory."""

from typing import Any

import pytest

from rewrite import budget
from rewrite.errors import SearchError
from rewrite.language.conditions import contains
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.search.api import search
from rewrite.search.strategies import Strategy
from tests.contract.graphs import GROWING, LINE, NOWHERE, RING, M, ask, complete, every, place


@every
def test_max_states_stops_says_so_and_goes_on(strategy: Strategy) -> None:
    if strategy.name == "depth_first":
        puzzle, goal = RING, place(4)
    else:
        puzzle, goal = GROWING, contains(9)
    options: dict[str, Any] = {"heuristic": 0} if strategy.needs_heuristic else {}
    if strategy.name == "beam":
        options["width"] = 10**6
    whole = search(puzzle, None, goal, strategy=strategy.name, **options)
    for bound in (1, 2, 3, 5, 7):
        if bound >= whole.states:
            continue
        result = search(puzzle, None, goal, strategy=strategy.name, max_states=bound, **options)
        assert (result.status, result.limit, result.limit_value) == ("limit", "max_states", bound)
        assert bound <= result.states <= bound + 1
        assert f"stopped by max_states={bound}: not found yet (" in str(result)
        again = result.resume()
        assert (again.status, again.path) == (whole.status, whole.path)
        assert again.states == whole.states


@complete
@pytest.mark.parametrize(
    ("name", "value"), [("max_states", 3), ("max_seconds", 0), ("max_memory", 1), ("max_depth", 1)]
)
def test_a_search_that_was_stopped_and_resumed_counts_as_one_that_was_not(
    strategy: Strategy, name: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(budget, "memory_in_use", lambda: next(held))
    whole = ask(strategy, RING, NOWHERE)
    result = ask(strategy, RING, NOWHERE, **{name: value})
    assert (result.status, result.limit, result.limit_value) == ("limit", name, value)
    assert not result
    assert f"stopped by {name}={value}: not found yet" in result.summary()
    again = result.resume()
    assert again.status == "exhausted"
    assert (again.states, again.levels) == (whole.states, whole.levels)
    if not (strategy.name == "depth_first" and name == "max_depth"):
        assert (again.expanded, again.rules) == (whole.expanded, whole.rules)


@every
def test_the_start_is_tested_under_any_limit(strategy: Strategy) -> None:
    assert ask(strategy, RING, place(0), max_states=1).status == "found"
    assert ask(strategy, RING, place(0), max_seconds=0).status == "found"
    assert ask(strategy, RING, place(0), max_memory=1).status == "found"


@every
def test_resuming_with_another_limit_keeps_the_rest(strategy: Strategy) -> None:
    result = ask(strategy, LINE, NOWHERE, max_states=2)
    again = result.resume(max_states=4)
    assert (again.limit, again.limit_value, again.states) == ("max_states", 4, 4)
    third = again.resume(max_depth=4)
    assert (third.limit, third.limit_value) == ("max_depth", 4)
    fourth = third.resume()
    assert (fourth.status, fourth.states) == ("exhausted", 6)
    with pytest.raises(SearchError, match="nothing to resume: the whole space was searched"):
        fourth.resume()
    with pytest.raises(SearchError, match=r"\.resume\(max_dept=…\): the limits .* \(did you mean"):
        result.resume(max_dept=3)
    with pytest.raises(SearchError, match=r"\.resume\(min_depth=…\): the limits that can be"):
        result.resume(min_depth=3)


@every
@pytest.mark.filterwarnings("ignore:.*was reached in only one way")
def test_an_infinite_space_ends_by_its_limit_and_says_which(strategy: Strategy) -> None:
    puzzle = Puzzle(rule("grow", take=[M], put=[M + 1]), start=[0])
    for name, value in (("max_depth", 50), ("max_states", 50), ("max_seconds", 0.05)):
        options: dict[str, Any] = {name: value}
        result = ask(strategy, puzzle, contains(-1), **options)
        assert (result.status, result.limit, result.limit_value) == ("limit", name, value)
        assert f"stopped by {name}={value}: not found yet" in str(result)
