"""Boards of our own, searched by the gallery and by loops that share no code with it.

Rush Hour with walls and any red car, sliding tiles of any size with both goals, Hyperjump with any
last digit: what nobody has published, counted twice.
"""

import random
from collections.abc import Callable, Iterator

import pytest

from puzzles import eight_puzzle, hyperjump, rush_hour, sliding_tiles
from rewrite import Puzzle, search
from tests.golden.test_number_games_in_plain_python import in_hyperjump


def steps_and_states(
    start: str, successors: Callable[[str], Iterator[str]], solved: Callable[[str], bool]
) -> tuple[int | None, int]:
    """The least moves to a solved board (None: there is none), and how many boards there are."""
    depth = {start: 0}
    for board in (queue := [start]):
        for new in successors(board):
            if new not in depth:
                depth[new] = depth[board] + 1
                queue.append(new)
    return min((moves for board, moves in depth.items() if solved(board)), default=None), len(depth)


def found(puzzle: Puzzle) -> tuple[int | None, int]:
    """The same by searches."""
    assert puzzle.goal is not None
    path = search(puzzle).path
    all_of_it = search(puzzle, goal=puzzle.goal & ~puzzle.goal, strategy="breadth_first")
    assert all_of_it.status == "exhausted"
    return None if path is None else len(path), all_of_it.states


# -- Rush Hour ------------------------------------------------------------------------------------


def traffic(seed: int, red: str) -> str:
    """A board of 36 signs, with walls and eight other cars at most."""
    chance, cells = random.Random(seed), ["o"] * 36
    cells[12] = cells[13] = red
    for _ in range(chance.randint(1, 2)):
        cells[chance.choice([i for i in range(36) if cells[i] == "o"])] = "x"
    for name in "BCDEFGHI":
        step, length = chance.choice([1, 6]), chance.choice([2, 2, 3])
        row, column = chance.randrange(6), chance.randrange(6)
        places = [6 * row + column + i * step for i in range(length)]
        end = (row if step == 6 else column) + length
        if end <= 6 and all(cells[p] == "o" for p in places) and (step == 6 or row != 2):
            for place in places:
                cells[place] = name
    return "".join(cells)


def slides(board: str) -> Iterator[str]:
    """Every board that one car leads to, by any distance."""
    for name in sorted({*board} - {"o", "x"}):
        at = [i for i in range(36) if board[i] == name]
        step = at[1] - at[0]
        for way in (step, -step):
            moved = at
            while True:
                moved = [i + way for i in moved]
                inside = all(0 <= i < 36 for i in moved) and (
                    step == 6 or {i // 6 for i in moved} == {at[0] // 6}
                )
                if not inside or any(board[i] not in ("o", name) for i in moved):
                    break
                yield "".join(
                    name if i in moved else "o" if i in at else sign for i, sign in enumerate(board)
                )


@pytest.mark.parametrize("seed", range(8))
def test_rush_hour_with_walls(seed: int) -> None:
    red = "AXZK"[seed % 4]
    board = traffic(seed, red)
    assert "x" in board
    expected = steps_and_states(board, slides, lambda b: b[16] == b[17] == red)
    assert found(rush_hour.instance(board)) == expected


def test_boards_of_rush_hour_are_with_and_without_an_answer() -> None:
    answers = {search(rush_hour.instance(traffic(seed, "A"))).status for seed in range(8)}
    assert answers == {"found", "exhausted"}


# -- sliding tiles --------------------------------------------------------------------------------


def tiles_slid(width: int) -> Callable[[str], Iterator[str]]:
    """Every board that one slide leads to; tiles are letters, @ is the empty cell."""

    def slid(board: str) -> Iterator[str]:
        blank = board.index("@")
        for cell, tile in enumerate(board):
            row, column = abs(cell // width - blank // width), abs(cell % width - blank % width)
            if row + column == 1:
                yield board.replace(tile, "?").replace("@", tile).replace("?", "@")

    return slid


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 3), (4, 1), (7, 1), (4, 2)])
@pytest.mark.parametrize("blank", ["first", "last"])
def test_sliding_tiles_of_other_sizes(width: int, height: int, blank: str) -> None:
    numbers = [*range(width * height)]
    random.Random(width).shuffle(numbers)
    start = "".join(chr(ord("@") + number) for number in numbers)
    ordered = "".join(sorted(start))
    goal = ordered if blank == "first" else ordered[1:] + "@"
    expected = steps_and_states(start, tiles_slid(width), lambda board: board == goal)
    said = " ".join(map(str, numbers))
    assert found(sliding_tiles.instance(f"{width}x{height}", said, f"blank={blank}")) == expected


def test_a_square_of_nine_is_the_eight_puzzle() -> None:
    assert sliding_tiles.instance("8 6 7", "2 5 4", "3 0 1") == eight_puzzle.instance("867254301")


# -- Hyperjump ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("loose", "last"), [("4421385", "7"), ("824615", "0"), ("9984", "1")])
def test_hyperjump_with_another_last_digit(loose: str, last: str) -> None:
    result = search(hyperjump.instance(*loose, f"last={last}"), solutions=None)
    chains = {"".join(map(str, hyperjump.digits(path))) for path in result.paths}
    assert chains == {chain for chain, _ in in_hyperjump(loose, last) if chain.endswith(last)}
    assert any(len(chain) > 3 for chain in chains)
