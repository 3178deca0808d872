"""When a search is saved: not often, and never for more than a twentieth of the time."""

from __future__ import annotations

import time
from collections.abc import Callable

EVERY = 60.0
"""Seconds between two saves."""
TIMES = 20
"""The next save waits at least this many times the duration of the last one."""


class Schedule:
    """Decides when the next save is due, by a clock of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._next = clock() + EVERY

    def due(self) -> bool:
        """Whether it is time to save."""
        return self.clock() >= self._next

    def saved(self, began: float) -> None:
        """Record that a save begun at that time has ended, successfully or not."""
        now = self.clock()
        self._next = now + max(EVERY, TIMES * (now - began))
