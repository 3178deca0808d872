"""Random puzzles on rings of cells: whatever their rules are, turning the ring changes nothing.

Rules and conditions know cells by `Next` facts only. Where these lead both ways, the ring can be
mirrored as well. Terms of three constructors stand in the cells, so that a symmetry has to change
them together.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rewrite import (
    ANY,
    Puzzle,
    Rule,
    contains,
    count,
    highest,
    interchangeable,
    ints,
    lacks,
    relabel,
    rule,
    strs,
    term,
    total,
)
from rewrite.language.symmetry import Interchangeable, Relabel
from tests.terms import At, Mark, Next


@term
class Walker:
    cell: int
    name: str


P, Q, R, X, Y = ints("P Q R X Y")
W, V = strs("W V")
NAMES = ("ann", "bob")

RULES = [
    rule(f"exchange {P} {Q}", take=[At(P, X), At(Q, Y)], keep=[Next(P, Q)],
         put=[At(P, Y), At(Q, X)], when=X > Y),
    rule(f"swap {P} {Q}", take=[At(P, X), At(Q, Y)], keep=[Next(P, Q)], put=[At(P, Y), At(Q, X)]),
    rule(f"up {P}", take=[At(P, X)], put=[At(P, (X + 1) % 3)]),
    rule(f"up under {P}", take=[At(P, X)], keep=[Walker(P, ANY)], put=[At(P, X + 1)], when=X < 2,
         cost=X + 1),
    rule(f"copy {P} {Q}", take=[At(Q, Y)], keep=[At(P, X), Next(P, Q)], put=[At(Q, X)], cost=2),
    rule(f"{W} walks {P} {Q}", take=[Walker(P, W)], keep=[Next(P, Q)], put=[Walker(Q, W)],
         absent=[Walker(Q, ANY)]),
    rule(f"{W} walks on {P} {Q}", take=[Walker(P, W)], keep=[Next(P, Q), At(Q, X)],
         put=[Walker(Q, W)], when=X > 0, absent=[Walker(Q, ANY), Mark(Q)]),
    rule(f"mark {P}", keep=[At(P, 2)], put=[Mark(P)], absent=[Mark(P)]),
    rule(f"mark beside {P}", keep=[Walker(P, W), Next(P, Q)], put=[Mark(Q)], absent=[Mark(Q)]),
    rule(f"rub {P}", take=[Mark(P)], keep=[Walker(P, W)]),
    rule(f"carry {P} {Q}", take=[Mark(P)], keep=[Next(P, Q)], put=[Mark(Q)], absent=[Mark(Q)]),
    rule(f"turn {P} {Q} {R}", take=[At(P, 0), At(Q, X), At(R, Y)], keep=[Next(P, Q), Next(Q, R)],
         put=[At(P, X), At(Q, Y), At(R, 0)]),
]  # fmt: skip

CONDITIONS = [
    count(Mark(P)) == 2,
    lacks(At(P, 0)),
    contains(Walker(P, W), Mark(P), At(P, 2)),
    lacks(Next(P, Q), At(P, X), At(Q, Y), when=X == Y),
    total(X, At(P, X)) > 4,
    highest(X, At(P, X), Mark(P)) == 1,
    contains(Next(P, Q), Walker(P, W), Walker(Q, V)) & ~contains(Mark(P)),
    contains(At(P, 1), absent=[Mark(P), Walker(P, ANY)]) | (count(At(P, 2)) == 3),
    contains(Next(P, Q), At(P, 2), At(Q, 2)),
    count(At(P, X)) > 90,
]
"""Conditions that say nothing of a cell or a name; the last one never holds."""


def turned(cells: int) -> Relabel:
    """Every cell becomes the next."""
    return relabel(*_moved((P + 1) % cells))


def mirrored(cells: int) -> Relabel:
    """Every cell becomes the one opposite."""
    return relabel(*_moved((cells - P) % cells))


def _moved(image: Any) -> list[Any]:
    return [At(P, X), At(image, X), Walker(P, W), Walker(image, W), Mark(P), Mark(image)]


def names() -> Interchangeable:
    """Two walkers that play the same part."""
    return interchangeable(*NAMES)


@st.composite
def ring_puzzles(draw: st.DrawFn) -> Puzzle:
    """Draw a puzzle that declares all symmetries of its ring; its start need not be symmetric."""
    cells = draw(st.integers(3, 4))
    values = draw(st.lists(st.integers(0, 2), min_size=cells, max_size=cells))
    start: list[Any] = [At(cell, value) for cell, value in enumerate(values)]
    places = draw(st.lists(st.integers(0, cells - 1), max_size=2, unique=True))
    start += [Walker(cell, name) for cell, name in zip(places, NAMES, strict=False)]
    start += [Mark(cell) for cell in draw(st.sets(st.integers(0, cells - 1), max_size=2))]
    both_ways = draw(st.booleans())
    facts = [Next(cell, (cell + 1) % cells) for cell in range(cells)]
    symmetry: list[Any] = [turned(cells)]
    if both_ways:
        facts += [Next(fact.to, fact.at) for fact in facts]
        symmetry.append(mirrored(cells))
    if len(places) == len(NAMES):
        symmetry.append(names())
    rules: list[Rule] = draw(st.lists(st.sampled_from(RULES), min_size=1, max_size=3, unique_by=id))
    never = draw(st.lists(st.sampled_from(CONDITIONS[:-1]), max_size=1))
    return Puzzle(
        rules, start=start, facts=facts, goal=draw(st.sampled_from(CONDITIONS[:-1])),
        never=never if draw(st.booleans()) else [], symmetry=symmetry, name="ring",
    )  # fmt: skip
