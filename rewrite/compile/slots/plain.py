"""What ground rules change of which each part asks for one field: most are such.

What such a part comes to is remembered, since many instances share it: each is a few look-ups. A
property test compares it with what `instances` says of all ground rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rewrite.compile.slots.cases import Numbers
from rewrite.compile.slots.changes import Change, Pair, Spot
from rewrite.compile.slots.layout import lowest
from rewrite.compile.slots.prepared import PARTS, Instance
from rewrite.compile.slots.reads import FieldTest, Reads, Write, changed


class Field(NamedTuple):
    """A slot that is read: what it must hold, and what that says as a test.

    number   of the field among all that were read
    asked    None: it never holds that, or what it holds says something of others too
    """

    number: int
    spot: Spot
    numbers: Numbers
    mask: int
    asked: FieldTest | None


class Plain:
    """Reads ground rules.

    absent   returns the fields, and their numbers, that a pattern of `absent` matches; None for
             a fact that is always there
    """

    def __init__(self, reads: Reads, absent: Callable[[int, Any], list[Pair] | None]) -> None:
        assert reads.parts is not None
        self.reads, self.absent = reads, absent
        self.atoms = reads.layout.atoms
        self.take, self.keep = reads.atom_places["take"], reads.atom_places["keep"]
        self.absences = [*reads.atom_places["absent"], *reads.any_places]
        self.taken = len(reads.slot_places["take"])
        shown = [(part, at) for part in (0, 1) for at in reads.slot_places[PARTS[part]]]
        used = [() if one is None else one.used for one in reads.parts.parts]
        self.slots = [
            (1 + part, at, tuple([index for _, index in one]))
            for (part, at), one in zip(shown, used, strict=True)
        ]
        puts = zip(reads.slot_places["put"], reads.parts.sources, strict=True)
        self.puts = [(reads.prepared.rule.put[at], at, source) for at, source in puts]
        self.fields = [dict[Any, Field]() for _ in self.slots]
        self.written = [dict[Any, Write]() for _ in self.puts]

    def of(self, instance: Instance) -> Change | None:
        """Return the change of an instance; None if it never applies, or needs a closer look."""
        ground, take, keep, put, absent = instance
        atoms, tests, taken = self.atoms, dict[int, int](), 0
        for at in self.take:
            place = atoms[take[at]]
            tests[place.mask] = place.value
            taken |= place.mask
        for at in self.keep:
            place = atoms[keep[at]]
            tests[place.mask] = place.value
        if len(tests) != len(self.take) + len(self.keep):
            return None  # one atom twice, or two that exclude each other
        misses: tuple[Pair, ...] = ()
        fields = []
        for number, (part, at, used) in enumerate(self.slots):
            shown = instance[part][at]
            key = (shown, *[ground[index] for index in used]) if used else shown
            field = self.fields[number].get(key)
            if field is None:
                field = self.fields[number][key] = self._field(number, shown, ground)
            if field.asked is None:
                return None
            fields.append(field)
            test, missed = field.asked
            if test is None:
                misses += missed
            else:
                tests[field.mask] = test
        if self.absences:
            gone = taken
            for field in fields[: self.taken]:
                gone |= field.mask
            without = dict[int, set[int]]()
            for at in self.absences:
                found = self.absent(at, absent[at])
                if found is None:
                    return None
                for mask, absentee in found:
                    if mask in tests:
                        if tests[mask] == absentee << lowest(mask) and not gone & mask:
                            return None
                    elif not gone & mask:
                        without.setdefault(mask, set()).add(absentee)
            if any(field.mask in without for field in fields):
                return None
            for mask, absentees in without.items():
                asked = self.reads.asked(mask, Numbers(frozenset(absentees), True))
                if asked is None:
                    return None
                if asked[0] is None:
                    misses += asked[1]
                else:
                    tests[mask] = asked[0]
        atoms_put = self.reads.atoms_put(put, taken, tests)
        if atoms_put is None:
            return None
        given, fill, guard = atoms_put
        writes = []
        for number, (pattern, at, source) in enumerate(self.puts):
            shown = put[at]
            key = shown if source is None else (shown[0], fields[source[0]].number)
            write = self.written[number].get(key)
            if write is None:
                if source is None:
                    write = self.reads.known(pattern, shown)
                else:
                    _, spot, numbers, _, _ = fields[source[0]]
                    write = self.reads.copied(pattern, shown[0], source, spot, numbers, ground)
                self.written[number][key] = write
            writes.append(write)
        cost = self.reads.cost(ground)
        if cost is None:
            return None
        return changed(tests, misses, taken | given, fill, writes, guard, cost)

    def _field(self, number: int, shown: tuple[Any, Any], ground: tuple[Any, ...]) -> Field:
        slots = self.reads.families[number]
        key, values = shown
        offset = slots.offsets[key]
        mask, numbers = slots.mask_at(offset), self.reads.allowed[number](ground, values)
        others = self.reads.families.count(slots) > 1
        asked = None
        if not numbers.none and not (others and numbers.single in slots.unique):
            asked = self.reads.asked(mask, numbers)
        return Field(len(self.fields[number]), (slots, offset), numbers, mask, asked)
