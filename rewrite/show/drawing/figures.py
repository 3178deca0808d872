"""Rings, stacks of disks, glasses of water, a river: the drawings of views of a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import ceil, cos, pi, sin, sqrt
from typing import Any

from attrs import evolve, frozen

from rewrite.language.labels import cut
from rewrite.show.drawing.chips import HEIGHT, Flow, box, plain, said
from rewrite.show.drawing.drawing import Drawing, Look, Mark, bounded, within
from rewrite.show.drawing.looks import look_of
from rewrite.show.drawing.palette import NAMED, Style, paint_of
from rewrite.show.drawing.tags import Markup, centred, number, tag

MOST_PLACES = 24
"""The most places in a circle; more are arranged in rows."""
SLOT, APART, BESIDE, NAME = 42.0, 44.0, 46.0, 28.0
MOST_LETTERS = 7
"""Of a value: the circle has the same size in every state."""
WIDEST, NARROWEST, GAP = 150.0, 34.0, 14.0
THICKEST, HIGHEST_STACK = 26.0, 260.0
POLE, BASE = 8.0, 8.0
Stack = tuple[Any, str, Sequence[Any]]
"""A term, the name of its peg, and its disks from the bottom up."""
WIDTH, SPACE, WALL = 72.0, 26.0, 4.0
TALL = 150
"""An integer, so that its product with a size of any magnitude is exact."""
LABEL = 30.0
NEAREST = 6
"""The fewest pixels between two lines of a scale."""
Glass = tuple[Any, int, int, str]
"""A term, the size of its glass, the amount in it, and the label below."""
FIGURE, HIGH, HEAD, RIVER, BOAT = 80.0, 84.0, 20.0, 140.0, 74.0
Figure = tuple[Any, str, int]
"""A term, its name, and its side: 0 is left, 1 is right."""


@frozen
class Place:
    """A place of the ring; `left`: its value is of an earlier state, and drawn faintly."""

    name: str
    terms: tuple[Any, ...] = ()
    value: str | None = None
    left: bool = False


def ring_drawing(places: Sequence[Place], text: str) -> Drawing:
    bounded(2 * len(places))
    if not places:
        return within(0, 0, [], text)
    if len(places) > MOST_PLACES:
        return _in_rows(places, text)
    radius = 0.0 if len(places) == 1 else max(54.0, len(places) * (SLOT + APART) / (2 * pi))
    middle_x, middle_y = radius + BESIDE, radius + SLOT / 2 + 4
    circle = tag(
        "circle", cx=middle_x, cy=middle_y, r=radius, class_="rw-line", stroke_width=2
    )  # fmt: skip
    slots, marks = [circle], []
    for at, place in enumerate(places):
        angle = 2 * pi * at / len(places) - pi / 2
        x, y = middle_x + radius * cos(angle), middle_y + radius * sin(angle)
        slots.append(tag("circle", cx=x, cy=y, r=SLOT / 2, class_="rw-frame"))
        inwards = radius - SLOT / 2 - 12 - 16 * abs(cos(angle))  # beside a wide value
        name_x, name_y = middle_x + inwards * cos(angle), middle_y + inwards * sin(angle)
        slots.append(centred(place.name, name_x, name_y, 40, 12, class_="rw-soft"))
        if place.value is not None:
            look = _faint(plain(cut(place.value, MOST_LETTERS), colour="white"), place)
            marks.append(Mark(look, x - look.width / 2, y - look.height / 2, place.terms))
    width, height = 2 * middle_x, 2 * middle_y
    ground = Mark(Look(Markup("").join(slots), width, height, fixed=True), 0, 0)
    return within(width, height, [ground, *marks], text)


def _in_rows(places: Sequence[Place], text: str) -> Drawing:
    flow = Flow()
    for place in places:
        name = centred(place.name, NAME / 2, HEIGHT / 2, NAME, 12, class_="rw-soft")
        chip = plain(place.value or "")
        if place.value:
            name += tag("g", chip.svg, transform=f"translate({NAME:g} 0)")
        flow = flow.put(_faint(Look(name, NAME + chip.width, HEIGHT), place), place.terms)
    return within(*flow.size, [*flow.marks], text)


def _faint(look: Look, place: Place) -> Look:
    return evolve(look, svg=tag("g", look.svg, opacity=0.6), fixed=True) if place.left else look


def stacks_drawing(stacks: Sequence[Stack], text: str, *, poles: bool) -> Drawing:
    """A pole is as high as a stack of all disks, so it does not change when they move."""
    every = [disk for _, _, disks in stacks for disk in disks]
    bounded(len(every) + len(stacks))
    widest = min(WIDEST, max(46.0, 900 / max(1, len(stacks))))
    thick = min(THICKEST, max(9.0, HIGHEST_STACK / max(1, len(every))))
    top = 14.0 if poles else 0.0
    high = top + thick * max(1, len(every))
    widths = _widths_of(every, widest)
    marks = [_poles(stacks, widest, high)] if poles and stacks else []
    for at, (term, _, disks) in enumerate(stacks):
        middle = at * (widest + GAP) + widest / 2
        for level, disk in enumerate(disks, 1):
            look = _disk(said(disk), widths[said(disk)], thick)
            marks.append(Mark(look, middle - look.width / 2, high - level * thick, (term,)))
    below = BASE + 26 if poles else 0
    return within(max(1, len(stacks)) * (widest + GAP) - GAP, high + below, marks, text)


def _widths_of(disks: Iterable[Any], widest: float) -> dict[str, float]:
    """Return the width of each disk, keyed by text: to scale if all are numbers."""
    listed = [*disks]
    numbers = [disk for disk in listed if type(disk) is int]
    if len(numbers) < len(listed) or len({*numbers}) < 2:
        return {said(disk): widest * 0.7 for disk in listed}
    low, high = min(numbers), max(numbers)
    return {
        said(disk): NARROWEST + (widest - NARROWEST) * ((disk - low) / (high - low))
        for disk in numbers
    }


def _poles(stacks: Sequence[Stack], widest: float, high: float) -> Mark:
    drawn = []
    for at, (_, called, _) in enumerate(stacks):
        left = at * (widest + GAP)
        middle = left + widest / 2
        pole = tag(
            "rect", x=middle - POLE / 2, y=0, width=POLE, height=high + 2, rx=4, class_="rw-wall"
        )
        base = tag("rect", x=left, y=high, width=widest, height=BASE, rx=4, class_="rw-wall")
        name = centred(called, middle, high + BASE + 14, widest, 16, class_="rw-soft")
        drawn += [pole, base, name]
    wide = len(stacks) * (widest + GAP) - GAP
    return Mark(Look(tag("g", *drawn), wide, high + BASE + 26, fixed=True), 0, 0)


@lru_cache(maxsize=4096)
def _disk(text: str, width: float, thick: float) -> Look:
    paint = paint_of(text)
    drawn = box(width, thick, paint) + centred(
        text, width / 2, thick / 2, width - 12, 0.6 * thick, fill=paint.ink, font_weight=600
    )
    return Look(drawn, width, thick)


def glasses_drawing(glasses: Sequence[Glass], text: str) -> Drawing:
    bounded(2 * len(glasses))
    largest = max((size for _, size, _, _ in glasses), default=1)
    marks = []
    for at, (term, size, amount, label) in enumerate(glasses):
        x = at * (WIDTH + SPACE)
        high = max(12.0, TALL * size / largest)
        full = min(max(0, amount), size) / size
        looks = _water(high, full * (high - WALL), label), _glass(high, size)
        marks += [Mark(look, x, TALL - high, (term,)) for look in looks]
    wide = max(1, len(glasses)) * (WIDTH + SPACE) - SPACE
    return within(wide, TALL + LABEL, marks, text)


def _water(high: float, deep: float, label: str) -> Look:
    """Return the water in a glass, with the label below; the glass is drawn in front of it."""
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


def banks_drawing(
    figures: Sequence[Figure],
    boats: Sequence[Figure] | None,
    sides: Sequence[str],
    looks: Mapping[str | None, Style],
    text: str,
) -> Drawing:
    """Each figure has the same place on both banks, so that only those who cross move."""
    bounded(len(figures))
    columns = max(2, ceil(sqrt(len(figures))))
    bank, high = columns * FIGURE, max(2, ceil(len(figures) / columns)) * HIGH + HEAD
    marks = [Mark(_river(bank, high, sides, bridge=boats is None), 0, 0)]
    for term, _, side in boats or ():
        shore = bank + 4 + side * (RIVER - BOAT - 8)
        hull = tag("path", d="M1 2h72q-6 20-18 22H19Q7 22 1 2z", fill=NAMED["brown"])
        rim = tag("path", d="M1 2h72M8 11h58", class_="rw-wave")
        marks.append(Mark(Look(hull + rim, BOAT, 26), shore, (high + HEAD) / 2, (term,)))
    for place, (term, name, side) in enumerate(figures):
        row, column = divmod(place, columns)
        x, y = column * FIGURE + side * (bank + RIVER), HEAD + row * HIGH
        marks.append(Mark(_figure(name, looks.get(name) or looks.get(None)), x, y, (term,)))
    return within(2 * bank + RIVER, high, marks, text)


def _figure(name: str, style: Style | None) -> Look:
    look = look_of(style, name) if style else plain(name)
    scale = 1.4 if style else min(1.0, (FIGURE - 4) / look.width)
    x, y = (FIGURE - scale * look.width) / 2, 6 if style else 30
    where = f"translate({number(x)} {y}) scale({number(scale)})"
    below = centred(name if style else "", FIGURE / 2, 72, FIGURE - 4, 13, class_="rw-ink")
    return Look(tag("g", look.svg, transform=where) + below, FIGURE, HIGH)


def _river(bank: float, high: float, sides: Sequence[str], *, bridge: bool) -> Look:
    far = 2 * bank + RIVER
    waves = (f"M{number(bank + 24 + 52 * (y % 2))} {20 + 28 * y}" for y in range(int(high / 28)))
    drawn = [
        tag("rect", class_="rw-water", x=bank - 9, width=RIVER + 18, height=high),
        tag("path", class_="rw-wave", d="".join(f"{at}q6-6 12 0t12 0t12 0" for at in waves)),
    ]
    for x, side in zip((0, bank + RIVER), sides, strict=True):
        drawn.append(tag("rect", class_="rw-land", x=x, width=bank, height=high, rx=8))
        drawn.append(centred(side, x + bank / 2, 14, bank, 13, class_="rw-soft"))
    if bridge:
        place = {"x": bank - 6, "y": high / 2 - 18, "width": RIVER + 12, "height": 36}
        drawn.append(tag("rect", **place, rx=3, fill=NAMED["brown"]))
    return Look(Markup("").join(drawn), far, high, fixed=True)
