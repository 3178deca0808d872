"""Any bag of terms as chips: how a state is drawn whose puzzle says nothing of it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from rewrite.drawing.chips import Flow, chip
from rewrite.drawing.drawing import Drawing, bounded, heading, within
from rewrite.language.bag import Bag
from rewrite.language.states import State
from rewrite.language.terms import Term

MOST_COPIES = 12
"""Equal terms that are drawn one by one; of more, one is drawn with their number."""


def bag_drawing(state: State, said: str) -> Drawing:
    """Return the drawing of a bag: chips by constructor, each group under its name.

    said  what is read out instead

    Raises TooLarge.

    >>> drawing = bag_drawing(State([4, 4, 7]), "4 4 7")
    >>> [mark.terms for mark in drawing.marks]
    [(4,), (4,), (7,)]
    """
    distinct = state.distinct()
    bounded(sum(min(count, MOST_COPIES) for _, count in distinct))
    flow = Flow()
    groups = [
        (name, [*found]) for name, found in groupby(distinct, key=lambda pair: group(pair[0]))
    ]
    for name, found in groups:
        flow = flow.below(12 if flow.marks else 0)
        if name and (len(groups) > 1 or isinstance(found[0][0], Term)):
            flow = flow.put(heading(name)).below(2)
        flow = chips(flow, found)
    return within(*flow.size, [*flow.marks], said)


def chips(flow: Flow, counted: Iterable[tuple[Any, int]]) -> Flow:
    """Return the rows with a chip for each occurrence of these terms."""
    for term, count in counted:
        look = chip(term)
        if count <= MOST_COPIES:
            for _ in range(count):
                flow = flow.put(look, (term,))
        else:
            flow = flow.put(look, (term,), between=2).put(heading(f"×{count}", look.height))
    return flow


def group(term: Any) -> str:
    """Return what the group of a term is called: its constructor, or what kind of value it is."""
    if isinstance(term, Term):
        return type(term).__name__
    if type(term) is tuple:
        return "sequences"
    return "bags" if isinstance(term, Bag) else ""
