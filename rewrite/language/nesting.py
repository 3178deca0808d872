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


def levels_of_plain(sequence: tuple[Any, ...], plain: frozenset[type] = frozenset(PLAIN)) -> int:
    """Return how many levels of sequences of plain values a tuple is; 0 if it holds others too."""
    level, levels = [part for part in sequence if type(part) not in plain], 1
    while level:  # takes a fraction of the time of a walk from value to value
        if not {tuple}.issuperset(map(type, level)):
            return 0
        levels += 1
        level = [part for one in level for part in one if type(part) not in plain]
    return levels


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
