"""Stacks of disks, on poles or without: each disk as wide as its value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from rewrite.drawing.chips import box, said
from rewrite.drawing.drawing import Drawing, Look, Mark, bounded, within
from rewrite.drawing.palette import paint_of
from rewrite.drawing.tags import tag
from rewrite.drawing.texts import centred

WIDEST, NARROWEST, GAP = 150.0, 34.0, 14.0
HIGHEST, TALL = 26.0, 260.0
POLE, BASE = 8.0, 8.0


@frozen
class Stack:
    """A stack: the terms that show it, its disks, the lowest first, and how it is called."""

    terms: tuple[Any, ...]
    disks: tuple[Any, ...]
    name: str = ""


def stacks_drawing(stacks: Sequence[Stack], text: str, *, poles: bool) -> Drawing:
    """Return the drawing of stacks side by side. Raises TooLarge.

    poles  whether they stand on poles, with their names below

    A pole is as high as a stack of all disks: it does not change when they move.
    """
    disks = [disk for stack in stacks for disk in stack.disks]
    bounded(len(disks) + len(stacks))
    widest = min(WIDEST, max(46.0, 900 / max(1, len(stacks))))
    thick = min(HIGHEST, max(9.0, TALL / max(1, len(disks))))
    top = 14.0 if poles else 0.0
    high = top + thick * max(1, len(disks))
    widths = widths_of(disks, widest)
    marks = [*_poles(stacks, widest, top, high)] if poles else []
    for number, stack in enumerate(stacks):
        middle = number * (widest + GAP) + widest / 2
        for level, disk in enumerate(stack.disks, 1):
            look = _disk(said(disk), widths[said(disk)], thick)
            marks.append(Mark(look, middle - look.width / 2, high - level * thick, stack.terms))
    below = BASE + 26 if poles else 0
    return within(max(1, len(stacks)) * (widest + GAP) - GAP, high + below, marks, text)


def widths_of(disks: Iterable[Any], widest: float) -> dict[str, float]:
    """Return the width of a disk by its text: numbers to scale, all others alike."""
    listed = [*disks]
    numbers = [disk for disk in listed if type(disk) is int]
    if len(numbers) < len(listed) or len({*numbers}) < 2:
        return {said(disk): widest * 0.7 for disk in listed}
    low, high = min(numbers), max(numbers)
    return {
        said(disk): NARROWEST + (widest - NARROWEST) * ((disk - low) / (high - low))
        for disk in numbers
    }


def _poles(stacks: Sequence[Stack], widest: float, top: float, high: float) -> Iterator[Mark]:
    drawn = []
    for number, stack in enumerate(stacks):
        left = number * (widest + GAP)
        middle = left + widest / 2
        pole = tag(
            "rect", x=middle - POLE / 2, y=0, width=POLE, height=high + 2, rx=4, class_="rw-wall"
        )
        base = tag("rect", x=left, y=high, width=widest, height=BASE, rx=4, class_="rw-wall")
        name = centred(stack.name, middle, high + BASE + 14, widest, 16, class_="rw-soft")
        drawn += [pole, base, name]
    wide = len(stacks) * (widest + GAP) - GAP
    if drawn:
        yield Mark(Look(tag("g", *drawn), wide, high + BASE + 26), 0, 0)


@lru_cache(maxsize=4096)
def _disk(text: str, width: float, thick: float) -> Look:
    paint = paint_of(text)
    drawn = box(width, thick, paint) + centred(
        text, width / 2, thick / 2, width - 12, 0.6 * thick, fill=paint.ink, font_weight=600
    )
    return Look(drawn, width, thick)
