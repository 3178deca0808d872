"""Rush Hour: cars slide forwards and backwards until the red one, X, stands at the exit.

Nob Yoshigahara, sold by ThinkFun (Binary Arts) since 1996. The board is 6×6, the exit is at the
right end of the third row. A slide of any length is one move. Without words it is the first of the
forty cards of the original game: 8 moves.

Cells are numbered 7 to a row: the seventh is never free, so that no car slides around the edge.
"""

from rewrite import Puzzle, PuzzleError, Rule, contains, grid, if_, ints, rule, strs, term

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
    step: int  # 1 lies in a row, 7 in a column
    length: int


@term
class Free:
    cell: int


P, D, L = ints("P D L")
N = strs("N")


def slides(n: int) -> list[Rule]:
    """Sliding by `n` cells: + to the right or down, - to the left or up."""
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


picture = grid(
    6,
    (Car(N, P, D, L), N, if_(L == 2, (P, P + D), (P, P + D, P + 2 * D))),
    background="\n".join(["......"] * 6),
    stride=7,
    looks={None: "car", "X": "red car"},
    floor={19: "red exit"},
)


def board(text: str) -> Puzzle:
    """The puzzle of a board in 6 lines, `.` free and a car its own capital letter.

    Raises PuzzleError for anything but a board.
    """
    lines = text.split()
    if [len(line) for line in lines] != [6] * 6:
        raise PuzzleError(f"rush_hour: a board is 6 lines of 6 signs; found {lines}")
    signs = dict(zip(CELLS, "".join(lines)))
    for cell, sign in signs.items():
        if sign not in ".ABCDEFGHIJKLMNOPQRSTUVWXYZ":
            line, column = cell // 7 + 1, cell % 7 + 1
            raise PuzzleError(
                f"rush_hour: line {line}, column {column} of the board is {sign!r}; a board is "
                "made of capital letters (cars) and . (free)",
                line=line,
                column=column,
            )
    cars = []
    for name in sorted({*signs.values()} - {"."}):
        cells = [cell for cell in CELLS if signs[cell] == name]
        step = 1 if cells[-1] - cells[0] < 7 else 7
        if len(cells) not in (2, 3) or cells != [cells[0] + i * step for i in range(len(cells))]:
            raise PuzzleError(f"rush_hour: car {name} is not 2 or 3 cells in one line")
        cars.append(Car(name, cells[0], step, len(cells)))
    red = [car for car in cars if car.name == "X" and car.cell // 7 == 2 and car.step == 1]
    if not red:
        raise PuzzleError("rush_hour: the red car X must lie in the third row, where the exit is")
    return Puzzle(
        [slides(n) for n in range(1, 5)],
        start=[*cars, *[Free(cell) for cell in CELLS if signs[cell] == "."]],
        goal=contains(Car("X", 20 - red[0].length, 1, red[0].length)),
        show=picture,
        name="rush_hour",
    )


def instance(*words: str) -> Puzzle:
    """The board whose six rows are the words; without words, the first card of the game."""
    return board("\n".join(words) if words else CARD_1)
