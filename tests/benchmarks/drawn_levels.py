"""Sokoban levels drawn by chance: boxes stand on a heap of targets and are pulled away."""

from random import Random

Cell = tuple[int, int]
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))
WALLS, PULLS = 0.12, 4_000
"""The part of the inner cells that are walls, and how often a box is pulled."""


def level(seed: int, width: int, height: int, boxes: int) -> list[str]:
    """The rows of a level that can be solved; the same for the same numbers."""
    random = Random(seed)
    while True:
        floor = _floor(random, width, height)
        if len(floor) < 3 * boxes:
            continue
        first = random.choice(sorted(floor))
        targets = sorted(floor, key=lambda cell: (_far(cell, first), cell))[:boxes]
        there, player = _pulled(random, floor, set(targets))
        if len(there & set(targets)) <= boxes // 3:
            return _rows(width, height, floor, set(targets), there, player)


def _floor(random: Random, width: int, height: int) -> set[Cell]:
    """The largest part of a board with walls here and there, if it is most of it."""
    inner = [(row, column) for row in range(1, height - 1) for column in range(1, width - 1)]
    free = {cell for cell in inner if random.random() > WALLS}
    found = _reached(min(free), free)
    return found if len(found) > 0.9 * len(free) else set()


def _reached(start: Cell, free: set[Cell]) -> set[Cell]:
    found, waiting = {start}, [start]
    while waiting:
        row, column = waiting.pop()
        for down, right in AROUND:
            cell = (row + down, column + right)
            if cell in free and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return found


def _far(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def _pulled(random: Random, floor: set[Cell], there: set[Cell]) -> tuple[set[Cell], Cell]:
    """Where the boxes and the player stand after many pulls."""
    player = random.choice(sorted(floor - there))
    for _ in range(PULLS):
        pulls = [
            ((row + down, column + right), (row, column), (row - down, column - right))
            for row, column in sorted(_reached(player, floor - there))
            for down, right in AROUND
            if (row + down, column + right) in there
            and (row - down, column - right) in floor - there
        ]
        if not pulls:
            break
        before, after, player = random.choice(pulls)
        there = there - {before} | {after}
    return there, player


def _rows(
    width: int, height: int, floor: set[Cell], targets: set[Cell], there: set[Cell], player: Cell
) -> list[str]:
    def sign(cell: Cell) -> str:
        if cell not in floor:
            return "#"
        if cell == player:
            return "+" if cell in targets else "@"
        if cell in there:
            return "*" if cell in targets else "$"
        return "." if cell in targets else " "

    return ["".join([sign((row, column)) for column in range(width)]) for row in range(height)]
