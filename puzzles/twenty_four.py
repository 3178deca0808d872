"""The 24 game: make 24 from four numbers with + - × ÷, using each of them once.

A card game from China, sold by Robert Sun as 24 Game since 1988. Division is exact, so 3 3 8 8 has
an answer: 8 ÷ (3 - 8 ÷ 3). Of the 1,820 hands of cards 1 to 13, 1,362 have one (4nums.com).
Negative differences are never needed: swap the operands and subtract the result elsewhere.
"""

from math import gcd

from puzzles.words import is_number
from rewrite import Puzzle, PuzzleError, Rule, chain, exactly, fn, ints, rule, term


@term
class Num:
    """The fraction p/q in lowest terms, q > 0."""

    p: int
    q: int


@fn
def ratio(p: int, q: int) -> Num:
    """The fraction p/q reduced to lowest terms."""
    return Num(p // gcd(p, q), q // gcd(p, q))


@fn
def shown(p: int, q: int) -> str:
    """The fraction p/q as text."""
    lowest = ratio(p, q)
    return f"{lowest.p}" if lowest.q == 1 else f"{lowest.p}/{lowest.q}"


P, Q, R, S = ints("P Q R S")


def combine(sign: str, p: int, q: int, when: bool) -> Rule:
    """The rule that combines the numbers P/Q and R/S into p/q."""
    return rule(
        f"{shown(P, Q)} {sign} {shown(R, S)} = {shown(p, q)}",
        name=sign,
        take=[Num(P, Q), Num(R, S)],
        put=[ratio(p, q)],
        when=when,
    )


larger_first = P * S >= R * Q
twenty_four = Puzzle(
    combine("+", P * S + R * Q, Q * S, larger_first),
    combine("-", P * S - R * Q, Q * S, larger_first),
    combine("×", P * R, Q * S, larger_first),
    combine("÷", P * S, Q * R, R > 0),
    goal=exactly(Num(24, 1)),
    show=chain(
        Num(P, Q), shows=shown(P, Q), separator="  ", goal=24, formula={one: one for one in "+-×÷"}
    ),
    name="twenty_four",
)


def instance(*words: str) -> Puzzle:
    """The numbers to use; without words, 3 3 8 8."""
    if not all(is_number(word) for word in words):
        raise PuzzleError(
            f"twenty_four: needs whole numbers, e.g. 3 3 8 8; found {' '.join(words)!r}"
        )
    return twenty_four.replace(start=[Num(int(word), 1) for word in words or ("3", "3", "8", "8")])
