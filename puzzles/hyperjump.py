"""Hyperjump: put digits into a chain that ends in the 9.

Quanta Magazine's game Hyperjumps! (3 March 2023); solved in Prolog by Guillaume Baudart
(blog.gbdrt.dev, 18 March 2023). The first two digits are free; each later one is the last digit of
the sum, the product, the difference (above zero) or the quotient (whole) of the two digits to its
left. For the difference and the quotient, several digits may be read together as the first number:
7 1 8 3, because 71 - 8 = 63.

The game asks for four chains of five digits before the 9, three of six, two of seven, and all
chains of eight. There every chain ends in the 9, which occurs nowhere else; here another digit may
take its place.
"""

import re

from puzzles.words import named
from rewrite import (
    Path,
    Puzzle,
    PuzzleError,
    Result,
    chain,
    contains,
    divides,
    ints,
    number,
    rule,
    seqs,
)

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
    show=chain(S, separator=" → ", goal=9),
    name="hyperjump",
)


def instance(*words: str) -> Puzzle:
    """The digits without the 9; without words, 4 4 7 3 1 1 8 5. Chains end in the 7 with last=7.

    Then the digits are those without the 7; the last one may be 0 to 9.
    """
    last, given = named(words, "last", "9")
    loose = "".join(given) or "44731185".replace(last, "9")
    if not re.fullmatch("[0-9]", last):
        raise PuzzleError(f"hyperjump: last={last} is not a digit; needs 0 to 9, e.g. last=7")
    if last in loose or set(loose) - set("123456789"):
        digits = {"9": "from 1 to 8", "0": "from 1 to 9"}.get(last, f"from 1 to 9 but {last}")
        raise PuzzleError(
            f"hyperjump: needs digits {digits} (the {last} at the end comes by itself), e.g. "
            f"{' '.join('44731185'.replace(last, '9'))}; found {' '.join(given)!r}"
        )
    end = int(last)
    return hyperjump.replace(
        start=[(), *map(int, loose), end],
        goal=contains((*S, end)),
        show=chain(S, separator=" → ", goal=end),
    )


QUESTION = {"solutions": None}
ASKED = {5: 4, 6: 3, 7: 2}  # digits before the 9: how many chains; of eight, all


def told(result: Result, story: str) -> str:
    """The chains that the game asks for, each with its calculations."""
    by_length: dict[int, list[Path]] = {}
    for path in result.paths:  # each step adds a digit, the first one two
        by_length.setdefault(len(path), []).append(path)
    lengths = [length for length in (*ASKED, 8) if length in by_length] or [max(by_length)]
    [last] = {digits(path)[-1] for path in result.paths}
    blocks = []
    for length in lengths:
        chains = by_length[length]
        shown = chains[: ASKED.get(length)]
        head = f"{length} digits and the {last}, {len(shown)} of {len(chains)}:"
        blocks.append("\n".join([head, *map(reasoned, shown)]))
    return "\n\n".join(blocks)


def digits(path: Path) -> tuple[int, ...]:
    """The chain at the end of a path."""
    [found] = [term for term in path.end if isinstance(term, tuple)]
    return found


def reasoned(path: Path) -> str:
    """A chain in one line, with the calculations of its digits."""
    return f"  {' '.join(map(str, digits(path)))}   {', '.join(path.labels[1:])}"
