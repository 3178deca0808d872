"""Puzzles of sets that fit no slots: numbers, pairs and other values that rules derive.

Most of what a rule puts is in the set already, was taken by it, or is put twice.
"""

from typing import Any

from hypothesis import strategies as st

from rewrite import (
    Puzzle,
    contains,
    count,
    exactly,
    fn,
    greatest,
    ints,
    lacks,
    least,
    one_of,
    rule,
    seqs,
    terms,
)
from tests.terms import A, B

X, Y = ints("X Y")
L = terms("L")
S = seqs("S")


@fn
def half(value: Any) -> Any:
    return value // 2 if type(value) is int else value


RULES = [
    rule("add", keep=[X, Y], put=[X + Y], when=X + Y < 6),
    rule("join", take=[X, Y], put=[X + Y], when=X + Y < 6),
    rule("order", take=[X, Y], put=[least(X, Y), greatest(X, Y) - 1], when=X > Y),
    rule("move", take=[X], put=[X - 1, X // 2, X], when=X > 0),
    rule("choose", take=[X], let={Y: one_of(X - 1, 0, 1)}, put=[Y], when=X > 0, cost=X),
    rule("pair", take=[X], keep=[Y], put=[(X, Y)], when=X < Y, cost=2),
    rule("turn", keep=[(X, Y)], put=[(Y, X)]),
    rule("split", take=[(X, Y)], put=[half(X), half(Y)]),
    rule("first", take=[(L, *S)], put=[L]),
    rule("halve", keep=[L], put=[half(L), half(L)], absent=[(half(L), 0)]),
    rule("count", take=[X], put=[count(Y)]),
    rule("mark", keep=[A(X), Y], put=[A(Y)]),
    rule("spend", take=[A(X)], put=[X, B(X)], when=lacks(B(X + 1))),
    rule("gain", take=[B(X)], put=[A(X), 0], cost=0),
]
SIMPLER = [
    rule("halves", take=[X, Y], put=[X], when=Y == 2 * X),
    rule("same", take=[(X, X)], put=[X]),
    rule("note", keep=[B(X)], put=[half(X)], absent=[X // 2]),
]
NEVER = [contains(3), count(X) > 3, contains(A(X), B(X))]
TERMS: list[Any] = [0, 1, 2, 3, 4, (1, 2), (2, 2), (1, 3), A(1), A(2), B(1), B(2)]
STARTS = st.lists(st.sampled_from(TERMS), min_size=2, max_size=5)


@st.composite
def set_puzzles(draw: st.DrawFn) -> Puzzle:
    start, end = draw(STARTS), draw(STARTS)
    goals = [contains(end[0]), exactly(*end), exactly(*{*end}), contains(end[-1]) & lacks(start[0]),
             contains(A(X), absent=A(0)), None]  # fmt: skip
    some = st.lists(st.sampled_from(RULES), min_size=2, max_size=5, unique_by=id)
    return Puzzle(
        *draw(some), start=start, goal=draw(st.sampled_from(goals)), sets=True,
        facts=draw(st.sampled_from([(), (A(0), A(1)), (2,)])),
        never=draw(st.sampled_from([(), (), *[(one,) for one in NEVER]])),
        simplify=draw(st.sampled_from([(), (), *[(one,) for one in SIMPLER]])),
    )  # fmt: skip
