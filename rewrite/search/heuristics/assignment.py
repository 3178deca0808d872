"""The least-cost assignment: which row takes which column, so that the sum is least.

The Hungarian method by shortest augmenting paths (Kuhn, *The Hungarian method for the assignment
problem*, 1955; Jonker and Volgenant, Computing 38, 1987). The core does the same, and goes on from
the assignment of the state before.
"""

from __future__ import annotations

from collections.abc import Sequence

FAR = 1 << 40
"""More than any sum of costs that are not; stands for a pair that is not allowed."""


def least_cost(costs: Sequence[Sequence[int]]) -> int:
    """Return the least sum of costs, one in each row and column of a square matrix.

    It is FAR or more where each choice takes a pair that costs FAR. Takes time in proportion to the
    third power of the number of rows.
    """
    size = len(costs)
    of_row, of_column = [0] * size, [0] * (size + 1)  # the last column is where a path begins
    taken: list[int | None] = [None] * (size + 1)
    for row in range(size):
        taken[size] = row
        at, seen = size, [False] * (size + 1)
        nearest, before = [2 * size * FAR] * size, [size] * size
        while (current := taken[at]) is not None:
            seen[at] = True
            to, least = size, 2 * size * FAR
            for column in range(size):
                if not seen[column]:
                    left = costs[current][column] - of_row[current] - of_column[column]
                    if left < nearest[column]:
                        nearest[column], before[column] = left, at
                    if nearest[column] < least:
                        to, least = column, nearest[column]
            for column in range(size + 1):
                holder = taken[column]
                if seen[column] and holder is not None:
                    of_row[holder] += least
                    of_column[column] -= least
                elif column < size:
                    nearest[column] -= least
            at = to
        while at != size:
            taken[at] = taken[before[at]]
            at = before[at]
    return sum(costs[row][column] for column, row in enumerate(taken[:size]) if row is not None)
