"""Pattern databases: exact distances in projections of the puzzle, looked up state by state.

They are admissible and consistent. `analysis.patterns.choice` chooses the projections. If the
board is symmetric, a state and its mirror image are equally far from a goal, so both are looked up
and the greater distance counts (Culberson and Schaeffer, *Pattern databases*, 1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any

from rewrite.analysis.fields import Field
from rewrite.analysis.goals.facts import goal_facts_or_ways_out
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.patterns.choice import Choice, PatternSet, images
from rewrite.analysis.patterns.projections import Pattern
from rewrite.analysis.symmetry.actions import Action
from rewrite.budget import BETWEEN_LOOKS, threads, tick
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Condition
from rewrite.native import core
from rewrite.native.engine import MOST_THREADS
from rewrite.native.trouble import Reported
from rewrite.results.result import counted
from rewrite.search.heuristics.heuristic import Heuristic, hopeless

MOST_ENTRIES = 1 << 20
"""Entries of one table."""
LARGE_ENTRIES = 1 << 24
"""Entries of one large table. The 15-puzzle then has three patterns of five tiles, not four of
four: 50 MB and about a second, which pays if a search with the small ones takes longer."""
FARTHEST = 254
"""Greater distances are stored as this."""
NO_WAY = 255

Parts = list[tuple[int, list[int]]]
"""The index of a state in a table is a sum: fields, and what each of their numbers adds."""


def table(pattern: Pattern) -> bytes:
    """Return the distance of each abstract state to a goal; the last variable counts least."""
    tick(BETWEEN_LOOKS)
    steps = [
        (min(one.cost, FARTHEST), one.tests, one.misses, one.sets, one.copies, one.shifts)
        for one in pattern.steps
    ]
    found: bytes = Reported(core()).call(
        core().pattern_distances,
        pattern.sizes, pattern.counted, bool(pattern.places), steps, pattern.goals,
        min(threads(), MOST_THREADS),
    )  # fmt: skip
    return found


def pattern_sets(rules: OverSlots, goal: Condition, most_entries: int) -> list[PatternSet]:
    """Return the candidate pattern sets. Raises Unsuitable.

    There are none if no state can be a goal.
    """
    goals = goal_facts_or_ways_out(rules, goal)
    if not goals:
        return []
    sets = Choice(rules, goals, most_entries).sets()
    if not sets:
        raise Unsuitable("no projection of its rules says anything of the goal")
    return sets


def pattern_databases(
    rules: OverSlots, goal: Condition, most_entries: int = MOST_ENTRIES
) -> Heuristic:
    return databases_of(pattern_sets(rules, goal, most_entries), rules, goal)


def databases_of(sets: list[PatternSet], rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the heuristic that estimates the start highest."""
    if not sets:  # no state can be a goal
        return hopeless(rules.fields)
    start = rules.layout.encode(rules.task.start)
    made = [Heuristic(rules.fields, _data(one, rules.fields), one.description()) for one in sets]
    best = made[0] if len(made) == 1 else max(made, key=lambda one: one(start))  # ties: the first
    chosen = sets[made.index(best)]
    actions = images(rules, goal, chosen)
    if not actions:
        return best
    mirrored = [_looks(chosen, rules.fields, action) for action in actions]
    data = best.data | {"sets": [*best.data["sets"], *mirrored]}
    note = f"{best.note}, for the state and for {counted(len(actions), 'image')} of it"
    return Heuristic(rules.fields, data, note)


large_pattern_databases = partial(pattern_databases, most_entries=LARGE_ENTRIES)


def _data(chosen: PatternSet, fields: Sequence[Field]) -> dict[str, Any]:
    """Return the tables in the core's format.

    The value is the maximum over the sets of the sum over their groups of the maximum in each.
    """
    tables = [table(one) for group in chosen.groups for one in group]
    return {"kind": "tables", "entries": tables, "sets": [_looks(chosen, fields)]}


def _looks(
    chosen: PatternSet, fields: Sequence[Field], action: Action | None = None
) -> list[list[tuple[Parts, int]]]:
    """Return how a state, or its image, is looked up: for each group the indices and tables."""
    tables = count()
    return [[(_parts(one, fields, action), next(tables)) for one in group]
            for group in chosen.groups]  # fmt: skip


def _parts(pattern: Pattern, fields: Sequence[Field], action: Action | None) -> Parts:
    stride_of = dict(zip(pattern.variables, pattern.strides, strict=True))
    if pattern.places:
        parts = [
            (at, [place * stride_of.get(value, 0) for value in range(len(fields[at].values))])
            for place, at in enumerate(pattern.places)
        ]
    else:
        parts = [
            (at, [number * stride for number in range(len(fields[at].values))])
            for at, stride in stride_of.items()
        ]
    if action is None:
        return parts
    return [(action.sources[at], [adds[number] for number in action.maps[at]])
            for at, adds in parts]  # fmt: skip
