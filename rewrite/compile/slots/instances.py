"""The changes of the instances of a rule: what they test and write, see `changes`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve

from rewrite.budget import ticking
from rewrite.compile.interning import key_of
from rewrite.compile.rule_properties import interchangeable_takes
from rewrite.compile.slots.asked import Asked, Matches
from rewrite.compile.slots.cases import (
    GONE,
    Conjunction,
    Formula,
    Numbers,
    cases,
    joined,
    only,
)
from rewrite.compile.slots.changes import Change, Lookup, Pair, Spot
from rewrite.compile.slots.grounding import Grounder, matching
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.layout import Place, SlotLayout
from rewrite.compile.slots.plain import Plain
from rewrite.compile.slots.prepared import GroundRule, Inner, Instance
from rewrite.compile.slots.reads import NO_NUMBERS, Reads, Write, changed
from rewrite.language.evaluation import Failed

TICKS_AN_INSTANCE = 20
MOST_LOOKUPS = 10_000
MOST_RESULTS = 100_000
"""What is evaluated for an entry of a table: beyond that, a multiset joins what matches."""


class RuleInstances:
    """All instances of a rule, or of a condition written as a rule."""

    def __init__(
        self, prepared: GroundRule, layout: SlotLayout, grounder: Grounder, every: bool = False,
        inside: bool = False,
    ) -> None:  # fmt: skip
        self.prepared, self.rule, self.layout = prepared, prepared.rule, layout
        self.grounder, self.every, self.inside = grounder, every, inside
        self.reads = Reads(prepared, layout, every)
        self.slot_places, self.atom_places = self.reads.slot_places, self.reads.atom_places
        self.any_places = self.reads.any_places
        self.partners = [
            (place, partner)
            for place, partner in enumerate(interchangeable_takes(self.rule))
            if partner is not None
        ]
        self.rest = Asked(prepared, grounder, self._domain, self._within)
        self.absences: dict[Any, list[Pair] | None] = {}
        """The fields, and their numbers, that a pattern of `absent` matches, by what is shown; None
        for a fact that always holds."""

    def refuse_long(self, instances: list[Instance]) -> None:
        """Raise Unsuitable if asking which values apply takes too long: some 50 µs for each."""
        for number, part in enumerate([] if self.reads.parts is None else self.reads.parts.parts):
            if part is None or part.plain or self.layout.sets:
                continue
            asked = {tuple([one.ground[at] for _, at in part.used]) for one in instances}
            if len(asked) * len(self.reads.families[number].values) > MOST_RESULTS:
                raise Unsuitable(
                    f"rule {self.rule.name!r} asks of more than {MOST_RESULTS:,} combinations of "
                    "values and facts whether it applies",
                    rule=self.rule.name,
                )

    # -- instances -------------------------------------------------------------------------
    def changes(self, instances: list[Instance]) -> list[Change]:
        """Return the changes of all instances, without duplicates unless all are counted."""
        return self.parted([instances])[0]

    def parted(self, groups: list[list[Instance]]) -> list[list[Change]]:
        """Return the changes of groups of instances, each as `changes` does."""
        self.rest.ask([one for group in groups for one in group])
        try:
            plain = self._plain()
            return [self._changes_of(group, plain) for group in groups]
        except Failed:  # of values that may never come up: then the search fails, or does not
            self.reads.split(None)
            return [self._changes_of(group, None) for group in groups]

    def _plain(self) -> Plain | None:
        """Return what reads instances of which each part asks for one field, if these are such."""
        if self.prepared.asked or self.reads.parts is None:
            return None
        return Plain(self.reads, self._absent)

    def _changes_of(self, instances: list[Instance], plain: Plain | None) -> list[Change]:
        found: dict[Any, Change] = {}
        lookups: dict[Any, list[Lookup]] = {}
        for number, instance in enumerate(ticking(instances, TICKS_AN_INSTANCE)):
            if self.partners and any(
                key_of(instance.take[place]) < key_of(instance.take[partner])
                for place, partner in self.partners
            ):
                continue  # the same instance with its roles swapped
            known = None if plain is None else plain.of(instance)
            for change in self._changes(instance) if known is None else (known,):
                tests = (change.tests, change.misses)
                effect: Any = (
                    tests, change.flip, change.clear, change.fill, change.copies, change.maps,
                    change.cost,
                )  # fmt: skip
                if self.every:
                    effect = (number, tests)
                elif change.lookups:  # one table serves all that read the same slots
                    effect = (tests, change.guard, change.lookups[0].reads)
                    some = lookups.setdefault(effect, [])
                    some += change.lookups
                    if len(some) > MOST_LOOKUPS:
                        raise Unsuitable(
                            f"rule {self.rule.name!r} compares what slots hold with more than "
                            f"{MOST_LOOKUPS:,} combinations of facts",
                            rule=self.rule.name,
                        )
                found.setdefault(effect, change)
        for effect, some in lookups.items():
            found[effect] = evolve(found[effect], lookups=tuple(some))
        return list(found.values())

    def _changes(self, instance: Instance) -> Iterator[Change]:
        gone = before = 0
        for place in self._atoms("take", instance.take):
            gone, before = gone | place.mask, before | place.value
        spots = self.spots(instance)
        for known in self.cases(instance, spots):
            asked = self._tests(known, self._unique(known, spots) if self.reads.exchanged else {})
            if asked is None:
                continue
            tests, misses = asked
            put = self.reads.atoms_put(instance.put, gone, tests)
            if put is None:
                continue
            given, fill, guard = put
            if self.reads.parts is None:
                lookups = (self._looked_up(instance, spots, before, fill),)
                pairs, cost = tuple(tests.items()), self.rule.cost
                yield Change(pairs, lookups=lookups, guard=guard, cost=cost, misses=misses)
                continue
            paid = self.reads.cost(instance.ground)
            if paid is None:
                continue
            writes = self._writes(instance, spots, self.reads.parts.sources, known)
            yield changed(tests, misses, gone | given, fill, writes, guard, paid)

    # -- what must hold --------------------------------------------------------------------
    def cases(self, instance: Instance, spots: list[Spot]) -> list[Conjunction]:
        """Return what fields must hold, in cases that exclude each other."""
        asks = self.prepared.asked or self.any_places
        gone = self._gone(instance, spots) if asks else NO_NUMBERS
        needed = self._needed(instance, spots, gone)
        if needed is None:
            return []
        formulas: list[Formula] = []
        for one in self.prepared.asked:
            units, more = self.rest.of(one, instance.ground, gone)
            both = None if units is None else joined(needed, units)
            if both is None:
                return []
            needed, formulas = both, [*formulas, *more]
        return cases(needed, formulas, self._domain) if formulas else [needed]

    def _gone(self, instance: Instance, spots: list[Spot]) -> frozenset[int]:
        """Return the fields of which the terms are taken."""
        gone = [one.mask_at(offset) for one, offset in spots[: len(self.slot_places["take"])]]
        return frozenset([*gone, *[at.mask for at in self._atoms("take", instance.take)]])

    def _domain(self, mask: int) -> Numbers:
        """Return what a field may hold; to what is inside a rule its term may be gone."""
        domain = self.layout.domain(mask)
        return Numbers(domain.listed | {GONE}) if self.inside and not domain.but else domain

    def _needed(
        self, instance: Instance, spots: list[Spot], gone: frozenset[int]
    ) -> dict[int, Numbers] | None:
        """Return what the patterns ask of fields by themselves; None: they never all match."""
        _, take, keep, _, absent = instance
        taken, kept = self._atoms("take", take), self._atoms("keep", keep)
        if len({place.mask for place in (*taken, *kept)}) != len(taken) + len(kept):
            return None  # one atom twice, or two that exclude each other
        needed = {place.mask: only(place.number) for place in (*taken, *kept)}
        for read, (slots, offset), (_, values) in zip(
            self.reads.allowed, spots, self._shown(instance), strict=True
        ):
            numbers = read(instance.ground, values)
            if numbers.none:
                return None
            needed[slots.mask_at(offset)] = numbers
        absent_from: dict[int, set[int]] = {}
        for place in self.atom_places["absent"]:
            found = self._absent(place, absent[place])
            if found is None:
                return None  # a fact, which always holds
            for mask, number in found:
                if all(at.mask != mask or at.number != number for at in taken):
                    absent_from.setdefault(mask, set()).add(number)
        for place in self.any_places:
            for mask, number in self._absent(place, absent[place]) or ():
                if mask not in gone:
                    absent_from.setdefault(mask, set()).add(number)
        if not absent_from:
            return needed
        without = {at: Numbers(frozenset(numbers), True) for at, numbers in absent_from.items()}
        return joined(needed, without)

    def _absent(self, place: int, shown: Any) -> list[Pair] | None:
        """Return what `absences` holds; many instances ask the same."""
        key = (place, shown)
        if key not in self.absences:
            find = self._in_any if place in self.any_places else self._atoms_of
            self.absences[key] = find(self.rule.absent[place], shown)
        return self.absences[key]

    def _atoms_of(self, pattern: Any, shown: Any) -> list[Pair] | None:
        places = [
            self.layout.atoms.get(one) for one in matching(pattern, shown, self.grounder.known)
        ]
        return None if None in places else [(at.mask, at.number) for at in places if at is not None]

    def _in_any(self, pattern: Any, shown: Any) -> list[Pair]:
        (keys, values), slots = shown, self.reads.slots(pattern)
        if slots.closed and values not in slots.numbers:
            return []
        number = slots.number(values)
        found = []
        for term in matching(pattern, keys, self.grounder.known):
            key = tuple([term[at + 1] for at in slots.family.key])
            found.append((slots.mask_at(slots.offsets[key]), number))
        return found

    def _shown(self, instance: Instance) -> list[tuple[Any, Any]]:
        """Return the key and the values of each slot that is read."""
        found = [instance.take[place] for place in self.slot_places["take"]]
        return found + [instance.keep[place] for place in self.slot_places["keep"]]

    def spots(self, instance: Instance) -> list[Spot]:
        return [
            (slots, slots.offsets[key])
            for slots, (key, _) in zip(self.reads.families, self._shown(instance), strict=True)
        ]

    def _unique(self, known: Conjunction, read: list[Spot]) -> dict[int, set[int]]:
        """Return the numbers that fields never hold where others hold what is tested.

        Where rules only exchange the values of a family, one that stands once in the start never
        stands twice: what one slot is tested for no other one holds.
        """
        found: dict[int, set[int]] = {}
        spots = [(slots, slots.mask_at(offset)) for slots, offset in read]
        for slots, mask in spots:
            number = known[mask].single
            if number is None or number not in slots.unique:
                continue
            for family, other in spots:
                if family is slots and other != mask:
                    found.setdefault(other, set()).add(number)
        return found

    def _tests(
        self, known: Conjunction, never: dict[int, set[int]]
    ) -> tuple[dict[int, int], tuple[Pair, ...]] | None:
        """Return what must hold as tests, by masks, and misses; None: it never does."""
        tests: dict[int, int] = {}
        misses: tuple[Pair, ...] = ()
        for mask, numbers in known.items():
            out = frozenset(never[mask]) if mask in never else NO_NUMBERS
            asked = self.reads.asked(mask, numbers, out)
            if asked is None:
                return None
            test, missed = asked
            if test is not None:
                tests[mask] = test
            misses += missed
        return tests, misses

    def _within(self, inner: Inner, given: Iterable[tuple[Any, ...]]) -> Matches | None:
        """Return what the matches of patterns inside the rule ask of fields: see `Asked`."""
        within = RuleInstances(inner.rule, self.layout, self.grounder, inside=True)
        if within.reads.parts is None:
            return None
        found = self.grounder.matches(inner, given)
        within.rest.ask([one for some in found.values() for one in some])
        return {
            values: [case for one in ticking(some) for case in within.cases(one, within.spots(one))]
            for values, some in found.items()
        }

    # -- what changes ----------------------------------------------------------------------
    def _atoms(self, part: str, shown: Any) -> list[Place]:
        return [self.layout.atoms[shown[place]] for place in self.atom_places[part]]

    def _shown_slots(self, part: str, shown: Any) -> Iterator[tuple[Any, Any]]:
        found = [shown[place] for place in self.slot_places[part]]
        return zip(self.prepared.patterns(part), found, strict=True)

    def _at(self, pattern: Any, value: Any) -> Spot:
        slots = self.reads.slots(pattern)
        return slots, slots.offsets[value[0]]

    def _looked_up(self, instance: Instance, read: list[Spot], before: int, after: int) -> Lookup:
        """`before`, `after`: the bits of the atoms that it takes, and of those that it puts."""
        gone = [self._at(*one) for one in self._shown_slots("take", instance.take)]
        spots = [*read]
        targets = [spots.index(self._at(*one)) for one in self._shown_slots("put", instance.put)]
        for pattern, value in self._shown_slots("absent", instance.absent):
            slots = self.reads.slots(pattern)
            offset = slots.offsets.get(value[0], -1)
            spots.append((slots, -1 if (slots, offset) in gone else offset))
        return Lookup(
            instance.ground, tuple(spots), tuple(targets), before & ~after, after & ~before
        )

    def _writes(
        self, instance: Instance, spots: list[Spot], sources: tuple[tuple[int, int] | None, ...],
        known: Conjunction,
    ) -> list[Write]:  # fmt: skip
        found = []
        for (pattern, shown), source in zip(
            self._shown_slots("put", instance.put), sources, strict=True
        ):
            if source is None:
                found.append(self.reads.known(pattern, shown))
                continue
            slots, at = spot = spots[source[0]]
            allowed = known[slots.mask_at(at)]
            key, ground = shown[0], instance.ground
            found.append(self.reads.copied(pattern, key, source, spot, allowed, ground))
        return found
