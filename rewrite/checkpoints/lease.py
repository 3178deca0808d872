"""Who works on a folder: at most one process at a time, also where several machines share it.

A lease is a file with a number, `lease-7.json`. The one with the highest number counts. Who wants
to work on the folder makes the next one, which succeeds for one process only (O_EXCL), and while it
works a thread changes a counter in its file every few seconds. A lease may be followed by the next

* when it was given back: the file says so;
* at once when it is of this machine, and its process is dead;
* when its file did not change for `STALE` seconds, by the clock of the one who looks. Clocks of
  different machines are never compared.

Numbers never come again, because the last file stays. So of two processes that find the same lease
stale, one makes the next file; and who comes back after a long sleep sees a higher number, and has
lost the lease.
"""

from __future__ import annotations

import json
import os
import re
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from rewrite.errors import CheckpointError

BEAT = 2.0
"""Seconds between two changes."""
STALE = 30.0
"""Seconds without a change after which a lease counts as left behind."""
NAME = re.compile(r"lease-([0-9]+)\.json")
WIDE = 400
"""Bytes of a lease file, always: writing it again takes no room on the disk."""


@frozen(kw_only=True)
class Holder:
    """Who holds a lease, as its file says.

    machine  what tells machines, their starts, and containers on them apart
    began    when the process began, in ticks of its machine: numbers of processes come again
    beat     counts up while the holder lives; None once the lease was given back
    """

    host: str
    machine: str
    pid: int
    began: str
    beat: int | None = 0

    @classmethod
    def me(cls) -> Holder:
        """Return this process."""
        pid = os.getpid()
        return cls(
            host=socket.gethostname()[:64], machine=_machine(), pid=pid, began=_began(pid) or ""
        )

    def dead(self) -> bool:
        """Whether it is a process of this machine that is there no more, for sure."""
        return self.machine == _machine() and self.machine != "" and _began(self.pid) != self.began

    def is_here(self) -> bool:
        """Whether it is a process of this machine that lives."""
        return self.machine == _machine() and self.machine != "" and not self.dead()

    def written(self) -> bytes:
        """Return the bytes of its file."""
        content = {
            name: getattr(self, name) for name in ("host", "machine", "pid", "began", "beat")
        }
        return json.dumps(content).encode().ljust(WIDE - 1) + b"\n"

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


def _machine() -> str:
    """Return what is the same for two processes that can see each other; "" where not known."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except (OSError, ValueError):
        return ""


def _began(pid: int) -> str | None:
    """Return when a process of this machine began; None where it is not there, or has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    state, *rest = stat.rpartition(")")[2].split()
    return None if state in "ZX" else rest[18]  # fields 3 and 22 of proc(5)


def holder_of(data: bytes) -> Holder | None:
    """Return who a lease file names; None where it cannot be read, perhaps not yet."""
    try:
        content: dict[str, Any] = json.loads(data)
        found = Holder(**content)
    except (ValueError, TypeError, RecursionError):
        return None
    texts = (found.host, found.machine, found.began)
    plain = type(found.pid) is int and all(type(text) is str for text in texts)
    return found if plain and (found.beat is None or type(found.beat) is int) else None


def names(folder: Path) -> list[str]:
    """Return the names of what stands in a folder."""
    return [one.name for one in folder.iterdir()]


def leases(folder: Path) -> list[int]:
    """Return the numbers of the leases in a folder, in order."""
    found = map(NAME.fullmatch, names(folder))
    return sorted(int(one[1]) for one in found if one)


def path_of(folder: Path, number: int) -> Path:
    """Return the file of a lease."""
    return folder / f"lease-{number}.json"


def alive(folder: Path, patience: float) -> Holder | None:
    """Return who works on a folder, as far as that is seen within some seconds; None: nobody."""
    while numbers := leases(folder):
        found = _watched(path_of(folder, numbers[-1]), patience)
        if found is not None and leases(folder)[-1:] == numbers[-1:]:
            return found
        if leases(folder)[-1:] == numbers[-1:]:
            return None
    return None


def _watched(path: Path, patience: float) -> Holder | None:
    """Return who holds a lease; None where nobody does, or no change was seen for so long."""
    first = _content(path)
    if first is None:
        return None
    until = time.monotonic() + patience
    while True:
        now = _content(path)
        if now is None:
            return None
        holder = holder_of(now)
        if holder is not None and (holder.beat is None or holder.dead()):
            return None
        if holder is not None and (holder.is_here() or now != first):
            return holder
        if time.monotonic() >= until:
            return None
        time.sleep(min(BEAT / 4, patience))


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


class Lease:
    """The lease of this process on a folder. Raises CheckpointError where another has it.

    Raises OSError where the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.holder = folder, Holder.me()
        self.number = self._taken()
        self._lost = ""
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._beats, name="rewrite lease", daemon=True)
        self._thread.start()

    def _taken(self) -> int:
        while True:
            there = leases(self.folder)
            last = there[-1] if there else 0
            holder = _watched(path_of(self.folder, last), STALE) if last else None
            if holder is not None:
                raise CheckpointError(
                    f"checkpoint={str(self.folder)!r}: {holder} works on it. Wait until it ends, "
                    "or give another folder",
                    folder=str(self.folder), holder=str(holder),
                )  # fmt: skip
            if leases(self.folder)[-1:] != there[-1:]:
                continue  # somebody was faster
            path = path_of(self.folder, last + 1)
            try:
                file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            except FileExistsError:
                continue
            try:
                os.write(file, self.holder.written())
            except OSError:
                path.unlink()
                raise
            finally:
                os.close(file)
            if leases(self.folder)[-1] != last + 1:  # slept, and others came and went
                path.unlink(missing_ok=True)
                continue
            for older in there:
                with suppress(OSError):
                    path_of(self.folder, older).unlink(missing_ok=True)
            return last + 1

    def _beats(self) -> None:
        beat = 0
        while not self._ends.wait(BEAT):
            beat += 1
            if self.lost():
                return
            with suppress(OSError):  # a full disk must not end a search: others see no change
                self._write(evolve(self.holder, beat=beat))

    def _write(self, holder: Holder) -> None:
        file = os.open(path_of(self.folder, self.number), os.O_WRONLY)  # never made again
        try:
            os.write(file, holder.written())
        finally:
            os.close(file)

    def lost(self) -> str:
        """Return why this process has the lease no more; "" where it has."""
        if not self._lost:
            try:
                highest = leases(self.folder)[-1:]
                if highest != [self.number]:
                    self._lost = "another process took it over"
                    if not highest or highest[0] < self.number:
                        self._lost = "its lease was removed"
            except OSError as error:  # whether it is lost is not known now: a share may come back
                if not self.folder.exists():
                    self._lost = f"it is gone ({error})"
        return self._lost

    def check(self) -> None:
        """Raise CheckpointError where this process has the lease no more."""
        if why := self.lost():
            raise CheckpointError(
                f"checkpoint={str(self.folder)!r}: this search may not write there any more: {why}",
                folder=str(self.folder),
            )

    def give_back(self) -> None:
        """Let others have it."""
        self._ends.set()
        self._thread.join()
        if not self.lost():
            with suppress(OSError):
                self._write(evolve(self.holder, beat=None))
