"""The 8-puzzle: slide tiles into the empty cell until 1 to 8 stand in order.

The small form of the 15 puzzle (Noyes Chapman, about 1874). Half of all arrangements, 181,440, are
reachable, the farthest in 31 moves (OEIS A089473, the source of the start of `instance`). Cells are
numbered 0 to 8 row by row; the tile 0 is the empty cell. The same puzzle as one sequence of tiles
is in eight_tuple.py; boards of other sizes are in sliding_tiles.py.
"""

from puzzles.sliding_tiles import Tile, sliding
from puzzles.words import is_number
from rewrite import Puzzle, PuzzleError, ints, total

__all__ = ["Tile", "far", "instance", "tiles"]  # Tile too: states consist of them

C, V = ints("C V")
tiles = sliding(3, 3)

# The Manhattan distance of the tiles from their goal cells: never more than the moves left, so A*
# finds a shortest answer with it.
far = total(
    abs(C // 3 - (V - 1) // 3) + abs(C % 3 - (V - 1) % 3),
    Tile(C, V),
    when=V > 0,
)


def instance(*words: str) -> Puzzle:
    """The nine numbers row by row, 0 for the empty cell; without words, 867 254 301.

    Sixteen words are the numbers 0 to 15 of a 15-puzzle.
    """
    if len(words) == 16:
        numbers = [int(word) if is_number(word) else -1 for word in words]
    else:
        digits = "".join(words) or "867254301"
        numbers = [int(digit) if is_number(digit) else -1 for digit in digits]
    if sorted(numbers) != list(range(16 if len(words) == 16 else 9)):
        raise PuzzleError(
            "eight_puzzle: needs each of 0 to 8 once, row by row, 0 for the empty cell, e.g. "
            "867 254 301 (or each of 0 to 15 as a word of its own, for the 15-puzzle); found "
            f"{' '.join(words)!r}"
        )
    puzzle = sliding(4, 4) if len(words) == 16 else tiles
    return puzzle.replace(start=[Tile(cell, number) for cell, number in enumerate(numbers)])
