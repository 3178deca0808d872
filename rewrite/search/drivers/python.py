"""The search in Python: batches of states from a strategy, tested for the goal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rewrite.budget import Budget, Stopped, memory_in_use
from rewrite.code.failure import EngineFailure
from rewrite.engine.counts import Code
from rewrite.language.order import term_key
from rewrite.language.states import State
from rewrite.search.drivers.interface import GoalHit, StepResult, Watch, overestimated
from rewrite.search.drivers.record import Record
from rewrite.search.estimates import term_of
from rewrite.search.limits import Limits
from rewrite.search.strategies import Strategy
from rewrite.search.strategies import __name__ as FOLDER

if TYPE_CHECKING:
    from rewrite.search.setup import Setup


class PythonDriver:
    """Everything that all strategies share: goals, limits, progress.

    looks_ahead   whether the goal tests successors, which must not be counted
    values        how many expressions the engine's task has
    """

    def __init__(self, setup: Setup, limits: Limits, looks_ahead: bool, values: int) -> None:
        asked, engine, ends = setup.asked, setup.engine, setup.ends
        if setup.classes is not None:
            engine = setup.classes.reduced
            ends = ends and setup.classes.backwards(ends)
        elif setup.reduction is not None:
            engine = setup.reduction.reduced
            ends = ends and evolve(ends, inverse=engine.inverse)
        self.asked, self.engine, self.values = asked, engine, values
        self.name = engine.name
        record = self.record = Record(engine, setup.start, limits)
        record.ends = ends
        record.weight = asked.options["weight"]
        record.heuristic, record.looks_ahead = setup.estimate, looks_ahead
        self.batches = function_of(asked.strategy)(record)
        self.batch: list[Code] = []
        """The last batch of the strategy; the first `tested` states were tested for the goal."""
        self.tested = 0
        self.queue: deque[tuple[int, Code, bool]] = deque()
        self.started = self.ended = False
        self.nearest: GoalHit | None = None
        self.too_near = 0
        self.overestimate = ""

    def step(self, more: int | None, watch: Watch) -> StepResult:
        """Return the next goal of the last batch, or take the next batch."""
        record = self.record
        record.limits = watch.limits
        while self.queue:
            found = self._test()
            if found is not None:
                return self._told(goals=(found,))
        if self.ended:
            return self._told("exhausted")
        if self.started:  # the start is tested under any limit
            if limit := _reached(record, watch.limits, watch.budget):
                return self._stopped(limit)
            if watch.pauses(record.states):
                return self._told("paused")
        watch.report(record.states, record.depth, record.waiting, memory_in_use)
        record.blocked = None
        if self.tested == len(self.batch):
            self.batch, self.tested = self._next_batch(), 0
        try:
            self._find_goals()
        except Stopped as stopped:
            record.blocked = stopped.why
        if record.blocked and not self.started:
            raise Stopped(record.blocked)
        self.started = True
        return self._stopped(record.blocked or "")

    def _next_batch(self) -> list[Code]:
        """Return the next batch of the strategy; empty if it has ended.

        If memory runs out, a generator of Python 3.11 may fail without an exception. `next` would
        take that for its end, and miss states silently.
        """
        try:
            batch: list[Code] = self.batches.send(None)
        except StopIteration:
            self.ended = True
            return []
        except SystemError as lost:
            raise MemoryError from lost
        return batch

    def _stopped(self, why: str) -> StepResult:
        return self._told(why) if why in ("", "interrupted") else self._told("limit", why)

    def _told(self, why: str = "", limit: str = "", goals: tuple[GoalHit, ...] = ()) -> StepResult:
        return StepResult(why, limit, goals, self.nearest, self.too_near, self.overestimate)

    def decode(self, code: Code) -> State:
        """Return the state of a code."""
        return self.engine.decode(code)

    def plain(self, code: Code) -> Code:
        """Return the code."""
        return code

    savable = None
    """Only searches of the core are saved."""

    def end(self) -> None:
        """End here; what exists counts as processed."""
        self.ended = True
        self.queue.clear()
        self.batch, self.tested = [], 0

    # -- goals -----------------------------------------------------------------------------
    def _find_goals(self) -> None:
        """Queue the states of the batch to process: order, code, and whether it is a goal.

        With `minimize`, these are all. Raises Stopped; states tested by then stay tested.
        """
        asked, record, batch = self.asked, self.record, self.batch
        if not batch or (asked.goal is None and asked.minimize is None):
            self.tested = len(batch)
            return
        goal = self.engine.goal if asked.goal is not None else None
        known_start = bool(record.limits.min_depth) and record.start in record.parents
        order = record.states - len(batch) + (known_start and record.start in batch)
        with record.uncounted() if record.looks_ahead else nullcontext():
            for at, code in enumerate(batch):
                order += not (known_start and code == record.start)
                if at < self.tested:
                    continue
                good = goal is not None and goal(_state_code(code))
                self.tested += 1
                if good or asked.minimize is not None:
                    self.queue.append((max(order, 1), code, good))

    def _test(self) -> GoalHit | None:
        """Return the next in the queue if it is a goal; else check whether it is the nearest."""
        order, code, good = self.queue.popleft()
        record = self.record
        codes = code.codes() if hasattr(code, "codes") else record.trail(code)
        if len(codes) - 1 < record.limits.min_depth:
            self.too_near += len(codes) > 1
            return None
        value = None if self.asked.minimize is None else term_of(self.engine.value(0, codes[-1]))
        if good:
            self._check_estimates(codes)
            return GoalHit(codes, order, value)
        if value is not None and (
            self.nearest is None or term_key(value) < term_key(self.nearest.value)
        ):
            self.nearest = GoalHit(codes, order, value)
        return None

    def _check_estimates(self, codes: list[Code]) -> None:
        """Detect an overestimate on the path to an answer: then nothing is proved cheapest."""
        record, estimate = self.record, self.record.heuristic
        if estimate is None or self.overestimate or not record.costs:
            return  # without path costs there is nothing to compare with
        spent = [record.costs.get(code, 0) for code in codes]
        for code, cost in zip(codes, spent, strict=True):
            left = spent[-1] - cost
            if estimate(code) > left:
                self.overestimate = overestimated(self.decode(code), estimate(code), left)
                return

    # -- successors and failures -----------------------------------------------------------
    def expand(self, code: Code) -> list[Code]:
        """Return the distinct successors of a code, without counting. May raise NeedsCapacity."""
        with self.record.uncounted():
            return list(dict.fromkeys(self.engine.successors(code)))

    def failed_in(self, failure: Exception) -> Iterator[State]:
        """Yield the states in which something fails, unexpanded ones first."""
        record, seen = self.record, list(self.record.parents)
        for code in (*seen[record.expanded :], record.start, *seen[: record.expanded]):
            if self.fails(code):
                yield self.decode(code)

    def fails(self, code: Code) -> bool:
        """Whether the engine fails in a state: its goal, values, or successors."""
        try:
            self.engine.goal(code)
            for index in range(self.values):
                self.engine.value(index, code)
            self.engine.weighted(code)
        except EngineFailure:
            return True
        return False


def function_of(strategy: Strategy) -> Callable[[Record], Generator[list[Any], None, None]]:
    """Return the function that yields batches of states to be tested for the goal, in order.

    A strategy is loaded when the first search needs it, to keep imports fast.
    """
    file, _, name = (strategy.function or f"{strategy.name}:{strategy.name}").partition(":")
    function: Callable[[Record], Generator[list[Any], None, None]]
    function = getattr(import_module(f"{FOLDER}.{file}"), name)
    return function


def _reached(record: Record, limits: Limits, budget: Budget) -> str:
    if limits.max_states is not None and record.states >= limits.max_states:
        return "max_states"
    if budget.late():
        return "max_seconds"
    if limits.max_memory is not None and budget.full(record.growth()):
        return "max_memory"
    return "interrupted" if budget.asked else ""


def _state_code(code: Any) -> Code:
    return code.code if hasattr(code, "codes") else code
