"""Glasses with water, to scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rewrite.drawing.drawing import Drawing, Look, Mark, bounded, within
from rewrite.drawing.palette import NAMED
from rewrite.drawing.tags import Markup, number, tag
from rewrite.drawing.texts import centred

WIDTH, GAP, WALL = 72.0, 26.0, 4.0
TALL = 150
"""A whole number: times a size it is exact, however large that is."""
LABEL = 30.0
NEAREST = 6
"""Pixels between two lines of a scale."""


@frozen
class Glass:
    """A glass that holds so much and has so much in it, and the terms that show it."""

    terms: tuple[Any, ...]
    size: int
    amount: int
    label: str


def glasses_drawing(glasses: Sequence[Glass], text: str) -> Drawing:
    """Return the drawing of glasses side by side, the largest 150 pixels high. Raises TooLarge."""
    bounded(2 * len(glasses))
    largest = max((glass.size for glass in glasses), default=1)
    marks = []
    for place, glass in enumerate(glasses):
        x = place * (WIDTH + GAP)
        high = max(12.0, TALL * glass.size / max(1, largest))
        full = min(max(0, glass.amount), glass.size) / max(1, glass.size)
        water = _water(high, full * (high - WALL), glass.label)
        marks.append(Mark(water, x, TALL - high, glass.terms))
        marks.append(Mark(_glass(high, glass.size), x, TALL - high, glass.terms))
    wide = max(1, len(glasses)) * (WIDTH + GAP) - GAP
    return within(wide, TALL + LABEL, marks, text)


def _water(high: float, deep: float, label: str) -> Look:
    """Return the water in a glass, with what is written below; the glass stands before it."""
    written = centred(label, WIDTH / 2, high + LABEL / 2 + 2, WIDTH + 16, 15, class_="rw-ink")
    if not deep:
        return Look(written, WIDTH, high + LABEL)
    inside, top = WIDTH - 2 * WALL, high - WALL - deep
    round_ = min(6.0, deep)
    water = tag(
        "path", fill=NAMED["sky"],
        d=f"M{number(WALL)} {number(top)}h{number(inside)}v{number(deep - round_)}"
        f"q0 {number(round_)} -6 {number(round_)}h{number(12 - inside)}"
        f"q-6 0 -6 {number(-round_)}z",
    )  # fmt: skip
    surface = tag("rect", x=WALL, y=top, width=inside, height=3, fill=NAMED["blue"])
    return Look(Markup("").join([water, surface, written]), WIDTH, high + LABEL)


def _glass(high: float, size: int) -> Look:
    half = WALL / 2
    body = tag(
        "path", class_="rw-stroke", stroke_width=WALL, stroke_linejoin="round",
        stroke_linecap="round",
        d=f"M{number(half)} {number(half)}V{number(high - 8)}q0 6 6 6H{number(WIDTH - half - 6)}"
        f"q6 0 6 -6V{number(half)}",
    )  # fmt: skip
    units = range(1, size) if high >= NEAREST * size else ()
    lines = "".join(
        f"M{number(WIDTH - WALL)} {number(high - WALL - (high - WALL) * unit / size)}h-9"
        for unit in units
    )
    marks = tag("path", d=lines, class_="rw-stroke", stroke_width=1.5) if lines else Markup("")
    return Look(body + marks, WIDTH, high)
