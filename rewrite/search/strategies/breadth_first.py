"""Breadth-first search: level by level, states in order of discovery (Moore 1959)."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.engine.interface import Code
from rewrite.search.record import Record


def breadth_first(record: Record) -> Iterator[list[Code]]:
    """Yield new states level by level. Memory: all states seen."""
    engine, seen, start = record.engine, record.parents, record.start
    yield [start]
    level = [start]
    while level:
        while record.limits.max_depth is not None and record.depth >= record.limits.max_depth:
            if not _goes_on(record, level):
                return
            record.blocked = "max_depth"
            yield []
        following: list[Code] = []
        at = 0
        while at < len(level):
            batch = level[at : at + record.batch_size()]
            at += len(batch)
            fresh: list[Code] = []
            engine.grow(batch, seen, fresh)
            record.expanded += len(batch)
            following += fresh
            record.waiting = len(level) - at + len(following)
            yield fresh
        # the start counts once, in level 0, also where a cycle leads back to it
        new = len(following) - (start in following if record.limits.min_depth else 0)
        if new:
            record.levels.append(new)
            record.depth += 1
        elif following:
            record.depth += 1
        level = following


def _goes_on(record: Record, level: list[Code]) -> bool:
    """Return whether some state of the level has a successor that was not seen yet."""
    return any(
        successor not in record.parents
        for code in level
        for successor in record.engine.successors(code)
    )
