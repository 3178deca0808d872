"""Iterative deepening: depth-first with a bound that grows by one (Korf 1985).

Each round keeps the least depth at which it met a state, so a round costs no more than the states
within its bound; the first answer has the fewest steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.engine.interface import Code
from rewrite.search.drivers.record import Record


def iterative_deepening(record: Record) -> Iterator[list[Code]]:
    """Yield states in order of their distance, found by ever deeper depth-first rounds."""
    engine, parents, start = record.engine, record.parents, record.start
    yield [start]
    bound, edge = 0, {start: None}
    while True:
        while record.too_deep(bound):
            if not record.block(list(edge)):
                return
            yield []
        bound += 1
        depths, stack, fresh_in_round = {start: 0}, [(start, 0)], 0
        edge = {}  # the states at the bound, in order
        while stack:
            code, depth = stack.pop()
            if depth > depths[code]:
                continue
            if depth == bound:
                edge[code] = None
                continue
            record.expanded += 1
            fresh: list[Code] = []
            following: list[tuple[Code, int]] = []
            for successor in engine.successors(code):
                if successor == start:
                    if start not in parents:
                        parents[start] = code
                        fresh.append(start)
                    continue
                known = depths.get(successor)
                if known is None or depth + 1 < known:
                    depths[successor] = depth + 1
                    if successor not in parents:
                        # rounds grow by one step, so this is the shortest way to the state
                        parents[successor] = code
                        fresh.append(successor)
                    following.append((successor, depth + 1))
            stack.extend(reversed(following))
            record.waiting = len(stack)
            fresh_in_round += len(fresh) - (start in fresh)
            yield fresh
        if fresh_in_round:
            record.levels.append(fresh_in_round)
            record.depth = bound
        if not fresh_in_round:
            return
