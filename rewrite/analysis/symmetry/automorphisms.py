"""The automorphisms of a coloured graph, by individualisation and refinement.

After McKay and Piperno, Practical Graph Isomorphism II (2014). The first path fixes one vertex at a
time and refines after each, until the partition is discrete: these vertices are the base. Then,
from the deepest level up, each vertex in the cell of the base vertex is tried in its place, with
backtracking, unless the generators found so far map one to the other or to a vertex that failed. So
each level's orbit is complete, and the generators are strong (Seress, Permutation Group Algorithms,
chapter 4). As in saucy (Darga, Sakallah, Markov 2008), a vertex is first mapped to itself, and the
rest stays fixed as soon as that is an automorphism: generators move few vertices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from attrs import frozen

from rewrite.analysis.disjoint_sets import DisjointSets
from rewrite.analysis.symmetry.refinement import Graph, Partition, Refiner, Trace
from rewrite.budget import tick, ticking
from rewrite.compile.slots.keys import Unsuitable

MOST_WORK = 5_000_000
"""Edges inspected and vertices copied: about two seconds."""
PLACES_AN_EDGE = 8
"""Copying a vertex is at least this many times faster than inspecting an edge."""

Permutation = tuple[int, ...]
"""The image of each vertex."""


@frozen
class Link:
    """The elements that fix the points of all earlier levels; `size`: of this point's orbit."""

    point: int
    size: int
    generators: tuple[Permutation, ...]


@frozen
class Group:
    """A group of permutations; only the identity fixes the points of the whole chain."""

    degree: int
    chain: tuple[Link, ...]

    @property
    def order(self) -> int:
        return prod(link.size for link in self.chain)

    @property
    def generators(self) -> tuple[Permutation, ...]:
        return self.chain[0].generators if self.chain else ()

    def subgroup(self, most: int, first: int) -> list[Permutation]:
        """Return the elements, identity first, of the largest group in the chain within `most`, as
        they act on the first vertices, whose images must all be among these.
        """
        elements = [tuple(range(first))]
        for link in reversed(self.chain):
            if link.size * len(elements) > most:
                break
            cosets = [coset[:first] for coset in self._cosets(link)]
            each = [(coset, element) for coset in cosets for element in elements]
            elements = [_product(*pair) for pair in ticking(each, 1 + first // 20)]
        return elements

    def _cosets(self, link: Link) -> Iterable[Permutation]:
        """Return an element for each image of the link's point, the identity first."""
        to = {link.point: tuple(range(self.degree))}
        for at in (orbit := [link.point]):
            for generator in link.generators:
                if (image := generator[at]) not in to:
                    to[image] = _product(generator, to[at])
                    orbit.append(image)
        return to.values()


def _product(second: Permutation, first: Permutation) -> Permutation:
    return tuple(map(second.__getitem__, first))


def automorphism_group(graph: Graph, *, most_work: int = MOST_WORK) -> Group:
    """Return the group of all permutations of vertices that preserve colours, edges and labels.

    Time: usually at most edges times (length of the chain + generators); exponential for contrived
    graphs. Raises Unsuitable if it would inspect more than `most_work` edges.
    """
    return _Search(graph, most_work).group()


@frozen
class _Level:
    """A node on the first path: the cell from which a vertex is individualised next."""

    partition: Partition
    cell: int
    vertex: int
    trace: Trace
    """The trace of the refinement after the vertex was individualised."""
    after: Partition


class _Search:
    def __init__(self, graph: Graph, most_work: int) -> None:
        self.graph, self.most_work = graph, most_work
        self.refiner = Refiner(graph)
        self.copied = 0
        self.levels: list[_Level] = []
        self.generators: list[Permutation] = []
        self.orbits = DisjointSets(len(graph.colours))

    def group(self) -> Group:
        self._descend()
        chain = [self._complete(depth) for depth in reversed(range(len(self.levels)))]
        return Group(len(self.graph.colours), tuple(chain[::-1]))

    def _descend(self) -> None:
        partition = Partition(self.graph.colours)
        cells = [cell for cell, size in enumerate(partition.size) if size]
        self.refiner.refine(partition, cells)
        while (cell := partition.target()) is not None:
            vertex = min(partition.members(cell))
            after = self._copy(partition)
            trace = self.refiner.refine(after, [after.single_out(vertex)])
            assert trace is not None
            self.levels.append(_Level(partition, cell, vertex, trace, after))
            partition = after

    def _complete(self, depth: int) -> Link:
        """Find generators for the orbit of the level's vertex; all so far fix the base above."""
        level, orbit_of = self.levels[depth], self.orbits.find
        fixed = [one.vertex for one in self.levels[:depth]]
        members = sorted(level.partition.members(level.cell))
        failed: list[int] = []
        for vertex in members:
            if orbit_of(vertex) in {orbit_of(one) for one in (level.vertex, *failed)}:
                continue
            found = self._through(depth, vertex, fixed)
            if found is None:
                failed.append(vertex)
            else:
                self.generators.append(found)
                self.orbits.join_images(found)
        size = sum(orbit_of(vertex) == orbit_of(level.vertex) for vertex in members)
        return Link(level.vertex, size, tuple(self.generators))

    def _through(self, depth: int, vertex: int, fixed: list[int]) -> Permutation | None:
        """Return an automorphism that maps the level's vertex to this one; the base above stays."""
        stack = [(self.levels[depth].partition, iter([vertex]), fixed)]
        while stack:  # no recursion: the base may be longer than Python's recursion limit
            parent, candidates, path = stack[-1]
            candidate = next(candidates, None)
            if candidate is None:
                stack.pop()
                continue
            level = self.levels[len(path)]
            node = self._copy(parent)
            if self.refiner.refine(node, [node.single_out(candidate)], level.trace) is None:
                continue
            found = self._matching(level.after, node)
            if found is not None:
                return found
            path = [*path, candidate]
            if len(path) < len(self.levels):
                stack.append((node, self._candidates(node, self.levels[len(path)], path), path))
        return None

    def _candidates(self, node: Partition, level: _Level, path: list[int]) -> Iterator[int]:
        """Yield possible images from one cell: if one failed, so do its images by generators."""
        members = sorted(node.members(level.cell), key=lambda one: (one != level.vertex, one))
        yield members[0]
        orbits = DisjointSets(len(node.cell))
        for generator in self.generators:
            if all(generator[at] == at for at in path):
                orbits.join_images(generator)
        tried = {orbits.find(members[0])}
        for vertex in members[1:]:
            if orbits.find(vertex) not in tried:
                tried.add(orbits.find(vertex))
                yield vertex

    def _matching(self, first: Partition, node: Partition) -> Permutation | None:
        """Return the map of cells to cells that moves fewest vertices, if an automorphism."""
        mine, other = first.cell, node.cell
        moved = [vertex for vertex, cell in enumerate(mine) if other[vertex] != cell]
        sources, targets = sorted(moved, key=mine.__getitem__), sorted(moved, key=other.__getitem__)
        image = list(range(len(mine)))
        for source, target in zip(sources, targets, strict=True):
            image[source] = target
        joined = self.refiner.joined
        for vertex in moved:
            near, there = joined[vertex], joined[image[vertex]]
            self.refiner.work += len(near)
            if len(near) != len(there):
                return None
            for neighbour, weight in near.items():
                if there.get(image[neighbour]) != weight:
                    return None
        return tuple(image)

    def _copy(self, partition: Partition) -> Partition:
        tick(1 + len(partition.vertices) // 100)
        self.copied += 4 * len(partition.vertices)
        if self.refiner.work + self.copied // PLACES_AN_EDGE > self.most_work:
            raise Unsuitable(
                f"finding symmetries takes too long: looking at {self.most_work:,} edges of a "
                f"graph of {len(self.graph.colours):,} vertices was not enough"
            )
        return partition.copy()
