"""How a state is kept in slots and bits: one whole number, a few bits for each slot.

A slot holds the number of its value (0: nothing); values get numbers when they first come up, so
nothing has to be known about them beforehand. An atom is one bit. Where a number outgrows its slot,
or a term would stand twice, the puzzle is built again with wider slots or as a multiset.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rewrite.compiler.keys import Family, Findings
from rewrite.engine.layout import NewHead
from rewrite.engine.values import Ctor, decode, encode, key_of
from rewrite.language.order import term_key
from rewrite.language.states import State

FIRST_BITS = 8


class Outgrown(NewHead):
    """The encoding does not fit: `head` says what to change (wider slots, or a multiset)."""


@define
class Slots:
    """All slots of one family: where each key has its bits, and the numbers of the values."""

    family: Family
    offsets: dict[tuple[Any, ...], int]
    bits: int
    numbers: dict[tuple[Any, ...], int] = field(factory=dict)
    values: list[tuple[Any, ...]] = field(factory=lambda: [()])
    ctor: Ctor = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ctor = Ctor.of(self.family.constructor)

    def number(self, value: tuple[Any, ...]) -> int:
        """Return the number of a value, a new one for a value that was not seen before."""
        found = self.numbers.get(value)
        if found is None:
            found = self.numbers[value] = len(self.values)
            self.values.append(value)
            if found >> self.bits:
                raise Outgrown(("bits", self.bits * 2))
        return found

    def term(self, key: tuple[Any, ...], value: tuple[Any, ...]) -> Any:
        """Return the encoded term of a key and a value."""
        size = len(key) + len(value)
        parts: list[Any] = [None] * size
        for index, part in zip(self.family.key, key, strict=True):
            parts[index] = part
        for index, part in zip(self.family.value, value, strict=True):
            parts[index] = part
        return (self.ctor, *parts)


class SlotLayout:
    """Where slots and atoms have their bits."""

    def __init__(self, found: Findings, start: State, bits: int) -> None:
        self.found = found
        self.static = found.static
        self._static = State.of(found.static)
        self.offset = 0
        self.slots: dict[Any, Slots] = {}
        self.atoms: dict[Any, int] = {}
        for identity, family in found.families.items():
            keys = [
                tuple(encode(part) for part in family.keys_of(term))
                for term in start
                if hasattr(term, "term_identity") and term.term_identity() == identity
            ]
            slots = Slots(family, {}, bits)
            for key in sorted(keys, key=lambda key: [key_of(part) for part in key]):
                slots.offsets[key] = self.offset
                self.offset += bits
            self.slots[identity] = slots

    def add_atom(self, value: Any) -> int:
        """Return the place of an atom's bit."""
        if value not in self.atoms:
            self.atoms[value] = self.offset
            self.offset += 1
        return self.atoms[value]

    def encode(self, state: State) -> int:
        """Return the code of a state. Raises NewHead for one that does not fit the layout."""
        code, left = 0, list(self.static)
        filled = 0
        for term in state:
            family = self.found.family(term)
            if family is not None:
                slots = self.slots[term.term_identity()]
                key = tuple(encode(part) for part in family.keys_of(term))
                value = tuple(encode(part) for part in family.values_of(term))
                if key not in slots.offsets:
                    raise NewHead("a key that the start has not")
                code |= slots.number(value) << slots.offsets[key]
                filled += 1
            elif any(term_key(term) == term_key(other) for other in left):
                left = [other for other in left if term_key(other) != term_key(term)] + [
                    other for other in left if term_key(other) == term_key(term)
                ][1:]
            else:
                place = self.atoms.get(encode(term))
                if place is None or code >> place & 1:
                    raise NewHead("a term that cannot come up")
                code |= 1 << place
        if left or filled != sum(len(slots.offsets) for slots in self.slots.values()):
            raise NewHead("a term is missing")
        return code

    def decode(self, code: int) -> State:
        """Return the state of a code."""
        terms = list(self.static)
        for slots in self.slots.values():
            mask = (1 << slots.bits) - 1
            for key, offset in slots.offsets.items():
                terms.append(decode(slots.term(key, slots.values[code >> offset & mask])))
        terms += [decode(value) for value, place in self.atoms.items() if code >> place & 1]
        return State.of(terms)
