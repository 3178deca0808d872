"""Disjoint sets of numbers, joined one by one: what is together over any number of steps."""

from __future__ import annotations

from collections.abc import Sequence


class DisjointSets:
    """The numbers below `number`, each in a set of its own at first, known by its least number.

    >>> sets = DisjointSets(4)
    >>> sets.join(3, 1)
    >>> [sets.find(one) for one in range(4)]
    [0, 1, 2, 1]
    """

    def __init__(self, number: int) -> None:
        self._above = list(range(number))

    def find(self, one: int) -> int:
        """Return the least number of the set of this one."""
        above = self._above
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        return one

    def join(self, one: int, other: int) -> None:
        """Make one set of the sets of two numbers."""
        low, high = sorted((self.find(one), self.find(other)))
        self._above[high] = low

    def join_all(self, given: Sequence[int]) -> None:
        """Make one set of the sets of all these numbers."""
        for one in given[1:]:
            self.join(given[0], one)

    def join_images(self, permutation: Sequence[int]) -> None:
        """Join every number with its image."""
        for one, image in enumerate(permutation):
            if one != image:
                self.join(one, image)
