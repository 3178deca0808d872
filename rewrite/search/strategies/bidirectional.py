"""Bidirectional search: from the start and from all goal states at once, until both meet.

If every step costs 1, whole levels are expanded, of the smaller frontier (Pohl 1971): as no
state was in both before, the first one that a level reaches in the other frontier is on a shortest
path. Otherwise both ends search by cost, until no cheaper meeting is possible (Nicholson 1966).

An end that has seen far more states than the other waits: it may be infinite, the other finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Any

from rewrite.engine.counts import Code, trail
from rewrite.search.drivers.interface import GoalHit
from rewrite.search.drivers.python import Pauses, Record

SET = 80
"""Roughly the most bytes that a set uses per state while it is built."""
FAR_MORE = 4
FEW = 100
"""An end has seen far more states than the other: more than `FAR_MORE` times as many and `FEW`."""


def bidirectional(record: Record) -> Pauses[None]:
    """Search from both ends. Memory: all states seen."""
    ends = record.ends
    assert ends is not None
    record.parents.update((goal, goal) for goal in ends.goals)
    if not ends.weighted:
        record.levels.append(len(ends.goals))
    yield record.test([record.start])
    path = yield from (_by_cost if ends.weighted else _by_levels)(record, ends)
    if path:
        yield iter([GoalHit(path, record.states)])


def _turn(preferred: int, seen: Sequence[int]) -> int:
    """Return which end goes on."""
    waits = seen[preferred] > FEW + FAR_MORE * seen[1 - preferred]
    return 1 - preferred if waits else preferred


def _by_levels(record: Record, ends: Any) -> Pauses[list[Code]]:
    """Return a path with the fewest steps, empty if there is none."""
    parents, engines = record.parents, (record.engine, ends.inverse)
    frontiers: list[list[Code]] = [[record.start], list(ends.goals)]
    seen = [1, len(ends.goals)]
    while all(frontiers):
        while record.too_deep(record.depth):
            record.blocked = "max_depth"
            yield None
        side = _turn(int(len(frontiers[1]) < len(frontiers[0])), seen)
        level, other, successors = frontiers[side], frontiers[1 - side], engines[side].successors
        record.announced = SET * len(other)
        yield None
        record.announced = 0
        there, met, following = set(other), None, list[Code]()
        at = 0
        while at < len(level):
            batch = level[at : at + record.batch_size()]
            at += len(batch)
            for code in batch:
                for successor in (yield from record.step(successors, code)):
                    if successor not in parents:
                        parents[successor] = code
                        following.append(successor)
                    elif met is None and successor in there:
                        met = code, successor
            record.expanded += len(batch)
            record.waiting = len(level) - at + len(following) + len(other)
            yield None
            if met is not None:
                near, far = met[side], met[1 - side]
                return trail(parents, near)[::-1] + trail(parents, far)
        there.clear()
        record.depth += 1
        frontiers[side] = following
        seen[side] += len(following)
        if following:
            record.levels.append(len(following))
    return []


class _Side:
    """One end of a search by cost.

    The queue has cost, number, depth and state; entries that a cheaper path replaced stay in it.
    """

    def __init__(self) -> None:
        self.costs: dict[Code, int] = {}
        self.parents: dict[Code, Code] = {}
        self.closed: set[Code] = set()
        self.queue: list[tuple[int, int, int, Code]] = []
        self.numbers = count()
        self.depth = 0

    def reach(self, code: Code, cost: int, depth: int, parent: Code) -> None:
        self.costs[code], self.parents[code] = cost, parent
        heappush(self.queue, (cost, next(self.numbers), depth, code))

    def top(self) -> int | None:
        """Return the least cost of a queued state, None if there is none."""
        while self.queue:
            cost, _, _, code = self.queue[0]
            if code not in self.closed and self.costs[code] == cost:
                return cost
            heappop(self.queue)
        return None

    def pop(self) -> tuple[int, int, Code]:
        """Return cost, depth and code of the next state, and close it; `top` was called before."""
        cost, _, depth, code = heappop(self.queue)
        self.closed.add(code)
        self.depth = max(self.depth, depth)
        return cost, depth, code


def _by_cost(record: Record, ends: Any) -> Pauses[list[Code]]:
    """Return a path of the least cost, empty if there is none."""
    parents, engines = record.parents, (record.engine, ends.inverse)
    sides = (_Side(), _Side())
    for one in sides:
        record.tables += one.costs, one.parents, one.closed
    sides[0].reach(record.start, 0, 0, record.start)
    for goal in ends.goals:
        sides[1].reach(goal, 0, 0, goal)
    best: int | None = None
    met = record.start
    while True:
        tops = [side.top() for side in sides]
        if tops[0] is None or tops[1] is None or (best is not None and sum(tops) >= best):  # type: ignore[arg-type]
            break
        side = _turn(int(tops[1] < tops[0]), [len(one.costs) for one in sides])
        here, there = sides[side], sides[1 - side]
        cost, depth, code = here.pop()
        for step, successor in (yield from record.step(engines[side].weighted, code)):
            total = cost + step
            parents.setdefault(successor, code)
            if successor not in here.costs or total < here.costs[successor]:
                here.reach(successor, total, depth + 1, code)
                if successor in there.costs:
                    whole = total + there.costs[successor]
                    if best is None or whole < best:
                        best, met = whole, successor
        record.expanded += 1
        record.depth = sides[0].depth + sides[1].depth
        record.waiting = len(sides[0].queue) + len(sides[1].queue)
        yield None
    if best is None:
        return []
    return trail(sides[0].parents, met)[:0:-1] + trail(sides[1].parents, met)
