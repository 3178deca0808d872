"""Folders and their writers: what is saved is there whole, and nothing of others is touched."""

import errno
import time
from pathlib import Path

import pytest

from rewrite.checkpoints import checkpoint_writer as writers
from rewrite.checkpoints import folder as folders
from rewrite.checkpoints.checkpoint_writer import EVERY, TIMES
from rewrite.checkpoints.folder import LOCK
from rewrite.checkpoints.manifest import Manifest, name_of, read
from rewrite.checkpoints.overview import overview
from rewrite.errors import CheckpointError, RewriteWarning
from tests.unit.checkpoints.fakes import QUESTION, SETUP, Counter, opened, save, writer

FULL = OSError(errno.ENOSPC, "No space left on device")


def newest(folder: Path) -> Manifest:
    name = max(one.name for one in folder.glob("manifest-*.json"))
    return read(name, (folder / name).read_bytes())


def names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir() if one.name != LOCK}


def count_to(folder: Path, *counts: int) -> None:
    """Save a search at these counts, one process each."""
    for count in counts:
        kept, counter = opened(folder)
        counter.count = count
        assert save(kept, counter)
        kept.close()


def test_the_beginning_is_written_at_once(tmp_path: Path) -> None:
    kept, _ = opened(tmp_path)
    kept.close()
    assert names(tmp_path) == {name_of(0)}
    assert newest(tmp_path).files == {}
    kept, counter = opened(tmp_path)
    assert (counter.count, len(kept.kept)) == (0, 1)
    kept.close()


def test_nothing_is_written_before_it_begins(tmp_path: Path) -> None:
    writer(tmp_path / "new").open()
    assert not (tmp_path / "new").exists()


def test_it_goes_on_where_it_was_saved_and_two_checkpoints_are_kept(tmp_path: Path) -> None:
    tmp_path /= "new/folder"
    for number in range(1, 8):
        kept, counter = opened(tmp_path)
        assert counter.count == number - 1
        counter.count = number
        save(kept, counter)
        kept.close()
        older = {f"state-1-{number - 1}.bin"} if number > 1 else set()
        needed = {name_of(number - 1), name_of(number), "keys-1.bin", f"state-1-{number}.bin"}
        assert names(tmp_path) == needed | older


def test_a_new_epoch_leaves_the_old_one_until_it_is_saved_twice(tmp_path: Path) -> None:
    kept, counter = opened(tmp_path)
    counter.count = 5
    save(kept, counter)
    kept.begin(SETUP, "other program")
    assert "keys-1.bin" in names(tmp_path)
    assert newest(tmp_path).figures.states == 5
    counter.count = 6
    save(kept, counter)
    assert {"keys-1.bin", "keys-2.bin"} <= names(tmp_path)
    counter.count = 7
    save(kept, counter)
    assert "keys-1.bin" not in names(tmp_path)
    assert newest(tmp_path).program == "other program"
    kept.close()


def test_a_search_that_came_no_further_is_not_saved_again(tmp_path: Path) -> None:
    count_to(tmp_path, 5)
    before = names(tmp_path)
    count_to(tmp_path, 5)
    assert names(tmp_path) == before
    kept, counter = opened(tmp_path)
    save(kept, counter, "exhausted")
    kept.close()
    assert names(tmp_path) != before


def test_a_save_of_nothing_new_is_not_due_again_at_once(tmp_path: Path) -> None:
    kept, counter = opened(tmp_path)
    kept._next = 0.0
    assert kept.due()
    assert save(kept, counter)
    save(kept, counter)
    assert not kept.due()
    kept._next = 0.0
    save(kept, counter)
    assert not kept.due()
    kept.close()


# -- when it is saved --------------------------------------------------------------------------
def test_a_save_is_due_after_a_minute_and_seldom_where_it_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, took = 100.0, 0.0

    class Slow(Counter):
        def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
            nonlocal now
            now += took
            return super().save(folder, epoch, number)

    monkeypatch.setattr(time, "monotonic", lambda: now)
    kept, counter = opened(tmp_path)[0], Slow()
    assert not kept.due()
    for took, pause in ((0.0, EVERY), (0.0, EVERY), (30.0, TIMES * 30.0), (0.0, EVERY)):
        now = kept._next
        assert kept.due()
        counter.count += 1
        save(kept, counter)
        assert not kept.due()
        assert kept._next == now + pause
        assert took <= 0.05 * (took + pause)
    kept.close()


# -- folders that are not ours ----------------------------------------------------------------
def test_a_search_goes_back_to_what_it_saved_last(tmp_path: Path) -> None:
    count_to(tmp_path, 3, 7)
    kept = writer(tmp_path)
    kept.open()
    assert kept.go_back() == 7, "nothing was taken over yet: the folder is left as it is"
    assert kept.candidate == newest(tmp_path)
    counter = Counter()
    assert kept.load(counter, "program")
    assert counter.count == 7
    assert not kept.candidates
    counter.count = 9
    assert save(kept, counter)
    assert kept.go_back() == 9
    again = Counter()
    assert kept.load(again, "program")
    assert again.count == 9
    kept.close()


def test_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    with pytest.raises(CheckpointError, match="this is a file; give a folder"):
        writer(path).open()
    with pytest.raises(CheckpointError, match="this is a file"):
        opened(path / "below")
    assert path.read_text() == "mine"


def test_a_folder_with_other_things_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    (tmp_path / "keys-1.bin").write_text("mine too")
    with pytest.raises(CheckpointError, match="data files of a checkpoint, but no manifest"):
        writer(tmp_path).open()
    (tmp_path / "keys-1.bin").unlink()
    with pytest.raises(CheckpointError, match=r"not the folder .* it holds letters\.txt\. Give an"):
        writer(tmp_path).open()
    assert [one.name for one in tmp_path.iterdir()] == ["letters.txt"]


def test_other_things_beside_a_checkpoint_are_left_alone(tmp_path: Path) -> None:
    count_to(tmp_path, 1)
    for name in ("notes.txt", "state.bin", "keys-1.txt", "manifest-1.json", "x.tmp"):
        (tmp_path / name).write_text("mine")
    (tmp_path / "folder").mkdir()
    count_to(tmp_path, 2, 3, 4, 5)
    assert (tmp_path / "folder").is_dir()
    for name in ("notes.txt", "state.bin", "keys-1.txt", "manifest-1.json", "x.tmp"):
        assert (tmp_path / name).read_text() == "mine"


def test_what_a_kill_leaves_before_the_first_manifest_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("process 1 on other")
    (tmp_path / f"{name_of(0)}.tmp").write_text("half")
    count_to(tmp_path, 1)
    assert names(tmp_path) == {name_of(0), name_of(1), "keys-1.bin", "state-1-1.bin"}


def test_a_folder_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(folders, "Lock", refuse)
    with pytest.raises(CheckpointError, match="it cannot be written: Permission denied"):
        opened(tmp_path)


# -- other questions and versions --------------------------------------------------------------
def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count_to(tmp_path, 1)
    with pytest.raises(CheckpointError, match=r"wrote it \(protocol 8 .* \(protocol 9\)"):
        writer(tmp_path, QUESTION, 9).open()
    monkeypatch.setattr(writers, "version", lambda: "9.9")
    with pytest.raises(CheckpointError, match=r"and this is rewrite 9\.9"):
        writer(tmp_path).open()


def test_another_program_is_refused(tmp_path: Path) -> None:
    count_to(tmp_path, 1)
    kept = writer(tmp_path)
    kept.open()
    with pytest.raises(CheckpointError, match="compiled to another program here"):
        kept.load(Counter(), "another")
    kept.close()


# -- damage ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (name_of(2), "{", r"is damaged \(manifest-0000000002.json, byte 0: "),
        ("state-1-2.bin", "sount 20", r"state-1-2\.bin, byte 0: not a count"),
    ],
)
def test_the_checkpoint_before_is_used_where_the_newest_is_damaged(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    count_to(tmp_path, 10, 20)
    (tmp_path / name).write_text(text)
    with pytest.warns(RewriteWarning, match=said):
        kept, counter = opened(tmp_path)
    assert counter.count == 10
    (note,) = kept.notes
    assert note.endswith("the search went on from the one before it (10 states)")
    counter.count = 15
    save(kept, counter)
    kept.close()
    assert newest(tmp_path).number == 3  # never a number again
    count_to(tmp_path, 15, 16)


def test_where_all_is_damaged_it_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    count_to(tmp_path, 10, 20)
    path = tmp_path / "keys-1.bin"
    path.write_text(path.read_text().replace("3", "X"))
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    with pytest.raises(CheckpointError) as error:
        opened(tmp_path)
    assert "it is damaged, and was left as it is: manifest-0000000002.json: keys-1.bin, byte 3" in (
        str(error.value)
    )
    assert "manifest-0000000001.json: keys-1.bin, byte 3" in str(error.value)
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == before


def test_files_that_are_missing_or_short_are_named(tmp_path: Path) -> None:
    count_to(tmp_path, 10)
    (tmp_path / name_of(0)).unlink()
    (tmp_path / "keys-1.bin").write_text("0\n1\n")
    with pytest.raises(CheckpointError, match=r"keys-1\.bin, byte 4: it ends there, and had 20"):
        opened(tmp_path)
    (tmp_path / "keys-1.bin").unlink()
    with pytest.raises(CheckpointError, match=r"keys-1\.bin: No such file"):
        opened(tmp_path)


def test_a_manifest_under_another_number_is_damaged(tmp_path: Path) -> None:
    count_to(tmp_path, 10)
    (tmp_path / name_of(0)).unlink()
    (tmp_path / name_of(1)).rename(tmp_path / name_of(2))
    with pytest.raises(CheckpointError, match="it is the manifest of number 1"):
        opened(tmp_path)


# -- disks -------------------------------------------------------------------------------------
def test_a_full_disk_ends_nothing_and_is_told_once(tmp_path: Path) -> None:
    kept, counter = opened(tmp_path)
    counter.count = 5
    save(kept, counter)
    counter.count, counter.full = 6, FULL
    with pytest.warns(RewriteWarning, match=r"the disk is full\. It goes on in memory"):
        assert not save(kept, counter)
    counter.count = 7
    assert not save(kept, counter)  # a second warning would be an error
    assert kept.notes[0].endswith("what is saved there is the first 5 states")
    assert not [name for name in names(tmp_path) if name in ("state-1-2.bin", "state-1-3.bin")]
    assert newest(tmp_path).figures.states == 5
    counter.full = None
    assert save(kept, counter)
    assert kept.notes == []
    assert newest(tmp_path).figures.states == 7
    kept.close()


@pytest.mark.parametrize("step", ["fsync", "replace", "write"])
def test_a_manifest_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    kept, counter = opened(tmp_path)
    counter.count = 5
    save(kept, counter)
    before = newest(tmp_path)

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    counter.count = 6
    with monkeypatch.context() as patch:
        if step == "fsync":
            patch.setattr("os.fsync", fail)
        elif step == "replace":
            patch.setattr(Path, "replace", fail)
        else:
            patch.setattr(Manifest, "to_bytes", fail)
        with pytest.warns(RewriteWarning, match="Input/output error"):
            assert not save(kept, counter)
    assert newest(tmp_path) == before
    assert not list(tmp_path.glob("*.tmp"))
    assert save(kept, counter)
    kept.close()


# -- two processes -----------------------------------------------------------------------------
def test_a_search_whose_lock_was_removed_writes_nothing(tmp_path: Path) -> None:
    kept, counter = opened(tmp_path)
    (tmp_path / LOCK).unlink()
    before = names(tmp_path)
    counter.count = 9
    with pytest.raises(CheckpointError, match="may not write there any more"):
        save(kept, counter)
    assert names(tmp_path) == before
    kept.close()


def test_a_lock_that_is_removed_while_data_are_written_leaves_no_manifest(tmp_path: Path) -> None:
    kept, counter = opened(tmp_path)
    write = counter.save

    def slow(folder: str, epoch: int, number: int) -> dict[str, int]:
        files = write(folder, epoch, number)
        (tmp_path / LOCK).unlink()
        return files

    counter.save = slow  # type: ignore[method-assign]
    counter.count = 9
    with pytest.raises(CheckpointError, match="may not write there any more"):
        save(kept, counter)
    assert newest(tmp_path).figures.states == 0
    kept.close()


def test_two_that_begin_at_once_do_not_both_begin(tmp_path: Path) -> None:
    one, other = writer(tmp_path), writer(tmp_path)
    one.open()
    other.open()
    one.begin(SETUP, "program")
    one.close()
    with pytest.raises(CheckpointError, match="another process began here just now; call again"):
        other.begin(SETUP, "program")
    assert other.folder.lock is None


def test_a_folder_of_an_older_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "lease-1.json").write_text("{}")
    with pytest.raises(CheckpointError, match=r"it holds lease-1\.json\. Give an empty folder"):
        writer(tmp_path).open()
    (tmp_path / "lease-1.json").unlink()
    count_to(tmp_path, 1)
    (tmp_path / "lease-1.json").write_text("{}")
    with pytest.raises(CheckpointError, match="Use the version that wrote it, or give another"):
        writer(tmp_path, QUESTION, 10).open()


# -- what is shown -----------------------------------------------------------------------------
def test_the_overview_changes_nothing(tmp_path: Path) -> None:
    kept, counter = opened(tmp_path)
    counter.count = 1234
    save(kept, counter)
    before = {one.name for one in tmp_path.iterdir()}
    told = dict(overview(tmp_path))
    assert told["states"].startswith("1,234, of which")
    assert told["worked on"].startswith("by process")
    assert told["goal"] == "contains(1)"
    assert told["done"] == "no: it is going on, or was killed"
    assert told["damaged"] == "nothing, as far as lengths tell"
    kept.close()
    (tmp_path / "keys-1.bin").unlink()
    told = dict(overview(tmp_path))
    assert told["worked on"] == "by nobody"
    assert told["damaged"].startswith("keys-1.bin: No such file")
    assert {one.name for one in tmp_path.iterdir()} == before - {"keys-1.bin"}


def test_the_overview_of_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="no search is kept there"):
        dict(overview(tmp_path))
    with pytest.raises(CheckpointError, match="no search is kept there"):
        dict(overview(tmp_path / "new"))
    assert not (tmp_path / "new").exists()
