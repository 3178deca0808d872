"""A cube folded from its net: seen from the front and above, and from the back and below."""

from __future__ import annotations

from collections.abc import Sequence

from rewrite.errors import ViewError
from rewrite.show.drawing.boards import Board, Piece
from rewrite.show.drawing.drawing import Drawing, Look, Mark, bounded, within
from rewrite.show.drawing.looks import SIDE, look_of
from rewrite.show.drawing.palette import Style
from rewrite.show.drawing.tags import Markup, centred, number, tag

APART, FOOT, SLOPE = 36.0, 24.0, 3**0.5 / 2
FACES = {
    (0, 1): ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    (1, 0): ((0, 1, 0), (0, 0, 1), (0, -1, 0)),
    (1, 1): ((0, 1, 1), (1, 0, 0), (0, -1, 0)),
    (1, 2): ((1, 1, 1), (0, 0, -1), (0, -1, 0)),
    (1, 3): ((1, 1, 0), (-1, 0, 0), (0, -1, 0)),
    (2, 1): ((0, 0, 1), (1, 0, 0), (0, 0, -1)),
}
"""Each face by its place in the net: its first corner, and the ways along a row and down a column.

The axes point right, up and to the front.
"""
BEHIND = {(1, 0), (1, 3), (2, 1)}
Vector = tuple[float, float]


def cube_drawing(board: Board, pieces: Sequence[Piece], text: str) -> Drawing:
    bounded(len(pieces))
    edge = board.columns // 4
    size = edge * SIDE
    wide, high = 2 * SLOPE * size, 2 * size
    bodies, planes = [], {}
    for face, vectors in FACES.items():
        (x, y), along, down = (_flat(*vector, behind=face in BEHIND) for vector in vectors)
        corner = (x + SLOPE) * size + (wide + APART) * (face in BEHIND), (y + 1) * size
        planes[face] = corner, along, down
        body = tag("rect", width=size, height=size, fill="#141417", stroke="#141417")
        bodies.append(_turned(body, corner, along, down))
    for x, name in ((0.0, "front, from above"), (wide + APART, "back, from below")):
        bodies.append(centred(name, x + wide / 2, high + 14, wide, 13, class_="rw-soft"))
    ground = Look(Markup("").join(bodies), 2 * wide + APART, high + FOOT, fixed=True)
    marks = [Mark(ground, 0, 0)]
    for piece, (row, column) in ((one, cell) for one in pieces for cell in one.cells):
        face, shown = (row // edge, column // edge), piece.text or ""
        if face not in planes:
            raise ViewError(
                f"grid(…, folded=True): {shown!r} is in row {row + 1}, column {column + 1}, beside "
                "the net",
                text=shown,
            )
        style = board.style(shown)
        if style is None:
            continue
        corner, along, down = planes[face]
        look = _sticker(style, shown, along, down)
        x, y = (
            at + SIDE * (column % edge * a + row % edge * d + min(0, a) + min(0, d))
            for at, a, d in zip(corner, along, down, strict=True)
        )
        marks.append(Mark(look, x, y, piece.terms))
    return within(ground.width, ground.height, marks, text)


def _flat(x: float, y: float, z: float, *, behind: bool) -> Vector:
    return (z - x if behind else x - z) * SLOPE, (x + z) / 2 - y


def _turned(drawn: Markup, corner: Vector, along: Vector, down: Vector) -> Markup:
    matrix = " ".join(f"{value:.5g}" for value in (*along, *down, *corner))
    return tag("g", drawn, transform=f"matrix({matrix})")


def _sticker(style: Style, text: str, along: Vector, down: Vector) -> Look:
    left, top = (-SIDE * (min(0, a) + min(0, d)) for a, d in zip(along, down, strict=True))
    width, height = (SIDE * (abs(a) + abs(d)) for a, d in zip(along, down, strict=True))
    drawn = _turned(look_of(style, text).svg, (left, top), along, down)
    ways = (along, down, (-along[0], -along[1]))
    sides = "".join(f"l{number(SIDE * x)} {number(SIDE * y)}" for x, y in ways)
    return Look(drawn, width, height, fixed=True, edge=f"M{number(left)} {number(top)}{sides}z")
