"""A part of the states of a search that is spread over processes, inside the core.

Each state is at home in one part; its key alone says in which. Parts hand each other parcels: bytes
that mean the same in every process and may be delivered twice.
"""

from __future__ import annotations

from typing import Any

from rewrite.compiler.interning import Ctor
from rewrite.engine.counts import Code, Counts
from rewrite.engine.interface import Engine
from rewrite.language.states import State
from rewrite.native import core
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
        with self._translated():
            self.part = core().Partition(self.machine, self.program.start, me, parts)

    def expand(self, at: int, most: int) -> tuple[int, list[bytes]]:
        """Expand states of the level from number `at` on, until `most` bytes are packed.

        Returns the number to go on with, and a parcel for each part.
        """
        with self._translated():
            found: tuple[int, list[bytes]] = self.part.expand(at, most)
        return found

    def deliver(self, source: int, parcel: bytes) -> int:
        """Take what a part has packed; return how many states of it are new."""
        with self._translated():
            found: int = self.part.deliver(source, parcel)
        return found

    def close(self) -> int:
        """Make what was delivered the level; return how many states it has."""
        with self._translated():
            found: int = self.part.close()
        return found

    def goals(self) -> list[tuple[int, int]]:
        """Return the states of the level that are goals: ranks, on which all agree, and numbers."""
        with self._translated():
            found: list[tuple[int, int]] = self.part.goals()
        return found

    def origin(self, number: int) -> tuple[int, int]:
        """Return where a state came from: the part, and the number there."""
        with self._translated():
            found: tuple[int, int] = self.part.origin(number)
        return found

    @property
    def level(self) -> range:
        """The numbers of the states of the level."""
        with self._translated():
            return range(*self.part.level())

    @property
    def states(self) -> int:
        """How many states are at home here."""
        with self._translated():
            return int(self.part.size()[0])

    @property
    def memory(self) -> int:
        """Bytes in use."""
        with self._translated():
            return int(self.part.size()[1])

    def plain(self, number: int) -> Code:
        """Return the Python engine's code of a state."""
        with self._translated():
            self.learn()
            return self.part.code(number)

    def decode(self, number: int) -> State:
        """Return the state of a number."""
        return self.engine.decode(self.plain(number))

    def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
        """Write what is new since the last save, between two levels; see `Savable`."""
        with self._translated():
            files: dict[str, int] = self.part.save(folder, epoch, number)
        return files

    def load(self, folder: str, files: dict[str, int], epoch: int, number: int) -> None:
        """Take over what another process saved, before anything else."""
        with self._translated():
            self.part.load(folder, files, epoch, number)

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did here so far."""
        with self._translated():
            counted = self.part.counts()
        return self._counted(counted)
