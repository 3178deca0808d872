"""The outline of some cells of a board that belong together, as the path of one piece."""

from __future__ import annotations

from collections.abc import Collection

from rewrite.drawing.tags import number

Cell = tuple[int, int]
"""(row, column)."""
Point = tuple[int, int]


def outline(
    cells: Collection[Cell], width: float, height: float, inset: float = 0, radius: float = 0
) -> str:
    """Return the `d` of a path around cells of this size, clockwise, holes the other way round.

    inset   how far inside of the cells it runs
    radius  of the corners

    >>> outline([(0, 0)], 40, 40, inset=2)
    'M2 2L38 2L38 38L2 38Z'
    """
    return "".join(_path(loop, width, height, inset, radius) for loop in _loops(set(cells)))


def _loops(cells: set[Cell]) -> list[list[Point]]:
    """Return the corners of each border, with the cells on the right of the way."""
    onwards: dict[Point, list[Point]] = {}
    for row, column in sorted(cells):
        ends = (column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)
        sides = (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)
        for at, beyond in enumerate(sides):
            if beyond not in cells:
                onwards.setdefault(ends[at], []).append(ends[(at + 1) % 4])
    found = []
    while onwards:
        loop = [next(iter(onwards))]
        while not (len(loop) > 1 and loop[-1] == loop[0]):
            here = loop[-1]
            ways = onwards[here]
            # where two cells touch at a corner only, turn right: each has its own border
            turns = len(ways) > 1 and len(loop) > 1
            loop.append(ways.pop(_rightmost(loop[-2], here, ways) if turns else 0))
            if not ways:
                del onwards[here]
        found.append(_corners(loop[:-1]))
    return found


def _rightmost(before: Point, here: Point, ways: list[Point]) -> int:
    right = before[1] - here[1], here[0] - before[0]
    return max(
        range(len(ways)),
        key=lambda at: (ways[at][0] - here[0]) * right[0] + (ways[at][1] - here[1]) * right[1],
    )


def _corners(loop: list[Point]) -> list[Point]:
    return [
        here
        for before, here, after in zip(loop[-1:] + loop, loop, loop[1:] + loop[:1], strict=False)
        if (here[0] - before[0]) * (after[1] - here[1])
        != (here[1] - before[1]) * (after[0] - here[0])
    ]


def _path(loop: list[Point], width: float, height: float, inset: float, radius: float) -> str:
    drawn: list[str] = []
    for before, here, after in zip(loop[-1:] + loop, loop, loop[1:] + loop[:1], strict=False):
        came, goes = _way(before, here), _way(here, after)
        x = here[0] * width - inset * (came[1] + goes[1])
        y = here[1] * height + inset * (came[0] + goes[0])
        start = "L" if drawn else "M"
        if not radius:
            drawn.append(f"{start}{number(x)} {number(y)}")
            continue
        arrive = number(x - radius * came[0]), number(y - radius * came[1])
        leave = number(x + radius * goes[0]), number(y + radius * goes[1])
        drawn.append(f"{start}{' '.join(arrive)}Q{number(x)} {number(y)} {' '.join(leave)}")
    return "".join(drawn) + "Z"


def _way(start: Point, end: Point) -> Point:
    x, y = end[0] - start[0], end[1] - start[1]
    return (x > 0) - (x < 0), (y > 0) - (y < 0)
