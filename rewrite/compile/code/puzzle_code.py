"""The code of a compiled puzzle: its units, each written on first use.

It depends only on the compiled program, the goal and the values wanted, never on what a search
does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Protocol

from rewrite.compile.code.operations import Residual, Table, Unit
from rewrite.compile.code.write import conditions, rules, slots
from rewrite.compile.code.write.residual import residual
from rewrite.compile.program import MultisetProgram, SlotProgram
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.layout import SlotLayout
from rewrite.compile.slots.prepared import GroundRule
from rewrite.compile.task import Task
from rewrite.language.conditions import Condition
from rewrite.language.expressions import Expression
from rewrite.language.rules import Rule


class Writer(Protocol):
    """What the modules `write.conditions` and `write.slots` have in common."""

    def condition(self, program: Any, name: str, given: Sequence[Condition]) -> Unit: ...
    def value(self, program: Any, name: str, given: Expression) -> Unit: ...


class PuzzleCode:
    """The code of a puzzle: what expands, tests and values its states.

    size     the number of rules that run; over slots, of ground rules
    writes   what writes conditions and values
    laid     what was built from this code for the core; a cache
    """

    program: Any
    size: int
    writes: ClassVar[Writer]

    def __init__(self, task: Task) -> None:
        self._goal, self._values = task.goal, task.values
        self.laid: dict[Any, Any] = {}

    def condition(self, name: str, given: Sequence[Condition]) -> Unit:
        """Return the unit that says whether one of the conditions holds in a state."""
        return self.writes.condition(self.program, name, given)

    @cached_property
    def forbidden(self) -> Unit:
        return self.condition("forbidden", self.program.puzzle.never)

    @cached_property
    def goal(self) -> Unit:
        return self.condition("goal", () if self._goal is None else (self._goal,))

    @cached_property
    def values(self) -> tuple[Unit, ...]:
        write = self.writes.value
        return tuple([write(self.program, f"value{i}", one) for i, one in enumerate(self._values)])


class MultisetCode(PuzzleCode):
    """The code of a puzzle over multisets; `rules`: those that run."""

    program: MultisetProgram
    writes: ClassVar[Writer] = conditions

    def __init__(self, program: MultisetProgram, rules: Sequence[Rule], task: Task) -> None:
        super().__init__(task)
        self.program, self.rules, self.size = program, tuple(rules), len(rules)

    @cached_property
    def expand(self) -> Unit:
        return rules.expansion(self.program, self.rules)

    @cached_property
    def simplify(self) -> Unit:
        """One function for each rule of `simplify`: what it leads to."""
        return rules.simplification(self.program)


class Residuals:
    """The residual of each rule of a puzzle; each is written once."""

    def __init__(self) -> None:
        self._made: dict[GroundRule, Residual] = {}

    def of(self, prepared: GroundRule, layout: SlotLayout) -> Residual:
        if prepared not in self._made:
            self._made[prepared] = residual(prepared, layout.found)
        return self._made[prepared]


class SlotCode(PuzzleCode):
    """The code of a puzzle over slots and bits.

    changes   the ground rules that run, each with the number of its rule
    first     bits that these test before all others
    words     the number of words of a state
    """

    program: SlotProgram
    writes: ClassVar[Writer] = slots

    def __init__(
        self, program: SlotProgram, changes: Sequence[tuple[int, Change]], residuals: Residuals,
        task: Task, first: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(task)
        self.program, self.changes, self.residuals = program, changes, residuals
        self.first, self.size = first, len(changes)
        self.words = max(1, -(-program.layout.offset // 64))

    @property
    def fields(self) -> list[tuple[int, int]]:
        """(offset, bits) of every slot."""
        families = self.program.layout.slots.values()
        return [(offset, one.bits) for one in families for offset in one.offsets.values()]

    @cached_property
    def tables(self) -> list[Table | None]:
        return self.tables_of(self.changes)

    def tables_of(self, changes: Sequence[tuple[int, Change]]) -> list[Table | None]:
        return [
            Table(change.lookups, self.rest(rule), False) if change.lookups else None
            for rule, change in changes
        ]

    def rest(self, rule: int) -> Residual:
        """Return the residual of a rule: what remains to be evaluated once it is ground."""
        return self.residuals.of(self.program.rules[rule][0], self.program.layout)
