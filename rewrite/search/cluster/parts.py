"""What is asked of the parts of a search, wherever they run, and what one of them does."""

from __future__ import annotations

import os
import platform
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from attrs import field, frozen

from rewrite.checkpoints.checkpoint_writer import version
from rewrite.checkpoints.folder import sync
from rewrite.compiler.capacity import Capacity, NeedsCapacity
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.engine.counts import Code, Counts
from rewrite.engine.interface import Engine
from rewrite.language.conditions import Condition
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.native import PROTOCOL, status
from rewrite.native.part import NativePart
from rewrite.native.trouble import Failed
from rewrite.search.checkpointing import program_digest

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

OPEN_SLOTS = "their values get numbers one after the other, in each process others"
SEED = 2**16 - 1
"""The number that stands for the search that came before there were parts, as an origin."""
FOLDER = "part-{}"
"""Where a part keeps its files, inside the folder of the search."""


class Lost(Exception):
    """A part is gone, and with it the states that it held. Says which and why."""


class Promised(Protocol[T_co]):
    """Something that a part has been asked for; `Parts.got` waits for it."""


@frozen
class Work:
    """What every part is told.

    start, goal  those of the search: they decide how states are kept
    first        the start as a code; in canonical form where symmetry reduces the search
    canon        that symmetry, as the core takes it
    """

    puzzle: Puzzle
    start: State
    goal: Condition | None
    capacity: Capacity
    parts: int
    first: Code
    canon: dict[str, Any] | None = None


@frozen
class Hello:
    """What a process says before it becomes a part; all must have the same versions."""

    where: str
    rewrite: str
    protocol: int
    python: str
    core: str = ""
    """Why it has no core; "" where it has one."""

    @classmethod
    def mine(cls) -> Hello:
        """Return what this process has to say."""
        found = status()
        return cls(
            f"{socket.gethostname()} (process {os.getpid()})", version(), PROTOCOL,
            platform.python_version(), "" if found.usable else found.reason,
        )  # fmt: skip

    @property
    def versions(self) -> tuple[str, int, str]:
        """What must be the same."""
        return self.rewrite, self.protocol, self.python


@frozen
class Delivered:
    """What came of parcels: how many states are new, and the bytes that the part uses."""

    fresh: int
    memory: int


@frozen
class LevelReport:
    """What a part says at the end of a level.

    fresh   how many states the level has here
    goals   those of them that are goals, by rank: (rank, number)
    """

    fresh: int
    states: int
    memory: int
    goals: tuple[tuple[int, int], ...] = ()
    counts: dict[str, Counts] = field(factory=dict)


@frozen
class Step:
    """A state of a part: its code, and where it came from."""

    code: Code
    part: int
    number: int


def engine_for(puzzle: Puzzle, start: State, goal: Condition | None, capacity: Capacity) -> Engine:
    """Return an engine whose codes mean the same in every process. Raises NeedsCapacity."""
    engine = build(Task(puzzle, start, goal, alone=True), capacity)
    over = engine.reasoning
    if over is not None and not all(slots.closed for slots in over.layout.slots.values()):
        raise NeedsCapacity(Capacity(multiset=[OPEN_SLOTS]))
    return engine


class Part:
    """Does the work of one part.

    engine   that of this work, where there is one already
    """

    def __init__(self, work: Work, me: int, engine: Engine | None = None) -> None:
        self.work, self.me = work, me
        engine = engine or engine_for(work.puzzle, work.start, work.goal, work.capacity)
        self.native = NativePart(
            engine, work.first, work.goal is not None, me, work.parts, work.capacity.ctors,
            work.canon,
        )  # fmt: skip

    def program(self) -> str:
        """Return a digest of what is run here: the same in all parts."""
        return program_digest(self.native.program)

    def expand(self, at: int, most: int) -> tuple[int | None, list[bytes]]:
        """Expand states of the level from `at` on; where to go on (None: nowhere), and parcels."""
        with self._failing():
            following, parcels = self.native.expand(at, most)
        return (None if following >= self.native.level.stop else following), parcels

    def deliver(self, sources: Sequence[int], parcels: Sequence[bytes]) -> Delivered:
        """Take parcels, each from one part."""
        pairs = zip(sources, parcels, strict=True)
        fresh = sum(self.native.deliver(source, parcel) for source, parcel in pairs if parcel)
        return Delivered(fresh, self.native.memory)

    def close(self) -> LevelReport:
        """Make what was delivered the level."""
        with self._failing():
            self.native.close()
            goals = tuple(sorted(self.native.goals()))
        return self.report(goals)

    def report(self, goals: tuple[tuple[int, int], ...] = ()) -> LevelReport:
        """Say how many states there are and what rules did."""
        native = self.native
        return LevelReport(len(native.level), native.states, native.memory, goals, native.counts())

    def steps(self, numbers: Iterable[int]) -> list[Step]:
        """Return states, by codes that mean the same to the engine of every part."""
        return [Step(self.native.plain(one), *self.native.origin(one)) for one in numbers]

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Name a state in which something fails so that others understand it."""
        try:
            yield
        except Failed as failed:
            known = None if failed.state is None else self.native.plain(failed.state)
            raise Failed(str(failed), known) from None

    # -- in a folder -------------------------------------------------------------------------
    def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
        """Write what is new, between two levels; return the files needed, with their lengths."""
        name = FOLDER.format(self.me)
        mine = Path(folder, name)
        mine.mkdir(exist_ok=True)
        files = self.native.save(str(mine), epoch, number)
        sync(mine)
        return {f"{name}/{file}": length for file, length in files.items()}

    def load(self, folder: str, files: dict[str, int], epoch: int, number: int) -> None:
        """Take over what was saved; these are the files of all parts. Raises Damaged, OSError."""
        name = FOLDER.format(self.me)
        mine = {
            file.removeprefix(f"{name}/"): length
            for file, length in files.items()
            if file.startswith(f"{name}/")
        }
        self.native.load(str(Path(folder, name)), mine, epoch, number)


class Parts(ABC):
    """All parts, each doing one thing after the other, in the order in which it is asked."""

    count: int

    @abstractmethod
    def expand(
        self, part: int, at: int, most: int
    ) -> tuple[Promised[int | None], Sequence[Promised[bytes]]]:
        """Ask a part to expand."""

    @abstractmethod
    def deliver(
        self, part: int, sources: Sequence[int], parcels: Sequence[Promised[bytes]]
    ) -> Promised[Delivered]:
        """Hand parcels to a part, without reading them here."""

    @abstractmethod
    def ask(self, part: int, what: Callable[..., T], *args: Any) -> Promised[T]:
        """Ask a part for something else that it does: a method of `Part`, and its arguments."""

    def close(self, part: int) -> Promised[LevelReport]:
        """Ask a part to make what was delivered the level."""
        return self.ask(part, Part.close)

    def save(self, part: int, folder: str, epoch: int, number: int) -> Promised[dict[str, int]]:
        """Ask a part to write what is new."""
        return self.ask(part, Part.save, folder, epoch, number)

    def load(
        self, part: int, folder: str, files: dict[str, int], epoch: int, number: int
    ) -> Promised[None]:
        """Ask a part to take over what was saved."""
        return self.ask(part, Part.load, folder, files, epoch, number)

    @abstractmethod
    def got(self, wanted: Sequence[Promised[T]]) -> list[T]:
        """Wait for what was asked for. Raises what a part raised, or Lost."""

    @abstractmethod
    def end(self) -> None:
        """Nothing more will be asked."""

    def of_all(self, asked: Callable[[int], Promised[T]]) -> list[T]:
        """Ask every part for the same, and wait for it."""
        return self.got([asked(part) for part in range(self.count)])
