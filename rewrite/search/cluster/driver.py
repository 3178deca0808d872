"""A search whose states are spread over parts, as a driver of the search loop.

It begins in this process, where small spaces end. Once a level is large its states are handed to
the parts, which go on, level by level. Codes are those of the Python engine, which mean the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rewrite.engine.interface import Code, Counts
from rewrite.language.states import State
from rewrite.search.cluster.parts import SEED, Parts, Told, Work, engine_for
from rewrite.search.cluster.rounds import Level, closed
from rewrite.search.drivers.core import CoreDriver, CoreRecord
from rewrite.search.drivers.interface import Found, Turn, Watch

if TYPE_CHECKING:
    from rewrite.search.question import Question

LARGE = 100_000
"""States of a level from which on parts are worth their start."""


class Over(Exception):
    """Why a level is left between two rounds."""

    def __init__(self, why: str, limit: str = "") -> None:
        super().__init__(why, limit)
        self.why, self.limit = why, limit


class ClusterRecord:
    """What was counted, in all parts together, under the names of `Record`."""

    dropped = hopeless = reopened = 0
    inconsistent = came_back = False
    depth: int
    waiting: int

    def __init__(self, seed: CoreRecord, start: Code) -> None:
        self.seed, self.start = seed, start
        self.complete = self.begun = 0
        """States of the levels that are complete, and those known of the next."""
        self.told: list[Told] = []
        self.refresh()

    def refresh(self) -> None:
        """Take over what the first search has counted."""
        seed = self.seed
        self.complete, self.depth, self.waiting = seed.states, seed.depth, seed.waiting
        self.levels, self.expanded = list(seed.levels), seed.expanded

    def close(self, told: list[Told]) -> int:
        """Take over a level that is complete; return how many states the next one has."""
        fresh = sum(one.fresh for one in told)
        self.expanded += self.levels[-1]
        if fresh:
            self.levels.append(fresh)
            self.depth += 1
        self.told, self.waiting = told, fresh
        self.complete += fresh
        return fresh

    @property
    def states(self) -> int:
        """How many different states are known."""
        return self.complete + self.begun

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did in all parts."""
        total = self.seed.counts()
        for told in self.told:
            total = {name: counts + told.counts[name] for name, counts in total.items()}
        return total


class ClusterDriver:
    """Searches here first, then over parts, which are made when they are needed.

    begin   makes the parts that do some work
    """

    def __init__(
        self, asked: Question, work: Work, name: str, begin: Callable[[Work], Parts]
    ) -> None:
        self.work, self.name, self._begin = work, name, begin
        engine = self.engine = engine_for(work)
        self.seed = CoreDriver(
            asked, engine, engine.encode(asked.start), None, None, None, work.room.ctors, 0,
            eager=False,
        )  # fmt: skip
        self.record = ClusterRecord(self.seed.record, engine.encode(asked.start))
        self.parts: Parts | None = None
        self.level: Level | None = None
        self.ended = False
        self._before: list[int] = []

    # -- going on ----------------------------------------------------------------------------
    def turn(self, more: int | None, watch: Watch) -> Turn:
        """Go on in the first search, or through one level of all parts."""
        if self.parts is None:
            turn = self._seeded(more, watch)
            if turn.why or turn.goals:
                return turn
            self.parts = self._begin(self.work)
            self._spread(self.parts)
        if self.ended:
            return Turn("exhausted")
        try:
            return self._through_level(self.parts, watch)
        except Over as over:
            return Turn(over.why, over.limit)

    def _seeded(self, more: int | None, watch: Watch) -> Turn:
        """Go on in this process, level by level, until one is large; then the turn says nothing."""
        record, given = self.seed.record, watch.limits.max_depth
        while True:
            most = record.depth + 1 if given is None else min(given, record.depth + 1)
            watch.limits = evolve(watch.limits, max_depth=most)
            try:
                turn = self.seed.turn(more, watch)
            finally:
                watch.limits = evolve(watch.limits, max_depth=given)
            self.record.refresh()
            if turn.limit == "max_depth" and most != given:
                turn = evolve(turn, why="", limit="")
            if turn.why or turn.goals or record.levels[-1] > LARGE:
                break
        found = [evolve(one, codes=[self.seed.plain(code) for code in one.codes])
                 for one in turn.goals]  # fmt: skip
        return evolve(turn, goals=tuple(found))

    def _spread(self, parts: Parts) -> None:
        """Hand all states to the parts: first those that were expanded, then the level."""
        end = self.seed.record.states
        begin = end - self.seed.record.levels[-1]
        for states in (range(begin), range(begin, end)):
            packed = enumerate(self.seed.core.packed(states, parts.count))
            parts.got([parts.deliver(part, [SEED], [parcel]) for part, parcel in packed])
            closed(parts)

    def _through_level(self, parts: Parts, watch: Watch) -> Turn:
        record = self.record
        if watch.limits.max_depth is not None and record.depth >= watch.limits.max_depth:
            return Turn("limit", "max_depth")
        self.level = self.level or Level(parts)
        try:
            told = self.level.go_on(lambda level: self._look(level, watch))
        finally:
            record.begun = self.level.fresh
        self.level, record.begun = None, 0
        self.ended = record.close(told) == 0
        goals = [(rank, part, number)
                 for part, one in enumerate(told) for rank, number in one.goals]  # fmt: skip
        found = [Found(self._way(part, number), record.states)
                 for _, part, number in sorted(goals)]  # fmt: skip
        return Turn("exhausted" if self.ended else "", goals=tuple(found))

    def _look(self, level: Level, watch: Watch) -> None:
        """Look whether to go on. Raises Over."""
        record, limits = self.record, watch.limits
        states = record.complete + level.fresh
        watch.report(states, record.depth, record.waiting, lambda: level.memory)
        if watch.budget.asked:
            raise Over("interrupted")
        if watch.pauses(states):
            raise Over("paused")
        if limits.max_states is not None and states >= limits.max_states:
            raise Over("limit", "max_states")
        if watch.budget.late():
            raise Over("limit", "max_seconds")
        if limits.max_memory is not None and level.memory >= limits.max_memory:
            raise Over("limit", "max_memory")

    # -- states ------------------------------------------------------------------------------
    def _way(self, part: int, number: int) -> list[Code]:
        """Return the codes from the start to a state of a part."""
        way = []
        while True:
            way.append(self._asked(part, "plain", number))
            part, number = self._asked(part, "origin", number)
            if part == SEED:
                break
        # the last of these is a state of the first search, under the number that is known now
        before = self._before = self._before or list(self.seed.record.parents.values())
        while number != 0:
            number = before[number]
            way.append(self.seed.plain(number))
        return way[::-1]

    def _asked(self, part: int, what: str, number: int) -> Any:
        assert self.parts is not None
        return self.parts.got([self.parts.ask(part, what, number)])[0]

    def decode(self, code: Code) -> State:
        """Return the state of a code."""
        return self.engine.decode(code)

    def plain(self, code: Code) -> Code:
        """Return the code itself: it is one of the Python engine."""
        return code

    def expand(self, code: Code) -> list[Code]:
        """Return the different successors of a code, without counting."""
        return list(dict.fromkeys(self.engine.successors(code)))

    def failed_in(self, failure: Exception) -> Iterator[State]:
        """Yield the states in which something failed, as far as that can be found out."""
        return self.seed.failed_in(failure)

    def end(self) -> None:
        """End here."""
        if self.parts is not None:
            self.parts.end()
