"""Digitle, Digits, Hyperjump, Power Strike and two grids, on their real input.

The numbers and their sources are in number_games_and_two_grids.toml.
"""

from collections import Counter
from typing import Any

import pytest

from puzzles import digitle, digits, hyperjump, power_strike, two_grids
from rewrite import ReplayError, State, contains, exactly, replay, scramble, search
from tests.engines import natively
from tests.golden.facts import read

FACTS = read("number_games_and_two_grids")
ALL = 1_000_000  # more answers than any of these puzzles has
NEGATIVE = contains(digits.M, when=digits.M < 0)  # no rule of the number puzzles makes one


def occurrences(text: str) -> list[int]:
    """The numbers in a formula, sorted."""
    return sorted(int(word) for word in "".join(c if c.isdecimal() else " " for c in text).split())


@pytest.mark.parametrize(("name", "puzzle"), [("digitle", digitle), ("digits", digits)])
def test_a_pool_has_the_known_number_of_states_on_every_level(name: str, puzzle: Any) -> None:
    result = search(puzzle.instance(), goal=NEGATIVE)
    assert (result.status, result.levels) == ("exhausted", FACTS[name]["levels"])
    assert result.states == FACTS[name]["states"]


@pytest.mark.parametrize(
    ("name", "puzzle", "target", "numbers"),
    [
        ("digitle", digitle, 793, [75, 4, 7, 9, 8, 2]),
        ("digits", digits, 469, [5, 7, 11, 13, 19, 23]),
    ],
)
def test_a_target_is_made_in_the_fewest_steps_by_a_formula_of_the_numbers_of_the_pool(
    name: str, puzzle: Any, target: int, numbers: list[int]
) -> None:
    result = search(puzzle.instance())
    path = result.paths[0]
    assert (len(path), result.optimal) == (FACTS[name]["steps"], True)
    assert replay(puzzle.instance(), None, path.labels).end == path.end
    formula = path.formula(target)
    assert eval(formula) == target
    assert not Counter(occurrences(formula)) - Counter(numbers)


def test_hard_mode_uses_every_number() -> None:
    result = search(digitle.instance("hard", "793", "75", "4", "7", "9", "8", "2"), solutions=ALL)
    assert result.status == "exhausted"
    assert [path.end for path in result.paths] == [State([793])]
    assert len(result.paths) == FACTS["digitle"]["hard_goals"]
    assert len(result.paths[0]) == FACTS["digitle"]["hard_steps"]
    assert occurrences(result.paths[0].formula(793)) == sorted([75, 4, 7, 9, 8, 2])


def test_almost_binds_a_number_within_10_of_the_target() -> None:
    result = search(digitle.instance("almost", "793", "75", "4", "7", "9", "8", "2"))
    assert len(result.paths[0]) == FACTS["digitle"]["almost_steps"]
    assert abs(result.bindings["M"] - 793) <= 10


def test_nearest_finds_the_number_next_to_an_unreachable_target() -> None:
    target = FACTS["digitle"]["unreachable"]
    puzzle = digitle.instance(str(target), "75", "4", "7", "9", "8", "2")
    result = search(puzzle, minimize=digitle.nearest(target))
    assert result.states == FACTS["digitle"]["states"]
    assert result.objective == FACTS["digitle"]["nearest_distance"]
    assert min(abs(number - target) for number in result.paths[0].end) == result.objective


def test_digits_joins_two_results_where_no_chain_makes_the_target() -> None:
    fact = FACTS["digits"]["two_branches"]
    path = search(digits.instance(str(fact["target"]), *map(str, fact["numbers"]))).paths[0]
    assert len(path) == fact["steps"]
    assert eval(path.formula(fact["target"])) == fact["target"]


def test_equal_numbers_in_digits_are_two_numbers() -> None:
    result = search(digits.digits, [7, 7, 7], contains(digits.M), solutions=ALL)
    made = {path.bindings["M"] for path in result.paths}
    assert sorted(made) == FACTS["digits"]["equal_numbers"]


def chain_of(state: State) -> tuple[int, ...]:
    """The one sequence in the state."""
    [chain] = [term for term in state if isinstance(term, tuple)]
    return chain


@pytest.mark.parametrize(
    ("loose", "name"), [("44731185", "hyperjump"), ("18187437", "hyperjump_18187437")]
)
def test_hyperjump_has_the_known_number_of_chains_of_every_length(loose: str, name: str) -> None:
    result = search(hyperjump.instance(*loose), solutions=ALL)
    chains = [chain_of(path.end) for path in result.paths]
    assert len(chains) == len(set(chains)) == FACTS[name]["chains"]
    lengths = Counter(len(chain) - 1 for chain in chains)
    assert [lengths[length] for length in range(1, 9)] == FACTS[name]["by_length"]
    assert result.states == FACTS[name]["states"]


def test_a_hyperjump_chain_of_all_eight_digits_replays() -> None:
    puzzle = hyperjump.instance(*"18187437")
    path = search(puzzle, min_depth=8).paths[0]
    assert sorted(chain_of(path.end)) == [1, 1, 3, 4, 7, 7, 8, 8, 9]
    assert replay(puzzle, puzzle.start, path).end == path.end


def test_hyperjump_reads_several_digits_together_for_minus_but_wants_a_result_above_zero() -> None:
    joined = hyperjump.instance(*"71834").replace(start=[(7, 1, 8), 3])
    assert search(joined, goal=contains((7, 1, 8, 3)))  # 71 - 8 = 63
    negative = joined.replace(start=[(1, 3), 8])  # 1 - 3 = -2, and -2 % 10 is 8
    assert not search(negative, goal=contains((1, 3, 8)))


@natively
@pytest.mark.parametrize(
    ("first", "times", "cells", "rings", "states"), FACTS["power_strike"]["rings"]
)
def test_power_strike_has_the_known_number_of_rings(
    first: int, times: int, cells: int, rings: int, states: int
) -> None:
    puzzle = power_strike.power_strike(first, times, cells)
    result = search(puzzle, solutions=ALL, distinct="paths")
    assert result.unique is (rings == 1)
    assert len(result.paths) == rings
    assert result.states == states


@natively
@pytest.mark.parametrize(("words", "ring"), FACTS["power_strike"]["unique"].items())
def test_a_unique_ring_of_power_strike_is_the_known_one(words: str, ring: list[int]) -> None:
    rings = search(power_strike.instance(*words.split()), solutions=2, distinct="paths").paths
    assert [[cell.number for state in path.states for cell in state] for path in rings] == [ring]


def test_a_number_in_power_strike_never_becomes_zero_and_loses_leading_zeros() -> None:
    at_205 = power_strike.power_strike(205, 2, 1)
    assert search(at_205, goal=exactly(power_strike.Cell(1, 5)))  # 205 without the 2 is 05
    at_10 = power_strike.power_strike(10, 2, 1)
    assert not search(at_10, goal=exactly(power_strike.Cell(1, 0)))


def test_power_strike_does_not_overflow() -> None:
    huge = power_strike.power_strike(1, 10**9, 9)
    assert search(huge, goal=exactly(power_strike.Cell(9, 10**81)))


def numbers_of(state: State) -> str:
    """A board of two grids as `instance` reads it."""
    numbers = "".join(str(at.number) for at in state)
    return " ".join([numbers[0:6], numbers[6:12], numbers[12:18]])


def test_the_answer_in_the_article_replays_and_two_of_its_moves_cancel() -> None:
    fact = FACTS["two_grids"]
    puzzle = two_grids.instance(*fact["start"].split())
    path = replay(puzzle, puzzle.start, fact["article"])
    assert len(path) == 18
    assert numbers_of(path.end) == fact["solved"]
    first, second = fact["cancelling"]
    repeated = [
        (i + 1, j)
        for i in range(len(path.states))
        for j in range(i + 1, len(path.states))
        if path.states[i] == path.states[j]
    ]
    assert repeated == [(first, second)]
    shorter = fact["article"][: first - 1] + fact["article"][second:]
    assert replay(puzzle, puzzle.start, shorter).end == path.end


def test_the_answer_of_eleven_moves_replays() -> None:
    fact = FACTS["two_grids_shortest"]
    puzzle = two_grids.instance()
    path = replay(puzzle, puzzle.start, fact["answer"])
    assert len(path) == fact["moves"]
    assert numbers_of(path.end) == FACTS["two_grids"]["solved"]


def test_replay_refuses_a_move_that_two_grids_does_not_have() -> None:
    puzzle = two_grids.instance()
    with pytest.raises(ReplayError, match="column 1 up"):
        replay(puzzle, puzzle.start, ["row 1 left", "row 4 left"])


@pytest.mark.parametrize("moves", range(7))
def test_two_grids_scrambled_by_up_to_six_moves_are_solved(moves: int) -> None:
    solved = two_grids.board(FACTS["two_grids"]["solved"].replace(" ", ""))
    puzzle = two_grids.instance()
    board = scramble(puzzle, solved, moves, seed=moves)
    path = search(puzzle, board).paths[0]
    assert len(path) <= moves
    lines = [
        [numbers_of(path.end).replace(" ", "")[cell] for cell in cells]
        for line in two_grids.LINES
        for cells in [(line.first, line.second, line.third)]
    ]
    assert len(lines) == 16
    assert all(sum(map(int, line)) == 15 for line in lines)
