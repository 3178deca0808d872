"""Capacity: how much the states of a puzzle may hold.

A search begins with little, because small states are fast. Where one does not fit, what runs the
search raises NeedsCapacity, and the search begins again with both: what there was and what more
is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import field, frozen

from rewrite.compile.interning import Ctor, TermType
from rewrite.compile.reason import Reason

FIRST_BITS = 12
"""Bits of a slot whose values are not known beforehand; doubled where they do not suffice."""


def _reasons(given: Iterable[Reason | str]) -> tuple[Reason, ...]:
    """Return reasons, each once; a text is one without a way out."""
    reasons = [one if isinstance(one, Reason) else Reason(one) for one in given]
    return tuple(dict.fromkeys(reasons))


def _set(given: Iterable[Any]) -> frozenset[Any]:
    return frozenset(given)


@frozen
class Capacity:
    """How much states may hold. Capacities join: `one | more` has what either of them has.

    term_types  types of terms that get a group each, beside those that start and rules show
    ctors       constructors that the core must know, beside those of the puzzle
    bits        of a slot whose values are not known beforehand
    multiset    why states are stored as a multiset, in the order of asking; () where nobody asked
    definition  why the definition itself is run; () where nobody asked
    """

    term_types: frozenset[TermType] = field(default=(), converter=_set)
    ctors: frozenset[Ctor] = field(default=(), converter=_set)
    bits: int = FIRST_BITS
    multiset: tuple[Reason, ...] = field(default=(), converter=_reasons, eq=frozenset)
    definition: tuple[Reason, ...] = field(default=(), converter=_reasons, eq=frozenset)

    def __or__(self, more: Capacity) -> Capacity:
        return Capacity(
            self.term_types | more.term_types,
            self.ctors | more.ctors,
            max(self.bits, more.bits),
            (*self.multiset, *more.multiset),
            (*self.definition, *more.definition),
        )

    def __contains__(self, more: Capacity) -> bool:
        return self | more == self


LEAST = Capacity()
"""What a search begins with."""


class NeedsCapacity(Exception):
    """A state does not fit: `.capacity` is what is needed in addition."""

    def __init__(self, capacity: Capacity) -> None:
        super().__init__(capacity)
        self.capacity = capacity
