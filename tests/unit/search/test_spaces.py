"""explore, compare and scramble."""

from itertools import pairwise

import pytest

from rewrite.errors import RuleError, SearchError
from rewrite.language.conditions import contains
from rewrite.language.functions import fn, ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.native import status
from rewrite.search.strategies import STRATEGIES, comparable
from rewrite.search.tasks.compare import compare
from rewrite.search.tasks.explore import explore
from rewrite.search.tasks.scramble import scramble
from tests.engines import natively

M, N = ints("M N")
add = Puzzle(
    rule(f"{M} + {N}", take=[M, N], put=[M + N]), start=[1, 2, 3], goal=contains(6), name="add"
)
late = Puzzle(
    rule("go", take=[M], put=[M + 1], when=M < 3), rule("end", take=[3], put=["three"]), start=[0]
)


@fn
def fussy(number: int) -> int:
    if number == 2:
        raise LookupError("no two")
    return number + 1


def test_explore_gives_levels_edges_and_dead_ends() -> None:
    space = explore(add)
    assert list(space) == [
        State([1, 2, 3]), State([3, 3]), State([2, 4]), State([1, 5]), State([6]),
    ]  # fmt: skip
    assert (space.levels, space.depth, space.complete, space.limit) == ([1, 3, 1], 2, True, None)
    assert space.edges == [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]
    assert space.dead_ends() == space.farthest() == [State([6])]
    assert space.to_networkx().number_of_edges() == 6


@pytest.mark.parametrize(
    ("limits", "told", "levels"),
    [
        ({"max_depth": 1}, "max_depth=1", [1, 3]),
        ({"max_states": 2}, "max_states=2", [1, 3]),
        ({"max_seconds": 0}, "max_seconds=0", [1]),
    ],
)
def test_explore_stopped_by_a_limit_says_so(
    limits: dict[str, int], told: str, levels: list[int]
) -> None:
    space = explore(add, **limits)  # type: ignore[arg-type]
    assert (space.complete, space.limit) == (False, told)
    assert space.levels == levels
    assert f"(stopped by {told})" in str(space)
    assert space.dead_ends() == []
    assert explore(add, max_depth=2).complete


def test_what_stands_beyond_a_limit_may_be_of_another_type() -> None:
    space = explore(late, max_depth=3)
    assert (space.limit, space.levels) == ("max_depth=3", [1, 1, 1, 1])
    assert explore(late).levels == [1, 1, 1, 1, 1]
    assert scramble(late, [0], 3) == State([-3])  # backwards
    loses = late.replace(
        rules=[late.rules[0], rule("end", take=[M], put=["three"], when=M == 3)]
    )  # nobody knows which number it was, so the walk goes forwards
    assert scramble(loses, [0], 3) == State([3])
    assert scramble(loses, [0], 9) == State(["three"])


def test_an_error_of_a_function_is_told_by_explore_and_scramble_too() -> None:
    puzzle = Puzzle(rule("next", take=[M], put=[fussy(M)]), start=[0])
    with pytest.raises(RuleError, match=r"rule 'next' failed in fussy\(2\) with M=2") as caught:
        explore(puzzle)
    assert isinstance(caught.value.__cause__, LookupError)
    with pytest.raises(RuleError, match=r"rule 'next' failed in fussy\(2\) with M=2"):
        scramble(puzzle, [0], 5, 1)


def test_compare_prints_a_table_with_one_row_a_strategy() -> None:
    table = compare(add)
    assert list(table.results) == comparable(with_heuristic=False)
    assert list(compare(add, heuristic=0).results) == comparable(with_heuristic=True)
    lacking = {name for name, one in STRATEGIES.items() if one.core_only}
    missing = {"bidirectional"} | (set() if status().usable else lacking)
    assert {*STRATEGIES} - {*comparable(with_heuristic=True)} == missing
    kept = ["breadth_first", "uniform_cost"]
    assert list(compare(add, engine="python").results) == comparable(False, "python") == kept
    lines = str(compare(add, kept, goal=contains(99))).splitlines()
    assert lines[0].split() == [
        "strategy", "status", "steps", "cost", "optimal", "states", "expanded", "seconds",
    ]  # fmt: skip
    assert [line.split()[:7] for line in lines[1:]] == [
        ["breadth_first", "exhausted", "–", "–", "no", "5", "5"],
        ["uniform_cost", "exhausted", "–", "–", "no", "5", "5"],
    ]
    assert table["breadth_first"].optimal
    start = compare(add, ["auto"], [6])
    assert start.rows()[1][:5] == ("auto", "found", "0", "0", "yes")
    with pytest.raises(SearchError, match=r"strategy='breath_first' .* \(did you mean breadth_f"):
        compare(add, ["breath_first"])


def test_a_walk_stops_at_a_dead_end() -> None:
    assert scramble(add, [1, 2, 3], 50, seed=1) == State([6])


@natively
def test_a_time_that_is_over_in_the_middle_of_a_state_is_a_limit() -> None:
    numbers = ints("a0:5")
    rising = [one < other for one, other in pairwise(numbers)]
    five = rule("five", take=[*numbers], put=[0], when=[*rising, sum(numbers) == 10**6])
    seen = explore(Puzzle(five, start=range(60)), max_seconds=0.05)
    assert seen.limit is not None
    assert "max_seconds" in seen.limit
