"""How a state is encoded in slots and bits: one integer, with a few bits for each slot.

A slot holds the number of its value, from 0; values get numbers when they first come up, so
nothing has to be known about them beforehand. An atom is one bit, or one value of a slot that it
shares with atoms that it excludes. Where a number outgrows its slot, or a term would stand twice,
the puzzle is built again with wider slots or as a multiset.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from functools import cached_property
from typing import Any

from attrs import define, field, frozen

from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.compile.interning import Ctor, decode, encode, key_of
from rewrite.compile.reason import Reason
from rewrite.compile.slots.at_most_one import Group
from rewrite.compile.slots.cases import ANYTHING, Numbers
from rewrite.compile.slots.keys import Family, Findings, Rules, all_rules
from rewrite.compile.slots.parts import Separated
from rewrite.compile.slots.prepared import GroundRule
from rewrite.language.expressions import kind_of
from rewrite.language.order import source, term_key
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import Term

SHOWN = 3
"""Terms that are shown of a slot that several share."""
MOST_TERMS = 10_000
"""Terms that a layout keeps for states that are decoded later; a path has few different ones."""
WORD = 64
"""The native engine keeps a state in words of so many bits; no slot lies in two of them."""


TWICE = Reason(
    "a term can stand twice",
    "have the rule that puts it say absent= for that term, or keep how many there are in one term",
)


@define
class Slots:
    """All slots of one family: where each key has its bits, and the numbers of the values."""

    family: Family
    offsets: dict[tuple[Any, ...], int]
    bits: int
    numbers: dict[tuple[Any, ...], int] = field(factory=dict)
    values: list[tuple[Any, ...]] = field(factory=list)
    closed: bool = False
    """Whether the values that have numbers now are all there can ever be."""
    open_for: Reason | None = None
    """Why that is not known, where it is not."""
    unique: frozenset[int] = frozenset()
    """Numbers of values that no two slots ever hold at the same time."""
    usual: int | None = None
    """The number of what nearly all slots hold in the start."""
    ctor: Ctor = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ctor = Ctor.of(self.family.constructor)

    def apart(self) -> Slots:
        """Return the same slots with numbers of their own."""
        other = copy(self)
        other.numbers, other.values = dict(self.numbers), list(self.values)
        return other

    def mask_at(self, offset: int) -> int:
        return ((1 << self.bits) - 1) << offset

    def number(self, value: tuple[Any, ...]) -> int:
        """Return the number of a value, a new one for a value that was not seen before."""
        found = self.numbers.get(value)
        if found is None and self.closed:
            raise NeedsCapacity(Capacity(multiset=["a slot holds a value that cannot come up"]))
        if found is None:
            found = self.numbers[value] = len(self.values)
            self.values.append(value)
            if found >> self.bits:
                raise NeedsCapacity(Capacity(bits=2 * self.bits))
        return found

    def term(self, key: tuple[Any, ...], value: tuple[Any, ...]) -> Any:
        size = len(key) + len(value)
        parts: list[Any] = [None] * size
        for index, part in zip(self.family.key, key, strict=True):
            parts[index] = part
        for index, part in zip(self.family.value, value, strict=True):
            parts[index] = part
        return (self.ctor, *parts)


@frozen
class Place:
    """Where an atom is kept: it is there where s & mask == value."""

    mask: int
    value: int

    @property
    def number(self) -> int:
        """What the bits of the mask hold, as a number."""
        return self.value >> lowest(self.mask)


def lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


@frozen
class Choice:
    """The slot of atoms that exclude each other; None comes first where it may hold none."""

    offset: int
    mask: int
    atoms: tuple[Any, ...]

    @cached_property
    def optional(self) -> bool:
        """Whether a state may hold none of the atoms."""
        return self.atoms[0] is None

    @cached_property
    def shared(self) -> bool:
        """Whether several atoms share the bits."""
        return len(self.atoms) - self.optional > 1


def _put_kinds(puzzle: Puzzle, identity: Any, family: Family) -> list[set[str]]:
    kinds: list[set[str]] = [set() for _ in family.value]
    for rule in all_rules(puzzle):
        for pattern in rule.put:
            if isinstance(pattern, Term) and pattern.term_identity() == identity:
                for place, value in enumerate(family.values_of(pattern)):
                    kinds[place].add(kind_of(value))
    return kinds


class SlotLayout:
    def __init__(self, puzzle: Puzzle, found: Findings, start: State, bits: int) -> None:
        self.found = found
        self.static, self.sets = found.static, puzzle.sets
        self.put_kinds = {
            identity: _put_kinds(puzzle, identity, family)
            for identity, family in found.families.items()
        }
        self._rules = all_rules(puzzle)
        self.slots: dict[Any, Slots] = {}
        self.atoms: dict[Any, Place] = {}
        self.choices: dict[int, Choice] = {}  # by mask; an atom alone has one too
        self._domains: dict[int, Numbers] = {}
        self._terms: dict[tuple[int, int], Any] = {}  # that were decoded, by place and number
        self.parts: dict[GroundRule, Separated | None] = {}  # their results are used once more
        for identity, family in found.families.items():
            keys = [
                family.encoded(term)[0]
                for term in start
                if isinstance(term, Term) and term.term_identity() == identity
            ]
            keys.sort(key=lambda key: [key_of(part) for part in key])
            self.slots[identity] = Slots(family, dict.fromkeys(keys, 0), bits)
        self.place()

    def apart(self) -> SlotLayout:
        """Return a layout for one search: what others that share this one must not see is its own.

        Values of open slots get numbers while a search runs, and terms are instances of the classes
        that were declared when it began.
        """
        other = copy(self)
        other._terms = {}
        other.slots = {
            identity: slots if slots.closed else slots.apart()
            for identity, slots in self.slots.items()
        }
        return other

    def place(self) -> None:
        self.offset = 0
        for slots in self.slots.values():
            for key in slots.offsets:
                slots.offsets[key] = self._room(slots.bits)

    def _room(self, bits: int) -> int:
        """Return where the next `bits` bits begin; bits that are skipped stay 0."""
        if self.offset % WORD + bits > WORD:
            self.offset += -self.offset % WORD
        place = self.offset
        self.offset += bits
        return place

    @property
    def masks(self) -> list[int]:
        """The bits of each slot and each choice."""
        slots = [one.mask_at(at) for one in self.slots.values() for at in one.offsets.values()]
        return [*slots, *self.choices]

    def exchanges(self, identity: Any) -> bool:
        """Return whether rules only exchange the values of a family between its slots."""
        return Rules.of(self._rules).exchanges(identity, self.slots[identity].family)

    def domain(self, mask: int) -> Numbers:
        """Return what a slot, or the bits of atoms, can hold; of open slots that is not known."""
        if not self._domains:
            for mask_, choice in self.choices.items():
                self._domains[mask_] = Numbers(frozenset(range(len(choice.atoms))))
            for slots in self.slots.values():
                held = Numbers(frozenset(range(len(slots.values)))) if slots.closed else ANYTHING
                self._domains |= {slots.mask_at(at): held for at in slots.offsets.values()}
        return self._domains[mask]

    def narrow(self, identities: set[Any]) -> None:
        """Use no more bits than needed for families that never hold another value than now."""
        for identity in identities:
            slots = self.slots[identity]
            slots.bits = min(slots.bits, max(1, (len(slots.values) - 1).bit_length()))
            slots.closed = True
        self.place()

    def add_atoms(self, atoms: list[Any], groups: list[Group]) -> None:
        """Give groups of atoms that exclude each other a slot each, and other atoms a bit each."""
        for group in sorted(groups, key=lambda group: -group.bits):
            self._add(group.atoms if group.exact else (None, *group.atoms))
        for atom in atoms:
            if atom not in self.atoms:
                self._add((None, atom))

    def _add(self, atoms: tuple[Any, ...]) -> None:
        bits = (len(atoms) - 1).bit_length()
        offset = self._room(bits)
        mask = ((1 << bits) - 1) << offset
        self.choices[mask] = Choice(offset, mask, atoms)
        for number, atom in enumerate(atoms):
            if atom is not None:
                self.atoms[atom] = Place(mask, number << offset)

    def encode(self, state: State) -> int:
        """Return the code of a state. Raises NeedsCapacity for one that does not fit the layout."""
        code, left = 0, Counter(map(term_key, self.static))
        unfilled = sum(len(slots.offsets) for slots in self.slots.values())
        chosen: set[int] = set()
        for term in state:
            family = self.found.family(term)
            if family is not None:
                slots = self.slots[term.term_identity()]
                key, value = family.encoded(term)
                if key not in slots.offsets:
                    raise NeedsCapacity(Capacity(multiset=["a key that the start has not"]))
                code |= slots.number(value) << slots.offsets[key]
                unfilled -= 1
            elif left[own := term_key(term)]:
                left[own] -= 1
            else:
                place = self.atoms.get(encode(term))
                if place is None or place.mask in chosen:
                    raise NeedsCapacity(Capacity(multiset=["a term that cannot come up"]))
                chosen.add(place.mask)
                code |= place.value
        missing = any(
            not choice.optional and mask not in chosen for mask, choice in self.choices.items()
        )
        if missing or left.total() or unfilled:
            raise NeedsCapacity(Capacity(multiset=["a term is missing"]))
        return code

    def repeats(self, code: int) -> bool:
        """Whether a value that stands once in the start stands several times. Rules that exchange
        values lead to no such state, and guards are left out that only such states need.
        """
        for slots in self.slots.values():
            held = [code >> at & ((1 << slots.bits) - 1) for at in slots.offsets.values()]
            if any(held.count(number) > 1 for number in slots.unique):
                return True
        return False

    def decode(self, code: int) -> State:
        terms, known = list(self.static), self._terms
        if len(known) > MOST_TERMS:
            known.clear()
        for slots in self.slots.values():
            mask = (1 << slots.bits) - 1
            for key, offset in slots.offsets.items():
                place = (offset, code >> offset & mask)
                term = known.get(place)  # other threads may decode too
                if term is None:
                    term = known[place] = decode(slots.term(key, slots.values[place[1]]))
                terms.append(term)
        for choice in self.choices.values():
            place = (choice.offset, (code & choice.mask) >> choice.offset)
            atom = choice.atoms[place[1]]
            if atom is not None:
                term = known.get(place)
                if term is None:
                    term = known[place] = decode(atom)
                terms.append(term)
        return State.of(terms)


# -- for people ---------------------------------------------------------------------------
def described(layout: SlotLayout) -> list[str]:
    """Return a line for each family of slots, for each kind of slot that terms share, for bits."""
    lines = [_family(slots) for slots in layout.slots.values()]
    kinds: dict[tuple[frozenset[str], bool, int], list[Choice]] = {}
    alone = []
    for choice in layout.choices.values():
        if not choice.shared:
            alone.append(choice)
            continue
        names = frozenset(str(atom[0]) for atom in choice.atoms if isinstance(atom, tuple))
        kinds.setdefault((names, choice.optional, choice.mask.bit_count()), []).append(choice)
    for (_, optional, bits), choices in kinds.items():
        shown = [source(decode(atom)) for atom in choices[0].atoms if atom is not None]
        rest = "" if len(shown) <= SHOWN else ", …"
        held = "at most one" if optional else "always one"
        lines.append(
            f"{_several(len(choices), 'slot')} of {_several(bits, 'bit')}, {held} of terms that "
            f"exclude each other, e.g. {', '.join(shown[:SHOWN])}{rest}"
        )
    if alone:
        example = source(decode(alone[0].atoms[1]))
        lines.append(f"{_several(len(alone), 'bit')} for terms that come and go, e.g. {example}")
    return lines


def _family(slots: Slots) -> str:
    family = slots.family
    names = family.constructor.term_fields
    keys = ", ".join(names[at] for at in family.key)
    values = ", ".join(names[at] for at in family.value)
    held = f"a slot of {_several(slots.bits, 'bit')} holds {values or 'nothing'}"
    many = f", for each of {len(slots.offsets)} ({keys})" if keys else ""
    known = "" if slots.closed else "; values are numbered as they appear"
    why = "" if slots.open_for is None else f" ({slots.open_for})"
    return f"{family.constructor.__name__}: {held}{many}{known}{why}"


def _several(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
