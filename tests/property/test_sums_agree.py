"""Heuristics that are sums over terms: learnt term by term they are what evaluating them gives."""

from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from puzzles.eight_puzzle import Tile, instance
from puzzles.lights_out import Lamp, lights_out
from rewrite import Puzzle, count, ints, total
from tests.contract.test_sums import evaluated
from tests.engines import natively
from tests.property.test_native_agrees import outcome, told

C, V = ints("C V")
FAR = total(abs(C // 3 - (V - 1) // 3) + abs(C % 3 - (V - 1) % 3), Tile(C, V), when=V > 0)


@st.composite
def boards(draw: st.DrawFn) -> Puzzle:
    """An 8-puzzle some moves from its goal."""
    numbers = [1, 2, 3, 4, 5, 6, 7, 8, 0]
    for way in draw(st.lists(st.sampled_from([-3, -1, 1, 3]), max_size=16)):
        empty = numbers.index(0)
        there = empty + way
        if there in range(9) and (abs(way) == 3 or empty // 3 == there // 3):
            numbers[empty], numbers[there] = numbers[there], 0
    return instance("".join(map(str, numbers)))


@st.composite
def sums(draw: st.DrawFn) -> Any:
    """The distances of some tiles, weighted; not always below the moves that are left."""
    far = draw(st.sampled_from([0, 1, 1, 1, 2])) * FAR
    least, cell = draw(st.integers(0, 8)), draw(st.integers(0, 8))
    others = total(abs(C - V), Tile(C, V), when=[least <= V, cell >= C])
    return far + draw(st.integers(0, 2)) * others - draw(st.integers(0, 1)) * count(Tile(cell, 0))


@natively
@given(
    puzzle=boards(),
    heuristic=sums(),
    options=st.fixed_dictionaries(
        {"strategy": st.sampled_from(["idastar", "idastar", "astar", "greedy"])},
        optional={"solutions": st.sampled_from([2, None])},
    ),
    max_states=st.integers(1, 40),
    max_depth=st.integers(0, 9),
)
def test_sums_over_tiles(
    puzzle: Puzzle, heuristic: Any, options: dict[str, Any], max_states: int, max_depth: int
) -> None:
    asked = {**options, "heuristic": heuristic, "max_states": max_states, "max_depth": max_depth}
    learnt = outcome(puzzle, asked, "native")
    event(f"{options['strategy']} {learnt[0].status if isinstance(learnt, list) else 'failed'}")
    with evaluated():
        assert told(outcome(puzzle, asked, "native")) == told(learnt)


@natively
@given(
    lamps=st.lists(st.sampled_from(["00", "01", "10", "11"]), min_size=2, max_size=2),
    weights=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    strategy=st.sampled_from(["idastar", "astar"]),
)
def test_sums_over_bits(lamps: list[str], weights: list[int], strategy: str) -> None:
    lit = sum(
        (weight * count(Lamp(cell, 1)) for cell, weight in enumerate(weights)), count(Lamp(C, 1))
    )
    asked = {"strategy": strategy, "heuristic": lit, "max_states": 200, "max_depth": 5}
    learnt = outcome(lights_out(lamps), asked, "native")
    with evaluated():
        assert told(outcome(lights_out(lamps), asked, "native")) == told(learnt)
