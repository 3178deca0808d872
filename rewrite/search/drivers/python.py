"""The search in Python: a strategy runs from pause to pause, and limits are checked in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from attrs import evolve

from rewrite.budget import Budget, Stopped, memory_in_use
from rewrite.code.failure import EngineFailure
from rewrite.engine.counts import Code
from rewrite.language.states import State
from rewrite.search.drivers.interface import Driver, GoalHit, StepResult, Watch
from rewrite.search.drivers.record import Pauses, Record
from rewrite.search.limits import Limits
from rewrite.search.strategies import Strategy
from rewrite.search.strategies import __name__ as FOLDER

if TYPE_CHECKING:
    from rewrite.search.setup import Setup


class PythonDriver(Driver):
    """Runs a strategy of the Python engine."""

    record: Record

    def __init__(self, setup: Setup, limits: Limits) -> None:
        asked, engine, ends = setup.asked, setup.engine, setup.ends
        if (classes := setup.classes) is not None:
            engine = classes.reduced
            ends = ends and evolve(ends, inverse=classes.backwards(ends.inverse))
        elif setup.reduction is not None:
            engine = setup.reduction.reduced
            ends = ends and evolve(ends, inverse=engine.inverse)
        self.engine, self.name = engine, engine.name
        self.record = Record(asked, engine, setup.start, limits, setup.estimate, ends)
        self.strategy = function_of(asked.strategy)(self.record)
        self.hits: Iterator[GoalHit] = iter(())
        """The goals of the last pause that were not yet reported."""
        self.started = False

    def step(self, more: int | None, watch: Watch) -> StepResult:
        """Return the next goal, or go on to the next pause."""
        record = self.record
        record.limits = watch.limits
        for hit in self.hits:
            return self._result(goals=(hit,))
        if self.ended:
            return self._result("exhausted")
        if self.started:  # the start is tested under any limit
            if limit := _reached(record, watch.limits, watch.budget):
                return self._stopped(limit)
            if watch.pauses(record.states):
                return self._result("paused")
        watch.report(record.states, record.depth, record.waiting, memory_in_use)
        record.blocked = ""
        self._go_on()
        if record.blocked and not self.started:
            raise Stopped(record.blocked)
        self.started = True
        return self._stopped(record.blocked)

    def _go_on(self) -> None:
        """Run the strategy to its next pause or to its end.

        If memory runs out, a generator of Python 3.11 may fail without an exception. `next` would
        take that for its end, and miss states silently.
        """
        try:
            self.hits = self.strategy.send(None) or iter(())
        except StopIteration:
            self.ended = True
        except SystemError as lost:
            raise MemoryError from lost

    def _stopped(self, why: str) -> StepResult:
        return self._result(why) if why in ("", "interrupted") else self._result("limit", why)

    def _result(
        self, why: str = "", limit: str = "", goals: tuple[GoalHit, ...] = ()
    ) -> StepResult:
        one = self.record
        return StepResult(why, limit, goals, one.nearest, one.too_near, one.overestimate)

    def end(self) -> None:
        self.ended, self.hits = True, iter(())

    # -- successors and failures -----------------------------------------------------------
    def expand(self, code: Code) -> list[Code]:
        with self.record.uncounted():
            return list(dict.fromkeys(self.engine.successors(code)))

    def failed_in(self, failure: Exception) -> Iterator[State]:
        """Yield the states in which something fails, unexpanded ones first."""
        record, seen = self.record, list(self.record.parents)
        for code in (*seen[record.expanded :], record.start, *seen[: record.expanded]):
            if self._fails(code):
                yield self.decode(code)

    def _fails(self, code: Code) -> bool:
        """Whether the engine fails in a state: its goal, values, or successors."""
        try:
            self.engine.goal(code)
            for index in range(len(self.record.asked.values)):
                self.engine.value(index, code)
            self.engine.weighted(code)
        except EngineFailure:
            return True
        return False


def function_of(strategy: Strategy) -> Callable[[Record], Pauses[None]]:
    """Return the function that searches; it is loaded on first use, to keep imports fast."""
    file, _, name = (strategy.function or f"{strategy.name}:{strategy.name}").partition(":")
    function: Callable[[Record], Pauses[None]] = getattr(import_module(f"{FOLDER}.{file}"), name)
    return function


def _reached(record: Record, limits: Limits, budget: Budget) -> str:
    if limits.max_states is not None and record.states >= limits.max_states:
        return "max_states"
    if budget.late():
        return "max_seconds"
    if limits.max_memory is not None and budget.full(record.growth()):
        return "max_memory"
    return "interrupted" if budget.asked else ""
