"""From an engine of `rewrite.engine` to a program for the core, as plain data.

Each function that the Python engine generates is lowered (`lower`); groups, slots, tables and the
values they speak of are told beside it. Nothing here knows of searching.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from attrs import frozen

from rewrite.compiler.interning import BAG, Ctor
from rewrite.compiler.slots.ground_rules import Lookup
from rewrite.engine.group_engine import GroupEngine
from rewrite.engine.interface import Engine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.engine.tables import Filling
from rewrite.engine.writer import generated
from rewrite.language.nesting import everywhere
from rewrite.language.rules import Rule
from rewrite.native.assembler import Assembler
from rewrite.native.lower import COUNTERS, Lowering
from rewrite.native.trouble import Unlowered

HALF = (1 << 32) - 1
MOST_WORDS = 64


@frozen
class Program:
    """What the core is given, and what the Python side keeps: functions it calls back."""

    data: dict[str, Any]
    start: Any
    rules: tuple[Rule, ...]
    functions: list[Callable[..., Any]]
    tests: list[Callable[[Any], Any]]
    forbids: bool
    """Whether there is a `never`: else every match fires, and matches are not counted."""


def lowered(
    engine: Engine, start: Any, goal: bool, objective: int | None, heuristic: int | None,
    ctors: tuple[Ctor, ...] = (), *, inverse: Engine | None = None,
    canon: dict[str, Any] | None = None, estimate: dict[str, Any] | None = None,
) -> Program:  # fmt: skip
    """Return the program of an engine. Raises Unlowered where the core cannot run it.

    start                  the code of the start
    objective, heuristic   numbers of the engine's values that play these parts, if any
    ctors                  constructors that may come up beside those that stand in the puzzle
    inverse                an engine of the same layout whose successors are the predecessors here;
                           its rules are the inverse ones in the same order, and are counted as
                           the rules themselves
    estimate               a heuristic over slots that is made from the rules, as plain data
    canon                  the group under which states are one, for slots only: "fields" as
                           (offset, bits), and "elements" as (sources, maps), the identity among
                           them; place i of an image is maps[i][state[sources[i]]]
    """
    for one in (engine, inverse or engine):
        if not isinstance(one, (SlotEngine, GroupEngine)):
            raise Unlowered(one.encoding)
    kind = _Slots if isinstance(engine, SlotEngine) else _Groups
    made = kind(engine, ctors, inverse, canon)
    program = made.program(start, goal, objective, heuristic)
    if estimate is not None:
        program.data["estimate"] = estimate
    return program


def state_key(engine: Any, code: Any) -> Any:
    """Return the code of a state in the form in which the core is given states.

    These are the halves of its words, the low ones first, or its groups, each a tuple of values.
    """
    if isinstance(engine, SlotEngine):
        return [code >> 32 * half & HALF for half in range(2 * _words(engine))]
    return list(engine.layout.groups(code))


def _words(engine: SlotEngine) -> int:
    return max(1, -(-engine.layout.offset // 64))


class _Compiling(ABC):
    """What both encodings have in common."""

    slots = False

    def __init__(
        self, engine: Any, ctors: tuple[Ctor, ...], inverse: Any, canon: dict[str, Any] | None
    ) -> None:
        self.engine, self.make, self.ctors = engine, Assembler(), ctors
        self.inverse, self.canon = inverse, canon

    def program(
        self, start: Any, goal: bool, objective: int | None, heuristic: int | None
    ) -> Program:
        engine, make, puzzle = self.engine, self.make, self.engine.task.puzzle
        self.add("weighted", engine.weighted)
        if self.inverse is not None:
            self.add("backward", self.inverse.weighted)
        if puzzle.never:
            self.add("forbidden", engine.forbidden)
        simplify = []
        if puzzle.simplify:
            self.add("normal", engine.normal, leave_out=("normal",))
            simplify = [make.function(f"normal.simplify{i}") for i in range(len(puzzle.simplify))]
        if goal:
            self.add("goal", engine.goal)
        for number in {objective, heuristic} - {None}:
            self.add(f"value{number}", engine.values[number])
        rest = self.rest()
        functions = list(make.functions.values())
        data = rest | {
            "code": [(name, list(operands)) for name, *operands in make.instructions()],
            "functions": [
                (one.name, one.entry.at, one.registers, one.constants, one.lists)
                for one in functions
            ],
            "handlers": [(begin, end, to.at) for begin, end, to in make.handlers],
            "constants": make.pools.constants,
            "sets": [list(one) for one in make.pools.sets],
            "states": [[state_key(engine, code) for code in one] for one in make.pools.states],
            "indexes": [list(index.items()) for index in make.pools.indexes],
            "counters": len(puzzle.rules) * len(COUNTERS),
            "successors": make.function("weighted.weighted"),
            "predecessors": make.function("backward.weighted") if self.inverse else None,
            "goal": make.function("goal.goal") if goal else None,
            "objective": self._value(objective),
            "heuristic": self._value(heuristic),
            "simplify": simplify,
            "canon": self.canon,
        }
        first = state_key(engine, start)
        named = ("constants", "sets", "states", "indexes", "tables", "families", "heads")
        ctors = _ctors([first, self.ctors, *(data.get(name, ()) for name in named)]) - {BAG}
        data["ctors"] = [BAG, *sorted(ctors, key=lambda ctor: ctor.identity)]
        return Program(
            data, first, puzzle.rules, make.pools.functions, make.pools.tests, bool(puzzle.never)
        )

    def _value(self, number: int | None) -> int | None:
        return None if number is None else self.make.function(f"value{number}.value{number}")

    def add(
        self, prefix: str, function: Callable[..., Any], leave_out: tuple[str, ...] = (),
        slots: bool | None = None,
    ) -> None:  # fmt: skip
        source, space = generated(function)
        slots = self.slots if slots is None else slots
        Lowering(self.make, space, prefix, slots).module(source, leave_out)

    @abstractmethod
    def rest(self) -> dict[str, Any]:
        """Return what only this encoding has, by the names of the core."""


class _Groups(_Compiling):
    def __init__(self, engine: Any, *others: Any) -> None:
        super().__init__(engine, *others)
        assert self.inverse is None or self.inverse.layout.heads == engine.layout.heads
        self.make.groups = len(engine.layout.heads)

    def rest(self) -> dict[str, Any]:
        return {"heads": list(self.engine.layout.heads)}


class _Slots(_Compiling):
    slots = True

    def __init__(self, engine: Any, *others: Any) -> None:
        super().__init__(engine, *others)
        layout = engine.layout
        assert self.inverse is None or self.inverse.layout is layout
        self.make.words = _words(engine)
        if self.make.words > MOST_WORDS:
            raise Unlowered(f"states of {layout.offset} bits")
        self.families = list(layout.slots.values())
        self.make.fields = [
            (offset, slots.bits) for slots in self.families for offset in slots.offsets.values()
        ]

    def rest(self) -> dict[str, Any]:
        tables: list[dict[str, Any]] = []
        residuals: dict[int, str] = {}
        at = 0
        pools = self.make.pools
        while at < len(pools.tables):  # a residual may ask for further constants, not for tables
            table = pools.tables[at]
            at += 1
            residual = table.tables.residual
            name = residuals.get(id(residual))
            if name is None:
                name = residuals[id(residual)] = f"rest{len(residuals)}"
                self.add(name, residual.function, slots=False)
            tables.append(self._table(table, self.make.function(f"{name}.residual")))
        return {
            "words": self.make.words,
            "tables": tables,
            "families": [(slots.bits, slots.closed, slots.values) for slots in self.families],
        }

    def _table(self, table: Filling, residual: int) -> dict[str, Any]:
        lookups = []
        for lookup in table.lookups:
            spots = [
                (self.families.index(slots), None if offset < 0 else offset)
                for slots, offset in lookup.spots
            ]
            ground = list(table.tables.residual.known(lookup.ground))
            lookups.append((spots, list(lookup.targets), self._added(lookup), ground))
        reads = self._words(table.lookups[0].reads)
        return {"lookups": lookups, "reads": reads, "residual": residual,
                "every": table.tables.every}  # fmt: skip

    def _added(self, lookup: Lookup) -> list[tuple[int, int]]:
        """Return what the change of atoms adds to each word; no atom's bits cross a border."""
        found = []
        for word in range(self.make.words):
            given, taken = (
                bits >> 64 * word & (1 << 64) - 1 for bits in (lookup.given, lookup.taken)
            )
            if given != taken:
                found.append((word, given - taken & (1 << 64) - 1))
        return found

    def _words(self, mask: int) -> list[tuple[int, int]]:
        parts = [(word, mask >> 64 * word & (1 << 64) - 1) for word in range(self.make.words)]
        return [(word, part) for word, part in parts if part]


def _ctors(value: Any) -> set[Ctor]:
    """Return every constructor that stands anywhere in plain data."""
    return {part for part in everywhere(value, _held) if isinstance(part, Ctor)}


def _held(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (list, tuple, set, frozenset)) else ()
