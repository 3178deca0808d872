"""A decision tree over ground instances: tests that many share are made once.

Instances keep the order of the rules as far as the tree allows: those that share a test come
together, at the place of the first of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rewrite.compiler.slots.ground_rules import Change
from rewrite.engine.slot_conditions import applies, masked
from rewrite.engine.writer import Writer

WORTH_SHARING = 3
Leaf = Callable[[int, Change], None]
"""Writes what an instance (rule number, change) does once all its tests held."""


def write_tree(writer: Writer, items: list[tuple[int, Change]], leaf: Leaf) -> None:
    """Write tests and leaves for all instances."""
    _tree(writer, [(dict(change.tests), rule, change) for rule, change in items], leaf)


def _tree(writer: Writer, items: list[tuple[dict[int, int], int, Change]], leaf: Leaf) -> None:
    while items:
        counts = Counter(test for tests, _, _ in items for test in tests.items())
        best = max(counts, key=lambda test: counts[test], default=None)
        if best is None or counts[best] < WORTH_SHARING:
            for tests, rule, change in items:
                text = applies(tuple(tests.items()), change.misses)
                _guarded(writer, text, lambda rule=rule, change=change: leaf(rule, change))  # type: ignore[misc]
            return
        mask, value = best
        chosen = [
            ({m: v for m, v in tests.items() if m != mask}, rule, change)
            for tests, rule, change in items
            if tests.get(mask) == value
        ]
        items = [item for item in items if item[0].get(mask) != value]
        with writer.block(f"if {masked((best,))}:"):
            _tree(writer, chosen, leaf)


def _guarded(writer: Writer, text: str, then: Callable[[], None]) -> None:
    if not text:
        then()
        return
    with writer.block(f"if {text}:"):
        then()
