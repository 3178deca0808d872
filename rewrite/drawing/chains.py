"""Sequences as chips that touch, and loose chips below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewrite.drawing.chips import HEIGHT, Flow, chip
from rewrite.drawing.drawing import Drawing, Look, bounded, within
from rewrite.drawing.tags import tag


def chains_drawing(chains: Sequence[Any], loose: Sequence[tuple[Any, Any]], text: str) -> Drawing:
    """Return the drawing of sequences, each in a row of its own, and of other terms below.

    loose  the other terms, each with the value that is shown of it

    Raises TooLarge.
    """
    bounded(sum(len(one) for one in chains if type(one) is tuple) + len(loose) + len(chains))
    flow = Flow()
    for one in chains:
        flow = flow.below(10)
        if one == ():
            flow = flow.put(_empty(), (one,))
        elif type(one) is tuple:
            for element in one:  # they touch, as beads do
                flow = flow.put(chip(element), (one,), between=0)
        else:
            flow = flow.put(chip(one), (one,))
    flow = flow.below(16)
    for term, value in loose:
        flow = flow.put(chip(value), (term,))
    return within(*flow.size, [*flow.marks], text)


def _empty() -> Look:
    frame = tag(
        "rect", x=1, y=1, width=HEIGHT - 2, height=HEIGHT - 2, rx=7, class_="rw-frame",
        stroke_dasharray="4 3",
    )  # fmt: skip
    return Look(frame, HEIGHT, HEIGHT)
