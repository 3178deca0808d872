"""The table of a pattern: exact distances of all abstract states to the abstract goals.

Dijkstra's algorithm backwards from the goals, with a bucket for each distance; distances of 254 and
more count as 254, and 255 means unreachable. The core does it.
"""

from __future__ import annotations

from rewrite.budget import BETWEEN_LOOKS, tick
from rewrite.native import core
from rewrite.native.trouble import Reported
from rewrite.reasoning.patterns.projections import Pattern

FARTHEST = 254
NO_WAY = 255


def table(pattern: Pattern) -> bytes:
    """Return the distance of each abstract state; the last variable is least significant."""
    tick(BETWEEN_LOOKS)
    steps = [
        (min(one.cost, FARTHEST), one.tests, one.misses, one.sets, one.copies, one.shifts)
        for one in pattern.steps
    ]
    made = core()
    with Reported(made):
        found: bytes = made.pattern_distances(
            pattern.sizes, pattern.counted, bool(pattern.places), steps, pattern.goals
        )
    return found
