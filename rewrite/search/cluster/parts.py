"""What is asked of the parts of a search, wherever they run, and what one of them does."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Protocol, TypeVar

from attrs import field, frozen

from rewrite.compiler.room import NeedsRoom, Room
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.engine.interface import Code, Counts, Engine
from rewrite.language.conditions import Condition
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.native import PROTOCOL
from rewrite.native.part import NativePart

T_co = TypeVar("T_co", covariant=True)

OPEN_SLOTS = "their values get numbers one after the other, in each process others"
SEED = 2**16 - 1
"""The number that stands for the search that came before there were parts, as an origin."""


class Promised(Protocol[T_co]):
    """Something that a part has been asked for; `Parts.got` waits for it."""


@frozen
class Work:
    """What every part is told: the same puzzle, the same start, the same room for states."""

    puzzle: Puzzle
    start: State
    goal: Condition | None
    room: Room
    parts: int


@frozen
class Hello:
    """What a part says before it begins: all must say the same."""

    rewrite: str
    protocol: int
    python: str


@frozen
class Delivered:
    """What came of parcels: how many states are new, and the bytes that the part uses."""

    fresh: int
    memory: int


@frozen
class Told:
    """What a part says at the end of a level.

    fresh   how many states the level has here
    goals   those of them that are goals, by rank: (rank, number)
    """

    fresh: int
    states: int
    memory: int
    goals: tuple[tuple[int, int], ...] = ()
    counts: dict[str, Counts] = field(factory=dict)


def engine_for(work: Work) -> Engine:
    """Return an engine whose codes mean the same in every process. Raises NeedsRoom."""
    engine = build(Task(work.puzzle, work.start, work.goal, (), shared=False), work.room)
    over = engine.reasoning
    if over is not None and not all(slots.closed for slots in over.layout.slots.values()):
        raise NeedsRoom(Room(multiset=[OPEN_SLOTS]))
    return engine


class Part:
    """Does the work of one part."""

    def __init__(self, work: Work, me: int) -> None:
        self.work, self.me = work, me
        engine = engine_for(work)
        start = engine.encode(work.start)
        self.native = NativePart(
            engine, start, work.goal is not None, me, work.parts, work.room.ctors
        )

    def hello(self) -> Hello:
        """Say who is there."""
        return Hello(version("rewrite"), PROTOCOL, platform.python_version())

    def expand(self, at: int, most: int) -> tuple[int | None, list[bytes]]:
        """Expand states of the level from `at` on; where to go on (None: nowhere), and parcels."""
        following, parcels = self.native.expand(at, most)
        return (None if following >= self.native.level.stop else following), parcels

    def deliver(self, sources: Sequence[int], parcels: Sequence[bytes]) -> Delivered:
        """Take parcels, each from one part."""
        pairs = zip(sources, parcels, strict=True)
        fresh = sum(self.native.deliver(source, parcel) for source, parcel in pairs if parcel)
        return Delivered(fresh, self.native.memory)

    def close(self) -> Told:
        """Make what was delivered the level."""
        fresh, goals = self.native.close(), tuple(sorted(self.native.goals()))
        return Told(fresh, self.native.states, self.native.memory, goals, self.native.counts())

    def origin(self, number: int) -> tuple[int, int]:
        """Return where a state came from."""
        return self.native.origin(number)

    def plain(self, number: int) -> Code:
        """Return the code of a state, which means the same to the engine of every part."""
        return self.native.plain(number)


class Parts(Protocol):
    """All parts, each doing one thing after the other, in the order in which it is asked."""

    count: int

    def expand(
        self, part: int, at: int, most: int
    ) -> tuple[Promised[int | None], Sequence[Promised[bytes]]]:
        """Ask a part to expand."""

    def deliver(
        self, part: int, sources: Sequence[int], parcels: Sequence[Promised[bytes]]
    ) -> Promised[Delivered]:
        """Hand parcels to a part, without reading them here."""

    def ask(self, part: int, what: str, *args: Any) -> Promised[Any]:
        """Ask a part for something else that it does, by name."""

    def got(self, wanted: Sequence[Promised[Any]]) -> list[Any]:
        """Wait for what was asked for. Raises what a part raised; looks for Ctrl-C meanwhile."""

    def end(self) -> None:
        """Nothing more will be asked."""
