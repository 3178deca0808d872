"""`Drawing`: a state as marks on a panel, each mark a look at a place."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from rewrite.errors import ViewError
from rewrite.language.labels import cut
from rewrite.show.drawing.tags import Markup, number, tag, width_of

STYLE = Path(__file__).with_name("drawing.css").read_text("utf-8")
XMLNS = "http://www.w3.org/2000/svg"
MARGIN = 8
HEADING = 14.0
MOST_MARKS = 4_000
"""Larger states are shown as text."""
MOST_SAID = 2_000
"""Letters for screen readers."""


class TooLarge(ViewError):
    """Raised for a drawing with more marks than a person can look at."""


def bounded(marks: int) -> None:
    if marks > MOST_MARKS:
        raise TooLarge(
            f"a picture has at most {MOST_MARKS:,} marks, and this one would have {marks:,}; "
            "its text can be shown",
            marks=marks,
        )


@frozen
class Look:
    """The appearance of a mark, with its upper left corner at (0, 0); compared by content.

    svg            the markup, built by `tag`
    width, height  of its box, for outlining changes and for pointing
    fixed          whether it never travels: a lamp goes out here and on there, it does not move,
                   nor does the ground
    edge           the `d` of its outline, if it is no rectangle
    """

    svg: Markup
    width: float
    height: float
    fixed: bool = False
    edge: str | None = None


@frozen
class Mark:
    """A look at a place.

    x, y     of its upper left corner
    terms    the terms of the state that it shows; empty for walls, frames and headings
    changed  whether the last step put it there
    """

    look: Look
    x: float
    y: float
    terms: tuple[Any, ...] = ()
    changed: bool = False

    @property
    def place(self) -> tuple[Look, float, float]:
        """What is visible of it: two marks with the same place look the same."""
        return self.look, self.x, self.y


def _marks(given: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(given)


@frozen
class Drawing:
    """Marks on a panel; later ones are drawn above earlier ones.

    width, height  of the panel in pixels, including margins
    marks          placed relative to the panel's corner
    said           the text for screen readers: the state as text
    """

    width: float
    height: float
    marks: tuple[Mark, ...] = field(converter=_marks)
    said: str = ""

    def svg(self, *, style: bool = True) -> Markup:
        """Marks are `<g class="rw-mark" data-mark="3">`, numbered from 0, for pages to refer to."""
        drawn = [self.mark_svg(number) for number in range(len(self.marks))]
        return self.framed(*drawn, style=STYLE if style else "")

    def mark_svg(self, at: int) -> Markup:
        mark = self.marks[at]
        outline = outlined(mark.look) if mark.changed else ""
        where = f"translate({number(mark.x)} {number(mark.y)})"
        return tag("g", mark.look.svg, outline, class_="rw-mark", data_mark=at, transform=where)

    def framed(self, *content: Markup, style: str = "") -> Markup:
        said = cut("; ".join(self.said.split("\n")), MOST_SAID) or None
        return panel(self.width, self.height, *content, style=style, said=said)


def panel(
    width: float, height: float, *content: Markup, style: str, said: str | None, kind: str = "rw"
) -> Markup:
    wide, high = number(width), number(height)
    return tag(
        "svg",
        tag("style", Markup(style)) if style else "",  # ours: contains no text of a puzzle
        tag("rect", class_="rw-panel", width=wide, height=high, rx=10),
        *content,
        xmlns=XMLNS, class_=kind, viewBox=f"0 0 {wide} {high}", width=wide, height=high,
        role="img", aria_label=said,
        **{"xml:space": "preserve"},  # keep consecutive blanks
    )  # fmt: skip


def outlined(look: Look) -> Markup:
    if look.edge:
        return tag("path", class_="rw-changed", d=look.edge)
    return tag(
        "rect", class_="rw-changed", x=1, y=1, width=look.width - 2, height=look.height - 2, rx=7
    )


def heading(text: str, height: float = 20.0) -> Look:
    width = width_of(text, HEADING)
    drawn = tag("text", text, class_="rw-soft", y=height / 2 + 5, font_size=HEADING)
    return Look(drawn, width, height)


def within(width: float, height: float, marks: list[Mark], said: str) -> Drawing:
    """Return marks placed from (0, 0) with a margin around them; "nothing" if there are none."""
    if not marks:
        soft = heading("nothing")
        width, height = max(width, soft.width), max(height, soft.height)
        marks, said = [Mark(soft, 0, 0)], ""
    moved = [evolve(mark, x=mark.x + MARGIN, y=mark.y + MARGIN) for mark in marks]
    return Drawing(width + 2 * MARGIN, height + 2 * MARGIN, moved, said or "nothing")
