"""IDA*: A* in rounds of depth-first search, within ever higher bounds on cost plus estimate.

(Korf, *Depth-first iterative-deepening*, AIJ 1985.) Only the path that is followed is kept, so the
memory is that of the longest path; a state that many paths lead to is expanded for each of them. A
path does not come back to a state it has been in. What a round meets first beyond its bound is the
bound of the next: so the first answer is the cheapest, if the heuristic never overestimates.

`states` are here those of the longest path that was held; `expanded` counts all rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

from attrs import define, frozen

from rewrite.engine.interface import Code
from rewrite.search.drivers.record import Pauses, Record

BETWEEN_LOOKS = 256
"""Expansions after which limits are looked at."""


@frozen(eq=False)
class Way:
    """A path to a goal."""

    code: Code
    path: tuple[Code, ...]

    def codes(self) -> list[Code]:
        """Return the codes of the path, the start first."""
        return list(self.path)


@define
class Frame:
    """A state on the path, with the steps out of it that were not tried yet, the next one last."""

    code: Code
    cost: int
    reach: Any
    """The greatest of cost plus estimate on the way here."""
    left: list[tuple[Code, int]]


def idastar(record: Record) -> Iterator[list[Any]]:
    """Yield paths to goals, each goal state once; and empty batches between."""
    search = _Rounds(record)
    lowest = record.weight * search.estimate(record.start)
    if lowest == float("inf"):
        record.ruled_out.add(record.start)
        return
    while True:
        bound: Any = lowest
        search.done, search.cut = -1, False
        while bound is not None:
            yield from search.round(bound)
            search.done, bound = bound, search.above
        if not search.cut:
            return
        reached = record.limits.max_depth
        while record.too_deep(reached or 0):
            record.blocked = "max_depth"
            yield []


class _Rounds:
    def __init__(self, record: Record) -> None:
        self.record, self.engine = record, record.engine
        self.estimate = record.heuristic or (lambda code: 0)
        self.answered: set[Code] = set()
        self.done: Any = -1
        """The bound of the last round: what is within it was tested then."""
        self.above: Any = None
        self.cut = False
        """Whether `max_depth` kept a state from being expanded that leads on."""
        record.longest = 1

    def round(self, bound: Any) -> Iterator[list[Any]]:
        """Follow all paths within the bound; afterwards `above` is the next one, if there is."""
        record, self.above = self.record, None
        path: list[Frame] = []
        here = record.parents = {record.start: record.start}
        start = Frame(record.start, 0, bound, [])
        yield (yield from self._goal([start]))
        yield from self._expand(start, path, here)
        while path:
            frame = path[-1]
            if not frame.left:
                path.pop()
                if path:
                    del here[frame.code]
                continue
            code, cost = frame.left.pop()
            if code in here:
                continue
            here[code] = frame.code
            record.longest = max(record.longest, len(here))
            value = self.estimate(code)
            if value == float("inf"):
                record.ruled_out.add(code)
                del here[code]
                continue
            reach = max(frame.reach, frame.cost + cost + record.weight * value)
            if reach > bound:
                self.above = reach if self.above is None else min(self.above, reach)
                del here[code]
                continue
            following = Frame(code, frame.cost + cost, reach, [])
            record.depth = max(record.depth, len(path))
            if reach > self.done:
                found = yield from self._goal([*path, following])
                if found:
                    yield found
            yield from self._expand(following, path, here)
            if not record.expanded % BETWEEN_LOOKS:
                yield []

    def _goal(self, path: list[Frame]) -> Pauses[list[Any]]:
        """Return the path as a batch if it leads to a goal that was not reached yet."""
        code = path[-1].code
        if code in self.answered:
            return []
        with self.record.uncounted() if self.record.looks_ahead else nullcontext():
            if not (yield from self.record.step(self.engine.goal, code)):
                return []
        self.answered.add(code)
        self.record.costs = {frame.code: frame.cost for frame in path}
        return [Way(code, tuple([frame.code for frame in path]))]

    def _expand(self, frame: Frame, path: list[Frame], here: dict[Code, Code]) -> Pauses[None]:
        record, depth = self.record, len(path)
        path.append(frame)
        record.waiting = len(path)
        if record.too_deep(depth):
            if not self.cut:
                with record.uncounted():
                    found = yield from record.step(self.engine.successors, frame.code)
                self.cut = any(code not in here for code in found)
            return
        steps = yield from record.step(self.engine.weighted, frame.code)
        record.expanded += 1
        least: dict[Code, int] = {}
        for cost, code in steps:
            least[code] = min(cost, least.get(code, cost))
        frame.left = list(least.items())[::-1]
