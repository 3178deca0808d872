"""Looks that are written as words: `red car`, `target`, `hole`."""

from __future__ import annotations

from attrs import frozen

from rewrite.drawing.palette import NAMED
from rewrite.errors import ViewError

JOINED = ("tile", "car", "box", "wall", "target", "floor")
"""Shapes that are drawn over all cells of a piece as one."""
ALONE = ("disc", "ring", "hole", "player", "lamp", "unlit", "exit")
"""Shapes that stand in the middle of each cell."""
SHAPES = (*JOINED, *ALONE, "blank")
SIGNS = {"●": "disc", "○": "ring", "·": "hole", "#": "wall"}
"""Signs that look like something without being told."""


@frozen
class Style:
    """A shape of SHAPES and a colour of NAMED; without one, the shape's own or that of its text."""

    shape: str = "tile"
    colour: str | None = None


def style_of(words: object) -> Style:
    """Return the style that words stand for. Raises ViewError.

    >>> style_of("red car")
    Style(shape='car', colour='red')
    >>> style_of("white")
    Style(shape='tile', colour='white')
    """
    listed = words.split() if isinstance(words, str) else []
    shapes = [word for word in listed if word in SHAPES]
    colours = [word for word in listed if word in NAMED]
    if not listed or len(shapes) > 1 or len(colours) > 1 or len(shapes + colours) < len(listed):
        raise ViewError(
            f"a look is a shape, a colour or both, such as 'red car', and {words!r} is none; "
            f"the shapes are {', '.join(SHAPES)}, and the colours {', '.join(NAMED)}",
            found=words,
        )
    return Style(*(shapes or ["tile"]), *colours)
