"""Groups of permutations of 0 … n-1, kept as a base and a strong generating set.

After Sims (1970); Seress, Permutation Group Algorithms, chapter 4. How generators are found is left
to others: this file multiplies them, in an order that depends on nothing but the generators.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from attrs import frozen

from rewrite.budget import tick, ticking

Permutation = tuple[int, ...]
"""The image of each point."""


def product(second: Permutation, first: Permutation) -> Permutation:
    """Return the permutation that does `first`, then `second`."""
    return tuple(map(second.__getitem__, first))


class Orbits:
    """The orbits of a growing set of generators; for each, its points in one list."""

    def __init__(self, degree: int, generators: Iterable[Permutation] = ()) -> None:
        self.of = [[point] for point in range(degree)]
        """The orbit of each point: the same list for all its points."""
        for generator in generators:
            self.add(generator)

    def add(self, generator: Permutation) -> None:
        """Join orbits by one more generator. Time: about the points."""
        of = self.of
        for point, image in enumerate(generator):
            into, gone = of[point], of[image]
            if into is not gone:
                if len(into) < len(gone):
                    into, gone = gone, into
                into += gone
                for one in gone:
                    of[one] = into


def generated(
    generators: Iterable[Permutation], most: int, *, degree: int = 0
) -> list[Permutation] | None:
    """Return all products of permutations of the same points; None where there are over `most`.

    The identity is first, then products in breadth-first order. Each is listed once. `degree`, the
    number of points, is needed only where there may be no generators. Time and space: `most` times
    generators times points.

    >>> generated([(1, 2, 0)], most=3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    >>> generated([(1, 2, 0)], most=2)
    """
    known = tuple(generators)
    identity = tuple(range(len(known[0]) if known else degree))
    found = [identity]
    seen = {identity}
    if most < 1:
        return None
    for element in found:
        for generator in known:
            tick(1 + len(identity) // 100)
            if (new := product(generator, element)) not in seen:
                if len(found) == most:
                    return None
                seen.add(new)
                found.append(new)
    return found


@frozen
class Group:
    """A group of permutations, by a stabiliser chain: level i fixes the first i points of the base.

    degree      number of points
    base        points such that only the identity fixes all of them
    generators  those that fix the first i points of the base generate all elements that do

    >>> group = Group(3, (0, 1), ((0, 2, 1), (1, 0, 2)))
    >>> group.order, group.orbits()
    (6, [[0, 1, 2]])
    >>> group.subgroup(most=5)
    [(0, 1, 2), (0, 2, 1)]
    """

    degree: int
    base: tuple[int, ...]
    generators: tuple[Permutation, ...]

    @property
    def order(self) -> int:
        """The number of elements: the product of the orbits of the chain."""
        return prod(self._orbit_sizes())

    def elements(self, most: int) -> list[Permutation] | None:
        """Return all elements, the identity first; None where there are more than `most`.

        Each once, in an order that depends on base and generators alone. Time and space: order
        times degree.
        """
        return self._fixing(0) if self.order <= most else None

    def subgroup(self, most: int) -> list[Permutation]:
        """Return the elements of the largest group of the chain that has at most `most`.

        The last group of the chain is the identity alone, so that there is always one element.
        """
        sizes = self._orbit_sizes()
        level = len(sizes)
        while level and prod(sizes[level - 1 :]) <= most:
            level -= 1
        return self._fixing(level)

    def orbits(self) -> list[list[int]]:
        """Return the orbits of all points, each sorted, by their first points."""
        lists = {id(orbit): orbit for orbit in Orbits(self.degree, self.generators).of}
        return sorted([sorted(orbit) for orbit in lists.values()])

    def check(self) -> None:
        """Raise AssertionError where base and generators do not fit. Time: order times degree.

        The order by the chain must be the number of products of the generators.
        """
        for generator in self.generators:
            assert sorted(generator) == list(range(self.degree)), "not a permutation"
        products = generated(self.generators, self.order, degree=self.degree)
        assert products is not None, "more products than the chain has"
        assert len(products) == self.order, "fewer products than the chain has"

    def _level_of(self, generator: Permutation) -> int:
        """Return how many points of the base are fixed before the first that is not."""
        return next(
            (level for level, point in enumerate(self.base) if generator[point] != point),
            len(self.base),
        )

    def _orbit_sizes(self) -> list[int]:
        """Return the length of each level's orbit. Time: generators times degree.

        From the deepest level up, for what its generators join stays joined.
        """
        new: list[list[Permutation]] = [[] for _ in (*self.base, None)]
        for generator in self.generators:
            new[self._level_of(generator)].append(generator)
        orbits, sizes = Orbits(self.degree), []
        for level in reversed(range(len(self.base))):
            for generator in new[level]:
                orbits.add(generator)
            sizes.append(len(orbits.of[self.base[level]]))
        return sizes[::-1]

    def _fixing(self, level: int) -> list[Permutation]:
        """Return the elements that fix the first `level` points of the base."""
        elements = [tuple(range(self.degree))]
        for at in range(len(self.base) - 1, level - 1, -1):
            cosets = self._representatives(at)
            each = [(coset, element) for coset in cosets for element in elements]
            elements = [product(*pair) for pair in ticking(each, 1 + self.degree // 20)]
        return elements

    def _representatives(self, level: int) -> list[Permutation]:
        """Return an element for each image of the level's point, the identity first."""
        point = self.base[level]
        generators = [one for one in self.generators if self._level_of(one) >= level]
        to = {point: tuple(range(self.degree))}
        orbit = [point]
        for at in orbit:
            for generator in generators:
                if (image := generator[at]) not in to:
                    to[image] = product(generator, to[at])
                    orbit.append(image)
        return [to[image] for image in orbit]
