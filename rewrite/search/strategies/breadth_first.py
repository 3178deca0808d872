"""Breadth-first search: level by level, states in order of discovery (Moore 1959)."""

from __future__ import annotations

from rewrite.engine.counts import Code
from rewrite.search.drivers.python import Pauses, Record


def breadth_first(record: Record) -> Pauses[None]:
    """Search level by level. Memory: all states seen."""
    start = record.start
    yield record.test([start])
    level = [start]
    # invariant: all states nearer than `level` are expanded and tested, those of `level` tested
    while level:
        while record.too_deep(record.depth):
            if not (yield from record.block(level)):
                return
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
            yield record.test(fresh)
        record.depth += bool(following)
        # the start counts once, in level 0, even if a cycle leads back to it
        level = [c for c in following if c != start] if record.limits.min_depth else following
        if level:
            record.levels.append(len(level))
