"""Random puzzles on small boards, of the kind that is kept in slots and bits.

Cells hold a value (`At`), walkers stand somewhere (`Walker`), marks lie about (`Mark`), holes are
`Full` or `Empty`, `Next` facts join cells. Rules move, copy, exchange and compute values along
them, so that all kinds of ground rules come up: known changes, copies, look-ups, atoms alone and
atoms that exclude each other, absent atoms and slots.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from rewrite import (
    ANY,
    Puzzle,
    Rule,
    contains,
    count,
    divides,
    exactly,
    ints,
    is_in,
    lacks,
    least,
    letters,
    lowest,
    one_of,
    position,
    reverse,
    rule,
    seqs,
    strs,
    term,
    terminal,
    terms,
    text,
    total,
)
from tests.terms import At, Next


@term
class Walker:
    cell: int


@term
class Mark:
    cell: int
    kind: str


@term
class Full:
    cell: int


@term
class Empty:
    cell: int


@term
class Stack:
    name: str
    items: tuple[int, ...]


@term
class Word:
    cell: int
    letters: str


P, Q, X, Y, Z, D = ints("P Q X Y Z D")
S, T = seqs("S T")
F, G = terms("F G")
U, V = strs("U V")
HERE = '{it}\'s \\ "here"\n→'  # a text may hold what means something elsewhere


@cache
def guards() -> st.SearchStrategy[Any]:
    """Guards over P, Q (cells) and X, Y (values)."""
    return st.sampled_from(
        [
            X > Y,
            X != Y,
            X + Y <= 4,
            divides(Y, X),
            P < Q,
            is_in(X, (0, 2)),
            (X == 0) | (Y == 0),
            ~(X == Y),
        ]
    )


@cache
def cell_rules() -> st.SearchStrategy[Rule]:
    """Rules about cells and their values."""
    put = st.sampled_from(
        [(X, Y), (Y, X), (0, X), (X - Y, Y), (least(X + 1, 3), Y), (X // Y, X % 3)]
    )
    nexts = st.sampled_from([[Next(P, Q)], [Next(P, Q), Next(Q, P)], []])

    def made(
        put: tuple[Any, Any], nexts: list[Any], when: list[Any], cost: Any, lone: bool
    ) -> Rule:
        a, b = put
        return rule(
            f"{P} {Q}: {X} {Y}", take=[At(P, X), At(Q, 2 if lone else Y)],
            let={Y: X} if lone else {}, put=[At(P, a), At(Q, b)], keep=nexts, when=when, cost=cost,
        )  # fmt: skip

    return st.builds(
        made,
        put,
        nexts,
        st.lists(guards(), max_size=2),
        st.sampled_from([1, 1, 1, 2, X * X]),
        st.booleans(),
    )


WALKS = [
    rule(f"walk {P} {Q}", take=[Walker(P)], keep=[Next(P, Q)], put=[Walker(Q)], absent=[Walker(Q)]),
    rule(
        f"hop {P}",
        take=[Walker(P)],
        let={D: one_of(-1, 1, 2)},
        keep=[At(P + D, ANY)],
        put=[Walker(P + D)],
    ),
    rule(
        f"mark {P}",
        keep=[Walker(P), At(P, X)],
        take=[],
        put=[Mark(P, HERE)],
        when=X > 0,
        absent=[Mark(P, HERE)],
    ),
    rule(f"rub {P}", take=[Mark(P, HERE)], keep=[Walker(P)], put=[]),
    rule(
        f"carry {P} {Q}",
        take=[Mark(P, HERE)],
        keep=[Next(P, Q)],
        put=[Mark(Q, HERE)],
        absent=[Mark(Q, ANY)],
    ),
    rule(f"raise {P}", take=[At(P, X)], keep=[Walker(P)], put=[At(P, X + 1)], when=X < 3),
    rule(
        f"empty {P}", take=[At(P, X)], absent=[Walker(P), At(P + 1, 0)], put=[At(P, 0)], when=X > 0
    ),
    rule("turn", take=[At(0, X), At(1, Y), At(2, Z)], put=[At(0, Y), At(1, Z), At(2, X)]),
    rule(
        f"pile {F} {G}", take=[Stack(F, (X, *S)), Stack(G, T)], put=[Stack(F, S), Stack(G, (X, *T))]
    ),
    rule(f"split {F}", take=[Stack(F, (*S, X, *T))], put=[Stack(F, (X, *S, *T))], when=X > 1),
]

WORDS = [
    rule(f"turn {U}", take=[Word(P, U)], put=[Word(P, reverse(U))], when=letters(U)[0] != "b"),
    rule(f"roll {U}", take=[Word(P, U)], let={(V, *S): letters(U)}, put=[Word(P, text((*S, V)))]),
    rule(
        f"write {X}",
        take=[Word(P, U)],
        keep=[At(Q, X)],
        put=[Word(P, text(X) + U[1:])],
        when=~is_in(text(X), U),
    ),
    rule(f"read {U}", keep=[Word(P, U)], take=[At(P, X)], put=[At(P, position("日", U))]),
    rule(f"flip {F}", take=[Stack(F, S)], put=[Stack(F, S[::-1])], when=position(2, S) != 1),
]

HOLES = [
    rule(
        f"slide {P} {Q}",
        take=[Full(P), Empty(Q)],
        keep=[Next(P, Q)],
        put=[Full(Q), Empty(P)],
    ),
    rule(f"fill {P}", take=[Empty(P)], keep=[Walker(P)], put=[Full(P)]),
    rule(f"drain {P}", take=[Full(P)], keep=[At(P, X)], put=[Empty(P)], when=X > 1),
    rule(f"vanish {P} {Q}", take=[Full(P)], keep=[Next(P, Q)], put=[], absent=[Empty(Q)]),
    rule(f"appear {P}", take=[], keep=[Walker(P)], put=[Full(P)], absent=[Full(P), Empty(P)]),
    rule(f"open {P}", take=[], keep=[Next(P, Q)], put=[Empty(P)], absent=[Empty(P), Full(ANY)]),
    rule(
        f"push {P}",
        take=[Walker(P), Full(P + D)],
        let={D: one_of(-1, 1)},
        put=[Walker(P + D), Full(P + 2 * D)],
        absent=[Full(P + 2 * D), Empty(P + 2 * D), Walker(P + 2 * D)],
        when=(P + 2 * D >= 0) & (P + 2 * D < 4),
    ),
    rule(f"swap {P}", take=[Full(P), At(P, X)], put=[Empty(P), At(P, X + 1)], when=X < 3),
    rule(f"lift {P}", take=[At(P, X)], put=[At(P, 0)], when=X > 1, absent=[Full(P)]),
    rule(f"sink {P}", take=[Full(P)], when=[count(Empty(P + 1)) > 0, count(At(P, 0)) == 0]),
    rule(f"free {P}", take=[Walker(P)], put=[Walker(P + 1)], keep=[At(P + 1, X)],
         when=[count(Walker(P + 1)) == 0, count(At(ANY, X + 1)) != 0, count(Full(Q)) == 0]),
]  # fmt: skip

CONDITIONS = [
    contains(At(P, X), Walker(P), when=X > 1),
    lacks(Next(P, Q), At(P, X), At(Q, Y), when=X + Y > 5),
    contains(Mark(P, HERE), absent=Walker(P)),
    count(Mark(ANY, ANY)) >= 2,
    count(Walker(P), At(Q, X), when=P < Q) > 3,
    total(X * P, At(P, X)) == 4,
    lowest(X, At(ANY, X)) > 0,
    contains(Stack(ANY, (2, *S))) | ~contains(At(0, 0)),
    exactly(At(0, X), At(1, Y), At(2, Z), At(3, D), Walker(P)),
    contains(At(0, X)) & contains(At(1, X)),
    contains(At(P, X), absent=Full(P), when=X > 0),
    contains(Walker(P), absent=[Full(P), Empty(P)]),
    lacks(Full(P), Next(P, Q), absent=Empty(Q)),
    contains(Next(P, Q), At(P, X), when=lacks(At(Q, X))),
    contains(At(P, X), when=[X > 0, lacks(Walker(Q), when=Q < P) | contains(Full(P), Empty(Q))]),
    lacks(Walker(P), when=[contains(At(Q, 0), absent=Mark(Q, HERE)), lacks(At(P, ANY))]),
    exactly(Full(P), At(0, X), At(1, Y), At(2, Z), Walker(Q), when=lacks(Next(P, Q))),
    count(Full(P)) == 1,
    count(Empty(P), when=P > 0) > count(Full(Q)),
    exactly(Full(0), Empty(1), At(0, X), At(1, Y), At(2, Z), Walker(P)),
    contains(Word(P, U), when=is_in("é日", U)),
    contains(Word(P, U), At(Q, X), when=position(text(X), U) > 0),
    lambda state: state.count(At(0, 0)) > 0,
]

ENDS = [
    contains(At(P, X)) & (terminal() & lacks(At(P, X + 1))),
    contains(At(P, ANY)) & ~(terminal() & contains(At(P, X), when=X > 0)),
    count(At(P, X), when=terminal()) > 0,
    contains(At(P, X), when=[X > 0, terminal()]),
]
"""Goals that ask whether a rule applies: slow by the definition, which asks for each match."""


# Made once: hypothesis examines each new strategy, which takes longer than to draw.
FEW_CELL_RULES = st.lists(cell_rules(), max_size=2)
FEW_WALKS = st.lists(st.sampled_from(WALKS), min_size=1, max_size=4, unique_by=id)
FEW_HOLES = st.lists(st.sampled_from(HOLES), max_size=3, unique_by=id)
FEW_WORDS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2, unique_by=id)
FEW_TEXTS = st.lists(st.sampled_from(["aé日", "b日", "1b"]), max_size=2)
GOAL = st.sampled_from(CONDITIONS)
FEW_NEVER = st.lists(st.sampled_from(CONDITIONS[:-1]), max_size=1)


@cache
def some_cells(cells: int) -> st.SearchStrategy[set[int]]:
    return st.sets(st.integers(0, cells - 1), max_size=2)


@cache
def some_pairs(cells: int) -> st.SearchStrategy[set[tuple[int, int]]]:
    cell = st.integers(0, cells - 1)
    return st.sets(st.tuples(cell, cell), max_size=5)


@cache
def some_holes(cells: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(["full", "empty", "none"]), max_size=cells)


@st.composite
def board_puzzles(draw: st.DrawFn) -> Puzzle:
    """Draw a puzzle with a start; its values stay small, its space finite or cut by the reader."""
    cells = draw(st.integers(3, 4))
    values = draw(st.lists(st.integers(0, 3), min_size=cells, max_size=cells))
    start: list[Any] = [At(cell, value) for cell, value in enumerate(values)]
    start += [Walker(cell) for cell in draw(some_cells(cells))]
    start += [Mark(cell, HERE) for cell in draw(some_cells(cells))]
    holes = draw(some_holes(cells))
    start += [Full(cell) for cell, hole in enumerate(holes) if hole == "full"]
    start += [Empty(cell) for cell, hole in enumerate(holes) if hole == "empty"]
    if draw(st.booleans()):
        start += [Stack("a", (1, 2)), Stack("b", (3,))]
    start += [Word(cell, word) for cell, word in enumerate(draw(FEW_TEXTS))]
    facts = [Next(a, b) for a, b in draw(some_pairs(cells))]
    rules = draw(FEW_CELL_RULES)
    rules += draw(FEW_WALKS)
    rules += draw(FEW_HOLES) if holes else []
    if any(isinstance(one, Word) for one in start):
        rules += draw(FEW_WORDS)
    return Puzzle(
        rules,
        start=start,
        facts=facts,
        goal=draw(GOAL),
        never=draw(FEW_NEVER),
        name="board",
    )
