"""The pocket cube: the states at each distance from the solved cube, and what turns do to it.

The numbers and their sources are in lengths_and_sizes.toml.
"""

from typing import Any

import pytest

from puzzles import pocket_cube
from puzzles.pocket_cube import COLOURS, Sticker, stickers
from rewrite import ANY, PuzzleError, State, contains, replay, search
from rewrite.native import status
from tests.golden.facts import read

FACTS = read("lengths_and_sizes")
METRICS = ["quarter_turns", "half_turns"]
SOLVED = State(stickers(COLOURS))
NOWHERE = contains(Sticker(2, ANY), Sticker(2, ANY))


def levels_of(metric: str, **limits: Any) -> tuple[str, list[int], list[int]]:
    """The status of a search through all states, its levels, and those of the source."""
    fact = FACTS[f"pocket_cube_{metric}"]
    puzzle = pocket_cube.instance(*fact.get("words", []))
    result = search(puzzle, SOLVED, NOWHERE, strategy="breadth_first", **limits)
    return result.status, list(result.levels), fact["levels"]


@pytest.mark.parametrize("metric", METRICS)
def test_the_first_levels_have_the_sizes_of_the_source(metric: str) -> None:
    status, levels, known = levels_of(metric, max_depth=6)
    assert (status, levels) == ("limit", known[:7])


@pytest.mark.skipif(not status().usable, reason="3,674,160 states take the Python engine a minute")
@pytest.mark.parametrize("metric", [METRICS[0], pytest.param(METRICS[1], marks=pytest.mark.long)])
def test_every_level_has_the_size_of_the_source_and_nothing_lies_beyond(metric: str) -> None:
    status, levels, known = levels_of(metric)
    assert (status, levels, sum(known)) == ("exhausted", known, 3_674_160)


@pytest.mark.parametrize(
    ("turns", "times"), [("U", 4), ("R", 4), ("F", 4), ("U R U' R'", 6), ("R U", 15), ("R F'", 9)]
)
def test_a_sequence_of_turns_has_the_known_order(turns: str, times: int) -> None:
    """On the cube of order 3, R U has order 105 and R F' has 63: there edges go round in sevens."""
    ends = [
        replay(pocket_cube.instance(), SOLVED, turns.split() * n).end for n in range(1, times + 1)
    ]
    assert [end == SOLVED for end in ends] == [False] * (times - 1) + [True]


def test_mixing_by_words_does_what_the_rules_do() -> None:
    mixed = pocket_cube.instance("half", "R", "U2", "F'").start
    assert mixed == replay(pocket_cube.instance("half"), SOLVED, ["R", "U2", "F'"]).end


def test_the_cube_is_shown_unfolded_with_the_corner_that_is_held_still() -> None:
    after = replay(pocket_cube.instance(), SOLVED, ["U"]).end
    lines = ["    W W", "    W W", "G G R R B B O O", "O O G G R R B B", "    Y Y", "    Y Y"]
    assert [line.rstrip() for line in pocket_cube.picture(after).splitlines()] == lines


def test_a_wrong_word_is_refused_with_the_turns_there_are() -> None:
    text = "pocket_cube: needs the turns that mix .* U U' U2 R R' R2 F F' F2, e.g. .* found 'U3 L'"
    with pytest.raises(PuzzleError, match=text):
        pocket_cube.instance("U3", "L")
