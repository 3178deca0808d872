"""What was made once and is used again: bounded, the least recently used goes first.

Equal content is not enough for a key. Keys hold the identities of user functions, so an entry keeps
alive what it was made from; and a constructor class that was declared again has equal terms, so a
key holds the classes too (`patterns.classes`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Values by key, none of them None, at most `most`; may be asked from several threads.

    >>> squares = Cache(2)
    >>> [squares.made(n, None, lambda: n * n) for n in (1, 2, 3, 1)]
    [1, 4, 9, 1]
    >>> len(squares), squares.get(2), 3 in squares
    (2, None, True)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: OrderedDict[K, tuple[V, Any]] = OrderedDict()
        self._lock = RLock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key not in self._held:
                return None
            self._held.move_to_end(key)
            return self._held[key][0]

    def keep(self, key: K, value: V, source: Any = None) -> V:
        """Keep a value with its source; return it."""
        with self._lock:
            self._held[key] = value, source
            self._held.move_to_end(key)
            while len(self._held) > self.most:
                self._held.popitem(last=False)
        return value

    def made(self, key: K, source: Any, make: Callable[[], V]) -> V:
        """Return the value of a key; make it if it is missing, and keep it with its source.

        Two threads may make the same value at once: the first one is kept.
        """
        known = self.get(key)
        if known is None:
            made = make()
            with self._lock:
                known = self.get(key)
                return self.keep(key, made, source) if known is None else known
        return known

    def clear(self) -> None:
        with self._lock:
            self._held.clear()

    def __contains__(self, key: K) -> bool:
        return key in self._held

    def __len__(self) -> int:
        return len(self._held)
