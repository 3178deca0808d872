"""Random puzzles with computed fields everywhere: in take, keep, put, absent, let and the goal.

A rule often puts the very term, computed fields and all, that it takes. Numbers are small, so that
the equations often hold. Two thirds of the puzzles are boards, most of which are kept in slots; the
others compute keys from values too, and whole terms.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rewrite import (
    ANY,
    Bag,
    Puzzle,
    Rule,
    bags,
    contains,
    count,
    exactly,
    if_,
    ints,
    lacks,
    least,
    one_of,
    rule,
    seqs,
    term,
    text,
)
from rewrite.language.patterns import binders
from tests.terms import Next


@term
class Cell:
    key: Any
    value: Any


@term
class Item:
    value: Any


@term
class Row:
    key: Any
    items: tuple[Any, ...]


K, L, X, Y, Z, W = ints("K L X Y Z W")
S = seqs("S")
REST = bags("R")
KEYS: list[Any] = [K, K, L, K + 1, L - 1, 1 - K, K + L, 2 * K, 0, 1, 2, "a"]
VALUES: list[Any] = [
    X, X, Y, Y, X + 1, X + 1, X - 1, 1 - X, X + Y, abs(X - Y), X % 2, X // 2, least(X, Y), -X,
    2 * Y, if_(X > Y, Y, X + 1), X + K, 0, 1, (X, X + 1), (Y, (X + 1, 0)), Bag([X, Y + 1]), text(X),
]  # fmt: skip
BINDING: list[list[Any]] = [
    [Cell(K, X), Cell(L, Y)], [Cell(K, X), Cell(L, Y)], [Cell(0, X), Cell(1, Y), Next(K, L)],
    [Cell(K, X), Cell(K + 1, Y), Next(K, L)], [Cell("a", X), Cell("b", Y), Next(K, L)],
    [Cell(K, X), Cell(K + 1, X + 1), Cell(L, Y)], [Row(K, (X, *S)), Cell(L, Y)],
    [Row(K, (X, X + 1)), Row(L, (Y, *S))], [Cell(K, (X, X + 1)), Cell(L, Y)],
]  # fmt: skip
"""Patterns that give K, L, X and Y their values."""
POOLED: list[list[Any]] = [[K, L, X, Y], [Cell(K, X), (L, Y)], [Item(X), Item(Y), Cell(K, L)]]
LETS: list[dict[Any, Any]] = [
    {Z: X + Y}, {(Z, X + 1): (Y, X + 1)}, {(Z, X + 1): one_of((0, 1), (1, X + 1), (2, 2))},
    {Cell(Z, Y): one_of(Cell(X, X), Cell(2, Y))}, {Bag([Z, X]): Bag([X, Y])}, {X + 1: Y},
    {(Z, ANY): one_of((0, 1), (1, K))}, {(Z, X + 1): one_of((0, 1), (1, 2), (2, 2))},
]  # fmt: skip
GUARDS: list[Any] = [
    X < 3, X + Y < 5, X != Y, contains(Cell(K, X + 1)), lacks(Cell(K + 1, Y)), X >= Y,
    count(Cell(W, W + 1)) < 3, contains(Cell(L + 1, X + 1)) | (X > 0),
]  # fmt: skip
ABSENT: list[Any] = [
    Cell(K, Y + 1), Cell(K + 1, ANY), Cell(L, (X, X + 1)), Cell(K + 1, Y), Item(X + Y), (X, X + 1),
]  # fmt: skip
GOALS: list[Any] = [
    contains(Cell(W, W + 1)), contains(Cell(0, W), Cell(1, W + 1)), contains(Item(W), W + 2),
    contains(Cell("a", W), Cell("b", W + 2)), lacks(Cell(W, W), Item(W + 1)),
    exactly(Cell(0, W), Cell(1, W + 1), Cell(2, ANY), *REST), count(Cell(W, 2 * W)) >= 2,
    contains((W, W + 1)), contains(Row(W, (W + 1, *S))), contains(Cell(W, (W, W + 1))),
    exactly(Cell(0, W), Cell(1, W + 1), Cell(2, W + 2)), contains(Cell(0, 2), Cell(1, 3)),
    contains(Cell(W, count(Cell(X, 1)))),
]  # fmt: skip

# Strategies are made once: hypothesis examines each new one, which takes longer than to draw.
NUMBER = st.integers(0, 2)
KEY, VALUE = st.sampled_from(KEYS), st.sampled_from(VALUES)
ON_BOARD = st.builds(Cell, KEY, VALUE) | st.builds(lambda k, *of: Row(k, of), KEY, VALUE, VALUE)
IN_POOL = ON_BOARD | st.builds(Item, VALUE) | VALUE | st.builds(Cell, VALUE, VALUE)
Several = dict[bool, st.SearchStrategy[list[Any]]]
SEVERAL: Several = {False: st.lists(ON_BOARD, max_size=1), True: st.lists(IN_POOL, max_size=2)}
BOUND: Several = {False: st.sampled_from(BINDING), True: st.sampled_from(BINDING + POOLED)}
LET = st.sampled_from([*LETS, *[{}] * 12])
GUARD, MISSING = (
    st.sampled_from([*[[]] * len(of), *([one] for one in of)]) for of in (GUARDS, ABSENT)
)
GOAL = st.sampled_from(GOALS)
ROWS = st.sampled_from([[Row(0, ())], [Row(0, (1, 2))], [Row(0, (0, 1)), Row(1, (1, 1))]])
FACTS = st.sampled_from([[Next(0, 1), Next(1, 2)], [Next(1, 0)], [Next(0, 1), Next(2, 2)]])

ROLL = rule("roll", take=[Row(K, (X, *S))], put=[Row(K, (*S, X))])
"""In every puzzle: else its rules might read whole states, which no slots are worth."""


@st.composite
def computing_rules(draw: st.DrawFn, pool: bool) -> Rule:
    """A rule that takes and keeps what its fields compute, and often puts the same again."""
    patterns = draw(st.permutations([*draw(BOUND[pool]), *draw(SEVERAL[pool])]))
    kept = [isinstance(one, Next) or not draw(st.integers(0, 3)) for one in patterns]
    take = [one for one, stays in zip(patterns, kept, strict=True) if not stays]
    keep = [one for one, stays in zip(patterns, kept, strict=True) if stays]
    let = draw(LET)
    put: list[Any] = []
    for one in take:
        other: Any = Cell(one.key, draw(VALUE)) if isinstance(one, Cell) else draw(IN_POOL)
        if isinstance(one, Row):
            other = Row(one.key, (draw(VALUE), draw(VALUE)))
        put.append(draw(st.sampled_from([one, other, other, draw(IN_POOL) if pool else other])))
    if pool:
        put = put[: draw(st.integers(0, len(put)))]
    if any(Z in binders(key) for key in let):
        put.append(draw(st.sampled_from([Item(Z), Cell(2, Z), Cell(K, Z + 1)])))
    if not take and not put:
        put = [Item(X)]
    name = f"r{draw(st.integers(0, 99))}"
    return rule(name, take=take, keep=keep, let=let, put=put, when=draw(GUARD),
                absent=draw(MISSING))  # fmt: skip


@st.composite
def computed_puzzles(draw: st.DrawFn) -> Puzzle:
    """Puzzles of one to three such rules; a space may have no end, so readers limit it."""
    pool = not draw(st.integers(0, 2))
    start: list[Any] = [Cell(key, draw(NUMBER)) for key in range(3)]
    if draw(st.booleans()):
        start += [Cell("a", draw(NUMBER)), Cell("b", draw(NUMBER))]
    start += draw(ROWS)
    if pool:
        start += draw(st.lists(NUMBER | st.tuples(NUMBER, NUMBER), max_size=2))
        start += [Item(number) for number in draw(st.lists(NUMBER, max_size=2))]
    rules = [ROLL, *[draw(computing_rules(pool)) for _ in range(draw(st.integers(1, 3)))]]
    return Puzzle(*rules, start=start, facts=draw(FACTS), goal=draw(GOAL), name="computed")
