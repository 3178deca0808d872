"""What ground rules change that only take, keep and put atoms: most are such, so this is short.

It says of each what `instances.RuleInstances` would; a property test compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewrite.compile.slots.layout import SlotLayout

Written = tuple[tuple[tuple[int, int], ...], int | None, int, int, int]
"""Tests, then what to flip, or None and what to clear and fill, and the guard: see `Change`."""


class Plain:
    """Reads ground rules; `of` says nothing of those that never apply, or that need a closer look.

    take, keep, put   the places of the atoms among what an instance shows
    """

    def __init__(
        self, layout: SlotLayout, take: Sequence[int], keep: Sequence[int], put: Sequence[int]
    ) -> None:
        self.atoms, self.take, self.keep, self.put = layout.atoms, take, keep, put
        self.kinds = {mask: (one.shared, one.optional) for mask, one in layout.choices.items()}

    def of(self, take: Sequence[Any], keep: Sequence[Any], put: Sequence[Any]) -> Written | None:
        atoms, kinds = self.atoms, self.kinds
        tests: dict[int, int] = {}
        clear = fill = old = guard = tested = 0
        for at in self.take:
            place = atoms[take[at]]
            tests[place.mask] = place.value
            clear |= place.mask
            old |= place.value
        taken = clear
        for at in self.keep:
            place = atoms[keep[at]]
            tests[place.mask] = place.value
            tested |= place.mask
        if len(tests) != len(self.take) + len(self.keep):
            return None  # one atom twice, or two that exclude each other
        tested |= taken
        put_masks = 0
        for at in self.put:
            place = atoms[put[at]]
            mask = place.mask
            if put_masks & mask:
                return None
            put_masks |= mask
            fill |= place.value
            if not taken & mask:
                shared, optional = kinds[mask]
                if shared and (tested & mask or not optional):
                    return None  # beside an atom that excludes it, or itself
                if not shared:
                    guard |= mask
                old |= tests.get(mask, 0)
        clear |= put_masks
        pairs = tuple(tests.items())
        return (
            (pairs, old ^ fill, 0, 0, guard)
            if not clear & ~tested
            else (pairs, None, clear, fill, guard)
        )
