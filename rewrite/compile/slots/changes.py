"""What ground rules over slots and bits test and change.

A state is one integer. A ground rule tests `s & mask == value` (or !=). Then it either changes bits
known at compile time (and copies slots) or, where guards or computed values depend on the contents
of slots, its effect is looked up by the slots it reads: a `Lookup`, which an engine turns into a
table. All of this is plain data.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from rewrite.budget import ticking
from rewrite.compile.interning import key_of, term_type_of
from rewrite.compile.rule_properties import interchangeable_takes
from rewrite.compile.slots.grounding import GroundRule, Instance, matching
from rewrite.compile.slots.joins import Known
from rewrite.compile.slots.keys import Family, Unsuitable
from rewrite.compile.slots.layout import Place, SlotLayout, Slots
from rewrite.language.expressions import Variable
from rewrite.language.patterns import mentioned

TICKS_AN_INSTANCE = 20
Spot = tuple[Slots, int]
"""A family of slots and the offset of one of them; -1 if there is nothing to read."""


@frozen
class Lookup:
    """A change that depends on the contents of slots.

    ground   values of the rule's ground variables
    spots    the slots read: first those of `take` and `keep`, then those of `absent`
    targets  for each slot put, the index in `spots` of the slot it writes
    taken, given   the bits of atoms that are cleared and set; disjoint
    """

    ground: tuple[Any, ...]
    spots: tuple[Spot, ...]
    targets: tuple[int, ...]
    taken: int
    given: int

    @property
    def atoms(self) -> int:
        """The difference that the atoms make to the state."""
        return self.given - self.taken

    @property
    def reads(self) -> int:
        """A mask of the bits read."""
        mask = 0
        for slots, offset in self.spots:
            if offset >= 0:
                mask |= ((1 << slots.bits) - 1) << offset
        return mask


@frozen
class Change:
    """What a ground rule does: flip bits (if all old values are tested), or write and copy slots.

    tests   (mask, value) pairs: the change applies where s & mask == value for all of them
    misses  (mask, value) pairs: and s & mask != value for all of these
    flip    the new state is s ^ flip; every slot written was tested
    clear, fill, copies   else: s & ~clear | fill | each (s & mask) shifted left (negative: right)
    lookups else: looked up in a table; several if ground rules read the same slots
    guard   bits that must be 0, or the state would hold a term twice
    """

    tests: tuple[tuple[int, int], ...]
    flip: int | None = None
    clear: int = 0
    fill: int = 0
    copies: tuple[tuple[int, int], ...] = ()
    lookups: tuple[Lookup, ...] = ()
    guard: int = 0
    cost: Any = 1
    misses: tuple[tuple[int, int], ...] = ()

    @property
    def instances(self) -> int:
        """How many ground rules this stands for."""
        return max(1, len(self.lookups))


class RuleInstances:
    """All instances of a rule, or of a condition written as a rule."""

    def __init__(self, prepared: GroundRule, layout: SlotLayout, known: Known) -> None:
        self.prepared, self.rule, self.layout = prepared, prepared.rule, layout
        self.known = known
        self.ground = prepared.known
        self.places = {part: prepared.of(part) for part in ("take", "keep", "put", "absent")}
        self.simple = self._is_simple()

    # -- shape -----------------------------------------------------------------------------
    def family(self, pattern: Any) -> Family:
        found = self.layout.found.family(pattern)
        assert found is not None
        return found

    def slots(self, pattern: Any) -> Slots:
        return self.layout.slots[pattern.term_identity()]

    def _slot_patterns(self, part: str) -> list[tuple[int, Any]]:
        patterns = getattr(self.rule, part)
        return [(i, p) for i, p in enumerate(patterns) if self.places[part][i] == "slot"]

    def _is_simple(self) -> bool:
        """Whether open values are only copied, so that no table is needed."""
        rule = self.rule
        if self._slot_patterns("absent") or type(rule.cost) is not int:
            return False
        for value in (*rule.when, *(part for let in rule.let for part in let)):
            if not (set(mentioned(value)) <= self.ground):
                return False
        open_tuples: dict[str, tuple[Any, ...]] = {}
        seen: set[Variable] = set()
        for part in ("take", "keep"):
            for _, pattern in self._slot_patterns(part):
                values = self.family(pattern).values_of(pattern)
                if self.prepared.knows(values):
                    continue
                for index, value in enumerate(values):
                    if not isinstance(value, Variable) or value in self.ground or value in seen:
                        return False
                    if not self._admits(pattern, index, value):
                        return False
                    seen.add(value)
                if part == "take":
                    open_tuples[repr(values)] = pattern.term_identity()
        for _, pattern in self._slot_patterns("put"):
            values = self.family(pattern).values_of(pattern)
            if self.prepared.knows(values):
                continue
            if open_tuples.get(repr(values)) != pattern.term_identity():
                return False
        return True

    def _admits(self, pattern: Any, index: int, variable: Variable) -> bool:
        """Whether a variable's kind admits every value that such a slot can hold."""
        if variable.kind in ("term", "constructor"):
            return variable.kind == "term"
        identity = pattern.term_identity()
        slots = self.layout.slots[identity]
        for value in slots.values:
            if term_type_of(value[index]) != variable.kind:
                return False
        return slots.closed or self.layout.put_kinds[identity][index] <= {variable.kind}

    # -- instances -------------------------------------------------------------------------
    def changes(self, instances: list[Instance], every: bool = False) -> list[Change]:
        """Return the changes of all instances, without duplicates unless `every`."""
        interchangeable = interchangeable_takes(self.rule)
        found: dict[Any, Change] = {}
        for number, instance in enumerate(ticking(instances, TICKS_AN_INSTANCE)):
            if any(
                partner is not None
                and key_of(instance.take[place]) < key_of(instance.take[partner])
                for place, partner in enumerate(interchangeable)
            ):
                continue  # the same instance with its roles swapped
            change = self._change(instance)
            if change is None:
                continue
            tests = (change.tests, change.misses)
            effect: Any = (tests, change.flip, change.clear, change.fill, change.copies)
            if every:
                effect = number
            elif change.lookups:  # one table serves all instances that read the same slots
                effect = (tests, change.guard, change.lookups[0].reads)
                if effect in found:
                    more = (*found[effect].lookups, *change.lookups)
                    found[effect] = evolve(change, lookups=more)
            found.setdefault(effect, change)
        return list(found.values())

    def _change(self, instance: Instance) -> Change | None:
        ground, take, keep, put, absent = instance
        tests: dict[int, int] = {}  # mask -> value
        taken, kept, given = (
            self._atoms(part, shown)
            for part, shown in (("take", take), ("keep", keep), ("put", put))
        )
        there = [*taken, *kept]
        if len(there) != len({place.mask for place in there}):
            return None  # one atom twice, or two mutually exclusive ones
        tests |= {place.mask: place.value for place in there}
        reads: list[Spot] = []
        for pattern, value in (*self._shown_slots("take", take), *self._shown_slots("keep", keep)):
            slots, offset = spot = self._at(pattern, value)
            reads.append(spot)
            if not self._test(slots, offset, value[1], pattern, tests):
                return None
        extra: list[Spot] = []
        misses: dict[int, set[int]] = {}
        gone_slots = [self._at(*one) for one in self._shown_slots("take", take)]
        for value, place, pattern in zip(
            absent, self.places["absent"], self.rule.absent, strict=True
        ):
            if place == "slot":
                slots = self.slots(pattern)
                offset = slots.offsets.get(value[0], -1)
                extra.append((slots, -1 if (slots, offset) in gone_slots else offset))
                continue
            for term in matching(pattern, value, self.known):
                at = self.layout.atoms.get(term)
                if at is None:
                    return None  # a fact, which always holds
                if at not in taken:
                    misses.setdefault(at.mask, set()).add(at.value)
        if not self._settle(tests, misses):
            return None
        if self._crowds(taken, given, tests):
            return None
        guard = self._guard(taken, given, tests)
        before, after = _bits(taken), _bits(given)
        fixed, never = tuple(tests.items()), _pairs(misses)
        if self.simple:
            written = _masks(taken) | _masks(given)
            change = self._simple_change(take, put, fixed, tests, written, before, after, guard)
            return evolve(change, misses=never) if never else change
        spots = [*reads, *extra]
        targets = tuple([spots.index(self._at(*one)) for one in self._shown_slots("put", put)])
        lookup = Lookup(ground, tuple(spots), targets, before & ~after, after & ~before)
        return Change(fixed, lookups=(lookup,), guard=guard, misses=never)

    def _atoms(self, part: str, shown: Any) -> list[Place]:
        """Return the places of the atoms of a part."""
        places = self.places[part]
        return [self.layout.atoms[value]
                for value, place in zip(shown, places, strict=True) if place == "atom"]  # fmt: skip

    def _settle(self, tests: dict[int, int], misses: dict[int, set[int]]) -> bool:
        """Turn misses into tests where possible; False: the instance never applies."""
        for mask in list(misses):
            if mask in tests:
                if tests[mask] in misses.pop(mask):
                    return False
                continue
            left = self.layout.choices[mask].values - misses[mask]
            if not left:
                return False
            if len(left) == 1:
                del misses[mask]
                tests[mask] = left.pop()
        return True

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
        pairs = zip(getattr(self.rule, part), shown, self.places[part], strict=True)
        return [(pattern, value) for pattern, value, place in pairs if place == "slot"]

    def _at(self, pattern: Any, value: Any) -> tuple[Slots, int]:
        slots = self.slots(pattern)
        return slots, slots.offsets[value[0]]

    def _test(self, slots: Slots, offset: int, values: tuple[Any, ...], pattern: Any,
              tests: dict[int, int]) -> bool:  # fmt: skip
        """Add the test of a slot if all of its value is known; False: it never holds that value."""
        wanted = self.family(pattern).values_of(pattern)
        if self.prepared.knows(wanted):
            mask = ((1 << slots.bits) - 1) << offset
            if slots.closed and values not in slots.numbers:
                return False
            tests[mask] = slots.number(values) << offset
        return True

    def _simple_change(self, take: Any, put: Any, fixed: Any, tests: dict[int, int], written: int,
                       before: int, after: int, guard: int) -> Change:  # fmt: skip
        """Return the change; `written`: the atoms' bits, `before` and `after`: what they hold."""
        clear, fill, old = written, after, before
        sources: dict[str, int] = {}
        untested = 0
        for pattern, value in self._shown_slots("take", take):
            slots, offset = self._at(pattern, value)
            mask = ((1 << slots.bits) - 1) << offset
            if mask in tests:
                old |= tests[mask]
            else:
                untested |= mask
                sources[repr(self.family(pattern).values_of(pattern))] = offset
        copies: dict[int, int] = {}
        for pattern, value in self._shown_slots("put", put):
            slots, offset = self._at(pattern, value)
            mask = (1 << slots.bits) - 1
            templates = self.family(pattern).values_of(pattern)
            if self.prepared.knows(templates):
                clear |= mask << offset
                fill |= slots.number(value[1]) << offset
            else:
                source = sources[repr(templates)]
                if source != offset:
                    clear |= mask << offset
                    shift = offset - source
                    copies[shift] = copies.get(shift, 0) | mask << source
        if not copies and not clear & untested:
            return Change(fixed, flip=old & clear ^ fill, guard=guard, cost=self.rule.cost)
        moves = tuple((mask, shift) for shift, mask in copies.items())
        return Change(fixed, clear=clear, fill=fill, copies=moves, guard=guard, cost=self.rule.cost)


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


def _pairs(misses: dict[int, set[int]]) -> tuple[tuple[int, int], ...]:
    return tuple([(mask, value) for mask in misses for value in sorted(misses[mask])])
