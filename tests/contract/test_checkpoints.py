"""What a search owes that is kept in a folder: the answer of one that was never stopped."""

import errno
import os
import random
import resource
import shutil
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import (
    CheckpointError,
    Distances,
    Puzzle,
    Result,
    RewriteWarning,
    SearchError,
    contains,
    count,
    distances,
    fn,
    ints,
    rule,
    search,
)
from rewrite.checkpoints import checkpoint_writer
from rewrite.checkpoints.checkpoint_writer import CheckpointWriter, Savable
from rewrite.checkpoints.folder import LOCK, Folder
from rewrite.checkpoints.manifest import Figures
from rewrite.checkpoints.overview import overview
from rewrite.native.engine import NativeSearch
from rewrite.search.question import Question
from tests.contract.kept import KINDS, Cell, child, facts
from tests.engines import natively, start_of
from tests.terms import Box

pytestmark = natively
N = ints("N")
WHOLE: dict[str, Any] = {}


def whole(kind: str) -> dict[str, Any]:
    """The facts of a search that nobody stopped, found once."""
    if kind not in WHOLE:
        WHOLE[kind] = facts(KINDS[kind].run())
    found: dict[str, Any] = WHOLE[kind]
    return found


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_writer, "EVERY", 0.01)
    monkeypatch.setattr(checkpoint_writer, "TIMES", 0)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.name != LOCK}


# -- the same answer ---------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
def test_a_search_that_is_kept_finds_the_same_and_a_finished_one_answers_at_once(
    kind: str, tmp_path: Path, often: None
) -> None:
    assert facts(KINDS[kind].run(checkpoint=tmp_path)) == whole(kind)
    before = bytes_of(tmp_path)
    assert facts(KINDS[kind].run(checkpoint=tmp_path)) == whole(kind)
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize("kind", KINDS)
def test_saved_and_gone_on_with_ten_times_in_a_row(
    kind: str, tmp_path: Path, often: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call is left by an error right after its first save, as if it had been killed."""
    saved, eager = CheckpointWriter.save, Question.for_core
    counts = []

    def once(self: CheckpointWriter, savable: Savable, figures: Figures) -> bool:
        assert saved(self, savable, figures)
        counts.append(figures.states)
        if figures.status:
            return True
        raise KeyboardInterrupt

    monkeypatch.setattr(Question, "for_core", lambda self, _: eager(self, True))
    monkeypatch.setattr(checkpoint_writer, "EVERY", 0.0002)
    with monkeypatch.context() as patch:
        patch.setattr(CheckpointWriter, "save", once)
        for number in range(10):
            with suppress(KeyboardInterrupt):
                KINDS[kind].run(checkpoint=str(tmp_path), threads=1 + number % 3)
    assert counts == sorted(counts)
    monkeypatch.undo()
    assert facts(KINDS[kind].run(checkpoint=tmp_path, threads=2)) == whole(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_calls_under_limits_go_on_as_resume_does(kind: str, tmp_path: Path) -> None:
    states = whole(kind).get("states") or sum(whole(kind)["levels"])
    most = KINDS[kind].options.get("max_states", 10**9)
    found = None
    for part in range(1, 6):
        limit = min(max(1, states * part // 5), most)
        kept = KINDS[kind].run(checkpoint=tmp_path, max_states=limit, threads=1 + part % 3)
        if found is None or isinstance(found, Distances):
            found = KINDS[kind].run(max_states=limit)
        elif found.status == "limit":
            found = found.resume(max_states=limit)
        assert facts(kept) == facts(found)


def test_it_goes_on_through_resume_and_goes_on_saving(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    first = search(puzzle, checkpoint=tmp_path, max_states=1000)
    second = first.resume(max_states=20_000)
    assert second.states >= 20_000
    assert search(puzzle, checkpoint=tmp_path, max_states=20_000).states == second.states
    assert facts(second.resume()) == facts(search(puzzle))
    assert facts(search(puzzle, checkpoint=tmp_path)) == facts(search(puzzle))


def test_one_that_another_process_went_on_with_is_not_resumed(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    first = search(puzzle, checkpoint=tmp_path, max_states=1000)
    search(puzzle, checkpoint=tmp_path, max_states=2000)
    with pytest.raises(CheckpointError, match="continued elsewhere since"):
        first.resume()


def test_seconds_add_up_and_max_seconds_counts_one_call(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    first = search(puzzle, checkpoint=tmp_path, max_states=50_000)
    second = search(puzzle, checkpoint=tmp_path, max_seconds=1000)
    assert second.seconds > first.seconds
    third = search(puzzle, checkpoint=tmp_path, max_seconds=1000)
    assert third.seconds >= second.seconds


def test_a_name_that_no_folder_can_have_is_refused() -> None:
    with pytest.raises(SearchError, match="null byte"):
        search(PUZZLES["eight_puzzle"](), checkpoint="a\0b")


def test_a_lower_max_depth_than_was_reached_is_refused(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    search(puzzle, checkpoint=tmp_path, max_depth=10)
    with pytest.raises(CheckpointError, match=r"max_depth=5: .* come to states 10 steps away"):
        search(puzzle, checkpoint=tmp_path, max_depth=5)
    assert facts(search(puzzle, checkpoint=tmp_path, max_depth=12)) == (
        facts(search(puzzle, max_depth=12))
    )


def test_the_depth_of_a_space_that_was_seen_whole_is_not_too_low(tmp_path: Path) -> None:
    line = Puzzle(rule("on", take=[N], put=[N + 1], when=N < 5), start=[0])
    for most in (None, 5):
        assert distances(line, checkpoint=tmp_path / "all", max_depth=most).levels == [1] * 6
        found = search(line, goal=contains(9), checkpoint=tmp_path / "search", max_depth=most)
        assert found.status == "exhausted"
    with pytest.raises(CheckpointError, match=r"max_depth=4: .* come to states 5 steps away"):
        search(line, goal=contains(9), checkpoint=tmp_path / "search", max_depth=4)


def test_a_table_is_gone_on_with_in_less_memory_than_it_takes(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    distances(puzzle, checkpoint=tmp_path / "table", max_depth=5)
    little = distances(puzzle, checkpoint=tmp_path / "table", max_memory=1000)
    assert little.encoding.startswith("181,440 numbers")
    whole = distances(puzzle, checkpoint=tmp_path / "table")
    assert whole.levels == distances(puzzle).levels


def twelve_tiles() -> Puzzle:
    """4×3, whose table of 60 MB is filled up to 20 steps within milliseconds."""
    return PUZZLES["sliding_tiles"]("4x3", *map(str, range(12)))


def test_a_table_larger_than_max_memory_is_a_file_of_the_folder(tmp_path: Path) -> None:
    bounds: dict[str, Any] = {"max_memory": "20 MB", "max_depth": 20}
    stored = distances(twelve_tiles(), **bounds)
    found = distances(twelve_tiles(), checkpoint=tmp_path, **bounds)
    assert stored.encoding.startswith("all states stored")
    assert found.encoding.startswith("239,500,800 numbers")
    assert (found.levels, found.limit) == (stored.levels, "max_depth=20")
    assert {found.distance(state) for state in found.farthest(most=200_000)} == {20}
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {
        "manifest", "rewrite.lock", "state",
    }  # fmt: skip
    further = distances(twelve_tiles(), checkpoint=tmp_path, max_memory="20 MB", max_depth=22)
    assert further.levels[:21] == found.levels
    assert further.limit == "max_depth=22"


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file may be larger than 1 MiB."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_files")
def test_without_room_for_the_file_of_a_table_states_are_stored(tmp_path: Path) -> None:
    bounds: dict[str, Any] = {"max_memory": "20 MB", "max_depth": 9}
    with pytest.warns(
        RewriteWarning,
        match=r"a table of 59,875,200 bytes cannot be .*: File too large.*; all states are stored",
    ):
        found = distances(twelve_tiles(), checkpoint=tmp_path, **bounds)
    assert found.encoding.startswith("all states stored")
    again = distances(twelve_tiles(), checkpoint=tmp_path, **bounds)
    assert again.levels == found.levels == distances(twelve_tiles(), **bounds).levels


def test_a_kept_table_without_room_for_its_file_is_refused(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    distances(twelve_tiles(), checkpoint=tmp_path, max_memory="20 MB", max_depth=3)
    request.getfixturevalue("small_files")
    with pytest.raises(CheckpointError, match=r"cannot be a file there: File too large"):
        distances(twelve_tiles(), checkpoint=tmp_path, max_memory="20 MB")


# -- killed ------------------------------------------------------------------------------------
def killed_at(
    kind: str, folder: Path, seconds: float, how: int = signal.SIGKILL, **more: Any
) -> int:
    process = child(kind, folder, **more)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        process.wait(seconds)
    except Exception:
        process.send_signal(how)
    process.wait()
    process.stdout.close()
    return process.returncode


@cache
def seconds_of(kind: str) -> float:
    """How long a process takes for a search that saves as often as it can, if nothing kills it."""
    with TemporaryDirectory() as folder, child(kind, Path(folder)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        began = time.monotonic()
        assert process.stdout.read() == "ends\n"
        return time.monotonic() - began


def kill_and_compare(kind: str, folder: Path, chance: random.Random) -> int:
    """Kill a search a few times, let it end, and compare; return how often it was killed."""
    kills = 0
    for _ in range(chance.randint(1, 5)):
        seconds = chance.uniform(0, seconds_of(kind))
        code = killed_at(kind, folder, seconds, threads=chance.randint(1, 3))
        kills += code == -signal.SIGKILL
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is ever damaged by a kill
        assert facts(KINDS[kind].run(checkpoint=folder)) == whole(kind)
    return kills


@pytest.mark.parametrize("kind", KINDS)
def test_it_goes_on_after_a_kill(kind: str, tmp_path: Path) -> None:
    kill_and_compare(kind, tmp_path, random.Random(kind))


KILLS = 100 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 25
"""Of each kind of search: a hundred take minutes."""


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_it_goes_on_after_many_kills(kind: str, tmp_path: Path) -> None:
    chance, kills, number = random.Random(kind), 0, 0
    while kills < KILLS:
        number += 1
        kills += kill_and_compare(kind, tmp_path / str(number), chance)
        shutil.rmtree(tmp_path / str(number))


@pytest.mark.parametrize("memory", [{}, {"max_memory": "100MB"}])
def test_sigterm_saves_and_then_ends_the_process(memory: dict[str, Any], tmp_path: Path) -> None:
    code = killed_at("growing", tmp_path, 0.6, signal.SIGTERM, every=1000.0, max_states=None,
                     **memory)  # fmt: skip
    assert code == -signal.SIGTERM
    result = search(KINDS["growing"].make(), checkpoint=tmp_path, max_states=1,
                    strategy="breadth_first")  # fmt: skip
    assert result.states > 1000
    assert not [note for note in result.notes if "damaged" in note]


def test_ctrl_c_saves(tmp_path: Path) -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    first = search(KINDS["growing"].make(), strategy="breadth_first", checkpoint=tmp_path)
    timer.join()
    assert first.status == "interrupted"
    assert dict(overview(tmp_path))["states"].startswith(f"{first.states:,}, of which ")
    again = search(KINDS["growing"].make(), strategy="breadth_first", checkpoint=tmp_path,
                   max_states=1)  # fmt: skip
    assert again.states >= first.states


def test_an_error_of_a_user_function_leaves_what_was_saved(tmp_path: Path, often: None) -> None:
    bad = [True]

    @fn
    def step(n: int) -> int:
        if n == 50 and bad:
            raise ValueError("not yet")
        return n + 1

    bad_puzzle = Puzzle(rule("step", take=[N], put=[step(N)], when=N < 90), start=[0],
                        goal=contains(90), name="steps")  # fmt: skip
    with pytest.raises(Exception, match="not yet"):
        search(bad_puzzle, checkpoint=tmp_path)
    with pytest.raises(Exception, match="not yet"):  # nobody holds the folder
        search(bad_puzzle, checkpoint=tmp_path)


@pytest.mark.parametrize("kind", ["restarting", "breadth_first", "multisets", "both_ends"])
def test_what_was_compiled_before_in_a_process_changes_nothing(kind: str, tmp_path: Path) -> None:
    """Values have the numbers that they have in a process that searches nothing else."""
    puzzle = KINDS[kind].make()
    for number in (4321, 77):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RewriteWarning)
            search(puzzle, goal=contains(Cell(0, number)), max_states=100)
            search(puzzle, [*start_of(puzzle), Cell(2, number)], max_states=100)
    programs = set()
    for folder in ("here", "there"):
        if folder == "here":
            KINDS[kind].run(checkpoint=tmp_path / folder, max_states=100)
        else:
            child(kind, tmp_path / folder, max_states=100).communicate()
        programs.add(Folder(tmp_path / folder).look().manifests[0].program)
    assert len(programs) == 1


# -- two processes -----------------------------------------------------------------------------
def test_a_second_process_is_refused_while_the_first_one_works(tmp_path: Path) -> None:
    process = child("growing", tmp_path, max_states=None)
    try:
        until = time.monotonic() + 30
        while not list(tmp_path.glob("manifest-*")) and time.monotonic() < until:
            time.sleep(0.02)
        with pytest.raises(CheckpointError, match=rf"process {process.pid} on .* works on it"):
            KINDS["growing"].run(checkpoint=tmp_path, max_states=1)
    finally:
        process.kill()
        process.communicate()
    assert isinstance(KINDS["growing"].run(checkpoint=tmp_path), Result)


def test_a_second_search_of_the_same_process_is_refused_too(tmp_path: Path, often: None) -> None:
    asked: dict[str, Any] = {"strategy": "breadth_first", "checkpoint": tmp_path}
    errors: list[str] = []

    def second(progress: Any) -> None:
        with pytest.raises(CheckpointError) as error:
            search(KINDS["growing"].make(), **asked, max_states=1)
        errors.append(str(error.value))
        signal.raise_signal(signal.SIGINT)  # the first one need not go on

    search(KINDS["growing"].make(), **asked, max_seconds=100, progress=second)
    assert f": process {os.getpid()} on " in errors[0]
    assert isinstance(search(KINDS["growing"].make(), **asked, max_seconds=0), Result)


def test_a_search_whose_lock_was_removed_stops_with_an_error(tmp_path: Path, often: None) -> None:
    def take(progress: Any) -> None:
        (tmp_path / LOCK).unlink(missing_ok=True)

    with pytest.raises(CheckpointError, match="may not write there any more"):
        search(KINDS["growing"].make(), strategy="breadth_first", checkpoint=tmp_path,
               progress=take, max_seconds=10)  # fmt: skip


# -- other questions ---------------------------------------------------------------------------
def puzzle(step: int = 1) -> Puzzle:
    return Puzzle(
        rule("back", take=[Box(N)], put=[Box(N - 1)], when=N > 0),
        rule("on", take=[Box(N)], put=[Box(N + step)], when=N < 1000),
        start=[Box(0)], goal=contains(Box(900)), name="line",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("other", "options", "text"),
    [
        (puzzle(2), {}, r"rule 2: there rule\('on', .* put=\[Box\(N \+ 1\)\].* here .*N \+ 2"),
        (puzzle(), {"strategy": "uniform_cost"}, "strategy=: there 'auto', here 'uniform_cost'"),
    ],
)
def test_another_question_is_refused_and_nothing_is_overwritten(
    tmp_path: Path, other: Puzzle, options: dict[str, Any], text: str
) -> None:
    search(puzzle(), checkpoint=tmp_path, max_states=100)
    before = bytes_of(tmp_path)
    with pytest.raises(CheckpointError, match=text):
        search(other, checkpoint=tmp_path, **options)
    with pytest.raises(CheckpointError, match="call: there search, here distances"):
        distances(puzzle(), checkpoint=tmp_path)
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"engine": "python"}, "needs the native engine; found engine='python'"),
        ({"strategy": "depth_first"}, "goes with strategy='breadth_first', 'bidirectional', "),
        ({"strategy": "beam", "heuristic": count(1)}, "found strategy='beam'"),
        ({"strategy": "idastar", "heuristic": count(1)}, "found strategy='idastar'"),
        ({"distinct": "paths"}, "distinct='paths' tells paths apart"),
        ({"heuristic": eval("lambda state: 0")}, "has no source text"),
        ({"goal": eval("lambda state: False")}, "has no source text"),
    ],
)
def test_what_cannot_be_kept_is_refused_before_anything_is_written(
    tmp_path: Path, options: dict[str, Any], text: str
) -> None:
    with pytest.raises(CheckpointError, match=text):
        search(puzzle(), checkpoint=tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("path", [3, b"folder", "", []])
def test_a_path_must_be_one(path: Any) -> None:
    with pytest.raises(CheckpointError, match="must be the path of a folder"):
        search(puzzle(), checkpoint=path)


def test_a_puzzle_that_only_python_can_search_is_refused(tmp_path: Path) -> None:
    dear = Puzzle(rule("on", take=[N], put=[N + 1], cost=2**70, when=N < 9), start=[0],
                  goal=contains(5), name="dear")  # fmt: skip
    with pytest.raises(
        CheckpointError, match="keeping dear needs the native engine, which cannot run this: a cost"
    ):
        search(dear, checkpoint=tmp_path / "new")


# -- disks and damage --------------------------------------------------------------------------
def test_a_full_disk_ends_nothing(
    tmp_path: Path, often: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: NativeSearch, folder: str, epoch: int, number: int) -> dict[str, int]:
        raise OSError(errno.ENOSPC, "No space left on device")

    kind = KINDS["growing"]
    with monkeypatch.context() as patch:
        patch.setattr(NativeSearch, "save", full)
        with pytest.warns(RewriteWarning, match="the disk is full"):
            found = kind.run(checkpoint=tmp_path)
    assert isinstance(found, Result)
    *notes, last = found.notes
    assert "the disk is full" in last
    assert facts(found) | {"notes": tuple(notes)} == whole("growing")
    assert facts(kind.run(checkpoint=tmp_path)) == whole("growing")


def test_no_memory_for_what_was_saved_is_a_limit_and_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = KINDS["breadth_first"]
    kind.run(checkpoint=tmp_path, max_states=50_000)
    before = bytes_of(tmp_path)

    def load(self: NativeSearch, *_: Any) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(NativeSearch, "load", load)
        found = kind.run(checkpoint=tmp_path)
    assert isinstance(found, Result)
    assert (found.status, found.limit) == ("limit", "max_memory")
    assert bytes_of(tmp_path) == before
    assert facts(kind.run(checkpoint=tmp_path)) == whole("breadth_first")


def flip(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    if content:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)


@pytest.mark.parametrize(
    ("kind", "memory"),
    [
        *((kind, None) for kind in ("breadth_first", "multisets", "astar", "both_ends", "table")),
        ("breadth_first", "2800kB"),  # states are put away
    ],
)
def test_flipped_and_cut_files_end_in_the_right_answer_or_a_refusal(
    kind: str, memory: str | None, tmp_path: Path
) -> None:
    states = whole(kind).get("states") or sum(whole(kind)["levels"])
    good, broken = tmp_path / "good", tmp_path / "broken"
    for part in (3, 2):
        most = max(1, states // part)
        KINDS[kind].run(checkpoint=good, max_states=most, max_memory=memory)
    chance = random.Random(kind)
    data = sorted(one.name for one in good.iterdir() if one.name != LOCK)
    noticed = 0
    for number in range(40):
        shutil.copytree(good, broken)
        path = broken / data[number % len(data)]
        if number % 4:
            flip(path, chance)
        else:
            os.truncate(path, chance.randrange(path.stat().st_size))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RewriteWarning)
            try:
                found = facts(KINDS[kind].run(checkpoint=broken))
                if "notes" in found:
                    notes = tuple(note for note in found["notes"] if "is damaged" not in note)
                    noticed += notes != found["notes"]
                    found["notes"] = notes
                assert found == whole(kind)
            except CheckpointError as error:
                assert "damaged" in str(error)  # noqa: PT017 (either is right)
                noticed += 1
        shutil.rmtree(broken)
    assert noticed or kind == "table"  # whose result has no notes
