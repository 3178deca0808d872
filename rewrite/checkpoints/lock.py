"""Who is working on a folder: the process that holds a system lock on a file in it.

The system releases the lock however the process ends. The file stays, and names its last holder
for humans. Two searches in one process exclude each other too, because each opens the file itself;
a forked process does not share the lock.
"""

from __future__ import annotations

import errno
import os
import socket
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO

from rewrite.errors import CheckpointError

NAME = "rewrite.lock"
PAUSE = 0.02
"""Seconds before the second try: `holder` also takes the lock, but more briefly."""


class Lock:
    """The lock of this search on a folder. Raises CheckpointError if another one has it.

    Raises OSError if the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / NAME
        self._file = self.path.open("a+b", buffering=0)
        _ALL.add(self)
        try:
            taken = _taken(self._file)
            if not taken:
                time.sleep(PAUSE)
                taken = _taken(self._file)
        except OSError as why:
            self.give_back()
            raise self._error(
                f"it cannot be locked: {why.strerror}. Give a folder on a disk of this machine"
            ) from why
        if not taken:
            who = _named(self._file)
            self.give_back()
            raise self._error(
                f"{who} works on it. Wait until it ends, or give another folder", holder=who
            )
        with suppress(OSError):  # a full disk: the text is only for humans
            self._file.truncate(0)
            self._file.write(f"process {os.getpid()} on {socket.gethostname()}".encode())

    def _error(self, what: str, **facts: str) -> CheckpointError:
        folder = str(self.folder)
        return CheckpointError(f"checkpoint={folder!r}: {what}", folder=folder, **facts)

    def check(self) -> None:
        """Raise CheckpointError if others may have the folder by now."""
        why = "this process was forked from the one that works on it"
        if not self._file.closed:
            why = f"its file {NAME} was removed or replaced"
            try:
                if os.path.samestat(os.fstat(self._file.fileno()), self.path.stat()):
                    return
            except FileNotFoundError:
                pass
            except OSError:
                return  # unknown for now: a network share may come back
        raise self._error(f"this search may not write there any more: {why}")

    def give_back(self) -> None:
        """Release the lock."""
        self._file.close()


_ALL: weakref.WeakSet[Lock] = weakref.WeakSet()


def _forked() -> None:
    for lock in list(_ALL):
        lock.give_back()  # in the child; the parent keeps its lock


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def holder(folder: Path) -> str:
    """Return who is working on a folder, "" if nobody. Raises OSError."""
    try:
        with (folder / NAME).open("rb", buffering=0) as file:
            return "" if _taken(file, shared=True) else _named(file)
    except FileNotFoundError:
        return ""


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
