"""What ground rules over slots and bits test and change.

A state is one integer. A ground rule tests `s & mask == value` (or !=). Then it either changes bits
known at compile time (and copies slots) or, where guards or computed values depend on the contents
of slots, its effect is looked up by the slots it reads: a `Lookup`, which an engine turns into a
table. All of this is plain data.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from attrs import evolve, frozen

from rewrite.compile.slots.layout import Slots

Spot = tuple[Slots, int]
"""A family of slots and the offset of one of them; -1 if there is nothing to read."""
Map = tuple[int, int, int, tuple[int, ...]]
"""The offset and bits of a slot, the offset of another one, and what each number becomes there, or
NEVER_HELD."""
NEVER_HELD = -1
Pair = tuple[int, int]
"""Bits, and what they hold."""


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
        return reduce(or_, [slots.mask_at(at) for slots, at in self.spots if at >= 0], 0)


@frozen
class Conditional:
    """What else a ground rule does where `tests` and `misses` hold, too: s & ~clear | fill.

    Of all that a ground rule does together, first everything is cleared, then everything filled.
    """

    tests: tuple[Pair, ...]
    misses: tuple[Pair, ...]
    clear: int
    fill: int

    @property
    def plain(self) -> bool:
        """Whether it only clears a field, if that holds what is asked."""
        alone = len(self.tests) == 1 and not self.misses and not self.fill
        return alone and self.tests[0][0] == self.clear


@frozen
class Change:
    """What a ground rule does: flip bits (if all old values are tested), or write and copy slots.

    tests   (mask, value) pairs: the change applies where s & mask == value for all of them
    misses  (mask, value) pairs: and s & mask != value for all of these
    flip    the new state is s ^ flip; every slot written was tested
    clear, fill, copies, maps   else: s & ~clear | fill | each (s & mask) shifted left (negative:
            right) | each number of a map, translated, at its new place
    lookups else: looked up in a table; several if ground rules read the same slots
    guard   bits that must be 0, or the state would hold a term twice
    effects what it does besides, if it neither flips nor looks up
    """

    tests: tuple[tuple[int, int], ...]
    flip: int | None = None
    clear: int = 0
    fill: int = 0
    copies: tuple[tuple[int, int], ...] = ()
    maps: tuple[Map, ...] = ()
    lookups: tuple[Lookup, ...] = ()
    guard: int = 0
    cost: Any = 1
    misses: tuple[tuple[int, int], ...] = ()
    effects: tuple[Conditional, ...] = ()

    def toggled(self) -> tuple[int, int, tuple[Map, ...]]:
        """Return slots that stay where they are but for some bits that flip, these bits, and the
        other maps: turning a lamp on or off is no look-up.
        """
        stays = flips = 0
        others = []
        for source, bits, target, table in self.maps:
            differs = {now ^ after for now, after in enumerate(table) if after != NEVER_HELD}
            if source == target and len(differs) == 1:
                stays |= (1 << bits) - 1 << target
                flips |= differs.pop() << target
            else:
                others.append((source, bits, target, table))
        return stays, flips, tuple(others)

    @property
    def parts(self) -> list[Change]:
        """What it does, and what each effect does, as changes without effects."""
        return [evolve(self, effects=()), *[
            Change(
                (*self.tests, *one.tests), None, one.clear, one.fill, cost=self.cost,
                misses=(*self.misses, *one.misses),
            ) for one in self.effects
        ]]  # fmt: skip

    @property
    def instances(self) -> int:
        """How many ground rules this stands for."""
        return max(1, len(self.lookups))
