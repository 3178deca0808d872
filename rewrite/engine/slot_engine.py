"""The engine for states kept in slots and bits of one whole number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rewrite.code.compiled import SlotCode
from rewrite.code.operations import Ask, Residual, Table, Unit
from rewrite.code.python import WAYS, expansion, printed
from rewrite.compiler.program import compile_slots
from rewrite.compiler.reason import Reason
from rewrite.compiler.slots.ground_rules import Lookup
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.compiler.slots.layout import FIRST_BITS, AsMultiset, Outgrown
from rewrite.engine import runtime
from rewrite.engine.generated import module
from rewrite.engine.group_engine import GroupEngine
from rewrite.engine.interface import Code, Counts, Task, by_name
from rewrite.engine.tables import Tables
from rewrite.engine.variants import variant
from rewrite.language.conditions import Condition
from rewrite.language.puzzles import Puzzle
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
        self._tables = Tables()
        self.program = compile_slots(task.puzzle, task.start, bits, self._tables.rest)
        self.layout = self.program.layout
        self.changes = [
            (number, change)
            for number, (_, changes) in enumerate(self.program.rules)
            for change in changes
        ]
        self._counts = [Counts() for _ in task.puzzle.rules]
        self._canonical: Callable[[Code], Code] | None = None

    @cached_property
    def code(self) -> SlotCode:
        """What runs, in Python or in the core."""
        task = self.task
        return SlotCode(self.program, self.changes, self._rest, task.goal, task.values)

    def _rest(self, rule: int) -> Residual:
        """Return what is left of a rule once it is ground."""
        return self._tables.code(self.program.rules[rule][0], self.layout)

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
    def values(self) -> list[Callable[[Code], Any]]:
        return [self._compiled(unit) for unit in self.code.values]

    @cached_property
    def successors(self) -> Callable[[Code], list[Code]]:
        return self._expansion("successors")

    @cached_property
    def weighted(self) -> Callable[[Code], list[tuple[int, Code]]]:
        return self._expansion("weighted")

    @cached_property
    def grow(self) -> Callable[[list[Code], dict[Code, Code], list[Code]], None]:
        return self._expansion("grow")

    @cached_property
    def goal(self) -> Callable[[Code], bool]:
        return self._compiled(self.code.goal)

    @cached_property
    def forbidden(self) -> Callable[[Code], bool]:
        """Whether `never` forbids a state."""
        return self._compiled(self.code.forbidden)

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
        made = Table(lookups, self._rest(rule), False)
        table, cost = self._tables.table(made, self.layout), made.cost

        def entries(key: int) -> Iterable[tuple[Any, int]]:
            try:
                found = table[key]
            except Outgrown as grown:
                if isinstance(grown.head, AsMultiset):
                    return []  # it would lead to a value that cannot come up: no state is so
                raise
            return found if cost is None else [(cost, difference) for difference in found]

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
        return self._compiled(self.code.condition(name, (given,)))

    # -- running code ----------------------------------------------------------------------
    def _compiled(self, unit: Unit) -> Callable[[Code], Any]:
        more = {"successors": lambda code: self.successors(code)}
        made: Callable[[Code], Any] = module(printed(unit), unit.name, self._brought, more)[
            unit.name
        ]
        return made

    def _expansion(self, name: str) -> Callable[..., Any]:
        never = bool(self.task.puzzle.never)
        source = expansion(
            self.code.expand, WAYS[name], never=never, tries=False,
            canonical=self._canonical is not None,
        )  # fmt: skip
        more: dict[str, Any] = {"COUNTS": self._counts, "canonical": self._canonical}
        if never:
            more["forbidden"] = self.forbidden
        made: Callable[..., Any] = module(source, name, self._brought, more)[name]
        return made

    def _brought(self, asked: Table | Ask) -> Any:
        """Return what the source calls: a table, or the slow way to judge a state."""
        return (
            self.asked(asked) if isinstance(asked, Ask) else self._tables.table(asked, self.layout)
        )

    def asked(self, ask: Ask) -> Callable[[Code], Any]:
        """Return what judges a state that is kept as a multiset: the slow way."""
        given, decode = ask.given, self.layout.decode
        goal, values = (given, ()) if isinstance(given, Condition) else (None, (given,))
        puzzle = Puzzle(*self.task.puzzle.rules, facts=self.task.puzzle.facts,
                        name=self.task.puzzle.name)  # fmt: skip
        engine = GroupEngine(Task(puzzle, self.program.start, goal, values))
        if values:
            return lambda code: engine.value(0, engine.encode(decode(code)))
        return lambda code: engine.goal(engine.encode(decode(code)))
