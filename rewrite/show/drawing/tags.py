"""SVG and HTML as text, in which only explicit tags are markup; and text fitted to a width.

Every text of a puzzle passes through `tag` or an escaping template; the result is `Markup`.
"""

from __future__ import annotations

from unicodedata import combining, east_asian_width

from markupsafe import Markup, escape

from rewrite.language.labels import cut, one_line

__all__ = ["Markup", "centred", "columns", "fitted", "number", "tag", "width_of"]

LEAVES = frozenset({"circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "use"})
"""SVG elements written as self-closing if empty. In HTML `<span/>` would stay open."""
LETTER, WIDE = 0.69, 1.1
"""Widths of a letter, and of an East Asian sign or an emoji, relative to the font size."""
SMALLEST = 6.5


def number(value: float) -> str:
    """Return a number written as briefly as possible, with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, /, *content: object, **attributes: object) -> Markup:
    """Return an element. Texts are escaped; attributes that are None are omitted.

    An underscore in a name stands for a hyphen; a trailing one is dropped: `class_="x"`.
    """
    # plain strings, all of them escaped by `_text`: formats of Markup take five times as long
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(map(_text, content))
    end = "/>" if name in LEAVES and not inside else f">{inside}</{name}>"
    return Markup(f"<{name}{given}{end}")


def _text(value: object) -> str:
    """Return a value as markup: numbers are short, characters that XML forbids are escaped."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, (int, float)):
        return number(value)
    return escape(one_line(str(value)))


def width_of(text: str, size: float) -> float:
    """Return the approximate width of a text: fonts differ, so rather too wide than too narrow."""
    return size * sum(
        0 if combining(letter) else WIDE if east_asian_width(letter) in "WF" else LETTER
        for letter in text
    )


def columns(text: str) -> int:
    """Return the width of a text in a monospaced font, where wide signs count as two."""
    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def fitted(text: str, width: float, size: float) -> tuple[str, float]:
    """Return a text and its font size, at most `size`, so that it fits; cut if it cannot."""
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
    shown, size = fitted(text, width, size)
    if not shown.strip():
        return Markup("")
    return tag(
        "text", shown, x=x, y=y + 0.36 * size, font_size=size, text_anchor="middle", **attributes
    )
