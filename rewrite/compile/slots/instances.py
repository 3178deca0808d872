"""The changes of the instances of a rule: what they test and write, see `changes`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from attrs import evolve

from rewrite.budget import ticking
from rewrite.compile.interning import key_of, term_type_of
from rewrite.compile.rule_properties import interchangeable_takes
from rewrite.compile.slots.asked import Asked, Matches
from rewrite.compile.slots.cases import (
    GONE,
    NOTHING,
    THERE,
    Conjunction,
    Formula,
    Numbers,
    cases,
    joined,
    only,
)
from rewrite.compile.slots.changes import NEVER_HELD, Change, Lookup, Map, Pair, Spot
from rewrite.compile.slots.grounding import Grounder, matching
from rewrite.compile.slots.keys import Family, Unsuitable
from rewrite.compile.slots.layout import Place, SlotLayout, Slots, lowest
from rewrite.compile.slots.parts import Part, Separated, separated
from rewrite.compile.slots.plain import Plain
from rewrite.compile.slots.prepared import GroundRule, Inner, Instance
from rewrite.language.evaluation import Failed
from rewrite.language.expressions import Variable

TICKS_AN_INSTANCE = 20
NO_NUMBERS = frozenset[int]()


class RuleInstances:
    """All instances of a rule, or of a condition written as a rule."""

    def __init__(
        self, prepared: GroundRule, layout: SlotLayout, grounder: Grounder, every: bool = False,
        inside: bool = False,
    ) -> None:  # fmt: skip
        self.prepared, self.rule, self.layout = prepared, prepared.rule, layout
        self.grounder, self.every, self.inside = grounder, every, inside
        self.places = {part: prepared.of(part) for part in ("take", "keep", "put", "absent")}
        self.slot_places = {
            part: [place for place, kind in enumerate(kinds) if kind == "slot"]
            for part, kinds in self.places.items()
        }
        self.atom_places = {
            part: [place for place, kind in enumerate(kinds) if kind == "atom"]
            for part, kinds in self.places.items()
        }
        self.any_places = [at for at, kind in enumerate(self.places["absent"]) if kind == "any"]
        self.reads = [*self._slot_patterns("take"), *self._slot_patterns("keep")]
        self.families = [self.slots(pattern) for pattern in self.reads]
        self._set_parts(self._parts())
        self.rest = Asked(prepared, grounder, self._domain, self._within)
        self.read: dict[Any, tuple[int | None, tuple[Pair, ...] | None]] = {}
        """The test or the misses of a field, by what it must hold."""
        self.absences: dict[Any, list[Pair] | None] = {}
        """The fields, and their numbers, that a pattern of `absent` matches, by what is shown."""
        self.exchanged = (prepared.rule.take or prepared.rule.put) and any(
            self.slots(pattern).unique for pattern in self.reads
        )

    # -- shape -----------------------------------------------------------------------------
    def family(self, pattern: Any) -> Family:
        found = self.layout.found.family(pattern)
        assert found is not None
        return found

    def slots(self, pattern: Any) -> Slots:
        return self.layout.slots[pattern.term_identity()]

    def _slot_patterns(self, part: str) -> list[Any]:
        patterns = getattr(self.rule, part)
        return [patterns[place] for place in self.slot_places[part]]

    def _set_parts(self, parts: Separated | None) -> None:
        self.parts = parts
        self.allowed = [self._allows(number) for number in range(len(self.reads))]

    def _parts(self) -> Separated | None:
        """Return the rule in parts; None where it needs a table of combinations.

        What slots hold that are open is only copied from one to another of the same family.
        """
        if type(self.rule.cost) is not int:
            return None
        found = separated(self.prepared, self.layout.found)
        if found is None:
            return None
        for number, part in enumerate(found.parts):
            if part is None:
                continue
            pattern, slots = self.reads[number], self.families[number]
            targets = self._targets(found, number)
            closed = all(one.closed for one in (slots, *targets))
            same = all(one is slots for one in targets)
            copies = part.plain and all(part.copied) and same and self._admits(pattern)
            if not copies and (self.every or not closed):
                return None
        return found

    def _targets(self, parts: Separated, number: int) -> list[Slots]:
        """Return the families of what is put from the values of one slot read."""
        puts = zip(self._slot_patterns("put"), parts.sources, strict=True)
        return [self.slots(put) for put, source in puts if source and source[0] == number]

    def _admits(self, pattern: Any) -> bool:
        """Whether the kinds of variables admit every value that such a slot can hold."""
        slots = self.slots(pattern)
        for index, variable in enumerate(self.family(pattern).values_of(pattern)):
            kind = variable.kind if isinstance(variable, Variable) else "term"
            if kind == "term":
                continue
            if kind == "constructor" or any(
                term_type_of(value[index]) != kind for value in slots.values
            ):
                return False
            put = self.layout.put_kinds[pattern.term_identity()][index]
            if not slots.closed and not put <= {kind}:
                return False
        return True

    # -- instances -------------------------------------------------------------------------
    def changes(self, instances: list[Instance]) -> list[Change]:
        """Return the changes of all instances, without duplicates unless all are counted."""
        return self.parted([instances])[0]

    def parted(self, groups: list[list[Instance]]) -> list[list[Change]]:
        """Return the changes of groups of instances, each as `changes` does."""
        self.rest.ask([one for group in groups for one in group])
        try:
            return [self._changes_of(group) for group in groups]
        except Failed:  # of values that may never come up: then the search fails, or does not
            self._set_parts(None)
            return [self._changes_of(group) for group in groups]

    def _changes_of(self, instances: list[Instance]) -> list[Change]:
        partners = [
            (place, partner)
            for place, partner in enumerate(interchangeable_takes(self.rule))
            if partner is not None
        ]
        found: dict[Any, Change] = {}
        plain = self._plain()
        for number, instance in enumerate(ticking(instances, TICKS_AN_INSTANCE)):
            if partners and any(
                key_of(instance.take[place]) < key_of(instance.take[partner])
                for place, partner in partners
            ):
                continue  # the same instance with its roles swapped
            if plain is not None:
                known = plain.of(instance.take, instance.keep, instance.put)
                if known is not None:
                    key = number if self.every else known
                    if key not in found:
                        found[key] = Change(*known[:4], guard=known[4], cost=self.rule.cost)
                    continue
            for change in self._changes(instance):
                tests = (change.tests, change.misses)
                effect: Any = (
                    tests, change.flip, change.clear, change.fill, change.copies, change.maps,
                )  # fmt: skip
                if self.every:
                    effect = (number, tests)
                elif change.lookups:  # one table serves all that read the same slots
                    effect = (tests, change.guard, change.lookups[0].reads)
                    if effect in found:
                        more = (*found[effect].lookups, *change.lookups)
                        found[effect] = evolve(change, lookups=more)
                found.setdefault(effect, change)
        return list(found.values())

    def _plain(self) -> Plain | None:
        """Return what reads instances of atoms alone, if these are."""
        asks = self.prepared.asked or self.rule.absent or any(self.slot_places.values())
        if asks or self.parts is None:
            return None
        return Plain(self.layout, *[self.atom_places[part] for part in ("take", "keep", "put")])

    def _changes(self, instance: Instance) -> Iterator[Change]:
        taken, given = self._atoms("take", instance.take), self._atoms("put", instance.put)
        spots = self.spots(instance)
        for known in self.cases(instance, spots):
            asked = self._tests(known, self._unique(known, spots) if self.exchanged else {})
            if asked is None:
                continue
            tests, misses = asked
            if self._crowds(taken, given, tests):
                continue
            made = partial(
                Change, tuple(tests.items()), misses=misses,
                guard=self._guard(taken, given, tests), cost=self.rule.cost,
            )  # fmt: skip
            yield (
                made(lookups=(self._looked_up(instance, spots, taken, given),))
                if self.parts is None
                else self._written(made, instance, spots, self.parts, known, tests, taken, given)
            )

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
            self.allowed, spots, self._shown(instance), strict=True
        ):
            numbers = read(instance.ground, values)
            if numbers.none:
                return None
            needed[slots.mask_at(offset)] = numbers
        absent_from: dict[int, set[int]] = {}
        for place in self.atom_places["absent"]:
            found = self._absent(place, absent[place], self._atoms_of)
            if found is None:
                return None  # a fact, which always holds
            for mask, number in found:
                if all(at.mask != mask or at.number != number for at in taken):
                    absent_from.setdefault(mask, set()).add(number)
        for place in self.any_places:
            for mask, number in self._absent(place, absent[place], self._in_any) or ():
                if mask not in gone:
                    absent_from.setdefault(mask, set()).add(number)
        if not absent_from:
            return needed
        without = {at: Numbers(frozenset(numbers), True) for at, numbers in absent_from.items()}
        return joined(needed, without)

    def _absent(
        self, place: int, shown: Any, find: Callable[[Any, Any], list[Pair] | None]
    ) -> list[Pair] | None:
        """Return what `find` finds of a pattern of `absent`: many instances ask the same."""
        key = (place, shown)
        if key not in self.absences:
            self.absences[key] = find(self.rule.absent[place], shown)
        return self.absences[key]

    def _atoms_of(self, pattern: Any, shown: Any) -> list[Pair] | None:
        """Return the fields, and their numbers, of atoms that must be absent; None: one is there
        in all states.
        """
        places = [
            self.layout.atoms.get(one) for one in matching(pattern, shown, self.grounder.known)
        ]
        return None if None in places else [(at.mask, at.number) for at in places if at is not None]

    def _in_any(self, pattern: Any, shown: Any) -> list[Pair]:
        """Return the fields, and their number, in which something must be absent."""
        (keys, values), slots, family = shown, self.slots(pattern), self.family(pattern)
        if slots.closed and values not in slots.numbers:
            return []
        number = slots.number(values)
        found = []
        for term in matching(pattern, keys, self.grounder.known):
            key = tuple([term[at + 1] for at in family.key])
            found.append((slots.mask_at(slots.offsets[key]), number))
        return found

    def _shown(self, instance: Instance) -> list[tuple[Any, Any]]:
        """Return the key and the values of each slot that is read."""
        found = [instance.take[place] for place in self.slot_places["take"]]
        return found + [instance.keep[place] for place in self.slot_places["keep"]]

    def spots(self, instance: Instance) -> list[Spot]:
        """Return the slots that are read."""
        return [
            (slots, slots.offsets[key])
            for slots, (key, _) in zip(self.families, self._shown(instance), strict=True)
        ]

    def _allows(self, number: int) -> Callable[[tuple[Any, ...], tuple[Any, ...]], Numbers]:
        """Return what gives, for an instance, the numbers that a slot read must hold one of.

        It takes the values of the instance's ground variables, and those that are shown of it.
        """
        pattern, slots = self.reads[number], self.families[number]
        part = None if self.parts is None else self.parts.parts[number]
        if self.prepared.knows(self.family(pattern).values_of(pattern)):

            def known(_: Any, values: tuple[Any, ...]) -> Numbers:
                if slots.closed and values not in slots.numbers:
                    return NOTHING
                return only(slots.number(values))

            return known
        copied = part is not None and part.plain and all(part.copied)
        if part is None or not slots.closed or (copied and self._admits(pattern)):
            return lambda ground, values: THERE

        assert self.parts is not None
        targets = self._targets(self.parts, number)

        def becomes(ground: tuple[Any, ...], value: tuple[Any, ...]) -> bool:
            found = part.result(ground, value)
            return found is not None and all(
                one in target.numbers for one, target in zip(found, targets, strict=True)
            )  # what it would become in another slot only never comes up in this one

        def results(ground: tuple[Any, ...], _: Any) -> Numbers:
            numbers = enumerate(slots.values)
            return Numbers(frozenset([at for at, value in numbers if becomes(ground, value)]))

        return results

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
        """Return what must hold as tests, by masks, and misses; None: it never does.

        never   the numbers that fields do not hold anyway
        """
        tests: dict[int, int] = {}
        misses: tuple[Pair, ...] = ()
        for mask, numbers in known.items():
            out = frozenset(never[mask]) if mask in never else NO_NUMBERS
            key = (mask, numbers, out)
            if key not in self.read:
                self.read[key] = self._read(mask, numbers, out)
            test, missed = self.read[key]
            if test is not None:
                tests[mask] = test
            elif missed is None:
                return None
            else:
                misses += missed
        return tests, misses

    def _read(
        self, mask: int, numbers: Numbers, never: frozenset[int]
    ) -> tuple[int | None, tuple[Pair, ...] | None]:
        """Return the test of a field, or its misses; neither, if it never holds such a number."""
        shift, domain = lowest(mask), self.layout.domain(mask) & Numbers(never, True)
        left = domain & numbers
        if left.none:
            return None, None
        if left.single is not None:
            return left.single << shift, None
        out = numbers.listed if domain.but else (domain & ~numbers).listed
        return None, tuple([(mask, number << shift) for number in sorted(out) if number != GONE])

    def _within(self, inner: Inner, given: Iterable[tuple[Any, ...]]) -> Matches | None:
        """Return what the matches of patterns inside the rule ask of fields: see `Asked`."""
        within = RuleInstances(inner.rule, self.layout, self.grounder, inside=True)
        if within.parts is None:
            return None
        found = self.grounder.matches(inner, given)
        within.rest.ask([one for some in found.values() for one in some])
        return {
            values: [case for one in ticking(some) for case in within.cases(one, within.spots(one))]
            for values, some in found.items()
        }

    # -- what changes ----------------------------------------------------------------------
    def _atoms(self, part: str, shown: Any) -> list[Place]:
        """Return the places of the atoms of a part."""
        return [self.layout.atoms[shown[place]] for place in self.atom_places[part]]

    def _guard(self, taken: list[Place], given: list[Place], tests: dict[int, int]) -> int:
        """Return the bits that must be 0, or the state would hold an atom twice.

        Only atoms with a bit of their own can be put while they hold already; for the others that
        was ruled out by proof.
        """
        if len(given) != len({place.mask for place in given}):
            raise Unsuitable(
                f"rule {self.rule.name!r} puts one term twice",
                "keep how many there are in one term, or give each a place",
                rule=self.rule.name,
            )
        guard = 0
        for place in given:
            alone = not self.layout.choices[place.mask].shared
            if alone and place not in taken and tests.get(place.mask) != 0:
                guard |= place.mask
        return guard

    def _crowds(self, taken: list[Place], given: list[Place], tests: dict[int, int]) -> bool:
        """Whether an atom would be put beside one that excludes it.

        That was proved impossible, so the instance never applies. Otherwise a shared slot that
        gets an atom, and from which none is taken, is empty.
        """
        left = {place.mask for place in taken}
        return any(
            choice.shared
            and place.mask not in left
            and (tests.get(place.mask, 0) != 0 or not choice.optional)
            for place in given
            for choice in [self.layout.choices[place.mask]]
        )

    def _shown_slots(self, part: str, shown: Any) -> list[tuple[Any, Any]]:
        """Return the slot patterns of a part, each with its key and values."""
        patterns = getattr(self.rule, part)
        return [(patterns[place], shown[place]) for place in self.slot_places[part]]

    def _at(self, pattern: Any, value: Any) -> Spot:
        slots = self.slots(pattern)
        return slots, slots.offsets[value[0]]

    def _looked_up(
        self, instance: Instance, read: list[Spot], taken: list[Place], given: list[Place]
    ) -> Lookup:
        gone = [self._at(*one) for one in self._shown_slots("take", instance.take)]
        spots = [*read]
        targets = [spots.index(self._at(*one)) for one in self._shown_slots("put", instance.put)]
        for pattern, value in self._shown_slots("absent", instance.absent):
            slots = self.slots(pattern)
            offset = slots.offsets.get(value[0], -1)
            spots.append((slots, -1 if (slots, offset) in gone else offset))
        before, after = _bits(taken), _bits(given)
        return Lookup(
            instance.ground, tuple(spots), tuple(targets), before & ~after, after & ~before
        )

    def _written(
        self, made: partial[Change], instance: Instance, spots: list[Spot], parts: Separated,
        known: Conjunction, tests: dict[int, int], taken: list[Place], given: list[Place],
    ) -> Change:  # fmt: skip
        """Return the change, complete but for what it writes, with what it writes."""
        clear, fill = _masks(taken) | _masks(given), _bits(given)
        copies, maps = dict[int, int](), list[Map]()
        for (pattern, value), source in zip(
            self._shown_slots("put", instance.put), parts.sources, strict=True
        ):
            slots, offset = self._at(pattern, value)
            numbers: dict[int, int] | None = None
            if source is None:
                clear |= slots.mask_at(offset)
                fill |= slots.number(value[1]) << offset
                continue
            read, at = spots[source[0]]
            part = parts.parts[source[0]]
            assert part is not None
            if read.closed:
                mask = read.mask_at(at)
                allowed = self.layout.domain(mask) & known[mask]
                numbers = self._becomes(part, source[1], read, slots, allowed, instance.ground)
            if numbers is not None and len({*numbers.values()}) == 1:
                clear |= slots.mask_at(offset)
                fill |= next(iter(numbers.values())) << offset
            elif numbers is None or (read is slots and all(a == b for a, b in numbers.items())):
                if at != offset:
                    clear |= slots.mask_at(offset)
                    copies[offset - at] = copies.get(offset - at, 0) | read.mask_at(at)
            else:
                clear |= slots.mask_at(offset)
                held = range(len(read.values))
                table = tuple([numbers.get(number, NEVER_HELD) for number in held])
                maps.append((at, read.bits, offset, table))
        tested = 0
        for mask in tests:
            tested |= mask
        if not copies and not maps and not clear & ~tested:
            old = 0
            for bits in tests.values():
                old |= bits & clear
            return made(flip=old ^ fill)
        moves = tuple([(mask, shift) for shift, mask in copies.items()])
        return made(clear=clear, fill=fill, copies=moves, maps=tuple(maps))

    def _becomes(
        self, part: Part, place: int, read: Slots, slots: Slots, allowed: Numbers,
        ground: tuple[Any, ...],
    ) -> dict[int, int] | None:  # fmt: skip
        """Return what each number of a slot becomes; None where it is copied as it is."""
        listed = sorted(allowed.listed)
        if part.copied[place] and slots is read and len(listed) > 1:
            return None
        found = {}
        for number in listed:
            made = part.result(ground, read.values[number])
            assert made is not None
            found[number] = slots.numbers[made[place]]
        return found


def _bits(places: list[Place]) -> int:
    """Return what the bits of atoms hold if the state holds all of them."""
    found = 0
    for place in places:
        found |= place.value
    return found


def _masks(places: list[Place]) -> int:
    found = 0
    for place in places:
        found |= place.mask
    return found
