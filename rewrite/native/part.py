"""A part of the states of a search that is spread over processes, inside the core.

Each state is at home in one part; its key alone says in which. Parts hand each other parcels: bytes
that mean the same in every process and may be delivered twice.
"""

from __future__ import annotations

from typing import Any

from rewrite.compiler.interning import Ctor
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine
from rewrite.native.machine import OnCore
from rewrite.native.program import lowered


class NativePart(OnCore):
    """Part `me` of `parts`; it holds the start if that is at home here.

    start   a code of the engine, in canonical form with `canon`, which is as that of a search. All
            parts must be given the same, and the same goal
    """

    def __init__(
        self, engine: Engine, start: Code, goal: bool, me: int, parts: int,
        ctors: frozenset[Ctor] = frozenset(), canon: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(engine, lowered(engine, start, goal, None, None, ctors, canon=canon))
        self.running = self.run("Partition", self.program.start, me, parts)

    def expand(self, at: int, most: int) -> tuple[int, list[bytes]]:
        """Expand states of the level from number `at` on, until `most` bytes are packed.

        Returns the number to go on with, and a parcel for each part.
        """
        found: tuple[int, list[bytes]] = self.running.expand(at, most)
        return found

    def deliver(self, source: int, parcel: bytes) -> int:
        """Take what a part has packed; return how many states of it are new."""
        return int(self.running.deliver(source, parcel))

    def close(self) -> int:
        """Make what was delivered the level; return how many states it has."""
        return int(self.running.close())

    def goals(self) -> list[tuple[int, int]]:
        """Return the states of the level that are goals: ranks, on which all agree, and numbers."""
        found: list[tuple[int, int]] = self.running.goals()
        return found

    def origin(self, number: int) -> tuple[int, int]:
        """Return where a state came from: the part, and the number there."""
        found: tuple[int, int] = self.running.origin(number)
        return found

    @property
    def level(self) -> range:
        """The numbers of the states of the level."""
        return range(*self.running.level())

    @property
    def states(self) -> int:
        return int(self.running.size()[0])

    @property
    def memory(self) -> int:
        return int(self.running.size()[1])

    def load(self, folder: str, files: dict[str, int], epoch: int, number: int) -> None:
        """Take over what another process saved, before anything else."""
        self.running.load(folder, files, epoch, number)
