"""What a search remembers: the states it has seen, how each was reached, and what it counted."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from rewrite.engine.interface import Code, Engine
from rewrite.search.limits import Limits

Heuristic = Callable[[Code], float]


class Record:
    """Shared by the loop and a strategy. `parents` holds every state seen, in order of discovery.

    A strategy notes states in `parents`, sizes of complete levels in `levels`, and says in `blocked`
    which limit kept it from going on; it leaves goals, the other limits and results to the loop.
    """

    def __init__(self, engine: Engine, start: Code, limits: Limits) -> None:
        self.engine, self.start, self.limits = engine, start, limits
        self.parents: dict[Code, Code] = {}
        self.costs: dict[Code, int] = {}
        self.levels: list[int] = [1]
        self.depth = 0
        self.expanded = 0
        self.waiting = 1
        self.blocked: str | None = None
        self.dropped = 0
        """States thrown away by a bounded frontier: with any, nothing is proved absent."""
        self.reopened = 0
        self.heuristic: Heuristic | None = None
        self.weight = 1.0
        self.width = 1000
        self.random: random.Random | None = None
        if limits.min_depth == 0:
            self.parents[start] = start  # else the start may be reached again, through a cycle

    @property
    def states(self) -> int:
        """The number of different states seen."""
        return len(self.parents) + (self.start not in self.parents)

    def trail(self, code: Code) -> list[Code]:
        """Return the codes from the start to `code`, following parents."""
        out = [code]
        if code == self.start and (self.limits.min_depth == 0 or code not in self.parents):
            return out
        while True:
            code = self.parents[code]
            out.append(code)
            if code == self.start:
                return out[::-1]

    def batch_size(self) -> int:
        """Return how many states to expand before limits are looked at again.

        Grows with the search, shrinks near `max_states`; depends on nothing but the counts.
        """
        size = min(1024, max(16, self.expanded))
        if self.limits.max_states is not None:
            size = min(size, max(1, (self.limits.max_states - self.states) // 8))
        return size
