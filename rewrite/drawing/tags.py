"""SVG and HTML as text, in which nothing but what was written as a tag is markup.

Every text of a puzzle comes in through `tag` or a template that escapes; `Markup` is what came out.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from rewrite.language.labels import one_line

__all__ = ["Markup", "number", "tag"]


LEAVES = frozenset({"circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "use"})
"""Elements of SVG that end themselves where they are empty. In HTML `<span/>` would not end."""


def number(value: float) -> str:
    """Return a number as short as it can be written, with two decimals at most.

    >>> number(12.0), number(1 / 3), number(-0.001)
    ('12', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, /, *content: object, **attributes: object) -> Markup:
    """Return an element. Texts are escaped; attributes that are None are left out.

    An underscore in a name stands for a hyphen, one at its end for nothing: `class_="x"`.

    >>> tag("text", "1 < 2", x=4.0, font_size=12, class_='"')
    Markup('<text x="4" font-size="12" class="&#34;">1 &lt; 2</text>')
    >>> tag("rect") + tag("span")
    Markup('<rect/><span></span>')
    """
    given = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _text(value))
        for key, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(map(_text, content))
    leaf = name in LEAVES and not inside
    end = Markup("/>") if leaf else Markup(">{}</{}>").format(inside, name)
    return Markup("<{}{}{}").format(name, given, end)


def _text(value: object) -> Markup:
    """Return what may stand in markup: numbers short, and no character that XML does not allow."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, (int, float)):
        return Markup(number(value))
    return escape(one_line(str(value)))
