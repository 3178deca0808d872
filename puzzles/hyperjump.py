"""Hyperjump: put digits into a chain that ends in the 9.

Quanta Magazine's game Hyperjumps! (3 March 2023); solved in Prolog by Guillaume Baudart
(blog.gbdrt.dev, 18 March 2023). Two digits are free; each later one is the last
digit of a result of what stands before it: the sum, the product, the difference (above zero) or
the quotient (whole) of its two neighbours on the left. For the difference and the quotient, several
digits may be read together as the first number: 7 1 8 3, because 71 - 8 = 63.

The game asks for four chains of five digits before the 9, three of six, two of seven, and as many
of all eight as there are.
"""

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


QUESTION = {"solutions": None}
ASKED = {5: 4, 6: 3, 7: 2}  # digits before the 9: how many chains; of eight, all


def told(result: Result, story: str) -> str:
    """The chains that the game asks for, each with its reasons."""
    by_length: dict[int, list[Path]] = {}
    for path in result.paths:  # a step puts one digit more, the first one two
        by_length.setdefault(len(path), []).append(path)
    lengths = [length for length in (*ASKED, 8) if length in by_length] or [max(by_length)]
    blocks = []
    for length in lengths:
        chains = by_length[length]
        shown = chains[: ASKED.get(length)]
        head = f"{length} digits and the 9, {len(shown)} of {len(chains)}:"
        blocks.append("\n".join([head, *map(reasoned, shown)]))
    return "\n\n".join(blocks)


def reasoned(path: Path) -> str:
    """A chain in one line, with the results that gave its digits."""
    [digits] = [term for term in path.end if isinstance(term, tuple)]
    return f"  {' '.join(map(str, digits))}   {', '.join(path.labels[1:])}"
