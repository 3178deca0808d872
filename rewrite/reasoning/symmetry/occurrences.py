"""Interchangeable values within terms: where they stand, and the terms with other names.

Terms are written as engines write them, see `compiler.interning`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from math import factorial, prod
from typing import Any

from attrs import define

from rewrite.compiler.interning import BAG, Ctor, items_of, key_of, ordered
from rewrite.language.nesting import everywhere
from rewrite.reasoning.symmetry.labelling import Names, Occurrence


@define(eq=False)
class Interchanged:
    """Sets of values, each of which can be exchanged for any other of its set.

    The values are numbered, set by set.
    """

    sets: Sequence[Sequence[Any]]

    @cached_property
    def values(self) -> list[Any]:
        """All values, by number."""
        return [value for one in self.sets for value in one]

    @cached_property
    def firsts(self) -> list[int]:
        """For each value the number of the first of its set."""
        found: list[int] = []
        for one in self.sets:
            found += [len(found)] * len(one)
        return found

    @cached_property
    def numbers(self) -> dict[Any, int]:
        """The number of each value."""
        return {value: number for number, value in enumerate(self.values)}

    @cached_property
    def kinds(self) -> frozenset[type]:
        """How the values are written."""
        return frozenset([value.__class__ for value in self.values])

    @property
    def order(self) -> int:
        """In how many ways the values can be exchanged."""
        return prod([factorial(len(one)) for one in self.sets])

    def number(self, given: Any) -> int | None:
        """Return the number of a value; None for anything else."""
        return self.numbers.get(given) if given.__class__ in self.kinds else None

    def occurrence(self, term: Any) -> Occurrence | None:
        """Return a term as an occurrence of values; None where none stands in it."""
        found = self._within(term)
        if not found:
            return None
        template = key_of(self.renamed(term, self.firsts))
        inner = everywhere(term, items_of)
        if any(one.__class__ is tuple and one[:1] == (BAG,) and self._within(one) for one in inner):
            return Occurrence(template, tuple(found), partial(_spelled, term, self))
        return Occurrence(template, tuple(found))

    def _within(self, term: Any) -> list[int]:
        """Return the values that stand in a term, from left to right."""

        def parts(given: Any) -> Sequence[Any]:
            return () if self.number(given) is not None else items_of(given)

        numbers = map(self.number, everywhere(term, parts))
        return [number for number in numbers if number is not None]

    def renamed(self, term: Any, names: Names) -> Any:
        """Return a term in which every value has its other name."""
        return _renamed(term, self, names)


def _renamed(term: Any, given: Interchanged, names: Names) -> Any:
    number = given.number(term)
    if number is not None:
        return given.values[names[number]]
    inner = items_of(term)
    if not inner:
        return term
    parts = []
    for part in inner:
        parts.append(_renamed(part, given, names))
    if term[0].__class__ is not Ctor:
        return tuple(parts)
    return (BAG, *ordered(parts)) if term[0] is BAG else (term[0], *parts)


def _spelled(term: Any, given: Interchanged, name: Callable[[int], int]) -> Any:
    """Return a term with its values replaced by numbers, as something that can be ordered."""
    number = given.number(term)
    if number is not None:
        return (0, name(number))
    inner = items_of(term)
    if not inner:
        return (1, key_of(term))
    parts = []
    for part in inner:
        parts.append(_spelled(part, given, name))
    if term[0].__class__ is not Ctor:
        return (2, 0, (), *parts)
    if term[0] is BAG:
        return (2, 1, (), *sorted(parts))
    return (2, 2, term[0].identity, *parts)
