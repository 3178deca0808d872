"""The 8-puzzle: slide tiles into the empty cell until 1 to 8 stand in order.

The small form of the 15 puzzle (Noyes Chapman, about 1874). Half of all arrangements, 181,440, can
be reached, the farthest in 31 moves (OEIS A089473, where the start of `instance` comes from). Cells
are numbered 0 to 8 row by row; the tile 0 is the empty cell. The same puzzle as one sequence of
tiles is in eight_tuple.py.
"""

from rewrite import Puzzle, PuzzleError, contains, grid, ints, rule, term, total


@term
class Tile:
    cell: int
    number: int


C, D, V = ints("C D V")

tiles = Puzzle(
    rule(
        f"slide {V}",
        take=[Tile(C, V), Tile(D, 0)],
        put=[Tile(C, 0), Tile(D, V)],
        when=abs(C // 3 - D // 3) + abs(C % 3 - D % 3) == 1,
    ),
    goal=contains(*[Tile(cell, (cell + 1) % 9) for cell in range(9)]),
    show=grid(3, Tile(C, V)),
    name="eight_puzzle",
)

# How far the tiles are from where they belong, along rows and columns: never more than the moves
# that are left (the Manhattan distance), so that A* with it finds a shortest answer.
far = total(
    abs(C // 3 - (V - 1) // 3) + abs(C % 3 - (V - 1) % 3),
    Tile(C, V),
    when=V > 0,
)


def instance(*words: str) -> Puzzle:
    """The nine numbers row by row, 0 for the empty cell; without words, 867 254 301."""
    numbers = "".join(words) or "867254301"
    if sorted(numbers) != list("012345678"):
        raise PuzzleError(
            "eight_puzzle: needs each of 0 to 8 once, row by row, 0 for the empty cell, e.g. "
            f"867 254 301; found {' '.join(words)!r}"
        )
    return tiles.replace(start=[Tile(cell, int(number)) for cell, number in enumerate(numbers)])
