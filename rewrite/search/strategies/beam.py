"""Beam search: breadth-first, but each level keeps only the best `width` states (Lowerre 1976)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from sortedcontainers import SortedKeyList

from rewrite.engine.interface import Code
from rewrite.search.drivers.record import Record


def beam(record: Record) -> Iterator[list[Code]]:
    """Yield the states of a beam level by level. Fast or not at all; proves nothing absent."""
    engine, parents, start = record.engine, record.parents, record.start
    estimate = record.heuristic or (lambda code: 0)
    yield [start]
    level = [start]
    while level:
        while record.too_deep(record.depth):
            if not (yield from record.block(level)):
                return
            yield []
        best: SortedKeyList[tuple[Any, int, Code], tuple[Any, int]] = SortedKeyList(
            key=itemgetter(0, 1)
        )
        order = 0
        for code in level:
            successors = yield from record.step(engine.successors, code)
            record.expanded += 1
            fresh: list[Code] = []
            for successor in successors:
                if successor not in parents:
                    parents[successor] = code
                    fresh.append(successor)
                    value = estimate(successor)
                    if value == float("inf"):
                        record.ruled_out.add(successor)
                        continue
                    best.add((value, order, successor))
                    order += 1
                    if len(best) > record.width:
                        best.pop()  # the worst; it stays in `parents` and is not tried again
                        record.dropped += 1
            record.waiting = len(best)
            yield fresh
        level = [code for _, _, code in best if code != start]
        if level:
            record.depth += 1
            record.levels.append(len(level))
