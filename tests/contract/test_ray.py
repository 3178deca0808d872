"""A search over actors of Ray says what one search says, also where actors and machines are lost.

With a real Ray on this machine. Skipped, and said so, where Ray cannot be had.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import fn, ints, search
from rewrite.checkpoints import checkpoint_writer
from rewrite.errors import CheckpointError, RuleError, SearchError
from rewrite.language.conditions import contains, exactly
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.results.result import Result
from rewrite.search import run as search_run
from rewrite.search.cluster import driver
from rewrite.search.cluster.driver import ClusterDriver, Level
from rewrite.search.cluster.on_ray import OnRay
from rewrite.search.cluster.parts import Work
from tests.benchmarks.spaces import Tile, sliding
from tests.engines import natively

X = ints("X")
ray = pytest.importorskip("ray", reason="Ray is not there: pip install 'rewrite[ray]'")

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # Ray has some of its own
    natively,
]


@pytest.fixture(scope="module", autouse=True)
def started() -> Iterator[None]:
    """A Ray that the first search starts, and that nobody else sees; where it can be started."""
    begin = "import ray; ray.init(address='local', num_cpus=1, include_dashboard=False)"
    try:
        subprocess.run([sys.executable, "-c", begin], check=True, capture_output=True, timeout=100)
    except subprocess.SubprocessError as error:
        pytest.skip(f"Ray does not start on this machine: {error}")
    yield
    ray.shutdown()


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are worth their start early, and a level takes many rounds."""
    monkeypatch.setattr(driver, "LARGE", 20)
    monkeypatch.setattr(driver, "ROUND", 1 << 16)
    monkeypatch.setattr(driver, "LEAST_PARCEL", 0)


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[OnRay]:
    found: list[OnRay] = []
    begin = OnRay.__init__

    def noted(one: OnRay, work: Work) -> None:
        found.append(one)
        begin(one, work)

    monkeypatch.setattr(OnRay, "__init__", noted)
    return found


GIVEN: dict[str, Any] = {"strategy": "breadth_first", "symmetry": "none"}


def spread(puzzle: Puzzle, parts: int, **given: Any) -> Result:
    return search(puzzle, engine="ray", partitions=parts, **GIVEN | given)


def counted(result: Result) -> Any:
    return result.status, result.states, result.levels, result.expanded, result.depth


def agree(made: list[OnRay], puzzle: Puzzle, *counts: int) -> None:
    wanted = search(puzzle, engine="native", solutions=None, **GIVEN)
    assert wanted.status == "exhausted"
    first = search(puzzle, engine="native", **GIVEN)
    ways = set()
    for parts in counts:
        found = spread(puzzle, parts, solutions=None)
        assert found.engine == "ray"
        assert counted(found) == counted(wanted)
        assert len(found.paths) == len(wanted.paths)
        one = spread(puzzle, parts)
        assert (one.status, len(one.path or ())) == (first.status, len(first.path or ()))
        if one.path is not None:
            one.path.check()
        ways.add(str(one.path and one.path.states))
    assert len(ways) == 1
    assert [one.count for one in made] == [parts for parts in counts for _ in range(2)]


def test_the_answer_is_that_of_one_process(made: list[OnRay]) -> None:
    agree(made, PUZZLES["digitle"](), 1, 3)


@pytest.mark.long
@pytest.mark.parametrize("name", ["hanoi", "eight_tuple", "5×2", "Digitle-7"])
def test_the_answer_is_that_of_one_process_for_any_number_of_parts(
    name: str, monkeypatch: pytest.MonkeyPatch, made: list[OnRay]
) -> None:
    if name in LARGE_SPACES:
        monkeypatch.setattr(driver, "LARGE", 20_000)
        monkeypatch.setattr(driver, "ROUND", 4 << 20)
    puzzle = LARGE_SPACES[name] if name in LARGE_SPACES else PUZZLES[name]
    agree(made, puzzle(), 1, 2, 3, 5)


LARGE_SPACES: dict[str, Callable[[], Puzzle]] = {
    "5×2": lambda: sliding("5", "2").replace(goal=contains(Tile(0, 0), Tile(9, 1))),
    "Digitle-7": lambda: PUZZLES["digitle"]("7000", "1", "2", "3", "5", "7", "9", "11"),
}


@pytest.mark.long
def test_symmetry_reduces_it_too(made: list[OnRay]) -> None:
    puzzle = PUZZLES["peg_solitaire"]()
    wanted = search(puzzle, engine="native", strategy="breadth_first", symmetry="declared")
    found = spread(puzzle, 2, symmetry="declared")
    assert (found.status, len(found.path or ())) == (wanted.status, len(wanted.path or ()))
    found.paths[0].check()
    assert made


def test_limits_end_a_search_between_rounds_and_it_goes_on() -> None:
    puzzle = PUZZLES["eight_tuple"]()
    wanted = search(puzzle, engine="native", solutions=None, **GIVEN)
    found = spread(puzzle, 2, solutions=None, max_states=2_000)
    stops = 0
    while found.status == "limit":
        assert found.limit == "max_states"
        stops += 1
        found = found.resume(max_states=found.states + 50_000)
    assert stops > 1
    assert counted(found) == counted(wanted)


@pytest.mark.long
def test_memory_is_that_of_a_part() -> None:
    found = spread(PUZZLES["eight_tuple"](), 2, solutions=None, max_memory="100kB")
    assert (found.status, found.limit) == ("limit", "max_memory")
    assert found.resume().status == "exhausted"


@pytest.mark.long
def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_run, "FIRST_PROGRESS", 0.0)
    told: list[Any] = []
    spread(PUZZLES["eight_tuple"](), 2, solutions=None, progress=told.append)
    assert told
    assert any(one.memory > 0 for one in told)


@pytest.mark.long
def test_ctrl_c_ends_it_between_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    at_round(monkeypatch, 12, lambda parts: os.kill(os.getpid(), signal.SIGINT))
    found = spread(PUZZLES["eight_tuple"](), 2, solutions=None)
    assert found.status == "interrupted"
    assert found.resume().states == 181_440


def at_round(monkeypatch: pytest.MonkeyPatch, number: int, act: Callable[[Any], object]) -> None:
    """Do something before a round; only once."""
    look, left = ClusterDriver._look, [number]

    def looks(self: ClusterDriver, level: Level, watch: Any, last: bool) -> None:
        left[0] -= 1
        if not left[0]:
            act(self.parts)
        look(self, level, watch, last)

    monkeypatch.setattr(ClusterDriver, "_look", looks)


def killed(parts: Any) -> None:
    pid = ray.get(parts._actors[1].__ray_call__.remote(lambda self: os.getpid()))
    os.kill(pid, signal.SIGKILL)


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_writer, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint_writer, "TIMES", 0)


@pytest.mark.parametrize("number", [pytest.param(3, marks=pytest.mark.long), 15])
def test_a_part_that_is_killed_is_begun_again_from_the_folder(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, often: None, made: list[OnRay]
) -> None:
    puzzle = PUZZLES["eight_tuple"]()
    wanted = spread(puzzle, 2, solutions=None)
    at_round(monkeypatch, number, killed)
    found = spread(puzzle, 2, solutions=None, checkpoint=tmp_path)
    assert counted(found) == counted(wanted)
    assert [path.states for path in found.paths] == [path.states for path in wanted.paths]
    assert "a part of the search was lost" in found.notes[0]
    assert len(made) == 3
    assert not any(one._finish.alive for one in made), "what nothing more is asked of ends"


def test_without_a_folder_a_loss_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    at_round(monkeypatch, 5, killed)
    with pytest.raises(SearchError, match=r"a part of the search is lost.*Give checkpoint="):
        spread(PUZZLES["eight_tuple"](), 2, solutions=None)


@pytest.mark.long
def test_a_search_goes_on_in_its_folder(tmp_path: Path, often: None) -> None:
    puzzle = PUZZLES["eight_tuple"]()
    wanted = spread(puzzle, 3, solutions=None)
    calls = 0
    while True:
        found = spread(
            puzzle, 3, solutions=None, checkpoint=tmp_path, max_states=3_000 + 40_000 * calls
        )
        calls += 1
        if found.status != "limit":
            break
    assert calls > 3
    assert counted(found) == counted(wanted)
    assert [path.states for path in found.paths] == [path.states for path in wanted.paths]
    assert found.rules == wanted.rules
    with pytest.raises(CheckpointError, match=r"partitions=: there 3, here 2"):
        spread(puzzle, 2, solutions=None, checkpoint=tmp_path)
    with pytest.raises(CheckpointError, match=r"partitions=: there 3, here \(nothing\)"):
        search(puzzle, engine="native", solutions=None, checkpoint=tmp_path, **GIVEN)


@pytest.mark.long
def test_a_machine_that_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, often: None
) -> None:
    """Two simulated machines; the one without this process goes without a word, in a level."""
    from ray.cluster_utils import Cluster

    puzzle = PUZZLES["eight_tuple"]()
    wanted = spread(puzzle, 3, solutions=None)
    ray.shutdown()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 3})
    try:
        other = cluster.add_node(num_cpus=3)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        here = ray.get_runtime_context().get_node_id()

        def lose(parts: Any) -> None:
            told = lambda self: (os.getpid(), ray.get_runtime_context().get_node_id())  # noqa: E731
            places = ray.get([one.__ray_call__.remote(told) for one in parts._actors])
            away = [pid for pid, node in places if node != here]
            assert away, "no part is on the other machine"
            for pid in away:
                os.kill(pid, signal.SIGSTOP)  # so that the level cannot end before
            cluster.remove_node(other, allow_graceful=False)

        at_round(monkeypatch, 15, lose)
        found = spread(puzzle, 3, solutions=None, checkpoint=tmp_path)
    finally:
        ray.shutdown()
        cluster.shutdown()  # type: ignore[no-untyped-call]
    assert counted(found) == counted(wanted)
    assert [path.states for path in found.paths] == [path.states for path in wanted.paths]
    assert "a part of the search was lost" in found.notes[0]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"strategy": "depth_first"}, "found strategy='depth_first'. Leave engine= out"),
        ({"distinct": "paths"}, r"cannot heed distinct='paths'"),
        ({"threads": 2}, r"threads=2. Leave threads= out; give partitions="),
        ({"min_depth": 2}, r"cannot heed min_depth=2"),
        ({"goal": lambda state: True}, "has a goal that is a Python function"),
        ({"partitions": 0}, "partitions=0 must be a whole number"),
        ({"engine": "native"}, "partitions=2 divides .*'ray'; found engine='native'"),
    ],
)
def test_what_cannot_be_spread_is_refused(given: dict[str, Any], error: str) -> None:
    asked: dict[str, Any] = {"engine": "ray", "partitions": 2, "strategy": "breadth_first"} | given
    with pytest.raises(SearchError, match=error):
        search(PUZZLES["eight_tuple"](), **asked)


def test_a_function_that_cannot_be_sent_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    @fn
    def inner(number: int) -> int:
        return number + 1

    puzzle = Puzzle(
        [
            rule("one", take=[X], put=[inner(X)], when=[X < 5_000]),
            rule("two", take=[X], put=[X + 2], when=[X < 5_000]),
        ],
        start=[0],
        goal=exactly(-1),
    )
    monkeypatch.setattr(driver, "LARGE", 0)
    with pytest.raises(SearchError, match=r"the @fn function inner cannot be sent"):
        search(puzzle, engine="ray", partitions=2)


def test_a_failing_function_is_told_of_as_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = failing()
    monkeypatch.setattr(driver, "LARGE", 0)
    with pytest.raises(RuleError, match="halved") as native:
        search(puzzle, engine="native", **GIVEN)
    with pytest.raises(RuleError, match="halved") as spread_out:
        spread(puzzle, 2)
    assert str(spread_out.value) == str(native.value)


@fn
def halved(number: int) -> int:
    """Fails for one number."""
    return 100 // (number - 20)


def failing() -> Puzzle:
    return Puzzle(
        [
            rule("up", take=[X], put=[X + 1], when=[X < 50]),
            rule("half", take=[X], put=[X], when=[halved(X) > 1_000]),
        ],
        start=[0],
        goal=exactly(-1),
    )
