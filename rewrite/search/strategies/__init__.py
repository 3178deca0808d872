"""The registry of strategies: one file each, one line here, with the facts about each as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from rewrite.search.record import Record
from rewrite.search.strategies.beam import beam
from rewrite.search.strategies.best_first import astar, greedy, uniform_cost
from rewrite.search.strategies.bidirectional import bidirectional
from rewrite.search.strategies.breadth_first import breadth_first
from rewrite.search.strategies.depth_first import depth_first
from rewrite.search.strategies.idastar import idastar
from rewrite.search.strategies.iterative_deepening import iterative_deepening

Run = Callable[[Record], Iterator[list[Any]]]
"""Yields batches of states to be tested for the goal, in order; ends when nothing is left."""


@frozen
class Strategy:
    """A strategy with what it promises."""

    name: str
    run: Run
    shortest: bool
    """The first answer has the fewest steps."""
    cheapest: bool
    """The first answer has the lowest cost (with a heuristic that never overestimates)."""
    complete: bool
    """Ends with every reachable state seen, if there is no answer and the space is finite."""
    needs_heuristic: bool = False
    keeps_cheapest: bool = False
    """Goes by cost, so that it cannot tell whether a state has a way of few steps."""
    random: bool = False
    """Understands `seed`."""
    needs_inverse: bool = False
    """Runs rules backwards, and has to know all goal states."""
    remembers: bool = True
    """Keeps the states it has seen; else only its path: it counts the states of the longest one."""


STRATEGIES = {
    strategy.name: strategy
    for strategy in (
        Strategy("breadth_first", breadth_first, shortest=True, cheapest=False, complete=True),
        Strategy(
            "bidirectional",
            bidirectional,
            True,
            True,
            True,
            keeps_cheapest=True,
            needs_inverse=True,
        ),
        Strategy("uniform_cost", uniform_cost, False, True, True, keeps_cheapest=True),
        Strategy("astar", astar, False, True, True, needs_heuristic=True, keeps_cheapest=True),
        Strategy("greedy", greedy, False, False, True, needs_heuristic=True, keeps_cheapest=True),
        Strategy("beam", beam, False, False, False, needs_heuristic=True),
        Strategy("depth_first", depth_first, False, False, True, random=True),
        Strategy("iterative_deepening", iterative_deepening, True, False, True),
        Strategy("idastar", idastar, False, True, True, True, remembers=False),
    )
}


def comparable(with_heuristic: bool) -> list[str]:
    """Return the names of the strategies that can be asked of every puzzle and goal.

    with_heuristic   those that need one too
    """
    return [
        entry.name
        for entry in STRATEGIES.values()
        if not entry.needs_inverse and (with_heuristic or not entry.needs_heuristic)
    ]
