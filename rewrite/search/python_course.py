"""The course of a search in Python: batches of states from a strategy, tested for the goal."""

from __future__ import annotations

import random
import weakref
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from rewrite.budget import Budget, memory_in_use
from rewrite.engine.interface import Code, Engine
from rewrite.engine.runtime import EngineFailure
from rewrite.errors import RewriteError
from rewrite.language.order import term_key
from rewrite.search.course import NEXT_PROGRESS, Answer, Progress, overestimated
from rewrite.search.estimates import term_of
from rewrite.search.record import Heuristic, Record
from rewrite.search.strategies.all_paths import all_paths

if TYPE_CHECKING:
    from rewrite.search.ends import Ends
    from rewrite.search.run import Run


class PythonCourse:
    """Everything that all strategies share: goals, answers, limits, progress."""

    def __init__(
        self, run: Run, engine: Engine, start: Code, estimate: Heuristic | None, ends: Ends | None
    ) -> None:
        self.run: Run = weakref.proxy(run)  # no circle: states are freed with the last result
        self.asked, self.engine = run.asked, engine
        record = self.record = Record(engine, start, run.limits)
        record.ends = ends
        record.width, record.weight = self.asked.width, self.asked.weight
        record.heuristic, record.looks_ahead = estimate, run.looks_ahead
        record.random = random.Random(self.asked.seed) if self.asked.seed is not None else None
        strategy = all_paths if self.asked.by_paths else self.asked.strategy.run
        self.batches = strategy(record)
        self.queue: list[tuple[int, Code, bool]] = []
        self.started = self.ended = False

    def turn(self, wanted: int | None, budget: Budget) -> str:
        """Look at the goals of the last batch and take the next one; return why to stop, or ""."""
        run, record = self.run, self.record
        record.limits = run.limits
        while True:
            if wanted is not None and len(run.answers) >= wanted:
                return "found"
            if not self.queue:
                break
            self._test()
        if self.ended:
            return "exhausted"
        if self.started:  # the start is looked at under any limit
            run.limit = self._reached(budget)
            if run.limit:
                return "limit"
            if budget.asked:
                return "interrupted"
            if run.pause(record.states):
                return "paused"
        now = budget.seconds
        if self.asked.progress is not None and now >= run.shown:
            run.shown = now + NEXT_PROGRESS
            self.asked.progress(
                Progress(record.states, record.depth, record.waiting, now, memory_in_use())
            )
        record.blocked = None
        batch = next(self.batches, None)
        self.started = True
        if batch is None:
            self.ended = True
        else:
            self.queue = self._goals(batch)
        run.limit = record.blocked or ""
        return "limit" if run.limit else ""

    def plain(self, code: Code) -> Code:
        """Return a code as the Python engine has it."""
        return code

    def out_of_memory(self) -> None:
        """End here: what there is has been looked at."""
        self.ended = True
        self.queue.clear()

    def _reached(self, budget: Budget) -> str:
        limits, record = self.run.limits, self.record
        if limits.max_states is not None and record.states >= limits.max_states:
            return "max_states"
        if budget.late():
            return "max_seconds"
        return "max_memory" if budget.full() else ""

    # -- goals -----------------------------------------------------------------------------
    def _goals(self, batch: list[Code]) -> list[tuple[int, Code, bool]]:
        """Return what of a batch is to be looked at, last first: its place, itself, is it a goal.

        With `minimize` that is everything.
        """
        asked, record = self.asked, self.record
        if not batch or (asked.goal is None and asked.minimize is None):
            return []
        goal = self.engine.goal if asked.goal is not None else None
        known_start = bool(record.limits.min_depth) and record.start in record.parents
        order = record.states - len(batch) + (known_start and record.start in batch)
        found = []
        with record.uncounted() if self.run.looks_ahead else nullcontext():
            for code in batch:
                order += not (known_start and code == record.start)
                good = goal is not None and goal(_state_code(code))
                if good or asked.minimize is not None:
                    found.append((max(order, 1), code, good))
        return found[::-1]

    def _test(self) -> None:
        """Turn the next goal state into answers."""
        order, code, good = self.queue.pop()
        run, record, asked = self.run, self.record, self.asked
        codes = code.codes() if hasattr(code, "codes") else record.trail(code)
        if len(codes) - 1 < run.limits.min_depth:
            run.too_near += len(codes) > 1
            return
        value = None if asked.minimize is None else term_of(self.engine.value(0, codes[-1]))
        if good:
            self._check_estimates(codes)
            run.answer(codes, order, value)
        elif value is not None and (
            run.nearest is None or term_key(value) < term_key(run.nearest.value)
        ):
            run.nearest = Answer(codes, {}, order, value)

    def _check_estimates(self, codes: list[Code]) -> None:
        """Find out an overestimate on the way to an answer: then nothing is proved cheapest."""
        record, estimate = self.record, self.record.heuristic
        if estimate is None or self.run.overestimate or not record.costs:
            return  # without the costs of the ways there is nothing to compare estimates with
        spent = [record.costs.get(code, 0) for code in codes]
        for code, cost in zip(codes, spent, strict=True):
            left = spent[-1] - cost
            if estimate(code) > left:
                self.run.overestimate = overestimated(
                    self.engine.decode(code), estimate(code), left
                )
                return

    # -- looking on, and what failed -------------------------------------------------------
    def expand(self, code: Code) -> list[Code]:
        """Return the different successors of a code, without counting. May raise NewHead."""
        try:
            with self.record.uncounted():
                return list(dict.fromkeys(self.engine.successors(code)))
        except EngineFailure as failure:
            raise self.explained(failure, code)  # noqa: B904 (its cause is the person's exception)

    def explained(self, failure: Exception, *codes: Code) -> RewriteError:
        """Return the error that the definition gives for what failed in the engine.

        Looks for the state in which it failed among `codes`, else among all seen: first those that
        were not expanded yet.
        """
        record, seen = self.record, list(self.record.parents)
        for code in codes or (*seen[record.expanded :], record.start, *seen[: record.expanded]):
            try:
                self._try(code)
            except EngineFailure:
                error = self.run.judged(self.engine.decode(code))
                if error is not None:
                    return error
        return self.run.bug(failure)

    def _try(self, code: Code) -> Any:
        """Do everything with a state that may fail in the engine."""
        self.engine.goal(code)
        for index in range(len(self.run.values)):
            self.engine.value(index, code)
        self.engine.weighted(code)


def _state_code(code: Any) -> Code:
    return code.code if hasattr(code, "codes") else code
