"""Power Strike: fill a ring of cells, each number made from the one before it.

Each number is the previous one times a fixed factor, or the previous one with a digit struck out:
never zero, and without leading zeros. The ring closes: the step from the last cell leads back to
the first number. The question is whether the ring is unique.
"""

from puzzles.words import is_number
from rewrite import (
    Puzzle,
    PuzzleError,
    Result,
    digits,
    exactly,
    ints,
    number,
    ring,
    rule,
    seqs,
    term,
)


@term
class Cell:
    place: int
    number: int


K, X, Y, D = ints("K X Y D")
A, B = seqs("A B")


def power_strike(first: int, times: int, cells: int) -> Puzzle:
    """The ring with this many cells, starting with `first`."""
    return Puzzle(
        rule(
            f"×{times} → {X * times}",
            take=[Cell(K, X)],
            put=[Cell(K + 1, X * times)],
            when=cells > K,
        ),
        rule(
            f"strike {D} → {Y}",
            take=[Cell(K, X)],
            let={(*A, D, *B): digits(X), Y: number((*A, *B))},
            put=[Cell(K + 1, Y)],
            when=[cells > K, Y > 0],
        ),
        start=[Cell(0, first)],
        goal=exactly(Cell(cells, first)),
        show=ring(Cell(K, X), size=cells, keeps=True),
        name="power_strike",
    )


def instance(*words: str) -> Puzzle:
    """The first number, the factor and the number of cells; without words, 41 ×7 8."""
    numbers = [word.removeprefix("×") for word in words or ("41", "×7", "8")]
    if len(numbers) != 3 or not all(is_number(word) and int(word) for word in numbers):
        raise PuzzleError(
            "power_strike: needs the first number, the factor and the number of cells, above 0, "
            f"e.g. 41 ×7 8; found {' '.join(words)!r}"
        )
    first, times, cells = map(int, numbers)
    return power_strike(first, times, cells)


QUESTION = {"distinct": "paths", "shortest": True}  # all rings have the same number of cells


def told(result: Result, story: str) -> str:
    """Whether the ring is unique, and the ring."""
    rings = result.shortest_paths
    if rings is None:  # stopped too early to tell
        return story
    said = "the ring is unique" if rings == 1 else f"the ring is one of {rings:,}, not unique"
    return f"{said}\n\n{story}"
