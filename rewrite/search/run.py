"""The one search loop: it asks a course to go on until there are answers enough, or an end.

What both engines share is here: answers with their bindings, beginning again with another encoding
or engine, interrupts, errors. The loop can be left and entered again, which is how `.resume(...)`
and lazy `solutions(...)` work.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rewrite.compiler.groups import NewHead
from rewrite.compiler.interning import Ctor, Head
from rewrite.engine.build import build
from rewrite.engine.interface import Code, Task
from rewrite.engine.runtime import EngineFailure
from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.evaluation import NoValue
from rewrite.language.expressions import Expression
from rewrite.language.order import term_key
from rewrite.language.rules import asks_terminal
from rewrite.language.states import State
from rewrite.native.trouble import Failed, NewCtor, Unlowered, Unsupported
from rewrite.outcome.path import Path
from rewrite.search.course import FIRST_PROGRESS, Answer, Stretch
from rewrite.search.estimates import estimator
from rewrite.search.heuristics import FromRules, made
from rewrite.search.interrupt import Interrupts
from rewrite.search.limits import Limits, memory_in_use
from rewrite.search.python_course import PythonCourse
from rewrite.search.question import Question
from rewrite.search.record import Record

if TYPE_CHECKING:
    from rewrite.search.core_course import CoreCourse, CoreRecord


class Run:
    """A search under way. `advance` goes on until something ends or stops it."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.limits = asked.limits
        self.seconds = 0.0
        self.memory = 0
        self.heads: tuple[Head, ...] = ()
        self.ctors: tuple[Ctor, ...] = ()
        self.answers: list[Answer] = []
        self.warned = False
        self.natively = asked.engine == "native"
        self.notes = [*asked.notes]
        self.looks_ahead = asked.goal is not None and asks_terminal(asked.goal)
        self.values = tuple(
            value for value in (asked.minimize, asked.heuristic) if isinstance(value, Expression)
        )
        self.binds = asked.binds
        self.shown = FIRST_PROGRESS
        self.status, self.limit = "", ""
        self._begin()

    @property
    def engine(self) -> Any:
        """What decodes codes and has the name of the engine."""
        return self.course.engine

    @property
    def record(self) -> Record | CoreRecord:
        """What was counted."""
        return self.course.record

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
        self.answers.clear()
        self.nearest: Answer | None = None
        self.too_near = 0
        self.overestimate = ""
        self.out_of_memory = False
        self.admissible = True
        while True:
            try:
                self.course = self._course()
                return
            except NewHead as new:
                self._room_for(new.head)
            except NewCtor as new:
                self.ctors = (*self.ctors, new.ctor)
            except (Unlowered, Unsupported) as why:
                self._go_python(why)

    def _course(self) -> PythonCourse | CoreCourse:
        asked = self.asked
        engine = build(Task(asked.puzzle, asked.start, asked.goal, self.values), self.heads)
        estimate: Any = None
        if isinstance(asked.heuristic, FromRules) and asked.goal is not None:
            estimate = made(asked.heuristic, engine, asked.goal, asked.puzzle.name)
            self.admissible = estimate.admissible
            note = f"heuristic: {estimate.note}"
            if estimate.note and note not in self.notes:
                self.notes.append(note)
        elif asked.heuristic is not None and not isinstance(asked.heuristic, FromRules):
            estimate = estimator(asked.heuristic, engine, len(self.values) - 1)
        if self.natively:
            # what lowers programs is loaded when the first search needs it: imports are kept short
            from rewrite.search.core_course import CoreCourse

            return CoreCourse(self, engine, estimate)
        return PythonCourse(self, engine, estimate)

    def _go_python(self, why: Exception) -> None:
        self.natively = False
        note = f"searched by the Python engine, because the native one cannot: {why}"
        self.notes = [*self.asked.notes, note]

    # -- the loop --------------------------------------------------------------------------
    def advance(self, wanted: int | None, limits: Limits) -> str:
        """Go on until `wanted` answers are there, or the search ends or is stopped; return why.

        Returns "found", "exhausted", "limit" (see `.limit`) or "interrupted".
        """
        self.limits = limits
        self.limit, began, before = "", time.perf_counter(), self.seconds
        collecting = gc.isenabled()
        memory = memory_in_use() - self.memory
        self.shown = before + FIRST_PROGRESS
        gc.disable()  # states are tuples without cycles; collecting them doubles the time
        try:
            with Interrupts() as interrupts:
                self.status = self._loop(wanted, Stretch(interrupts, began - before, memory))
        finally:
            if collecting:
                # states count as old at once: the next collection of young objects skips them
                gc.freeze()
                gc.unfreeze()
                gc.enable()
            self.seconds = before + time.perf_counter() - began
            self.memory = max(0, memory_in_use() - memory)
        return self.status

    def _loop(self, wanted: int | None, stretch: Stretch) -> str:
        while True:
            try:
                why = self.course.turn(wanted, stretch)
            except NewHead as new:
                self.grow(new.head)
            except NewCtor as new:
                self.ctors = (*self.ctors, new.ctor)
                self._begin()
            except Unsupported as unsupported:
                self._go_python(unsupported)
                self._begin()
            except MemoryError:
                self.out_of_memory = True
                self.course.out_of_memory()
                return "exhausted"  # of what there was: the result says that it is no proof
            except (EngineFailure, Failed) as failure:
                raise self.course.explained(failure)  # noqa: B904 (it has the person's as its cause)
            else:
                if why:
                    return why

    # -- answers ---------------------------------------------------------------------------
    def answer(self, codes: list[Code], order: int, value: Any) -> None:
        """Note a goal state: one answer for each of its bindings."""
        for bindings in self._bindings(codes[-1]):
            self.answers.append(Answer(codes, bindings, order, value))

    def _bindings(self, code: Code) -> Iterator[dict[str, Any]]:
        """Yield the different bindings of the goal in a state, found by the definition."""
        if not self.binds or self.asked.goal is None:
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

    def expand(self, code: Code) -> list[Code]:
        """Return the different successors of a code, without counting. May raise NewHead."""
        return self.course.expand(code)

    # -- errors ----------------------------------------------------------------------------
    def judged(self, state: State) -> RewriteError | None:
        """Return the error that the definition raises in a state, if it does."""
        puzzle, goal = self.asked.puzzle, self.asked.goal
        try:
            if goal is not None:
                meaning.is_goal(puzzle, state, goal)
            for value in self.values:
                with suppress(NoValue):
                    meaning.value_of(puzzle, value, state)
            meaning.successors(puzzle, state)
        except RewriteError as error:
            return error
        return None

    def bug(self, failure: Exception) -> RewriteError:
        """Return the error for a failure of which the definition knows nothing."""
        bug = RewriteError(
            f"{self.asked.puzzle.name}: the engine failed where the definition of the rules does "
            f"not: {failure}. This is a bug in rewrite, or a function that does not always do the "
            "same; please report it with the puzzle"
        )
        bug.__cause__ = failure
        return bug
