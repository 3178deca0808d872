"""Computed fields on every side of a rule: each encoding and engine agrees with the definition."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from rewrite import Puzzle, Result, SearchError, explore, search
from rewrite.compile import encoding
from rewrite.compile.reason import Reason
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine import build
from rewrite.language import meaning
from rewrite.language.patterns import computes
from tests.engines import ENGINES, goal_of, over_slots, quiet, start_of, task_of
from tests.property.by_definition import levels
from tests.property.computed_puzzles import computed_puzzles
from tests.property.drawn import drawn

pytestmark = quiet
ENCODINGS = ["chosen", "multiset", "definition"]
STRATEGIES: list[dict[str, Any]] = [
    {"strategy": "breadth_first"}, {"strategy": "uniform_cost"}, {"strategy": "bidirectional"},
    {"strategy": "astar", "heuristic": "auto"}, {"strategy": "auto"},
]  # fmt: skip
REFUSED = {
    "bidirectional": ["needs all goal states", "needs rules that can be run backwards"],
    "astar": ["is made from rules over slots", "cannot be made"],
}
STATES, DEPTH = 40, 3


@contextmanager
def encoded(how: str) -> Iterator[None]:
    """Have states kept as the compiler likes, or as multisets, or the definition itself run."""

    def refused(*_: Any) -> Reason:
        return Reason("the test wants it so")

    with pytest.MonkeyPatch.context() as patch:
        if how == "multiset":
            patch.setattr(encoding, "slots", refused)
        if how == "definition":
            patch.setattr(build, "compiled", refused)
        encoding.forget()
        yield
    encoding.forget()


def answer(puzzle: Puzzle, **asked: Any) -> Result | None:
    """The result of a search; None where the strategy is refused, as is said in `REFUSED`."""
    try:
        return search(puzzle, **asked)
    except SearchError as error:
        if any(text in str(error) for text in REFUSED.get(asked["strategy"], ())):
            return None
        raise


@given(computed_puzzles(), st.sampled_from(STRATEGIES))
def test_every_encoding_on_both_engines_finds_what_the_definition_finds(
    puzzle: Puzzle, asked: dict[str, Any]
) -> None:
    found = levels(puzzle, DEPTH, most=STATES)
    depth = len(found) - 1
    known = {one: {way.after for way in meaning.successors(puzzle, one)} for one in chain(*found)}
    edges = {(one, after) for one in known for after in known[one] & known.keys()}
    at_goal = [
        any(meaning.is_goal(puzzle, one, goal_of(puzzle)) for one in level) for level in found
    ]
    for engine in ENGINES:
        for how in ENCODINGS[: 3 if engine == "python" else 2]:
            note(f"{engine}, {how}")
            with encoded(how):
                space = explore(puzzle, max_depth=depth, engine=engine)
                result = answer(puzzle, engine=engine, max_depth=depth, **asked)
            assert {*space.states} == known.keys()
            assert {(space.states[a], space.states[b]) for a, b in space.edges} == edges
            if result is None:
                continue
            assert bool(result.paths) == any(at_goal)
            if result.paths:
                assert len(result.paths[0]) == at_goal.index(True)
                assert meaning.is_goal(puzzle, result.paths[0].end, goal_of(puzzle))


def test_many_are_kept_in_slots_and_move_and_put_what_they_take() -> None:
    """Of 200 puzzles 95 are kept in slots and move; 30 of these put a computed term they take."""
    kept = again = 0
    for puzzle in drawn(computed_puzzles):
        try:
            over_slots(task_of(puzzle, puzzle.goal))
        except Unsuitable:
            continue
        if meaning.successors(puzzle, start_of(puzzle)):
            kept += 1
            again += any(
                repr(put) in map(repr, one.take) and computes(put)
                for one in puzzle.rules for put in one.put
            )  # fmt: skip
    assert kept >= 50
    assert again >= 8
