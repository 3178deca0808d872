"""Pattern databases: exact distances in projections of the puzzle, looked up state by state.

They are admissible and consistent. `reasoning.patterns.choice` chooses the projections. If the
board is symmetric, a state and its mirror image are equally far from a goal, so both are looked up
and the greater distance counts (Culberson and Schaeffer, *Pattern databases*, 1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from attrs import evolve, frozen

from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import Condition
from rewrite.outcome.result import counted
from rewrite.reasoning.fields import Field, numbers
from rewrite.reasoning.goals.facts import goal_facts_or_ways_out
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.patterns.choice import Choice, PatternSet
from rewrite.reasoning.patterns.images import images
from rewrite.reasoning.patterns.projections import Pattern
from rewrite.reasoning.symmetry.actions import Action
from rewrite.search.heuristics.distances import table
from rewrite.search.heuristics.heuristic import Heuristic, hopeless

MOST_ENTRIES = 1 << 20
"""Of one table."""
LARGE_ENTRIES = 1 << 24
"""Of one large table. The 15-puzzle then has three patterns of five tiles instead of four of four:
50 MB and about a second, which pays if a search with the small ones takes longer."""


def pattern_sets(rules: OverSlots, goal: Condition, most_entries: int) -> list[PatternSet]:
    """Return the pattern sets from which the heuristic is chosen. Raises Unsuitable.

    There are none if no state can be a goal.
    """
    goals = goal_facts_or_ways_out(rules, goal)
    if not goals:
        return []
    start = numbers(rules.fields, rules.layout.encode(rules.task.start))
    sets = Choice(rules.transitions, rules.fields, start, goals, most_entries).sets()
    if not sets:
        raise Unsuitable("no projection of its rules says anything of the goal")
    return sets


def large_pattern_databases(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the heuristic with large tables. Raises Unsuitable."""
    return pattern_databases(rules, goal, LARGE_ENTRIES)


def pattern_databases(
    rules: OverSlots, goal: Condition, most_entries: int = MOST_ENTRIES
) -> Heuristic:
    """Return the heuristic, with at most `most_entries` per table. Raises Unsuitable."""
    sets = pattern_sets(rules, goal, most_entries)
    if not sets:  # no state can be a goal
        return hopeless(rules.fields)
    start = rules.layout.encode(rules.task.start)
    made = [(one, Databases.of(one, rules.fields)) for one in sets]
    chosen, best = made[0]
    if len(made) > 1:  # ties: the first
        chosen, best = max(made, key=lambda one: Heuristic(rules.fields, one[1].for_core())(start))
    note = chosen.description()
    if actions := images(rules, goal, chosen):
        best = best.mirrored(actions)
        note += f", for the state and for {counted(len(actions), 'image')} of it"
    return Heuristic(rules.fields, best.for_core(), note)


@frozen
class Look:
    """How to look up a state in a table: its index is a sum over the fields.

    parts     (field, what each of its possible numbers adds)
    database  the number of the table
    """

    parts: tuple[tuple[int, tuple[int, ...]], ...]
    database: int

    @staticmethod
    def of(pattern: Pattern, database: int, fields: Sequence[Field]) -> Look:
        """Return how to look up states in the table of a pattern."""
        stride_of = dict(zip(pattern.variables, pattern.strides, strict=True))
        if not pattern.places:
            parts = [
                (one, tuple([number * stride for number in range(len(fields[one].values))]))
                for one, stride in stride_of.items()
            ]
        else:
            parts = [
                (place, tuple([
                    number * stride_of.get(value, 0) for value in range(len(fields[place].values))
                ]))
                for number, place in enumerate(pattern.places)
            ]  # fmt: skip
        return Look(tuple(parts), database)

    def of_image(self, action: Action) -> Look:
        """Return how to look up the image of a state under a symmetry, given the state itself."""
        parts = [
            (action.sources[field], tuple([adds[number] for number in action.maps[field]]))
            for field, adds in self.parts
        ]
        return Look(tuple(parts), self.database)


@frozen
class Databases:
    """Tables, and sets of groups of look-ups in them.

    The value is the maximum over the sets of the sum over their groups of the maximum in each.
    """

    patterns: tuple[Pattern, ...]
    tables: tuple[bytes, ...]
    sets: tuple[tuple[tuple[Look, ...], ...], ...]

    @staticmethod
    def of(chosen: PatternSet, fields: Sequence[Field]) -> Databases:
        """Return the tables of all chosen patterns."""
        patterns = tuple([one for group in chosen.groups for one in group])
        numbers = count()
        looks = tuple([
            tuple([Look.of(one, next(numbers), fields) for one in group])
            for group in chosen.groups
        ])  # fmt: skip
        return Databases(patterns, tuple([table(one) for one in patterns]), (looks,))

    def mirrored(self, actions: Sequence[Action]) -> Databases:
        """Return the same with look-ups of the state's images added."""
        images = [
            tuple([tuple([look.of_image(action) for look in group]) for group in self.sets[0]])
            for action in actions
        ]
        return evolve(self, sets=(*self.sets, *images))

    def for_core(self) -> dict[str, Any]:
        """Return the tables in the core's format."""
        sets = [
            [[(one.parts, one.database) for one in group] for group in groups]
            for groups in self.sets
        ]
        return {"kind": "tables", "entries": list(self.tables), "sets": sets}
