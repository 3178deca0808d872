"""`best=False`: any answer, where the usual search proves the cheapest one."""

from pathlib import Path
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import Puzzle, SearchError, contains, ints, lowest, rule, search, term
from rewrite.results.replay import replay
from tests.engines import natively

N, P = ints("N P")


@term
class At:
    who: int
    place: int


def walkers(number: int) -> Puzzle:
    """Some walk a line of 30 cells, all to its end."""
    return Puzzle(
        rule(f"{P} on", take=[At(P, N)], put=[At(P, N + 1)], when=N < 30),
        rule(f"{P} back", take=[At(P, N)], put=[At(P, N - 1)], when=N > 0),
        start=[At(one, 0) for one in range(number)],
        goal=contains(*[At(one, 30) for one in range(number)]), name="walkers",
    )  # fmt: skip


@natively
def test_it_finds_an_answer_where_proofs_would_take_too_long() -> None:
    puzzle = walkers(12)
    result = search(puzzle, best=False, max_states=200_000)
    assert result.status == "found"
    assert result.strategy == "lazy_greedy"
    assert not result.optimal
    assert result.paths[0].cost == len(result.paths[0]) >= 12 * 30
    assert result.states < 10_000
    assert replay(puzzle, None, result.paths[0].labels).end == result.paths[0].end
    assert result.notes == ()


@natively
def test_no_solution_is_a_proof_here_too() -> None:
    puzzle = walkers(2).replace(goal=contains(At(0, 30), At(0, 29)))
    assert search(puzzle, best=False).status == "exhausted"
    stopped = search(walkers(3), best=False, max_states=3)
    assert stopped.status == "limit"
    assert stopped.resume is not None
    assert stopped.resume().status == "found"


def test_where_there_is_no_relaxed_plan_the_search_goes_on_as_usual_and_says_so() -> None:
    result = search(PUZZLES["digitle"]("793", "75", "4", "7", "9", "8", "2"), best=False)
    assert (len(result.paths[0]), result.optimal) == (4, True)
    assert result.notes[-1].startswith("best=False made no difference: ")


@natively
@pytest.mark.parametrize(
    "more",
    [
        {"strategy": "astar", "heuristic": 0}, {"solutions": 2}, {"min_depth": 2},
        {"minimize": lowest(N, At(P, N))}, {"distinct": "paths"}, {"checkpoint": "folder"},
    ],
)  # fmt: skip
def test_what_goes_without_it_is_refused(
    more: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SearchError, match="best=False chooses how to search"):
        search(walkers(2), best=False, **more)


def test_it_is_true_or_false() -> None:
    with pytest.raises(SearchError, match="best=1 must be True or False"):
        search(walkers(2), best=1)  # type: ignore[arg-type]
