"""The registry of strategies: one file each, one line here, with the facts about each as data.

A strategy is loaded when it begins: imports are kept short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from rewrite.search.record import Record

Run = Callable[["Record"], Iterator[list[Any]]]
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


def _later(name: str, module: str = "") -> Run:
    """Return the strategy of this name; `module` is where it is, by default one of that name."""

    def run(record: Record) -> Iterator[list[Any]]:
        found: Run = getattr(import_module(f"{__name__}.{module or name}"), name)
        return found(record)

    return run


STRATEGIES = {
    strategy.name: strategy
    for strategy in (
        Strategy(
            "breadth_first", _later("breadth_first"), shortest=True, cheapest=False, complete=True
        ),
        Strategy(
            "bidirectional",
            _later("bidirectional"),
            True,
            True,
            True,
            keeps_cheapest=True,
            needs_inverse=True,
        ),
        Strategy(
            "uniform_cost",
            _later("uniform_cost", "best_first"),
            False,
            True,
            True,
            keeps_cheapest=True,
        ),
        Strategy(
            "astar",
            _later("astar", "best_first"),
            False,
            True,
            True,
            needs_heuristic=True,
            keeps_cheapest=True,
        ),
        Strategy(
            "greedy",
            _later("greedy", "best_first"),
            False,
            False,
            True,
            needs_heuristic=True,
            keeps_cheapest=True,
        ),
        Strategy("beam", _later("beam"), False, False, False, needs_heuristic=True),
        Strategy("depth_first", _later("depth_first"), False, False, True, random=True),
        Strategy("iterative_deepening", _later("iterative_deepening"), True, False, True),
        Strategy("idastar", _later("idastar"), False, True, True, True, remembers=False),
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
