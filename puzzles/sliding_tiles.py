"""Sliding tiles on a board of any size: slide them into the empty cell until all are in order.

The 15 puzzle (Noyes Chapman, about 1874) and its relatives. Half of all arrangements are reachable.
The farthest need this many moves (OEIS A151944): 21 on 3×2, 36 on 4×2, 31 on 3×3, 53 on 4×3, 55 on
5×2, 108 on 7×2, 84 on 5×3, 80 on 4×4. `distances` counts 7×2, 43,589,145,600 boards, in 11 GB.
Without words, the start is the farthest of 3×2.

The goal of the empty cell is a matter of taste: the end, as on the toy, or the beginning, as in
Richard Korf's hundred instances (Depth-first iterative-deepening, 1985).

Cells are numbered from 0 row by row; the tile 0 is the empty cell.
"""

import re
from collections.abc import Iterable
from math import isqrt

from puzzles.levels import Level, boards
from puzzles.words import named
from rewrite import Puzzle, PuzzleError, contains, grid, ints, rule, term

NAMES = {(3, 3): "eight_puzzle", (4, 4): "fifteen_puzzle"}


@term
class Tile:
    cell: int
    number: int


C, D, V = ints("C D V")


def sliding(width: int, height: int, blank: str = "last") -> Puzzle:
    """The puzzle on a board of this size, without a start.

    blank  the goal of the empty cell: "last", after the tiles in order, or "first"
    """
    cells = width * height
    order = [*range(1, cells), 0] if blank == "last" else range(cells)
    return Puzzle(
        rule(
            f"slide {V}",
            take=[Tile(C, V), Tile(D, 0)],
            put=[Tile(C, 0), Tile(D, V)],
            when=abs(C // width - D // width) + abs(C % width - D % width) == 1,
        ),
        goal=contains(*[Tile(cell, number) for cell, number in enumerate(order)]),
        show=grid(width, Tile(C, V), looks={"0": "blank"}),
        name=NAMES.get((width, height), f"sliding_{width}x{height}"),
    )


# -- words, and lines of files ---------------------------------------------------------------

SIZE = re.compile(r"([1-9][0-9]?)[x×]([1-9][0-9]?)")
FARTHEST = ["4,5,0", "1,2,3"]
EXAMPLE = "e.g. 4x3 8 2 7 1 9 5 4 3 10 11 6 0, or rows: 1,2,3 4,0,5"
STRAY = 8  # most numbers after a board on its line that count as a remark


def parts(text: str) -> list[str]:
    """The parts between spaces, commas and semicolons."""
    return [part for part in re.split(r"[\s,;]+", text) if part]


def cells(words: list[str]) -> list[int]:
    """The words as numbers; -1 for words that are not numbers of a board."""
    return [int(word) if re.fullmatch("[0-9]{1,4}", word) else -1 for word in words]


def size_of(words: list[str], said: str) -> tuple[int, int]:
    """Columns and rows: as stated; else of rows with commas; else of a square."""
    size = SIZE.fullmatch(said)
    if size:
        return int(size[1]), int(size[2])
    if len(words) > 1 and all("," in word for word in words):
        return len(parts(words[0])), len(words)
    side = isqrt(len(parts(" ".join(words))))
    return side, side


def choices(words: Iterable[str]) -> tuple[str, str, list[str]]:
    """The size and the blank named by words, and the other words."""
    blank, rest = named(words, "blank", "last")
    if blank not in ("first", "last"):
        raise PuzzleError(f"sliding_tiles: blank={blank}: the empty cell belongs first or last")
    sizes = [word for word in rest if SIZE.fullmatch(word)]
    return "".join(sizes[-1:]), blank, [word for word in rest if word not in sizes]


def instance(*words: str) -> Puzzle:
    """The rows, 0 for the empty cell; without words, 4,5,0 1,2,3. Or columns x rows and numbers:
    3x2 4 5 0 1 2 3; a square needs no size. With blank=first the goal begins with 0."""
    size, blank, given = choices(words)
    given = given if given or size else FARTHEST
    numbers = cells(parts(" ".join(given)))
    width, height = size_of(given, size)
    if width * height != len(numbers) and not size:
        raise PuzzleError(
            f"sliding_tiles: the numbers ({len(numbers)}) make no square, nor rows of one length; "
            f"needs the size too, columns x rows, {EXAMPLE}; found {' '.join(given)[:200]!r}"
        )
    if len(numbers) < 2 or sorted(numbers) != list(range(width * height)):
        raise PuzzleError(
            f"sliding_tiles: a board of {width}×{height} needs each of 0 to {width * height - 1} "
            f"once, row by row, 0 for the empty cell, {EXAMPLE}; found {' '.join(given)[:200]!r}"
        )
    return sliding(width, height, blank).replace(
        start=[Tile(cell, number) for cell, number in enumerate(numbers)]
    )


def levels(text: str, *words: str) -> list[Level]:
    """Reads a board a line: its numbers row by row, 0 for the empty cell, divided by spaces or
    commas; its size, e.g. 4x3, on the line or as a word, unless it is a square.

    What else stands on its line is its name, e.g. its number and how many moves it takes: of
    several boards that a line can be read as, the last one counts. Fewer than four numbers are
    text.
    """
    asked, _, _ = choices(words)
    found = []
    for line, said in boards(text):
        written = parts(said)
        size = next((part for part in written if SIZE.fullmatch(part)), "")
        rest = [part for part in written if part != size]
        start, end = place_of(rest, size or asked)
        if end - start > 3:  # fewer are text
            name = " ".join(rest[:start] + rest[end:])
            given = (*words, *[size] * bool(size), " ".join(rest[start:end]))
            found.append(Level(name, line, given, instance))
    return found


def place_of(line: list[str], size: str) -> tuple[int, int]:
    """The place of a board in a line, as a slice; the whole line if the board has a mistake."""
    numbers = cells(line)
    known = sum(number >= 0 for number in numbers)
    given = SIZE.fullmatch(size)
    count = int(given[1]) * int(given[2]) if given else isqrt(known) ** 2
    for end in range(len(line), max(len(line) - STRAY, count) - 1, -1):
        if sorted(numbers[end - count : end]) == list(range(count)):
            return end - count, end
    return 0, len(line) if 2 * known > len(line) else 0
