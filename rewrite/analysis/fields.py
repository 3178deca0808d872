"""Fields: a uniform view of the parts of a state in slots and bits.

A family's slot and a slot shared by atoms look the same here: some bits that hold the number of a
value. Proofs about a puzzle (symmetry, inverse rules, estimates) are stated in terms of fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Any

from attrs import frozen

from rewrite.compile.reason import Reason
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.layout import SlotLayout


@frozen
class Field:
    """Some bits of a state.

    values   the encoded term for each number; None: no term
    kind     fields of one kind number the same values identically; different kinds share no value
    """

    offset: int
    bits: int
    values: tuple[Any, ...]
    kind: int

    @cached_property
    def mask(self) -> int:
        return (1 << self.bits) - 1 << self.offset

    def number(self, code: int) -> int:
        return code >> self.offset & (1 << self.bits) - 1


def fields(layout: SlotLayout) -> tuple[Field, ...]:
    """Return all fields of a layout, lowest bits first. Raises Unsuitable for open values."""
    found: list[Field] = []
    for kind, slots in enumerate(layout.slots.values()):
        if not slots.closed:
            name = slots.family.constructor.__name__
            what = f"the values that {name} can come to hold are not known beforehand"
            why = slots.open_for or Reason("")
            raise Unsuitable(f"{what}: {why}" if why.what else what, why.way_out, rule=why.rule)
        for key, offset in slots.offsets.items():
            terms = tuple([slots.term(key, value) for value in slots.values])
            found.append(Field(offset, slots.bits, terms, kind))
    for kind, choice in enumerate(layout.choices.values(), len(layout.slots)):
        found.append(Field(choice.offset, choice.mask.bit_count(), choice.atoms, kind))
    return tuple(sorted(found, key=lambda field: field.offset))


class Places:
    """Which fields the bits of a state belong to."""

    def __init__(self, given: Sequence[Field]) -> None:
        self.fields = given
        self._by_bit = {
            bit: place
            for place, one in enumerate(given)
            for bit in range(one.offset, one.offset + one.bits)
        }

    def of(self, bits: int) -> list[int]:
        found = []
        while bits:
            place = self._by_bit.get((bits & -bits).bit_length() - 1)
            if place is None:
                bits &= bits - 1
                continue
            found.append(place)
            bits &= ~self.fields[place].mask
        return found


def numbers(given: Sequence[Field], code: int) -> tuple[int, ...]:
    return tuple([field.number(code) for field in given])


def as_bits(
    pairs: Iterable[tuple[int, int]], given: Sequence[Field]
) -> tuple[tuple[int, int], ...]:
    """Return (field, number) pairs as (mask, value) pairs."""
    return tuple([(given[at].mask, number << given[at].offset) for at, number in pairs])


def packed(given: Sequence[Field], held: Sequence[int]) -> int:
    """Return the state whose fields hold these numbers: the inverse of `numbers`."""
    return sum([number << one.offset for one, number in zip(given, held, strict=True)])


def bits(given: Iterable[int]) -> int:
    """Return the number with exactly these bits set."""
    return reduce(or_, [1 << one for one in given], 0)


def set_bits(given: int) -> Iterator[int]:
    """Yield which bits of a number are set, the lowest first."""
    while given:
        lowest = given & -given
        given ^= lowest
        yield lowest.bit_length() - 1
