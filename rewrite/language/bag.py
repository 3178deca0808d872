"""The immutable multiset of frozen terms: nested bags inside terms, and the base of `State`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Self

from rewrite.errors import TermError, tells_unknown_names
from rewrite.language.callers import check_lookup
from rewrite.language.nesting import MOST_LEVELS, too_deep
from rewrite.language.order import BAG, Key, Measure, Pieces, gathered, listed, source, term_key
from rewrite.language.pickling import Rebuild, Structured


def _listed(items: Iterable[Any]) -> Sequence[Any]:
    if isinstance(items, (list, tuple)):
        return items
    if isinstance(items, (set, frozenset, dict, str, bytes)) or not isinstance(items, Iterable):
        why = "a set loses duplicates" if isinstance(items, (set, frozenset)) else "this is none"
        raise TermError(f"Bag({source(items)}): a bag is made of a list, and {why}; write Bag([…])")
    return tuple(items)


class Bag(Structured):
    """An immutable multiset of frozen terms, kept in canonical order.

    >>> Bag([3, 1, 3])
    [1, 3, 3]
    """

    __slots__ = ("_items", "_key", "_levels")
    _items: tuple[Any, ...]
    _key: Key
    _levels: int

    @tells_unknown_names(TermError, "Bag", out="write one list, Bag([…])")
    def __init__(self, items: Iterable[Any] = ()) -> None:
        from rewrite.language.terms import freeze  # avoids a cycle: terms import bags

        self._fill(map(freeze, _listed(items)))
        if self._levels > MOST_LEVELS:
            raise TermError(too_deep("Bag(…)", str(self._levels)))

    @classmethod
    def of(cls, items: Iterable[Any]) -> Self:
        """Return the bag or state of terms already known to be frozen."""
        made = cls.__new__(cls)
        made._fill(items)
        return made

    def _fill(self, items: Iterable[Any]) -> None:
        items = tuple(items)
        (_, *keys), self._levels = gathered((BAG,), items)
        found = sorted(zip(keys, items, strict=True), key=itemgetter(0))
        self._items = tuple([item for _, item in found])
        self._key = (BAG, *[key for key, _ in found])

    def term_key(self) -> Key:
        return self._key

    def term_measure(self) -> Measure:
        return self._key, self._levels

    def term_parts(self) -> tuple[Any, ...]:
        return self._items

    def term_pieces(self) -> Pieces:
        return listed("[", self._items, "]")

    @property
    def items(self) -> tuple[Any, ...]:
        """All occurrences, in canonical order."""
        return self._items

    def distinct(self) -> list[tuple[Any, int]]:
        """Every distinct term with its multiplicity, in canonical order. O(n)."""
        groups = groupby(zip(self._key[1:], self._items, strict=True), key=lambda pair: pair[0])
        return [(run[0][1], len(run)) for run in (list(group) for _, group in groups)]

    def count(self, term: Any) -> int:
        """Return how often `term` occurs. O(n). Raises TermError if it cannot be a term."""
        from rewrite.language.terms import freeze  # avoids a cycle: terms import bags

        wanted = term_key(freeze(term))
        return self._key.count(wanted)

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
        from rewrite.language.terms import equal  # avoids a cycle: terms import bags

        return equal(op, self, other)

    def __hash__(self) -> int:
        check_lookup(self)
        return hash(self._key)

    def __lt__(self, other: object) -> bool:
        return self._key < other._key if isinstance(other, Bag) else NotImplemented

    def term_rebuild(self) -> Rebuild:
        return _of, (type(self),)


def _of(kind: type[Bag], items: tuple[Any, ...]) -> Bag:
    return kind.of(items)
