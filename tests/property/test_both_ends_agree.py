"""A search from both ends finds ways of the same length and cost as one from the start."""

from typing import Any

from hypothesis import assume, event, example, given, note
from hypothesis import strategies as st

from rewrite.errors import RewriteError, SearchError
from rewrite.language import meaning
from rewrite.language.conditions import exactly
from rewrite.language.expressions import ANY
from rewrite.language.functions import one_of
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.results.replay import replay
from rewrite.results.result import Result
from rewrite.search.api import search
from tests.engines import goal_of, natively, quiet, start_of
from tests.property.board_puzzles import D, P, Walker, board_puzzles
from tests.property.set_puzzles import set_puzzles
from tests.property.strategies import puzzles
from tests.property.test_native_agrees import agree, costly
from tests.terms import At

pytestmark = quiet

STATES, WALK = 150, 4


@st.composite
def with_goals(draw: st.DrawFn, given: st.SearchStrategy[Puzzle]) -> Puzzle:
    """Puzzles without simplify; often with a goal that a walk from the start came to."""
    puzzle = draw(given).replace(simplify=[])
    if draw(st.booleans()) or puzzle.goal is None:
        state: State = start_of(puzzle)
        for _ in range(draw(st.integers(1, WALK))):
            try:
                ways = meaning.successors(puzzle, state)
            except RewriteError:
                break
            if ways:
                state = ways[draw(st.integers(0, len(ways) - 1))].after
        puzzle = puzzle.replace(goal=exactly(*state))
    return puzzle


def asked(puzzle: Puzzle, strategy: str, engine: str) -> Result:
    return search(puzzle, strategy=strategy, max_states=STATES, engine=engine)


def check_length_and_cost(puzzle: Puzzle) -> None:
    note(
        f"{puzzle.rules}, start={puzzle.start}, goal={puzzle.goal}, {puzzle.facts}, {puzzle.never}"
    )
    refused, found = "", None
    try:
        found = asked(puzzle, "bidirectional", "python")
    except SearchError as why:
        refused = str(why)
    except RewriteError as why:
        event(type(why).__name__)
        return
    if found is None:
        event("refused")
        assert "strategy='bidirectional'" in refused
        return
    event(f"found: {found.status}, {'costs' if costly(puzzle) else 'steps'}")
    if found.path is not None:
        walked = replay(puzzle, puzzle.start, found.path)
        assert walked.states == found.path.states
        assert meaning.is_goal(puzzle, walked.end, goal_of(puzzle))
        assert found.optimal
    try:
        plain = asked(puzzle, "breadth_first", "python")
        cheap = asked(puzzle, "uniform_cost", "python")
    except RewriteError:  # a function that fails where the other end did not come
        assume(False)
    if "limit" in (found.status, plain.status, cheap.status):
        return
    assert bool(found) == bool(plain) == bool(cheap)
    if found.path is not None and cheap.path is not None and plain.path is not None:
        assert found.path.cost == cheap.path.cost
        if not costly(puzzle):
            assert len(found.path) == len(plain.path)


HOP = rule(
    f"hop {P}", take=[Walker(P)], keep=[At(P + D, ANY)], let={D: one_of(-1, 1, 2)},
    put=[Walker(P + D)],
)  # fmt: skip
ON_ONE_CELL = Puzzle(  # bits have no room for two equal terms
    HOP, start=[At(0, 0), At(1, 0), At(2, 0), Walker(0), Walker(1)],
    goal=exactly(At(0, 0), At(1, 0), At(2, 0), Walker(1), Walker(1)),
)  # fmt: skip


@example(ON_ONE_CELL)
@given(with_goals(board_puzzles()))
def test_from_both_ends_of_boards_the_way_is_as_long_as_from_one(puzzle: Puzzle) -> None:
    check_length_and_cost(puzzle)


@given(with_goals(puzzles() | set_puzzles()))
def test_from_both_ends_of_multisets_the_way_is_as_long_as_from_one(puzzle: Puzzle) -> None:
    check_length_and_cost(puzzle)


@natively
@given(with_goals(board_puzzles() | puzzles()), st.data())
def test_both_engines_answer_as_defined_from_both_ends(puzzle: Puzzle, data: st.DataObject) -> None:
    given: dict[str, Any] = {
        "strategy": "bidirectional",
        "max_states": data.draw(st.sampled_from([3, 30, STATES])),
    }
    if not costly(puzzle):
        given["max_depth"] = data.draw(st.sampled_from([1, 3, 6]))
    agree(puzzle, given)
