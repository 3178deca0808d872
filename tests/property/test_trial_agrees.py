"""Whether a search begins as a multiset, and when it goes over to slots, changes no answer."""

import warnings
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from rewrite import (
    Puzzle,
    RewriteWarning,
    contains,
    ints,
    lacks,
    one_of,
    rule,
    search,
    strs,
    term,
)
from rewrite.compile.multisets.trial import FEW_STATES, MOST_STATES, states_on_trial
from rewrite.search.run import Run
from tests.engines import natively, task_of
from tests.property.board_puzzles import board_puzzles
from tests.property.computed_puzzles import computed_puzzles


def found(puzzle: Puzzle, trial: int) -> tuple[Any, ...]:
    """The answer of a search that begins as a multiset for so many states."""
    chosen = patch("rewrite.search.run.states_on_trial", lambda task: trial)
    with warnings.catch_warnings(), chosen:
        warnings.simplefilter("ignore", RewriteWarning)
        result = search(puzzle, max_states=300)
        cost = result.path.cost if result.path else None
        if result.status != "limit":
            return result.status, cost, None if result else result.states
        more = result.resume(max_states=3_000)
    return more.status, more.path.cost if more.path else None, None


@given(st.one_of(board_puzzles(), computed_puzzles()), st.sampled_from([1, 2, 10, 100, 299, 400]))
def test_a_search_that_begins_as_a_multiset_gives_the_same_answer(
    puzzle: Puzzle, trial: int
) -> None:
    assert found(puzzle, trial) == found(puzzle, 0)


@term
class Robot:
    name: str
    cell: int


@term
class Ray:
    cell: int
    way: str
    stop: int


@term
class Between:
    cell: int
    stop: int
    via: int


R, D = strs("R D")
C, T, M = ints("C T M")
SIZE = 8


def rays() -> list[Any]:
    facts: list[Any] = []
    for cell in range(SIZE * SIZE):
        x, y = cell % SIZE, cell // SIZE
        for way, dx, dy in (("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)):
            via: list[int] = []
            while 0 <= x + dx * (len(via) + 1) < SIZE and 0 <= y + dy * (len(via) + 1) < SIZE:
                via.append(cell + (dx + SIZE * dy) * (len(via) + 1))
                facts.append(Ray(cell, way, via[-1]))
                facts += [Between(cell, via[-1], one) for one in via]
    return facts


def queens(goal: int) -> Puzzle:
    """Robots that go any number of free cells."""
    return Puzzle(
        rule(
            f"{R} {D}", take=[Robot(R, C)], keep=[Ray(C, D, T)], put=[Robot(R, T)],
            when=lacks(Between(C, T, M), Robot(R, M)),
        ),
        facts=rays(), start=[Robot("a", 0)], goal=contains(Robot("a", goal)),
    )  # fmt: skip


def test_few_rules_with_many_facts_begin_as_a_multiset() -> None:
    puzzle = queens(63)
    assert FEW_STATES <= states_on_trial(task_of(puzzle, puzzle.goal)) <= MOST_STATES
    few = puzzle.replace(facts=[Ray(0, "right", 1), Ray(1, "down", 9)])
    assert states_on_trial(task_of(few, puzzle.goal)) == 0


@natively
def test_a_search_goes_over_to_slots_and_proves_that_there_is_no_answer() -> None:
    begun: list[str] = []
    begin = Run._begin

    def watched(run: Run) -> None:
        begin(run)
        assert run.driver is not None
        begun.append("multiset" if run.driver.engine.reasoning is None else "slots")

    with patch.object(Run, "_begin", watched):
        assert found(queens(99), 20) == ("exhausted", None, 64)
        assert begun == ["multiset", "slots"]
        assert found(queens(7), 20)[:2] == ("found", 1)
        assert begun == ["multiset", "slots", "multiset"]


@term
class Now:
    word: str


def test_facts_may_be_sequences_and_choices_count() -> None:
    words = [("word", f"{a}{b}") for a in "abcdefghij" for b in "klmnopqrstuvwxyzabcd"]
    W, V, L = strs("W V L")
    change = rule(
        f"to {V}", take=[Now(W)], let={L: one_of(*"abcdefghij"), V: L + W[1:]}, keep=[("word", V)],
        put=[Now(V)],
    )  # fmt: skip
    puzzle = Puzzle(change, facts=words, start=[Now("ak")], goal=contains(Now("jk")))
    assert states_on_trial(task_of(puzzle, puzzle.goal)) >= FEW_STATES
