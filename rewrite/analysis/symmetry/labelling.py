"""Names for interchangeable values: canonical labelling without listing the group.

A state is a set of *occurrences*: terms that contain values. Values are distinguished by where they
occur, then by the values they occur with, until nothing changes (colour refinement). If several
still look the same, each is tried as the first to be named, and the least of the resulting states
wins (McKay, Practical Graph Isomorphism, 1981): two states get the same form if and only if one is
a renaming of the other. Values that occur only with named values are named in any order; if naming
one value instead of another gave the same state, the second branch is pruned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from rewrite.analysis.disjoint_sets import DisjointSets
from rewrite.budget import tick

Colours = list[int]
"""For each value the position of the first of its colour, in the order found so far."""
Names = list[int]
"""For each value the number of the value whose name it gets."""
OWN = -1
LAST = (1,)
"""Sorts after everything a value can be seen in: values seen in more terms are named first."""


@frozen(eq=False)
class Occurrence:
    """A term that contains values.

    template  the term without its values; the templates of one state can be ordered
    values    their numbers, from left to right
    spelled   for terms whose values have no order, as in a bag: the term with each value replaced
              by a number; None if `values` says it all
    """

    template: Any
    values: tuple[int, ...]
    spelled: Callable[[Callable[[int], int]], Any] | None = None

    def seen_by(self, own: int, colours: Colours) -> Any:
        """Return how one of its values sees the term, if others are known only by their colours."""
        if self.spelled is not None:
            spelled = self.spelled(lambda value: OWN if value == own else colours[value])
            return 0, self.template, spelled
        others = [OWN if value == own else colours[value] for value in self.values]
        return 0, self.template, tuple(others)

    def named(self, given: Names) -> Any:
        """Return the renamed term, in a form that can be ordered."""
        if self.spelled is not None:
            return self.template, self.spelled(given.__getitem__)
        return self.template, tuple([given[value] for value in self.values])


def names(occurrences: Sequence[Occurrence], sets: Sequence[int]) -> Names:
    """Return how to rename the values.

    sets   for each value the number of the first one that it can be exchanged for

    Time: values times occurrences for most states; exponential in the number of values that can
    neither be distinguished nor exchanged.
    """
    search = _Search(occurrences)
    colours = search.refined(list(sets))
    if search.open_cell(colours) is None:
        return _by_colour(colours)
    return search.least(colours)[1]


def _by_colour(colours: Colours) -> Names:
    """Return names in order of colour; values of one colour in any order."""
    found = [0] * len(colours)
    for name, value in enumerate(sorted(range(len(colours)), key=colours.__getitem__)):
        found[value] = name
    return found


Leaf = tuple[Any, Names]
"""A renamed state, and the names."""


class _Search:
    def __init__(self, occurrences: Sequence[Occurrence]) -> None:
        self.occurrences = occurrences
        self.of: dict[int, list[Occurrence]] = defaultdict(list)
        for one in occurrences:
            for value in {*one.values}:
                self.of[value].append(one)
        self.shared = [{*one.values} for one in occurrences if len({*one.values}) > 1]
        """The values of each occurrence that has several."""
        self.exchanges: list[Names] = []
        """The renamings found so far that change nothing."""

    def refined(self, colours: Colours) -> Colours:
        """Refine the colours until values of one colour look the same, ordered by how they look."""
        while True:
            tick(1 + len(colours) // 4)
            seen = [
                (colour, [*sorted([one.seen_by(value, colours) for one in self.of[value]]), LAST])
                for value, colour in enumerate(colours)
            ]
            following, first = [0] * len(colours), 0
            order = sorted(range(len(colours)), key=seen.__getitem__)
            for place, value in enumerate(order):
                if seen[value] != seen[order[first]]:
                    first = place
                following[value] = first
            # if no term is shared, what values are seen in does not depend on colours
            if not self.shared or following == colours:
                return following
            colours = following

    def open_cell(self, colours: Colours) -> list[int] | None:
        """Return the values of the first colour whose order matters; None if there is none."""
        members: dict[int, list[int]] = {}
        for value, colour in enumerate(colours):
            members.setdefault(colour, []).append(value)
        found: int | None = None
        for values in self.shared:
            several = [colours[value] for value in values if len(members[colours[value]]) > 1]
            if len(several) > 1 and (found is None or min(several) < found):
                found = min(several)
        return None if found is None else members[found]

    def least(self, colours: Colours) -> Leaf:
        """Return the least state below these refined colours."""
        cell = self.open_cell(colours)
        if cell is None:
            return self._leaf(colours)
        best: Leaf | None = None
        known: dict[Any, Names] = {}
        tried: list[int] = []
        orbits, joined = DisjointSets(len(colours)), len(self.exchanges)
        for value in cell:
            for exchange in self.exchanges[joined:]:
                orbits.join_images(exchange)
            joined = len(self.exchanges)
            if orbits.find(value) in map(orbits.find, tried):
                continue
            below = self._first_named(colours, cell, value)
            first = self._probe(below)
            same = known.get(first[0])
            if same is not None:
                self.exchanges.append([same.index(name) for name in first[1]])
                continue
            tried.append(value)
            leaf = self.least(below)
            known |= {first[0]: first[1], leaf[0]: leaf[1]}
            if best is None or leaf[0] < best[0]:
                best = leaf
        assert best is not None
        return best

    def _first_named(self, colours: Colours, cell: list[int], value: int) -> Colours:
        """Return the colours with one value of a cell ahead of all others in it."""
        below = list(colours)
        for other in cell:
            below[other] += other != value
        return self.refined(below)

    def _probe(self, colours: Colours) -> Leaf:
        """Return the state obtained by always naming the first value."""
        while (cell := self.open_cell(colours)) is not None:
            colours = self._first_named(colours, cell, cell[0])
        return self._leaf(colours)

    def _leaf(self, colours: Colours) -> Leaf:
        given = _by_colour(colours)
        return tuple(sorted([one.named(given) for one in self.occurrences])), given
