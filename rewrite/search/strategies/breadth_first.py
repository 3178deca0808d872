"""Breadth-first search: level by level, states in order of discovery (Moore 1959)."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.engine.counts import Code
from rewrite.search.drivers.record import Record


def breadth_first(record: Record) -> Iterator[list[Code]]:
    """Yield new states level by level. Memory: all states seen."""
    start = record.start
    yield [start]
    level = [start]
    while level:
        while record.too_deep(record.depth):
            if not (yield from record.block(level)):
                return
            yield []
        following: list[Code] = []
        at = 0
        while at < len(level):
            batch = level[at : at + record.batch_size()]
            at += len(batch)
            fresh: list[Code] = []
            yield from record.grow(batch, fresh)
            record.expanded += len(batch)
            following += fresh
            record.waiting = len(level) - at + len(following)
            yield fresh
        record.depth += bool(following)
        # the start counts once, in level 0, even if a cycle leads back to it
        level = [c for c in following if c != start] if record.limits.min_depth else following
        if level:
            record.levels.append(len(level))
