"""Sliding blocks of odd shapes: bring one block to its place, where blocks lock into each other.

Two boards of our own. Three L-trominoes and four small blocks in a 4×4 square take 24 moves; a
Klotski whose large block must pass two L-trominoes takes 97. A step moves one block by one cell.

A block is one term, `Piece(kind, at)`, whatever its shape; a cell without a block is `Free(at)`.
Cells are numbered as if there were one more column, so that nothing slides around the edge.
"""

from rewrite import Puzzle, PuzzleError, Rule, contains, grid, ints, rule, term

Shape = tuple[int, ...]
BOARDS = {  # the board (a letter per block, o for small ones), and the goal of one block
    "trominoes": (
        """
        ..oo
        aa.c
        abcc
        obbo
        """,
        """
        ....
        ..aa
        ..a.
        ....
        """,
    ),
    "klotski": (
        """
        .AAo
        bAAo
        bboo
        o.co
        occ.
        """,
        """
        ....
        ....
        ....
        .AA.
        .AA.
        """,
    ),
}


@term
class Piece:
    kind: str
    at: int


@term
class Free:
    at: int


P = ints("P")


def cell(offset: int) -> int:
    """The cell at an offset from P."""
    return P + offset if offset else P


def slide(kind: str, shape: Shape, way: str, by: int) -> Rule:
    """The rule that slides a block by one cell."""
    before, after = set(shape), {x + by for x in shape}
    return rule(
        f"{kind} at {P} {way}",
        take=[Piece(kind, P), *[Free(cell(x)) for x in sorted(after - before)]],
        put=[Piece(kind, cell(by)), *[Free(cell(x)) for x in sorted(before - after)]],
    )


def blocks(rows: list[str]) -> list[tuple[str, int, Shape]]:
    """The letter, first cell and shape of each block in a picture."""
    width = len(rows[0]) + 1
    cells: dict[str, list[int]] = {}
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            at = width * row + column
            if letter != ".":  # each small block is separate
                cells.setdefault(f"o{at}" if letter == "o" else letter, []).append(at)
    return [(name[0], at[0], tuple([x - at[0] for x in at])) for name, at in cells.items()]


def board(start: str, goal: str) -> Puzzle:
    """The puzzle of two pictures. Blocks of the same shape share a kind: the first one's letter."""
    rows = start.split()
    width = len(rows[0]) + 1
    names: dict[Shape, str] = {}
    pieces = [Piece(names.setdefault(shape, letter), at) for letter, at, shape in blocks(rows)]
    free = [
        Free(width * row + column)
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter == "."
    ]
    kinds = {kind: shape for shape, kind in names.items()}
    ways = {"up": -width, "down": width, "left": -1, "right": 1}
    return Puzzle(
        [slide(kind, shape, way, by) for kind, shape in kinds.items() for way, by in ways.items()],
        start=[*pieces, *free],
        goal=contains(*[Piece(names[shape], at) for _, at, shape in blocks(goal.split())]),
        show=grid(
            width - 1,
            *[(Piece(kind, P), kind, tuple(map(cell, shape))) for kind, shape in kinds.items()],
            rows=len(rows),
            stride=width,
            floor={
                tuple(at + x for x in shape): "purple target"
                for _, at, shape in blocks(goal.split())
            },
        ),
        name="sliding_blocks",
    )


def instance(*words: str) -> Puzzle:
    """The board: trominoes or klotski; without words, trominoes."""
    if len(words) > 1 or (words and words[0] not in BOARDS):
        raise PuzzleError(
            f"sliding_blocks: needs a board, {' or '.join(BOARDS)}; found {' '.join(words)!r}"
        )
    return board(*BOARDS[words[0] if words else "trominoes"])
