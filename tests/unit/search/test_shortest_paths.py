"""shortest=True: all paths of the least number of steps, counted and listed."""

from collections.abc import Callable
from itertools import islice
from math import factorial
from typing import Any

import pytest

from rewrite.errors import SearchError
from rewrite.language.conditions import contains, count, exactly
from rewrite.language.functions import ints, terms
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.results.result import Result
from rewrite.search.api import search, solutions
from rewrite.search.shortest_paths import Shortest
from tests.engines import natively
from tests.terms import At

pytestmark = natively
M, N, K = ints("M N K")
ANYTHING = terms("A")
ALL: dict[str, Any] = {"distinct": "paths", "shortest": True}


def counters(number: int, top: int) -> Puzzle:
    """Counters that go up by one: the orders of their steps are a multinomial coefficient."""
    return Puzzle(
        rule(f"{K} up", take=[At(K, N)], put=[At(K, N + 1)], when=top > N),
        start=[At(name, 0) for name in range(number)],
        goal=exactly(*[At(name, top) for name in range(number)]),
        name="counters",
    )


diamond = Puzzle(
    *[rule(f"{a} to {b}", take=[a], put=[b]) for a, b in ((0, 1), (0, 2), (1, 3), (2, 3), (3, 4))],
    start=[0],
    goal=contains(4),
    name="diamond",
)


def test_the_number_of_shortest_paths_is_exact_beyond_64_bits() -> None:
    result = search(counters(4, 10), **ALL)
    assert result.shortest_paths == factorial(40) // factorial(10) ** 4
    assert result.shortest_paths > 2**64
    assert (result.status, len(result.paths), result.depth) == ("found", 1, 40)
    assert result.states == 11**4
    told = "40 steps, 1 of 4,705,360,871,073,570,227,520 shortest paths (14,641 states, "
    assert result.summary().startswith(told)
    again = Result.from_json(result.to_json(), counters(4, 10))
    assert again.shortest_paths == result.shortest_paths


def test_shortest_paths_come_in_the_order_of_discovery_and_only_as_many_as_asked() -> None:
    by_one = [[0, 1, 3, 4], [0, 2, 3, 4]]
    every = [tuple(State([number]) for number in path) for path in by_one]
    result = search(diamond, solutions=None, **ALL)
    assert [path.states for path in result.paths] == every
    assert (result.shortest_paths, result.unique, result.optimal) == (2, False, True)
    assert result.summary().startswith("3 steps, 2 of 2 shortest paths (5 states")
    one = search(diamond, solutions=1, **ALL)
    assert [path.states for path in one.paths] == every[:1]
    assert (one.shortest_paths, one.unique) == (2, False)
    assert [path.states for path in solutions(diamond, **ALL)] == every


def test_one_shortest_path_is_said_to_be_the_only_one() -> None:
    single = search(diamond, None, contains(1), **ALL)
    assert (single.shortest_paths, single.unique) == (1, True)
    assert single.summary().startswith("1 step, the only shortest path (")
    here = search(diamond, None, contains(0), solutions=5, **ALL)
    assert (here.shortest_paths, [len(path) for path in here.paths]) == (1, [0])


def test_all_goals_of_the_nearest_level_count_and_carry_their_bindings() -> None:
    result = search(diamond, None, contains(M, when=(M == 1) | (M == 2)), solutions=None,
                    **ALL)  # fmt: skip
    assert [path.bindings for path in result.paths] == [{"M": 1}, {"M": 2}]
    assert result.shortest_paths == 2


def test_a_limit_leaves_the_number_unknown_and_resuming_finds_it() -> None:
    for limits in ({"max_depth": 39}, {"max_states": 14_000}, {"max_seconds": 0}):
        stopped = search(counters(4, 10), **ALL, **limits)  # type: ignore[arg-type]
        assert (stopped.status, stopped.shortest_paths, stopped.paths) == ("limit", None, ())
        assert stopped.limit == next(iter(limits))
        whole = stopped.resume()
        assert whole.shortest_paths == factorial(40) // factorial(10) ** 4
    assert search(counters(4, 10), max_depth=40, **ALL).shortest_paths


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"shortest": 1, "distinct": "paths"}, "shortest=1 must be True or False"),
        ({"shortest": True}, r"goes with distinct='paths'; found distinct='states', where"),
        ({**ALL, "min_depth": 1}, r"found min_depth=1, which passes them by"),
        ({**ALL, "minimize": count(ANYTHING)}, "minimize= the state with the lowest value"),
        ({**ALL, "strategy": "depth_first"}, r"found strategy='depth_first'"),
        ({**ALL, "heuristic": 0}, r"found strategy='astar'"),
    ],
)
def test_what_does_not_go_with_shortest_is_refused(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(SearchError, match=told):
        search(diamond, **asked)


def test_costs_that_are_not_all_one_are_refused_with_shortest() -> None:
    dear = Puzzle(rule("go", take=[0], put=[1], cost=2), start=[0], goal=contains(1), name="dear")
    with pytest.raises(SearchError, match=r"shortest=True counts steps, and steps of dear do not"):
        search(dear, **ALL)


def test_a_search_that_was_stopped_inside_the_level_of_the_goals_counts_them_all() -> None:
    """It went on to a goal of the next level, and counted the paths to that one."""
    walk = Puzzle(
        rule("right", take=[At(M, N)], put=[At(M + 1, N)], when=M < 12),
        rule("up", take=[At(M, N)], put=[At(M, N + 1)], when=N < 12),
        start=[At(0, 0)],
        goal=contains(At(M, N), when=M + N >= 8),
        name="walk",
    )
    whole = search(walk, **ALL)
    assert whole.shortest_paths == 2**8
    for stop in range(1, whole.states + 10):
        found = search(walk, max_states=stop, **ALL)
        while found.status == "limit":
            stop += 2
            found = found.resume(max_states=stop)
        assert (found.shortest_paths, found.states) == (whole.shortest_paths, whole.states)


@pytest.mark.parametrize(
    "listed",
    [lambda: list(solutions(diamond, **ALL)), lambda: search(diamond, solutions=None, **ALL)],
)
def test_an_error_that_the_lister_of_paths_loses_is_no_end(
    listed: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Shortest.__iter__
    monkeypatch.setattr(Shortest, "__iter__", lambda self: islice(whole(self), 1))
    with pytest.raises(MemoryError):
        listed()
