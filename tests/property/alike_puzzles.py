"""Random puzzles in which some people are interchangeable, in slots or in multisets.

Rules name nobody. Terms hold one person, two, or a bag of them.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rewrite import (
    ANY,
    Puzzle,
    Rule,
    bags,
    contains,
    count,
    interchangeable,
    ints,
    lacks,
    rule,
    strs,
    term,
)

NAMES = ("ann", "bob", "cid", "dan")


@term
class Walker:
    who: str
    at: int


@term
class Friend:
    one: str
    other: str


@term
class Seat:
    at: int
    who: str


@term
class Coin:
    who: str


@term
class Capacity:
    people: Any


A, B = ints("A B")
W, V = strs("W V")
S = bags("S")

RULES = [
    rule(f"{W} walks from {A}", take=[Walker(W, A)], put=[Walker(W, (A + 1) % 3)]),
    rule(f"{W} and {V} change", take=[Walker(W, A), Walker(V, B)],
         put=[Walker(W, B), Walker(V, A)], when=A > B, cost=A),
    rule(f"{W} meets {V}", keep=[Walker(W, A), Walker(V, A)], put=[Friend(W, V)],
         when=W != V, absent=[Friend(W, V)]),
    rule(f"{W} leaves {V}", take=[Friend(W, V)], keep=[Walker(W, A), Walker(V, B)], when=A != B),
    rule(f"{W} tells {V}", take=[Friend(W, V)], put=[Friend(V, W)], absent=[Friend(V, W)], cost=2),
    rule(f"{W} sits on {A}", take=[Seat(A, "free")], keep=[Walker(W, A)], put=[Seat(A, W)],
         absent=[Seat(ANY, W)]),
    rule(f"{W} gives {A} to {V}", take=[Seat(A, W)], keep=[Friend(W, V)], put=[Seat(A, V)]),
]  # fmt: skip
COINS = [
    rule(f"{W} finds a coin", keep=[Walker(W, 2)], put=[Coin(W)], when=count(Coin(ANY)) < 3),
    rule(f"{W} pays {V}", take=[Coin(W)], keep=[Walker(V, 0)], put=[Coin(V)]),
]
ROOMS = [
    rule(f"{W} comes in", take=[Walker(W, 0), Capacity(S)], put=[Capacity([W, *S])]),
    rule(f"{W} goes out", take=[Capacity([W, *S])], put=[Walker(W, 1), Capacity(S)]),
]
CONDITIONS = [
    count(Friend(W, V)) == 3,
    contains(Friend(W, V), Friend(V, W)),
    contains(*[Walker(name, 2) for name in NAMES[:3]]),
    contains(Seat(0, W), Walker(W, 2)),
    lacks(Walker(W, 0)),
    contains(Coin(W), Coin(W), Walker(W, 2)),
    contains(Capacity([ANY, ANY, ANY])) | contains(Seat(0, "ann")) | contains(Seat(0, "bob"))
    | contains(Seat(0, "cid")) | contains(Seat(0, "dan")),
]  # fmt: skip
NEVER_MET = contains(Walker(W, 7))


@st.composite
def alike_puzzles(draw: st.DrawFn, multisets: bool) -> Puzzle:
    names = NAMES[: draw(st.integers(3, 4))]
    start: list[Any] = [Walker(name, draw(st.integers(0, 2))) for name in names]
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names))
    start += [Friend(*pair) for pair in sorted(draw(st.sets(pairs, max_size=3)))]
    start += [Seat(at, draw(st.sampled_from(["free", *names]))) for at in range(2)]
    pool: list[Rule] = list(RULES)
    if multisets:
        start += [Coin(draw(st.sampled_from(names))) for _ in range(draw(st.integers(0, 2)))]
        start += [Coin(names[0]), Coin(names[0])]  # twice: bits have no room for it
        pool += COINS
        if draw(st.booleans()):
            start += [Capacity(draw(st.sampled_from([[], ["eve"]]))) for _ in range(2)]
            pool += ROOMS
    rules = draw(st.lists(st.sampled_from(pool), min_size=2, max_size=4, unique_by=id))
    goal = draw(st.sampled_from([*CONDITIONS[:2], *CONDITIONS[3:]]))
    if len(names) == 3:
        goal = draw(st.sampled_from(CONDITIONS[:-1]))
    never = [draw(st.sampled_from(CONDITIONS[3:5]))] if draw(st.booleans()) else []
    return Puzzle(
        rules, start=start, goal=goal, never=never, symmetry=[interchangeable(*names)],
        sets=multisets and draw(st.booleans()), name="alike",
    )  # fmt: skip
