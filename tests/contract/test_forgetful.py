"""Strategies that keep nothing but their path: what they find, count and refuse."""

import pytest

from rewrite.errors import SearchError
from rewrite.language.conditions import lowest
from rewrite.search.strategies import Strategy
from tests.contract.graphs import (
    NOWHERE,
    RING,
    A,
    At,
    ask,
    distances,
    forgetful,
    graph,
    place,
    random_graph,
)


@forgetful
@pytest.mark.parametrize("seed", range(8))
def test_the_cheapest_answer_is_found_or_none_is_proved(strategy: Strategy, seed: int) -> None:
    puzzle = graph(random_graph(seed, places=7, weights=5))
    known = distances(puzzle)
    for number in range(7):
        result = ask(strategy, puzzle, place(number))
        costs = [cost for state, (_, cost) in known.items() if state.count(At(number))]
        assert ([result.path.cost] if result.path else []) == costs
        assert result.optimal == bool(costs)
        if not costs:
            assert result.status == "exhausted"
            assert "no solution: all paths followed (the longest through " in result.summary()


@forgetful
def test_a_strategy_without_memory_holds_no_more_than_its_path(strategy: Strategy) -> None:
    for number, steps in ((4, 2), (5, 3)):
        result = ask(strategy, RING, place(number))
        assert (len(result.paths[0]), result.optimal) == (steps, True)
        assert result.states <= steps + 2
    everything = ask(strategy, RING, NOWHERE)
    assert everything.expanded > everything.states


@forgetful
def test_a_strategy_without_memory_finds_the_cheapest_within_max_depth(strategy: Strategy) -> None:
    puzzle = graph([(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 9), (1, 3, 5)])
    found = [ask(strategy, puzzle, place(3), max_depth=bound) for bound in (1, 2, 3)]
    assert [one.path.cost for one in found if one.path] == [9, 6, 3]
    nothing = ask(strategy, puzzle, place(3), max_depth=0)
    assert (nothing.status, nothing.limit) == ("limit", "max_depth")
    resumed = nothing.resume(max_depth=2)
    assert resumed.paths[0].cost == 6


@forgetful
def test_a_strategy_without_memory_refuses_what_asks_for_it(strategy: Strategy) -> None:
    with pytest.raises(SearchError, match=rf"min_depth=1: strategy='{strategy.name}' does not "
                       r"remember the states that it has seen, so it cannot tell cycles from ways "
                       r"already tried; use strategy='astar'"):  # fmt: skip
        ask(strategy, RING, place(0), min_depth=1)
    with pytest.raises(SearchError, match="minimize= looks at the whole space"):
        ask(strategy, RING, None, minimize=lowest(A, At(A)))
