"""The hardest states of known puzzles are as far and as many as others have found.

The numbers and their sources are in hardest.toml.
"""

from typing import Any

import pytest

from rewrite import hardest, rate, search
from tests.golden.facts import puzzle_of, read

FACTS = read("hardest")
CASES = [
    pytest.param(fact, id=name, marks=[pytest.mark.long] * fact.get("long", False))
    for name, fact in FACTS.items()
]


@pytest.mark.parametrize("fact", CASES)
def test_the_hardest_states_are_as_far_and_as_many_as_is_known(fact: dict[str, Any]) -> None:
    puzzle = puzzle_of(fact)
    found = hardest(puzzle, symmetry="none")
    assert (found.complete, found.depth, found.states) == (True, fact["depth"], fact["states"])
    assert found.number == fact.get("number", found.number)
    assert found.hopeless == 0
    path = found.path()
    assert len(path.labels) == fact["depth"]  # each step is found by the definition of the rules
    if "among" in fact:
        pictures = [puzzle.shown(state).rstrip() for state in found.farthest]
        assert fact["among"].strip("\n") in pictures


def test_the_hardest_board_of_rush_hour_is_found_from_an_easy_one() -> None:
    puzzle = puzzle_of(FACTS["rush_hour_hardest_without_walls"])
    way = search(puzzle).paths[0]
    assert len(way) == 51
    assert puzzle.start in hardest(puzzle, way.end).farthest
    rated = rate(puzzle)
    assert (rated.length, rated.farthest, rated.states) == (51, 51, 4780)
