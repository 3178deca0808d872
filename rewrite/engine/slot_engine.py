"""The engine for states encoded as one integer: slots and bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve

from rewrite.analysis.fields import Field, fields
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.decisions import expansion, simplification
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.code.operations import Ask, Table
from rewrite.compile.code.puzzle_code import SlotCode
from rewrite.compile.code.python import Form, Printed
from rewrite.compile.code.write.residual import tabled
from rewrite.compile.encoding import CompiledSlots, multiset
from rewrite.compile.reason import Reason
from rewrite.compile.slots.canonical import ranked
from rewrite.compile.slots.changes import Change, Lookup
from rewrite.compile.slots.forms import Matches
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.counts import Code, Counts
from rewrite.engine.definition_engine import DefinitionEngine
from rewrite.engine.generated import module
from rewrite.engine.interface import Engine, Reasoning
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.normal import normalizer
from rewrite.engine.tables import Filling, Tables
from rewrite.language.checks import asks_terminal
from rewrite.language.conditions import Condition, Predicate
from rewrite.language.puzzles import Puzzle

if TYPE_CHECKING:
    from rewrite.analysis.mutexes import Mutexes
    from rewrite.analysis.transitions import Transition


V = TypeVar("V")


class SlotEngine(Reasoning):
    asks_first = 0
    """Bits that ground rules ask before all others: those that differ from state to state most."""

    def __init__(self, task: Task, compiled: CompiledSlots) -> None:
        self.task, self.rules, self._from = task, task.puzzle.rules, compiled
        self.program, self.changes = compiled.program, compiled.changes
        self.layout = compiled.layout(task)
        self._tables = Tables(compiled.residuals)
        self._counts = [Counts() for _ in task.puzzle.rules]

    @cached_property
    def code(self) -> SlotCode:
        task, compiled = self.task, self._from
        if self.changes is compiled.changes:
            return compiled.code(task)
        return SlotCode(self.program, self.changes, compiled.residuals, task, self.asks_first)

    @property
    def encoding(self) -> str:
        layout = self.layout
        shared = sum(choice.shared for choice in layout.choices.values())
        slots = shared + sum(len(one.offsets) for one in layout.slots.values())
        bits = len(layout.choices) - shared
        return (
            f"{slots} slots and {bits} bits ({layout.offset} bits in all), "
            f"{sum(change.instances for _, change in self.changes)} ground rules"
        )

    # -- what can be said of the rules -----------------------------------------------------
    @property
    def reasoning(self) -> SlotEngine:
        return self

    @property
    def has_few_states(self) -> bool:
        return self._from.has_few_states()

    def instances(self, given: Matches) -> list[tuple[Change, Filling | None]]:
        layout, tables = self.program.layout, Tables()
        return [
            (change, None if table is None else tables.table(table, layout))
            for change, table in tabled(given, layout.found)
        ]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        return self.known("fields", lambda: fields(self.layout))

    def known(self, what: str, make: Callable[[], V]) -> V:
        return self._from.known(what, make) if self.changes is self._from.changes else make()

    @cached_property
    def transitions(self) -> list[Transition]:
        return self.known("transitions", self._transitions)

    def _transitions(self) -> list[Transition]:
        from rewrite.analysis.transitions import transitions  # only reasoning needs it

        rules = self.task.puzzle.rules
        if self.task.puzzle.simplify:
            raise Unsuitable(
                "simplify= changes what its rules lead to",
                "have the rules put what simplify= would make of it",
            )
        try:
            found = transitions(self.changes, self.fields, self._entries, self.task.puzzle.sets)
            return [evolve(one, free=True) if rules[one.rule].free else one for one in found]
        except EngineFailure as failure:
            raise Unsuitable(f"its rules cannot be tried on every value: {failure}") from failure

    @cached_property
    def relaxed(self) -> list[tuple[int, Transition]]:
        return self.known("relaxed", self._relaxed)

    def _relaxed(self) -> list[tuple[int, Transition]]:
        from rewrite.analysis.transitions import relaxed

        puzzle = self.task.puzzle
        if not puzzle.sets or not (puzzle.simplify or any(one.effects for one in puzzle.rules)):
            return [*enumerate(self.transitions)]
        changes = [*self.changes, *[one for some in self.program.simplify for one in some]]
        try:
            found = relaxed(changes, self.fields, self._entries)
        except EngineFailure as failure:
            raise Unsuitable(f"its rules cannot be tried on every value: {failure}") from failure
        steps = len(puzzle.rules)  # what simplify= does costs nothing
        return [(at, one if one.rule < steps else evolve(one, cost=0)) for at, one in found]

    def _entries(
        self, rule: int, lookups: tuple[Lookup, ...]
    ) -> Callable[[int], Iterable[tuple[Any, int]]]:
        made = Table(lookups, self.code.rest(rule), False)
        table, cost = self._tables.table(made, self.layout), made.cost

        def entries(key: int) -> Iterable[tuple[Any, int]]:
            try:
                found = table[key]
            except NeedsCapacity as needs:
                if needs.capacity.multiset:
                    return []  # it would lead to a value that cannot occur: no state is so
                raise
            return found if cost is None else [(cost, difference) for difference in found]

        return entries

    @cached_property
    def inverse(self) -> SlotEngine:
        return self._backwards(self._undone())

    def inverse_within(self, known: Mutexes) -> SlotEngine:
        from rewrite.analysis.inverse_transitions import narrowed

        return self._backwards(narrowed(self._undone(), known))

    def _undone(self) -> list[Transition]:
        from rewrite.analysis.inverse_transitions import inverted

        return self.known("inverse", lambda: inverted(self.transitions, self.fields))

    def _backwards(self, inverse: list[Transition]) -> SlotEngine:
        from rewrite.analysis.inverse_transitions import change_of

        return self.variant(changes=[(one.rule, change_of(one, self.fields)) for one in inverse])

    # -- source, and what it calls ---------------------------------------------------------
    @cached_property
    def normal(self) -> Callable[[Code], Code]:
        ranks, source = ranked(self.layout), simplification(self.code)
        space = module(source, "simplify", self.brought, {})
        return normalizer(
            self.task.puzzle, space, lambda codes: min(codes, key=ranks.key), self.layout.decode
        )

    def expansion(self, way: Form, canonical: bool) -> Printed:
        return expansion(self.code, way, canonical)

    def brought(self, asked: Table | Ask) -> Any:
        if isinstance(asked, Table):
            return self._tables.table(asked, self.layout)
        if isinstance(asked.given, Predicate):
            return self.verdict(asked.given)
        given, decode = asked.given, self.layout.decode  # the slow way
        goal, values = (given, ()) if isinstance(given, Condition) else (None, (given,))
        task = Task(self.task.puzzle, self.task.start, goal, values)
        engine: Engine
        if asks_terminal(given):
            engine = DefinitionEngine(task, Reason("terminal() asks what rules do"))
        else:  # rules only say which types there are
            puzzle = task.puzzle
            rules = [evolve(one, effects=()) if one.effects else one for one in puzzle.rules]
            task = evolve(task, puzzle=Puzzle(*rules, facts=puzzle.facts, name=puzzle.name))
            engine = MultisetEngine(task, multiset(task))
        if values:
            return lambda code: engine.value(0, engine.encode(decode(code)))
        return lambda code: engine.goal(engine.encode(decode(code)))
