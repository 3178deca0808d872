"""Parts in a folder, one in memory at a time, give what parts in memory give."""

import errno
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from puzzles import PUZZLES
from rewrite import ANY, count, search
from rewrite.budget import Stopped
from rewrite.checkpoints import schedule
from rewrite.errors import CheckpointError, RewriteError, SearchError
from rewrite.language.puzzles import Puzzle
from rewrite.native import status
from rewrite.native.trouble import Damaged
from rewrite.outcome.result import Result
from rewrite.search import run as search_run
from rewrite.search.arguments import question
from rewrite.search.cluster import buckets, driver
from rewrite.search.cluster.buckets import Buckets
from rewrite.search.cluster.parts import Part
from rewrite.search.cluster.run import ClusterRun
from rewrite.search.cluster.within import Within
from rewrite.search.drivers import interface
from rewrite.search.results import result_of
from tests.property.board_puzzles import board_puzzles
from tests.property.strategies import puzzles

pytestmark = [
    pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning"),
    pytest.mark.skipif(not status().usable, reason="the native engine is not there"),
]

GIVEN: dict[str, Any] = {"strategy": "breadth_first", "symmetry": "none", "solutions": None}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets begin early and hand over little at a time."""
    monkeypatch.setattr(driver, "LARGE", 100)
    monkeypatch.setattr(buckets, "CHUNK", 1 << 12)


def divided(puzzle: Puzzle, folder: Path, parts: int, **given: Any) -> Result:
    return search(puzzle, checkpoint=folder, partitions=parts, **GIVEN | given)


def in_memory(puzzle: Puzzle, parts: int, **given: Any) -> Result:
    asked = question(puzzle, None, None, **GIVEN | given)
    return result_of(ClusterRun(asked, parts, "parts", Within), asked.limits)


def facts(result: Result) -> Any:
    paths = [path.states for path in result.paths]
    return result.status, result.states, result.levels, result.expanded, result.rules, paths


@pytest.mark.parametrize("name", ["eight_puzzle", "digitle", "pancakes"])
@pytest.mark.parametrize("parts", [1, 3])
def test_buckets_find_what_parts_in_memory_find(name: str, parts: int, tmp_path: Path) -> None:
    puzzle = PUZZLES[name]()
    wanted = search(puzzle, engine="native", **GIVEN)
    found = divided(puzzle, tmp_path, parts)
    assert facts(found) == facts(in_memory(puzzle, parts))
    assert (found.states, found.levels, found.expanded) == (
        wanted.states, wanted.levels, wanted.expanded
    )  # fmt: skip
    assert [len(path) for path in found.paths] == [len(path) for path in wanted.paths]
    assert facts(divided(puzzle, tmp_path, parts)) == facts(found), "again, from the folder"
    assert not list(tmp_path.glob("part-*/*.tmp"))


@settings(suppress_health_check=list(HealthCheck))
@given(puzzles() | board_puzzles())
def test_random_rules(tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle) -> None:
    assume(puzzle.goal is not None)

    def said(find: Any) -> Any:
        try:
            return facts(find())
        except RewriteError as error:
            return type(error).__name__, str(error)

    folder = tmp_path_factory.mktemp("buckets")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "LARGE", 5)
        try:
            found = facts(divided(puzzle, folder, 3, max_depth=3))
        except (CheckpointError, SearchError):
            assume(False)  # a class that cannot be recognised, a goal that is Python
        except RewriteError as error:
            found = type(error).__name__, str(error)
        assert found == said(lambda: in_memory(puzzle, 3, max_depth=3))


def test_one_bucket_at_a_time_is_in_memory(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    told: dict[int, int] = {}
    for parts in (1, 6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search_run, "FIRST_PROGRESS", 0.0)
            patch.setattr(interface, "NEXT_PROGRESS", 0.0)
            seen: list[int] = []
            divided(puzzle, tmp_path / str(parts), parts,
                    progress=lambda one, seen=seen: seen.append(one.memory))  # fmt: skip
        told[parts] = max(seen)
    assert told[6] < told[1] / 2


def test_limits_end_it_between_levels_and_it_goes_on(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    wanted = in_memory(puzzle, 2)
    found = divided(puzzle, tmp_path, 2, max_states=3_000)
    stops = 0
    while found.status == "limit":
        stops += 1
        if stops % 2:
            found = found.resume(max_states=found.states + 30_000)
        else:
            found = divided(puzzle, tmp_path, 2, max_states=found.states + 30_000)
    assert stops > 3
    assert facts(found) == facts(wanted)


def test_memory_is_that_of_one_bucket(tmp_path: Path) -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    found = divided(puzzle, tmp_path, 2, max_memory="600kB")
    assert (found.status, found.limit) == ("limit", "max_memory")
    with pytest.raises(CheckpointError, match="partitions=: there 2, here 8"):
        divided(puzzle, tmp_path, 8, max_memory="600kB")
    assert found.resume().status == "exhausted"


@pytest.mark.parametrize(
    "trouble", [OSError(errno.ENOSPC, "No space left on device"), Damaged("keys", 7, "flipped")]
)
def test_files_that_fail_are_an_error_and_it_goes_on_later(
    trouble: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle, left = PUZZLES["eight_puzzle"](), [40]
    monkeypatch.setattr(schedule, "EVERY", 0.0)
    bucket = Buckets._bucket

    def failing(self: Buckets, number: int) -> Part:
        left[0] -= 1
        if not left[0]:
            raise trouble
        return bucket(self, number)

    monkeypatch.setattr(Buckets, "_bucket", failing)
    with pytest.raises(CheckpointError, match=r"cannot be read or written: .*search again"):
        divided(puzzle, tmp_path, 3)
    assert facts(divided(puzzle, tmp_path, 3)) == facts(in_memory(puzzle, 3))


def test_a_limit_between_two_buckets_is_kept_and_nothing_is_done_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle, calls = PUZZLES["eight_puzzle"](), [0]
    bucket = Buckets._bucket

    def late(self: Buckets, number: int) -> Part:
        calls[0] += 1
        if not calls[0] % 29:
            raise Stopped("max_seconds")
        return bucket(self, number)

    monkeypatch.setattr(Buckets, "_bucket", late)
    found, stops = divided(puzzle, tmp_path, 3, max_seconds=1_000), 0
    while found.status == "limit":
        assert found.limit == "max_seconds"
        stops += 1
        found = found.resume()
    assert stops > 3
    assert facts(found) == facts(in_memory(puzzle, 3))


SEARCH = """
import sys
from puzzles import PUZZLES
from rewrite import search
from rewrite.checkpoints import schedule
from rewrite.search.cluster import buckets, driver
schedule.EVERY, schedule.TIMES, driver.LARGE, buckets.CHUNK = 0.0, 0, 100, 1 << 12
print("ready", flush=True)
search(PUZZLES["eight_puzzle"](), checkpoint=sys.argv[1], partitions=3, strategy="breadth_first",
       symmetry="none", solutions=None)
"""


def test_it_goes_on_after_kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, chance, killed = PUZZLES["eight_puzzle"](), random.Random(7), 0
    for _ in range(6):
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", SEARCH, str(tmp_path)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0.2, 1.0))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        process.stdout.close()
    assert killed
    monkeypatch.setattr(schedule, "EVERY", 0.0)
    found = divided(puzzle, tmp_path, 3)
    assert facts(found) == facts(in_memory(puzzle, 3))


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"checkpoint": None}, r"partitions=2 divides states .* search\(…, checkpoint=…\)"),
        ({"engine": "python"}, "partitions= needs the native engine; found engine='python'"),
        ({"strategy": "depth_first"}, "found strategy='depth_first'"),
        ({"threads": 2}, "cannot heed threads=2"),
        ({"minimize": count(ANY)}, r"cannot heed minimize=count\(ANY\)"),
        ({"partitions": 70_000}, "partitions=70000 are more than .* 65,534"),
    ],
)
def test_what_cannot_be_divided_is_refused(
    given: dict[str, Any], error: str, tmp_path: Path
) -> None:
    asked = GIVEN | {"checkpoint": tmp_path / "new", "partitions": 2} | given
    with pytest.raises(SearchError, match=error):
        search(PUZZLES["eight_puzzle"](), **asked)
    assert not (tmp_path / "new").exists()
