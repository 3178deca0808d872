"""Locks of folders: one search at a time, and a process that has ended has none."""

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rewrite.checkpoints.folder import LOCK, PAUSE, Folder, Lock
from rewrite.errors import CheckpointError

fcntl: Any = pytest.importorskip("fcntl")
HOLDING = """
import os, sys, time
from pathlib import Path
from rewrite.checkpoints.folder import Lock
lock = Lock(Path(sys.argv[1]))
if sys.argv[2] == "forks":
    print(os.fork() or time.sleep(600), flush=True)
else:
    print(0, flush=True)
time.sleep(600)
"""


def holding(folder: Path, forks: bool = False) -> tuple[subprocess.Popen[str], int]:
    """A process that has the lock, and the one that it has forked; else 0."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(folder), "forks" if forks else ""],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def test_a_second_one_is_refused_at_once_with_who_has_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    first = Lock(tmp_path)
    with pytest.raises(CheckpointError) as error:
        Lock(tmp_path)
    who = f"process {os.getpid()} on {os.uname().nodename}"
    assert str(error.value) == (
        f"checkpoint={str(tmp_path)!r}: {who} works on it. Wait until it ends, or give another "
        "folder"
    )
    assert (error.value.folder, error.value.holder, slept) == (str(tmp_path), who, [PAUSE])
    first.check()
    assert Folder(tmp_path).holder() == who
    first.give_back()


def test_what_was_given_back_can_be_had(tmp_path: Path) -> None:
    assert Folder(tmp_path).holder() == ""
    for _ in range(3):
        held = Lock(tmp_path)
        assert Folder(tmp_path).holder()
        held.give_back()
        assert Folder(tmp_path).holder() == ""
        assert (tmp_path / LOCK).read_text().startswith(f"process {os.getpid()} on ")


def test_a_process_that_was_forked_has_no_part_in_it(tmp_path: Path) -> None:
    process, forked = holding(tmp_path, forks=True)
    try:
        with pytest.raises(CheckpointError, match=f"process {process.pid} on "):
            Lock(tmp_path)
        process.kill()
        process.wait()
        os.kill(forked, 0)  # it lives
        Lock(tmp_path).give_back()
    finally:
        process.kill()
        os.kill(forked, 9)
        process.communicate()


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_process_writes_nothing_and_leaves_the_lock_alone(tmp_path: Path) -> None:
    held = Lock(tmp_path)
    forked = os.fork()
    if not forked:
        try:
            held.check()
        except CheckpointError as error:
            held.give_back()
            os._exit("forked from the one that works on it" not in str(error))
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 0
    held.check()
    assert Folder(tmp_path).holder()
    held.give_back()


def test_of_many_threads_one_gets_it(tmp_path: Path) -> None:
    def attempt(_: int) -> Lock | None:
        try:
            return Lock(tmp_path)
        except CheckpointError:
            return None

    with ThreadPoolExecutor(16) as pool:
        got = [held for held in pool.map(attempt, range(16)) if held is not None]
    (one,) = got
    one.check()
    one.give_back()


def test_one_who_only_looks_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Lock(tmp_path).give_back()
    looking = (tmp_path / LOCK).open("rb")
    fcntl.flock(looking, fcntl.LOCK_SH)
    monkeypatch.setattr("time.sleep", lambda seconds: looking.close())
    held = Lock(tmp_path)
    assert looking.closed
    held.give_back()


@pytest.mark.parametrize("replaced", [False, True])
def test_one_whose_file_is_gone_is_no_protection_any_more(tmp_path: Path, replaced: bool) -> None:
    held = Lock(tmp_path)
    (tmp_path / LOCK).unlink()
    if replaced:
        Lock(tmp_path).give_back()
    with pytest.raises(CheckpointError) as error:
        held.check()
    assert str(error.value) == (
        f"checkpoint={str(tmp_path)!r}: this search may not write there any more: its file "
        "rewrite.lock was removed or replaced"
    )
    held.give_back()


def test_a_share_that_is_away_for_a_while_takes_no_lock_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stale(_: Path) -> None:
        raise OSError(errno.ESTALE, "Stale file handle")

    held = Lock(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", stale)
        held.check()
    held.give_back()


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"\x1b[2J", b"x" * 9999])
def test_a_file_that_says_nothing_or_anything_is_no_hindrance(
    tmp_path: Path, content: bytes
) -> None:
    held = Lock(tmp_path)
    (tmp_path / LOCK).write_bytes(content)
    who = "x" * 400 if len(content) > 400 else "another process"
    assert Folder(tmp_path).holder() == who
    with pytest.raises(CheckpointError, match=f": {who} works on it"):
        Lock(tmp_path)
    held.give_back()
    Lock(tmp_path).give_back()


def test_that_it_cannot_say_who_has_it_is_no_hindrance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("socket.gethostname", full)
    held = Lock(tmp_path)
    assert Folder(tmp_path).holder() == "another process"
    held.give_back()


def test_without_locks_of_the_file_system_or_the_system_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", refuse)
        with pytest.raises(CheckpointError) as error:
            Lock(tmp_path)
    assert str(error.value) == (
        f"checkpoint={str(tmp_path)!r}: it cannot be locked: No locks available. Give a folder on "
        "a disk of this machine"
    )
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(CheckpointError, match="cannot be locked: this system has no flock"):
        Lock(tmp_path)
