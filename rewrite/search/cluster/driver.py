"""A search whose states are distributed over parts, as a driver of the search loop.

It begins in this process, where small searches also end. Once a level is large, its states are
handed to the parts, which continue level by level. Codes are those of the Python engine, which mean
the same everywhere.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from rewrite.budget import Budget, Stopped, doing
from rewrite.compiler.interning import Ctor
from rewrite.engine.counts import Code, Counts
from rewrite.language.states import State
from rewrite.native.program import Program
from rewrite.native.trouble import Damaged, Failed
from rewrite.search.cluster.parts import SEED, LevelReport, Lost, Part, Parts, Step, Work
from rewrite.search.cluster.rounds import Level
from rewrite.search.cluster.saved import Saved, read, write
from rewrite.search.drivers.core import CoreDriver, CoreRecord
from rewrite.search.drivers.interface import Counted, Driver, GoalHit, StepResult, Watch
from rewrite.search.limits import Limits

if TYPE_CHECKING:
    from rewrite.search.setup import Setup

LARGE = 100_000
"""States of a level above which parts are worth starting."""
Goal = tuple[int, int, int]
"""A goal state: its part, its number there, and how many states were known when it was found."""


class Over(Exception):
    """Why a level is left between two rounds."""

    def __init__(self, why: str, limit: str = "") -> None:
        super().__init__(why, limit)
        self.why, self.limit = why, limit


class ClusterRecord(Counted):
    """The counts of all parts together, under the names of `Record`."""

    def __init__(self, seed: CoreRecord, start: Code) -> None:
        self.seed, self.start = seed, start
        self.complete = self.begun = 0
        """States of the complete levels, and those known of the next."""
        self.reports: list[LevelReport] = []
        self.refresh()

    def refresh(self) -> None:
        """Copy the counts of the first search."""
        seed = self.seed
        self.complete, self.depth, self.waiting = seed.states, seed.depth, seed.waiting
        self.levels, self.expanded = list(seed.levels), seed.expanded

    def close(self, reports: list[LevelReport]) -> int:
        """Record a complete level; return how many states the next one has."""
        fresh = sum(one.fresh for one in reports)
        self.expanded += self.levels[-1]
        if fresh:
            self.levels.append(fresh)
            self.depth += 1
        self.reports, self.waiting = reports, fresh
        self.complete += fresh
        return fresh

    def load(self, saved: Saved, reports: list[LevelReport]) -> None:
        """Restore what was saved, with the parts' reports."""
        self.levels, self.expanded, self.reports = list(saved.levels), saved.expanded, reports
        self.complete, self.depth = sum(saved.levels), len(saved.levels) - 1
        self.waiting = self.complete - self.expanded

    @property
    def states(self) -> int:
        """How many distinct states are known."""
        return self.complete + self.begun

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did in all parts."""
        total = self.seed.counts()
        for report in self.reports:
            total = {name: counts + report.counts[name] for name, counts in total.items()}
        return total


class ClusterDriver(Driver):
    """Searches here first, then over parts, which are created when needed.

    name    of the engine, for humans
    begin   creates the parts for some work
    """

    record: ClusterRecord

    def __init__(
        self, setup: Setup, work: Work, name: str, begin: Callable[[Work], Parts],
        ctors: frozenset[Ctor],
    ) -> None:  # fmt: skip
        self.work, self.name, self.engine, self._begin = work, name, setup.engine, begin
        self.seed = CoreDriver(setup, ctors)
        self.record = ClusterRecord(self.seed.record, work.first)
        self.parts: Parts | None = None
        self.level: Level | None = None
        self._offered = -1
        """The depth at which it last paused to be saved before `max_depth`."""
        self.early: list[GoalHit] = []
        """Goals of a repeated first search still to be reported."""
        self.found: list[Goal] = []
        """All goals of the parts so far; `new` are those not yet reported."""
        self.new: deque[Goal] = deque()
        self._before: list[int] = []

    # -- stepping ----------------------------------------------------------------------------
    def step(self, more: int | None, watch: Watch) -> StepResult:
        """Advance the first search, or all parts by one level."""
        if self.early:
            goals, self.early = tuple(self.early), []
            return StepResult(goals=goals)
        if self.parts is None:
            result = self._seeded(more, watch)
            if result.why or result.goals:
                return result
            self._start()
        if self.new:
            return StepResult(goals=tuple(self._goal_hits(more)))
        if not self.record.waiting:
            return StepResult("exhausted")
        try:
            return self._through_level(self._parts, watch)
        except Over as over:
            return StepResult(over.why, over.limit)
        except Stopped as stopped:  # in a part that checks limits itself; it will resume there
            why = stopped.why
            return StepResult(why) if why == "interrupted" else StepResult("limit", why)

    @property
    def _parts(self) -> Parts:
        assert self.parts is not None
        return self.parts

    def _seeded(self, more: int | None, watch: Watch) -> StepResult:
        """Search in this process, level by level; an empty result means that one is large."""
        record, given, result = self.seed.record, watch.limits.max_depth, StepResult()
        while not self._is_large():
            most = record.depth + 1 if given is None else min(given, record.depth + 1)
            watch.limits = evolve(watch.limits, max_depth=most)
            try:
                result = self.seed.step(more, watch)
            except Failed as failed:
                known = None if failed.state is None else self.seed.plain(failed.state)
                raise Failed(str(failed), known) from None
            finally:
                watch.limits = evolve(watch.limits, max_depth=given)
            self.record.refresh()
            if result.limit == "max_depth" and most != given:
                result = evolve(result, why="", limit="")
            if result.why or result.goals:
                break
        found = [evolve(one, codes=[self.seed.plain(code) for code in one.codes])
                 for one in result.goals]  # fmt: skip
        return evolve(result, goals=tuple(found))

    def _is_large(self) -> bool:
        """Whether the first search has reached the end of a large level."""
        record = self.seed.record
        ended = record.depth > 0 and sum(record.levels) == record.states
        return ended and record.levels[-1] > LARGE

    def _start(self) -> None:
        """Hand all states to the parts: first the expanded ones, then the level."""
        parts = self._made_parts()
        end = self.seed.record.states
        begin = end - self.seed.record.levels[-1]
        for states in (range(begin), range(begin, end)):
            packed = enumerate(self.seed.core.packed(states, parts.count))
            parts.got([parts.deliver(part, [SEED], [parcel]) for part, parcel in packed])
            parts.of_all(parts.close)
        self.parts = parts

    def _made_parts(self) -> Parts:
        """Return new parts. Raises RewriteError if they do not match this process."""
        doing("starting the parts of the search")
        return self._begin(self.work)

    def _through_level(self, parts: Parts, watch: Watch) -> StepResult:
        record, most = self.record, watch.limits.max_depth
        last = most is not None and record.depth >= most
        if last and watch.due is not None and self._offered != record.depth:
            self._offered = record.depth
            return StepResult("paused")  # from here on there is nothing to save
        level = self.level = self.level or Level(parts)
        try:
            level.expand(lambda level: self._look(level, watch, last))
        finally:
            record.begun = 0 if last else level.fresh
        if last and level.fresh:
            return StepResult("limit", "max_depth")
        reports = level.close()
        self.level, record.begun = None, 0
        record.close(reports)
        ranked = sorted(
            (rank, part, number) for part, one in enumerate(reports) for rank, number in one.goals
        )
        goals = [(part, number, record.states) for _, part, number in ranked]
        self.found += goals
        self.new.extend(goals)
        if not self.new and not record.waiting:
            return StepResult("exhausted")
        return StepResult("paused" if watch.pauses(record.states) else "")

    def _look(self, level: Level, watch: Watch, last: bool) -> None:
        """Check the limits. Raises Over.

        last   the level is at `max_depth`, which stops the search if anything new lies beyond
        """
        record, limits = self.record, watch.limits
        if last and level.fresh:
            raise Over("limit", "max_depth")
        states = record.complete + (0 if last else level.fresh)
        memory = max([level.memory, *[one.memory for one in record.reports]])
        watch.report(states, record.depth, record.waiting, lambda: memory)
        if watch.budget.asked:
            raise Over("interrupted")
        if limits.max_states is not None and states >= limits.max_states:
            raise Over("limit", "max_states")
        if watch.budget.late():
            raise Over("limit", "max_seconds")
        if limits.max_memory is not None and memory >= limits.max_memory:
            raise Over("limit", "max_memory")

    # -- states ------------------------------------------------------------------------------
    def _goal_hits(self, more: int | None) -> Iterator[GoalHit]:
        """Yield goals not yet reported, at most `more`."""
        count = len(self.new) if more is None else min(more, len(self.new))
        goals = [self.new.popleft() for _ in range(count)]
        ways = self._ways([(part, number) for part, number, _ in goals])
        for way, (_, _, order) in zip(ways, goals, strict=True):
            yield GoalHit(way, order)

    def _ways(self, ends: Iterable[tuple[int, int]]) -> list[list[Code]]:
        """Return the codes from the start to states of parts, tracing all back in lockstep."""
        parts, at = self._parts, list(ends)
        ways: list[list[Code]] = [[] for _ in at]
        while asked := {(part, number) for part, number in at if part != SEED}:
            numbers = defaultdict(list)
            for part, number in sorted(asked):
                numbers[part].append(number)
            promised = [parts.ask(part, Part.steps, some) for part, some in numbers.items()]
            steps: dict[tuple[int, int], Step] = {}
            for (part, some), found in zip(numbers.items(), parts.got(promised), strict=True):
                steps |= {(part, number): step for number, step in zip(some, found, strict=True)}
            for index, place in enumerate(at):
                if (step := steps.get(place)) is not None:
                    ways[index].append(step.code)
                    at[index] = (step.part, step.number)
        # each has been traced to a state of the first search, by its number there
        before = self._before = self._before or self.seed.record.parents.tolist()
        for way, (_, number) in zip(ways, at, strict=True):
            while number != 0:
                number = before[number]
                way.append(self.seed.plain(number))
            way.reverse()
        return ways

    def expand(self, code: Code) -> list[Code]:
        """Return the distinct successors of a code, without counting."""
        return list(dict.fromkeys(self.engine.successors(code)))

    def failed_in(self, failure: Exception) -> Iterator[State]:
        """Yield the state named by the core, wherever it ran."""
        if isinstance(failure, Failed) and failure.state is not None:
            yield self.engine.decode(failure.state)

    def end(self) -> None:
        """End here; the parts are no longer needed."""
        if self.parts is not None:
            self.parts.end()

    # -- in a folder -------------------------------------------------------------------------
    @property
    def savable(self) -> ClusterDriver | None:
        """This driver, between two levels."""
        return self if self.level is None else None

    @property
    def program(self) -> Program:
        """The program given to the core."""
        return self.seed.core.program

    def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
        """Have all parts write what is new, and save their progress. See `Savable`."""
        parts, record = self.parts, self.record
        if parts is None:
            return {}  # the first search is quick and deterministic
        saved = Saved(
            parts.count, self.seed.record.levels, record.levels, record.expanded, self.found
        )
        files = write(folder, epoch, number, saved)
        try:
            for written in parts.of_all(lambda part: parts.save(part, folder, epoch, number)):
                files |= written
        except Lost as lost:  # the search will notice when it resumes
            raise OSError(str(lost)) from lost
        return files

    def load(
        self, folder: str, files: dict[str, int], epoch: int, number: int, apart: bool = False
    ) -> None:
        """Repeat the first search, and have new parts load what was saved. See `Savable`."""
        saved = read(folder, epoch, number)
        self._again(saved)
        parts = self._made_parts()
        try:
            parts.of_all(lambda part: parts.load(part, folder, files, epoch, number))
            reports = parts.of_all(lambda part: parts.ask(part, Part.report))
        except BaseException:
            parts.end()
            raise
        self.parts = parts
        self.record.load(saved, reports)
        self.found = list(saved.goals)
        self.new = deque(self.found)

    def _again(self, saved: Saved) -> None:
        """Repeat the first search. Raises Damaged if it differs."""
        watch, result = Watch(Budget(), Limits()), StepResult()
        while not result.why and not self._is_large():
            result = self._seeded(None, watch)
            self.early += result.goals
        found = list(self.seed.record.levels), self.work.parts
        if result.why or found != (saved.seed, saved.parts):
            raise Damaged("cluster", 0, "it goes on from another search")
