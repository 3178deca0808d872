"""Look-up tables of changes, filled lazily.

What a rule computes is cached for each combination of slot values and shared by all instances of
the rule, because these often differ only in their keys.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any

from rewrite.compile.code import operations as o
from rewrite.compile.code.puzzle_code import Residuals
from rewrite.compile.code.python import WAYS, printed
from rewrite.compile.slots.changes import Lookup
from rewrite.compile.slots.domains import Puts
from rewrite.compile.slots.layout import SlotLayout
from rewrite.compile.slots.prepared import GroundRule
from rewrite.engine.generated import defined, module

Outcomes = list[tuple[Any, tuple[int, ...]]]
"""(cost, numbers of the values put) for each way in which the rest of a rule applies."""
Memory = dict[tuple[int, ...], Outcomes]


@cache
def filler(
    filled: tuple[bool, ...], targets: tuple[int, ...], plain: bool, every: bool
) -> Callable[..., Any]:
    """Return what makes the function that computes entries of a table, for one shape of instance.

    filled   for each slot read, whether there is one; targets: for each put, which slot it writes
    plain    entries are differences to add to the state; else (cost, difference)
    every    equal entries count one by one
    """
    spots = range(len(filled))
    change = "".join(f" + ((p[{i}] - n{at}) << o{at})" for i, at in enumerate(targets))
    entry = f"atoms{change}" if plain else f"(cost, atoms{change})"
    lines = [
        "def make(offsets, masks, memory, outcomes, atoms):",
        *[f"    o{i}, m{i} = offsets[{i}], masks[{i}]" for i in spots],
        "    def fill(key):",
        *[f"        n{i} = {f'key >> o{i} & m{i}' if filled[i] else -1}" for i in spots],
        f"        numbers = ({''.join(f'n{i}, ' for i in spots)})",
        "        found = memory.get(numbers)",
        "        if found is None: found = outcomes(numbers)",
        "        if not found: return ()",
        f"        out = [{entry} for cost, p in found]",
        f"        return out{'' if every else ' if len(out) < 2 else list(dict.fromkeys(out))'}",
        "    return fill",
    ]
    made: Callable[..., Any] = defined("\n".join(lines) + "\n", "make", {})["make"]
    return made


class Running:
    """The residual of a rule in Python, with its cache."""

    def __init__(self, code: o.Residual, layout: SlotLayout) -> None:
        self.code, self.layout = code, layout
        rule = code.prepared
        given = [*rule.reading, *rule.patterns("absent")]
        self._values = [layout.slots[one.term_identity()].values for one in given]
        puts = rule.patterns("put")
        self._numbers = [layout.slots[one.term_identity()].number for one in puts]
        self._memory: dict[Any, Memory] = {}

    @cached_property
    def function(self) -> Callable[..., Any]:
        """From the ground values that matter and the values of slots to (cost, values put)."""
        source = printed(self.code.unit, way=WAYS["residual"])
        made: Callable[..., Any] = module(source, "residual", _nothing, {})["residual"]
        return made

    def memory(self, ground: Any) -> tuple[Memory, Callable[[tuple[int, ...]], Outcomes]]:
        """Return what is remembered for instances like this one, and the function that adds to it.

        Both go from the numbers of the slots read (-1: nothing there) to outcomes.
        """
        known = self.code.known(ground)
        memory = self._memory.setdefault(known, {})

        def outcomes(numbers: tuple[int, ...]) -> Outcomes:
            values = [
                None if number < 0 else known_values[number]
                for known_values, number in zip(self._values, numbers, strict=True)
            ]
            found = memory[numbers] = [
                (cost, tuple([n(value) for n, value in zip(self._numbers, puts, strict=True)]))
                for cost, puts in self.function(*known, *values)
            ]
            return found

        return memory, outcomes

    def relaxed(self, ground: Any) -> Puts:
        """Return the function of an instance, with nothing in the slots that must not match."""
        gone = {f"w{index}": None for index in range(len(self.code.prepared.at("absent", "slot")))}
        return partial(self.function, *self.code.known(ground), **gone)


def _nothing(asked: Any) -> Any:
    raise LookupError(asked)  # a residual looks at no state


class Filling(dict[int, Any]):
    """A table that computes a missing entry on first access."""

    __slots__ = ("fill",)

    def __init__(self, fill: Callable[[int], Any]) -> None:
        super().__init__()
        self.fill = fill

    def __missing__(self, key: int) -> Any:
        found = self[key] = self.fill(key)
        return found


class Tables:
    """The tables and residual rules of one search; each is made once."""

    def __init__(self, residuals: Residuals | None = None) -> None:
        self._residuals = residuals or Residuals()
        self._running: dict[int, Running] = {}
        self._tables: dict[int, tuple[o.Table, Filling]] = {}

    def running(self, code: o.Residual, layout: SlotLayout) -> Running:
        found = self._running.get(id(code))
        if found is None:
            found = self._running[id(code)] = Running(code, layout)
        return found

    def rest(self, prepared: GroundRule, layout: SlotLayout) -> Callable[[Any], Puts]:
        """Return what says which values a rule puts into slots: see `compile.slots.domains`."""
        return self.running(self._residuals.of(prepared, layout), layout).relaxed

    def table(self, table: o.Table, layout: SlotLayout) -> Filling:
        """Return the table of instances that read the same slots: from these to a list of changes.

        An entry is what to add to the state, or (cost, that) where the cost is no plain number.
        """
        known = self._tables.get(id(table))
        if known is None:
            running = self.running(table.residual, layout)
            first, *more = fills = [_fill(lookup, table, running) for lookup in table.lookups]

            def every(key: int) -> list[Any]:
                return list(dict.fromkeys([one for fill in fills for one in fill(key)]))

            known = self._tables[id(table)] = table, Filling(every if more else first)
        return known[1]


def _fill(lookup: Lookup, table: o.Table, running: Running) -> Callable[[int], Any]:
    filled = tuple([offset >= 0 for _, offset in lookup.spots])
    make = filler(filled, lookup.targets, table.cost is not None, table.every)
    memory, outcomes = running.memory(lookup.ground)
    offsets = [offset for _, offset in lookup.spots]
    masks = [(1 << slots.bits) - 1 for slots, _ in lookup.spots]
    fill: Callable[[int], Any] = make(offsets, masks, memory, outcomes, lookup.atoms)
    return fill
