"""Symmetry over fields: how bijections on terms act on states, and whether they preserve rules.

A symmetry maps fields to fields and their values to values. It is proved from the ground rules: it
must map the set of all transitions onto itself, at the same costs; then it maps paths to paths.

The canonical form of a state is the least of its images under a group, field by field (Ip and Dill,
Better verification through symmetry, 1996).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from typing import Any

from attrs import define, frozen

from rewrite.analysis.fields import Field
from rewrite.analysis.transitions import Pairs, Transition
from rewrite.budget import tick, ticking
from rewrite.compile.interning import decode, encode
from rewrite.compile.slots.changes import NEVER_HELD
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.symmetry import Bijection

Held = tuple[int, ...]
"""What each field of a state holds."""


@frozen
class Action:
    """The action of a symmetry on states: image[i] = maps[i][held[sources[i]]]."""

    sources: tuple[int, ...]
    maps: tuple[tuple[int, ...], ...]

    @cached_property
    def targets(self) -> tuple[int, ...]:
        """Where each field goes: the inverse of `sources`."""
        return tuple(sorted(range(len(self.sources)), key=self.sources.__getitem__))

    def image(self, held: Held) -> Held:
        return tuple([table[held[at]] for at, table in zip(self.sources, self.maps, strict=True)])

    def pair(self, place: int, value: int) -> tuple[int, int]:
        """Return where a field goes and what its value becomes there."""
        target = self.targets[place]
        return target, self.maps[target][value]

    def pairs(self, given: Pairs) -> Pairs:
        return tuple(sorted([self.pair(place, value) for place, value in given]))

    def then(self, other: Action) -> Action:
        sources = tuple([self.sources[source] for source in other.sources])
        maps = tuple([
            tuple([table[value] for value in self.maps[source]])
            for source, table in zip(other.sources, other.maps, strict=True)
        ])  # fmt: skip
        return Action(sources, maps)

    def transition(self, one: Transition) -> Transition:
        """Return the image of a transition. Raises Unsuitable if a copy would change its value."""
        for place, source in one.copies:
            if self.maps[self.targets[place]] != self.maps[self.targets[source]]:
                raise Unsuitable("it changes values that rules move, and not everywhere alike")
        copies = [(self.targets[place], self.targets[source]) for place, source in one.copies]
        maps = []
        for place, source, table in one.maps:
            target, origin = self.targets[place], self.targets[source]
            became = [NEVER_HELD] * len(table)
            for before, after in enumerate(table):
                if after != NEVER_HELD:
                    became[self.maps[origin][before]] = self.maps[target][after]
            maps.append((target, origin, tuple(became)))
        return Transition(
            one.rule, one.cost, self.pairs(one.tests), self.pairs(one.misses),
            self.pairs(one.sets), tuple(sorted(copies)),
            tuple(sorted([self.targets[place] for place in one.guards])), one.free,
            tuple(sorted(maps)),
        )  # fmt: skip


def identity(fields: Sequence[Field]) -> Action:
    maps = tuple([tuple(range(len(one.values))) for one in fields])
    return Action(tuple(range(len(fields))), maps)


def action_of(bijection: Bijection, fields: Sequence[Field], static: Iterable[Any]) -> Action:
    """`static`: terms of the state that no rule changes: the bijection must fix them."""
    places = {
        term: (place, number)
        for place, one in enumerate(fields)
        for number, term in enumerate(one.values)
        if term is not None
    }
    for term in static:
        if encode(bijection.term(term)) != encode(term):
            raise Unsuitable(f"it changes {term!r}, which no rule changes")
    sources, maps = [-1] * len(fields), [tuple[int, ...]()] * len(fields)
    for place, one in enumerate(fields):
        table, went = [0] * len(one.values), set[int]()  # 0: "no term", if there is one
        for number, term in enumerate(one.values):
            if term is None:
                continue
            image = bijection.term(decode(term))
            found = places.get(encode(image))
            if found is None:
                raise Unsuitable(
                    f"it makes {image!r} of {decode(term)!r}, which cannot come up from this start"
                )
            went.add(found[0])
            table[number] = found[1]
        target = went.pop()
        if went or sorted(table) != [*range(len(fields[target].values))]:
            raise Unsuitable("it takes what stands in one slot to several")
        sources[target], maps[target] = place, tuple(table)
    return Action(tuple(sources), tuple(maps))


def broken(action: Action, given: Sequence[Transition]) -> Transition | None:
    """Return a transition whose image is not one, if any. Raises Unsuitable if in doubt."""
    known = {_plain(one) for one in given}
    each = ticking(given, 4)
    return next((one for one in each if _plain(action.transition(one)) not in known), None)


def _plain(one: Transition) -> tuple[Any, ...]:
    return (one.cost, one.free, one.tests, one.misses, one.sets, one.copies, one.guards, one.maps)


def closure(generators: Sequence[Action], start: Action, most: int) -> list[Action] | None:
    """Return the group, identity first, in an order that follows from that of the generators."""
    found = {start: None}
    level = [start]
    while level:
        following = []
        for one in level:
            for generator in generators:
                tick(1 + len(start.sources) // 4)
                product = one.then(generator)
                if product not in found:
                    if len(found) >= most:
                        return None
                    found[product] = None
                    following.append(product)
        level = following
    return list(found)


# -- canonical forms --------------------------------------------------------------------------
Stage = list[tuple[int, int, int, list[tuple[int, int] | None]]]
"""For each field that may be read for a field of the image: its place, shift and mask; and for each
of its values, once met, the least value it becomes and the elements (bits) that do this."""


@define(eq=False)
class Listed:
    """A group given as a list of its elements, the identity first."""

    fields: Sequence[Field]
    elements: Sequence[Action]

    @property
    def order(self) -> int:
        return len(self.elements)

    @cached_property
    def canonical(self) -> Callable[[int], int]:
        return canonical(self.fields, self.elements)

    def for_core(self) -> dict[str, Any]:
        return {
            "fields": [(one.offset, one.bits) for one in self.fields],
            "elements": [(one.sources, one.maps) for one in self.elements],
        }


def canonical(fields: Sequence[Field], elements: Sequence[Action]) -> Callable[[int], int]:
    """Return the function from a state to its canonical form. `elements`: all, identity first.

    It is the least image as a number, as in `core-crate/src/canon.rs`. Images are not built: field
    by field, the highest first, look up which elements reach the least value there, until one is
    left or all that are left agree.
    """
    if len(elements) == 1:
        return lambda code: code
    whole = (1 << len(elements)) - 1
    stages: dict[tuple[int, int], Stage] = {}
    moves = [
        [
            (fields[source].offset, (1 << fields[source].bits) - 1,
             tuple([value << one.offset for value in table]))
            for one, source, table in zip(fields, element.sources, element.maps, strict=True)
        ]
        for element in elements
    ]  # fmt: skip
    """For each field of each image: shift and mask of what it reads, and its table."""

    @cache
    def readers(place: int) -> dict[int, int]:
        """Return for each field that may be read here the elements (bits) that read it."""
        found: dict[int, int] = {}
        for number, element in enumerate(elements):
            source = element.sources[place]
            found[source] = found.get(source, 0) | 1 << number
        return found

    @cache
    def images(place: int, source: int, held: int) -> list[tuple[int, int]]:
        """Return the values that this one becomes, ascending, each with the elements (bits)."""
        found: dict[int, int] = {}
        for number, element in enumerate(elements):
            if element.sources[place] == source:
                value = element.maps[place][held]
                found[value] = found.get(value, 0) | 1 << number
        return sorted(found.items())

    def stage(place: int, left: int) -> Stage:
        return [
            (source, fields[source].offset, (1 << fields[source].bits) - 1,
             [None] * len(fields[source].values))
            for source, bits in readers(place).items() if bits & left
        ]  # fmt: skip

    def least(code: int) -> int:
        left, place = whole, len(fields)
        while left & left - 1 and place > 0:
            place -= 1
            among = left
            options = stages.get((place, left))
            if options is None:
                options = stages[place, left] = stage(place, left)
            best = -1
            for source, shift, mask, becomes in options:
                held = code >> shift & mask
                found = becomes[held]
                if found is None:
                    every = [(value, bits & among) for value, bits in images(place, source, held)]
                    found = becomes[held] = next(one for one in every if one[1])
                value, bits = found
                if best < 0 or value < best:
                    best, left = value, bits
                elif value == best:
                    left |= bits
        if left & 1:
            return code  # the identity is among them
        image = 0
        for shift, mask, table in moves[(left & -left).bit_length() - 1]:
            image |= table[code >> shift & mask]
        return image

    return least
