"""The interface to the parts of a search, wherever they run, and what one of them does."""

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
"""As an origin: the number of the first search, before there were parts."""
FOLDER = "part-{}"
"""The subfolder of a part, inside the folder of the search."""


class Lost(Exception):
    """A part is lost, with its states. Says which and why."""


class Promised(Protocol[T_co]):
    """A pending result of a part; `Parts.got` waits for it."""


@frozen
class Work:
    """What every part is given.

    start, goal  those of the search: they determine the encoding of states
    first        the start as a code; in canonical form if symmetry reduces the search
    canon        that symmetry, in the core's format
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
    """The greeting of a process before it becomes a part; all must have the same versions."""

    where: str
    rewrite: str
    protocol: int
    python: str
    core: str = ""
    """Why it has no core; "" if it has one."""

    @classmethod
    def mine(cls) -> Hello:
        """Return the greeting of this process."""
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
    """The outcome of parcels: how many states are new, and the bytes that the part uses."""

    fresh: int
    memory: int


@frozen
class LevelReport:
    """The report of a part at the end of a level.

    fresh   how many states of the level are here
    goals   the goals among them, by rank: (rank, number)
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

    engine   that of this work, if it exists already
    """

    def __init__(self, work: Work, me: int, engine: Engine | None = None) -> None:
        self.work, self.me = work, me
        engine = engine or engine_for(work.puzzle, work.start, work.goal, work.capacity)
        self.native = NativePart(
            engine, work.first, work.goal is not None, me, work.parts, work.capacity.ctors,
            work.canon,
        )  # fmt: skip

    def program(self) -> str:
        """Return a digest of the program: the same in all parts."""
        return program_digest(self.native.program)

    def expand(self, at: int, most: int) -> tuple[int | None, list[bytes]]:
        """Expand states of the level from `at`; return where to go on (None: done), and parcels."""
        with self._failing():
            following, parcels = self.native.expand(at, most)
        return (None if following >= self.native.level.stop else following), parcels

    def deliver(self, sources: Sequence[int], parcels: Sequence[bytes]) -> Delivered:
        """Receive parcels, each from one part."""
        pairs = zip(sources, parcels, strict=True)
        fresh = sum(self.native.deliver(source, parcel) for source, parcel in pairs if parcel)
        return Delivered(fresh, self.native.memory)

    def close(self) -> LevelReport:
        """Make the delivered states the level."""
        with self._failing():
            self.native.close()
            goals = tuple(sorted(self.native.goals()))
        return self.report(goals)

    def report(self, goals: tuple[tuple[int, int], ...] = ()) -> LevelReport:
        """Report how many states there are and what rules did."""
        native = self.native
        return LevelReport(len(native.level), native.states, native.memory, goals, native.counts())

    def steps(self, numbers: Iterable[int]) -> list[Step]:
        """Return states, in codes that mean the same in every part."""
        return [Step(self.native.plain(one), *self.native.origin(one)) for one in numbers]

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Name the state of a failure by a code that means the same everywhere."""
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
        """Load what was saved, given the files of all parts. Raises Damaged, OSError."""
        name = FOLDER.format(self.me)
        mine = {
            file.removeprefix(f"{name}/"): length
            for file, length in files.items()
            if file.startswith(f"{name}/")
        }
        self.native.load(str(Path(folder, name)), mine, epoch, number)


class Parts(ABC):
    """All parts; each handles its requests one by one, in order."""

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
        """Call another method of `Part` on a part, with these arguments."""

    def close(self, part: int) -> Promised[LevelReport]:
        """Ask a part to make the delivered states the level."""
        return self.ask(part, Part.close)

    def save(self, part: int, folder: str, epoch: int, number: int) -> Promised[dict[str, int]]:
        """Ask a part to write what is new."""
        return self.ask(part, Part.save, folder, epoch, number)

    def load(
        self, part: int, folder: str, files: dict[str, int], epoch: int, number: int
    ) -> Promised[None]:
        """Ask a part to load what was saved."""
        return self.ask(part, Part.load, folder, files, epoch, number)

    @abstractmethod
    def got(self, wanted: Sequence[Promised[T]]) -> list[T]:
        """Wait for requested results. Raises what a part raised, or Lost."""

    @abstractmethod
    def end(self) -> None:
        """Release the parts: no more requests will follow."""

    def of_all(self, asked: Callable[[int], Promised[T]]) -> list[T]:
        """Make the same request to every part, and wait for all."""
        return self.got([asked(part) for part in range(self.count)])
