"""The looks of shapes, drawn once over all cells of a piece or in each cell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from rewrite.show.drawing.drawing import Look
from rewrite.show.drawing.emblems import EMBLEMS
from rewrite.show.drawing.palette import SIGNS, Paint, Style, paint_of, painted
from rewrite.show.drawing.tags import Markup, centred, number, tag

SIDE = 40.0
"""Height of a cell in pixels; also its width if square."""
Cell = tuple[int, int]
"""(row, column)."""
Point = tuple[int, int]


@lru_cache(maxsize=4096)
def look_of(
    style: Style,
    text: str,
    cells: tuple[Cell, ...] = ((0, 0),),
    width: float = SIDE,
    paint: Paint | None = None,
) -> Look:
    """`paint`: the fill if the style has no colour; by default the text decides."""
    sign = text in SIGNS
    colour = style.colour or COLOURS.get(style.shape) or ("blue" if sign else None)
    fill = painted(colour) if colour else paint or paint_of(text)
    if style.shape in ALONE:
        return Look(
            ALONE[style.shape](fill, "" if sign else text), SIDE, SIDE, style.shape in LAMPS
        )
    high, wide = extent(cells)
    return Look(JOINED[style.shape](cells, width, fill, text), wide * width, high * SIDE)


def extent(cells: tuple[Cell, ...]) -> tuple[int, int]:
    return 1 + max(row for row, _ in cells), 1 + max(column for _, column in cells)


def body(cells: tuple[Cell, ...], width: float, paint: Paint) -> Markup:
    radius = min(8.0, width / 4)
    shape = tag("path", d=outline(cells, width, SIDE, 2, radius), fill=paint.fill, class_="rw-edge")
    if paint.pattern == "plain":
        return shape
    inner = outline(cells, width, SIDE, 5.5, max(1.0, radius - 3))
    return shape + tag("path", d=inner, **paint.line())


def middle(cells: tuple[Cell, ...], width: float) -> tuple[float, float, float]:
    """Return x, y and width for the text of a piece: in its middle, or the nearest cell."""
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    high, wide = extent(cells)
    if len(cells) == high * wide:
        return wide * width / 2, high * SIDE / 2, wide * width
    row, column = min(
        cells,
        key=lambda cell: (
            abs(cell[0] * len(cells) - sum(rows)) + abs(cell[1] * len(cells) - sum(columns)),
            cell,
        ),
    )
    return (column + 0.5) * width, (row + 0.5) * SIDE, width


def _tile(cells: tuple[Cell, ...], width: float, paint: Paint, text: str) -> Markup:
    x, y, room = middle(cells, width)
    room -= 8 if paint.pattern == "plain" else 13
    return body(cells, width, paint) + centred(
        text, x, y, room, 19, fill=paint.ink, font_weight=600
    )


def _wall(cells: tuple[Cell, ...], width: float, paint: Paint, text: str) -> Markup:
    return tag("path", d=outline(cells, width, SIDE, 0, 5), class_="rw-wall")


def _target(cells: tuple[Cell, ...], width: float, paint: Paint, text: str) -> Markup:
    return tag(
        "path", d=outline(cells, width, SIDE, 3.5, 5), fill=paint.fill, fill_opacity=0.28,
        stroke=paint.fill, stroke_width=3,
    )  # fmt: skip


def _floor(cells: tuple[Cell, ...], width: float, paint: Paint, text: str) -> Markup:
    return floor([(column * width, row * SIDE) for row, column in cells], width)


def floor(corners: Iterable[tuple[float, float]], width: float = SIDE) -> Markup:
    """Return cells with their upper left corners at these points; a stroke rounds them."""
    square = f"h{number(width - 7)}v{number(SIDE - 7)}h{number(7 - width)}z"
    path = "".join(f"M{number(x + 3.5)} {number(y + 3.5)}{square}" for x, y in corners)
    return tag("path", d=path, class_="rw-floor")


def _car(cells: tuple[Cell, ...], width: float, paint: Paint, text: str) -> Markup:
    """A body with a windscreen at both ends, so that neither end is the front."""
    x, y, _ = middle(cells, width)
    high, wide = extent(cells)
    lying = wide >= high
    length, across = (wide * width, high * SIDE) if lying else (high * SIDE, wide * width)
    panes = []
    for at in (10, length - 17):
        if lying:
            place = {"x": at, "y": 8, "width": 7, "height": across - 16}
        else:
            place = {"x": 8, "y": at, "width": across - 16, "height": 7}
        panes.append(tag("rect", **place, rx=3, fill="#1b1b1f", fill_opacity=0.55))
    said = centred(text, x, y, width - 12, 17, fill=paint.ink, font_weight=600)
    return body(cells, width, paint) + Markup("").join(panes) + said


def _box(cells: tuple[Cell, ...], width: float, paint: Paint, text: str) -> Markup:
    """A crate, smaller than its cell, so that the target below remains visible."""
    high, wide = extent(cells)
    right, lower = number(wide * width - 13), number(high * SIDE - 13)
    inner = f"M13 13L{right} {lower}M{right} 13L13 {lower}"
    frame = f"M13 13H{right}V{lower}H13Z"
    return tag("path", d=outline(cells, width, SIDE, 7, 3), fill=paint.fill) + tag(
        "path", d=frame + inner, fill="none", stroke=paint.ink, stroke_opacity=0.75,
        stroke_width=2, stroke_linejoin="round",
    )  # fmt: skip


def _disc(paint: Paint, text: str) -> Markup:
    return (
        tag("circle", cx=20, cy=20, r=14.5, fill=paint.fill, class_="rw-edge")
        + tag("circle", cx=17, cy=16, r=3.5, fill="#fff", fill_opacity=0.45)
        + centred(text, 20, 20, 20, 17, fill=paint.ink, font_weight=600)
    )


def _ring(paint: Paint, text: str) -> Markup:
    circle = tag("circle", cx=20, cy=20, r=12, fill="none", stroke=paint.fill, stroke_width=5)
    return circle + centred(text, 20, 20, 15, 13, class_="rw-ink", font_weight=600)


def _hole(paint: Paint, text: str) -> Markup:
    return tag("circle", cx=20, cy=20, r=7, class_="rw-hole")


def _player(paint: Paint, text: str) -> Markup:
    return tag(
        "g",
        tag("path", d="M10 34C10 22 14 18.5 20 18.5S30 22 30 34Z"),
        tag("circle", cx=20, cy=12, r=6.5),
        fill=paint.fill, stroke="#fff", stroke_width=1.5, stroke_linejoin="round",
    )  # fmt: skip


def _lamp(paint: Paint, text: str) -> Markup:
    rays = (
        "M20 32.4v3M32.4 20h3M20 7.6v-3M7.6 20h-3"
        "M28.7 28.7l2.1 2.1M28.7 11.3l2.1 -2.1M11.3 28.7l-2.1 2.1M11.3 11.3l-2.1 -2.1"
    )
    return (
        _plate()
        + tag("circle", cx=20, cy=20, r=9.6, fill=paint.fill)
        + tag("path", d=rays, stroke=paint.fill, stroke_width=2.5, stroke_linecap="round")
    )


def _unlit(paint: Paint, text: str) -> Markup:
    glass = tag("circle", cx=20, cy=20, r=9, fill="none", stroke="#8a8f9a", stroke_width=2)
    return _plate() + glass


def _plate() -> Markup:
    return tag("rect", x=2, y=2, width=36, height=36, rx=7, fill="#34363c")


def _exit(paint: Paint, text: str) -> Markup:
    return tag("rect", x=37, y=2, width=10, height=36, rx=3, fill=paint.fill) + tag(
        "path", d="M12 12l8 8l-8 8M22 12l8 8l-8 8", fill="none", stroke=paint.fill,
        stroke_width=4, stroke_linecap="round", stroke_linejoin="round",
    )  # fmt: skip


Joined = Callable[[tuple[Cell, ...], float, Paint, str], Markup]
"""Of shapes drawn once over all cells of a piece; the others are drawn in the middle of each."""
JOINED: dict[str, Joined] = {
    "tile": _tile,
    "car": _car,
    "box": _box,
    "wall": _wall,
    "target": _target,
    "floor": _floor,
}
ALONE: dict[str, Callable[[Paint, str], Markup]] = {
    "disc": _disc,
    "ring": _ring,
    "hole": _hole,
    "player": _player,
    "lamp": _lamp,
    "unlit": _unlit,
    "exit": _exit,
    **EMBLEMS,
}

LAMPS = {"lamp", "unlit"}
COLOURS = {
    "box": "brown",
    "target": "green",
    "player": "blue",
    "lamp": "yellow",
    "wolf": "grey",
    "goat": "white",
    "cabbage": "green",
    "torch": "orange",
}
"""The colours of shapes that ignore the colour of their text."""


def outline(
    cells: Collection[Cell], width: float, height: float, inset: float = 0, radius: float = 0
) -> str:
    """Return the `d` of a path around cells, clockwise, and anticlockwise for holes."""
    return "".join(_path(loop, width, height, inset, radius) for loop in _loops(set(cells)))


def _loops(cells: set[Cell]) -> list[list[Point]]:
    """Return the corners of each border, with the cells on the right-hand side."""
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
            # if two cells touch only at a corner, turn right: each has its own border
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
