"""Peg solitaire on a triangle of 15 holes: jump over a peg to take it away, until one is left.

H. M. Smith's patent of 1891; on the tables of Cracker Barrel restaurants. Analysed in George Bell,
Solving Triangular Peg Solitaire, Journal of Integer Sequences 11 (2008). Every jump takes one of
14 pegs, so a solution has 13 jumps. The holes are numbered row by row:

            1
          2   3
        4   5   6
      7   8   9  10
    11  12  13  14  15
"""

from rewrite import Puzzle, PuzzleError, State, count, ints, rule, term

HOLES = {(r, c): r * (r + 1) // 2 + c + 1 for r in range(5) for c in range(r + 1)}  # row, column


@term
class Peg:
    cell: int


@term
class Hole:
    cell: int


@term
class Jump:
    start: int
    over: int
    end: int


A, B, C = ints("A B C")

jump = rule(
    f"{A} over {B} to {C}",
    keep=[Jump(A, B, C)],
    take=[Peg(A), Peg(B), Hole(C)],
    put=[Hole(A), Hole(B), Peg(C)],
)

JUMPS = [
    Jump(HOLES[r, c], HOLES[r + dr, c + dc], HOLES[r + 2 * dr, c + 2 * dc])
    for r, c in HOLES
    for dr, dc in [(0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)]
    if (r + 2 * dr, c + 2 * dc) in HOLES
]


def picture(state: State) -> str:
    """The triangle: ● a peg, · a hole."""
    signs = {place: "●" if Peg(cell) in state else "·" for place, cell in HOLES.items()}
    rows = [" ".join(signs[r, c] for c in range(r + 1)) for r in range(5)]
    return "\n".join(f"{row:^9}".rstrip() for row in rows)


def instance(*words: str) -> Puzzle:
    """The hole that is empty at first; without words, the corner 1."""
    if len(words) > 1 or not {*words} <= {str(cell) for cell in HOLES.values()}:
        raise PuzzleError(
            f"peg_solitaire: needs the empty hole, a number from 1 to 15; found {' '.join(words)!r}"
        )
    empty = int(words[0]) if words else 1
    return Puzzle(
        jump,
        facts=JUMPS,
        start=[Hole(cell) if cell == empty else Peg(cell) for cell in HOLES.values()],
        goal=count(Peg(A)) == 1,
        show=picture,
        name="peg_solitaire",
    )
