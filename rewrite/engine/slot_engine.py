"""The engine for states kept in slots and bits of one whole number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rewrite.compiler.program import compile_slots
from rewrite.compiler.reason import Reason
from rewrite.compiler.slots.ground_rules import Change, Lookup
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.compiler.slots.layout import FIRST_BITS, AsMultiset, Outgrown
from rewrite.engine import runtime
from rewrite.engine.decisions import write_tree
from rewrite.engine.interface import Code, Counts, Task, by_name
from rewrite.engine.residual_source import Residuals
from rewrite.engine.slot_conditions import SlotConditions
from rewrite.engine.tables import Tables
from rewrite.engine.variants import variant
from rewrite.engine.writer import Writer, compiled
from rewrite.language.conditions import Condition
from rewrite.language.states import State

if TYPE_CHECKING:
    from rewrite.reasoning.fields import Field
    from rewrite.reasoning.transitions import Transition


class SlotEngine:
    """Runs a puzzle whose states are slots and bits; raises Unsuitable where they cannot be."""

    name = "python"
    why: Reason | None = None

    def __init__(self, task: Task, bits: int = FIRST_BITS) -> None:
        self.task, self.bits = task, bits
        residuals = Residuals()
        self.program = compile_slots(task.puzzle, task.start, bits, residuals.rest)
        self.layout = self.program.layout
        self.changes = [
            (number, change)
            for number, (_, changes) in enumerate(self.program.rules)
            for change in changes
        ]
        self._tables = [
            Tables(prepared, residuals.of(prepared, self.layout))
            if any(change.lookups for change in changes)
            else None
            for prepared, changes in self.program.rules
        ]
        self._counts = [Counts() for _ in task.puzzle.rules]
        self._canonical: Callable[[Code], Code] | None = None
        self.values = [
            self._condition_module(f"value{i}", expression=expression)
            for i, expression in enumerate(task.values)
        ]

    @property
    def encoding(self) -> str:
        """One sentence for people: how states are kept."""
        layout = self.layout
        shared = sum(choice.shared for choice in layout.choices.values())
        slots = shared + sum(len(one.offsets) for one in layout.slots.values())
        bits = len(layout.choices) - shared
        return (
            f"{slots} slots and {bits} bits ({layout.offset} bits in all), "
            f"{sum(change.instances for _, change in self.changes)} ground rules"
        )

    # -- the protocol ----------------------------------------------------------------------
    def encode(self, state: State) -> Code:
        return self.layout.encode(state)

    def decode(self, code: Code) -> State:
        return self.layout.decode(code)

    def value(self, index: int, code: Code) -> Any:
        return self.values[index](code)

    def counts(self) -> dict[str, Counts]:
        return by_name(self.task.puzzle.rules, self._counts)

    @cached_property
    def successors(self) -> Callable[[Code], list[Code]]:
        return self._module(
            "successors", "successors(s)", "out = []", "out.append({0})", "return out"
        )

    @cached_property
    def weighted(self) -> Callable[[Code], list[tuple[int, Code]]]:
        return self._module(
            "weighted", "weighted(s)", "out = []", "out.append(({1}, {0}))", "return out"
        )

    @cached_property
    def grow(self) -> Callable[[list[Code], dict[Code, Code], list[Code]], None]:
        return self._module("grow", "grow(states, seen, fresh)", "push = fresh.append", "", "")

    @cached_property
    def goal(self) -> Callable[[Code], bool]:
        given = () if self.task.goal is None else (self.task.goal,)
        return self._condition_module("goal", given)

    @cached_property
    def forbidden(self) -> Callable[[Code], bool]:
        """Whether `never` forbids a state."""
        return self._condition_module("forbidden", self.task.puzzle.never)

    # -- what can be said of the rules -----------------------------------------------------
    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """What a state consists of. Raises Unsuitable where values are open."""
        from rewrite.reasoning.fields import (
            fields,  # loaded, as below, where rules are reasoned about
        )

        return fields(self.layout)

    @cached_property
    def transitions(self) -> list[Transition]:
        """The ground rules, with nothing left to compute. Raises Unsuitable."""
        from rewrite.reasoning.transitions import transitions

        try:
            return transitions(self.changes, self.fields, self._entries)
        except runtime.EngineFailure as failure:
            raise Unsuitable(f"its rules cannot be tried on every value: {failure}") from failure

    def _entries(
        self, rule: int, lookups: tuple[Lookup, ...]
    ) -> Callable[[int], Iterable[tuple[Any, int]]]:
        tables, cost = self._tables[rule], self.task.puzzle.rules[rule].cost
        assert tables is not None
        table = tables.table(lookups)

        def entries(key: int) -> Iterable[tuple[Any, int]]:
            try:
                found = table[key]
            except Outgrown as grown:
                if isinstance(grown.head, AsMultiset):
                    return []  # it would lead to a value that cannot come up: no state is so
                raise
            return [(cost, difference) for difference in found] if type(cost) is int else found

        return entries

    @cached_property
    def inverse(self) -> SlotEngine:
        """The engine that runs the rules backwards: its successors are predecessors.

        States and counts are those of this engine. Raises Unsuitable.
        """
        from rewrite.reasoning.invert import change_of, inverted

        return variant(
            self,
            changes=[
                (one.rule, change_of(one, self.fields))
                for one in inverted(self.transitions, self.fields)
            ],
        )

    def reduced(self, canonical: Callable[[Code], Code]) -> SlotEngine:
        """Return the engine that makes the canonical forms of successors."""
        return variant(self, _canonical=canonical)

    def apart(self) -> SlotEngine:
        """Return the same engine with counts of its own, for what is no part of a search."""
        return variant(self, _counts=[Counts() for _ in self._counts])

    def condition(self, name: str, given: Condition) -> Callable[[Code], bool]:
        """Return the test of a condition on a state."""
        return self._condition_module(name, (given,))

    # -- generated modules -----------------------------------------------------------------
    def _condition_module(
        self, name: str, given: tuple[Condition, ...] = (), expression: Any = None
    ) -> Callable[[Code], Any]:
        writer = Writer()
        writer.namespace["successors"] = lambda code: self.successors(code)
        conditions = SlotConditions(self.program, writer)
        if expression is not None:
            source = conditions.value(expression)
            with writer.block(f"def {name}(s):"):
                with writer.block("try:"):
                    writer.line(f"return {source}")
                with writer.block("except NO_VALUE:"):
                    writer.line("return None")
        else:
            source = " or ".join(conditions.test(one) for one in given) or "False"
            with writer.block(f"def {name}(s):"):
                writer.line(f"return bool({source})")
        return compiled(writer.source(), name, writer.namespace)

    def _module(
        self, name: str, head: str, first: str, record: str, last: str
    ) -> Callable[..., Any]:
        writer, never = Writer(), bool(self.task.puzzle.never)
        writer.namespace |= {"Outgrown": Outgrown, "AsMultiset": AsMultiset, "COUNTS": self._counts,
                             "BadCost": runtime.EngineFailure}  # fmt: skip
        if never:
            writer.namespace["forbidden"] = self.forbidden
        grows = name == "grow"
        numbers = range(len(self.task.puzzle.rules))

        def leaf(rule: int, change: Change) -> None:
            self._write_change(writer, rule, change, never, record)

        with writer.block(f"def {head}:"):
            writer.line(first)
            counters = [f"n{i}" for i in numbers] + ([f"m{i}" for i in numbers] if never else [])
            for at in range(0, len(counters), 20):
                writer.line(f"{' = '.join(counters[at : at + 20])} = 0")
            if grows:
                with writer.block("for s in states:"):
                    write_tree(writer, self.changes, leaf)
            else:
                write_tree(writer, self.changes, leaf)
            for i in numbers:
                matched = f"{'m' if never else 'n'}{i}"
                writer.line(f"c = COUNTS[{i}]; c.fired += n{i}")
                writer.line(f"c.matched += {matched}; c.tried += {matched}")
            if last:
                writer.line(last)
        return compiled(writer.source(), name, writer.namespace)

    def _write_change(
        self, writer: Writer, rule: int, change: Change, never: bool, record: str
    ) -> None:
        if change.guard:
            writer.line(
                f"if s & {change.guard}: raise Outgrown(AsMultiset('a term can stand twice'))"
            )
        tables = self._tables[rule]
        if change.lookups and tables is not None:
            table = writer.constant(tables.table(change.lookups), "T")
            cost = self.task.puzzle.rules[rule].cost
            plain = type(cost) is int
            entry = "d" if plain else "cost, d"
            with writer.block(f"for {entry} in {table}[s & {change.lookups[0].reads}]:"):
                if not plain:
                    writer.line("if cost.__class__ is not int or cost < 0: raise BadCost(cost)")
                writer.line("x = s + d")
                self._record(writer, rule, str(cost) if plain else "cost", never, record)
            return
        if change.flip is not None:
            writer.line(f"x = s ^ {change.flip}" if change.flip else "x = s")
        else:
            copies = "".join(
                f" | (s & {mask}) << {shift}" if shift > 0 else f" | (s & {mask}) >> {-shift}"
                for mask, shift in change.copies
            )
            keep = (1 << self.layout.offset) - 1 & ~change.clear
            fill = f" | {change.fill}" if change.fill else ""
            writer.line(f"x = s & {keep}{fill}{copies}")
        self._record(writer, rule, str(change.cost), never, record)

    def _record(self, writer: Writer, rule: int, cost: str, never: bool, record: str) -> None:
        if self._canonical is not None:
            writer.line(f"x = {writer.constant(self._canonical, 'canonical')}(x)")
        if never:
            writer.line(f"m{rule} += 1")
            with writer.block("if not forbidden(x):"):
                writer.line(f"n{rule} += 1")
                self._note(writer, cost, record)
        else:
            writer.line(f"n{rule} += 1")
            self._note(writer, cost, record)

    def _note(self, writer: Writer, cost: str, record: str) -> None:
        if record:
            writer.line(record.format("x", cost))
            return
        with writer.block("if x not in seen:"):
            writer.line("seen[x] = s")
            writer.line("push(x)")
