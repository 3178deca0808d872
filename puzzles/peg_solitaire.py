"""Peg solitaire: jump over a peg to take it away, until one is left.

On a triangle of 15 holes: H. M. Smith's patent of 1891; on the tables of Cracker Barrel
restaurants. Analysed in George Bell, Solving Triangular Peg Solitaire, Journal of Integer Sequences
11 (2008). On the English board of 33 holes: Berlekamp, Conway and Guy, Winning Ways, chapter 23.
Every jump removes one peg, so a solution has one jump fewer than there are pegs. The holes of the
triangle are numbered row by row, those of the English board as cells of a 7×7 board, from 0:

            1                        .  .  2  3  4  .  .
          2   3                      .  .  9 10 11  .  .
        4   5   6                   14 15 16 17 18 19 20
      7   8   9  10                 21 22 23 24 25 26 27
    11  12  13  14  15              28 29 30 31 32 33 34
                                     .  . 37 38 39  .  .
                                     .  . 44 45 46  .  .
"""

from collections.abc import Sequence

from rewrite import Puzzle, PuzzleError, count, fn, grid, ints, relabel, rule, term

Holes = dict[tuple[int, int], int]
"""(row, column) -> the number of the hole."""
TRIANGLE: Holes = {(r, c): r * (r + 1) // 2 + c + 1 for r in range(5) for c in range(r + 1)}
ENGLISH: Holes = {(r, c): 7 * r + c for r in range(7) for c in range(7) if 1 < r < 5 or 1 < c < 5}
ALONG = [(0, 1), (1, 0), (0, -1), (-1, 0)]
ASLANT = [(1, 1), (-1, -1)]  # the third side of the triangle


@term
class Hole:
    cell: int
    pegs: int


@term
class Jump:
    start: int
    over: int
    end: int


A, B, C, N = ints("A B C N")

jump = rule(
    f"{A} over {B} to {C}",
    keep=[Jump(A, B, C)],
    take=[Hole(A, 1), Hole(B, 1), Hole(C, 0)],
    put=[Hole(A, 0), Hole(B, 0), Hole(C, 1)],
)


def jumps(holes: Holes, ways: Sequence[tuple[int, int]]) -> list[Jump]:
    """Every jump that the board has room for."""
    return [
        Jump(holes[r, c], holes[r + dr, c + dc], holes[r + 2 * dr, c + 2 * dc])
        for r, c in holes
        for dr, dc in ways
        if (r + 2 * dr, c + 2 * dc) in holes
    ]


@fn
def mirrored(cell: int) -> int:
    """The mirror image of a hole in its row of the triangle."""
    return next(TRIANGLE[r, r - c] for (r, c), number in TRIANGLE.items() if number == cell)


@fn
def turned(cell: int) -> int:
    """The image of a hole of the triangle under a third of a turn."""
    return next(TRIANGLE[4 - c, r - c] for (r, c), number in TRIANGLE.items() if number == cell)


@fn
def standing(cell: int) -> int:
    """The cell of a hole of the triangle on a board of 9 columns, using every other column."""
    return next(9 * r + 4 - r + 2 * c for (r, c), number in TRIANGLE.items() if number == cell)


picture = grid(
    9,
    (Hole(A, 1), "●", standing(A)),
    (Hole(A, 0), "·", standing(A)),
    background="\n".join(" " * (4 - r) + " ".join("·" * (r + 1)) for r in range(5)),
    trim=True,
    aspect=1 / 2,
)

peg_solitaire = Puzzle(jump, goal=count(Hole(A, 1)) == 1, name="peg_solitaire")
triangle = peg_solitaire.replace(
    facts=jumps(TRIANGLE, ALONG + ASLANT),
    symmetry=[
        relabel(Hole(A, N), Hole(mirrored(A), N)),
        relabel(Hole(A, N), Hole(turned(A), N)),
    ],
    show=picture,
)
english = peg_solitaire.replace(
    facts=jumps(ENGLISH, ALONG),
    symmetry=[
        relabel(Hole(A, N), Hole(A // 7 * 7 + 6 - A % 7, N)),  # mirror left-right
        relabel(Hole(A, N), Hole(A % 7 * 7 + A // 7, N)),  # swap rows and columns
    ],
    show=grid(7, (Hole(A, 1), "●"), (Hole(A, 0), "·"), empty=" "),
)


def instance(*words: str) -> Puzzle:
    """The hole that is empty at first; without words, the corner 1. After a first word `english`, a
    hole of the English board; without another word, its centre 24."""
    large = words[:1] == ("english",)
    board, holes = (english, ENGLISH) if large else (triangle, TRIANGLE)
    given = words[large:] or ("24" if large else "1",)
    if len(given) > 1 or not {*given} <= {str(cell) for cell in holes.values()}:
        numbers = "of the English board, e.g. 24" if large else "from 1 to 15"
        raise PuzzleError(
            f"peg_solitaire: needs the empty hole, a number {numbers}; found {' '.join(words)!r}"
        )
    return board.replace(start=[Hole(cell, int(str(cell) != given[0])) for cell in holes.values()])
