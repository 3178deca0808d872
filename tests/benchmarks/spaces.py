"""Spaces that are not puzzles of the gallery: other sizes, and the forms that others measured."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

from puzzles import PUZZLES
from puzzles.digitle import digitle
from puzzles.hyperjump import hyperjump
from puzzles.peg_solitaire import Hole, Jump, jump
from rewrite import Puzzle, between, contains, divides, exactly, ints, one_of, rule, seqs, term

M, N, X, Y = ints("M N X Y")
C, D, V = ints("C D V")
S = seqs("S")


def declared(puzzle: str, words: Sequence[str]) -> Puzzle:
    """The puzzle of this name, from here or from the gallery."""
    return (SPACES if puzzle in SPACES else PUZZLES)[puzzle](*words)


@term
class Tile:
    cell: int
    number: int


def sliding(columns: str, rows: str) -> Puzzle:
    """Sliding tiles on a board of any size, from the board in order; 0 is the empty cell."""
    width, cells = int(columns), int(columns) * int(rows)
    return Puzzle(
        rule(
            f"slide {V}",
            take=[Tile(C, V), Tile(D, 0)],
            put=[Tile(C, 0), Tile(D, V)],
            when=abs(C // width - D // width) + abs(C % width - D % width) == 1,
        ),
        start=[Tile(cell, (cell + 1) % cells) for cell in range(cells)],
        name=f"sliding {columns}×{rows}",
    )


def digitle_steps(*numbers: str) -> Puzzle:
    """Digitle with the steps so far kept in the state, as a sequence of (sign, M, N).

    So no two ways lead to one state: what one should not do, and what people do at first.
    """
    return Puzzle(
        [
            rule(f"{M} {sign} {N}", take=[M, N, S], put=[made, (*S, (sign, M, N))], when=when)
            for sign, made, when in [
                ("+", M + N, [M >= N]),
                ("-", M - N, [M > N]),
                ("×", M * N, [M >= N]),
                ("÷", M // N, [M >= N, divides(N, M)]),
            ]
        ],
        start=[*map(int, numbers), ()],
        name="digitle with steps",
    )


ONE_BY_ONE = (
    rule(f"first {X}", take=[(), X], put=[(X,)]),
    rule(f"second {Y}", take=[(X,), Y], put=[(X, Y)]),
    *hyperjump.rules[1:],
)
"""The rules of Hyperjump, the two free digits laid one by one: the chains that others count."""


@cache
def sets_of_digits() -> tuple[tuple[int, ...], ...]:
    """The 6,435 sets of eight digits from 1 to 8, some of them equal."""
    return tuple(combinations_with_replacement(range(1, 9), 8))


def hyperjump_sets() -> Puzzle:
    """All chains of all sets of digits in one space: the first step deals a set. No 9."""
    dealt = ints("d1:9")
    deal = rule("deal", take=["undealt"], let={dealt: one_of(*sets_of_digits())}, put=[(), *dealt])
    return Puzzle(deal, *ONE_BY_ONE, start=["undealt"], name="hyperjump, all sets")


def hyperjump_of(digits: Sequence[int]) -> Puzzle:
    return Puzzle(*ONE_BY_ONE, start=[(), *digits], name="hyperjump, one set")


def peg_solitaire_english() -> Puzzle:
    """The English board of 33 holes, the middle one empty: no symmetry, no goal."""
    holes = [10 * r + c for r in range(7) for c in range(7) if 2 <= r <= 4 or 2 <= c <= 4]
    return Puzzle(
        jump,
        facts=[
            Jump(at, at + way, at + 2 * way)
            for at in holes
            for way in (1, -1, 10, -10)
            if {at + way, at + 2 * way} <= {*holes}
        ],
        start=[Hole(hole, int(hole != 33)) for hole in holes],
        name="peg solitaire, English board",
    )


@cache
def selections() -> tuple[tuple[int, ...], ...]:
    """The 13,243 different selections of six from the 24 tiles of Countdown."""
    tiles = sorted([*range(1, 11), *range(1, 11), 25, 50, 75, 100])
    return tuple(sorted(set(combinations(tiles, 6))))


countdown = Puzzle(
    *digitle.rules,
    rule(f"drop {N}", take=[M, N], put=[M]),
    goal=exactly(M, when=between(101, M, 999)),
    name="countdown",
)
"""Digitle, but numbers may be dropped: then a target is one state, and an answer comes once."""


def nothing() -> object:
    """A goal that no state meets: the whole space is searched."""
    return contains("no such term")


SPACES: dict[str, Callable[..., Puzzle]] = {
    "sliding": sliding,
    "digitle_steps": digitle_steps,
    "hyperjump_sets": hyperjump_sets,
    "peg_solitaire_english": peg_solitaire_english,
}
