"""Colours that colour-blind people can tell apart, and looks in words: `red car`, `target`.

The eight colours follow Masataka Okabe and Kei Ito, Color Universal Design (2002), with grey for
black, and for their vermilion a red that looks red. Colour is never the only clue to a value: its
text is on it, and values beyond eight also have another pattern.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any
from zlib import crc32

from attrs import frozen

from rewrite.errors import ViewError

DARK, LIGHT = "#141417", "#ffffff"
NAMED = {
    "orange": "#e69f00",
    "sky": "#56b4e9",
    "green": "#009e73",
    "yellow": "#f0e442",
    "blue": "#0072b2",
    "red": "#c8102e",
    "purple": "#cc79a7",
    "grey": "#a9adb5",
    "white": "#f7f7f5",
    "black": "#34363c",
    "brown": "#7a4a1e",
}
DEEP = frozenset({"blue", "red", "black", "brown"})
"""Colours on which light ink has the greater contrast."""
CYCLE = ("sky", "orange", "green", "yellow", "purple", "blue", "red", "grey")
PATTERNS = ("plain", "framed", "dashed", "dotted")
SHAPES = (
    "tile", "car", "box", "wall", "target", "floor", "disc", "ring", "hole", "player", "lamp",
    "unlit", "exit", "person", "wolf", "goat", "cabbage", "torch", "blank",
)  # fmt: skip
SIGNS = {"●": "disc", "○": "ring", "·": "hole", "#": "wall"}
"""Signs with a look by default."""


@frozen
class Paint:
    """The fill of a piece: its colour, the ink on it, and a pattern of PATTERNS."""

    fill: str
    ink: str
    pattern: str = "plain"

    def line(self) -> dict[str, object]:
        return {
            "fill": "none",
            "stroke": self.ink,
            "stroke_opacity": 0.5,
            "stroke_width": 1.75,
            "stroke_linecap": "round",
            "stroke_dasharray": {"dashed": "6 4", "dotted": "0.1 5"}.get(self.pattern),
        }


@cache
def painted(colour: str, pattern: str = "plain") -> Paint:
    fill = NAMED[colour]
    return Paint(fill, LIGHT if colour in DEEP else DARK, pattern)


def paint_of(text: str, but: Collection[str] = ()) -> Paint:
    """Return the paint of a value by its text: the same in every state and every process.

    but  colours to avoid, since they stand for something else

    A name of NAMED is that colour. Consecutive numbers and letters get consecutive paints, of which
    32 differ; other texts are spread over the same 32.
    """
    if text in NAMED:
        return painted(text)
    if text.isascii() and text.isdigit():
        index = int(text[-9:]) - 1
    elif len(text) == 1:
        index = ord(text) - ord("A")
    else:
        index = crc32(text.encode("utf-8", "backslashreplace"))
    return numbered(index, but)


def numbered(index: int, but: Collection[str] = ()) -> Paint:
    """Return the paint of a number: 32 in a row differ, then they repeat."""
    colours = [colour for colour in CYCLE if colour not in but] or CYCLE
    turn, place = divmod(index, len(colours))
    return painted(colours[place], PATTERNS[turn % len(PATTERNS)])


@frozen
class Style:
    """A shape of SHAPES and a colour of NAMED; by default the shape's own or its text's colour."""

    shape: str = "tile"
    colour: str | None = None


def style_of(words: object) -> Style:
    """Return the style that words describe, such as "red car" or "white". Raises ViewError."""
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


def styled(view: str, option: str, under: object, words: object) -> Style:
    try:
        return style_of(words)
    except ViewError as error:
        raise ViewError(
            f"{view}(…, {option}={{{under!r}: …}}): {error.message}", found=words
        ) from None


def looks_of(view: str, given: Mapping[Any, str]) -> tuple[tuple[str | None, Style], ...]:
    """Return the styles by text of a view's `looks=`; None comes first. Raises ViewError."""
    if not isinstance(given, Mapping):
        raise ViewError(
            f"{view}(…, looks={given!r}): a dict from what is shown to what it looks like"
        )
    for text in given:
        if text is not None and not isinstance(text, str):
            raise ViewError(
                f"{view}(…, looks={given!r}): {text!r} is never shown; what is shown is a text, "
                "and None stands for all others",
                found=text,
            )
    found = [(text, styled(view, "looks", text, words)) for text, words in given.items()]
    return tuple(sorted(found, key=lambda pair: (pair[0] is not None, pair[0] or "")))
