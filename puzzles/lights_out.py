"""Lights Out: a press changes a lamp and its neighbours; put all lamps out.

Tiger Electronics, 1995, on 5×5 lamps. Marlow Anderson and Todd Feil, Turning Lights Out with
Linear Algebra, Mathematics Magazine 71 (1998): on 5×5 a quarter of the 2^25 states can be solved.
From all lamps on it takes 15 presses; a breadth-first search sees nearly all of the 8,388,608
states, a search from both ends a sixth of them.
"""

from puzzles.words import is_number
from rewrite import Puzzle, PuzzleError, Rule, contains, grid, ints, rule, term


@term
class Lamp:
    cell: int
    on: int


C, V = ints("C V")


def press(size: int, row: int, column: int) -> Rule:
    """The rule that presses one lamp of a square board."""
    places = [(r, c) for r in range(size) for c in range(size)]
    cells = [size * r + c for r, c in places if abs(r - row) + abs(c - column) <= 1]
    d = ints(f"d0:{len(cells)}")
    return rule(
        f"press row {row + 1}, column {column + 1}",
        take=[Lamp(cell, on) for cell, on in zip(cells, d)],
        put=[Lamp(cell, 1 - on) for cell, on in zip(cells, d)],
    )


def lights_out(rows: list[str]) -> Puzzle:
    """The puzzle that starts with these rows of 0 (off) and 1 (on)."""
    size = len(rows)
    return Puzzle(
        [press(size, row, column) for row in range(size) for column in range(size)],
        start=[Lamp(cell, int(on)) for cell, on in enumerate("".join(rows))],
        goal=contains(*[Lamp(cell, 0) for cell in range(size * size)]),
        show=grid(
            size,
            (Lamp(C, 1), "●"),
            (Lamp(C, 0), "·"),
            looks={"●": "lamp", "·": "unlit"},
        ),
        name="lights_out",
    )


def instance(*words: str) -> Puzzle:
    """A size, for all lamps on; or the rows, as in 010 111 010; without words, size 5."""
    rows = list(words)
    if len(words) < 2 and is_number("".join(words or "5")):
        size = int("".join(words or "5"))
        rows = ["1" * size] * size if size < 100 else []
    if not rows or any(len(row) != len(rows) or not {*row} <= {*"01"} for row in rows):
        raise PuzzleError(
            "lights_out: needs the size of the board, e.g. 5, or as many rows of 0 and 1 (on) "
            f"as a row is long, e.g. 010 111 010; found {' '.join(words)!r}"
        )
    return lights_out(rows)
