"""What the instances of a rule read of slots, and what they write into them from that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rewrite.compile.interning import decode, term_type_of
from rewrite.compile.slots.cases import GONE, NOTHING, THERE, Numbers, only
from rewrite.compile.slots.changes import NEVER_HELD, Change, Map, Pair, Spot
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.layout import SlotLayout, Slots, lowest
from rewrite.compile.slots.parts import Part, Separated, separated
from rewrite.compile.slots.prepared import PARTS, GroundRule
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Variable
from rewrite.language.order import source
from rewrite.language.patterns import mentioned

NO_NUMBERS = frozenset[int]()
FieldTest = tuple[int | None, tuple[Pair, ...]]
"""The bits that a field must hold; or, with None, fields and bits that they must not hold."""


class Write(NamedTuple):
    """What a slot gets: bits are cleared and filled; or what another slot holds is copied, as
    (mask, shift), or translated.
    """

    clear: int = 0
    fill: int = 0
    copy: Pair | None = None
    map: Map | None = None


class Reads:
    """The slots that the instances of a rule read.

    every   whether matches are counted one by one
    parts   the rule in parts; None where it needs a table of combinations
    """

    def __init__(self, prepared: GroundRule, layout: SlotLayout, every: bool) -> None:
        self.prepared, self.layout = prepared, layout
        self.slot_places, self.atom_places = (
            {part: prepared.at(part, kind) for part in PARTS} for kind in ("slot", "atom")
        )
        self.any_places = prepared.at("absent", "any")
        self.patterns = prepared.reading
        self.families = [self.slots(pattern) for pattern in self.patterns]
        self.exchanged = (prepared.rule.take or prepared.rule.put) and any(
            slots.unique for slots in self.families
        )
        """Whether a value that one slot holds is, at times, one that no other one holds."""
        in_cost = mentioned(prepared.rule.cost)
        self._in_cost = [(one, at) for at, one in enumerate(prepared.ground) if one in in_cost]
        self._costs: dict[tuple[Any, ...], int | None] = {}
        self._asked: dict[Any, FieldTest | None] = {}
        self.parts: Separated | None
        self.split(self._parts(every))

    def slots(self, pattern: Any) -> Slots:
        return self.layout.slots[pattern.term_identity()]

    # -- parts -----------------------------------------------------------------------------
    def split(self, parts: Separated | None) -> None:
        """Go on with a rule in parts, or with a table."""
        self.parts = parts
        self.allowed = [self._allows(number) for number in range(len(self.patterns))]

    def _parts(self, every: bool) -> Separated | None:
        """Return the rule in parts; None where it needs a table of combinations.

        What slots hold that are open is only copied from one to another of the same family.
        """
        cost = self.prepared.rule.cost
        if type(cost) is not int and (every or not self.prepared.knows(cost)):
            return None
        known = self.layout.parts.pop(self.prepared, None)
        found = known or separated(self.prepared, self.layout.found)
        if found is None:
            return None
        for number, part in enumerate(found.parts):
            if part is None:
                continue
            slots, targets = self.families[number], self._targets(found, number)
            closed = all(one.closed for one in (slots, *targets))
            if (every or not closed) and not self._moves(found, number):
                return None
        return found

    def _moves(self, parts: Separated, number: int) -> bool:
        """Whether what a slot holds is only moved within its family, whatever it is."""
        part, slots = parts.parts[number], self.families[number]
        same = all(one is slots for one in self._targets(parts, number))
        copied = part is not None and part.plain and all(part.copied)
        return copied and same and self._admits(self.patterns[number])

    def _targets(self, parts: Separated, number: int) -> list[Slots]:
        """Return the families of what is put from the values of one slot read."""
        puts = zip(self.prepared.patterns("put"), parts.sources, strict=True)
        return [self.slots(put) for put, source in puts if source and source[0] == number]

    def _admits(self, pattern: Any) -> bool:
        """Whether the kinds of variables admit every value that such a slot can hold."""
        slots = self.slots(pattern)
        for index, variable in enumerate(slots.family.values_of(pattern)):
            kind = variable.kind if isinstance(variable, Variable) else "term"
            if isinstance(variable, Variable) and variable.is_narrow:
                return False
            if kind == "term":
                continue
            if any(term_type_of(value[index]) != kind for value in slots.values):
                return False
            put = self.layout.put_kinds[pattern.term_identity()][index]
            if not slots.closed and not put <= {kind}:
                return False
        return True

    def cost(self, ground: tuple[Any, ...]) -> int | None:
        """Return what an instance costs; None if that has no value. Raises Failed."""
        cost = self.prepared.rule.cost
        if type(cost) is int:
            return cost
        values = tuple([ground[at] for _, at in self._in_cost])
        if values not in self._costs:
            env = {variable: decode(ground[at]) for variable, at in self._in_cost}
            try:
                found = evaluate(cost, env)
            except NoValue:
                found = None
            if found is not None and (type(found) is not int or found < 0):
                raise Failed(source(cost), ValueError("a cost is a whole number of 0 or more"))
            self._costs[values] = found
        return self._costs[values]

    # -- what must hold --------------------------------------------------------------------
    def _allows(self, number: int) -> Callable[[tuple[Any, ...], tuple[Any, ...]], Numbers]:
        """Return what gives, for an instance, the numbers that a slot read must hold one of.

        It takes the values of the instance's ground variables, and those that are shown of it.
        """
        pattern, slots = self.patterns[number], self.families[number]
        parts = self.parts
        part = None if parts is None else parts.parts[number]
        if self.prepared.knows(slots.family.values_of(pattern)):

            def known(_: Any, values: tuple[Any, ...]) -> Numbers:
                if slots.closed and values not in slots.numbers:
                    return NOTHING
                return only(slots.number(values))

            return known
        if parts is None or part is None or not slots.closed or self._moves(parts, number):
            return lambda ground, values: THERE

        targets = self._targets(parts, number)

        def becomes(ground: tuple[Any, ...], value: tuple[Any, ...]) -> bool:
            found = part.result(ground, value)
            return found is not None and all(
                one in target.numbers for one, target in zip(found, targets, strict=True)
            )  # what it would become in another slot only never comes up in this one

        def results(ground: tuple[Any, ...], _: Any) -> Numbers:
            numbers = enumerate(slots.values)
            return Numbers(frozenset([at for at, value in numbers if becomes(ground, value)]))

        return results

    def asked(
        self, mask: int, numbers: Numbers, never: frozenset[int] = NO_NUMBERS
    ) -> FieldTest | None:
        """Return the test of a field, or its misses; None if it never holds such a number.

        never   the numbers that it does not hold anyway
        """
        key = (mask, numbers, never)
        if key not in self._asked:
            self._asked[key] = self._read(*key)
        return self._asked[key]

    def _read(self, mask: int, numbers: Numbers, never: frozenset[int]) -> FieldTest | None:
        shift, domain = lowest(mask), self.layout.domain(mask)
        if (number := numbers.single) is not None:
            held = domain.admits(number) and number not in never
            return (number << shift, ()) if held else None
        domain &= Numbers(never, True)
        left = domain & numbers
        if left.none:
            return None
        if left.single is not None:
            return left.single << shift, ()
        out = numbers.listed if domain.but else (domain & ~numbers).listed
        return None, tuple([(mask, number << shift) for number in sorted(out) if number != GONE])

    # -- what is written -------------------------------------------------------------------
    def atoms_put(
        self, put: tuple[Any, ...], taken: int, tests: dict[int, int]
    ) -> tuple[int, int, int] | None:
        """Return the bits of the atoms that an instance puts, what these hold, and those that must
        be 0, or the state would hold an atom twice; None for an instance that never applies.

        taken   the bits of the atoms that it takes

        Only atoms with a bit of their own can be put while they hold already. That another one is
        put beside one that excludes it was proved impossible; otherwise a shared slot that gets an
        atom, and from which none is taken, is empty.
        """
        layout, name = self.layout, self.prepared.rule.name
        given = fill = guard = 0
        twice = fresh = False
        for at in self.atom_places["put"]:
            place = layout.atoms[put[at]]
            mask, value, choice = place.mask, place.value, layout.choices[place.mask]
            held = tests.get(mask)
            fresh |= held != value or not mask & taken
            if given & mask:
                twice = True
                if layout.sets and fill & mask != value:
                    return None
                continue
            given |= mask
            fill |= value
            if mask & taken or (layout.sets and held == value):
                continue
            if choice.shared:
                if held or not choice.optional:
                    return None
            elif held != 0 and not layout.sets:
                guard |= mask
        if twice and not layout.sets:
            raise Unsuitable(
                f"rule {name!r} puts one term twice",
                "keep how many there are in one term, or give each a place",
                rule=name,
            )
        if fresh and layout.sets and self.parts is None:
            raise Unsuitable(
                f"rule {name!r} puts terms that a set may have, and computes values",
                "let different rules do that",
                rule=name,
            )
        return given, fill, guard

    def known(self, put: Any, shown: tuple[Any, Any]) -> Write:
        """Return what a slot gets whose key and values are known altogether."""
        slots = self.slots(put)
        offset = slots.offsets[shown[0]]
        return Write(slots.mask_at(offset), slots.number(shown[1]) << offset)

    def copied(
        self, put: Any, key: Any, source: tuple[int, int], spot: Spot, allowed: Numbers,
        ground: tuple[Any, ...],
    ) -> Write:  # fmt: skip
        """Return what a slot gets from one that is read.

        key      which slot it is
        source   the number of the slot that is read, and the place in its part
        spot     that slot; allowed: what it may hold
        """
        slots, (read, at) = self.slots(put), spot
        offset = slots.offsets[key]
        assert self.parts is not None
        part = self.parts.parts[source[0]]
        assert part is not None
        numbers: dict[int, int] | None = None
        if read.closed:
            allowed = self.layout.domain(read.mask_at(at)) & allowed
            numbers = _becomes(part, source[1], read, slots, allowed, ground)
        if numbers is not None and len({*numbers.values()}) == 1:
            return Write(slots.mask_at(offset), next(iter(numbers.values())) << offset)
        if numbers is None or (read is slots and all(a == b for a, b in numbers.items())):
            if at == offset:
                return Write()
            return Write(slots.mask_at(offset), copy=(read.mask_at(at), offset - at))
        table = tuple([numbers.get(number, NEVER_HELD) for number in range(len(read.values))])
        return Write(slots.mask_at(offset), map=(at, read.bits, offset, table))


def _becomes(
    part: Part, place: int, read: Slots, slots: Slots, allowed: Numbers, ground: tuple[Any, ...]
) -> dict[int, int] | None:
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


def changed(
    tests: dict[int, int], misses: tuple[Pair, ...], clear: int, fill: int, writes: list[Write],
    guard: int, cost: Any,
) -> Change:  # fmt: skip
    """Return the change of a ground rule whose effect is no table.

    clear, fill   what it does to atoms
    """
    copies, maps = dict[int, int](), list[Map]()
    for one in writes:
        clear |= one.clear
        fill |= one.fill
        if one.copy is not None:
            mask, shift = one.copy
            copies[shift] = copies.get(shift, 0) | mask
        elif one.map is not None:
            maps.append(one.map)
    pairs = tuple(tests.items())
    if not copies and not maps:
        tested = old = 0
        for mask, bits in pairs:
            tested |= mask
            old |= bits & clear
        if not clear & ~tested:
            return Change(pairs, old ^ fill, guard=guard, cost=cost, misses=misses)
    moves = tuple([(mask, shift) for shift, mask in copies.items()])
    return Change(pairs, None, clear, fill, moves, tuple(maps), (), guard, cost, misses)
