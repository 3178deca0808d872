"""The table of a pattern: exact distances of all abstract states to the abstract goals.

Dijkstra's algorithm backwards from the goals, with a bucket for each distance; distances of 254 and
more count as 254, and 255 stands for "no way". The core does the same, faster.
"""

from __future__ import annotations

from itertools import product

from rewrite.budget import BETWEEN_LOOKS, tick
from rewrite.native import core_or_none
from rewrite.native.trouble import Reported
from rewrite.reasoning.patterns.projections import Pattern, Step

FARTHEST = 254
NO_WAY = 255


def table(pattern: Pattern) -> bytes:
    """Return the distance of each abstract state; the number of the last variable counts least."""
    tick(BETWEEN_LOOKS)
    core = core_or_none()
    if core is None:
        return distances(pattern)
    steps = [
        (min(one.cost, FARTHEST), one.tests, one.misses, one.sets, one.copies, one.shifts)
        for one in pattern.steps
    ]
    with Reported(core):
        made: bytes = core.pattern_distances(
            pattern.sizes, pattern.counted, bool(pattern.places), steps, pattern.goals
        )
    return made


def distances(pattern: Pattern) -> bytes:
    """Return the table, made in Python: the twin of what the core does."""
    strides = pattern.strides
    found = bytearray([NO_WAY]) * pattern.entries
    buckets: list[list[tuple[int, ...]]] = [[] for _ in range(FARTHEST + 1)]

    def reach(state: tuple[int, ...], distance: int) -> None:
        index = sum(map(int.__mul__, state, strides))
        if distance < found[index]:
            found[index] = distance
            buckets[distance].append(state)

    for goal in pattern.goals:
        for state in product(*goal):
            if not pattern.places or len(set(state)) == len(state):
                reach(state, 0)
    backwards = [_Backwards(step, pattern.counted) for step in pattern.steps]
    for distance, bucket in enumerate(buckets):
        for state in bucket:  # grows by steps that cost nothing
            if found[sum(map(int.__mul__, state, strides))] < distance:
                continue
            tick(len(backwards))
            for step in backwards:
                before = step.before(state)
                if before is not None:
                    cost = step.cost if before[: step.counted] != state[: step.counted] else 0
                    reach(before, min(FARTHEST, distance + cost))
    return bytes(found)


class _Backwards:
    def __init__(self, step: Step, counted: int) -> None:
        self.step, self.cost, self.counted = step, min(step.cost, FARTHEST), counted
        self.shifts = dict(step.shifts)

    def before(self, state: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the abstract state before the step that leads to this one, if there is one."""
        step = self.step
        if any(state[variable] != value for variable, value in step.tests):
            return None
        if any(state[variable] == value for variable, value in step.misses):
            return None
        made = [self.shifts.get(value, value) for value in state] if self.shifts else list(state)
        for variable, other in step.copies:
            made[variable] = state[other]
        for variable, value in step.sets:
            made[variable] = value
        return tuple(made)
