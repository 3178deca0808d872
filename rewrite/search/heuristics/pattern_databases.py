"""Pattern databases: exact distances in projections of the puzzle, looked up state by state.

They never overestimate, and never fall by more than a step costs. Which projections are used is
decided in `reasoning.patterns.choice`.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import Condition
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.goals.facts import goal_facts_or_ways_out
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.patterns.choice import Choice, PatternSet
from rewrite.reasoning.patterns.projections import Pattern
from rewrite.search.heuristics.distances import NO_WAY, table
from rewrite.search.heuristics.made import INFINITE, Held, Made

MOST_ENTRIES = 1 << 20
"""Of one table. With 2^24 the 15-puzzle has three patterns of five tiles instead of four of four,
which takes seconds to make and pays only for starts of more than 50 moves."""


def pattern_databases(rules: OverSlots, goal: Condition, most_entries: int = MOST_ENTRIES) -> Made:
    """Return the heuristic, its tables of so many entries at most. Raises Unsuitable."""
    goals = goal_facts_or_ways_out(rules, goal)
    if not goals:  # no state can be a goal
        data: dict[str, Any] = {"kind": "goal_count", "goals": []}
        return Made(rules.fields, lambda held: INFINITE, data)
    start = numbers(rules.fields, rules.layout.encode(rules.task.start))
    choice = Choice(rules.transitions, rules.fields, start, goals, most_entries)
    sets = choice.sets()
    if not sets:
        raise Unsuitable("no projection of its rules says anything of the goal")
    databases = [_Databases.of(one) for one in sets]
    best = max(databases, key=lambda one: one.value(start))  # of equal ones the first
    data = {"kind": "tables", "groups": best.for_core()}
    return Made(rules.fields, best.value, data, best.chosen.told())


@frozen
class _Table:
    """A pattern with its distances.

    strides   what each variable's number counts in the index; by place, those of each value
    """

    pattern: Pattern
    strides: tuple[int, ...]
    entries: bytes

    @staticmethod
    def of(pattern: Pattern) -> _Table:
        """Return the table of a pattern, with all its distances."""
        strides = [1]
        for size in pattern.sizes[:-1]:
            strides.append(strides[-1] * size)
        return _Table(pattern, tuple(strides), table(pattern))

    def index(self, held: Held) -> int:
        """Return the number of the state in the projection."""
        pattern = self.pattern
        if not pattern.places:
            return sum(
                held[field] * stride
                for field, stride in zip(pattern.variables, self.strides, strict=True)
            )
        stride_of = dict(zip(pattern.variables, self.strides, strict=True))
        return sum(
            number * stride_of.get(held[place], 0) for number, place in enumerate(pattern.places)
        )


@frozen
class _Databases:
    chosen: PatternSet
    groups: tuple[tuple[_Table, ...], ...]

    @staticmethod
    def of(chosen: PatternSet) -> _Databases:
        """Return the tables of all patterns that were chosen."""
        groups = tuple([tuple([_Table.of(one) for one in group]) for group in chosen.groups])
        return _Databases(chosen, groups)

    def value(self, held: Held) -> int | float:
        """Return the sum over groups of the greatest distance; infinity where there is no way."""
        whole = 0
        for group in self.groups:
            farthest = max(one.entries[one.index(held)] for one in group)
            if farthest == NO_WAY:
                return INFINITE
            whole += farthest
        return whole

    def for_core(self) -> list[Any]:
        """Return the tables as the core takes them."""
        return [
            [(list(one.pattern.places), list(zip(one.pattern.variables, one.strides, strict=True)),
              list(one.pattern.sizes), one.entries) for one in group]
            for group in self.groups
        ]  # fmt: skip
