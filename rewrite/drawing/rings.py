"""Numbered places in a circle, or where they are many, in rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from attrs import frozen

from rewrite.drawing.chips import HEIGHT, Flow, plain
from rewrite.drawing.drawing import Drawing, Look, Mark, bounded, within
from rewrite.drawing.tags import Markup, tag
from rewrite.drawing.texts import centred, cut

MOST = 24
"""Places in a circle."""
SLOT, GAP, BESIDE = 42.0, 22.0, 46.0
NAME = 28.0
MOST_LETTERS = 7
"""Of a value: the circle is as large in every state."""


@frozen
class Place:
    """A place of the ring: its name, the terms that show it and what stands there, if anything."""

    name: str
    terms: tuple[Any, ...] = ()
    value: str | None = None


def ring_drawing(places: Sequence[Place], text: str) -> Drawing:
    """Return the drawing of places, the first at the top, onwards clockwise. Raises TooLarge."""
    bounded(2 * len(places))
    if not places:
        return within(0, 0, [], text)
    if len(places) > MOST:
        return _in_rows(places, text)
    radius = 0.0 if len(places) == 1 else max(54.0, len(places) * (SLOT + GAP) / (2 * pi))
    middle_x, middle_y = radius + BESIDE, radius + SLOT / 2 + 4
    circle = tag(
        "circle", cx=middle_x, cy=middle_y, r=radius, class_="rw-line", stroke_width=2
    )  # fmt: skip
    slots, marks = [circle], []
    for number, place in enumerate(places):
        angle = 2 * pi * number / len(places) - pi / 2
        x, y = middle_x + radius * cos(angle), middle_y + radius * sin(angle)
        slots.append(tag("circle", cx=x, cy=y, r=SLOT / 2, class_="rw-frame"))
        inwards = radius - SLOT / 2 - 12
        name_x, name_y = middle_x + inwards * cos(angle), middle_y + inwards * sin(angle)
        slots.append(centred(place.name, name_x, name_y, 40, 12, class_="rw-soft"))
        if place.value is not None:
            look = plain(cut(place.value, MOST_LETTERS))
            marks.append(Mark(look, x - look.width / 2, y - look.height / 2, place.terms))
    width, height = 2 * middle_x, 2 * middle_y
    ground = Mark(Look(Markup("").join(slots), width, height), 0, 0)
    return within(width, height, [ground, *marks], text)


def _in_rows(places: Sequence[Place], text: str) -> Drawing:
    flow = Flow()
    for place in places:
        name = centred(place.name, NAME / 2, HEIGHT / 2, NAME, 12, class_="rw-soft")
        chip = plain(place.value or "")
        beside = (
            tag("g", chip.svg, transform=f"translate({NAME:g} 0)") if place.value else Markup("")
        )
        flow = flow.put(Look(name + beside, NAME + chip.width, HEIGHT), place.terms)
    return within(*flow.size, [*flow.marks], text)
