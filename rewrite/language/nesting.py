"""How deep terms and expressions nest, and a walk through all that is inside them.

Python ends a recursion after 1,000 calls, those of its caller included. A function that follows a
term by recursion therefore takes one call a level: it asks itself about the parts in a loop or by
`[*map(…)]`; a comprehension, a `partial` and a built-in such as `max` are calls of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Parts = Callable[[Any], Iterable[Any]]

PLAIN = (int, str, bool)
MOST_LEVELS = 500
"""Levels of a term, and of an expression."""


def too_deep(what: str, levels: str) -> str:
    """Return what an error says of something that nests deeper than that."""
    return (
        f"{what} nests {levels} levels deep; at most {MOST_LEVELS} are possible. Write long chains "
        "as sequences, which may be of any length"
    )


def everywhere(value: Any, parts: Parts) -> Iterator[Any]:
    """Yield the value and everything inside it, from left to right, outer values first.

    A value that occurs twice comes twice. O(size).
    """
    todo = [value]
    while todo:
        current = todo.pop()
        yield current
        if type(current) not in PLAIN:
            inner = parts(current)
            if inner:
                todo += [*inner][::-1]
