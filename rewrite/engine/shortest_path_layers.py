"""The graph of all shortest paths, level by level, as flat lists: it may have millions of steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from attrs import frozen

from rewrite.engine.counts import Code


@frozen(eq=False)
class Layer:
    """States of a level, and for each of them the places in the next level its steps lead to.

    steps  those of one state after the other's
    ends   where those of each state end
    """

    states: Sequence[Code]
    steps: Sequence[int]
    ends: Sequence[int]

    def __len__(self) -> int:
        return len(self.states)

    def of(self, place: int) -> Sequence[int]:
        """Return where the steps of the state at a place lead."""
        return self.steps[self.ends[place - 1] if place else 0 : self.ends[place]]

    def each(self) -> Iterator[Sequence[int]]:
        """Yield where the steps lead, state by state."""
        for begin, end in pairwise(chain((0,), self.ends)):
            yield self.steps[begin:end]
