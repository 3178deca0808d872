"""Texts on pieces: how wide they are, and how large they may be written."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

from rewrite.drawing.tags import Markup, tag
from rewrite.language.labels import one_line

LETTER, WIDE = 0.69, 1.1
"""Parts of the font size that a letter takes, and a sign of East Asia or an emoji."""
SMALLEST = 6.5


def width_of(text: str, size: float) -> float:
    """Return about how wide a text is: fonts differ, so rather too much than too little.

    >>> round(width_of("abc", 10), 1), round(width_of("漢", 10), 1)
    (20.7, 11.0)
    """
    return size * sum(
        0 if combining(letter) else WIDE if east_asian_width(letter) in "WF" else LETTER
        for letter in text
    )


def columns(text: str) -> int:
    """Return how many letters wide a text is where all are of one width, and wide signs of two.

    >>> columns("abc"), columns("漢")
    (3, 2)
    """
    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def cut(text: str, most: int) -> str:
    """Return a text of at most so many letters, the end cut off where there are more.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def fitted(text: str, width: float, size: float) -> tuple[str, float]:
    """Return a text and its font size, at most `size`, so that it fits; cut where it cannot."""
    shown = one_line(cut(text, 200))
    wide = width_of(shown, size)
    if wide <= width:
        return shown, size
    if wide * SMALLEST <= width * size:
        return shown, width * size / wide
    most = max(1, int(width / (SMALLEST * LETTER)))
    while most > 1 and width_of(cut(shown, most), SMALLEST) > width:
        most -= 1
    return cut(shown, most), SMALLEST


def centred(
    text: str, x: float, y: float, width: float, size: float, **attributes: object
) -> Markup:
    """Return a text whose middle is at (x, y), written so that it fits the width."""
    shown, size = fitted(text, width, size)
    if not shown.strip():
        return Markup("")
    return tag(
        "text", shown, x=x, y=y + 0.36 * size, font_size=size, text_anchor="middle", **attributes
    )
