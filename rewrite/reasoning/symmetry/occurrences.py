"""Full symmetric groups over states that are multisets: values within terms, and other names.

Terms are written as engines write them, see `compiler.interning`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import factorial, prod
from typing import Any

from rewrite.compiler.interning import BAG, Ctor, encode, items_of, key_of, ordered
from rewrite.compiler.multisets.layout import Layout
from rewrite.language.nesting import everywhere
from rewrite.reasoning.symmetry.labelling import Names, Occurrence, names

MOST_KNOWN = 200_000
"""Terms of which is kept what they are an occurrence of."""


class Interchanged:
    """Sets of values, each of which can be exchanged for any other of its set.

    values  all, set by set
    firsts  for each the number of the first of its set
    order   in how many ways they can be exchanged
    """

    def __init__(self, sets: Sequence[Sequence[Any]]) -> None:
        self.values: list[Any] = []
        self.firsts: list[int] = []
        for one in sets:
            self.firsts += [len(self.values)] * len(one)
            self.values += map(encode, one)
        self.order = prod([factorial(len(one)) for one in sets])
        self.numbers = {value: number for number, value in enumerate(self.values)}
        self._kinds = {value.__class__ for value in self.values}

    def number(self, given: Any) -> int | None:
        """Return the number of a value; None for anything else."""
        return self.numbers.get(given) if given.__class__ in self._kinds else None

    def occurrence(self, term: Any) -> Occurrence | None:
        """Return a term as an occurrence of values; None where none stands in it."""
        found = self._within(term)
        if not found:
            return None
        template = key_of(self.renamed(term, self.firsts))
        inner = everywhere(term, items_of)
        if any(one.__class__ is tuple and one[:1] == (BAG,) and self._within(one) for one in inner):
            return Occurrence(template, tuple(found), partial(self._spelled, term))
        return Occurrence(template, tuple(found))

    def _within(self, term: Any) -> list[int]:
        def parts(given: Any) -> Sequence[Any]:
            return () if self.number(given) is not None else items_of(given)

        numbers = map(self.number, everywhere(term, parts))
        return [number for number in numbers if number is not None]

    def renamed(self, term: Any, names: Names) -> Any:
        """Return a term in which every value has its other name."""
        number = self.number(term)
        if number is not None:
            return self.values[names[number]]
        inner = items_of(term)
        if not inner:
            return term
        parts = []
        for part in inner:
            parts.append(self.renamed(part, names))
        if term[0].__class__ is not Ctor:
            return tuple(parts)
        return (BAG, *ordered(parts)) if term[0] is BAG else (term[0], *parts)

    def _spelled(self, term: Any, name: Callable[[int], int]) -> Any:
        """Return a term with its values replaced by numbers, as something that can be ordered."""
        number = self.number(term)
        if number is not None:
            return (0, name(number))
        inner = items_of(term)
        if not inner:
            return (1, key_of(term))
        parts = []
        for part in inner:
            parts.append(self._spelled(part, name))
        if term[0].__class__ is not Ctor:
            return (2, 0, (), *parts)
        if term[0] is BAG:
            return (2, 1, (), *sorted(parts))
        return (2, 2, term[0].identity, *parts)


class ExchangedTerms(Interchanged):
    """All ways to exchange values for others of their set, in states kept as multisets."""

    def __init__(self, layout: Layout, sets: Sequence[Sequence[Any]]) -> None:
        super().__init__(sets)
        self.layout = layout
        self._known: dict[Any, Occurrence | None] = {}

    def canonical(self, code: Any) -> Any:
        """Return the canonical form of a state."""
        terms = [term for group in self.layout.groups(code) for term in group]
        found = [one for one in map(self._occurrence, terms) if one is not None]
        given = names(found, self.firsts)
        if given == [*range(len(given))]:
            return code
        empty: list[tuple[Any, ...]] = [() for _ in self.layout.term_types]
        return self.layout.place(empty, [self.renamed(term, given) for term in terms])

    def _occurrence(self, term: Any) -> Occurrence | None:
        try:
            return self._known[term]
        except KeyError:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            found = self._known[term] = self.occurrence(term)
            return found

    def for_core(self) -> dict[str, Any]:
        """Return it as the core takes it."""
        return {"values": self.values, "firsts": self.firsts}
