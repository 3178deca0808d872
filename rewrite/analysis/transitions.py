"""Transitions: what the ground rules of a program do, as tests and effects on fields.

A change that uses a table is expanded, one transition per entry: this form is for reasoning about
rules (inverse rules, symmetry, estimates), not for running them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from attrs import evolve, frozen

from rewrite.analysis.fields import Field, Places
from rewrite.budget import tick, ticking
from rewrite.compile.slots.changes import NEVER_HELD, Change, Lookup
from rewrite.compile.slots.keys import Unsuitable

MOST_ENTRIES = 200_000
"""Most table entries expanded, over all rules."""
MOST_MAPPED = 4_000
"""Most transitions into which those with maps are written out: that says more of each value."""

Entries = Callable[[int, tuple[Lookup, ...]], Callable[[int], Iterable[tuple[Any, int]]]]
"""Takes the number of a rule and its look-ups; returns the function from the bits they read to
(cost, what is added to the state) for each way in which they apply. Supplied by an engine."""
Pairs = tuple[tuple[int, int], ...]
Maps = tuple[tuple[int, int, tuple[int, ...]], ...]
Held = dict[int, int]
"""What fields hold."""
Way = tuple[int, Held, Held, Held, Maps]
"""The cost, tests, sets, copies and maps of one way in which a change applies."""


@frozen
class Transition:
    """One ground rule over fields, which are referred to by number.

    tests    (field, value): it applies if the field holds the value, for all of these
    misses   (field, value): and if the field does not hold it
    sets     (field, value): afterwards the field holds the value
    copies   (field, other): afterwards it holds what the other held before
    maps     (field, other, table): afterwards it holds what the table says of what the other held;
             NEVER_HELD for what the other one never holds then
    guards   tested fields for which the rule itself does not ask for "no term": if one held a term,
             the result would have two equal terms, which is no state over fields
    free     whether it belongs to a free move
    A field occurs at most once in `sets`, `copies` and `maps`; all others stay. All are sorted.
    """

    rule: int
    cost: int
    tests: Pairs
    misses: Pairs
    sets: Pairs
    copies: Pairs
    guards: tuple[int, ...] = ()
    free: bool = False
    maps: Maps = ()

    @property
    def written(self) -> set[int]:
        mapped = {field for field, _, _ in self.maps}
        return mapped.union([field for field, _ in (*self.sets, *self.copies)])

    @property
    def sources(self) -> set[int]:
        """The fields of which others get what they hold, as it is or translated."""
        mapped = {source for _, source, _ in self.maps}
        return mapped.union([source for _, source in self.copies])

    @property
    def read(self) -> set[int]:
        tested = {field for field, _ in (*self.tests, *self.misses)}
        return tested | self.sources

    def testing(self, wanted: Iterable[int], fields: Sequence[Field]) -> Iterator[Transition]:
        """Yield equivalent transitions that test all these fields and copy or map none of them."""
        known, wanted = dict(self.tests), {*wanted}
        new = sorted(wanted - known.keys())
        options = [self.possible(field, fields) for field in new]
        for values in product(*options):
            tests = known | dict(zip(new, values, strict=True))
            copied = {field: tests[source] for field, source in self.copies if source in wanted}
            copied |= {
                field: table[tests[source]]
                for field, source, table in self.maps
                if source in wanted
            }
            yield evolve(
                self, tests=pairs(tests),
                misses=tuple([miss for miss in self.misses if miss[0] not in new]),
                sets=pairs(dict(self.sets) | copied),
                copies=tuple([copy for copy in self.copies if copy[1] not in wanted]),
                maps=tuple([one for one in self.maps if one[1] not in wanted]),
            )  # fmt: skip

    def possible(self, field: int, fields: Sequence[Field]) -> list[int]:
        """Return the numbers that a field which is not tested may hold where this applies."""
        never = {value for at, value in self.misses if at == field}
        for _, source, table in self.maps:
            if source == field:
                never |= {value for value, after in enumerate(table) if after == NEVER_HELD}
        return [value for value in range(len(fields[field].values)) if value not in never]

    def within(self, local: Mapping[int, int]) -> Transition:
        """Return its restriction to some fields, renumbered; its rule is 0."""

        def own(given: Pairs) -> Pairs:
            return tuple(sorted((local[field], value) for field, value in given if field in local))

        copies = {local[to]: local[source] for to, source in self.copies
                  if to in local and source in local}  # fmt: skip
        maps = tuple(sorted([
            (local[to], local[source], table) for to, source, table in self.maps
            if to in local and source in local
        ]))  # fmt: skip
        return Transition(
            0, self.cost, own(self.tests), own(self.misses), own(self.sets), pairs(copies),
            maps=maps,
        )  # fmt: skip


def pairs(given: Mapping[int, int]) -> Pairs:
    return tuple(sorted(given.items()))


def transitions(
    changes: Sequence[tuple[int, Change]], given: Sequence[Field], entries: Entries,
    sets: bool = False,
) -> list[Transition]:  # fmt: skip
    """Return the transitions of all (number of the rule, change), in order. Raises Unsuitable.

    sets   whether terms are put that may be there already

    What others get from tables is written out value by value, unless that is too much.
    """
    if any(change.effects for _, change in changes):
        raise Unsuitable("its rules have effects, which depend on the state")
    written_out = _WrittenOut(given, entries, sets)
    found = [one for rule, change in ticking(changes, 10) for one in written_out.of(rule, change)]
    entered = sum(
        prod(len(given[field].values) for field in one.sources) for one in found if one.maps
    )
    if not 0 < entered <= MOST_MAPPED:
        return found
    return [
        known
        for one in ticking(found, 2)
        for known in (one.testing(one.sources, given) if one.maps else (one,))
    ]


def relaxed(
    changes: Sequence[tuple[int, Change]], given: Sequence[Field], entries: Entries
) -> list[tuple[int, Transition]]:
    """Return each effect as a transition, with the number of its change. Raises Unsuitable."""
    written_out = _WrittenOut(given, entries, True)
    return [
        (number, one)
        for number, (rule, change) in enumerate(ticking(changes, 10))
        for part in change.parts
        for one in written_out.of(rule, part)
    ]


def written_out(changes: Sequence[tuple[int, Change]], given: Sequence[Field]) -> int:
    """Return about how many table entries `transitions` would look up."""
    places = Places(given)
    return sum(
        prod(len(given[place].values) for place in places.of(change.lookups[0].reads))
        for _, change in changes
        if change.lookups
    )


class _WrittenOut:
    def __init__(self, given: Sequence[Field], entries: Entries, sets: bool) -> None:
        self.fields, self.entries, self.left = given, entries, MOST_ENTRIES
        self.sets = sets
        self.places = Places(given)
        self.by_mask = {field.mask: number for number, field in enumerate(given)}
        self.by_offset = {field.offset: number for number, field in enumerate(given)}
        self.pairs: dict[tuple[int, int], tuple[int, int]] = {}  # tests that many rules share

    def of(self, rule: int, change: Change) -> Iterable[Transition]:
        guards = tuple(self.places.of(change.guard))
        tests = dict(map(self._pair, change.tests))
        tests |= dict.fromkeys(guards, 0)  # else a term would occur twice: the search restarts
        misses = {*map(self._pair, change.misses)}
        for cost, known, sets, copies, maps in self._ways(rule, change, tests):
            for place in sets.keys() - known.keys():
                values = self.fields[place].values
                alone = len(values) == 2  # its own bit, which a set may have already
                if values[0] is None and not (self.sets and alone):
                    known = known | {place: 0}  # proved: no other atom is there
            missed = tuple(sorted(one for one in misses if one[0] not in known))
            yield Transition(
                rule, cost, pairs(known), missed, pairs(sets), pairs(copies), guards, maps=maps
            )

    def _ways(self, rule: int, change: Change, tests: Held) -> Iterable[Way]:
        if change.lookups:
            yield from self._looked_up(rule, change, tests)
        elif type(change.cost) is not int:
            raise Unsuitable("a cost that is computed")
        elif change.flip is not None:
            # what no test mentions holds no term: `RuleInstances` drops everything else
            after = self._code(tests) ^ change.flip
            yield change.cost, tests, self._held(after, change.flip), {}, ()
        else:
            sources = {
                (field.offset + shift, field.bits): place
                for mask, shift in change.copies
                for place in self.places.of(mask)
                for field in [self.fields[place]]
            }
            sets, copies = self._held(change.fill, change.clear), dict[int, int]()
            maps = tuple(sorted([
                (self.by_offset[target], self.by_offset[source], table)
                for source, _, target, table in change.maps
            ]))  # fmt: skip
            for place, *_ in maps:
                del sets[place]
            for place in [*sets]:
                source = sources.get((self.fields[place].offset, self.fields[place].bits))
                if source is not None:
                    del sets[place]
                    copies[place] = source
            yield change.cost, tests, sets, copies, maps

    def _looked_up(self, rule: int, change: Change, tests: Held) -> Iterable[Way]:
        entries = self.entries(rule, change.lookups)
        reads = change.lookups[0].reads
        places = self.places.of(reads)
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
            known = tests | read
            before = self._code(known)
            for cost, change_by in entries(self._code(read)):
                if type(cost) is not int or cost < 0:
                    raise Unsuitable("a cost that is not a number of 0 or more")
                # atoms put without having been taken have bits of their own, which are 0
                after = before + change_by
                yield cost, known, self._held(after, before ^ after), {}, ()

    def _pair(self, test: tuple[int, int]) -> tuple[int, int]:
        found = self.pairs.get(test)
        if found is None:
            place = self.by_mask[test[0]]
            found = self.pairs[test] = place, self.fields[place].number(test[1])
        return found

    def _code(self, held: Mapping[int, int]) -> int:
        return sum(value << self.fields[place].offset for place, value in held.items())

    def _held(self, code: int, mask: int) -> dict[int, int]:
        return {place: self.fields[place].number(code) for place in self.places.of(mask)}
