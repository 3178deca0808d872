"""A search spread over parts says what one search says, however many parts there are.

All parts are in this process. A level is handed to them as soon as it has a few states.
"""

from typing import Any

import pytest
from hypothesis import assume, given

from puzzles import PUZZLES
from rewrite.errors import RewriteError
from rewrite.language.puzzles import Puzzle
from rewrite.native import status
from rewrite.outcome.result import Result
from rewrite.search.arguments import question
from rewrite.search.cluster import driver, rounds
from rewrite.search.cluster.run import ClusterRun
from rewrite.search.cluster.within import Within
from rewrite.search.question import Question
from rewrite.search.results import result_of
from rewrite.search.run import Run
from tests.property.board_puzzles import board_puzzles
from tests.property.strategies import puzzles

pytestmark = [
    pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning"),
    pytest.mark.skipif(not status().usable, reason="the native engine is not there"),
]

COUNTS = (1, 2, 3, 5)


def spread(asked: Question, parts: int) -> ClusterRun:
    return ClusterRun(asked, parts, "parts", Within)


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


def agree(puzzle: Puzzle, large: int, most: int, **given: Any) -> None:
    asked = asked_of(puzzle, **given)
    wanted, found = said(Run(asked)), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "LARGE", large)
        patch.setattr(rounds, "ROUND", most)
        patch.setattr(rounds, "LEAST_PARCEL", 0)
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


def test_a_search_left_at_a_limit_goes_on_inside_the_level() -> None:
    puzzle = PUZZLES["digitle"]()
    asked = asked_of(puzzle, solutions=None)
    wanted = result_of(Run(asked), asked.limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "LARGE", 100)
        patch.setattr(rounds, "ROUND", 1 << 10)
        patch.setattr(rounds, "LEAST_PARCEL", 0)
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
