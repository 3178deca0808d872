"""Ground instances of rules over slots and bits: what each tests, and what it changes.

A state is one whole number. An instance tests `s & mask == value`; then it either changes bits that
are known when compiling (and copies slots), or, where guards or computed values depend on what
slots hold, it is looked up by the numbers in the slots it reads: a `Lookup`, which an engine turns
into a table. All of this is plain data.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from rewrite.compiler.analysis import alike_takes
from rewrite.compiler.grounding import OPEN, GroundRule
from rewrite.compiler.interning import Ctor, head_of, key_of
from rewrite.compiler.keys import Family, Unsuitable
from rewrite.compiler.slots import SlotLayout, Slots
from rewrite.language.expressions import Variable
from rewrite.language.patterns import contains_wildcard, mentioned
from rewrite.language.terms import Term

Spot = tuple[Slots, int]
"""A family of slots and an offset in it; -1 where there is nothing to read."""


@frozen
class Lookup:
    """A change that depends on what slots hold.

    ground   values of the rule's ground variables
    spots    the slots that are read: those taken and kept, then those that must not match
    targets  for each slot put, which of the spots it writes
    atoms    what the change of atoms adds to the state
    """

    ground: tuple[Any, ...]
    spots: tuple[Spot, ...]
    targets: tuple[int, ...]
    atoms: int

    @property
    def reads(self) -> int:
        """The bits that are read."""
        mask = 0
        for slots, offset in self.spots:
            if offset >= 0:
                mask |= ((1 << slots.bits) - 1) << offset
        return mask


@frozen
class Change:
    """What an instance does: bits to flip (all old values tested), or slots to write and copy.

    tests   (mask, value) pairs: the change applies where s & mask == value for all of them
    flip    the new state is s ^ flip; every slot written was tested
    clear, fill, copies   else: s & ~clear | fill | each (s & mask) shifted left (negative: right)
    lookups else: the change is looked up; several where instances read the same slots
    guard   bits that must be 0, else a term would stand twice
    """

    tests: tuple[tuple[int, int], ...]
    flip: int | None = None
    clear: int = 0
    fill: int = 0
    copies: tuple[tuple[int, int], ...] = ()
    lookups: tuple[Lookup, ...] = ()
    guard: int = 0
    cost: Any = 1

    @property
    def instances(self) -> int:
        """How many ground rules this stands for."""
        return max(1, len(self.lookups))


class RuleInstances:
    """All instances of one rule (or of a condition written as a rule)."""

    def __init__(self, prepared: GroundRule, layout: SlotLayout) -> None:
        self.prepared, self.rule, self.layout = prepared, prepared.rule, layout
        self.ground = set(prepared.ground)
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

    def _known(self, value: Any) -> bool:
        return not contains_wildcard(value) and set(mentioned(value)) <= self.ground

    def _is_simple(self) -> bool:
        """Whether every open value is only copied, so that no table is needed."""
        rule = self.rule
        if self._slot_patterns("absent") or type(rule.cost) is not int:
            return False
        for value in (*rule.when, *(part for let in rule.let for part in let)):
            if not (set(mentioned(_inside(value))) <= self.ground):
                return False
        open_tuples: dict[str, tuple[Any, ...]] = {}
        seen: set[Variable] = set()
        for part in ("take", "keep"):
            for _, pattern in self._slot_patterns(part):
                values = self.family(pattern).values_of(pattern)
                if all(self._known(value) for value in values):
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
            if all(self._known(value) for value in values):
                continue
            if open_tuples.get(repr(values)) != pattern.term_identity():
                return False
        return True

    def _admits(self, pattern: Any, index: int, variable: Variable) -> bool:
        """Whether a variable's kind admits everything that such a slot can ever hold."""
        if variable.kind in ("term", "constructor"):
            return variable.kind == "term"
        identity = pattern.term_identity()
        slots = self.layout.slots[identity]
        for value in slots.values[1:]:
            if head_of(value[index]) != variable.kind:
                return False
        return self.layout.put_kinds[identity][index] <= {variable.kind}

    # -- instances -------------------------------------------------------------------------
    def changes(self, instances: list[Any], every: bool = False) -> list[Change]:
        """Return the changes of all instances; without `every`, those that do the same once."""
        alike = alike_takes(self.rule)
        found: dict[Any, Change] = {}
        for number, instance in enumerate(instances):
            if any(
                partner is not None and key_of(instance[3][place]) < key_of(instance[3][partner])
                for place, partner in enumerate(alike)
            ):
                continue  # the same with the roles exchanged
            change = self._change(instance)
            if change is None:
                continue
            effect: Any = (change.tests, change.flip, change.clear, change.fill, change.copies)
            if every:
                effect = number
            elif change.lookups:  # one table serves all instances that read the same slots
                effect = (change.tests, change.guard, change.lookups[0].reads)
                if effect in found:
                    more = (*found[effect].lookups, *change.lookups)
                    found[effect] = evolve(change, lookups=more)
            found.setdefault(effect, change)
        return list(found.values())

    def _change(self, instance: Any) -> Change | None:
        _, _, ground, take, keep, put, absent = instance
        layout = self.layout
        tests: dict[int, int] = {}  # mask -> value
        used: set[Any] = set()
        taken_bits = put_bits = 0
        reads: list[Spot] = []
        for part, shown in (("take", take), ("keep", keep)):
            patterns = getattr(self.rule, part)
            for place, value, pattern in zip(self.places[part], shown, patterns, strict=True):
                if place == "atom":
                    bit = layout.atoms.get(value)
                    if bit is None or ("atom", bit) in used:
                        return None
                    used.add(("atom", bit))
                    tests[1 << bit] = 1 << bit
                    if part == "take":
                        taken_bits |= 1 << bit
                elif place == "slot":
                    slots = self.slots(pattern)
                    offset = slots.offsets[value[0]]
                    reads.append((slots, offset))
                    if not self._test(slots, offset, value[1], pattern, tests):
                        return None
        for value, place in zip(put, self.places["put"], strict=True):
            if place == "atom":
                bit = 1 << layout.atoms[value]
                if put_bits & bit:
                    raise Unsuitable(f"rule {self.rule.name!r} puts one term twice")
                put_bits |= bit
        extra: list[Spot] = []
        for value, place, pattern in zip(
            absent, self.places["absent"], self.rule.absent, strict=True
        ):
            if place == "slot":
                slots = self.slots(pattern)
                offset = slots.offsets.get(value[0], -1)
                gone = any(self._at(p, v) == (slots, offset) for p, v in self._taken_slots(take))
                extra.append((slots, -1 if gone else offset))
            else:
                if self._fact_matches(pattern, value):
                    return None
                for bit in self._matching_atoms(pattern, value):
                    if not taken_bits >> bit & 1:
                        if tests.get(1 << bit):
                            return None
                        tests[1 << bit] = 0
        guard = put_bits & ~taken_bits
        for mask, value in tests.items():
            if value == 0:
                guard &= ~mask  # tested to be absent: cannot stand twice
        bits = taken_bits ^ put_bits
        fixed = tuple(tests.items())
        if self.simple:
            return self._simple_change(take, put, fixed, tests, bits, taken_bits & ~put_bits, guard)
        spots = [*reads, *extra]
        targets = [
            spots.index(self._at(pattern, value))
            for value, place, pattern in zip(put, self.places["put"], self.rule.put, strict=True)
            if place == "slot"
        ]
        atoms = (put_bits & ~taken_bits) - (taken_bits & ~put_bits)
        return Change(
            fixed,
            lookups=(Lookup(ground, tuple(spots), tuple(targets), atoms),),
            guard=guard,
        )

    def _taken_slots(self, take: Any) -> list[tuple[Any, Any]]:
        pairs = zip(self.rule.take, take, self.places["take"], strict=True)
        return [(pattern, value) for pattern, value, place in pairs if place == "slot"]

    def _at(self, pattern: Any, value: Any) -> tuple[Slots, int]:
        slots = self.slots(pattern)
        return slots, slots.offsets[value[0]]

    def _test(self, slots: Slots, offset: int, values: tuple[Any, ...], pattern: Any,
              tests: dict[int, int]) -> bool:  # fmt: skip
        """Add the test of a slot whose value is known altogether; False: it never holds it."""
        wanted = self.family(pattern).values_of(pattern)
        if all(self._known(value) for value in wanted):
            mask = ((1 << slots.bits) - 1) << offset
            if slots.closed and values not in slots.numbers:
                return False
            tests[mask] = slots.number(values) << offset
        return True

    def _simple_change(self, take: Any, put: Any, fixed: Any, tests: dict[int, int], bits: int,
                       cleared: int, guard: int) -> Change:  # fmt: skip
        clear, fill, old = bits, bits & ~cleared, cleared
        sources: dict[str, int] = {}
        untested = 0
        for pattern, value in self._taken_slots(take):
            slots, offset = self._at(pattern, value)
            mask = ((1 << slots.bits) - 1) << offset
            if mask in tests:
                old |= tests[mask]
            else:
                untested |= mask
                sources[repr(self.family(pattern).values_of(pattern))] = offset
        copies: dict[int, int] = {}
        for (_, pattern), value in zip(
            self._slot_patterns("put"),
            [v for v, place in zip(put, self.places["put"], strict=True) if place == "slot"],
            strict=True,
        ):
            slots, offset = self._at(pattern, value)
            mask = (1 << slots.bits) - 1
            templates = self.family(pattern).values_of(pattern)
            if all(self._known(template) for template in templates):
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

    # -- absent atoms ----------------------------------------------------------------------
    def _fits(self, pattern: Any, value: Any, candidate: Any) -> bool:
        """Whether an encoded term matches an absent pattern that has been filled in."""
        if not isinstance(pattern, Term):
            return bool(value[0] == candidate)
        if head_of(candidate) != Ctor.of(type(pattern)):
            return False
        for wanted, found in zip(value, candidate[1:], strict=True):
            if wanted == OPEN:
                continue
            if len(wanted) == 2:
                variable_kind = wanted[1]
                if head_of(found) != variable_kind:
                    return False
            elif wanted[0] != found:
                return False
        return True

    def _matching_atoms(self, pattern: Any, value: Any) -> list[int]:
        return [bit for atom, bit in self.layout.atoms.items() if self._fits(pattern, value, atom)]

    def _fact_matches(self, pattern: Any, value: Any) -> bool:
        return any(self._fits(pattern, value, fact) for fact in self.layout.facts)


def _inside(value: Any) -> Any:
    return value.inner_parts() if hasattr(value, "inner_parts") else value
