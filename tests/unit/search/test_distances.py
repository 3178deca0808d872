"""distances: levels, single distances and shortest ways, with and without storing states."""

import re
from typing import Any

import pytest

from puzzles import eight_puzzle, farmer, lights_out, sliding_tiles
from rewrite.errors import RewriteWarning, SearchError
from rewrite.language.bag import Bag
from rewrite.language.conditions import contains
from rewrite.language.functions import bags, ints, seqs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.search.drivers.interface import Progress
from rewrite.search.tasks.distances import distances
from rewrite.search.tasks.explain import explain
from rewrite.search.tasks.explore import explore
from tests.engines import every_engine, natively

M, N = ints("M N")
A, B = bags("A B")
S = seqs("S")


@term
class Pair:
    left: Bag
    at: int
    right: Bag


@term
class Row:
    at: int
    held: tuple[int, ...]


add = Puzzle(rule(f"{M} + {N}", take=[M, N], put=[M + N]), start=[1, 2, 3], name="add")
# Reinefeld, Complete Solution of the Eight-Puzzle, IJCAI 1993
EIGHT = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
    16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
]  # fmt: skip
SOLVED = [eight_puzzle.Tile(cell, (cell + 1) % 9) for cell in range(9)]


@every_engine
def test_the_eight_puzzle_has_the_known_levels_and_a_way_of_31_steps_to_the_farthest(
    engine: str,
) -> None:
    found = distances(eight_puzzle.tiles, SOLVED, engine=engine)
    assert (found.levels, found.states, found.depth) == (EIGHT, 181_440, 31)
    assert (found.complete, found.limit, found.engine) == (True, None, engine)
    far = found.farthest()
    assert len(far) == 2
    assert State([eight_puzzle.Tile(cell, int(n)) for cell, n in enumerate("647850321")]) in far
    for state in far:
        assert found.distance(state) == 31
        path = found.path(state)
        assert (len(path.steps), path.start, path.end) == (31, State(SOLVED), state)
    odd = [*SOLVED[2:], eight_puzzle.Tile(0, 2), eight_puzzle.Tile(1, 1)]
    assert found.distance(odd) is None
    assert found.distance([1, 2]) is None
    with pytest.raises(SearchError, match=r"eight_puzzle: no path from .* it cannot be reached"):
        found.path(odd)
    assert found.distance(SOLVED) == 0
    assert len(found.path(SOLVED)) == 0


@natively
def test_a_table_of_numbers_stores_no_states_and_says_so() -> None:
    found = distances(eight_puzzle.tiles, SOLVED)
    assert found.encoding.startswith("181,440 numbers, 2 bits each")
    few = distances(eight_puzzle.tiles, SOLVED, max_memory=40_000)
    assert few.encoding.startswith("all states stored: 9 slots")
    assert few.limit == "max_memory=40,000"
    told = str(explain(eight_puzzle.instance())).splitlines()
    assert f"  distances(puzzle) stores no states: {found.encoding}" in told
    assert "distances" not in str(explain(farmer.instance()))
    large = str(explain(sliding_tiles.instance("7x2", *map(str, range(14))))).splitlines()
    (line,) = (line for line in large if "distances" in line)
    assert line.startswith(
        "  distances(puzzle, max_memory='12 GB') stores no states: 43,589,145,600"
    )


@every_engine
def test_a_limit_leaves_the_levels_that_were_complete(engine: str) -> None:
    asked: list[dict[str, Any]] = [{"max_depth": 4}, {"max_states": 40}]
    for limits in asked:
        found = distances(eight_puzzle.tiles, SOLVED, engine=engine, **limits)
        ((name, number),) = limits.items()
        assert (found.levels, found.complete) == (EIGHT[:5], False)
        assert found.limit == f"{name}={number}"
        assert len(found.farthest()) == 16
        for step in found.path(found.farthest()[0]):
            assert found.distance(step.after) is not None
    far = [eight_puzzle.Tile(cell, int(number)) for cell, number in enumerate("647850321")]
    assert found.distance(far) is None
    with pytest.raises(SearchError, match=r"not among the 31 states seen before max_states"):
        found.path(far)
    whole = distances(eight_puzzle.tiles, SOLVED, engine=engine, max_depth=31)
    assert whole.complete
    late = distances(eight_puzzle.tiles, SOLVED, engine=engine, max_seconds=0)
    assert (late.levels, late.limit) == ([1], "max_seconds=0")


def test_more_farthest_states_than_asked_for_are_an_error_that_says_how_many() -> None:
    found = distances(eight_puzzle.tiles, SOLVED, max_depth=4)
    with pytest.raises(SearchError, match=r"16 states are 4 steps away, more than most=10; farth"):
        found.farthest(most=10)


@pytest.mark.parametrize("most", ["3", None, True, 2.5, -1, State([1]), ints("M")])
def test_how_many_farthest_states_is_a_number(most: Any) -> None:
    text = rf"farthest\({re.escape(repr(most))}\): most is a whole number of 0 or more"
    with pytest.raises(SearchError, match=text):
        distances(add).farthest(most)


def test_distances_print_as_their_levels() -> None:
    found = distances(add)
    assert str(found) == "5 states, depth 2 (complete); levels: 1, 3, 1"
    assert repr(found) == f"<Distances of add: {found}>"
    assert (len(found), bool(found)) == (5, True)
    cut = distances(add, max_depth=1)
    assert str(cut) == "4 states, depth 1 (stopped by max_depth=1); levels: 1, 3"


def test_what_is_asked_of_distances_is_checked() -> None:
    with pytest.raises(SearchError, match=r"distances"):
        distances(add, max_dept=3)  # type: ignore[call-arg]
    with pytest.raises(
        SearchError, match=r"where to start\? Give distances\(puzzle, start, …\) or"
    ):
        distances(eight_puzzle.tiles)
    with pytest.raises(SearchError, match="max_depth=-1 must be a whole number"):
        distances(add, max_depth=-1)


@natively
def test_a_table_that_is_too_large_unasked_warns_and_says_what_to_give() -> None:
    large = sliding_tiles.instance("7x2", *map(str, range(14)))
    with pytest.warns(
        RewriteWarning, match=r"7x2: all states are stored, .* give max_memory='12 GB'"
    ):
        found = distances(large, max_states=5)
    assert found.encoding.startswith("all states stored")
    asked = distances(large, max_depth=3, max_memory="12 GB", threads=10**30)
    assert asked.levels == [1, 2, 3, 6]
    assert asked.encoding.startswith("43,589,145,600 numbers, 2 bits each")


@natively
def test_progress_is_told_while_a_table_is_filled() -> None:
    told: list[Progress] = []
    found = distances(lights_out.instance(), max_seconds=2, progress=told.append)
    if not found.complete:
        assert told
        assert all(one.states > 0 for one in told)


@every_engine
def test_values_numbered_as_they_come_up_may_be_asked_for_in_any_order(engine: str) -> None:
    fill = [rule(f"{V}", take=[Pair(A, M, B)], put=[Pair(V, M, V)]) for V in (A, B)]
    puzzle = Puzzle(*fill, start=[Pair(Bag([0]), 1, Bag([2])), Pair(Bag([0, 1]), 2, Bag([3]))])
    assert "values are numbered as they appear" in str(explain(puzzle))
    states = explore(puzzle, engine="python").states
    levels = [0, 1, 1, 1, 1, 2, 2, 2, 2]
    assert [*map(distances(puzzle, engine=engine).distance, states)] == levels
    assert [*map(distances(puzzle, engine=engine).distance, states[::-1])] == levels[::-1]


def test_a_path_begins_at_a_start_that_never_forbids() -> None:
    puzzle = Puzzle(
        rule("on", take=[("a", 0)], put=[("a", 1)]), never=contains(("a", 0)), start=[("a", 0)]
    )
    for engine in ("python", "auto"):
        found = distances(puzzle, engine=engine)
        assert found.levels == [1, 1]
        assert found.path([("a", 1)]).labels == ["on"]


@every_engine
def test_a_state_with_a_value_that_the_search_never_saw_has_no_distance(engine: str) -> None:
    grow = rule("grow", take=[Row(M, S)], put=[Row(M, (1, *S))])
    found = distances(Puzzle(grow, start=[Row(0, ()), Row(1, ())]), max_depth=2, engine=engine)
    assert found.encoding.startswith("all states stored: 2 slots")
    seen = [found.distance([Row(0, held), Row(1, ())]) for held in ((2,), (), (1,), (1, 1), (3,))]
    assert seen == [None, 0, 1, 2, None]
