"""How each puzzle of the gallery is kept: a change of the compiler shows here, for better or worse.

Slots and ground rules follow from the rules: e.g. the 8-puzzle has 9 cells and 24 ordered pairs of
neighbouring cells, peg solitaire 15 holes and 36 jumps, and Klotski 20 cells.
"""

import pytest

from puzzles import PUZZLES
from rewrite.engine.build import build
from tests.engines import task_of

ENCODINGS = {
    "digitle": "a multiset in groups (int)",
    "digits": "a multiset in groups (int)",
    "hyperjump": "a multiset in groups (int, seq)",
    "power_strike": "a multiset in groups (Cell)",
    "two_grids": "18 slots and 0 bits (72 bits in all), 18 ground rules",
    "water_jugs": "2 slots and 0 bits (6 bits in all), 6 ground rules",
    "farmer": "4 slots and 0 bits (4 bits in all), 8 ground rules",
    "missionaries": "a multiset in groups (Boat, On)",
    "eight_puzzle": "9 slots and 0 bits (36 bits in all), 24 ground rules",
    "eight_tuple": "a multiset in groups (seq)",
    "sliding_tiles": "6 slots and 0 bits (18 bits in all), 14 ground rules",
    "sokoban": "1 slots and 14 bits (18 bits in all), 58 ground rules",
    "hanoi": "3 slots and 0 bits (36 bits in all), 6 ground rules",
    "rush_hour": "8 slots and 33 bits (48 bits in all), 84 ground rules",
    "klotski": "20 slots and 0 bits (80 bits in all), 188 ground rules",
    "sliding_blocks": "3 slots and 32 bits (44 bits in all), 120 ground rules",
    "peg_solitaire": "15 slots and 0 bits (15 bits in all), 36 ground rules",
    "lights_out": "25 slots and 0 bits (25 bits in all), 25 ground rules",
    "pancakes": "a multiset in groups (seq)",
    "pocket_cube": "21 slots and 0 bits (63 bits in all), 6 ground rules",
    "twenty_four": "a multiset in groups (Num)",
}


def test_every_puzzle_has_its_line() -> None:
    assert ENCODINGS.keys() == PUZZLES.keys()


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_puzzle_is_kept_as_its_line_says(name: str) -> None:
    puzzle = PUZZLES[name]()
    encoding = build(task_of(puzzle)).encoding
    line, _, why = encoding.partition(": ")
    assert line == ENCODINGS[name]
    assert bool(why) == line.startswith("a multiset")  # a reason is given where it is not slots
