"""Full symmetric groups: values that may all be exchanged, without listing the group.

Renaming its values brings each state to its canonical form, see `labelling`. Terms are in the form
that engines use, see `compile.interning`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial
from itertools import product
from math import factorial, prod
from typing import Any

from attrs import evolve

from rewrite.analysis.fields import Field
from rewrite.analysis.symmetry.actions import Action
from rewrite.analysis.symmetry.labelling import Names, Occurrence, names
from rewrite.compile.interning import BAG, Ctor, encode, items_of, key_of, ordered
from rewrite.compile.multisets.layout import Layout
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.nesting import everywhere
from rewrite.language.order import Key, term_key

MOST_KNOWN = 200_000
"""Most terms whose occurrence is cached."""
MOST_VALUES, MOST_IN_ONE, MOST_ENTRIES = 250, 4, 1 << 20
"""Most values exchanged, values in one term, and table entries: the core stores them in a byte
each, in a word, and in a few megabytes."""


class Interchanged:
    """Sets of values, each exchangeable for any other of its set.

    values  all, set by set
    firsts  for each the number of the first of its set
    order   the number of ways to exchange them
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
        return self.numbers.get(given) if given.__class__ in self._kinds else None

    def occurrence(self, term: Any) -> Occurrence | None:
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
        """Return a term with its values replaced by numbers, in a form that can be ordered."""
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
    """All ways to exchange values within their sets, for states stored as multisets."""

    def __init__(self, layout: Layout, sets: Sequence[Sequence[Any]]) -> None:
        super().__init__(sets)
        self.layout = layout
        self._occurrence = lru_cache(MOST_KNOWN)(self.occurrence)

    def canonical(self, code: Any) -> Any:
        terms = [term for group in self.layout.groups(code) for term in group]
        found = [one for one in map(self._occurrence, terms) if one is not None]
        given = names(found, self.firsts)
        if given == [*range(len(given))]:
            return code
        empty: list[tuple[Any, ...]] = [() for _ in self.layout.term_types]
        return self.layout.place(empty, [self.renamed(term, given) for term in terms])

    def for_core(self) -> dict[str, Any]:
        return {"values": self.values, "firsts": self.firsts}


class Exchanges(Interchanged):
    """All ways to exchange values within their sets, for states over fields.

    held     the occurrence for each number in each field; templates are numbers
    targets  for each template the field and number of each tuple of values

    The constructor raises Unsuitable.
    """

    def __init__(self, fields: Sequence[Field], sets: Sequence[Sequence[Any]]) -> None:
        super().__init__(sets)
        self.fields = fields
        if len(self.values) > MOST_VALUES:
            raise Unsuitable(f"it exchanges more than {MOST_VALUES} values")
        self.held: list[list[Occurrence | None]] = [[] for _ in fields]
        self.targets: list[dict[tuple[int, ...], tuple[int, int]]] = []
        templates: dict[Any, int] = {}
        for place, one in enumerate(fields):
            for number, term in enumerate(one.values):
                found = None if term is None else self.occurrence(term)
                if found is not None:
                    template = templates.setdefault(found.template, len(templates))
                    if template == len(self.targets):
                        self.targets.append({})
                    self.targets[template][found.values] = place, number
                    found = evolve(found, template=template)
                self.held[place].append(found)
        if sum(len(self.values) ** arity for arity in self.arities) > MOST_ENTRIES:
            raise Unsuitable("too many of its values stand in one term")

    def occurrence(self, term: Any) -> Occurrence | None:
        found = super().occurrence(term)
        if found is not None and found.spelled is not None:
            raise Unsuitable("its values stand in a bag within a term")
        if found is not None and len(found.values) > MOST_IN_ONE:
            raise Unsuitable(f"more than {MOST_IN_ONE} of its values stand in one term")
        return found

    @property
    def arities(self) -> list[int]:
        return [len(next(iter(one))) for one in self.targets]

    def agrees(self, action: Action, swapped: tuple[Any, Any]) -> bool:
        """Whether exchanging these two values acts on states as the action does."""
        one, other = (self.numbers[encode(value)] for value in swapped)
        table = {one: other, other: one}
        for place, row in enumerate(self.held):
            for number, found in enumerate(row):
                image: tuple[int, int] | None = (place, number)
                if found is not None:
                    renamed = tuple([table.get(value, value) for value in found.values])
                    image = self.targets[found.template].get(renamed)
                elif self.fields[place].values[number] is None:
                    continue  # where terms are determines where none are
                if image != action.pair(place, number):
                    return False
        return True

    @cached_property
    def canonical(self) -> Callable[[int], int]:
        rows = [(one, row) for one, row in zip(self.fields, self.held, strict=True) if any(row)]
        reads = [(one.offset, (1 << one.bits) - 1, row) for one, row in rows]
        touched = sum(one.mask for one, _ in rows)
        images = [
            {key: number << self.fields[place].offset for key, (place, number) in one.items()}
            for one in self.targets
        ]

        def canonical(code: int) -> int:
            found: list[Occurrence] = []
            kept = code & ~touched
            for offset, mask, row in reads:
                number = code >> offset & mask
                one = row[number]
                if one is None:
                    kept |= number << offset
                else:
                    found.append(one)

            given = names(found, self.firsts)
            for one in found:
                kept |= images[one.template][tuple([given[value] for value in one.values])]
            return kept

        return canonical

    def for_core(self) -> dict[str, Any]:
        """Return it in the form that the core takes.

        fields   (offset, bits)
        firsts   for each value the first of its set
        held     for each number in each field, template and values; None if it contains no value
        targets  for each template, field and number of all tuples of values, in order; None if
                 there is no such term
        """
        everyone = range(len(self.values))
        return {
            "fields": [(one.offset, one.bits) for one in self.fields],
            "firsts": self.firsts,
            "held": [
                [None if one is None else (one.template, one.values) for one in row]
                for row in self.held
            ],
            "targets": [
                [one.get(values) for values in product(everyone, repeat=arity)]
                for one, arity in zip(self.targets, self.arities, strict=True)
            ],
        }


Swapped = Sequence[tuple[tuple[Any, Any], Action | None]]
"""Pairs of values whose exchange is a symmetry, with its action on states over fields."""
Joined = dict[Key, tuple[Any, Action | None]]
"""Values, each with its exchange for the first of them, which itself has none."""


def exchanges(
    fields: Sequence[Field], proved: Swapped, keeps: Callable[[Action], bool]
) -> Exchanges | None:
    """`keeps`: whether an exchange is wanted; wanted ones must belong to a group of wanted ones."""
    sets = [part for one in joined(proved) for part in _parted(one, keeps)]
    if not sets:
        return None
    made = Exchanges(fields, sets)
    sets_of = {term_key(value): number for number, one in enumerate(sets) for value in one}
    for pair, action in proved:
        one, other = (sets_of.get(term_key(value), -1) for value in pair)
        assert action is not None
        if one == other >= 0 and not made.agrees(action, pair):
            raise Unsuitable("one of its values stands in another")
    return made


def joined(proved: Swapped) -> list[Joined]:
    """Return the sets of values connected by exchanges, in order of their first values."""
    near: dict[Key, list[tuple[Any, Action | None]]] = {}
    values: dict[Key, Any] = {}
    for (one, other), action in proved:
        for value, to in ((one, other), (other, one)):
            values.setdefault(term_key(value), value)
            near.setdefault(term_key(value), []).append((to, action))
    found: list[Joined] = []
    while values:
        first = next(iter(values))
        one_set: Joined = {first: (values.pop(first), None)}
        for at in (waiting := [first]):
            way = one_set[at][1]
            for value, action in near[at]:
                key = term_key(value)
                if values.pop(key, None) is not None:
                    one_set[key] = value, conjugate(way, action)
                    waiting.append(key)
        found.append(one_set)
    return found


def _parted(joined: Joined, keeps: Callable[[Action], bool]) -> list[list[Any]]:
    """Return the subsets of two or more values within which every exchange is wanted."""
    parts: list[tuple[Action | None, list[Any]]] = []
    for value, way in joined.values():
        for first, part in parts:
            action = conjugate(first, way)
            assert action is not None
            if keeps(action):
                part.append(value)
                break
        else:
            parts.append((way, [value]))
    return [part for _, part in parts if len(part) > 1]


def conjugate(one: Action | None, other: Action | None) -> Action | None:
    """Return the conjugate: one, the other, and the first again; (a b) and (b c) give (a c)."""
    if one is None or other is None:
        return other or one
    return one.then(other).then(one)
