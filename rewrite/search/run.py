"""The one search loop: it takes batches of states from a strategy and tests them for the goal.

Everything that all strategies share is here: goals, answers, limits, progress, interrupts, errors.
The loop can be left and entered again, which is how `.resume(...)` and lazy `solutions(...)` work.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from typing import Any

from attrs import define, frozen

from rewrite.compiler.groups import NewHead
from rewrite.compiler.interning import Head
from rewrite.engine.build import build
from rewrite.engine.interface import Code, Engine, Task
from rewrite.engine.runtime import EngineFailure
from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.evaluation import NoValue
from rewrite.language.expressions import Expression
from rewrite.language.order import term_key
from rewrite.language.rules import asks_terminal
from rewrite.language.states import State
from rewrite.outcome.path import Path
from rewrite.search.estimates import estimator, term_of
from rewrite.search.interrupt import Interrupts
from rewrite.search.limits import Limits, memory_in_use
from rewrite.search.question import Question
from rewrite.search.record import Record
from rewrite.search.strategies.all_paths import all_paths

FIRST_PROGRESS, NEXT_PROGRESS = 1.0, 0.25


@frozen
class Progress:
    """A look at a running search: states seen, depth, states waiting, seconds, bytes in use."""

    states: int
    depth: int
    waiting: int
    seconds: float
    memory: int

    @property
    def rate(self) -> float:
        """States a second."""
        return self.states / self.seconds if self.seconds else 0.0


@define
class Answer:
    """A goal that was found: the codes that lead to it and the bindings of the goal's match."""

    codes: list[Code]
    bindings: dict[str, Any]
    order: int
    """How many states had been seen when it was found, itself included."""
    value: Any = None


class Run:
    """A search under way. `advance` goes on until something ends or stops it."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.limits = asked.limits
        self.seconds = 0.0
        self.memory = 0
        self.heads: tuple[Head, ...] = ()
        self.answers: list[Answer] = []
        self.warned = False
        self.looks_ahead = asked.goal is not None and asks_terminal(asked.goal)
        self._shown = FIRST_PROGRESS
        self.status, self.limit = "", ""
        self._begin()

    def grow(self, head: Head) -> None:
        """Begin again with an engine that has room for terms of another type, or wider slots."""
        self._room_for(head)
        self._begin()

    def _room_for(self, head: Head) -> None:
        if head in self.heads:
            raise RewriteError(
                f"{self.asked.puzzle.name}: the engine asked twice for {head}. This is a bug in "
                "rewrite; please report it with the puzzle"
            )
        self.heads = (*self.heads, head)

    def _begin(self) -> None:
        """Build the engine and start the strategy; called again when the engine has to grow."""
        while True:
            try:
                self._build()
                return
            except NewHead as new:
                self._room_for(new.head)

    def _build(self) -> None:
        asked = self.asked
        values = tuple(v for v in (asked.minimize, asked.heuristic) if isinstance(v, Expression))
        self.values = values
        task = Task(asked.puzzle, asked.start, asked.goal, values)
        self.engine: Engine = build(task, self.heads)
        start = self.engine.encode(asked.start)
        self.record = Record(self.engine, start, self.limits)
        self.record.width, self.record.weight = asked.width, asked.weight
        self.record.random = random.Random(asked.seed) if asked.seed is not None else None
        if asked.heuristic is not None:
            self.record.heuristic = estimator(asked.heuristic, self.engine, len(values) - 1)
        run = all_paths if asked.distinct == "paths" else asked.strategy.run
        self.batches = run(self.record)
        self.answers.clear()
        self.nearest: Answer | None = None
        self.queue: list[tuple[int, Code, bool]] = []
        self.started = self.ended = False
        self.too_near = 0
        self.overestimate = ""
        self.out_of_memory = False

    # -- the loop --------------------------------------------------------------------------
    def advance(self, wanted: int | None, limits: Limits) -> str:
        """Go on until `wanted` answers are there, or the search ends or is stopped; return why.

        Returns "found", "exhausted", "limit" (see `.limit`) or "interrupted".
        """
        self.limits = self.record.limits = limits
        self.limit, began, before = "", time.perf_counter(), self.seconds
        collecting = gc.isenabled()
        memory = memory_in_use() - self.memory
        self._shown = before + FIRST_PROGRESS
        gc.disable()  # states are tuples without cycles; collecting them doubles the time
        try:
            with Interrupts() as interrupts:
                self.status = self._loop(wanted, interrupts, began - before, memory)
        finally:
            if collecting:
                # states count as old at once: the next collection of young objects skips them
                gc.freeze()
                gc.unfreeze()
                gc.enable()
            self.seconds = before + time.perf_counter() - began
            self.memory = max(0, memory_in_use() - memory)
        return self.status

    def _loop(self, wanted: int | None, interrupts: Interrupts, began: float, memory: int) -> str:
        while True:
            try:
                why = self._turn(wanted, interrupts, began, memory)
            except NewHead as new:
                self.grow(new.head)
            except MemoryError:
                self.out_of_memory = self.ended = True
                self.queue.clear()
                return "exhausted"  # of what there was: the result says that it is no proof
            except EngineFailure as failure:
                raise self.explained(failure)  # noqa: B904 (its cause is the person's exception)
            else:
                if why:
                    return why

    def _turn(self, wanted: int | None, interrupts: Interrupts, began: float, memory: int) -> str:
        """Look at the goals of the last batch and take the next one; return why to stop, or ""."""
        record = self.record
        while True:
            if wanted is not None and len(self.answers) >= wanted:
                return "found"
            if not self.queue:
                break
            self._test()
        if self.ended:
            return "exhausted"
        if self.started:  # the start is looked at under any limit
            self.limit = self._reached(began, memory)
            if self.limit:
                return "limit"
            if interrupts.asked:
                return "interrupted"
        now = time.perf_counter() - began
        if self.asked.progress is not None and now >= self._shown:
            self._shown = now + NEXT_PROGRESS
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
        self.limit = record.blocked or ""
        return "limit" if self.limit else ""

    def _reached(self, began: float, memory: int) -> str:
        limits, record = self.limits, self.record
        if limits.max_states is not None and record.states >= limits.max_states:
            return "max_states"
        if limits.max_seconds is not None and time.perf_counter() - began >= limits.max_seconds:
            return "max_seconds"
        if limits.max_memory is not None and memory_in_use() - memory >= limits.max_memory:
            return "max_memory"
        return ""

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
        with record.uncounted() if self.looks_ahead else nullcontext():
            for code in batch:
                order += not (known_start and code == record.start)
                good = goal is not None and goal(_state_code(code))
                if good or asked.minimize is not None:
                    found.append((max(order, 1), code, good))
        return found[::-1]

    def _test(self) -> None:
        """Turn the next goal state into answers."""
        order, code, good = self.queue.pop()
        record, asked = self.record, self.asked
        codes = code.codes() if hasattr(code, "codes") else record.trail(code)
        if len(codes) - 1 < self.limits.min_depth:
            self.too_near += len(codes) > 1
            return
        value = None if asked.minimize is None else term_of(self.engine.value(0, codes[-1]))
        if good:
            self._check_estimates(codes)
            for bindings in self._bindings(codes[-1]):
                self.answers.append(Answer(codes, bindings, order, value))
        elif value is not None and (
            self.nearest is None or term_key(value) < term_key(self.nearest.value)
        ):
            self.nearest = Answer(codes, {}, order, value)

    def _check_estimates(self, codes: list[Code]) -> None:
        """Find out an overestimate on the way to an answer: then nothing is proved cheapest."""
        record, estimate = self.record, self.record.heuristic
        if estimate is None or self.overestimate:
            return
        spent = [record.costs.get(code, 0) for code in codes]
        for code, cost in zip(codes, spent, strict=True):
            left = spent[-1] - cost
            if estimate(code) > left:
                self.overestimate = (
                    f"the heuristic overestimates: it gives {estimate(code)} in state "
                    f"{self.engine.decode(code)}, from where a way to a goal costs {left}; so the "
                    "first answer need not be the cheapest"
                )
                return

    def _bindings(self, code: Code) -> Iterator[dict[str, Any]]:
        """Yield the different bindings of the goal in a state, found by the definition."""
        if not self.asked.binds or self.asked.goal is None:
            yield {}
            return
        state, seen = self.engine.decode(code), set()
        world = meaning.world_of(self.asked.puzzle, state)
        for env in meaning.bindings(world, self.asked.goal):
            found = {variable.name: value for variable, value in env.items()}
            key = tuple((name, term_key(value)) for name, value in found.items())
            if key not in seen:
                seen.add(key)
                yield found

    def path(self, answer: Answer) -> Path:
        """Return the path of an answer; its states are decoded when first asked for."""
        decode, codes = self.engine.decode, answer.codes

        def states() -> list[State]:
            return [decode(code) for code in codes]

        return Path(self.asked.puzzle, states, answer.bindings)

    # -- errors ----------------------------------------------------------------------------
    def expand(self, code: Code) -> list[Code]:
        """Return the different successors of a code, without counting. May raise NewHead."""
        try:
            with self.record.uncounted():
                return list(dict.fromkeys(self.engine.successors(code)))
        except EngineFailure as failure:
            raise self.explained(failure, code)  # noqa: B904 (its cause is the person's exception)

    def explained(self, failure: EngineFailure, *codes: Code) -> RewriteError:
        """Return the error that the definition gives for what failed in the engine.

        Looks for the state in which it failed among `codes`, else among all seen: first those that
        were not expanded yet.
        """
        record, seen = self.record, list(self.record.parents)
        for code in codes or (*seen[record.expanded :], record.start, *seen[: record.expanded]):
            try:
                self._try(code)
            except EngineFailure:
                try:
                    self._judge(self.engine.decode(code))
                except RewriteError as error:
                    return error
        bug = RewriteError(
            f"{self.asked.puzzle.name}: the engine failed where the definition of the rules does "
            f"not: {failure}. This is a bug in rewrite, or a function that does not always do the "
            "same; please report it with the puzzle"
        )
        bug.__cause__ = failure
        return bug

    def _try(self, code: Code) -> None:
        """Do everything with a state that may fail in the engine."""
        self.engine.goal(code)
        for index in range(len(self.values)):
            self.engine.value(index, code)
        self.engine.weighted(code)

    def _judge(self, state: State) -> None:
        """The same by the definition."""
        puzzle, goal = self.asked.puzzle, self.asked.goal
        if goal is not None:
            meaning.is_goal(puzzle, state, goal)
        for value in self.values:
            with suppress(NoValue):
                meaning.value_of(puzzle, value, state)
        meaning.successors(puzzle, state)


def _state_code(code: Any) -> Code:
    return code.code if hasattr(code, "codes") else code
