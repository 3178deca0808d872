"""Which of interchangeable values gets which name: canonical labelling without listing the group.

A state is a number of *occurrences*: terms in which values stand. Values are told apart by where
they occur, then by the values that occur with them, until nothing more is told (colour refinement).
Where several are still alike, one after the other is named first, and of the states that come out
the least is taken (McKay, Practical Graph Isomorphism, 1981): two states get one form exactly if
some renaming makes one of the other. Values that only occur with values that have a name already
are named in any order; where naming one instead of another gave the same state, the second is not
followed further.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from rewrite.budget import tick
from rewrite.reasoning.disjoint_sets import DisjointSets

Colours = list[int]
"""For each value the place of the first of those that are like it, in the order found so far."""
Names = list[int]
"""For each value the number of the value whose name it gets."""
OWN = -1
LAST = (1,)
"""Comes after all that a value can be seen in: who is seen more is named first."""


@frozen(eq=False)
class Occurrence:
    """A term in which values stand.

    template  what it is without them; templates of one state can be ordered
    values    their numbers, from left to right
    spelled   for terms in which values have no order, as in a bag: what the term is when each value
              is replaced by a number; None where `values` says it
    """

    template: Any
    values: tuple[int, ...]
    spelled: Callable[[Callable[[int], int]], Any] | None = None

    def seen_by(self, own: int, colours: Colours) -> Any:
        """Return what the term is for one of its values, given no more than colours of others."""
        if self.spelled is not None:
            spelled = self.spelled(lambda value: OWN if value == own else colours[value])
            return 0, self.template, spelled
        others = [OWN if value == own else colours[value] for value in self.values]
        return 0, self.template, tuple(others)

    def named(self, given: Names) -> Any:
        """Return the term with other names, as something that can be ordered."""
        if self.spelled is not None:
            return self.template, self.spelled(given.__getitem__)
        return self.template, tuple([given[value] for value in self.values])


def names(occurrences: Sequence[Occurrence], sets: Sequence[int]) -> Names:
    """Return how the values are renamed.

    sets   for each value the number of the first one that it can be exchanged for

    Cost: values times occurrences in most states; exponential in the values that can neither be
    told apart nor be exchanged.
    """
    search = _Search(occurrences)
    colours = search.refined(list(sets))
    if search.open_cell(colours) is None:
        return _by_colour(colours)
    return search.least(colours)[1]


def _by_colour(colours: Colours) -> Names:
    """Return the names of values that are told apart; those of one colour in any order."""
    found = [0] * len(colours)
    for name, value in enumerate(sorted(range(len(colours)), key=colours.__getitem__)):
        found[value] = name
    return found


Leaf = tuple[Any, Names]
"""A state with other names, and the names."""


class _Search:
    def __init__(self, occurrences: Sequence[Occurrence]) -> None:
        self.occurrences = occurrences
        self.of: dict[int, list[Occurrence]] = defaultdict(list)
        for one in occurrences:
            for value in {*one.values}:
                self.of[value].append(one)
        self.shared = [{*one.values} for one in occurrences if len({*one.values}) > 1]
        """The values of each occurrence with several."""
        self.exchanges: list[Names] = []
        """Ways to rename values that change nothing, as far as they were found."""

    def refined(self, colours: Colours) -> Colours:
        """Return colours such that values of one colour are seen alike, by the order of what is."""
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
            # with a term for each value apart, what is seen does not depend on colours
            if not self.shared or following == colours:
                return following
            colours = following

    def open_cell(self, colours: Colours) -> list[int] | None:
        """Return the values of the first colour that may not be named in any order; None: none."""
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
        """Return the least state below these colours, which are refined."""
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
        """Return the colours where one value of a cell comes before all others of it."""
        below = list(colours)
        for other in cell:
            below[other] += other != value
        return self.refined(below)

    def _probe(self, colours: Colours) -> Leaf:
        """Return the state that always naming the first gives."""
        while (cell := self.open_cell(colours)) is not None:
            colours = self._first_named(colours, cell, cell[0])
        return self._leaf(colours)

    def _leaf(self, colours: Colours) -> Leaf:
        given = _by_colour(colours)
        return tuple(sorted([one.named(given) for one in self.occurrences])), given
