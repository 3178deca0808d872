"""Two grids: turn rows and columns until both 3×3 grids are magic squares.

From the game Pokémon Reborn; solved with a SAT solver, in 18 moves, by smbct ("Solving a pokemon
puzzle with SAT solvers", smbct.github.io, 15 May 2023). A row rotates through both grids, a column
within its own. Every row, column and diagonal of both grids must sum to 15. The cells are numbered
0 to 17, six to a row.
"""

from collections.abc import Sequence

from rewrite import Puzzle, PuzzleError, Rule, grid, ints, lacks, relabel, rule, term


@term
class At:
    cell: int
    number: int


@term
class Line:
    first: int
    second: int
    third: int


P, Q, R, D = ints("P Q R D")
a, b, c = ints("a b c")

ROWS = [range(first, first + 6) for first in (0, 6, 12)]
COLUMNS = [range(first, 18, 6) for first in range(6)]
LINES = [
    *[Line(*row[side : side + 3]) for row in ROWS for side in (0, 3)],
    *[Line(*column) for column in COLUMNS],
    *[Line(side, side + 7, side + 14) for side in (0, 3)],
    *[Line(side + 2, side + 7, side + 12) for side in (0, 3)],
]


def turn(name: str, cells: Sequence[int]) -> Rule:
    """The rule that moves every number one cell on, and the last one to the first cell."""
    d = ints(f"d0:{len(cells)}")
    return rule(
        name,
        take=[At(cell, x) for cell, x in zip(cells, d)],
        put=[At(cell, x) for cell, x in zip(cells, d[-1:] + d[:-1])],
    )


two_grids = Puzzle(
    [turn(f"row {i} right", row) for i, row in enumerate(ROWS, 1)],
    [turn(f"row {i} left", row[::-1]) for i, row in enumerate(ROWS, 1)],
    [turn(f"column {i} down", column) for i, column in enumerate(COLUMNS, 1)],
    [turn(f"column {i} up", column[::-1]) for i, column in enumerate(COLUMNS, 1)],
    facts=LINES,
    goal=lacks(Line(P, Q, R), At(P, a), At(Q, b), At(R, c), when=a + b + c != 15),
    symmetry=[
        relabel(At(P, D), At(P // 6 * 6 + (P + 3) % 6, D)),  # swap the grids
        relabel(At(P, D), At(P // 6 * 6 + 5 - P % 6, D)),  # mirror left-right
        relabel(At(P, D), At((2 - P // 6) * 6 + P % 6, D)),  # mirror top-bottom
        relabel(At(P, D), At(P, 10 - D)),  # 1..9 to 9..1 keeps sums of 15
    ],
    show=grid(6, At(P, D), gap_after=3, sums=15, looks={None: "white"}),
    name="two_grids",
)


def board(digits: str) -> list[At]:
    """The state with these eighteen digits, read row by row through both grids."""
    return [At(cell, int(digit)) for cell, digit in enumerate(digits)]


def instance(*words: str) -> Puzzle:
    """The eighteen digits, row by row; without words, 496125 583779 241638, eleven moves from the
    end: give `--max-states` with it, or a board of up to six moves such as 286449 571393 816572."""
    digits = "".join(words) or "496125583779241638"
    if len(digits) != 18 or set(digits) - set("123456789"):
        raise PuzzleError(
            "two_grids: needs 18 digits from 1 to 9, row by row through both grids, e.g. "
            f"496125 583779 241638; found {' '.join(words)!r}"
        )
    return two_grids.replace(start=board(digits))
