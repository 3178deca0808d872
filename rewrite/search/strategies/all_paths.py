"""All paths, shortest first: a tree search without a closed set (`distinct="paths"`).

Every different sequence of states comes once; two ways to make the same step are one. A path never
comes back to a state it has been in, so in a finite space there are finitely many.

A tree has far more paths than lead anywhere. When it has grown large, the space itself is searched
once, and from then on only states are followed from which a goal can still be reached.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from attrs import frozen

from rewrite.engine.interface import Code
from rewrite.search.drivers.record import Record

TREE_FIRST = 5_000
"""Nodes that are made before the space is searched for what leads to a goal."""
MOST_STATES = 5_000_000
"""States after which that search is given up: the space may be infinite."""


@frozen(eq=False)
class Node:
    """The end of a path, linked to the nodes before it."""

    code: Code
    before: Node | None

    def codes(self) -> list[Code]:
        """Return the codes of the path, the start first."""
        return [node.code for node in self.back()][::-1]

    def back(self) -> Iterator[Node]:
        """Yield this node and those before it."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.before


@frozen
class Useful:
    """The states from which a goal can be reached, each with its distance from the start."""

    distances: dict[Code, int]


def all_paths(record: Record) -> Iterator[list[Any]]:
    """Yield nodes level by level. Memory: all paths of the level being made."""
    start, made = record.start, 0
    useful: Useful | None = None
    level = [Node(start, None)]
    yield list(level)
    while level:
        while record.too_deep(record.depth):
            with record.uncounted():
                if not any(_longer(record, node, useful) for node in level):
                    return
            record.blocked = "max_depth"
            yield []
        if useful is None and TREE_FIRST < made < MOST_STATES and not record.limits.min_depth:
            useful = yield from _useful(record)
            made = MOST_STATES  # tried once
            if useful is not None:
                level = [node for node in level if node.code in useful.distances]
        following: list[Node] = []
        for node in level:
            record.expanded += 1
            fresh = [Node(code, node) for code in _longer(record, node, useful)]
            for child in fresh:
                record.parents.setdefault(child.code, node.code)
            following += fresh
            record.waiting = len(following)
            yield list(fresh)
        made += len(following)
        # a cycle back to the start counts as an answer (min_depth=1) but leads no further
        level = [node for node in following if node.code != start]
        record.came_back = record.came_back or len(level) < len(following)
        if following:
            record.levels.append(len(following))
            record.depth += 1


def _longer(record: Record, node: Node, useful: Useful | None) -> list[Code]:
    """Return the different next states that the path has not been in."""
    codes = dict.fromkeys(record.engine.successors(node.code))
    if useful is None:
        been = {one.code for one in node.back() if one.before or not record.limits.min_depth}
        fresh = [code for code in codes if code not in been]
        record.came_back = record.came_back or len(fresh) < len(codes)
        return fresh
    # a state whose distance is the length of the path or more cannot be on it
    length = sum(1 for _ in node.back())
    distances = useful.distances
    return [
        code
        for code in codes
        if code in distances
        and (distances[code] >= length or all(one.code != code for one in node.back()))
    ]


def _useful(record: Record) -> Generator[list[Any], None, Useful | None]:
    """Search the space breadth first and return what leads to a goal; None where it is too large.

    Yields empty batches, so that limits are looked at meanwhile.
    """
    engine, start = record.engine, record.start
    distances = {start: 0}
    before: dict[Code, list[Code]] = {start: []}
    goals, level = [], [start]
    while level:
        following = []
        for count, code in enumerate(level):
            if not count % 1000:
                record.waiting = len(level)
                yield []
            if engine.goal(code):
                goals.append(code)
            for successor in dict.fromkeys(engine.successors(code)):
                if successor not in distances:
                    distances[successor] = distances[code] + 1
                    before[successor] = []
                    following.append(successor)
                    record.parents.setdefault(successor, code)
                before[successor].append(code)
        if len(distances) > MOST_STATES:
            return None
        level = following
    kept, stack = set(goals), list(goals)
    while stack:
        for code in before[stack.pop()]:
            if code not in kept:
                kept.add(code)
                stack.append(code)
    return Useful({code: distance for code, distance in distances.items() if code in kept})
