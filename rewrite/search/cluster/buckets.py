"""Parts in a folder, one of them in memory at a time: for spaces too large for memory.

A part is a hash bucket of states. A level passes over all buckets twice: each is read, its states
are expanded, and the successors are written to files, one per pair of buckets; then each is read
again, and what was sent to it is looked up among its states of all levels. Duplicates are detected
late, but completely, even with irreversible rules.

R. E. Korf: Linear-time disk-based implicit graph search. Journal of the ACM 55(6), 2008. There two
levels suffice, because moves are reversible; here a whole bucket is checked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen

from rewrite.budget import BETWEEN_LOOKS, Stopped, ask_for, tick
from rewrite.errors import SearchError
from rewrite.search.cluster.parts import (
    FOLDER,
    Delivered,
    LevelReport,
    Part,
    Parts,
    Work,
    engine_for,
)
from rewrite.search.cluster.run import ClusterRun
from rewrite.search.question import Question

CHUNK = 8 << 20
"""Roughly the bytes packed, written and read at a time."""
GROWN = 3
"""Roughly the most bytes by which a bucket grows per delivered byte."""
STATE = re.compile(r"state-([0-9]+)-([0-9]+)\.bin")
PARCELS = "parcels-{}.tmp"
LENGTH = 8


@frozen
class Sent:
    """What one bucket has sent to another: a file of length-prefixed parcels."""

    path: Path

    def append(self, parcel: bytes) -> None:
        with self.path.open("ab") as file:  # there may be too many buckets to keep files open
            file.write(len(parcel).to_bytes(LENGTH, "little") + parcel)

    def parcels(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            while length := file.read(LENGTH):
                yield file.read(int.from_bytes(length, "little"))


class Buckets(Parts):
    """All parts, in a folder.

    Requests are executed at once, or not at all: limits are checked between two buckets, and a
    level interrupted there resumes with the next bucket. Nothing is delivered to a bucket twice in
    a level.
    """

    def __init__(self, work: Work, folder: Path) -> None:
        self.work, self.folder, self.count = work, folder, work.parts
        self.epoch = self.number = 0
        for _, epoch, number in self._states():
            self.epoch, self.number = max(self.epoch, epoch), max(self.number, number)
        self.epoch += 1
        self.files: list[dict[str, int]] = [{} for _ in range(self.count)]
        """The files of each bucket, with lengths."""
        self._engine = engine_for(work.puzzle, work.start, work.goal, work.capacity)
        self._expanded: dict[int, list[Sent]] = {}
        self._reports: dict[int, LevelReport] = {}
        """Buckets that have expanded the level, and those that have closed it."""
        self._open: Part | None = None
        self._changed = False

    def _states(self) -> Iterator[tuple[str, int, int]]:
        for path in self.folder.glob(FOLDER.format("*") + "/*.bin"):
            if found := STATE.fullmatch(path.name):
                yield path.name, int(found[1]), int(found[2])

    # -- one bucket at a time ----------------------------------------------------------------
    def _bucket(self, number: int) -> Part:
        """Return a bucket, which replaces the one in memory. Raises Stopped."""
        tick(BETWEEN_LOOKS)
        if self._open is None or self._open.me != number:
            self._put_away()
            self._open = None  # free its memory before loading the next one
            part = Part(self.work, number, self._engine)
            if self.files[number]:
                self._read(part)
            self._open = part
        return self._open

    def _put_away(self) -> None:
        """Write the changes of the bucket in memory."""
        if self._open is not None and self._changed:
            self.number += 1
            me = self._open.me
            self.files[me] = self._open.save(str(self.folder), self.epoch, self.number)
            self._changed = False

    def _read(self, part: Part) -> None:
        epoch, number = _place(self.files[part.me])
        part.load(str(self.folder), self.files[part.me], epoch, number)

    # -- requests ----------------------------------------------------------------------------
    def expand(self, part: int, at: int, most: int) -> tuple[int | None, Sequence[Sent]]:
        """Expand all states of a bucket's level."""
        if part not in self._expanded:
            bucket = self._bucket(part)
            sent = [self._sent(part, home) for home in range(self.count)]
            following: int | None = at
            while following is not None:
                following, parcels = bucket.expand(following, CHUNK)
                for one, parcel in zip(sent, parcels, strict=True):
                    one.append(parcel)
            self._changed = True  # its rule counts
            self._expanded[part] = sent
        return None, self._expanded[part]

    def _sent(self, part: int, home: int) -> Sent:
        """Return the file for what one bucket sends to another, emptied."""
        path = self.folder / FOLDER.format(home) / PARCELS.format(part)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
        return Sent(path)

    def deliver(self, part: int, sources: Sequence[int], parcels: Sequence[Any]) -> Delivered:
        """Receive everything sent to a bucket: this is its complete next level."""
        if part not in self._reports:
            bucket = self._bucket(part)
            self._put_away()
            try:
                for source, given in zip(sources, parcels, strict=True):
                    for parcel in given.parcels() if isinstance(given, Sent) else [given]:
                        ask_for(GROWN * len(parcel))
                        bucket.deliver([source], [parcel])
            except Stopped:
                self._open = None  # it will be reread unchanged
                raise
            self._changed = True
            self._reports[part] = bucket.close()
            for given in parcels:
                if isinstance(given, Sent):
                    given.path.unlink()
        report = self._reports[part]
        return Delivered(report.fresh, report.memory)

    def close(self, part: int) -> LevelReport:
        """Return the report that `deliver` got when it closed the bucket's level."""
        self._expanded.pop(part, None)
        return self._reports.pop(part)

    def ask(self, part: int, what: Callable[..., Any], *args: Any) -> Any:
        """Call another method of a bucket."""
        return what(self._bucket(part), *args)

    def save(self, part: int, folder: str, epoch: int, number: int) -> dict[str, int]:
        """Return the files of a bucket: all buckets but the one in memory are already written."""
        self._put_away()
        return self.files[part]

    def load(self, part: int, folder: str, files: dict[str, int], epoch: int, number: int) -> None:
        """Load a bucket saved by another process."""
        own = FOLDER.format(part) + "/"
        self.files[part] = {name: size for name, size in files.items() if name.startswith(own)}
        self.epoch, _ = _place(self.files[part])
        self._bucket(part)  # to detect damage now

    def got(self, wanted: Sequence[Any]) -> list[Any]:
        return list(wanted)  # already done by the request

    def end(self) -> None:
        self._open = None


def divided(asked: Question, folder: str | os.PathLike[str] | None) -> ClusterRun:
    """Return a search over buckets in a folder. Raises SearchError without one."""
    assert asked.partitions is not None
    if folder is None:
        raise SearchError(
            f"partitions={asked.partitions} divides states into parts that stay in a folder: write "
            "search(…, checkpoint=…), or engine='ray' for parts in processes of their own"
        )
    return ClusterRun(asked, asked.partitions, "native", partial(Buckets, folder=Path(folder)))


def _place(files: dict[str, int]) -> tuple[int, int]:
    """Return the epoch and the number in the file names of a bucket."""
    found = next(one for name in files if (one := STATE.fullmatch(Path(name).name)))
    return int(found[1]), int(found[2])
