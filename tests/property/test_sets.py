"""Puzzles of sets against the definition: to put what is there already changes nothing."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from rewrite import (
    ANY,
    Puzzle,
    RuleError,
    SearchError,
    bools,
    contains,
    effect,
    exactly,
    explore,
    fn,
    ints,
    rule,
    search,
    term,
)
from rewrite.engine.build import build
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.language.meaning import is_goal, simplified, successors
from rewrite.language.states import State
from tests.engines import ENGINES, every_engine, goal_of, natively, quiet, start_of, task_of
from tests.property.by_definition import first_states
from tests.property.drawn import drawn
from tests.property.set_puzzles import set_puzzles
from tests.terms import A, B, C, Next

pytestmark = quiet
P, Q, R = ints("P Q R")
PLACES = st.sampled_from([P, Q])
PATTERNS = st.one_of(st.builds(A, PLACES), st.builds(B, PLACES), st.builds(C, PLACES, PLACES))
ABSENT = st.one_of(PATTERNS, st.builds(C, PLACES, st.just(ANY)))
FEW = st.lists(PATTERNS, max_size=2)
LOCAL = st.sampled_from([P, Q, R])
WITHIN = st.one_of(st.builds(A, LOCAL), st.builds(B, LOCAL), st.builds(C, LOCAL, LOCAL))
GUARDS = st.sampled_from([(), P < R, R != Q])
NOTHING: st.SearchStrategy[list[Any]] = st.just([])
ONE = st.one_of(st.builds(A, LOCAL), st.builds(B, LOCAL)).map(lambda one: [one])
MOVING = st.tuples(ONE, st.one_of(NOTHING, ONE), ONE, NOTHING, GUARDS)  # mostly keep invariants
EFFECTS = MOVING | st.tuples(
    st.lists(WITHIN, max_size=2), st.lists(WITHIN, max_size=1), st.lists(WITHIN, max_size=2),
    st.lists(WITHIN, max_size=1), GUARDS,
)  # fmt: skip
RULES = st.tuples(ONE, NOTHING, ONE, NOTHING, st.lists(MOVING, max_size=3)) | st.tuples(
    FEW, FEW, st.lists(PATTERNS, min_size=1, max_size=3), st.lists(ABSENT, max_size=1),
    st.lists(EFFECTS, max_size=3),
)  # fmt: skip
PLACE = st.integers(0, 2)
TERMS = st.one_of(st.builds(A, PLACE), st.builds(B, PLACE), st.builds(C, PLACE, PLACE))
STARTS = st.lists(TERMS, min_size=1, max_size=5)
GOALS = st.lists(TERMS, min_size=1, max_size=2, unique=True)
MOST = 300
SIMPLER = [
    rule("clear", take=[A(P)], keep=[B(P)]),
    rule("note", keep=[A(P)], put=[C(P, 1)], absent=[C(P, 1)]),
    rule("less", take=[C(P, Q)], put=[C(P, Q - 1)], when=Q > 1),
    rule("pair", keep=[A(P), C(P, Q)], put=[B(Q)], absent=[B(Q), A(Q)]),
]


def puzzle_of(
    start: list[Any], goal: list[Any], parts: list[Any], simplify: list[Any] | None = None
) -> Puzzle:
    rules = []
    for number, (take, keep, put, absent, some) in enumerate(parts):
        effects = []
        for takes, keeps, puts, lacking, guard in some:
            with suppress(RuleError):
                one = effect(take=takes, keep=keeps, put=puts, absent=lacking, when=guard)
                rule("trial", keep=[Next(P, Q)], effects=[one])  # or it has an unbound variable
                effects.append(one)
        with suppress(RuleError):
            rules.append(
                rule(
                    f"r{number}", take=take, keep=[Next(P, Q), *keep], put=put, absent=absent,
                    cost=number + 1, effects=effects,
                )
            )  # fmt: skip
    facts = [Next(0, 1), Next(1, 2), Next(2, 2), Next(1, 0)]
    return Puzzle(
        rules, start=start, goal=contains(*goal), facts=facts, sets=True, simplify=simplify or ()
    )


def distances(puzzle: Puzzle) -> tuple[dict[State, int], int | None]:
    """The states by level, and the steps to the nearest goal; at most MOST states."""
    start = simplified(puzzle, start_of(puzzle))
    found, queue, nearest = {start: 0}, [start], None
    for state in queue:
        if nearest is None and is_goal(puzzle, state, goal_of(puzzle)):
            nearest = found[state]
        for way in successors(puzzle, state):
            if way.after not in found:
                found[way.after] = found[state] + 1
                queue.append(way.after)
        assume(len(queue) <= MOST)
    return found, nearest


@given(STARTS, GOALS, st.lists(RULES, min_size=1, max_size=3))
def test_all_engines_see_the_states_of_the_definition(
    start: list[Any], goal: list[Any], parts: list[Any]
) -> None:
    puzzle = puzzle_of(start, goal, parts)
    states, nearest = distances(puzzle)
    assert all(number == 1 for state in states for _, number in state.distinct())
    within = build(task_of(puzzle)).reasoning
    event(f"in slots: {within is not None}, over 8 states: {len(states) > 8}")
    if within is not None:
        some = [len(change.effects) for _, change in within.changes]
        event(f"most effects: {min(max(some, default=0), 3)}")
    for engine in ENGINES:
        space = explore(puzzle, engine=engine)
        assert {*map(State, space.states)} == {*states}
        found = search(puzzle, engine=engine, strategy="breadth_first")
        assert (None if found.path is None else len(found.path)) == nearest
        if found.path is not None and puzzle.goal is not None:
            assert is_goal(puzzle, found.path.end, puzzle.goal)
    for other in [*states][1:4]:  # what is compiled for a start may serve others
        _, nearest = distances(puzzle.replace(start=other))
        found = search(puzzle, other, strategy="breadth_first")
        assert (None if found.path is None else len(found.path)) == nearest


@natively
@given(
    STARTS, GOALS, st.lists(RULES, min_size=1, max_size=3),
    NOTHING | st.lists(st.sampled_from(SIMPLER), min_size=1, max_size=2, unique=True),
)  # fmt: skip
def test_all_that_is_reasoned_from_the_rules_holds_of_sets(
    start: list[Any], goal: list[Any], parts: list[Any], simplify: list[Any]
) -> None:
    puzzle = puzzle_of([*dict.fromkeys(start)], goal, parts, simplify)
    assume(build(task_of(puzzle, puzzle.goal)).reasoning is not None)
    distances(puzzle)
    cheapest = search(puzzle, strategy="uniform_cost", symmetry="none")
    questions: list[dict[str, Any]] = [
        {"strategy": "astar", "heuristic": "hmax"}, {"strategy": "astar", "heuristic": "auto"},
        {"strategy": "astar", "heuristic": "hmax", "symmetry": "find"}, {"symmetry": "find"}, {},
        {"strategy": "astar", "heuristic": "lmcut"},
    ]  # fmt: skip
    for asked in questions:
        with suppress(SearchError):  # of a goal that no heuristic says anything of
            found = search(puzzle, **asked)
            event(f"{asked} answered")
            assert found.status == cheapest.status
            if found.path is not None and cheapest.path is not None:
                assert found.path.cost == cheapest.path.cost


def test_sets_outside_slots_are_stored_in_groups() -> None:
    """Else the properties of the engines over multisets would say nothing of sets."""
    for puzzle in drawn(set_puzzles, 50):
        assert isinstance(build(task_of(puzzle, puzzle.goal)), MultisetEngine)


@every_engine
def test_rules_of_sets_outside_slots_are_not_run_backwards(engine: str) -> None:
    less = rule("less", take=[P], put=[P - 1], when=P > 1)  # from {1, 2} as well as from {2}
    puzzle = Puzzle(less, start=[1, 2], goal=exactly(1), sets=True)
    with pytest.raises(SearchError, match="what a rule puts may have been there before"):
        search(puzzle, strategy="bidirectional", engine=engine)
    found = search(puzzle, engine=engine)
    assert found.path is not None
    assert len(found.path) == 1


def test_a_rule_that_puts_many_values_of_any_type_is_left_to_the_definition() -> None:
    same = fn(lambda value: value)
    many = rule("many", take=[A(P)], put=[same(P - number % 15) for number in range(20)])
    puzzle = Puzzle(many, start=[A(3), 1], sets=True)
    for engine in ENGINES:
        space = explore(puzzle, engine=engine)
        assert {*map(State, space.states)} == first_states(puzzle, MOST).keys()


@term
class Seat:
    place: int
    left: bool
    right: bool


def test_effects_beside_what_a_function_computes_are_those_of_the_definition() -> None:
    one, (left, right) = fn(lambda number: {0: 1}.get(number, 0))(0 * P), bools("left right")
    end = effect(take=[Seat(0, False, right)])
    moved = rule("move", take=[Seat(P, left, right), Seat(P + 1, ANY, left)],
                 put=[Seat(one, left, left)], effects=[end])  # fmt: skip
    start = [Seat(0, False, False), Seat(1, True, True), Seat(2, False, True)]
    puzzle = Puzzle(moved, start=start, sets=True)
    for engine in ENGINES:
        space = explore(puzzle, engine=engine)
        assert {*map(State, space.states)} == first_states(puzzle, MOST).keys()
