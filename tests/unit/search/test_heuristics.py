"""Heuristics that are made from the rules: what they say, what they claim, what they refuse."""

from typing import Any

import pytest

from puzzles import eight_puzzle, farmer, sokoban, water_jugs
from rewrite import ANY, Puzzle, SearchError, contains, count, ints, lowest, rule, search, term
from rewrite.analysis.goals.facts import goal_facts
from rewrite.analysis.patterns import projections
from rewrite.search.heuristics import HEURISTICS
from tests.contract.graphs import At
from tests.engines import goal_of, natively, over_slots, task_of
from tests.unit.search.test_pieces import estimate

M, N, P, Q, X = ints("M N P Q X")

names = pytest.mark.parametrize("name", HEURISTICS)
pytestmark = natively


@term
class Lamp:
    number: int
    on: bool


ways = [rule(f"to {Q}", take=[At(P)], put=[At(Q)], let={Q: P + 1}, when=P < 4)]
walk = Puzzle(ways, start=[At(0)], goal=contains(At(3)), name="walk")
lamps = Puzzle(
    rule(f"light {P}", take=[Lamp(P, False)], put=[Lamp(P, True)], cost=2),
    start=[Lamp(number, False) for number in range(3)],
    goal=contains(*[Lamp(number, True) for number in range(3)]),
    name="lamps",
)


def facts(puzzle: Puzzle, goal: Any) -> list[list[tuple[Any, list[Any]]]]:
    """The alternatives of a goal with terms in place of numbers."""
    engine = over_slots(task_of(puzzle, goal))
    return [
        [(field, [engine.fields[field].values[value] for value in values])
         for field, values in needs]
        for needs in goal_facts(engine, goal)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "found"),
    [("goal_count", 3), ("hmax", 2), ("lmcut", 6), ("ff", 6), ("pattern_databases", 6)],
)
def test_the_estimate_of_the_start(name: str, found: int) -> None:
    assert estimate(lamps, name) == found


@pytest.mark.parametrize(
    ("name", "optimal"),
    [("goal_count", False), ("hmax", True), ("lmcut", True), ("ff", False),
     ("pattern_databases", True), ("auto", True)],
)  # fmt: skip
def test_optimal_is_claimed_only_with_those_that_never_overestimate(
    name: str, optimal: bool
) -> None:
    assert search(lamps, heuristic=name).optimal is optimal
    assert not search(lamps, heuristic=name, weight=2).optimal
    for strategy in ("greedy", "beam"):
        result = search(lamps, heuristic=name, strategy=strategy)
        assert result.path is not None
        assert not result.optimal


def test_the_hardest_eight_puzzles_are_solved_with_few_expansions() -> None:
    for words in ("867254301", "647850321"):
        result = search(eight_puzzle.instance(words), heuristic="pattern_databases")
        assert (len(result.paths[0]), result.optimal) == (31, True)
        assert result.expanded < 350
        assert result.notes == (
            "heuristic: 2 additive pattern databases of 4 and 4 values, for the state and for 1 "
            "image of it",
        )


def test_where_there_are_no_pattern_databases_auto_says_why_and_takes_hmax(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(projections, "MOST_STEPS", 0)
    reason = "no projection of its rules says anything of the goal"
    result = search(walk, heuristic="auto")
    assert result.notes == (f"heuristic: hmax (no pattern databases: {reason})",)
    assert result.optimal
    with pytest.raises(SearchError, match=reason):
        search(walk, heuristic="pattern_databases")


def test_goals_are_read_as_what_fields_may_hold() -> None:
    jugs = water_jugs.instance()
    assert len(facts(jugs, goal_of(jugs))) >= 1
    lit = facts(
        lamps, contains(Lamp(1, True)) | contains(Lamp(P, True), Lamp(2, False), when=P < 1)
    )
    assert [[field for field, _ in needs] for needs in lit] == [[1], [0, 2]]


@names
def test_a_puzzle_that_is_not_kept_in_slots_is_refused_with_the_reason(name: str) -> None:
    numbers = Puzzle(
        rule("add", take=[M, N], put=[M + N]), start=[1, 2, 3], goal=contains(6), name="numbers"
    )
    with pytest.raises(SearchError) as caught:
        search(numbers, heuristic=name)
    text = str(caught.value)
    assert text.startswith(f"numbers: heuristic='{name}' is made from rules over slots, and this ")
    assert text.endswith(
        "belongs in a multiset, or give an expression such as total(…) or a function "
        "State -> number"
    )
    assert (caught.value.reason.rule, caught.value.reason.pattern) == ("add", M)


@names
def test_a_goal_that_says_nothing_of_single_terms_is_refused(name: str) -> None:
    with pytest.raises(SearchError) as caught:
        search(lamps, None, count(Lamp(ANY, True)) == 2, heuristic=name)
    text = str(caught.value)
    assert text.startswith(f"lamps: heuristic='{name}' cannot be made: its goal ")
    assert "says of no single term whether it must be there; give an expression such as" in text


def test_without_a_goal_there_is_nothing_to_estimate() -> None:
    with pytest.raises(SearchError, match=r"heuristic='ff' estimates the way to a goal, but there "
                       r"is no goal; give goal=…, or leave the heuristic out"):  # fmt: skip
        search(walk.replace(goal=None), heuristic="ff", strategy="astar", minimize=lowest(P, At(P)))


def test_goals_with_what_must_not_be_there_are_understood() -> None:
    for puzzle in (farmer.instance(), sokoban.instance()):
        assert search(puzzle, heuristic="auto").path is not None
