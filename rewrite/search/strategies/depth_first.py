"""Depth-first search: the newest state first (Lucas 1882, Tarjan 1972)."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.engine.interface import Code
from rewrite.search.drivers.record import Record


def depth_first(record: Record) -> Iterator[list[Code]]:
    """Yield states depth first. With `max_depth` a state reached again nearer is expanded again.

    `seed` shuffles the order of the successors.
    """
    engine, parents, start = record.engine, record.parents, record.start
    yield [start]
    depths = {start: 0}
    stack = [(start, 0)]
    cut: dict[Code, int] = {}
    while True:
        while stack:
            code, depth = stack.pop()
            if depth > depths[code]:
                continue
            record.waiting, record.depth = len(stack), max(record.depth, depth)
            if record.too_deep(depth):
                cut[code] = depth
                continue
            successors = yield from record.step(engine.successors, code)
            record.expanded += 1
            fresh: list[Code] = []
            following: list[tuple[Code, int]] = []
            for successor in successors:
                known = depths.get(successor)
                back = successor == start and start not in parents
                if (
                    known is None
                    or back
                    or (record.limits.max_depth is not None and depth + 1 < known)
                ):
                    depths.setdefault(successor, depth + 1)
                    depths[successor] = min(depths[successor], depth + 1)
                    parents[successor] = code
                    if known is None or back:
                        fresh.append(successor)
                    if not back:
                        following.append((successor, depth + 1))
            if record.random:
                record.random.shuffle(following)
            stack.extend(reversed(following))
            yield fresh
        again = [(c, d) for c, d in cut.items() if not record.too_deep(d)]
        if again:
            for code, _ in again:
                del cut[code]
            stack.extend(reversed(again))
        elif (yield from record.block(cut)):
            yield []
        else:
            return
