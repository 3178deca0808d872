"""Full symmetric groups over states that are multisets: values that may all be exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from attrs import define, field

from rewrite.compiler.interning import encode
from rewrite.compiler.multisets.layout import Layout
from rewrite.reasoning.symmetry.labelling import Occurrence, names
from rewrite.reasoning.symmetry.occurrences import Interchanged

MOST_KNOWN = 200_000
"""Terms of which is kept what they are an occurrence of."""


@define(eq=False)
class ExchangedTerms:
    """All ways to exchange values for others of their set, in states kept as multisets.

    sets   terms, each in one set
    """

    layout: Layout
    sets: Sequence[Sequence[Any]]
    known: dict[Any, Occurrence | None] = field(factory=dict, init=False)

    @cached_property
    def values(self) -> Interchanged:
        """The values, as engines write them."""
        return Interchanged([[encode(value) for value in one] for one in self.sets])

    @property
    def order(self) -> int:
        """The number of ways to exchange the values."""
        return self.values.order

    def canonical(self, code: Any) -> Any:
        """Return the canonical form of a state."""
        terms = [term for group in self.layout.groups(code) for term in group]
        found = [one for one in map(self._occurrence, terms) if one is not None]
        given = names(found, self.values.firsts)
        if given == [*range(len(given))]:
            return code
        empty: list[tuple[Any, ...]] = [() for _ in self.layout.term_types]
        return self.layout.place(empty, [self.values.renamed(term, given) for term in terms])

    def _occurrence(self, term: Any) -> Occurrence | None:
        try:
            return self.known[term]
        except KeyError:
            if len(self.known) > MOST_KNOWN:
                self.known.clear()
            found = self.known[term] = self.values.occurrence(term)
            return found

    def for_core(self) -> dict[str, Any]:
        """Return it as the core takes it: the values, and for each the first of its set."""
        return {"values": self.values.values, "firsts": self.values.firsts}


def joined(pairs: Sequence[tuple[Any, Any]]) -> list[list[Any]]:
    """Return the sets of values that exchanges of pairs join.

    >>> joined([("a", "b"), ("c", "d"), ("d", "a"), ("e", "f")])
    [['a', 'b', 'c', 'd'], ['e', 'f']]
    """
    sets: list[list[Any]] = []
    for pair in pairs:
        met = [one for one in sets if any(value in one for value in pair)]
        values = dict.fromkeys([value for one in [*met, pair] for value in one])
        sets = [one for one in sets if one not in met] + [list(values)]
    return sets
