"""Heuristics that are sums over terms, followed step by step: they are what the definition says."""

from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from puzzles.eight_puzzle import Tile, instance
from puzzles.lights_out import Lamp, lights_out
from rewrite.language import meaning
from rewrite.language.conditions import count, total
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from tests.engines import natively
from tests.property.test_native_agrees import outcome

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


def by_sums(puzzle: Puzzle, heuristic: Any, asked: dict[str, Any]) -> Any:
    """What a search says that goes by a sum; it is what it says with the values of states."""

    def valued(state: State) -> Any:
        return meaning.value_of(puzzle, heuristic, state)

    found, wanted = (
        outcome(puzzle, asked | {"heuristic": one}, "native") for one in (heuristic, valued)
    )
    if isinstance(wanted, tuple):  # a sum below 0; only one of the texts names the function
        found, wanted = found[0], wanted[0]
    assert found == wanted
    return found


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
    asked = {**options, "max_states": max_states, "max_depth": max_depth}
    found = by_sums(puzzle, heuristic, asked)
    event(f"{options['strategy']} {'failed' if isinstance(found, str) else found[0]['status']}")


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
    by_sums(lights_out(lamps), lit, {"strategy": strategy, "max_states": 200, "max_depth": 5})
