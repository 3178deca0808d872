"""Hyperjump: put digits into a chain that ends in the 9.

Quanta Magazine's game Hyperjumps! (3 March 2023); solved in Prolog by Guillaume Baudart
(blog.gbdrt.dev, 18 March 2023). Two digits are free; each later one is the last
digit of a result of what stands before it: the sum, the product, the difference (above zero) or
the quotient (whole) of its two neighbours on the left. For the difference and the quotient, several
digits may be read together as the first number: 7 1 8 3, because 71 - 8 = 63.
"""

from rewrite import Puzzle, PuzzleError, chain, contains, divides, ints, number, rule, seqs

X, Y, Z, C = ints("X Y Z C")
S, T = seqs("S T")

hyperjump = Puzzle(
    rule(f"start {X} {Y}", take=[(), X, Y], put=[(X, Y)]),
    rule(
        f"{X} + {Y} = {X + Y}",
        take=[(*S, X, Y), Z],
        put=[(*S, X, Y, Z)],
        when=(X + Y) % 10 == Z,
    ),
    rule(
        f"{X} × {Y} = {X * Y}",
        take=[(*S, X, Y), Z],
        put=[(*S, X, Y, Z)],
        when=(X * Y) % 10 == Z,
    ),
    rule(
        f"{C} - {Y} = {C - Y}",
        take=[(*S, *T, Y), Z],
        let={C: number(T)},
        put=[(*S, *T, Y, Z)],
        when=[C > Y, (C - Y) % 10 == Z],
    ),
    rule(
        f"{C} ÷ {Y} = {C // Y}",
        take=[(*S, *T, Y), Z],
        let={C: number(T)},
        put=[(*S, *T, Y, Z)],
        when=[divides(Y, C), (C // Y) % 10 == Z],
    ),
    goal=contains((*S, 9)),
    show=chain(S),
    name="hyperjump",
)


def instance(*words: str) -> Puzzle:
    """The digits without the 9; without words, 4 4 7 3 1 1 8 5."""
    loose = "".join(words) or "44731185"
    if set(loose) - set("12345678"):
        raise PuzzleError(
            "hyperjump: needs digits from 1 to 8 (the 9 at the end comes by itself), e.g. "
            f"4 4 7 3 1 1 8 5; found {' '.join(words)!r}"
        )
    return hyperjump.replace(start=[(), *map(int, loose), 9])
