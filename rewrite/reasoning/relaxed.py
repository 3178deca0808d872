"""The relaxed task: what ground rules make possible, if nothing that was true ever ends.

A *fact* is a field with a value, numbered through: field f with value v is `first[f] + v`. Each
effect of a transition becomes an operator of its own: facts needed -> fact given. A copy gives one
for each value of its source. What must *not* be held is left out, so that distances here never
exceed those of the puzzle.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from rewrite.budget import tick
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.reasoning.fields import Field
from rewrite.reasoning.transitions import Transition

MOST_OPERATORS = 200_000
DEAREST = 1 << 40
"""Costs and their sums count as this much at most, so that machine words hold them."""

Operator = tuple[int, int, tuple[int, ...], int]
"""The number of the transition, its cost, the facts needed, and the fact given."""


def relaxed(
    given: Sequence[Transition], fields: Sequence[Field]
) -> tuple[tuple[int, ...], list[Operator]]:
    """Return `first`, with the number of facts as its last entry, and all operators.

    Raises Unsuitable for more than 200,000.
    """
    first = tuple(accumulate((len(field.values) for field in fields), initial=0))
    best: dict[tuple[tuple[int, ...], int], Operator] = {}
    for number, one in enumerate(given):
        cost = min(one.cost, DEAREST)
        tests = dict(one.tests)
        effects = [(tests, field, value) for field, value in one.sets]
        for field, source in one.copies:
            known = tests.get(source)
            values = range(len(fields[source].values)) if known is None else (known,)
            effects += [(tests | {source: value}, field, value) for value in values]
        tick(len(effects))
        for held, field, value in effects:
            needs = tuple(sorted(first[place] + number for place, number in held.items()))
            gives = first[field] + value
            same = best.get((needs, gives))
            if gives in needs or (same and same[1] <= cost):
                continue
            best[needs, gives] = number, cost, needs, gives
            if len(best) > MOST_OPERATORS:
                raise Unsuitable(f"its rules have more than {MOST_OPERATORS:,} effects")
    return first, list(best.values())
