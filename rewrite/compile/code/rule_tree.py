"""Many ground rules over slots as a tree of look-ups: as data, for source of them takes too long.

At each node the state is looked up by what some fields hold, in a dict each; a rule is found by the
field that tells most rules apart of those that it tests (the successor generator of Fast Downward:
Helmert, JAIR 2006).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rewrite.budget import tick
from rewrite.compile.slots.changes import Change

FEWEST = 4
"""Fewer rules are tested one by one."""

Step = tuple[int, int, int, Any]
"""The new state is (s & the first) ^ the second, where s & the third is 0; the change, if it moves
fields."""
_Item = tuple[dict[int, int], Change]


@define
class _Node:
    rules: list[tuple[list[tuple[int, int]], tuple[tuple[int, int], ...], Step]] = field(
        factory=list
    )
    """With tests that are left, and misses."""
    branches: list[tuple[int, dict[int, _Node]]] = field(factory=list)


class RuleTree:
    """Ground rules of which none is looked up in a table."""

    def __init__(self, changes: Sequence[Change], every: int) -> None:
        self.every = every
        self.root = self._node([(dict(change.tests), change) for change in changes])

    def _node(self, items: list[_Item]) -> _Node:
        tick(len(items))
        node = _Node()
        rules = Counter([mask for tests, _ in items for mask in tests])
        numbers = Counter([mask for mask, _ in {pair for one, _ in items for pair in one.items()}])
        rank = {mask: (count * (numbers[mask] / (numbers[mask] + 1)), mask)
                for mask, count in rules.items()}  # fmt: skip
        parts: dict[int, dict[int, list[_Item]]] = {}
        for tests, change in items:
            if not tests or len(items) < FEWEST:
                node.rules.append(([*tests.items()], change.misses, self._step(change)))
                continue
            best = max(tests, key=rank.__getitem__)
            parts.setdefault(best, {}).setdefault(tests.pop(best), []).append((tests, change))
        node.branches = [
            (mask, {value: self._node(part) for value, part in by.items()})
            for mask, by in parts.items()
        ]
        return node

    def _step(self, change: Change) -> Step:
        if change.flip is not None:
            return self.every, change.flip, change.guard, None
        moves = change if change.copies or change.maps or change.effects else None
        return self.every & ~change.clear, change.fill, change.guard, moves

    def __call__(self, s: int) -> list[Step]:
        found, waiting = [], [self.root]
        while waiting:
            node = waiting.pop()
            for tests, misses, step in node.rules:
                for mask, value in tests:
                    if s & mask != value:
                        break
                else:
                    if not misses or all(s & mask != value for mask, value in misses):
                        found.append(step)
            for mask, by in node.branches:
                more = by.get(s & mask)
                if more is not None:
                    waiting.append(more)
        return found


def moved(change: Change, s: int, y: int) -> int:
    """Return what a change makes of a state `s`, of which all else has been changed in `y`."""
    fill = clear = 0
    for one in change.effects:
        if all(s & mask == value for mask, value in one.tests) and all(
            s & mask != value for mask, value in one.misses
        ):
            clear |= one.clear
            fill |= one.fill
    found = y & ~clear | fill
    for mask, shift in change.copies:
        found |= (s & mask) << shift if shift > 0 else (s & mask) >> -shift
    for source, bits, target, table in change.maps:
        found |= max(table[s >> source & (1 << bits) - 1], 0) << target
    return found
