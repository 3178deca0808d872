"""The canonical order of terms: by type, then by value, arguments left to right.

The order of types is bool < int < str < sequence < nested bag < constructor term. A key is a nested
tuple that starts with the rank of its type; so `True`, `1` and `"1"` never compare equal, and two
keys can always be compared. Nothing here depends on hashes, addresses or threads.
"""

from __future__ import annotations

from typing import Any

BOOL, INT, STR, SEQUENCE, BAG, CONSTRUCTOR, SYMBOLIC = range(7)

Key = tuple[Any, ...]


class Keyed:
    """Base of our own values: whatever brings its own canonical key."""

    __slots__ = ()

    def term_key(self) -> Key:
        """Return the canonical key of this value."""
        raise NotImplementedError


def term_key(value: Any) -> Key:
    """Return the canonical key of a frozen value; equal keys mean equal terms. O(size)."""
    kind = type(value)
    if kind is int:
        return (INT, value)
    if kind is tuple:
        return (SEQUENCE, tuple([term_key(part) for part in value]))
    if kind is str:
        return (STR, value)
    if kind is bool:
        return (BOOL, value)
    key: Key = value.term_key()
    return key
