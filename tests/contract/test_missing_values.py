"""Values that are missing (a division by zero, `lowest` of nothing), on both engines."""

from typing import Any

import pytest

from rewrite import (
    Puzzle,
    RuleError,
    SearchError,
    State,
    bools,
    contains,
    count,
    explore,
    fn,
    highest,
    ints,
    lacks,
    lowest,
    rule,
    search,
    term,
    total,
)
from rewrite.language.conditions import goal_condition
from rewrite.language.meaning import is_goal
from tests.engines import every_engine, natively, quiet

pytestmark = quiet


@term
class Dial:
    place: int
    shows: int


@term
class Mark:
    number: int


M, N, P = ints("M N P")
B = bools("B")
DIALS = Puzzle(
    rule("turn", take=[Dial(P, M)], put=[Dial(P, (M + 1) % 4)]),
    start=[Dial(0, 0), Dial(1, 0)], name="dials",
)  # fmt: skip
MARKED = DIALS.replace(rules=[*DIALS.rules, rule("mark", put=[Mark(1)], absent=[Mark(1)])])
NUMBERS = Puzzle(rule("turn", take=[M], put=[(M + 1) % 4]), start=[0, 0])
LEAST = lowest(M, Mark(M)) > 0
CASES = [
    *[
        (DIALS, how(6 // by, Dial(P, M)) < 9)
        for how in (total, lowest, highest)
        for by in (M, P, M + P)
    ],
    (DIALS, total(M * (6 // P), Dial(P, M)) < 9),
    (DIALS, total(6 // M, Dial(P, M), when=M > 0) < 9),
    (DIALS, count(Dial(P, M), when=6 // M == 3) == 0),
    (DIALS, contains(Dial(0, M), Dial(1, N), when=~(6 // M == 6 // N))),
    (NUMBERS, total(6 // M, M) < 9),
    (MARKED, ~LEAST),
    (MARKED, LEAST | (count(Dial(0, 0)) == 1)),
    (MARKED, (count(Dial(0, 0)) == 1) | LEAST),
    (MARKED, LEAST | contains(Dial(0, 0))),
    (MARKED, ~(LEAST & contains(Dial(0, 0)))),
]


@every_engine
@pytest.mark.parametrize(("puzzle", "goal"), CASES)
def test_goals_hold_in_the_states_that_the_definition_says(
    puzzle: Puzzle, goal: Any, engine: str
) -> None:
    states = explore(puzzle, engine=engine).states
    expected = {state for state in states if is_goal(puzzle, state, goal_condition(goal))}
    found = search(puzzle, goal=goal, solutions=None, engine=engine).paths
    assert {path.end for path in found} == expected


@every_engine
def test_the_lowest_value_is_one_that_is_there(engine: str) -> None:
    result = search(DIALS, minimize=total(6 // M, Dial(P, M)), engine=engine)
    assert result.path is not None
    assert result.objective == 4
    assert result.path.end == State([Dial(0, 3), Dial(1, 3)])


def test_a_match_without_a_value_is_no_match_less_for_symmetry_and_for_goal_states() -> None:
    switches = Puzzle(
        rule("flip", take=[Dial(P, M)], put=[Dial(P, 1 - M)]),
        start=[Dial(place, 0) for place in range(4)],
        goal=(total(0 * (6 // P), Dial(P, 1), when=P < 2) == 0)
        & (count(Dial(P, 1)) == 1) & contains(Dial(1, 0)),
    )  # fmt: skip
    ends = [search(switches, symmetry=how, solutions=None).paths for how in ("none", "find")]
    assert [len(one) for one in ends] == [2, 1]  # dials 2 and 3, which can be exchanged
    assert {*ends[1][0].end} >= {Dial(0, 0), Dial(1, 0)}


@natively
def test_what_may_be_missing_does_not_keep_a_search_from_both_ends_from_goals() -> None:
    lost = total(6 // M, Dial(P, M)) < 99  # says nothing of states where M is 0
    puzzle = DIALS.replace(never=lost, goal=contains(Dial(0, 0), Dial(1, 3)))
    steps = [
        len(search(puzzle, strategy=strategy).path or ())
        for strategy in ("breadth_first", "bidirectional")
    ]
    assert steps == [3, 3]


@fn
def half(number: int) -> int:
    if number % 2:
        raise ValueError("odd")
    return number // 2


@every_engine
@pytest.mark.parametrize(
    "asked", [(half(P) == 0) & lacks(Dial(P, 3)), lacks(Dial(P, 3)) & (half(P) == 0)]
)
def test_a_condition_that_fails_for_a_dial_fails_in_the_search(asked: Any, engine: str) -> None:
    turn = rule("turn", take=[Dial(P, M)], put=[Dial(P, (M + 1) % 4)], when=asked)
    odd = Puzzle(turn, start=[Dial(0, 0), Dial(1, 0)], goal=contains(Dial(0, 2)))
    assert len(search(odd, [Dial(0, 0), Dial(2, 0)], engine=engine).path or ()) == 2
    with pytest.raises(RuleError, match=r"half\(1\) with P=1, in state \[Dial\(0, 0\), Dial"):
        search(odd, engine=engine)


@every_engine
@pytest.mark.parametrize(
    ("most", "numbers"),
    [(highest(B, B) == True, [2]), (lowest(N > 1, N) < highest(N > 1, N), [0, 2, 2])],  # noqa: E712
)
def test_truth_values_have_a_lowest_and_a_highest(
    most: Any, numbers: list[int], engine: str
) -> None:
    add = rule("add", take=[M], put=[M + 1], when=most)
    puzzle = Puzzle(add, start=[True, False, *numbers], goal=contains(3))
    assert len(search(puzzle, engine=engine).path or ()) == 1


@natively
def test_a_heuristic_is_not_made_of_a_goal_that_fails_for_a_value() -> None:
    goal = contains(Dial(0, M), Dial(1, N), when=half(M) > N)
    with pytest.raises(SearchError, match=r"cannot be made: .* cannot be tried on every value"):
        search(DIALS, goal=goal, strategy="astar", heuristic="hmax")


@natively
def test_what_no_state_holds_together_is_not_asked_of_the_terms_a_goal_lacks() -> None:
    turn = rule("turn", take=[Dial(0, M), Dial(1, M)], put=[Dial(0, M + 1), Dial(1, M + 1)],
                when=M < 3)  # fmt: skip
    goal = contains(Dial(0, 2)) & lacks(Dial(0, M), Dial(1, N), when=half(M + N) < 2)
    both = Puzzle(turn, start=[Dial(0, 0), Dial(1, 0)], goal=goal)
    assert len(search(both, strategy="astar", heuristic="hmax").path or ()) == 2
