"""The 8-puzzle of eight_puzzle.py, declared as one sequence of nine tiles, read row by row.

The cells above and below the empty one, 0, are three places away. Its neighbours in the sequence
are those in its row, except at the ends of rows, where the length of the part before it decides.
"""

from rewrite import Puzzle, PuzzleError, exactly, grid, ints, length, rule, seqs

X, Y, Z = ints("X Y Z")
A, B = seqs("A B")

not_at_the_end_of_a_row = length(A) % 3 < 2
tiles = Puzzle(
    rule(f"slide {Z} up", take=[(*A, 0, X, Y, Z, *B)], put=[(*A, Z, X, Y, 0, *B)]),
    rule(f"slide {Z} down", take=[(*A, Z, X, Y, 0, *B)], put=[(*A, 0, X, Y, Z, *B)]),
    rule(
        f"slide {X} left",
        take=[(*A, 0, X, *B)],
        put=[(*A, X, 0, *B)],
        when=not_at_the_end_of_a_row,
    ),
    rule(
        f"slide {X} right",
        take=[(*A, X, 0, *B)],
        put=[(*A, 0, X, *B)],
        when=not_at_the_end_of_a_row,
    ),
    goal=exactly((1, 2, 3, 4, 5, 6, 7, 8, 0)),
    show=grid(3, A, looks={"0": "blank"}),
    name="eight_tuple",
)


def instance(*words: str) -> Puzzle:
    """The nine numbers row by row, 0 for the empty cell; without words, 867 254 301."""
    numbers = "".join(words) or "867254301"
    if sorted(numbers) != list("012345678"):
        raise PuzzleError(
            "eight_tuple: needs each of 0 to 8 once, row by row, 0 for the empty cell, e.g. "
            f"867 254 301; found {' '.join(words)!r}"
        )
    return tiles.replace(start=[tuple(map(int, numbers))])
