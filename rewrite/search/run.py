"""The one search loop: it steps a driver until there are enough answers, or the search ends.

What both engines share is here: answers with their bindings, restarts with another encoding or
engine, interrupts, errors. The loop can be left and re-entered, which is how `.resume(...)` and
lazy `solutions(...)` work.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, evolve

from rewrite.budget import Budget, Spare, Stopped, Used
from rewrite.compile.capacity import LEAST, Capacity, NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.code.flat import Unlowered
from rewrite.compile.multisets.trial import states_on_trial
from rewrite.compile.task import Task
from rewrite.engine.counts import Code
from rewrite.errors import RewriteError, SearchError, SymmetryError
from rewrite.language import meaning
from rewrite.language.conditions import Condition
from rewrite.language.evaluation import NoValue
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.native.trouble import Failed, Unsupported
from rewrite.results.path import Bindings, Later, Path, Whole
from rewrite.search.core_only import check_without_core, without_estimates
from rewrite.search.drivers.core import CoreDriver
from rewrite.search.drivers.interface import (
    FIRST_PROGRESS,
    Counted,
    Driver,
    GoalHit,
    StepResult,
    Watch,
    ended,
)
from rewrite.search.goal_bindings import goal_bindings
from rewrite.search.heuristics import FromRules
from rewrite.search.limits import Limits
from rewrite.search.question import Question
from rewrite.search.setup import Setup, set_up
from rewrite.search.twin import as_asked, original, path_of

if TYPE_CHECKING:
    from rewrite.checkpoints.checkpoint_writer import CheckpointWriter
    from rewrite.search.classes import Classes

UNBOUND: tuple[Bindings] = ({},)
"""What goals without variables bind: one object for all answers, of which there may be many."""
ON_TRIAL = Capacity(multiset=["the search has just begun"])


@define
class Answer:
    """A goal that was found: the codes leading to it and the bindings of the goal's match.

    path    with the states of the codes, decoded lazily
    order   see `GoalHit`
    """

    codes: Sequence[Code]
    path: Path
    bindings: Bindings
    order: int
    value: Any = None


class Checkpointer(Protocol):
    """What a run uses of `search.checkpointing.Checkpointer`."""

    writer: CheckpointWriter

    def working(self) -> AbstractContextManager[None]: ...
    def prepare(self, run: Run) -> None: ...
    def attach(self, run: Run, driver: Driver) -> bool: ...
    def save(self, run: Run, status: str = "") -> None: ...
    def refused(self, run: Run, why: object) -> RewriteError: ...


class Run:
    """A running search. `advance` continues until something ends or stops it.

    It begins with the first `advance`: compiling, building heuristics and finding symmetries are
    part of the search, under its limits. If one of these is stopped, `driver` is None, and the
    next `advance` starts over.

    shares   whether to reuse what was compiled for another start, if that changes nothing visible
    """

    driver: Driver | None
    form = "states"
    """What is saved of it in a folder; see `search.checkpointing`."""
    number: int | None = None
    """How many shortest paths there are; None if not requested."""

    def __init__(self, asked: Question, shares: bool = False) -> None:
        self.shares = shares
        self.pause_at: int | None = None
        """How many states `advance` should stop at, to return "paused"."""
        self.checkpointer: Checkpointer | None = None
        self.given = asked
        self.setup: Setup | None = None
        self.limits = asked.limits
        self.used = Used()
        """Usage of all calls in this process."""
        self.earlier = 0.0
        """Seconds of other processes, before this one resumed the search from a folder."""
        self.capacity = LEAST
        self.answers: list[Answer] = []
        self.warned = False
        self.natively = asked.engine != "python"
        self.cannot = ""
        """Why the native engine cannot run it, once tried."""
        self.fallback: tuple[str, ...] = ()
        """Notes: why the Python engine runs it, why it goes on without a heuristic."""
        self.outgrown = False
        """Whether states outgrew the encoding that it began with."""
        if not self.natively:
            check_without_core(asked)
        self.watch: Watch | None = None
        self.status, self.limit = "", ""
        self.cut = ""
        """What was stopped before the search could begin, for humans; "" if nothing was."""
        self.driver = None
        self._trial: int | None = None
        """Up to how many states it runs as a multiset at first; None before that is decided."""
        self._spare: Spare | None = None
        """Freed when memory runs out, so that there is some left to report it."""
        self._forget()

    @property
    def asked(self) -> Question:
        """The given question; for strategy="auto", with the chosen strategy."""
        return self.given if self.setup is None else self.setup.asked

    @property
    def kept_capacity(self) -> Capacity:
        """The capacity with which another search of these states begins."""
        engine = None if self.setup is None else self.setup.engine
        if engine is None or engine.reasoning is not None or engine.why is None:
            return self.capacity
        return self.capacity | Capacity(multiset=[engine.why])

    @property
    def classes(self) -> Classes | None:
        """The classes of free moves, if states that they join count as one."""
        return None if self.setup is None else self.setup.classes

    @property
    def engine_name(self) -> str:
        if self.driver is None:
            return "native" if self.natively else "python"
        return self.driver.name

    @property
    def notes(self) -> list[str]:
        notes = [*(() if self.setup is None else self.setup.findings), *self.fallback]
        dropped, found = self.given.heuristic, self.setup and self.setup.estimate
        if isinstance(dropped, FromRules) and not self.natively and found is None:
            notes.append(without_estimates(dropped, self.cannot))
        if self.cut:
            notes.append(f"stopped while {self.cut}, before any state was expanded")
        return notes + ([] if self.checkpointer is None else self.checkpointer.writer.notes)

    @property
    def record(self) -> Counted:
        return Counted(self.asked.puzzle.rules) if self.driver is None else self.driver.record

    def end(self) -> None:
        """Release what runs outside this process: no more calls will follow."""

    def begin(self, limits: Limits) -> None:
        """Begin now, so that invalid searches raise here; Ctrl-C raises too."""
        with limits.budget() as budget:
            with (
                as_asked(self.given),
                suppress(Stopped, MemoryError),
            ):  # `advance` reports the limit
                self._begin()
                budget.forgive()
            self.used = budget.used
        if budget.asked:
            raise KeyboardInterrupt

    @property
    def nearest(self) -> Answer | None:
        """The state with the lowest value so far, with `minimize`."""
        if (best := self.record.nearest) is None:
            return None
        path = path_of(self.asked, self.states(best.codes), {})
        return Answer(best.codes, path, {}, best.order, best.value)

    def grow(self, more: Capacity) -> None:
        self._add_capacity(more)
        self.outgrown = True
        self._begin()

    def _add_capacity(self, more: Capacity) -> None:
        if more in self.capacity:
            raise RewriteError(
                f"{self.asked.puzzle.name}: the engine asked twice for {more}. This is a bug in "
                "rewrite; please report it with the puzzle"
            )
        self.capacity |= more

    def _forget(self) -> None:
        self.driver = None
        self.answers.clear()
        self.answered: set[Code] = set()
        self.unnoted: deque[GoalHit] = deque()
        """Goals whose bindings are not yet known."""
        self.out_of_memory = False

    def _begin(self) -> None:
        """Build engine and driver. Raises Stopped if a limit is reached: nothing has begun."""
        self._forget()
        if self._trial is None:
            self._trial = self._states_on_trial()
            self.capacity |= ON_TRIAL if self._trial else LEAST
        while True:
            try:
                if self.checkpointer is not None:
                    self.checkpointer.prepare(self)
                self.setup = self._set_up()
                driver = self._made(self.setup)
                if self.checkpointer is None or self.checkpointer.attach(self, driver):
                    self.driver = driver
                    return
            except NeedsCapacity as needs:
                self._add_capacity(needs.capacity)
            except (Unlowered, Unsupported) as why:
                self._go_python(why)
            except (SearchError, SymmetryError) as error:
                self._go_without(error)

    def _go_without(self, error: SearchError | SymmetryError) -> None:
        """Go on without what was available, or proved, until states outgrew their slots."""
        heuristic = self.given.heuristic
        if self.outgrown and isinstance(error, SymmetryError) and error.facts.get("state") is None:
            self.given, what = evolve(self.given, symmetry="none"), "symmetry"
        elif self.outgrown and isinstance(heuristic, FromRules) and not heuristic.core_only:
            self.given, what = evolve(self.given, heuristic=None), "estimates"
        else:
            raise error
        self.fallback += (f"the search goes on without {what}: {error}",)

    def _states_on_trial(self) -> int:
        """Return up to how many states it runs as a multiset, where nothing but time depends on
        the encoding."""
        given = self.given
        if not (self.shares and self.natively and given.one_nearest and given.is_plain):
            return 0
        plain = given.strategy.name in ("breadth_first", "uniform_cost")
        if not plain or given.shortest or self.checkpointer or given.python_calls:
            return 0
        return states_on_trial(Task(given.puzzle, given.start, given.goal, given.values, True))

    def _stepped(self, driver: Driver, more: int | None, watch: Watch) -> StepResult:
        """Step the driver; at the end of the trial, begin again over slots."""
        given, trial = watch.limits, 0 if self.answers else self._trial or 0
        if not 0 < trial < (given.max_states or trial + 1):
            return driver.step(more, watch)
        watch.limits = evolve(given, max_states=trial)
        try:
            result = driver.step(more, watch)
        finally:
            watch.limits = given
        if result.limit != "max_states" or result.goals:
            return result
        self._trial, self.capacity = 0, LEAST
        self._begin()
        return StepResult()

    def _set_up(self) -> Setup:
        alone = self.checkpointer is not None
        return set_up(self.given, self.capacity, self.shares, alone, self.natively)

    def _made(self, setup: Setup) -> Driver:
        if self.natively:
            eager = bool(self.given.python_calls) or self.pause_at is not None
            return CoreDriver(setup, self.capacity.ctors, eager)
        from rewrite.search.drivers.python import PythonDriver

        return PythonDriver(setup, self.limits)

    def _go_python(self, why: Exception) -> None:
        if self.checkpointer is not None:
            raise self.checkpointer.refused(self, why)
        self.natively, self.cannot = False, str(why)
        note = f"searched by the Python engine, because the native one cannot: {why}"
        self.fallback += (note,)
        check_without_core(self.given, self.cannot)

    # -- the loop --------------------------------------------------------------------------
    def advance(self, wanted: int | None, limits: Limits, budget: Budget | None = None) -> str:
        """Run until there are `wanted` answers, or the search ends or is stopped; return why.

        Returns "found", "exhausted", "limit" (see `.limit`), "interrupted" or "paused".

        budget   the open budget of a caller that does more than search; by default a new one
        """
        if budget is not None:
            return self._advance(wanted, limits, budget)
        self.watch = None
        with limits.budget(self.used) as own:
            return self._advance(wanted, limits, own)

    def _advance(self, wanted: int | None, limits: Limits, budget: Budget) -> str:
        self.limits, self.limit, self.cut = limits, "", ""
        shown = FIRST_PROGRESS + self.used.seconds if self.watch is None else self.watch.shown
        due = None if self.checkpointer is None else self.checkpointer.writer.due
        self.watch = Watch(budget, limits, self.asked.progress, due, self.pause_at, shown)
        try:
            with as_asked(self.given):
                self.status = self._loop(wanted, self.watch)
        finally:
            self.used = budget.used
        return self.status

    def each(self, limits: Limits) -> Iterator[Path]:
        listed, status = 0, "found"
        while status == "found":
            status = self.advance(listed + 1, limits)
            for answer in self.answers[listed:]:
                yield answer.path
                listed += 1

    def _loop(self, wanted: int | None, watch: Watch) -> str:
        collecting = gc.isenabled()
        try:
            self._spare = Spare()
            gc.disable()  # rules and states are tuples without cycles; collecting doubles the time
            if self.driver is None:
                before = watch.budget.memory
                self._begin()
                watch.budget.forgive(before)
            while True:
                why = self._step(wanted, watch)
                if why == "paused" and self.checkpointer is not None:
                    self.checkpointer.save(self)
                elif why:
                    return why
        except Stopped as stopped:
            return self._cut_off(stopped.why, wanted, watch.budget)
        except MemoryError:
            self._give_back()
            self.out_of_memory = True
            if self.driver is None:
                return self._cut_off("max_memory", wanted, watch.budget)
            self.driver.end()
            return "exhausted"  # incomplete: the result says that it proves nothing
        finally:
            self._give_back()
            if collecting and not gc.isenabled():
                # moves states to the oldest generation: the next young collection skips them
                gc.freeze()
                gc.unfreeze()
                gc.enable()

    def _give_back(self) -> None:
        if self._spare is not None:
            self._spare.give_back()

    def _step(self, wanted: int | None, watch: Watch) -> str:
        """Step the driver, restarting if necessary; return why to stop, "" to go on."""
        driver = self.driver
        assert driver is not None
        more = None
        if wanted is not None:
            if len(self.answers) >= wanted:
                return "found"
            more = 1 if self.given.is_many else wanted - len(self.answers)
        try:
            if self.unnoted:
                return self._note_all()
            result = self._stepped(driver, more, watch)
            self.limit = result.limit
            self.out_of_memory |= result.out_of_memory
            self.unnoted.extend(result.goals)
            why = self._note_all()
            if result.goals and wanted is not None and len(self.answers) >= wanted:
                return "found"
            return why or result.why
        except MemoryError:
            # at once: passing an error on takes memory too, and Python 3.11 retries that forever
            self._give_back()
            raise
        except NeedsCapacity as needs:
            self.grow(needs.capacity)
        except Unsupported as unsupported:
            self._go_python(unsupported)
            self._begin()
        except (EngineFailure, Failed) as failure:
            if self.asked.strategy.needs_inverse:
                self._from_the_start(failure)
                return ""
            error = self._explained(failure, driver.failed_in(failure))
            if not isinstance(error, NeedsCapacity):
                raise error  # noqa: B904 (user code)
            self.grow(error.capacity)
        return ""

    def _cut_off(self, why: str, wanted: int | None, budget: Budget) -> str:
        """End before the search could begin; the start is tested here, as under any limit."""
        out_of_memory, asked = self.out_of_memory, self.asked
        self._forget()
        self.out_of_memory = out_of_memory
        if asked.goal is not None and not self.limits.min_depth:
            if meaning.is_goal(asked.puzzle, asked.start, asked.goal):
                self._note(GoalHit([asked.start], 1))
            if wanted is not None and len(self.answers) >= wanted:
                return "found"
        self.cut = budget.doing
        status, self.limit = ended(why)
        return status

    def _from_the_start(self, failure: Exception) -> None:
        """Restart from one end if possible: a function failed, perhaps in an unreachable state."""
        if not self.given.free:
            raise SearchError(
                f"{self.given.puzzle.name}: strategy={self.given.strategy.name!r} runs rules "
                "backwards, also from states that the start never reaches, and that failed: "
                f"{failure}. Use "
                "strategy='breadth_first'"
            ) from failure
        self.given = evolve(self.given, free=False)
        self._begin()

    # -- answers ---------------------------------------------------------------------------
    def _note_all(self) -> str:
        """Record the new goals; return what stopped that, or "". The next call resumes there."""
        try:
            while self.unnoted:
                self._note(self.unnoted[0])
                self.unnoted.popleft()
        except Stopped as stopped:
            status, self.limit = ended(stopped.why)
            return status
        return ""

    def _note(self, found: GoalHit) -> None:
        """Record a goal state: one answer for each binding. It may have been reached before."""
        codes = found.codes
        # IDA* keeps no states, so its codes are reused; it handles duplicates itself
        once = self.asked.distinct == "states" and self.asked.strategy.remembers
        if once and codes[-1] in self.answered:
            return
        states = self.states(codes)
        # paths are made now, so that their memory counts at the next limit check
        every = [
            Answer(codes, path_of(self.asked, states, one), one, found.order, found.value)
            for one in self._bindings(states)
        ]
        if once:
            self.answered.add(codes[-1])
        self.answers += every

    def _bindings(self, states: Sequence[State]) -> Iterable[Bindings]:
        """Return the different bindings of the goal at the end of a path, by the definition."""
        puzzle, goal = self.asked.puzzle, self.asked.goal
        if goal is None or not self.given.binds:
            return UNBOUND
        if self.given.is_many:
            return goal_bindings(puzzle, goal, states[-1])
        return (lambda: _bound_once(puzzle, goal, states[-1]),)  # on first use

    def states(self, codes: Sequence[Code]) -> Sequence[State]:
        """Return the states of a path, real ones if symmetry is used; lazily, by this driver."""
        driver, setup = self.driver, self.setup
        if driver is None or setup is None:
            return codes  # these are states
        if (classes := setup.classes) is not None:
            goal = self.asked.goal
            return Whole(lambda: classes.path([driver.plain(code) for code in codes], goal))
        if (reduction := setup.reduction) is None:
            return Later(codes, driver.decode)
        real: list[Code] = []  # reconstructed on first access

        def state(at: int) -> State:
            if not real:
                real.extend(reduction.real([driver.plain(code) for code in codes]))
            return reduction.engine.decode(real[at])

        return Later(range(len(codes)), state)

    def expand(self, code: Code) -> list[Code]:
        """Return the distinct successors of a code, without counting. May raise NeedsCapacity."""
        assert self.driver is not None
        try:
            return self.driver.expand(code)
        except (EngineFailure, Failed) as failure:
            raise self._explained(failure, [self.driver.decode(code)])  # noqa: B904 (as above)

    # -- errors ----------------------------------------------------------------------------
    def _explained(
        self, failure: Exception, states: Iterable[State]
    ) -> RewriteError | NeedsCapacity:
        """Return the error that the definition raises in a state where the engine failed.

        If it raises none, the engine called what the definition does not get to, such as a function
        in a guard that stands after one that does not hold: then the definition itself is run.
        """
        for state in states:
            for one in [state] if self.classes is None else self.classes.members(state):
                if (error := self._judged(one)) is not None:
                    return error
        if not self.capacity.definition:
            what = f"compiled rules fail where the definition does not: {failure}"
            return NeedsCapacity(Capacity(definition=[what]))
        what = f"the engine failed where the definition of the rules does not: {failure}"
        bug = _bug(self.asked.puzzle, what)
        bug.__cause__ = failure
        return bug

    def _judged(self, state: State) -> RewriteError | None:
        asked = self.asked.outer
        puzzle, goal = asked.puzzle, asked.goal
        state = state if asked is self.asked else original(state)
        try:
            if goal is not None:
                meaning.is_goal(puzzle, state, goal)
            for value in asked.values:
                with suppress(NoValue):
                    meaning.value_of(puzzle, value, state)
            meaning.successors(puzzle, state)
        except RewriteError as error:
            return error
        return None


def _bug(puzzle: Puzzle, what: str) -> RewriteError:
    return RewriteError(
        f"{puzzle.name}: {what}. This is a bug in rewrite, or a function that does not always do "
        "the same; please report it with the puzzle"
    )


def _bound_once(puzzle: Puzzle, goal: Condition, state: State) -> dict[str, Any]:
    for found in goal_bindings(puzzle, goal, state):
        return found
    raise _bug(puzzle, f"the engine took {state} for a goal, and the definition does not")
