"""How deep terms and expressions may nest, and walks: inside a value, and along steps.

Python's recursion limit is 1,000 calls, including the caller's. A function that recurses into a
term therefore spends one call per level: it calls itself in a loop or by `[*map(…)]`; a
comprehension, a `partial` or a built-in such as `max` would cost a call of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
Parts = Callable[[Any], Iterable[Any]]

PLAIN = (int, str, bool)
UNAMBIGUOUS = frozenset([int, str])
"""Classes whose values Python tells apart as the language does: for Python, `1 == True`."""
MOST_LEVELS = 500
"""Most levels of a term, and of an expression."""


def too_deep(what: str, levels: str) -> str:
    return (
        f"{what} nests {levels} levels deep; at most {MOST_LEVELS} are possible. Write long chains "
        "as sequences, which may be of any length"
    )


def everywhere(value: Any, parts: Parts) -> Iterator[Any]:
    """Yield the value and everything inside it, left to right, outer values first.

    A value that occurs twice is yielded twice. O(size).
    """
    todo = [value]
    while todo:
        current = todo.pop()
        yield current
        if type(current) not in PLAIN:
            inner = parts(current)
            if inner:
                todo += [*inner][::-1]


def reached(starts: Iterable[T], steps: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """Yield the starts and what steps lead to, each once and as soon as it is found."""
    found = dict.fromkeys(starts)
    yield from found
    left = [*found]
    for one in left:
        for other in steps(one):
            if other not in found:
                found[other] = None
                left.append(other)
                yield other
