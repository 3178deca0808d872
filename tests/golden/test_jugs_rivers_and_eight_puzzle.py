"""Jugs, river crossings and the 8-puzzle.

The numbers and their sources are in jugs_rivers_and_eight_puzzle.toml.
"""

import tomllib
from pathlib import Path as File
from typing import Any

import pytest

from puzzles import eight_puzzle, eight_tuple, farmer, missionaries, water_jugs
from rewrite import ANY, State, contains, exactly, search
from tests.engines import natively

FACTS: dict[str, Any] = tomllib.loads(
    File(__file__).with_name("jugs_rivers_and_eight_puzzle.toml").read_text("utf-8")
)
ALL = 1_000_000  # more answers than any of these puzzles has
SOLVED = "123 456 780"


# -- Water jugs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "name"), [("4 3 5", "water_jugs"), ("4 8 5 3", "water_jugs_8_5_3")]
)
def test_jugs_measure_four_in_the_known_number_of_steps(words: str, name: str) -> None:
    puzzle = water_jugs.instance(*words.split())
    assert len(search(puzzle).paths[0]) == FACTS[name]["steps"]
    whole = search(puzzle, goal=contains(water_jugs.Jug(ANY, 9)))
    assert whole.status == "exhausted"
    assert whole.states == FACTS[name]["states"]


def test_jugs_of_three_and_six_never_measure_four() -> None:
    result = search(water_jugs.instance("4", "3", "6"))
    assert not result
    assert result.status == "exhausted"
    assert result.states == FACTS["water_jugs_3_6"]["states"]


# -- River crossings ---------------------------------------------------------------------------


@natively
@pytest.mark.parametrize(
    ("puzzle", "name"), [(farmer.instance(), "farmer"), (missionaries.instance(), "missionaries")]
)
def test_a_river_is_crossed_in_the_known_number_of_crossings_and_ways(
    puzzle: Any, name: str
) -> None:
    length = FACTS[name]["crossings"]
    assert len(search(puzzle).paths[0]) == length
    shortest = search(puzzle, solutions=ALL, distinct="paths", max_depth=length)
    assert len(shortest.paths) == FACTS[name]["answers"]
    assert {len(path) for path in shortest.paths} == {length}


@pytest.mark.parametrize(
    ("puzzle", "name"), [(farmer.instance(), "farmer"), (missionaries.instance(), "missionaries")]
)
def test_a_river_crossing_has_the_known_number_of_states(puzzle: Any, name: str) -> None:
    assert search(puzzle, solutions=ALL).states == FACTS[name]["states"]


def test_two_couples_cross_in_five_and_four_never() -> None:
    assert len(search(missionaries.instance("2")).paths[0]) == FACTS["missionaries_2"]["crossings"]
    four = search(missionaries.instance("4"))
    assert four.status == "exhausted"
    assert four.states == FACTS["missionaries_4"]["states"]


def test_missionaries_are_never_outnumbered_on_the_way() -> None:
    for state in search(missionaries.instance()).paths[0].states:
        for bank in ("left", "right"):
            safe = state.count(missionaries.On("missionary", bank))
            assert safe == 0 or safe >= state.count(missionaries.On("cannibal", bank))


# -- The 8-puzzle ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "nowhere"),
    [
        (eight_puzzle.instance(*SOLVED.split()), contains(eight_puzzle.Tile(ANY, 9))),
        (eight_tuple.instance(*SOLVED.split()), exactly((0,))),
    ],
    ids=["tiles", "tuple"],
)
def test_both_declarations_of_the_eight_puzzle_have_the_known_levels(
    puzzle: Any, nowhere: Any
) -> None:
    result = search(puzzle, goal=nowhere)
    assert result.status == "exhausted"
    assert list(result.levels) == FACTS["eight_puzzle"]["levels"]
    assert result.states == FACTS["eight_puzzle"]["states"]


@pytest.mark.parametrize("board", FACTS["eight_puzzle"]["farthest_boards"])
def test_a_star_solves_the_farthest_boards_in_31_moves(board: str) -> None:
    result = search(eight_puzzle.instance(*board.split()), heuristic=eight_puzzle.far)
    assert len(result.paths[0]) == FACTS["eight_puzzle"]["farthest"]
    assert result.optimal
    assert result.states < FACTS["eight_puzzle"]["states"]


def tiles_of(state: State) -> tuple[int, ...]:
    """A board of eight_puzzle as eight_tuple has it."""
    return tuple(tile.number for tile in state)


def test_an_answer_to_one_declaration_of_the_eight_puzzle_is_one_to_the_other() -> None:
    path = search(eight_puzzle.instance("413726580")).paths[0]
    again = search(eight_tuple.instance("413726580")).paths[0]
    assert len(path) == len(again)
    for before, after in zip(path.states, path.states[1:], strict=False):
        step = search(eight_tuple.tiles, [tiles_of(before)], State([tiles_of(after)]))
        assert len(step.paths[0]) == 1


# -- Words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words", "message"),
    [
        (water_jugs.instance, "4", "water_jugs: needs the amount to measure"),
        (water_jugs.instance, "4 3 0", "all above 0"),
        (farmer.instance, "5", "farmer: there is one start"),
        (missionaries.instance, "3 3", "missionaries: needs how many missionaries"),
        (eight_puzzle.instance, "123 456 788", "eight_puzzle: needs each of 0 to 8 once"),
        (eight_tuple.instance, "12", "eight_tuple: needs each of 0 to 8 once"),
    ],
)
def test_wrong_words_are_told_what_is_expected(make: Any, words: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(*words.split())
