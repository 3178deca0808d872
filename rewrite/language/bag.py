"""The immutable multiset of frozen terms: nested bags inside terms, and the base of `State`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from rewrite.errors import TermError
from rewrite.language.callers import check_lookup
from rewrite.language.order import (
    BAG,
    TALLEST,
    Key,
    Keyed,
    Pieces,
    Tall,
    listed,
    measured,
    source,
    term_key,
)
from rewrite.language.travel import reduced


def _listed(items: Iterable[Any]) -> Sequence[Any]:
    if isinstance(items, (list, tuple)):
        return items
    if isinstance(items, (set, frozenset, dict, str, bytes)) or not isinstance(items, Iterable):
        why = "a set loses duplicates" if isinstance(items, (set, frozenset)) else "this is none"
        raise TermError(f"Bag({items!r}): a bag is made of a list, and {why}; write Bag([…])")
    return tuple(items)


class Bag(Keyed):
    """An immutable multiset of frozen terms, kept in canonical order.

    >>> Bag([3, 1, 3])
    [1, 3, 3]
    """

    __slots__ = ("_height", "_items", "_key")
    _items: tuple[Any, ...]
    _key: Key
    _height: int

    def __init__(self, items: Iterable[Any] = ()) -> None:
        items = _listed(items)
        try:
            found = [(*measured(item), item) for item in items]
        except AttributeError:  # written by hand: not frozen yet, or no terms at all
            from rewrite.language.terms import freeze  # terms are made of bags

            found = [(*measured(item), item) for item in map(freeze, items)]
        found.sort(key=itemgetter(0))
        self._items = tuple([item for _, _, item in found])
        self._height = 1 + max([height for _, height, _ in found], default=0)
        key = (BAG, tuple([key for key, _, _ in found]))
        self._key = Tall(key) if self._height > TALLEST else key

    def term_key(self) -> Key:
        return self._key

    def term_known_key(self) -> tuple[Key, int]:
        return self._key, self._height

    def term_parts(self) -> tuple[Any, ...]:
        return self._items

    def term_pieces(self) -> Pieces:
        return listed("[", self._items, "]")

    @property
    def items(self) -> tuple[Any, ...]:
        """All occurrences, in canonical order."""
        return self._items

    def distinct(self) -> list[tuple[Any, int]]:
        """Every different term with the number of its occurrences, in canonical order. O(n)."""
        groups = groupby(zip(self._key[1], self._items, strict=True), key=lambda pair: pair[0])
        return [(run[0][1], len(run)) for run in (list(group) for _, group in groups)]

    def count(self, term: Any) -> int:
        """Return how often `term` occurs. O(n)."""
        wanted = term_key(self._read(term))
        return sum(1 for key in self._key[1] if key == wanted)

    @staticmethod
    def _read(term: Any) -> Any:
        return Bag(term) if isinstance(term, list) else term

    def __contains__(self, term: Any) -> bool:
        return self.count(term) > 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> Any:
        return self._equal("==", other)

    def __ne__(self, other: object) -> Any:
        return self._equal("!=", other)

    def _equal(self, op: str, other: object) -> Any:
        from rewrite.language.terms import equal  # terms are made of bags

        return equal(op, self, other)

    def __hash__(self) -> int:
        check_lookup(self)
        return hash(self._key)

    def __lt__(self, other: Bag) -> bool:
        return self._key < other._key

    def __repr__(self) -> str:
        return source(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, _sorted, type(self))

    def term_rebuild(self) -> Any:
        return _sorted, (type(self),)


def _sorted(kind: type[Bag], items: tuple[Any, ...]) -> Bag:
    """Return a bag or state of items that are known to be frozen."""
    made = kind.__new__(kind)
    Bag.__init__(made, items)
    return made
