"""A puzzle file that `mypy --strict` must pass with no plugin and no `Any` of its own.

Not run as a test by its name: the normal mypy run of the repository checks it, and test_typed.py
declares and runs it.
"""

from rewrite import (
    ANY,
    Puzzle,
    State,
    between,
    contains,
    count,
    digits,
    divides,
    fn,
    if_,
    ints,
    is_in,
    lacks,
    least,
    letters,
    number,
    one_of,
    position,
    reverse,
    rule,
    seqs,
    strs,
    term,
    terms,
    text,
    total,
)


@term
class Jug:
    volume: int
    filled: int


@term
class On:
    who: str
    bank: str


M, N, V, W, A, B, D, Z = ints("M N V W A B D Z")
X = ints("X")
d = ints("d0:4")
S, T = seqs("S T")
who, here = strs("who here")

first: int = M
some: tuple[int, ...] = d[1:] + d[:1]


@fn
def across(bank: str) -> str:
    return {"left": "right", "right": "left"}[bank]


digitle = Puzzle(
    rule(f"{M} + {N} → {M + N}", take=[M, N], put=[M + N], when=M >= N),
    rule(f"{M} ÷ {N} → {M // N}", take=[M, N], put=[M // N], when=[M >= N, divides(N, M)]),
    start=[7, 3, 1],
    goal=contains(11),
)

jugs = Puzzle(
    rule(f"fill {V}", take=[Jug(V, A)], put=[Jug(V, V)], when=A < V),
    rule(
        f"pour {V} into {W}",
        take=[Jug(V, A), Jug(W, B)],
        let={Z: least(A, W - B)},
        put=[Jug(V, A - Z), Jug(W, B + Z)],
        when=Z > 0,
    ),
    start=[Jug(3, 0), Jug(5, 0)],
    goal=contains(Jug(ANY, 4)),
)

crossing = Puzzle(
    rule(f"{who} crosses", take=[On(who, here)], put=[On(who, across(here))]),
    never=contains(On(who, here), when=count(On("wolf", here)) > count(On("goat", here)) + 1),
    start=[On("wolf", "left"), On("goat", "left")],
    goal=lacks(On(who, "left")),
)

strike = Puzzle(
    rule(
        f"strike {D}",
        take=[X],
        let={(*S, D, *T): digits(X), Z: number((*S, *T))},
        put=[if_(Z > 9, Z, X - 1)],
        when=[between(1, Z, 99) & ~(Z == 13), total(M, M) < 5],
        cost=abs(D) + 1,
    ),
    rule("turn", take=list(d), put=list(some), let={A: one_of(1, 2)}),
    start=[407],
    goal=lambda state: len(state) == 1,
)


either = terms("either", Jug, On)
back: str = reverse(text((text(M), who)))
turned: tuple[int, ...] = reverse(d[1:])
spelled: tuple[str, ...] = letters(back)
place: int = position("a", who) + position(M, turned)

words = Puzzle(
    rule(
        f"say {text(M)}",
        take=[M, who, (*S,)],
        keep=[either],
        put=[text(letters(who)[::-1]), S[::-1], position(M, S), either],
        when=is_in(text(M), who) & ~is_in(who, "left") & is_in(M, S),
    ),
    start=[1, "1", (1, 2), Jug(3, 0)],
)


def spread(state: State) -> int:
    return state.count(7) + len(state)
