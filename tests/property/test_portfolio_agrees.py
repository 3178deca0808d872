"""A search in two members against the same search in one, on random puzzles.

Over slots the second is A* with tables, or plain search up to symmetries, over multisets the search
from both ends, or A* with distances in a projection.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from rewrite import Puzzle, search
from rewrite.errors import RewriteError
from rewrite.search import candidates, portfolio
from tests.engines import natively, quiet
from tests.property import strategies
from tests.property.symmetric_puzzles import ring_puzzles
from tests.property.test_both_ends_agree import with_goals
from tests.property.test_heuristics_are_right import exchanges, puzzles
from tests.property.test_native_agrees import costly
from tests.property.test_projections import systems as projected

rings = ring_puzzles().map(lambda puzzle: puzzle.replace(symmetry=()))
systems = puzzles | exchanges() | with_goals(strategies.puzzles()) | projected | rings

pytestmark = [natively, quiet]

FIGURES = ("status", "limit", "states", "expanded", "depth", "levels", "strategy", "notes", "rules")


@pytest.fixture(autouse=True, scope="module")
def soon() -> Iterator[None]:
    """Let the second member begin after a few states, whatever its tables cost."""
    with pytest.MonkeyPatch.context() as early:
        early.setattr(portfolio, "FIRST_LOOK", 5)
        early.setattr(candidates, "STEPS_A_STATE", 1_000)
        early.setattr(candidates, "AN_EXPANSION", 0)
        early.setattr(candidates, "FIND", 5)
        early.setattr(portfolio, "FEWEST_SYMMETRIES", 2)
        yield


def outcome(puzzle: Puzzle, **asked: Any) -> Any:
    """Return what a search found, and the search; or the kind of its error."""
    try:
        return search(puzzle, **({"max_states": 3_000} | asked))
    except RewriteError as error:
        return type(error)


@given(
    puzzle=systems,
    symmetry=st.sampled_from(["none", "declared", "find"]),
    most_looked_up=st.sampled_from([-1, candidates.MOST_LOOKED_UP]),
)
def test_two_arms_find_what_one_finds(puzzle: Puzzle, symmetry: str, most_looked_up: int) -> None:
    """Without tables, the second arm counts states up to symmetries that are found."""
    plain = outcome(puzzle, strategy="uniform_cost" if costly(puzzle) else "breadth_first")
    if isinstance(plain, type):
        return
    with patch.object(candidates, "MOST_LOOKED_UP", most_looked_up):
        result = outcome(puzzle, symmetry=symmetry)
    event(f"{result.status} by {result.strategy}")
    if any("up to symmetry was chosen" in note for note in result.notes):
        event("up to symmetry")
    if plain.status != "limit" and result.status != "limit":
        assert (result.status, result.optimal) == (plain.status, plain.optimal)
        if plain:
            assert result.path.cost == plain.path.cost


@given(puzzle=systems, most=st.integers(1, 60))
def test_a_search_that_was_stopped_goes_on_to_the_same_end(puzzle: Puzzle, most: int) -> None:
    whole, stopped = outcome(puzzle), outcome(puzzle, max_states=most)
    if isinstance(whole, type) or isinstance(stopped, type) or stopped.status != "limit":
        return
    gone_on = stopped.resume(max_states=3_000)
    event(f"{gone_on.status} by {gone_on.strategy}")
    for name in FIGURES:
        assert getattr(gone_on, name) == getattr(whole, name), name
