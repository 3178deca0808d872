"""The search in Python: what it remembers, and how a strategy runs from pause to pause."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rewrite.budget import Budget, Stopped, growth, memory_in_use
from rewrite.compile.code.failure import EngineFailure
from rewrite.engine.counts import Code, Counts
from rewrite.engine.interface import Engine
from rewrite.language.checks import asks_terminal
from rewrite.language.order import term_key
from rewrite.language.states import State
from rewrite.search.drivers.interface import (
    Counted,
    Driver,
    GoalHit,
    StepResult,
    Watch,
    ended,
    overestimated,
)
from rewrite.search.estimates import Estimate, term_of
from rewrite.search.limits import Limits
from rewrite.search.question import Question
from rewrite.search.strategies import Strategy
from rewrite.search.strategies import __name__ as FOLDER

if TYPE_CHECKING:
    from rewrite.search.ends import Ends
    from rewrite.search.setup import Setup

T = TypeVar("T")
Pauses = Generator[Iterator[GoalHit] | None, None, T]
"""What a strategy does: pauses, sometimes with the goals it hit, and finally a result."""
NOTHING = nullcontext()
MOST_AT_ONCE = 1 << 14
"""Roughly the new states between two looks at the limits: some megabytes."""


class Record(Counted):
    """Shared by the driver and a strategy. `parents`: every state seen, in order of discovery.

    A strategy records states in `parents`, sizes of complete levels in `levels`, and in `blocked`
    the limit that keeps it from going on; the driver checks the other limits in each pause. Slow
    work goes through `step`, `grow` or `test`: a limit reached within a step repeats only that.
    """

    def __init__(
        self, asked: Question, engine: Engine, start: Code, limits: Limits,
        estimate: Estimate | None, ends: Ends | None,
    ) -> None:  # fmt: skip
        self.asked, self.engine, self.start, self.limits = asked, engine, start, limits
        self.heuristic, self.ends = estimate, ends
        self.looks_ahead = asked.goal is not None and asks_terminal(asked.goal)
        """Whether the goal tests successors, which must not be counted."""
        self.weight = asked.options["weight"]
        self.parents: dict[Code, Code] = {}
        self.costs: dict[Code, int] = {}
        self.tables: list[dict[Code, Any] | set[Code]] = []
        """Other tables over all states kept by a strategy."""
        self.announced = 0
        """Bytes that a strategy will allocate at once when it goes on."""
        self.levels = [1]
        self.blocked = ""
        self.untested: Sequence[Code] = ()
        self.good: list[bool] = []
        """Which of `untested` are goals, as far as they have been tested."""
        self._uncounted: dict[str, Counts] = {}
        if limits.min_depth == 0:
            self.parents[start] = start  # else the start may be reached again, through a cycle

    @property
    def states(self) -> int:
        return len(self.parents) + (self.start not in self.parents)

    def counts(self) -> dict[str, Counts]:
        return _without(self.engine.counts(), self._uncounted)

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """Leave out of `counts` what rules do meanwhile: a look-ahead that will be repeated."""
        counted = self.counts()
        try:
            yield
        finally:
            self._uncounted = _without(self.engine.counts(), counted)

    # -- steps -----------------------------------------------------------------------------
    def too_deep(self, depth: int) -> bool:
        most = self.limits.max_depth
        return most is not None and depth >= most

    def step(self, act: Callable[..., T], *args: Any) -> Pauses[T]:
        """Return the result of a step; if a limit stops it, pause and repeat it."""
        while True:
            try:
                return act(*args)
            except Stopped as stopped:
                self.blocked = stopped.why
            yield None

    def _parts(self, codes: Sequence[Code]) -> Iterable[Sequence[Code]]:
        return [[code] for code in codes] if self.engine.stops else [codes]

    def grow(self, codes: Sequence[Code], fresh: list[Code]) -> Pauses[None]:
        """Expand codes in order; record new successors in `parents` and `fresh`."""
        for some in self._parts(codes):
            yield from self.step(self.engine.grow, some, self.parents, fresh)

    def block(self, codes: Iterable[Code]) -> Pauses[bool]:
        """Block on `max_depth` if one of the codes has an unseen successor; else they are expanded.

        Returns whether to check again which codes are too deep.
        """
        listed, before, most = list(codes), self._uncounted, self.limits.max_depth
        for some in self._parts(listed):
            with self.uncounted():
                leads_on = yield from self.step(self._leads_on, some)
            if self.limits.max_depth != most:
                return True  # it was changed in a pause
            if leads_on:
                self.blocked = "max_depth"
                yield None
                return True
        self._uncounted = before
        self.expanded += len(listed)
        return False

    def _leads_on(self, codes: Iterable[Code]) -> bool:
        successors = map(self.engine.successors, codes)
        return any(successor not in self.parents for found in successors for successor in found)

    # -- goals -----------------------------------------------------------------------------
    def test(self, codes: Sequence[Code]) -> Iterator[GoalHit] | None:
        """Return the goals among states, the last ones seen so far, to be yielded in a pause."""
        self.untested, self.good = codes, []
        return self.go_on_testing()

    def go_on_testing(self) -> Iterator[GoalHit] | None:
        """Go on where a limit stopped `test`; the driver does so before it resumes the strategy."""
        codes, good, goal = self.untested, self.good, self.engine.goal
        if self.asked.goal is not None:
            try:
                with self.uncounted() if self.looks_ahead else NOTHING:
                    for code in codes[len(good) :]:
                        good.append(goal(code))
            except Stopped as stopped:
                self.blocked = stopped.why
                return None
        self.untested = ()
        if self.asked.minimize is not None:
            return self._hits(codes, good or [False] * len(codes))
        return self._hits(codes, good) if True in good else None

    def _hits(self, codes: Sequence[Code], good: list[bool]) -> Iterator[GoalHit]:
        """Yield the goals; with `minimize`, note the nearest of the others."""
        asked, limits = self.asked, self.limits
        # a start that cycles may lead back to was counted first, and not again
        again = bool(limits.min_depth) and self.start in self.parents and self.start in codes
        order = self.states - len(codes) + again
        for code, is_goal in zip(codes, good, strict=True):
            order += not (again and code == self.start)
            if not is_goal and asked.minimize is None:
                continue
            path = self.trail(code)
            if len(path) - 1 < limits.min_depth:
                self.too_near += len(path) > 1
                continue
            value = None if asked.minimize is None else term_of(self.engine.value(0, code))
            hit = GoalHit(path, max(order, 1), value)
            if is_goal:
                self._check_estimates(path)
                yield hit
            elif value is not None:
                nearest = self.nearest
                if nearest is None or term_key(value) < term_key(nearest.value):
                    self.nearest = hit

    def _check_estimates(self, codes: list[Code]) -> None:
        """Detect an overestimate on the path to an answer: then nothing is proved cheapest."""
        estimate = self.heuristic
        if estimate is None or self.overestimate or not self.costs:
            return  # without path costs there is nothing to compare with
        spent = [self.costs.get(code, 0) for code in codes]
        for code, cost in zip(codes, spent, strict=True):
            left = spent[-1] - cost
            if estimate(code) > left:
                self.overestimate = overestimated(self.engine.decode(code), estimate(code), left)
                return

    def trail(self, code: Code) -> list[Code]:
        """Return the codes from the start to `code`, following parents."""
        out = [code]
        if code == self.start and (self.limits.min_depth == 0 or code not in self.parents):
            return out
        while True:
            code = self.parents[code]
            out.append(code)
            if code == self.start:
                return out[::-1]

    # -- limits ----------------------------------------------------------------------------
    def batch_size(self) -> int:
        """Return how many states to expand before the next look at the limits, by counts only."""
        size = min(1024, max(16, self.expanded))
        size = min(size, max(1, MOST_AT_ONCE * (self.expanded + 1) // self.states))
        if self.limits.max_states is not None:
            size = min(size, max(1, (self.limits.max_states - self.states) // 8))
        return size

    def growth(self) -> int:
        more = 2 * self.batch_size() * self.states // (self.expanded + 1)
        return self.announced + growth((self.parents, self.costs, *self.tables), more)


class PythonDriver(Driver):
    record: Record

    def __init__(self, setup: Setup, limits: Limits) -> None:
        asked, engine, ends = setup.asked, setup.engine, setup.ends
        if (classes := setup.classes) is not None:
            engine = classes.reduced
            ends = ends and attrs.evolve(ends, inverse=classes.backwards(ends.inverse))
        elif setup.reduction is not None:
            engine = setup.reduction.reduced
            ends = ends and attrs.evolve(ends, inverse=engine.inverse)
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
                return self._result(limit)
            if watch.pauses(record.states):
                return self._result("paused")
        watch.report(record.states, record.depth, record.waiting, memory_in_use)
        record.blocked = ""
        self._go_on()
        if record.blocked and not self.started:
            raise Stopped(record.blocked)
        self.started = True
        return self._result(record.blocked)

    def _go_on(self) -> None:
        """Run the strategy to its next pause or to its end.

        If memory runs out, a generator of Python 3.11 may fail without an exception. `next` would
        take that for its end, and miss states silently.
        """
        try:
            record = self.record
            hits = record.go_on_testing() if record.untested else self.strategy.send(None)
            if hits is not None:
                self.hits = hits
        except StopIteration:
            self.ended = True
        except SystemError as lost:
            raise MemoryError from lost

    def _result(self, why: str = "", goals: tuple[GoalHit, ...] = ()) -> StepResult:
        return StepResult(*ended(why), goals)

    def end(self) -> None:
        self.ended, self.hits = True, iter(())

    # -- successors and failures -----------------------------------------------------------
    def expand(self, code: Code) -> list[Code]:
        with self.record.uncounted():
            return super().expand(code)

    def failed_in(self, failure: Exception) -> Iterator[State]:
        """Yield the states in which something fails, unexpanded ones first."""
        record, seen = self.record, list(self.record.parents)
        for code in (*seen[record.expanded :], record.start, *seen[: record.expanded]):
            if self._fails(code):
                yield self.decode(code)

    def _fails(self, code: Code) -> bool:
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


def _without(counts: dict[str, Counts], others: dict[str, Counts]) -> dict[str, Counts]:
    return {name: count - others.get(name, Counts()) for name, count in counts.items()}
