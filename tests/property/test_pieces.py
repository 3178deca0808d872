"""Estimates of interchangeable pieces against the true distances in the whole space."""

import math
from itertools import permutations
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from rewrite import Puzzle
from rewrite.compiler.room import NeedsRoom
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.search.heuristics import pieces as module
from rewrite.search.heuristics.assignment import FAR, least_cost
from rewrite.search.heuristics.pieces import pieces
from tests.property.piece_puzzles import piece_puzzles
from tests.property.test_heuristics_are_right import (
    check_estimates,
    natively,
    slots,
    space,
    true_distances,
)
from tests.property.test_native_agrees import agree

pytestmark = pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")


def made(engine: SlotEngine, most: int = 1 << 23) -> Any:
    assert engine.task.goal is not None
    try:
        return pieces(engine, engine.task.goal, most)
    except (Unsuitable, NeedsRoom) as why:
        event(f"refused: {why}"[:90])
        assume(False)


def told(estimate: Any, left: dict[int, float]) -> None:
    """Report whether there was anything to be wrong about."""
    infinite = sum(estimate(code) == math.inf for code in left)
    event(f"infinite: {'some' if infinite else 'none'}")
    event(f"exact: {sum(estimate(code) == way for code, way in left.items()) > len(left) / 2}")


@given(puzzle=piece_puzzles(), most=st.sampled_from([1, 200, 1 << 23]), columns=st.integers(0, 5))
def test_it_is_never_too_high_and_never_falls_by_more_than_a_step_costs(
    puzzle: Puzzle, most: int, columns: int
) -> None:
    engine = slots(puzzle)
    with pytest.MonkeyPatch.context() as patch:
        if columns < 5:
            patch.setattr(module, "MOST_COLUMNS", columns)
        estimate = made(engine, most)
    steps = space(engine)
    left = true_distances(engine, steps)
    told(estimate, left)
    check_estimates(engine, estimate, steps, left)


@given(puzzle=piece_puzzles(free=True, boxes=1))
def test_of_one_piece_it_is_the_least_number_of_pushes(puzzle: Puzzle) -> None:
    engine = slots(puzzle)
    estimate = made(engine)
    left = true_distances(engine, space(engine))
    told(estimate, left)
    for code, distance in left.items():
        assert estimate(code) == distance, engine.decode(code)


@given(puzzle=piece_puzzles(free=True, boxes=2))
def test_of_two_pieces_it_is_infinite_exactly_where_no_goal_is_reached(puzzle: Puzzle) -> None:
    engine = slots(puzzle)
    estimate = made(engine)
    left = true_distances(engine, space(engine))
    told(estimate, left)
    for code, distance in left.items():
        assert (estimate(code) == math.inf) == (distance == math.inf), engine.decode(code)


@natively
@given(
    puzzle=piece_puzzles(),
    strategy=st.sampled_from(["astar", "idastar", "greedy", "beam"]),
    solutions=st.sampled_from([1, 3, None]),
    name=st.sampled_from(["pieces", "pieces", "auto"]),
    symmetry=st.sampled_from([None, "find"]),
)
def test_both_engines_answer_as_defined(
    puzzle: Puzzle, strategy: str, solutions: int | None, name: str, symmetry: str | None
) -> None:
    given: dict[str, Any] = {"strategy": strategy, "heuristic": name, "solutions": solutions}
    given |= {"max_states": 300, "max_depth": 4} if strategy == "idastar" else {"max_states": 300}
    if symmetry and solutions == 1:
        given["symmetry"] = symmetry
    agree(puzzle, given)


@given(
    st.integers(1, 5).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, 9) | st.just(FAR), min_size=size, max_size=size),
            min_size=size, max_size=size,
        )
    )
)  # fmt: skip
def test_the_least_assignment_is_the_least_of_all_permutations(costs: list[list[int]]) -> None:
    ways = permutations(range(len(costs)))
    least = min(sum(costs[row][at] for row, at in enumerate(way)) for way in ways)
    event(f"{'possible' if least < FAR else 'impossible'}")
    assert min(least_cost(costs), FAR) == min(least, FAR)
