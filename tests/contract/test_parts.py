"""A search spread over parts says what one search says, however many parts there are.

All parts are in this process. A level is handed to them as soon as it has a few states.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given

from puzzles import PUZZLES
from puzzles.lights_out import Lamp
from rewrite import contains, ints, rule, search
from rewrite.errors import CheckpointError, RewriteError, SearchError
from rewrite.language.puzzles import Puzzle
from rewrite.results.result import Result
from rewrite.search.arguments import question
from rewrite.search.checkpointing import Checkpointer, writer_for
from rewrite.search.cluster import driver
from rewrite.search.cluster.driver import ClusterRecord
from rewrite.search.cluster.parts import Parts
from rewrite.search.cluster.run import ClusterRun
from rewrite.search.limits import Limits
from rewrite.search.question import Question
from rewrite.search.results import result_of
from rewrite.search.run import Run
from tests.engines import natively, quiet
from tests.property.board_puzzles import board_puzzles
from tests.property.strategies import puzzles

pytestmark = [natively, quiet]

COUNTS = (1, 2, 3, 5)
N = ints("N")


def spread(asked: Question, parts: int) -> ClusterRun:
    return ClusterRun(evolve(asked, partitions=parts), Parts)


def asked_of(puzzle: Puzzle, **given: Any) -> Question:
    return question(puzzle, None, None, strategy="breadth_first", symmetry="none", **given)


def said(run: Run) -> Any:
    try:
        return result_of(run, run.asked.limits)
    except RewriteError as error:
        return type(error).__name__, str(error)


def told(result: Result) -> Any:
    """What is the same even where a goal ends a search inside a level."""
    return result.status, result.limit, [len(path) for path in result.paths]


def counted(result: Result) -> Any:
    """What does not go by how states are kept, as the counts of rules do."""
    return result.states, result.levels, result.expanded


def paths(result: Result) -> Any:
    return [path.states for path in result.paths]


@contextmanager
def rounds(large: int, most: int) -> Iterator[None]:
    """Hand a level over when it has so many states, in rounds of so many bytes."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("LARGE", large), ("ROUND", most), ("LEAST_PARCEL", 0)):
            patch.setattr(driver, name, value)
        yield


def agree(puzzle: Puzzle, large: int, most: int, **given: Any) -> None:
    asked = asked_of(puzzle, **given)
    wanted, found = said(Run(asked)), {}
    with rounds(large, most):
        for parts in COUNTS:
            one = found[parts] = said(spread(asked, parts))
            if not isinstance(wanted, Result):
                assert one == wanted
                continue
            assert told(one) == told(wanted)
            if wanted.status == "exhausted" or given.get("solutions", 1) is None:
                assert counted(one) == counted(wanted)
    if isinstance(wanted, Result):
        assert len({str(paths(one)) for one in found.values()}) == 1, "the path is the same"


@pytest.mark.parametrize("name", ["eight_puzzle", "digitle", "hanoi", "pancakes", "farmer"])
def test_puzzles_of_the_gallery(name: str) -> None:
    agree(PUZZLES[name](), 500, 1 << 16)
    asked = asked_of(PUZZLES[name](), solutions=None)
    found, wanted = (result_of(run, asked.limits).rules for run in (spread(asked, 3), Run(asked)))
    assert {name: (one.matched, one.fired) for name, one in found.items()} == {
        name: (one.matched, one.fired) for name, one in wanted.items()
    }


def test_wide_states() -> None:
    lamps = Puzzle(
        rule("switch {N}", take=[Lamp(N, 0)], put=[Lamp(N, 1)]),
        start=[Lamp(number, int(number > 4)) for number in range(600)],
        goal=contains(*[Lamp(number, 1) for number in range(5)]),
    )
    agree(lamps, 1, 1000, solutions=None)


def test_a_search_left_at_a_limit_goes_on_inside_the_level() -> None:
    puzzle = PUZZLES["digitle"]()
    asked = asked_of(puzzle, solutions=None)
    wanted = result_of(Run(asked), asked.limits)
    with rounds(100, 1 << 10):
        limited = asked_of(puzzle, solutions=None, max_states=400)
        found = result_of(spread(limited, 3), limited.limits)
        stops = 0
        while found.status == "limit":
            stops += 1
            found = found.resume(max_states=found.states + 3_000)
    assert stops > 3
    assert counted(found) == counted(wanted)
    assert told(found) == told(wanted)


@given(puzzles() | board_puzzles())
def test_random_rules(puzzle: Puzzle) -> None:
    assume(puzzle.goal is not None)
    agree(puzzle, 5, 200, solutions=None, max_depth=3)


def kept(puzzle: Puzzle, folder: Path, parts: int, **given: Any) -> ClusterRun:
    """Return a search over parts that is kept in a folder, and ended."""
    asked = evolve(asked_of(puzzle, solutions=None, **given), partitions=parts)
    run = ClusterRun(asked, Parts)
    run.checkpointer = Checkpointer(writer_for(asked, folder, "search"))
    with run.checkpointer.working():
        run.advance(None, asked.limits)
        run.checkpointer.save(run, run.status)
    return run


def test_a_part_with_little_memory_gives_back_what_is_in_its_files_and_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "LARGE", 100)
    puzzle = PUZZLES["eight_puzzle"]()
    whole = kept(puzzle, tmp_path / "whole", 1)
    assert isinstance(whole.record, ClusterRecord)
    most = whole.record.memory * 24 // 25
    limited = asked_of(puzzle, solutions=None, max_memory=most)
    assert said(spread(limited, 1)).limit == "max_memory"
    wanted = result_of(whole, whole.limits)
    for _ in range(2):  # then from the folder of a search that has ended
        run = kept(puzzle, tmp_path / "small", 1, max_memory=most)
        found = result_of(run, run.limits)
        assert counted(found) == counted(wanted)
        assert paths(found) == paths(wanted)


def test_a_search_over_parts_goes_on_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "LARGE", 100)
    puzzle = PUZZLES["eight_puzzle"]()
    wanted = result_of(spread(asked_of(puzzle, solutions=None), 3), Limits())
    most = 0
    while (run := kept(puzzle, tmp_path, 3, max_depth=most)).status == "limit":
        most += 7
    result = result_of(run, run.limits)
    assert (most, counted(result), paths(result)) == (35, counted(wanted), paths(wanted))


def test_a_folder_of_parts_without_ray_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(ClusterRun, "form", "parts")
        kept(PUZZLES["farmer"](), tmp_path, 3)
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    options: list[dict[str, Any]] = [{}, {"max_memory": "1GB"}]
    for more in options:
        with pytest.raises(CheckpointError, match=r"for partitions=, .* leave partitions= out"):
            search(PUZZLES["farmer"](), checkpoint=tmp_path, **more)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


@pytest.mark.parametrize("engine", ["auto", "native", "python"])
def test_without_ray_partitions_are_refused_with_what_to_write(engine: str, tmp_path: Path) -> None:
    with pytest.raises(SearchError, match=r"engine='ray'.*checkpoint=… and max_memory=…"):
        search(PUZZLES["farmer"](), engine=engine, partitions=2, checkpoint=tmp_path / "new")
    assert not (tmp_path / "new").exists()
