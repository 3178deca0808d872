"""Strategies that keep nothing but their path: what they hold and refuse."""

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
    forgetful,
    place,
)


@forgetful
def test_a_strategy_without_memory_holds_no_more_than_its_path(strategy: Strategy) -> None:
    for number, steps in ((4, 2), (5, 3)):
        result = ask(strategy, RING, place(number))
        assert result.path is not None
        assert (len(result.path), result.optimal) == (steps, True)
        assert result.states <= steps + 2
    everything = ask(strategy, RING, NOWHERE)
    assert everything.expanded > everything.states


@forgetful
def test_a_strategy_without_memory_refuses_what_asks_for_it(strategy: Strategy) -> None:
    with pytest.raises(SearchError, match=rf"min_depth=1: strategy='{strategy.name}' does not "
                       r"remember the states that it has seen, so it cannot tell cycles from ways "
                       r"already tried; use strategy='astar'"):  # fmt: skip
        ask(strategy, RING, place(0), min_depth=1)
    with pytest.raises(SearchError, match="minimize= looks at the whole space"):
        ask(strategy, RING, None, minimize=lowest(A, At(A)))
