"""What was made once and is used again: bounded, the least recently used goes first.

Equal content is not enough for a key. Keys hold the identities of user functions, so an entry keeps
alive what it was made from; and a constructor class that was declared again has equal terms, so a
key holds the classes too (`patterns.classes`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

V = TypeVar("V")


class Cache(Generic[V]):
    """Values by key, at most `most` of them; may be asked from several threads.

    >>> squares = Cache(2)
    >>> [squares.get(n, None, lambda: n * n) for n in (1, 2, 3, 1)]
    [1, 4, 9, 1]
    >>> len(squares)
    2
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: OrderedDict[Hashable, tuple[V, Any]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, source: Any, make: Callable[[], V]) -> V:
        """Return the value of a key; make it if it is missing, and keep it with its source.

        Two threads may make the same value at once: the first one is kept.
        """
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key][0]
        made = make()
        with self._lock:
            value = self._held.setdefault(key, (made, source))[0]
            while len(self._held) > self.most:
                self._held.popitem(last=False)
        return value

    def clear(self) -> None:
        with self._lock:
            self._held.clear()

    def __len__(self) -> int:
        return len(self._held)
