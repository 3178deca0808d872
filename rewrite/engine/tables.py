"""Tables for changes that are looked up: filled when an entry is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewrite.compiler.slots.ground_rules import Lookup
from rewrite.compiler.slots.grounding import GroundRule
from rewrite.engine.residual_source import Residual, filler


class Filling(dict[int, Any]):
    """A table that fills itself: a missing entry is computed once."""

    __slots__ = ("fill", "lookups", "tables")

    def __init__(
        self, fill: Callable[[int], Any], lookups: tuple[Lookup, ...], tables: Tables
    ) -> None:
        super().__init__()
        self.fill, self.lookups, self.tables = fill, lookups, tables

    def __missing__(self, key: int) -> Any:
        found = self[key] = self.fill(key)
        return found


class Tables:
    """Makes the tables of one rule's instances; they share what the rule computes."""

    def __init__(self, prepared: GroundRule, residual: Residual, every: bool = False) -> None:
        self.residual = residual
        self.plain, self.every = type(prepared.rule.cost) is int, every

    def table(self, lookups: tuple[Lookup, ...]) -> Filling:
        """Return the table of instances that read the same slots: from these to a list of changes.

        An entry is what to add to the state, or (cost, that) where the cost is no plain number.
        """
        fills = [self._fill(lookup) for lookup in lookups]
        if len(fills) == 1:
            return Filling(fills[0], lookups, self)
        together = lambda key: list(dict.fromkeys(x for fill in fills for x in fill(key)))  # noqa: E731
        return Filling(together, lookups, self)

    def _fill(self, lookup: Lookup) -> Callable[[int], Any]:
        filled = tuple(offset >= 0 for _, offset in lookup.spots)
        make = filler(filled, lookup.targets, self.plain, self.every)
        memory, outcomes = self.residual.memory(lookup.ground)
        offsets = [offset for _, offset in lookup.spots]
        masks = [(1 << slots.bits) - 1 for slots, _ in lookup.spots]
        fill: Callable[[int], Any] = make(offsets, masks, memory, outcomes, lookup.atoms)
        return fill
