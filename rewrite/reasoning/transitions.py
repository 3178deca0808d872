"""Transitions: what the ground rules of a program do, as tests and changes of fields.

A change that is looked up in a table is written out, an entry at a time, so that nothing is left to
compute; so this is for what reasons about rules (inverse rules, symmetry, estimates), not for what
runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

from attrs import evolve, frozen

from rewrite.budget import tick, ticking
from rewrite.compiler.slots.ground_rules import Change, Lookup
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.reasoning.fields import Field

MOST_ENTRIES = 200_000
"""Entries of tables that are written out, over all rules."""

Entries = Callable[[int, tuple[Lookup, ...]], Callable[[int], Iterable[tuple[Any, int]]]]
"""Given the number of a rule and look-ups of it, returns the function from the bits that these read
to (cost, what is added to the state) for each way in which they apply. An engine hands it in."""
Pairs = tuple[tuple[int, int], ...]


@frozen
class Transition:
    """One ground rule over fields, which are named by their numbers.

    tests    (field, value): it applies where the field holds the value, for all of these
    misses   (field, value): and where the field does not hold it
    sets     (field, value): afterwards the field holds the value
    copies   (field, other): afterwards it holds what the other held before
    guards   fields among the tests where the rule itself does not ask for "no term": with one, it
             leads to a state with two equal terms, which is no state over fields
    free     whether its rule is one of free moves
    A field stands in `sets` or in `copies` once at most; all others stay. All are sorted.
    """

    rule: int
    cost: int
    tests: Pairs
    misses: Pairs
    sets: Pairs
    copies: Pairs
    guards: tuple[int, ...] = ()
    free: bool = False

    @property
    def written(self) -> set[int]:
        """The fields that may change."""
        return {field for field, _ in (*self.sets, *self.copies)}

    @property
    def read(self) -> set[int]:
        """The fields on which it depends."""
        tested = {field for field, _ in (*self.tests, *self.misses)}
        return tested | {source for _, source in self.copies}


def transitions(
    changes: Sequence[tuple[int, Change]], given: Sequence[Field], entries: Entries
) -> list[Transition]:
    """Return the transitions of all changes, (number of the rule, change) each, in order.

    Raises Unsuitable where tables are too large to be written out, or costs are no numbers.
    """
    written_out = _WrittenOut(given, entries)
    return [one for rule, change in ticking(changes, 10) for one in written_out.of(rule, change)]


def written_out(changes: Sequence[tuple[int, Change]], given: Sequence[Field]) -> int:
    """Return how many entries of tables `transitions` would look up, about."""
    return sum(
        prod(len(field.values) for field in given if change.lookups[0].reads & field.mask)
        for _, change in changes
        if change.lookups
    )


class _WrittenOut:
    def __init__(self, given: Sequence[Field], entries: Entries) -> None:
        self.fields, self.entries, self.left = given, entries, MOST_ENTRIES
        self.by_mask = {field.mask: number for number, field in enumerate(given)}

    def of(self, rule: int, change: Change) -> Iterable[Transition]:
        """Return the transitions of one ground rule, with the fields that it needs to be empty."""
        guards = tuple([at for at, field in enumerate(self.fields) if change.guard & field.mask])
        made = self._of(rule, change, dict.fromkeys(guards, 0))
        return [evolve(one, guards=guards) for one in made] if guards else made

    def _of(self, rule: int, change: Change, guards: dict[int, int]) -> Iterable[Transition]:
        tests = {self.by_mask[mask]: self._value(mask, value) for mask, value in change.tests}
        tests |= guards  # else a term would stand twice: the search begins again
        misses = [(self.by_mask[mask], self._value(mask, value)) for mask, value in change.misses]
        if change.lookups:
            return self._looked_up(rule, change, tests, misses)
        if type(change.cost) is not int:
            raise Unsuitable("a cost that is computed")
        if change.flip is not None:
            sets = {  # what no test mentions holds no term: `RuleInstances` drops all else
                place: tests.get(place, 0) ^ field.number(change.flip)
                for place, field in enumerate(self.fields)
                if change.flip & field.mask
            }
            return [self._made(rule, change.cost, tests, misses, sets, {})]
        return [self._made(rule, change.cost, tests, misses, *self._written(change))]

    def _value(self, mask: int, value: int) -> int:
        return value >> self.fields[self.by_mask[mask]].offset

    def _written(self, change: Change) -> tuple[dict[int, int], dict[int, int]]:
        """Return what a change sets and what it copies."""
        sets, copies = dict[int, int](), dict[int, int]()
        sources = {
            (field.offset + shift, field.bits): place
            for mask, shift in change.copies
            for place, field in enumerate(self.fields)
            if mask & field.mask
        }
        for place, field in enumerate(self.fields):
            if change.clear & field.mask:
                source = sources.get((field.offset, field.bits))
                if source is None:
                    sets[place] = field.number(change.fill)
                else:
                    copies[place] = source
        return sets, copies

    def _looked_up(
        self, rule: int, change: Change, tests: dict[int, int], misses: list[tuple[int, int]]
    ) -> list[Transition]:
        found = []
        entries = self.entries(rule, change.lookups)
        reads = change.lookups[0].reads
        places = [place for place, field in enumerate(self.fields) if reads & field.mask]
        held = [
            [tests[place]] if place in tests else range(len(self.fields[place].values))
            for place in places
        ]
        self.left -= prod(map(len, held))
        if self.left < 0:
            raise Unsuitable("its rules compute too many values to write them out")
        for values in product(*held):
            tick(2)
            read = dict(zip(places, values, strict=True))
            key = sum(value << self.fields[place].offset for place, value in read.items())
            for cost, change_by in entries(key):
                if type(cost) is not int or cost < 0:
                    raise Unsuitable("a cost that is not a number of 0 or more")
                sets = self._added(change_by, tests | read)
                found.append(self._made(rule, cost, tests | read, misses, sets, {}))
        return found

    def _added(self, change_by: int, known: dict[int, int]) -> dict[int, int]:
        """Return the fields that change where a number is added to a state of which this is known.

        Atoms that are put without having been taken are bits of their own that are 0.
        """
        before = sum(value << self.fields[place].offset for place, value in known.items())
        after = before + change_by
        return {
            place: field.number(after)
            for place, field in enumerate(self.fields)
            if (before ^ after) & field.mask
        }

    def _made(
        self, rule: int, cost: int, tests: dict[int, int], misses: list[tuple[int, int]],
        sets: dict[int, int], copies: dict[int, int],
    ) -> Transition:  # fmt: skip
        for place in sets.keys() - tests.keys():
            if self.fields[place].values[0] is None:
                tests = tests | {place: 0}  # it was proved that no other atom is there
        missed = {one for one in misses if one[0] not in tests}
        return Transition(
            rule, cost, tuple(sorted(tests.items())), tuple(sorted(missed)),
            tuple(sorted(sets.items())), tuple(sorted(copies.items())),
        )  # fmt: skip
