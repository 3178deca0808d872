"""A digest of plain data that is the same in every process: no ids, no set order.

Each value is written with its type and length, so that different data never yield the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

SIZE = 16
"""Bytes of a digest: enough that collisions do not happen by chance."""

Opened = Callable[[Any], Any]


def nothing_else(value: Any) -> Any:
    """Accept no values of other types. Raises TypeError."""
    raise TypeError(f"{type(value).__name__} is not plain data")


def digest(value: Any, opened: Opened = nothing_else) -> str:
    """Return the digest of nested tuples, lists, dicts, sets, texts, bytes and numbers.

    The order of a dict counts: code that numbers things by it depends on that order.

    opened   given a value of any other type, returns plain data to represent it

    >>> digest((1, "a")) == digest((1, "a")), digest((1, "a")) == digest([1, "a"])
    (True, False)
    >>> digest({"b", "a"}) == digest({"a", "b"}), digest(True) == digest(1)
    (True, False)
    """
    made = blake2b(digest_size=SIZE)
    write = made.update
    todo: list[Any] = [value]
    while todo:
        one = todo.pop()
        if one is None:
            write(b"n")
        elif isinstance(one, bool):
            write(b"t" if one else b"f")
        elif isinstance(one, int):
            write(b"i%x;" % one)
        elif isinstance(one, str):
            text = one.encode("utf-8", "surrogatepass")
            write(b"s%d:" % len(text) + text)
        elif isinstance(one, bytes):
            write(b"b%d:" % len(one) + one)
        elif isinstance(one, float):
            write(b"r" + one.hex().encode() + b";")
        elif isinstance(one, (tuple, list)):
            write(b"%s%d:" % (b"(" if isinstance(one, tuple) else b"[", len(one)))
            todo += one[::-1]
        elif isinstance(one, dict):
            write(b"{%d:" % len(one))
            for key, held in [*one.items()][::-1]:
                todo += (held, key)
        elif isinstance(one, (set, frozenset)):
            write(b"<%d:" % len(one))
            todo.append(sorted([digest(part, opened) for part in one]))
        else:
            write(b"o")
            todo.append(opened(one))
    return made.hexdigest()
