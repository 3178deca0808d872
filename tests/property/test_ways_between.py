"""Asking which rules lead from one state to another gives what running every rule gives."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.language import meaning
from rewrite.language.between import Between
from rewrite.language.order import term_key
from rewrite.language.states import State, beyond
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import first_states
from tests.property.strategies import puzzles, states

MOST_STATES = 12


def told(ways: list[meaning.RuleApplication]) -> list[Any]:
    return [
        (way.rule, way.order, way.taken, way.put, way.after, way.cost, list(way.bindings))
        for way in ways
    ]


@pytest.mark.parametrize("kind", [puzzles(), board_puzzles()])
@given(data=st.data())
def test_the_ways_between_two_states_are_those_of_the_definition(
    kind: Any, data: st.DataObject
) -> None:
    """For every step out of some states."""
    puzzle = data.draw(kind)
    between = Between(puzzle)
    for before, every in first_states(puzzle, MOST_STATES).items():
        for after in {way.after: None for way in every} | {puzzle.start: None}:
            defined = [way for way in every if way.after == after]
            assert told(between.ways(before, after)) == told(defined)
            cheapest = between.cheapest(before, after)
            least = sorted(defined, key=lambda way: way.cost)[:1]
            assert told([] if cheapest is None else [cheapest]) == told(least)


@given(states(), states())
def test_the_difference_of_two_states_makes_the_one_into_the_other(
    before: State, after: State
) -> None:
    left, came = beyond(before, after), beyond(after, before)
    kept = Counter(map(term_key, before)) - Counter(map(term_key, left))
    assert kept + Counter(map(term_key, came)) == Counter(map(term_key, after))
    assert not {*map(term_key, left)} & {*map(term_key, came)}
