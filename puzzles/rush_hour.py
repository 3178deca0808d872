"""Rush Hour: cars slide forwards and backwards until the red one stands at the exit.

Nob Yoshigahara, sold by ThinkFun (Binary Arts) since 1996. The board is 6×6, the exit is at the
right end of the third row. A slide of any length is one move. Without words, the board is the first
of the forty cards of the original game: 8 moves.

A board may be one text of 36 signs, as in the database of Michael Fogleman
(michaelfogleman.com/rush, 2018), where `o` is free, `x` a wall and `A` the red car. The red car is
the one that lies along the third row; of several, it is X, or the one named by the word `red=A`.

Cells are numbered 7 to a row: the seventh is never free, so that no car slides around the edge.
"""

import re
from collections.abc import Callable

from puzzles.levels import Level, boards
from puzzles.words import named
from rewrite import Puzzle, PuzzleError, Rule, State, contains, grid, if_, ints, rule, strs, term

CARD_1 = """
AA...O
P..Q.O
PXXQ.O
P..Q..
B...CC
B.RRR.
"""
CELLS = [7 * row + column for row in range(6) for column in range(6)]


@term
class Car:
    name: str
    cell: int  # of its left or upper end
    step: int  # 1 along a row, 7 along a column
    length: int


@term
class Free:
    cell: int


P, D, L = ints("P D L")
N = strs("N")


def slides(n: int) -> list[Rule]:
    """The rules that slide a car by `n` cells: + right or down, - left or up."""
    return [
        rule(
            f"{N} +{n}",
            take=[Car(N, P, D, L), *[Free(P + (L + i) * D) for i in range(n)]],
            put=[Car(N, P + n * D, D, L), *[Free(P + i * D) for i in range(n)]],
        ),
        rule(
            f"{N} -{n}",
            take=[Car(N, P, D, L), *[Free(P - (i + 1) * D) for i in range(n)]],
            put=[Car(N, P - n * D, D, L), *[Free(P + (L - 1 - i) * D) for i in range(n)]],
        ),
    ]


def picture(red: str, signs: str) -> Callable[[State], str]:
    """The view of a board whose red car has this letter. Of the 36 signs, only walls matter."""
    ground = "".join("x" if sign == "x" else "." for sign in signs)
    return grid(
        6,
        (Car(N, P, D, L), N, if_(L == 2, (P, P + D), (P, P + D, P + 2 * D))),
        background="\n".join(ground[row : row + 6] for row in range(0, 36, 6)),
        stride=7,
        looks={None: "car", red: "red car", "x": "wall"},
        floor={19: "red exit"},
    )


def board(text: str, red: str = "") -> Puzzle:
    """The puzzle of a board of 6 lines or 36 signs: `.` or `o` free, `x` a wall, and each car its
    own capital letter.

    red  the letter of the red car, if it is neither X nor the only one along the third row

    Raises PuzzleError for anything but a board.
    """
    lines = text.split()
    if [len(line) for line in lines] not in ([6] * 6, [36]):
        raise PuzzleError(
            f"rush_hour: a board is 6 lines of 6 signs, or 36 signs in one; found {lines}"
        )
    written = "".join(lines).replace("o", ".")
    signs = dict(zip(CELLS, written))
    for cell, sign in signs.items():
        if sign not in ".xABCDEFGHIJKLMNOPQRSTUVWXYZ":
            line, column = cell // 7 + 1, cell % 7 + 1
            raise PuzzleError(
                f"rush_hour: line {line}, column {column} of the board is {sign!r}; a board is "
                "made of capital letters (cars), . or o (free) and x (a wall)",
                line=line,
                column=column,
            )
    cars = []
    for name in sorted({*signs.values()} - {".", "x"}):
        cells = [cell for cell in CELLS if signs[cell] == name]
        step = 1 if cells[-1] - cells[0] < 7 else 7
        if len(cells) not in (2, 3) or cells != [cells[0] + i * step for i in range(len(cells))]:
            raise PuzzleError(f"rush_hour: car {name} is not 2 or 3 cells in one line")
        cars.append(Car(name, cells[0], step, len(cells)))
    out = red_car(cars, red)
    return Puzzle(
        [slides(n) for n in range(1, 5)],
        start=[*cars, *[Free(cell) for cell in CELLS if signs[cell] == "."]],
        goal=contains(Car(out.name, 20 - out.length, 1, out.length)),
        show=picture(out.name, written),
        name="rush_hour",
    )


def red_car(cars: list[Car], red: str) -> Car:
    """The car along the third row with this letter; without a letter, X or the only car there."""
    along = {car.name: car for car in cars if car.cell // 7 == 2 and car.step == 1}
    if red and red not in along:
        raise PuzzleError(
            f"rush_hour: red={red}: the red car must lie along the third row, where the exit is; "
            f"the cars there: {', '.join(along) or 'none'}"
        )
    if not along:
        raise PuzzleError(
            "rush_hour: the red car (X, or any other letter) must lie along the third row, where "
            "the exit is; no car does"
        )
    if len(along) > 1 and not red and "X" not in along:
        raise PuzzleError(
            f"rush_hour: two red cars: {' and '.join(along)} lie along the third row, where the "
            f"exit is; say which one is red, e.g. red={min(along)}"
        )
    return along[red or ("X" if "X" in along else min(along))]


def instance(*words: str) -> Puzzle:
    """The board, as six rows or 36 signs; without words, the first card of the game. With red=A the
    red car is A, where several lie along the third row."""
    red, given = named(words, "red", "")
    return board("\n".join(given) if given else CARD_1, red)


NEARLY = re.compile(r"[A-Za-z.]{30,42}")
"""A board of 36 signs, or one with a mistake, which is refused when its puzzle is made."""


def levels(text: str, *words: str) -> list[Level]:
    """Reads a board a line: 36 signs, a capital letter for a car, . or o for free, x for a wall.

    What else stands on its line is its name, e.g. how many moves it takes.
    """
    found = []
    for line, said in boards(text):
        parts = said.split()
        place = next((i for i, part in enumerate(parts) if NEARLY.fullmatch(part)), None)
        if place is not None:
            signs = parts.pop(place)
            found.append(Level(" ".join(parts), line, (*words, signs), instance))
    return found
