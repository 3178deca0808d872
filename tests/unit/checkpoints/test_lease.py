"""Leases: one process at a time, and what is left behind is followed."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from attrs import evolve

from rewrite.checkpoints import lease
from rewrite.checkpoints.lease import Holder, Lease, alive, holder_of, leases, path_of
from rewrite.errors import CheckpointError

ELSEWHERE = Holder(host="other", machine="another boot pid:[1]", pid=1, began="5")
linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "BEAT", 0.02)
    monkeypatch.setattr(lease, "STALE", 0.3)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Lease]:
    made = Lease(tmp_path)
    yield made
    made.give_back()


def write(folder: Path, number: int, holder: Holder) -> None:
    path_of(folder, number).write_bytes(holder.written())


def beating(folder: Path, number: int, ends: threading.Event) -> threading.Thread:
    def beat() -> None:
        count = 0
        while not ends.wait(0.02):
            count += 1
            write(folder, number, evolve(ELSEWHERE, beat=count))

    write(folder, number, ELSEWHERE)
    thread = threading.Thread(target=beat)
    thread.start()
    return thread


@linux
def test_a_second_one_is_refused_with_who_holds_the_first(tmp_path: Path, held: Lease) -> None:
    with pytest.raises(CheckpointError, match=f"process {os.getpid()} on .* works on it"):
        Lease(tmp_path)
    assert alive(tmp_path, 0) == evolve(Holder.me(), beat=alive(tmp_path, 0).beat)  # type: ignore[union-attr]


def test_what_was_given_back_is_followed(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        made = Lease(tmp_path)
        assert leases(tmp_path) == [number]
        made.give_back()
        assert alive(tmp_path, 0) is None


def test_its_content_changes_all_the_time(tmp_path: Path, held: Lease) -> None:
    seen: set[bytes] = set()
    until = time.monotonic() + 10
    while len(seen) < 4 and time.monotonic() < until:
        seen.add(path_of(tmp_path, 1).read_bytes())
        time.sleep(0.01)
    assert len(seen) == 4
    assert len(set(map(len, seen))) == 1


@linux
def test_a_dead_process_of_this_machine_is_followed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "STALE", 1000)
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    write(tmp_path, 4, evolve(Holder.me(), pid=child.pid))
    made = Lease(tmp_path)
    assert made.number == 5
    made.give_back()


@linux
def test_a_number_of_a_process_that_came_again_is_not_that_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "STALE", 1000)
    write(tmp_path, 1, evolve(Holder.me(), began="1"))
    Lease(tmp_path).give_back()


def test_one_of_another_machine_is_watched(tmp_path: Path) -> None:
    ends = threading.Event()
    thread = beating(tmp_path, 1, ends)
    try:
        with pytest.raises(CheckpointError, match="process 1 on other works on it"):
            Lease(tmp_path)
        assert alive(tmp_path, 5) is not None
    finally:
        ends.set()
        thread.join()
    before = time.monotonic()
    made = Lease(tmp_path)
    assert time.monotonic() - before >= 0.3
    assert made.number == 2
    made.give_back()


def test_clocks_are_never_compared(tmp_path: Path) -> None:
    write(tmp_path, 1, ELSEWHERE)
    os.utime(path_of(tmp_path, 1), (0, 0))
    before = time.monotonic()
    Lease(tmp_path).give_back()
    assert time.monotonic() - before >= 0.3


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"host": 1}', b'{"pid": "../x"}'])
def test_a_file_that_cannot_be_read_is_watched_too(tmp_path: Path, content: bytes) -> None:
    path_of(tmp_path, 1).write_bytes(content)
    assert holder_of(content) is None
    made = Lease(tmp_path)
    assert made.number == 2
    made.give_back()


def test_numbers_must_be_numbers() -> None:
    good = json.loads(ELSEWHERE.written())
    assert holder_of(json.dumps(good).encode()) == ELSEWHERE
    for wrong in ({"pid": "1"}, {"host": 1}, {"beat": "x"}, {"more": 1}):
        assert holder_of(json.dumps(good | wrong).encode()) is None


def test_of_many_that_follow_a_stale_one_at_once_one_gets_it(tmp_path: Path) -> None:
    write(tmp_path, 7, ELSEWHERE)

    def attempt(_: int) -> Lease | None:
        try:
            return Lease(tmp_path)
        except CheckpointError:
            return None

    with ThreadPoolExecutor(16) as pool:
        got = [made for made in pool.map(attempt, range(16)) if made is not None]
    (one,) = got
    assert leases(tmp_path) == [one.number] == [8]
    one.give_back()


def test_one_that_was_followed_has_lost_it(tmp_path: Path, held: Lease) -> None:
    held.check()
    write(tmp_path, 2, ELSEWHERE)
    with pytest.raises(CheckpointError, match="may not write there any more: another process took"):
        held.check()
    path_of(tmp_path, 2).unlink()
    assert held.lost()  # once lost, never had again
    held.give_back()
    assert holder_of(path_of(tmp_path, 1).read_bytes()).beat is not None  # type: ignore[union-attr]


def test_one_whose_file_is_gone_has_lost_it(tmp_path: Path, held: Lease) -> None:
    path_of(tmp_path, 1).unlink()
    with pytest.raises(CheckpointError, match="its lease was removed"):
        held.check()


def test_a_late_comer_sees_that_others_came_and_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It judged lease 1, slept, and makes lease 2 once 2 and 3 have come and 2 has gone."""
    write(tmp_path, 1, evolve(ELSEWHERE, beat=None))
    made_by_os = os.open
    slept: list[str] = []

    def slow(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_EXCL and not slept:
            slept.append(path.name)
            path_of(tmp_path, 1).unlink()
            write(tmp_path, 3, evolve(ELSEWHERE, beat=None))
        return made_by_os(path, flags, mode)

    monkeypatch.setattr(os, "open", slow)
    made = Lease(tmp_path)
    assert slept == ["lease-2.json"]
    assert made.number == 4
    made.give_back()
    assert leases(tmp_path) == [4]


def test_a_full_disk_does_not_lose_it(
    tmp_path: Path, held: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Holder) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(held, "_write", full)
    time.sleep(0.1)
    held.check()
