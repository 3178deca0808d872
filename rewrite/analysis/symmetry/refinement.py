"""Vertices distinguished by their neighbourhoods: coloured graphs, equitable ordered partitions.

Colour refinement (one-dimensional Weisfeiler-Leman) with a worklist of cells, as in Hopcroft (1971)
and McKay, Practical Graph Isomorphism (1981): a cell is split by how many edges lead from each of
its vertices to a splitting cell. The order of the new cells depends on those numbers alone, never
on how vertices are numbered: isomorphic graphs are refined by the same steps to the same sizes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import frozen

from rewrite.budget import tick

Trace = list[tuple[int, ...]]
"""The record of each refinement step, independent of vertex numbering: graphs with different
traces are not isomorphic."""


@frozen
class Graph:
    """A directed graph with colours of vertices and arcs (from, to, label), which may repeat."""

    colours: Sequence[int]
    arcs: Sequence[tuple[int, int, int]]

    def neighbours(self) -> list[dict[int, int]]:
        """Return for each vertex its neighbours, each with a number that encodes the connection.

        Every label has one digit for outgoing and one for incoming arcs, in a number system where
        no sum over all neighbours carries: sums are equal if and only if all arc counts are.
        """
        degrees = Counter(end for arc in self.arcs for end in arc[:2])
        digit = max(degrees.values(), default=0) + 1
        labels = sorted({label for *_, label in self.arcs})
        there = {label: digit ** (2 * place) for place, label in enumerate(labels)}
        joined: list[dict[int, int]] = [{} for _ in self.colours]
        for source, target, label in self.arcs:
            weight = there[label]
            joined[source][target] = joined[source].get(target, 0) + weight
            joined[target][source] = joined[target].get(source, 0) + weight * digit
        return joined


class Partition:
    """The vertices in ordered cells; a cell is named by the position of its first vertex.

    vertices  all vertices, cell by cell
    place     the position of each vertex in `vertices`
    cell      the cell of each vertex
    size      the number of vertices of each cell, indexed by the position of its first vertex
    """

    __slots__ = ("cell", "cells", "place", "size", "vertices")

    def __init__(self, colours: Sequence[int]) -> None:
        count = len(colours)
        self.vertices = sorted(range(count), key=colours.__getitem__)
        self.place = [0] * count
        self.cell = [0] * count
        self.size = [0] * count
        first = 0
        for place, vertex in enumerate(self.vertices):
            if colours[vertex] != colours[self.vertices[first]]:
                first = place
            self.place[vertex] = place
            self.cell[vertex] = first
            self.size[first] += 1
        self.cells = sum([size > 0 for size in self.size])

    def copy(self) -> Partition:
        other = Partition.__new__(Partition)
        other.vertices, other.place = self.vertices[:], self.place[:]
        other.cell, other.size = self.cell[:], self.size[:]
        other.cells = self.cells
        return other

    def members(self, cell: int) -> list[int]:
        return self.vertices[cell : cell + self.size[cell]]

    def target(self) -> int | None:
        """Return the first of the smallest cells with several vertices: fewest to try."""
        several = [(size, cell) for cell, size in enumerate(self.size) if size > 1]
        return min(several)[1] if several else None

    def single_out(self, vertex: int) -> int:
        """Move a vertex to a new cell of its own, at the end of the old one; return it."""
        return self.split(self.cell[vertex], [[vertex]])[-1]

    def split(self, cell: int, parts: Sequence[Sequence[int]]) -> list[int]:
        """Split `parts` off the end of a cell; return all cells that now replace it."""
        vertices, place, owner = self.vertices, self.place, self.cell
        end = cell + self.size[cell]
        made = []
        for part in reversed(parts):
            for vertex in part:
                end -= 1
                at, other = place[vertex], vertices[end]
                vertices[at], place[other] = other, at
                vertices[end], place[vertex] = vertex, end
            for vertex in part:
                owner[vertex] = end
            self.size[end] = len(part)
            made.append(end)
        if end > cell:
            self.size[cell] = end - cell
            made.append(cell)
        self.cells += len(made) - 1
        return made[::-1]


class Refiner:
    """Refines partitions of one graph; `work` counts the edges inspected."""

    def __init__(self, graph: Graph) -> None:
        self.joined = graph.neighbours()
        self.work = 0

    def refine(
        self, partition: Partition, splitters: Iterable[int], expected: Trace | None = None
    ) -> Trace | None:
        """Split cells until the vertices of each have equal edges to every cell; return the trace.

        splitters  the only cells that may distinguish vertices of a cell
        expected   if set, stop and return None at the first step that deviates from it

        The partition is changed in place. Time: edges times the logarithm of the vertices.
        """
        queue = list(splitters)
        waiting = set(queue)
        trace: Trace = []
        for splitter in queue:
            if partition.cells == len(partition.vertices):
                break
            waiting.discard(splitter)
            seen = self._step(partition, splitter, queue, waiting)
            if expected is not None and (
                len(trace) == len(expected) or expected[len(trace)] != seen
            ):
                return None
            trace.append(seen)
        return trace if expected is None or len(trace) == len(expected) else None

    def _step(
        self, partition: Partition, splitter: int, queue: list[int], waiting: set[int]
    ) -> tuple[int, ...]:
        """Split all cells by one; append to the queue the cells that must split others."""
        before = self.work
        counts = self._counts(partition.members(splitter))
        tick(1 + (self.work - before) // 4)
        touched: dict[int, list[int]] = {}
        owner, sizes = partition.cell, partition.size
        for vertex in counts:
            touched.setdefault(owner[vertex], []).append(vertex)
        seen = [splitter]
        for cell in sorted(touched):
            parts: dict[int, list[int]] = {}
            for vertex in touched[cell]:
                parts.setdefault(counts[vertex], []).append(vertex)
            seen.append(cell)
            for count in sorted(parts):
                seen += (count, len(parts[count]))
            if len(parts) == 1 and len(touched[cell]) == sizes[cell]:
                continue
            made = partition.split(cell, [parts[count] for count in sorted(parts)])
            if cell not in waiting:
                # All vertices of the old cell had the same number of edges into it, so the
                # counts for one new cell follow from the others: leave out the largest.
                made.remove(max(made, key=lambda one: (sizes[one], -one)))
            for one in made:
                if one not in waiting:
                    waiting.add(one)
                    queue.append(one)
        return tuple(seen)

    def _counts(self, splitter: Sequence[int]) -> dict[int, int]:
        if len(splitter) == 1:
            counts = self.joined[splitter[0]]
            self.work += len(counts)
            return counts
        counts = {}
        for vertex in splitter:
            near = self.joined[vertex]
            self.work += len(near)
            for other, weight in near.items():
                counts[other] = counts.get(other, 0) + weight
        return counts
