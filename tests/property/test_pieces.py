"""Estimates of interchangeable pieces against the true distances in the whole space."""

import math
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from rewrite import Puzzle
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.search.heuristics import pieces as module
from rewrite.search.heuristics.pieces import pieces
from tests.engines import natively, quiet
from tests.property.piece_puzzles import piece_puzzles
from tests.property.test_heuristics_are_right import (
    check_estimates,
    slots,
    space,
    true_distances,
)

pytestmark = [natively, quiet]


def made(engine: SlotEngine, most: int = 1 << 23) -> Any:
    assert engine.task.goal is not None
    try:
        return pieces(engine, engine.task.goal, most)
    except (Unsuitable, NeedsCapacity) as why:
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
