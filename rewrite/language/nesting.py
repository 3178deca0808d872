"""Functions over terms and expressions that nest as deep as memory allows.

Python ends a recursion after some hundred levels, and no setting is right for every thread and
version. So a function that follows the nesting of values is written for one level (`nested`) or
asks for all inner values (`everywhere`). Nothing here calls itself more than `ROOM` levels deep.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
Parts = Callable[[Any], Iterable[Any]]

ROOM = 40
"""Levels that are done by plain recursion, which is faster. Each takes two or three frames."""
PLAIN = (int, str, bool)


class Circular(Exception):
    """A list that holds itself."""


def nested(
    parts: Parts, *, lazy: bool = False, kept: Callable[[Any], Any] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Turn `one(value, get, …)`, which does one level, into a function of values of any depth.

    `get(part, …)` gives the result for a part. Up to `ROOM` levels it is a plain call; below, the
    results are made from the innermost parts outwards. There a part that `one` would not ask for is
    tried too. With `lazy`, what fails is raised only where it is asked for. `kept` says what to
    keep of such a result.

    >>> @nested(lambda value: value if isinstance(value, list) else ())
    ... def depth(value, get):
    ...     return 1 + max(map(get, value), default=0) if isinstance(value, list) else 0
    >>> value = []
    >>> for _ in range(100_000):
    ...     value = [value]
    >>> depth(value)
    100001
    """

    def decorate(one: Callable[..., Any]) -> Callable[..., Any]:
        def stepwise(value: Any, *context: Any) -> Any:
            known: dict[int, tuple[Any, Exception | None]] = {}

            def get(part: Any, *_: Any) -> Any:
                found = known.get(id(part))
                if found is None:  # a plain value
                    return one(part, get, *context)
                if found[1] is not None:
                    raise found[1].with_traceback(None)
                return found[0]

            for part in innermost_first(value, parts):
                try:
                    made = one(part, get, *context)
                    known[id(part)] = (made if kept is None else kept(made), None)
                except Exception as error:
                    if not lazy:
                        raise
                    known[id(part)] = (None, error)
            return get(value)

        def above(below: Callable[..., Any]) -> Callable[..., Any]:
            return lambda value, *context: one(value, below, *context)

        get = stepwise
        for _ in range(ROOM):
            get = above(get)
        return functools.wraps(one)(above(get))

    return decorate


def innermost_first(value: Any, parts: Parts) -> Iterator[Any]:
    """Yield the value and all inner ones but plain ones, each once, what is inside it before it.

    Raises Circular.
    """
    todo, entered, done = [value], set(), set()
    while todo:
        current = todo[-1]
        key = id(current)
        if key in entered:
            todo.pop()
            if key not in done:
                done.add(key)
                yield current
            continue
        entered.add(key)
        for part in parts(current):
            if type(part) not in PLAIN and id(part) not in done:
                if id(part) in entered:
                    raise Circular
                todo.append(part)


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
