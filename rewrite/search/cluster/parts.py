"""One part of the states of a search, and the interface to all parts, wherever they run.

Each state belongs to one part, determined by its key alone. Parts exchange parcels: bytes that mean
the same in every process and may be delivered twice.
"""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rewrite.checkpoints.checkpoint_writer import version
from rewrite.checkpoints.folder import sync
from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.counts import Code, Counts
from rewrite.engine.interface import Engine
from rewrite.language.conditions import Condition
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.native import PROTOCOL, status
from rewrite.native.machine import OnCore
from rewrite.native.program import lowered
from rewrite.native.trouble import Failed
from rewrite.search.checkpointing import program_digest

OPEN_SLOTS = "their values get numbers one after the other, in each process others"
SEED = 2**16 - 1
"""As an origin: the number of the first search, before there were parts."""


class Lost(Exception):
    """A part is lost, with its states. The message says which and why."""


@frozen
class Work:
    """What every part receives.

    start, goal  the search's; they determine the encoding of states
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
        found = status()
        return cls(
            f"{socket.gethostname()} (process {os.getpid()})", version(), PROTOCOL,
            platform.python_version(), "" if found.usable else found.reason,
        )  # fmt: skip

    @property
    def versions(self) -> tuple[str, int, str]:
        return self.rewrite, self.protocol, self.python


@frozen
class Report:
    """The report of a part at the end of a level.

    fresh   the number of states of the level that are here
    memory  bytes in use
    goals   the goals among them: (rank, number), with ranks on which all parts agree
    """

    fresh: int
    memory: int
    goals: tuple[tuple[int, int], ...] = ()
    counts: dict[str, Counts] = field(factory=dict)


@frozen
class Step:
    """A state of a part: its code, and its origin."""

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


class Part(OnCore):
    """Part `me`, in the core. It holds the start if the start belongs to it."""

    def __init__(self, work: Work, me: int) -> None:
        engine = engine_for(work.puzzle, work.start, work.goal, work.capacity)
        goal, ctors = work.goal is not None, work.capacity.ctors
        super().__init__(
            engine, lowered(engine, work.first, goal, None, None, ctors, canon=work.canon)
        )
        self.me, self.folder = me, f"part-{me}"
        self.running = self.run("Partition", self.program.start, me, work.parts)

    @contextmanager
    def _core(self) -> Iterator[Any]:
        """Yield the part in the core; failures name their state by a code valid in all parts."""
        try:
            yield self.running
        except Failed as failed:
            known = None if failed.state is None else self.plain(failed.state)
            raise Failed(str(failed), known) from None

    def program_digest(self) -> str:
        return program_digest(self.program)

    def expand(self, at: int, most: int) -> tuple[int | None, list[bytes]]:
        """Expand states of the level from number `at` on, until `most` bytes are packed.

        Returns where to continue (None: done), and a parcel for each part.
        """
        with self._core() as part:
            following, parcels = part.expand(at, most)
            return (None if following >= part.level()[1] else following), parcels

    def deliver(self, sources: Sequence[int], parcels: Sequence[bytes]) -> tuple[int, int]:
        """Receive parcels, each from one part; return how many states are new, and bytes in use."""
        pairs = zip(sources, parcels, strict=True)
        with self._core() as part:
            fresh = sum(part.deliver(source, parcel) for source, parcel in pairs if parcel)
            return fresh, part.size()[1]

    def close(self) -> Report:
        """Turn the delivered states into the level."""
        with self._core() as part:
            part.close()
            return self.report(tuple(sorted(part.goals())))

    def report(self, goals: tuple[tuple[int, int], ...] = ()) -> Report:
        with self._core() as part:
            begin, end = part.level()
            return Report(end - begin, part.size()[1], goals, self.counts())

    def steps(self, numbers: Iterable[int]) -> list[Step]:
        """Return states, in codes that mean the same in every part."""
        with self._core() as part:
            return [Step(self.plain(one), *part.origin(one)) for one in numbers]

    def save(self, folder: str, epoch: int, number: int, scarce: bool = False) -> dict[str, int]:
        """Write what is new, between two levels; return the files needed, with their lengths.

        scarce   evict what the files contain and can supply again
        """
        mine = Path(folder, self.folder)
        mine.mkdir(exist_ok=True)
        with self._core() as part:
            files = part.save(str(mine), epoch, number, scarce)
        sync(mine)
        return {f"{self.folder}/{file}": length for file, length in files.items()}

    def load(self, folder: str, files: dict[str, int], epoch: int, number: int) -> Report:
        """Load what was saved, given the files of all parts. Raises Damaged or OSError."""
        begin = f"{self.folder}/"
        mine = {
            file.removeprefix(begin): length
            for file, length in files.items()
            if file.startswith(begin)
        }
        with self._core() as part:
            part.load(str(Path(folder, self.folder)), mine, epoch, number)
        return self.report()


class Parts:
    """All parts; each handles its requests one by one, in order.

    A request returns a handle for its result, to be passed to `got`. In this class the parts are in
    this process and a request returns the result itself: the reference implementation.
    """

    name = "parts"
    """The engine's note, for humans."""

    def __init__(self, work: Work) -> None:
        self.parts = [Part(work, me) for me in range(work.parts)]
        self.count = work.parts

    def expand(self, part: int, at: int, most: int) -> tuple[Any, Sequence[Any]]:
        """Ask a part to expand; it returns a parcel for each part."""
        return self.parts[part].expand(at, most)

    def deliver(self, part: int, sources: Sequence[int], parcels: Sequence[Any]) -> Any:
        """Hand parcels to a part, without reading them here."""
        return self.parts[part].deliver(sources, parcels)

    def ask(self, part: int, what: Callable[..., Any], *args: Any) -> Any:
        """Call another method of `Part` on a part, with these arguments."""
        return what(self.parts[part], *args)

    def got(self, wanted: Sequence[Any]) -> list[Any]:
        """Wait for requested results. Raises what a part raised, or Lost."""
        return list(wanted)

    def of_all(self, what: Callable[..., Any], *args: Any) -> list[Any]:
        """Call a method of every part, and wait for all."""
        return self.got([self.ask(part, what, *args) for part in range(self.count)])

    def end(self) -> None:
        """Release the parts: no more requests will follow."""
