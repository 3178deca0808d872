"""A search whose states are distributed over parts, as a driver of the search loop.

It starts in this process, where small searches also end. Once a level is large, its states are
handed to the parts, which continue level by level, in rounds, so that the parcels in flight fit
into memory. Codes are those of the Python engine, which mean the same everywhere.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, frozen

from rewrite.budget import Budget, Stopped, doing
from rewrite.checkpoints.folder import write
from rewrite.checkpoints.identity import SIZE
from rewrite.engine.counts import Code, Counts
from rewrite.native.program import Program
from rewrite.native.trouble import Damaged, Failed
from rewrite.search.cluster.parts import SEED, Lost, Part, Parts, Report, Step, Work
from rewrite.search.drivers.core import CoreDriver, CoreRecord
from rewrite.search.drivers.interface import Counted, Driver, GoalHit, StepResult, Watch, ended
from rewrite.search.limits import Limits

if TYPE_CHECKING:
    from rewrite.search.setup import Setup

LARGE = 100_000
"""States in a level above which parts are worth starting."""
ROUND = 32 << 20
"""Bytes that a part packs per round for all parts together, unless parcels would get too large or
too small."""
LEAST_PARCEL, MOST_PARCEL = 1 << 20, 8 << 20
"""Approximate bytes of a parcel: more parts make rounds longer, fewer make them shorter."""
UNDER_WAY = 2
SCARCE, MORE = 0.75, 1.1
"""Above this share of `max_memory` a search is saved, and evicts what can be reloaded, whenever its
states have grown by this factor since the last save."""
Goal = tuple[int, int, int]
"""A goal state: its part, its number there, and how many states were known when it was found."""


class ClusterRecord(Counted):
    """The counts of all parts together, under the names of `CoreRecord`."""

    def __init__(
        self, seed: CoreRecord, levels: list[int], expanded: int, reports: list[Report]
    ) -> None:
        self.seed, self.levels, self.expanded, self.reports = seed, levels, expanded, reports
        self.begun = 0
        """States known of the level after the complete ones."""
        self._sum_up()

    def _sum_up(self) -> None:
        self.depth = len(self.levels) - 1
        self.waiting = sum(self.levels) - self.expanded

    def close(self, reports: list[Report]) -> None:
        """Record a complete level."""
        self.expanded += self.levels[-1]
        if fresh := sum(one.fresh for one in reports):
            self.levels.append(fresh)
        self.reports, self.begun = reports, 0
        self._sum_up()

    @property
    def states(self) -> int:
        return sum(self.levels) + self.begun

    @property
    def memory(self) -> int:
        """Bytes used by the fullest part at the end of the last level."""
        return max([one.memory for one in self.reports], default=0)

    def counts(self) -> dict[str, Counts]:
        total = self.seed.counts()
        for report in self.reports:
            total = {name: counts + report.counts[name] for name, counts in total.items()}
        return total


class Level:
    """A level that parts process. `expand` can be interrupted between two rounds and called again.

    In a round every unfinished part expands until it has packed its share of bytes; the parcels go
    to the parts that own their states. The next round begins while the parcels of this one are
    being looked up, and waits for those of the previous one.

    fresh, memory   new states, of the next level; bytes used by the fullest part
    """

    def __init__(self, parts: Parts) -> None:
        self.parts, self.fresh, self.memory = parts, 0, 0
        self._at = dict.fromkeys(range(parts.count), 0)
        self._waiting: deque[list[Any]] = deque()

    def expand(self, between: Callable[[Level], None]) -> None:
        """Expand the level, and look up the successors.

        between   called between two rounds; it may raise, leaving the level resumable
        """
        parts = self.parts
        most = max(min(ROUND, MOST_PARCEL * parts.count), LEAST_PARCEL * parts.count)
        while self._at:
            between(self)
            asked = {part: parts.expand(part, place, most) for part, place in self._at.items()}
            sources = list(asked)
            self._waiting.append([
                parts.deliver(part, sources, [asked[source][1][part] for source in sources])
                for part in range(parts.count)
            ])  # fmt: skip
            following = parts.got([place for place, _ in asked.values()])
            self._at = {
                part: place
                for part, place in zip(sources, following, strict=True)
                if place is not None
            }
            if len(self._waiting) == UNDER_WAY:
                self._look_up()
        while self._waiting:
            self._look_up()

    def _look_up(self) -> None:
        """Wait until the parcels of the oldest round have been looked up."""
        delivered = self.parts.got(self._waiting.popleft())
        self.fresh += sum(fresh for fresh, _ in delivered)
        self.memory = max(memory for _, memory in delivered)


@frozen
class Saved:
    """What is saved of a search besides the files of its parts: JSON preceded by its digest.

    The states of the first search are not saved: it is quick and deterministic, and is repeated.

    seed    the number of states in each complete level of the first search
    levels  the same over all parts; the last one is expanded next
    goals   goals found so far in parts
    """

    parts: int
    seed: list[int]
    levels: list[int]
    expanded: int
    goals: list[Goal]

    def write(self, path: Path) -> dict[str, int]:
        """Write it and sync it to disk; return the name and length of the file. Raises OSError."""
        text = json.dumps(asdict(self)).encode("ascii")
        data = _digest(text) + b"\n" + text
        write(path, data)
        return {path.name: len(data)}

    @classmethod
    def read(cls, path: Path) -> Saved:
        """Return what was written. Raises Damaged or OSError."""
        digest, _, text = path.read_bytes().partition(b"\n")
        if digest != _digest(text):
            raise Damaged(path.name, 0, "its bytes do not have this digest")
        found: dict[str, Any] = json.loads(text)
        return cls(**found | {"goals": [tuple(goal) for goal in found["goals"]]})


def _path(folder: str, epoch: int, number: int) -> Path:
    return Path(folder, f"cluster-{epoch}-{number}.bin")


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=SIZE).hexdigest().encode("ascii")


class ClusterDriver(Driver):
    """Searches in this process first, then over parts, which are created when needed."""

    def __init__(self, setup: Setup, work: Work, parts: type[Parts]) -> None:
        self.work, self.name, self.engine, self._made = work, parts.name, setup.engine, parts
        self.seed = CoreDriver(setup, work.capacity.ctors)
        self.record: CoreRecord | ClusterRecord = self.seed.record
        """The counts of the first search; once there are parts, those of all parts together."""
        self.parts: Parts | None = None
        self.level: Level | None = None
        self._offered = -1
        """The depth at which it last paused for a save before `max_depth`."""
        self._saved = 0
        """The number of states known at the last save."""
        self._scarce = False
        """Whether to evict at the next save."""
        self.early: list[GoalHit] = []
        """Goals of a repeated first search that are still to be reported."""
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
            return self._through_level(watch)
        except Stopped as stopped:  # between two rounds
            return StepResult(*ended(stopped.why))

    def _seeded(self, more: int | None, watch: Watch) -> StepResult:
        """Search in this process, level by level; an empty result means that a level is large."""
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
        """Hand all states to new parts: first the expanded ones, then the level."""
        doing("starting the parts of the search")
        parts, record = self._made(self.work), self.seed.record
        begin, end = record.states - record.levels[-1], record.states
        for states in (range(begin), range(begin, end)):
            packed = enumerate(self.seed.core.packed(states, parts.count))
            parts.got([parts.deliver(part, [SEED], [parcel]) for part, parcel in packed])
            parts.of_all(Part.close)
        self._continue(parts, list(record.levels), record.expanded, [])

    def _continue(
        self, parts: Parts, levels: list[int], expanded: int, reports: list[Report]
    ) -> None:
        self.parts = parts
        self.record = self.joint = ClusterRecord(self.seed.record, levels, expanded, reports)

    def _through_level(self, watch: Watch) -> StepResult:
        parts, record, most = self.parts, self.joint, watch.limits.max_depth
        assert parts is not None
        last = most is not None and record.depth >= most
        if last and watch.due is not None and self._offered != record.depth:
            self._offered = record.depth
            return StepResult("paused")  # the last chance: this level cannot be saved
        level = self.level = self.level or Level(parts)
        try:
            level.expand(lambda level: self._look(level, watch, last))
        finally:
            record.begun = 0 if last else level.fresh
        if last and level.fresh:
            return StepResult("limit", "max_depth")
        record.close(parts.of_all(Part.close))
        self.level = None
        ranked = sorted(
            (rank, part, number)
            for part, one in enumerate(record.reports)
            for rank, number in one.goals
        )
        goals = [(part, number, record.states) for _, part, number in ranked]
        self.found += goals
        self.new.extend(goals)
        if not self.new and not record.waiting:
            return StepResult("exhausted")
        memory = watch.limits.max_memory
        self._scarce = memory is not None and record.memory > SCARCE * memory
        crowded = self._scarce and record.states > MORE * self._saved and watch.due is not None
        return StepResult("paused" if crowded or watch.pauses(record.states) else "")

    def _look(self, level: Level, watch: Watch, last: bool) -> None:
        """Check the limits. Raises Stopped.

        last   the level is at `max_depth`, which stops the search if anything new lies beyond
        """
        record, limits = self.joint, watch.limits
        if last and level.fresh:
            raise Stopped("max_depth")
        record.begun = 0 if last else level.fresh
        states, memory = record.states, max(level.memory, record.memory)
        watch.report(states, record.depth, record.waiting, lambda: memory)
        if watch.budget.asked:
            raise Stopped("interrupted")
        if limits.max_states is not None and states >= limits.max_states:
            raise Stopped("max_states")
        if watch.budget.late():
            raise Stopped("max_seconds")
        if limits.max_memory is not None and memory >= limits.max_memory:
            raise Stopped("max_memory")

    # -- states ------------------------------------------------------------------------------
    def _goal_hits(self, more: int | None) -> Iterator[GoalHit]:
        count = len(self.new) if more is None else min(more, len(self.new))
        goals = [self.new.popleft() for _ in range(count)]
        ways = self._ways([(part, number) for part, number, _ in goals])
        for way, (_, _, order) in zip(ways, goals, strict=True):
            yield GoalHit(way, order)

    def _ways(self, ends: Iterable[tuple[int, int]]) -> list[list[Code]]:
        """Return the codes from the start to states of parts, tracing all back in lockstep."""
        parts, at = self.parts, list(ends)
        assert parts is not None
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

    def end(self) -> None:
        if self.parts is not None:
            self.parts.end()

    # -- in a folder -------------------------------------------------------------------------
    @property
    def savable(self) -> ClusterDriver | None:
        """This driver, between two levels."""
        return self if self.level is None else None

    @property
    def program(self) -> Program:
        return self.seed.core.program

    def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
        """Have all parts write what is new, and save their progress. See `Savable`."""
        parts, seed = self.parts, self.seed.record
        if parts is None:
            return {}  # the first search is quick and deterministic
        record = self.joint
        saved = Saved(parts.count, seed.levels, record.levels, record.expanded, self.found)
        files = saved.write(_path(folder, epoch, number))
        try:
            for written in parts.of_all(Part.save, folder, epoch, number, self._scarce):
                files |= written
            if self._scarce:
                record.reports = parts.of_all(Part.report)
        except Lost as lost:  # the search will notice when it resumes
            raise OSError(str(lost)) from lost
        self._saved = record.states
        return files

    def load(
        self, folder: str, files: dict[str, int], epoch: int, number: int, apart: bool = False
    ) -> None:
        """Repeat the first search, and have new parts load what was saved. See `Savable`."""
        saved = Saved.read(_path(folder, epoch, number))
        self._again(saved)
        doing("starting the parts of the search")
        parts = self._made(self.work)
        try:
            reports = parts.of_all(Part.load, folder, files, epoch, number)
        except BaseException:
            parts.end()
            raise
        self._continue(parts, list(saved.levels), saved.expanded, reports)
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
