"""The code of a compiled puzzle: its units, each written when it is first asked for.

What is here depends on the compiled program, the goal and the values asked for, and on nothing that
a search does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from rewrite.code.flat import Shape
from rewrite.code.operations import Residual, Unit
from rewrite.code.write import conditions, rules, slots
from rewrite.compiler.program import GroupProgram, SlotProgram
from rewrite.language.conditions import Condition
from rewrite.language.expressions import Expression
from rewrite.language.rules import Rule


class GroupCode:
    """The code of a puzzle over multisets; `rules`: those that are run."""

    def __init__(
        self, program: GroupProgram, rules: Sequence[Rule], goal: Condition | None,
        values: Sequence[Expression],
    ) -> None:  # fmt: skip
        self.program, self.rules = program, tuple(rules)
        self._goal, self._values = goal, values

    @property
    def shape(self) -> Shape:
        return Shape(len(self.program.layout.heads))

    @cached_property
    def expand(self) -> Unit:
        return rules.expansion(self.program, self.rules)

    @cached_property
    def simplify(self) -> Unit:
        return rules.simplification(self.program)

    @cached_property
    def forbidden(self) -> Unit:
        return self.condition("forbidden", self.program.puzzle.never)

    @cached_property
    def goal(self) -> Unit:
        return self.condition("goal", () if self._goal is None else (self._goal,))

    @cached_property
    def values(self) -> tuple[Unit, ...]:
        return tuple([
            conditions.value(self.program, f"value{place}", given)
            for place, given in enumerate(self._values)
        ])  # fmt: skip

    def condition(self, name: str, given: Sequence[Condition]) -> Unit:
        return conditions.condition(self.program, name, given)


class SlotCode:
    """The code of a puzzle over slots and bits.

    changes   the ground rules that are run, each with the number of its rule
    rest      says what is left of a rule, by its number, where it is looked up
    """

    def __init__(
        self, program: SlotProgram, changes: slots.Instances, rest: Callable[[int], Residual],
        goal: Condition | None, values: Sequence[Expression],
    ) -> None:  # fmt: skip
        self.program, self.changes, self.rest = program, changes, rest
        self._goal, self._values = goal, values

    @property
    def shape(self) -> Shape:
        layout = self.program.layout
        fields = [
            (offset, family.bits)
            for family in layout.slots.values()
            for offset in family.offsets.values()
        ]
        return Shape(0, max(1, -(-layout.offset // 64)), tuple(fields))

    @cached_property
    def expand(self) -> Unit:
        layout, never = self.program.layout, bool(self.program.puzzle.never)
        return slots.expansion(self.changes, self.rest, layout.offset, never)

    @cached_property
    def forbidden(self) -> Unit:
        return self.condition("forbidden", self.program.puzzle.never)

    @cached_property
    def goal(self) -> Unit:
        return self.condition("goal", () if self._goal is None else (self._goal,))

    @cached_property
    def values(self) -> tuple[Unit, ...]:
        return tuple([
            slots.value(self.program, f"value{place}", given)
            for place, given in enumerate(self._values)
        ])  # fmt: skip

    def condition(self, name: str, given: Sequence[Condition]) -> Unit:
        return slots.condition(self.program, name, given)


PuzzleCode = GroupCode | SlotCode
