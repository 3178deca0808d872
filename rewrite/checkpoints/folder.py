"""The folder of a checkpoint: whose it is, which files are ours, how a manifest is written.

It is owned by the process that holds a system lock on a file in it. The system releases the lock
however the process ends; the file stays, and names its last holder for humans. Only files with our
names are written, changed or deleted, and a folder that holds other files but no manifest is
refused.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import time
import weakref
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

from attrs import frozen

from rewrite.checkpoints.manifest import Manifest, Newer, read
from rewrite.errors import CheckpointError
from rewrite.native.trouble import Damaged

MANIFEST = re.compile(r"manifest-([0-9]{10,})\.json")
PART = re.compile(r"part-[0-9]+")
"""The subfolder of one process of a distributed search."""
DATA = re.compile(rf"(?:{PART.pattern}/)?[a-z]+-([0-9]+)(?:-([0-9]+))?\.bin")
UNFINISHED = ".tmp"
KEPT = 2
"""How many manifests are kept: the last one, and one to go back to."""
LOCK = "rewrite.lock"
PAUSE = 0.02
"""Seconds before the second try: `Folder.holder` also takes the lock, but more briefly."""


@frozen
class Seen:
    """What a folder contains.

    manifests  the readable ones, newest first
    damaged    what is wrong with the others
    """

    manifests: tuple[Manifest, ...] = ()
    damaged: tuple[Damaged, ...] = ()
    numbers: tuple[int, ...] = ()
    """Numbers in file names, also of damaged manifests; the next one is higher."""
    epochs: tuple[int, ...] = ()

    @property
    def newest(self) -> int | None:
        """The number of the newest manifest, even if damaged; None if there is none."""
        return self.numbers[-1] if self.numbers else None


def error_about(folder: Path, what: str, **facts: str) -> CheckpointError:
    return CheckpointError(f"checkpoint={str(folder)!r}: {what}", folder=str(folder), **facts)


class Lock:
    """The lock of this search on a folder. Raises CheckpointError if another one has it.

    Raises OSError if the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / LOCK
        self._file = self.path.open("a+b", buffering=0)
        _ALL.add(self)
        try:
            taken = _taken(self._file)
            if not taken:
                time.sleep(PAUSE)
                taken = _taken(self._file)
        except OSError as why:
            self.give_back()
            raise error_about(
                self.folder,
                f"it cannot be locked: {why.strerror}. Give a folder on a disk of this machine",
            ) from why
        if not taken:
            who = _named(self._file)
            self.give_back()
            raise error_about(
                self.folder,
                f"{who} works on it. Wait until it ends, or give another folder",
                holder=who,
            )
        with suppress(OSError):  # a full disk: the text is only for humans
            self._file.truncate(0)
            self._file.write(f"process {os.getpid()} on {socket.gethostname()}".encode())

    def check(self) -> None:
        """Raise CheckpointError if others may have the folder by now."""
        why = "this process was forked from the one that works on it"
        if not self._file.closed:
            why = f"its file {LOCK} was removed or replaced"
            try:
                if os.path.samestat(os.fstat(self._file.fileno()), self.path.stat()):
                    return
            except FileNotFoundError:
                pass
            except OSError:
                return  # unknown for now: a network share may come back
        raise error_about(self.folder, f"this search may not write there any more: {why}")

    def give_back(self) -> None:
        self._file.close()


_ALL: weakref.WeakSet[Lock] = weakref.WeakSet()


def _forked() -> None:
    for lock in list(_ALL):
        lock.give_back()  # in the child; the parent keeps its lock


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _taken(file: IO[bytes], shared: bool = False) -> bool:
    """Try to lock an open file until it is closed; return whether that worked."""
    try:
        import fcntl
    except ImportError:
        raise OSError(errno.ENOTSUP, "this system has no flock") from None
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _named(file: IO[bytes]) -> str:
    file.seek(0)
    name = file.read(400).decode("utf-8", "replace")
    return name if name.isprintable() and name else "another process"


class Folder:
    """A folder by its path. Problems with it raise CheckpointError."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.lock: Lock | None = None

    def error(self, what: str) -> CheckpointError:
        return error_about(self.path, what)

    def look(self) -> Seen:
        """Return what the folder contains, changing nothing. Raises CheckpointError."""
        try:
            names = sorted(_names(self.path))
        except FileNotFoundError:
            return Seen()
        except NotADirectoryError:
            raise self.error("this is a file; give a folder, which is made if need be") from None
        except OSError as why:
            raise self._failed("cannot be read", why) from None
        numbered = {int(one[1]): one[0] for name in names if (one := MANIFEST.fullmatch(name))}
        if not numbered:
            self._refuse_others(names)
            return Seen()
        manifests, damaged = [], []
        for number, name in sorted(numbered.items(), reverse=True):
            try:
                found = read(name, (self.path / name).read_bytes())
                if found.number != number:
                    raise Damaged(name, 0, f"it is the manifest of number {found.number}")
                manifests.append(found)
            except Newer as newer:
                raise self.error(f"{newer}. Use the version that wrote it") from None
            except Damaged as damage:
                damaged.append(damage)
            except OSError as why:
                raise self._failed(f"{name} cannot be read", why) from None
        data = [one for name in names if (one := DATA.fullmatch(name))]
        numbers = {*numbered, *(int(one[2]) for one in data if one[2])}
        epochs = {one.epoch for one in manifests} | {int(one[1]) for one in data}
        return Seen(tuple(manifests), tuple(damaged), tuple(sorted(numbers)), tuple(sorted(epochs)))

    def _refuse_others(self, names: list[str]) -> None:
        """Refuse a folder without a manifest, unless it holds only what a killed process leaves."""
        ours = [name for name in names if name == LOCK or _unfinished(name)]
        others = [name for name in names if name not in ours]
        if any(DATA.fullmatch(name) for name in others):
            raise self.error(
                "there are data files of a checkpoint, but no manifest, so they say nothing; copy "
                "the whole folder, or give another one"
            )
        if others:
            shown = ", ".join(others[:3]) + ", …" * (len(others) > 3)
            raise self.error(
                f"this is not the folder of a checkpoint: it holds {shown}. Give an empty folder, "
                "or one that is not there yet"
            )

    def _failed(self, what: str, why: OSError) -> CheckpointError:
        error = self.error(f"{what}: {why.strerror or why}")
        error.__cause__ = why
        return error

    # -- what changes it -------------------------------------------------------------------
    def take(self) -> None:
        """Create the folder if needed, and take its lock. Raises CheckpointError."""
        if self.lock is None:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                self.lock = Lock(self.path)
            except (FileExistsError, NotADirectoryError):
                raise self.error("this is a file, or lies below one; give a folder") from None
            except OSError as why:
                raise self._failed("it cannot be written", why) from None

    def check(self) -> None:
        assert self.lock is not None
        self.lock.check()

    def give_back(self) -> None:
        if self.lock is not None:
            self.lock.give_back()
            self.lock = None

    def holder(self) -> str:
        """Return who is working on it, "" if nobody. Raises CheckpointError."""
        try:
            with (self.path / LOCK).open("rb", buffering=0) as file:
                return "" if _taken(file, shared=True) else _named(file)
        except FileNotFoundError:
            return ""
        except OSError as why:
            raise self._failed(f"{LOCK} cannot be looked at", why) from None

    def write(self, manifest: Manifest) -> None:
        """Write a manifest atomically. Raises OSError.

        The data files it names are on disk already; the folder itself is synced with it.
        """
        unfinished = self.path / (manifest.name + UNFINISHED)
        try:
            write(unfinished, manifest.to_bytes())
            self.check()
            unfinished.replace(self.path / manifest.name)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise
        sync(self.path)

    def clean(self, kept: Iterable[Manifest], epoch: int) -> None:
        """Delete all manifests but these, and the data files that none of them needs.

        epoch   that of the running search, which still writes to its append-only files
        """
        needed = {name for one in kept for name in (one.name, *one.files)}
        for name in _names(self.path):
            data = DATA.fullmatch(name)
            ours = MANIFEST.fullmatch(name) or data or _unfinished(name)
            grows = data is not None and data[2] is None and int(data[1]) == epoch
            if ours and not grows and name not in needed:
                with suppress(OSError):  # it only wastes space
                    (self.path / name).unlink(missing_ok=True)


def _names(folder: Path) -> list[str]:
    """Return the names in a folder, and in the subfolders of its parts."""
    found = list(folder.iterdir())
    parts = {one.name: one for one in found if PART.fullmatch(one.name) and one.is_dir()}
    others = [one.name for one in found if one.name not in parts]
    return others + [f"{name}/{one.name}" for name, part in parts.items() for one in part.iterdir()]


def write(path: Path, data: bytes) -> None:
    """Write a file and sync it to disk. Raises OSError."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    """Sync the names in a folder to disk. Raises OSError."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _unfinished(name: str) -> bool:
    return name.endswith(UNFINISHED) and bool(MANIFEST.fullmatch(name.removesuffix(UNFINISHED)))


def missing(folder: Path, manifest: Manifest) -> list[str]:
    """Return what is wrong with the data files of a manifest, without reading them."""
    wrong = []
    for name, length in manifest.files.items():
        if not DATA.fullmatch(name):
            wrong.append(f"{name}: not the name of a data file")
            continue
        try:
            there = (folder / name).stat().st_size
        except OSError as why:
            wrong.append(f"{name}: {why.strerror or why}")
            continue
        if there < length:
            wrong.append(f"{name}, byte {there:,}: it ends there, and had {length:,} bytes")
    return wrong
