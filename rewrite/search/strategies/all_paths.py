"""All paths, shortest first: a tree search without a closed set (`distinct="paths"`).

Every different sequence of states comes once; two ways to make the same step are one. A path never
comes back to a state it has been in, so in a finite space there are finitely many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rewrite.engine.interface import Code
from rewrite.search.record import Record


@frozen(eq=False)
class Node:
    """The end of a path, linked to the nodes before it."""

    code: Code
    before: Node | None

    def codes(self) -> list[Code]:
        """Return the codes of the path, the start first."""
        out, node = [], self
        while True:
            out.append(node.code)
            if node.before is None:
                return out[::-1]
            node = node.before


def all_paths(record: Record) -> Iterator[list[Any]]:
    """Yield nodes level by level. Memory: all paths of the level being made."""
    start = record.start
    level = [Node(start, None)]
    yield list(level)
    while level:
        while record.limits.max_depth is not None and record.depth >= record.limits.max_depth:
            with record.uncounted():
                if not any(_longer(record, node) for node in level):
                    return
            record.blocked = "max_depth"
            yield []
        following: list[Node] = []
        for node in level:
            record.expanded += 1
            fresh = [Node(code, node) for code in _longer(record, node)]
            for child in fresh:
                record.parents.setdefault(child.code, node.code)
            following += fresh
            record.waiting = len(following)
            yield list(fresh)
        # a cycle back to the start counts as an answer (min_depth=1) but leads no further
        level = [node for node in following if node.code != start]
        if following:
            record.levels.append(len(following))
            record.depth += 1


def _longer(record: Record, node: Node) -> list[Code]:
    """Return the different next states that the path has not been in."""
    codes = node.codes()
    been = set(codes[1:] if record.limits.min_depth else codes)
    return [code for code in dict.fromkeys(record.engine.successors(node.code)) if code not in been]
