"""Heuristics that are made from the rules, against the true distances in the whole space."""

import math
from heapq import heappop, heappush
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from rewrite import ANY, Puzzle, contains, exactly, lacks, rule
from rewrite.analysis.fields import numbers
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.build import build
from rewrite.engine.slot_engine import SlotEngine
from rewrite.search.heuristics import HEURISTICS
from rewrite.search.heuristics.pattern_databases import (
    databases_of,
    pattern_databases,
    pattern_sets,
)
from tests.engines import goal_of, natively, quiet, task_of
from tests.property.board_puzzles import (
    CONDITIONS,
    HERE,
    D,
    Empty,
    Full,
    Mark,
    P,
    Q,
    Walker,
    X,
    Y,
    Z,
    board_puzzles,
)
from tests.terms import At, Next

pytestmark = [natively, quiet]

MOST_STATES = 600

GOALS = [
    contains(At(0, 2), At(1, 0)),
    contains(At(0, X), At(1, X)),
    contains(At(P, 3), Walker(P)),
    contains(Walker(0), Mark(1, HERE)),
    contains(Full(0), absent=Full(1)),
    contains(At(ANY, 3)) & contains(At(ANY, 0)),
    contains(At(0, X), when=X > 1) | contains(Walker(2)),
    lacks(At(0, 0)) & lacks(Walker(1)),
    lacks(At(P, 0)),
    ~contains(At(P, X), when=X < 2),
    ~(contains(At(0, 0)) | contains(At(1, 1))),
    exactly(At(0, X), At(1, Y), At(2, Z), At(3, D), Walker(0)),
    exactly(Full(0), Empty(1), At(0, X), At(1, Y), At(2, Z), Walker(P)),
    *CONDITIONS,
]


def slots(puzzle: Puzzle) -> SlotEngine:
    engine = build(task_of(puzzle, puzzle.goal))
    assume(isinstance(engine, SlotEngine))
    assert isinstance(engine, SlotEngine)
    return engine


def space(engine: SlotEngine) -> dict[int, list[tuple[int, int]]]:
    """Every state with its steps, (cost, next); small spaces only."""
    assert engine.task.start is not None
    start = engine.encode(engine.task.start)
    found: dict[int, list[tuple[int, int]]] = {}
    waiting = [start]
    while waiting:
        code = waiting.pop()
        if code in found:
            continue
        try:
            found[code] = engine.weighted(code)
        except (NeedsCapacity, EngineFailure):  # not stored in slots after all; a step that fails
            assume(False)
        assume(len(found) <= MOST_STATES)
        waiting += [successor for _, successor in found[code]]
    return found


def true_distances(engine: SlotEngine, steps: dict[int, list[tuple[int, int]]]) -> dict[int, float]:
    before: dict[int, list[tuple[int, int]]] = {code: [] for code in steps}
    for code, following in steps.items():
        for cost, successor in following:
            before[successor].append((cost, code))
    left = dict.fromkeys(steps, math.inf)
    queue: list[tuple[float, int]] = []
    for code in steps:
        if engine.goal(code):
            left[code] = 0
            heappush(queue, (0, code))
    while queue:
        distance, code = heappop(queue)
        if distance > left[code]:
            continue
        for cost, previous in before[code]:
            if distance + cost < left[previous]:
                left[previous] = distance + cost
                heappush(queue, (distance + cost, previous))
    return left


def made(name: str, engine: SlotEngine) -> Any:
    assert engine.task.goal is not None
    try:
        return HEURISTICS[name].make(engine, engine.task.goal)
    except (Unsuitable, NeedsCapacity):
        assume(False)


def check_estimates(
    engine: SlotEngine, estimate: Any, steps: dict[int, list[tuple[int, int]]],
    left: dict[int, float],
) -> None:  # fmt: skip
    """Assert that no estimate is above the truth, nor falls by more than a step costs."""
    guess = {code: estimate(code) for code in steps}
    for code, following in steps.items():
        assert guess[code] <= left[code], f"{engine.decode(code)}; {estimate.note}"
        for cost, successor in following:
            assert guess[code] <= cost + guess[successor], (
                f"{engine.decode(code)}, {engine.decode(successor)}; {estimate.note}"
            )


puzzles = st.builds(lambda puzzle, goal: puzzle.replace(goal=goal), board_puzzles(),
                    st.sampled_from(GOALS))  # fmt: skip


@st.composite
def exchanges(draw: st.DrawFn) -> Puzzle:
    cells = draw(st.integers(3, 5))
    blank = draw(st.booleans())
    pairs = draw(st.sets(st.tuples(st.integers(0, cells - 1), st.integers(0, cells - 1)),
                         min_size=2, max_size=8))  # fmt: skip
    moves = [
        rule("slide", take=[At(P, X), At(Q, 0)], keep=[Next(P, Q)], put=[At(P, 0), At(Q, X)]),
        rule("swap", take=[At(P, X), At(Q, Y)], keep=[Next(P, Q)], put=[At(P, Y), At(Q, X)],
             cost=2),
        rule("turn", take=[At(0, X), At(1, Y), At(2, Z)], put=[At(0, Y), At(1, Z), At(2, X)]),
        rule("lift", take=[At(0, 1), At(P, X)], keep=[Next(0, P)], put=[At(0, X), At(P, 1)]),
    ]  # fmt: skip
    rules = moves[:1] if blank else draw(st.lists(st.sampled_from(moves), min_size=1, unique_by=id))
    values = draw(st.permutations([*range(cells - 1), draw(st.sampled_from([1, cells - 1]))]))
    wanted = draw(st.permutations(values))[: draw(st.integers(1, cells))]
    goal = contains(*[At(cell, value) for cell, value in enumerate(wanted)])
    if draw(st.booleans()):
        goal = goal | contains(At(0, values[1]), At(1, values[0]))
    return Puzzle(
        rules, start=[At(cell, value) for cell, value in enumerate(values)], goal=goal,
        facts=[Next(a, b) for a, b in pairs if a != b], name="exchanges",
    )  # fmt: skip


@given(puzzles | exchanges())
def test_patterns_that_say_nothing_of_the_start_estimate_it_at_0(puzzle: Puzzle) -> None:
    engine = slots(puzzle)
    try:
        sets = pattern_sets(engine, goal_of(puzzle), 10_000)
    except (Unsuitable, NeedsCapacity):
        return
    start = engine.encode(engine.task.start)
    for one in sets:
        if one.says_nothing_of(numbers(engine.fields, start)):
            event("nothing")
            assert databases_of([one], engine, goal_of(puzzle))(start) == 0


@given(puzzle=puzzles | exchanges(), most=st.sampled_from([4, 30, 130, 1 << 20]))
def test_pattern_databases_of_any_size_never_overestimate_and_are_consistent(
    puzzle: Puzzle, most: int
) -> None:
    engine = slots(puzzle)
    try:
        estimate = pattern_databases(engine, goal_of(puzzle), most)
    except (Unsuitable, NeedsCapacity):
        assume(False)
    event(f"{len(puzzle.rules)} rules: {estimate.note}")
    steps = space(engine)
    left = true_distances(engine, steps)
    check_estimates(engine, estimate, steps, left)


ADMISSIBLE = [name for name, one in HEURISTICS.items() if one.admissible]


@pytest.mark.parametrize("name", ADMISSIBLE)
@given(puzzle=puzzles)
def test_it_never_overestimates_and_never_falls_by_more_than_a_step_costs(
    name: str, puzzle: Puzzle
) -> None:
    engine = slots(puzzle)
    estimate = made(name, engine)
    steps = space(engine)
    left = true_distances(engine, steps)
    check_estimates(engine, estimate, steps, left)


@pytest.mark.parametrize("name", sorted(HEURISTICS.keys() - {*ADMISSIBLE}))
@given(puzzle=puzzles)
def test_it_is_0_at_goals_and_infinite_only_where_none_can_be_reached(
    name: str, puzzle: Puzzle
) -> None:
    engine = slots(puzzle)
    estimate = made(name, engine)
    left = true_distances(engine, space(engine))
    for code, distance in left.items():
        guess = estimate(code)
        assert guess == 0 or not engine.goal(code), engine.decode(code)
        assert guess < math.inf or distance == math.inf, f"{engine.decode(code)}: {distance}"
