"""Where a search stops, says so, and goes on; how far it looks; from where on answers count."""

from typing import Any

import pytest

from rewrite import STRATEGIES, Result, budget, lowest
from rewrite.errors import SearchError
from rewrite.language.conditions import contains, terminal
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.results.replay import replay
from rewrite.search.api import search
from rewrite.search.strategies import Strategy
from tests.contract.graphs import (
    GROWING,
    LINE,
    NOWHERE,
    RING,
    M,
    ask,
    complete,
    distances,
    every,
    place,
    plain,
    random_graph,
    seeds,
)
from tests.engines import able, helped, natively


@every
def test_max_states_stops_says_so_and_goes_on(strategy: Strategy) -> None:
    if strategy.name == "depth_first":
        puzzle, goal = RING, place(4)
    else:
        puzzle, goal = GROWING, contains(9)
    options = helped(strategy.name) | ({"width": 10**6} if strategy.name == "beam" else {})
    whole = search(puzzle, None, goal, **options)
    for bound in (1, 2, 3, 5, 7):
        if bound >= whole.states:
            continue
        result = search(puzzle, None, goal, max_states=bound, **options)
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


@every
def test_max_depth_is_inclusive(strategy: Strategy) -> None:
    assert ask(strategy, LINE, place(3), max_depth=3).status == "found"
    short = ask(strategy, LINE, place(3), max_depth=2)
    assert (short.status, short.limit, short.limit_value) == ("limit", "max_depth", 2)
    assert short.summary().startswith("stopped by max_depth=2: not found yet (3 states, depth 2, ")
    assert short.summary().endswith("; .resume() continues")
    assert ask(strategy, LINE, place(0), max_depth=0).status == "found"


@every
@seeds(3, 8)
def test_max_depth_finds_what_is_within_it_and_nothing_else(strategy: Strategy, seed: int) -> None:
    puzzle = plain(*[(a, b) for a, b, _ in random_graph(seed)])
    for state, (steps, _) in distances(puzzle).items():
        for bound in range(5):
            result = ask(strategy, puzzle, state, max_depth=bound)
            assert bool(result) == (steps <= bound), (state, steps, bound)
            if result.path is not None:
                assert len(result.path) <= bound
            else:
                assert result.limit == "max_depth"


@every
def test_a_bound_beyond_which_nothing_lies_ends_as_exhausted(strategy: Strategy) -> None:
    for puzzle, depth in ((LINE, 5), (RING, 4)):
        deepest = max(steps for steps, _ in distances(puzzle).values())
        assert deepest == depth - (puzzle is RING)
        assert ask(strategy, puzzle, NOWHERE, max_depth=deepest).status == "exhausted"
        assert ask(strategy, puzzle, NOWHERE, max_depth=deepest - 1).limit == "max_depth"


@every
def test_terminal_states_at_the_bound_are_recognised_and_others_there_are_not_terminal(
    strategy: Strategy,
) -> None:
    assert ask(strategy, LINE, terminal(), max_depth=5).status == "found"
    assert ask(strategy, LINE, terminal(), max_depth=4).limit == "max_depth"


@every
def test_min_depth_1_accepts_the_start_only_through_a_cycle(strategy: Strategy) -> None:
    result = ask(strategy, RING, place(0), min_depth=1)
    assert len(result.paths[0]) >= 4  # 3 + 3 + 1 + 1
    if strategy.shortest or strategy.cheapest:
        assert len(result.paths[0]) == 4
    assert result.paths[0].start == result.paths[0].end == RING.start
    assert replay(RING, RING.start, result.paths[0]).end == RING.start
    gone = ask(strategy, LINE, place(0), min_depth=1)
    assert (gone.status, gone.states) == ("exhausted", 6)


@every
def test_min_depth_1_changes_nothing_for_other_goals_and_no_count(strategy: Strategy) -> None:
    for number in range(1, 8):
        result = ask(strategy, RING, place(number), min_depth=1)
        other = ask(strategy, RING, place(number))
        assert result.path == other.path
    everything = ask(strategy, RING, NOWHERE, min_depth=1)
    told = ask(strategy, RING, NOWHERE)
    assert (everything.status, everything.states) == ("exhausted", 8)
    assert everything.levels == told.levels
    assert everything.rules == told.rules


@every
def test_a_cycle_beyond_the_bound_is_a_limit_and_found_after_resuming(strategy: Strategy) -> None:
    ring = plain(*[(n, (n + 1) % 4) for n in range(4)])
    short = ask(strategy, ring, place(0), min_depth=1, max_depth=3)
    assert (short.status, short.limit, short.states) == ("limit", "max_depth", 4)
    whole = short.resume(max_depth=4)
    assert (whole.status, len(whole.paths[0])) == ("found", 4)


@every
def test_goals_passed_by_because_they_are_too_near_are_told(strategy: Strategy) -> None:
    if strategy.needs_heuristic or strategy.name == "depth_first":
        return
    result = ask(strategy, RING, place(1), min_depth=2)
    assert (result.status, result.limit, result.limit_value) == ("limit", "min_depth", 2)
    assert result.summary().startswith("min_depth=2 passed nearer answers by: not found (8 states,")
    assert result.notes == (
        "1 goal nearer than min_depth=2 was passed by; longer ways to it were not looked for",
    )
    with pytest.raises(SearchError, match=r"what it left out \(min_depth\) takes a new one"):
        result.resume()
    two = ask(strategy, RING, place(1) | place(3) | place(4), min_depth=2, solutions=None)
    assert (two.status, two.limit, len(two.paths)) == ("limit", "min_depth", 1)
    assert two.summary().startswith("2 steps; min_depth=2 passed nearer answers by (8 states")
    assert "2 goals nearer than min_depth=2 were passed by; longer ways to them" in two.notes[0]


@natively
def test_by_paths_longer_ways_to_goals_are_looked_for() -> None:
    found = search(RING, None, place(1), min_depth=2, distinct="paths")
    assert len(found.paths[0]) == 3


@natively
def test_a_goal_passed_by_may_have_a_way_of_min_depth_so_nothing_is_called_shortest() -> None:
    puzzle = plain((0, 1), (0, 2), (2, 1), (1, 3), (3, 4))
    result = search(puzzle, None, place(1) | place(4), min_depth=2)
    assert (result.status, len(result.paths[0]), result.optimal) == ("found", 3, False)
    by_path = search(puzzle, None, place(1) | place(4), min_depth=2, distinct="paths")
    assert (len(by_path.paths[0]), by_path.optimal) == (2, True)


STEPS = Puzzle(
    rule("one", take=[M], put=[(M + 1) % 37]),
    rule("twice", take=[M], put=[(M * 2) % 37]),
    rule("thrice", take=[M], put=[(M * 3 + 1) % 37]),
    start=[0],
    goal=contains(5),
)


def by(strategy: str, engine: str, **options: Any) -> Result:
    return search(STEPS, engine=engine, **helped(strategy, lowest(M % 3, M)), **options)


one_end = able([name for name, one in STRATEGIES.items() if not one.needs_inverse])


@one_end
def test_a_depth_below_what_was_seen_is_refused(strategy: str, engine: str) -> None:
    result = by(strategy, engine, goal=contains(99), max_depth=3)
    with pytest.raises(SearchError, match=r"the search has come to states 3 steps away") as told:
        result.resume(max_depth=1)
    assert str(told.value) == (
        ".resume(max_depth=1): the search has come to states 3 steps away already, and does not "
        "take that back. Give max_depth=3 or more, or None; or search anew with max_depth=1"
    )
    assert (told.value.max_depth, told.value.reached) == (1, 3)
    same = result.resume(max_depth=3)
    assert (same.status, same.limit, same.depth) == ("limit", "max_depth", 3)
    # stopped amid a level, states of the next have been seen
    halted = by(strategy, engine, goal=contains(99), max_states=12)
    if halted.status == "limit":
        with pytest.raises(SearchError, match=rf"has come to states {halted.depth + 1} step"):
            halted.resume(max_depth=halted.depth)
        assert halted.resume(max_depth=halted.depth + 1).status in ("limit", "exhausted")
