"""What a search owes whose expanded states are in a folder and not in memory: the same answer."""

import errno
import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import (
    Bag,
    CheckpointError,
    Result,
    RewriteWarning,
    State,
    distances,
    search,
)
from rewrite.checkpoints import checkpoint_writer
from rewrite.checkpoints.folder import LOCK, Folder
from rewrite.checkpoints.manifest import Manifest
from rewrite.checkpoints.overview import overview
from rewrite.native.engine import NativeSearch
from rewrite.search.question import Question
from tests.benchmarks.spaces import Tile, sliding
from tests.contract.kept import KINDS, Kind, facts
from tests.contract.test_checkpoints import killed_at, whole
from tests.engines import natively

pytestmark = natively
TIGHT = "2800kB"
"""Enough for the 8-puzzle where its states are put away, and not for all of it in memory."""
PLAIN: dict[str, Any] = {"strategy": "breadth_first"}
OUT_OF_REACH = State([*map(Tile, range(10), [2, 1, *range(3, 10), 0])])
AGAIN = {"min_depth": 33, "goal": PUZZLES["eight_puzzle"]().start}
BREADTH_FIRST = {
    **{name: KINDS[name] for name in (
        "breadth_first", "multisets", "growing", "restarting", "symmetry", "minimize", "shortest",
        "stored",
    )},
    "hanoi": Kind(PUZZLES["hanoi"], PLAIN),
    "sequences": Kind(PUZZLES["eight_tuple"], PLAIN),
    "5x2": Kind(lambda: sliding("5", "2"), PLAIN | {"goal": OUT_OF_REACH}),
    "back to the start": Kind(PUZZLES["eight_puzzle"], PLAIN | AGAIN),
}  # fmt: skip
PUTS_AWAY = ("breadth_first", "5x2", "back to the start")


@pytest.fixture
def freed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes were given back, each time."""
    found: list[int] = []
    spill = NativeSearch.spill

    def told(self: NativeSearch, folder: str, epoch: int, scarce: bool) -> int:
        found.append(spill(self, folder, epoch, scarce))
        return found[-1]

    monkeypatch.setattr(NativeSearch, "spill", told)
    return found


def grown(run: Callable[..., Any], least: int = 300_000, **options: Any) -> Any:
    """Go on with a quarter more memory until it suffices."""
    most = least
    found = run(max_memory=most, **options)
    while str(found.limit).startswith("max_memory"):
        most += most // 4
        found = run(max_memory=most, **options)
    return found


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", BREADTH_FIRST)
def test_call_after_call_with_more_memory_ends_as_one_in_memory(
    kind: str, threads: int, tmp_path: Path, freed: list[int]
) -> None:
    asked = BREADTH_FIRST[kind]
    found = grown(asked.run, checkpoint=tmp_path, threads=threads)
    assert facts(found) == facts(asked.run())
    assert any(freed) or kind not in PUTS_AWAY
    if kind not in ("shortest", "stored"):  # all states, once more or in a table
        again = asked.run(checkpoint=tmp_path, max_memory="1GB")
        assert facts(again) == facts(found)


@pytest.mark.parametrize("kind", ["breadth_first", "5x2", "back to the start"])
def test_resumed_with_more_memory_it_ends_as_one_in_memory(
    kind: str, tmp_path: Path, freed: list[int]
) -> None:
    first: list[Result] = []

    def run(max_memory: int) -> Result:
        if not first:
            found = BREADTH_FIRST[kind].run(checkpoint=tmp_path, max_memory=max_memory)
            assert isinstance(found, Result)
            first.append(found)
        else:
            first.append(first[-1].resume(max_memory=max_memory))
        return first[-1]

    found = grown(run)
    assert len(first) > 3
    assert any(freed)
    assert facts(found) == facts(BREADTH_FIRST[kind].run())


def test_it_needs_less_memory_than_all_states_do(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    assert search(puzzle, strategy="breadth_first", max_memory=TIGHT).limit == "max_memory"
    assert search(puzzle, strategy="breadth_first", max_memory=TIGHT, checkpoint=tmp_path)


def test_what_is_taken_over_stays_in_the_files(tmp_path: Path) -> None:
    run = BREADTH_FIRST["5x2"].run
    assert run(max_memory="20MB", max_states=1_500_000).limit == "max_memory"
    for most in (1_500_000, 1_500_100):
        assert run(checkpoint=tmp_path, max_memory="20MB", max_states=most).limit == "max_states"


def test_without_max_memory_nothing_is_put_away(tmp_path: Path, freed: list[int]) -> None:
    first = BREADTH_FIRST["5x2"].run(checkpoint=tmp_path, max_states=1_200_000)
    assert isinstance(first, Result)
    assert not freed
    more = first.resume(max_memory="25MB", max_states=1_700_000)
    assert any(freed)
    before = len(freed)
    assert facts(more.resume(max_memory=None, max_states=None)) == (
        facts(BREADTH_FIRST["5x2"].run())
    )
    assert len(freed) == before


@pytest.mark.parametrize("kind", ["uniform_cost", "astar", "both_ends", "greedy", "shortest"])
def test_what_asks_for_old_states_keeps_them(kind: str, tmp_path: Path, freed: list[int]) -> None:
    found = grown(KINDS[kind].run, checkpoint=tmp_path)
    assert facts(found) == whole(kind)
    assert not any(freed)


def test_distances_that_are_stored_are_read_from_the_folder(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_tuple"]()
    assert puzzle.start is not None
    puzzle = puzzle.replace(start=[*puzzle.start, Bag()])  # beside a bag it remains a sequence
    told = distances(puzzle, max_states=150_000, max_memory="1GB")
    kept = distances(puzzle, max_states=150_000, max_memory="5400kB", checkpoint=tmp_path)
    assert "all states stored" in kept.encoding
    assert (kept.levels, kept.limit) == (told.levels, told.limit)
    for state in random.Random(3).sample(told.farthest(10**6), 5):
        assert kept.distance(state) == told.distance(state)
        assert kept.path(state).states == told.path(state).states
    assert kept.farthest(10**6) == told.farthest(10**6)


@pytest.mark.parametrize("kind", ["breadth_first", "growing"])
def test_it_goes_on_after_kills(kind: str, tmp_path: Path) -> None:
    chance = random.Random(kind)
    for _ in range(4):
        killed_at(kind, tmp_path, chance.uniform(0.2, 0.8), threads=chance.randint(1, 3),
                  max_memory=chance.choice([TIGHT, "3MB", None]))  # fmt: skip
    assert facts(grown(KINDS[kind].run, checkpoint=tmp_path)) == whole(kind)


def full(*_: Any) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_a_limit_and_can_be_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = BREADTH_FIRST["breadth_first"]
    with monkeypatch.context() as patch:
        patch.setattr(NativeSearch, "spill", full)
        patch.setattr(NativeSearch, "save", full)
        with pytest.warns(RewriteWarning, match=r"the disk is full\. What is saved there is its"):
            found = asked.run(checkpoint=tmp_path, max_memory=TIGHT)
        assert isinstance(found, Result)
        assert (found.status, found.limit, found.limit_value) == ("limit", "disk_full", None)
        assert found.summary().startswith("the disk is full: not found yet (")
        assert Result.from_json(found.to_json(), found.puzzle).limit == "disk_full"
        assert found.resume().limit == "disk_full"
    more = found.resume()
    assert facts(more) == facts(asked.run())
    assert ("done", "yes: found") in overview(tmp_path)


def test_a_disk_that_is_full_for_a_while_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that only grow are kept where a save fails: what was put away is nowhere else."""
    write, written = Folder.write, []

    def sometimes(self: Folder, manifest: Manifest) -> None:
        written.append(manifest)
        if 1 < len(written) < 6:
            full()
        write(self, manifest)

    eager = Question.for_core
    monkeypatch.setattr(Question, "for_core", lambda self, _: eager(self, True))
    monkeypatch.setattr(checkpoint_writer, "EVERY", 0.005)
    monkeypatch.setattr(checkpoint_writer, "TIMES", 0)
    monkeypatch.setattr(Folder, "write", sometimes)
    asked = BREADTH_FIRST["5x2"]
    for options in ({}, {"max_memory": "30MB"}):
        folder = tmp_path / str(len(options))
        written.clear()
        with pytest.warns(RewriteWarning, match="the disk is full"):
            first = asked.run(checkpoint=folder, max_states=900_000, **options)
        assert len(written) > 8
        assert isinstance(first, Result)
        assert facts(first.resume(max_states=None)) == facts(asked.run())
        assert facts(asked.run(checkpoint=folder, **options)) == facts(asked.run())


def test_another_trouble_with_the_disk_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(NativeSearch, "spill", broken)
    with pytest.raises(CheckpointError, match="cannot be written: Input/output error"):
        BREADTH_FIRST["breadth_first"].run(checkpoint=tmp_path, max_memory=TIGHT)


def test_a_folder_whose_lock_was_removed_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spill = NativeSearch.spill

    def take(self: NativeSearch, *place: Any) -> int:
        (tmp_path / LOCK).unlink(missing_ok=True)
        return spill(self, *place)

    monkeypatch.setattr(NativeSearch, "spill", take)
    with pytest.raises(CheckpointError, match="may not write there any more"):
        BREADTH_FIRST["breadth_first"].run(checkpoint=tmp_path, max_memory=TIGHT)


def test_states_are_read_although_the_folder_is_gone_and_damage_is_an_error() -> None:
    asked = BREADTH_FIRST["breadth_first"]
    with tempfile.TemporaryDirectory() as folder:
        found = asked.run(checkpoint=folder, max_memory=TIGHT)
    assert facts(found) == whole("breadth_first")
    with tempfile.TemporaryDirectory() as folder:
        found = asked.run(checkpoint=folder, max_memory=TIGHT)
        assert isinstance(found, Result)
        keys = Path(folder) / "keys-1.bin"
        content = keys.read_bytes()
        keys.write_bytes(bytes(byte ^ 1 for byte in content))
        with pytest.raises(CheckpointError, match=r"keys-1\.bin.*the checksum of a block is wrong"):
            list(found.paths[0].states)
        os.truncate(keys, 100)
        with pytest.raises(CheckpointError, match="the file is too short"):
            list(found.paths[0].states)
