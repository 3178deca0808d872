"""Equality of patterns is a condition: both engines and the definition agree on what it says."""

# ruff: noqa: SIM300 (the order is what is tested)
from typing import Any

import pytest

from rewrite import (
    Bag,
    Puzzle,
    Result,
    State,
    bags,
    contains,
    ints,
    moves,
    rule,
    search,
    term,
    terms,
)
from tests.terms import Box


@term
class Pair:
    left: Box
    right: Box


M, N = ints("M N")
Q, R = terms("Q R", Box)
B = bags("B")
CONDITIONS = {
    "of two variables": Box(M) == Box(N),
    "not of two variables": Box(M) != Box(N),
    "of a computed part": Box(M + 1) == Box(N),
    "of a variable for a term": Q == Box(N),
    "of a term and a variable for it": Box(N) != Q,
    "with a value": Box(M) == Box(2),
    "of terms within terms": Pair(Q, Box(M)) == Pair(Box(2), Box(N)),
    "of a sequence within": Pair(Box(M), Box(1)) != Pair(Q, Box(1)),
    "of nested bags": Bag([M, N]) == Bag([1, N]),
    "joined": (Box(M) == Box(1)) | (Box(N) == Box(3)),
}


@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("engine", ["python", "auto"])
def test_engines_agree_with_the_definition(name: str, engine: str) -> None:
    given: Any = CONDITIONS[name]
    puzzle = Puzzle(
        rule("x", take=[("m", M), ("n", N), Q], put=[("found", M, N, Q)], when=given),
        start=[("m", 1), ("m", 2), ("n", 2), ("n", 3), Box(2), Box(3)],
    )
    start = puzzle.start
    assert start is not None
    expected = {step.after for step in moves(puzzle, start)}
    assert 0 < len(expected) < 8
    ends = terms("E")
    goal = contains(("found", M, N, ends))
    result: Result = search(puzzle, None, goal, solutions=None, max_depth=1, engine=engine)
    assert {path.end for path in result.paths} == expected


@pytest.mark.parametrize("engine", ["python", "auto"])
def test_it_is_a_goal_and_a_never(engine: str) -> None:
    puzzle = Puzzle(
        rule("on", take=[Box(M)], put=[Box(M + 1)], when=M < 6),
        start=[Box(0), Box(3)],
        never=contains(Q, R, when=(Q == R) & (Q != Box(5))),
    )
    result = search(puzzle, None, contains(Box(M), Box(N), when=Box(M) == Box(N)), engine=engine)
    assert result.paths[0].end == State([Box(5), Box(5)])
