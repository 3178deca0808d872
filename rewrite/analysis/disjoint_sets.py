"""Disjoint sets of numbers (union-find)."""

from __future__ import annotations

from collections.abc import Sequence


class DisjointSets:
    """Sets of the numbers below `number`, singletons at first; the least number names a set."""

    def __init__(self, number: int) -> None:
        self._above = list(range(number))

    def find(self, one: int) -> int:
        """Return the least number of the set that contains `one`."""
        above = self._above
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        return one

    def join(self, one: int, other: int) -> None:
        low, high = sorted((self.find(one), self.find(other)))
        self._above[high] = low

    def join_all(self, given: Sequence[int]) -> None:
        for one in given[1:]:
            self.join(given[0], one)

    def join_images(self, permutation: Sequence[int]) -> None:
        for one, image in enumerate(permutation):
            if one != image:
                self.join(one, image)
