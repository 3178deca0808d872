"""Parts in a folder, one of them in memory at a time: for spaces whose table no memory holds.

A part is a bucket of the states by their hash. A level goes through all buckets twice: each is
read, its states are expanded, and what comes of them is written to files, one for each pair of
buckets; then each is read again, and what was sent to it is looked up among its states of all
levels. So duplicates are found late, but all of them, also where rules cannot be undone.

R. E. Korf: Linear-time disk-based implicit graph search. Journal of the ACM 55(6), 2008. There two
levels are enough, because moves can be undone; here a bucket is looked up as a whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen

from rewrite.errors import SearchError
from rewrite.search.cluster.parts import FOLDER, Delivered, Part, Told, Work, engine_for
from rewrite.search.cluster.run import ClusterRun
from rewrite.search.question import Question

CHUNK = 8 << 20
"""Bytes that are packed, written and read at a time, about."""
STATE = re.compile(r"state-([0-9]+)-([0-9]+)\.bin")
PARCELS = "parcels-{}.tmp"
LENGTH = 8


@frozen
class Sent:
    """What one bucket has sent to another: a file of parcels, each behind its length."""

    path: Path

    def parcels(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            while length := file.read(LENGTH):
                yield file.read(int.from_bytes(length, "little"))


class Buckets:
    """All parts, in a folder.

    What is asked is done at once, and a level is not left in the middle: a file is written for it
    as a whole. Nothing is delivered to a bucket twice in a level.
    """

    def __init__(self, work: Work, folder: Path) -> None:
        self.work, self.folder, self.count = work, folder, work.parts
        self.epoch = self.number = 0
        for _, epoch, number in self._states():
            self.epoch, self.number = max(self.epoch, epoch), max(self.number, number)
        self.epoch += 1
        self.files: list[dict[str, int]] = [{} for _ in range(self.count)]
        """What was written of each bucket, with lengths."""
        self._engine = engine_for(work.puzzle, work.start, work.goal, work.room)
        self._told: dict[int, Told] = {}
        self._open: Part | None = None
        self._changed = False

    def _states(self) -> Iterator[tuple[str, int, int]]:
        for path in self.folder.glob(FOLDER.format("*") + "/*.bin"):
            if found := STATE.fullmatch(path.name):
                yield path.name, int(found[1]), int(found[2])

    # -- one bucket at a time ----------------------------------------------------------------
    def _bucket(self, number: int) -> Part:
        """Return a bucket, which takes the place of the one that is in memory."""
        if self._open is None or self._open.me != number:
            self._put_away()
            self._open = None  # its memory is free before that of the next one is asked for
            self._open = Part(self.work, number, self._engine)
            if self.files[number]:
                self._read(self._open)
        return self._open

    def _put_away(self) -> None:
        """Write what is new of the bucket in memory."""
        if self._open is not None and self._changed:
            self.number += 1
            me = self._open.me
            self.files[me] = self._open.save(str(self.folder), self.epoch, self.number)
            self._changed = False

    def _read(self, part: Part) -> None:
        epoch, number = _place(self.files[part.me])
        part.load(str(self.folder), self.files[part.me], epoch, number)

    # -- what is asked -----------------------------------------------------------------------
    def expand(self, part: int, at: int, most: int) -> tuple[int | None, Sequence[Sent]]:
        """Expand all states of the level of a bucket."""
        bucket = self._bucket(part)
        sent = [
            Sent(self.folder / FOLDER.format(home) / PARCELS.format(part))
            for home in range(self.count)
        ]
        for one in sent:
            one.path.parent.mkdir(exist_ok=True)
        files = [one.path.open("wb") for one in sent]
        try:
            following: int | None = at
            while following is not None:
                following, parcels = bucket.expand(following, CHUNK)
                for file, parcel in zip(files, parcels, strict=True):
                    file.write(len(parcel).to_bytes(LENGTH, "little") + parcel)
        finally:
            for file in files:
                file.close()
        self._changed = True  # it counts what rules did
        return None, sent

    def deliver(self, part: int, sources: Sequence[int], parcels: Sequence[Any]) -> Delivered:
        """Take all that was sent to a bucket, which is its next level: nothing else comes."""
        bucket = self._bucket(part)
        self._changed = True
        for source, given in zip(sources, parcels, strict=True):
            for parcel in given.parcels() if isinstance(given, Sent) else [given]:
                bucket.deliver([source], [parcel])
        told = self._told[part] = bucket.close()
        for given in parcels:
            if isinstance(given, Sent):
                given.path.unlink()
        return Delivered(told.fresh, told.memory)

    def ask(self, part: int, what: str, *args: Any) -> Any:
        """Ask a bucket for something else that it does, by name."""
        if what == "close":
            return self._told.pop(part)
        if what == "save":
            self._put_away()
            return self.files[part]
        if what == "load":
            return self._take_over(part, args[1])
        return getattr(self._bucket(part), what)(*args)

    def _take_over(self, part: int, files: dict[str, int]) -> None:
        """Take over what another process saved of a bucket."""
        own = FOLDER.format(part) + "/"
        self.files[part] = {name: size for name, size in files.items() if name.startswith(own)}
        self.epoch, _ = _place(self.files[part])
        self._bucket(part)  # so that damage is noticed now

    def got(self, wanted: Sequence[Any]) -> list[Any]:
        return list(wanted)  # it was done when it was asked for

    def end(self) -> None:
        self._open = None


def divided(asked: Question, folder: str | os.PathLike[str] | None) -> ClusterRun:
    """Return a search over buckets in a folder. Raises SearchError without one."""
    assert asked.partitions is not None
    if folder is None:
        raise SearchError(
            f"partitions={asked.partitions} divides states into parts that stay in a folder: give "
            "checkpoint=, or engine='ray' for parts in processes of their own"
        )
    return ClusterRun(asked, asked.partitions, "native", partial(Buckets, folder=Path(folder)))


def _place(files: dict[str, int]) -> tuple[int, int]:
    """Return the epoch and the number under which the files of a bucket were written."""
    found = next(one for name in files if (one := STATE.fullmatch(Path(name).name)))
    return int(found[1]), int(found[2])
