"""A rule that is said never to fire fires in no state, and what nothing makes stands in none."""

from typing import Any

from hypothesis import assume, given, note
from hypothesis import strategies as st

from rewrite import Puzzle, RewriteError, contains
from rewrite.language import meaning
from rewrite.language.patterns import computes
from rewrite.search.origins import Origins, kinds, missing, origins
from tests.engines import start_of
from tests.property.by_definition import first_states
from tests.property.computed_puzzles import computed_puzzles
from tests.property.drawn import drawn
from tests.property.growing_puzzles import growing_puzzles
from tests.property.strategies import puzzles, states

STATES = 20


@st.composite
def started_elsewhere(draw: Any) -> Puzzle:
    """A puzzle whose rules were made for another start, so that some of them never fire."""
    made: Puzzle = draw(st.one_of(puzzles(), puzzles(), computed_puzzles(), growing_puzzles()))
    others = [*draw(states()), *start_of(made).items[draw(st.integers(0, len(start_of(made)))) :]]
    return made.replace(start=others)


def origins_of(puzzle: Puzzle) -> Origins:
    return origins((*puzzle.rules, *puzzle.simplify), (*start_of(puzzle), *puzzle.facts))


@given(started_elsewhere(), puzzles())
def test_what_can_never_fire_does_not(puzzle: Puzzle, other: Puzzle) -> None:
    known = origins_of(puzzle)
    try:
        found = first_states(puzzle, STATES)
    except RewriteError:
        assume(False)
    fired = [way.rule.key for ways in found.values() for way in ways]
    for rule in puzzle.rules:
        assert not (missing(rule, known.can_be) and rule.key in fired)
    asked = [pattern for rule in (*puzzle.rules, *other.rules) for pattern in rule.take]
    for pattern in asked:
        if not computes(pattern) and known.lacks_any([pattern]) is not None:
            note(pattern)
            goal = contains(pattern)
            assert not any(meaning.is_goal(puzzle, state, goal) for state in found)


def test_of_many_puzzles_a_rule_never_fires_for_what_its_terms_hold() -> None:
    """Of 200 puzzles 63 have a rule that can never fire, 19 of these for a part of a pattern."""
    never = parts = 0
    for puzzle in drawn(started_elsewhere):
        known = origins_of(puzzle)
        lacking = [one for rule in puzzle.rules for one, _ in missing(rule, known.can_be)]
        never += bool(lacking)
        parts += any(kinds(pattern) & known.can_be for pattern in lacking)
    assert never >= 30
    assert parts >= 8
