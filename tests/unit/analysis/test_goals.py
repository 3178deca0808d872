"""Goal states as codes: how many, and why they are refused."""

from types import ModuleType

import pytest

from puzzles import (
    eight_puzzle,
    eight_tuple,
    farmer,
    hanoi,
    hyperjump,
    klotski,
    pancakes,
    peg_solitaire,
    power_strike,
    rush_hour,
    two_grids,
)
from rewrite import Puzzle, State, contains, count, exactly, fn, ints, rule, terms, total
from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.compile.capacity import NeedsCapacity
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.search.goal_states import goal_codes
from tests.engines import over_multiset, over_slots, start_of, task_of
from tests.terms import At

P, Q, X, Y = ints("P Q X Y")
ANYTHING = terms("ANYTHING")


@fn
def wrapped(value: object) -> object:
    return (value,)


def board(goal: object, *values: int, never: object = ()) -> SlotEngine:
    """Cells whose values are exchanged."""
    puzzle = Puzzle(
        rule("swap", take=[At(P, X), At(Q, Y)], put=[At(P, Y), At(Q, X)]),
        start=[At(place, value) for place, value in enumerate(values)],
        goal=goal,
        never=never,
    )
    return over_slots(task_of(puzzle, puzzle.goal))


def listed(engine: SlotEngine | MultisetEngine, most: int = 100_000) -> list[State]:
    assert engine.task.goal is not None
    return [engine.decode(code) for code in goal_codes(engine, engine.task.goal, most)]


def slots(puzzle: Puzzle) -> SlotEngine:
    return over_slots(task_of(puzzle, puzzle.goal))


def groups(puzzle: Puzzle) -> MultisetEngine:
    return over_multiset(task_of(puzzle, puzzle.goal))


def held(states: list[State]) -> list[list[int]]:
    return [[cell.value for cell in state] for state in states]


@pytest.mark.parametrize(
    ("module", "number"), [(two_grids, 64), (eight_puzzle, 1), (farmer, 1), (peg_solitaire, 15)]
)
def test_the_puzzles_of_the_gallery_have_so_many_goal_states(
    module: ModuleType, number: int
) -> None:
    engine = slots(module.instance())
    codes = goal_codes(engine, engine.task.goal)  # type: ignore[arg-type]
    assert len(codes) == number
    assert codes == sorted(set(codes))
    assert all(engine.goal(code) for code in codes)


def test_the_goal_states_of_the_two_grids_hold_each_digit_as_often_as_the_start() -> None:
    puzzle = two_grids.instance()
    digits = sorted(term.number for term in start_of(puzzle))
    for state in listed(slots(puzzle)):
        assert sorted(term.number for term in state) == digits


@pytest.mark.parametrize("module", [klotski, rush_hour])
def test_a_goal_that_says_little_of_a_large_board_is_refused(module: ModuleType) -> None:
    with pytest.raises(NoGoalStates, match=r"^is met by more than 100,000 states$"):
        listed(slots(module.instance()))


@pytest.mark.parametrize(
    ("goal", "never", "wanted"),
    [
        (contains(At(0, 3)), (), [[3, 1, 2], [3, 2, 1]]),
        (contains(At(0, 1)) | contains(At(1, 2)), (), [[1, 2, 3], [1, 3, 2], [3, 2, 1]]),
        (lambda state: state.count(At(1, 1)) == 1, (), [[2, 1, 3], [3, 1, 2]]),
        (contains(At(0, 3)), contains(At(1, 2)), [[3, 1, 2]]),
    ],
    ids=["open fields hold what is left", "a goal of two kinds", "a Python function", "never"],
)
def test_each_state_that_meets_the_goal_is_listed_once(
    goal: object, never: object, wanted: list[list[int]]
) -> None:
    assert sorted(held(listed(board(goal, 1, 2, 3, never=never)))) == wanted


def test_a_python_function_on_too_many_states_is_refused() -> None:
    engine = board(lambda state: True, *range(9))
    with pytest.raises(NoGoalStates, match="is met by more than 100,000 states"):
        listed(engine)


def test_aggregates_are_bounded_on_the_way() -> None:
    few = board(count(At(P, X), when=X == P) == 9, *range(9, -1, -1))
    assert listed(few) == []
    all_ = board(count(At(P, X), when=X == P) > 9, *range(9, -1, -1))
    assert held(listed(all_)) == [list(range(10))]
    summed = board(total(P * X, At(P, X)) >= 285, *range(9, -1, -1))
    with pytest.raises(NoGoalStates):
        listed(summed)


def test_a_state_that_cannot_come_up_is_no_goal_state() -> None:
    start = [At(0, 1), At(1, 2)]
    engine = board([State(start), State([At(0, 7), At(5, 2)])], 1, 2)
    assert listed(engine) == [State(start)]


def test_values_that_are_not_known_beforehand_are_refused() -> None:
    puzzle = hanoi.instance()
    with pytest.raises(NoGoalStates, match="has too many states: the values that Peg can come to"):
        listed(slots(puzzle))


def test_a_goal_that_fails_where_it_is_never_asked_is_refused_not_an_error() -> None:
    @fn
    def strange(value: int) -> int:
        raise LookupError("nothing here")

    engine = board(contains(At(0, X), when=strange(X) == 1), 1, 2)
    with pytest.raises(NoGoalStates, match=r"^cannot be tried on every value"):
        listed(engine)


def test_a_multiset_needs_a_whole_state() -> None:
    assert listed(groups(eight_tuple.instance())) == [State([(1, 2, 3, 4, 5, 6, 7, 8, 0)])]
    assert listed(groups(power_strike.instance())) == [State([power_strike.Cell(8, 41)])]
    text = "^does not say what else is in the state$"
    with pytest.raises(NoGoalStates, match=text):
        listed(groups(hyperjump.instance()))


def test_patterns_as_many_as_terms_are_a_whole_state_where_the_number_of_terms_stays() -> None:
    assert listed(groups(pancakes.instance())) == [State([(1, 2, 3, 4, 5, 6, 7)])]


def test_patterns_are_no_whole_state_where_rules_put_more_than_they_take() -> None:
    grows = Puzzle(rule("grow", take=[X], put=[X, X + 1]), start=[1], goal=contains(5))
    with pytest.raises(NoGoalStates, match="does not say what else"):
        listed(groups(grows))


def test_goals_of_multisets_are_listed_through_and_and_or() -> None:
    goal = (exactly(1) | exactly(2)) & contains(2)
    assert listed(groups(Puzzle(rule("up", take=[X], put=[X + 1]), start=[1], goal=goal))) == [
        State([2])
    ]


def test_another_goal_than_that_of_the_task_can_be_listed() -> None:
    engine = board(contains(At(0, 3)), 1, 2, 3)
    codes = goal_codes(engine, contains(At(0, 1), At(1, 3)))
    assert [engine.decode(code) for code in codes] == [State([At(0, 1), At(1, 3), At(2, 2)])]


def test_a_goal_state_with_a_term_of_a_new_type_asks_for_a_group_for_it() -> None:
    goal = exactly((1,))
    puzzle = Puzzle(rule("wrap", take=[ANYTHING], put=[wrapped(ANYTHING)]), start=[1], goal=goal)
    with pytest.raises(NeedsCapacity) as needs:
        listed(groups(puzzle))
    engine = over_multiset(task_of(puzzle, puzzle.goal), needs.value.capacity.term_types)
    assert listed(engine) == [State([(1,)])]
