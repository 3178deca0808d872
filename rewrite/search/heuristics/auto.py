"""The heuristic chosen for heuristic="auto"."""

from __future__ import annotations

from contextlib import suppress

from attrs import evolve

from rewrite.analysis.fields import numbers
from rewrite.analysis.over_slots import OverSlots
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Condition
from rewrite.search.heuristics.heuristic import Heuristic, nothing
from rewrite.search.heuristics.pattern_databases import (
    MOST_ENTRIES,
    databases_of,
    pattern_sets,
)
from rewrite.search.heuristics.pieces import pieces
from rewrite.search.heuristics.relaxed import hmax

NOTHING = "none, because pattern databases would estimate the start at 0"


def auto(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return pieces or pattern databases if available, else hmax. Raises Unsuitable.

    Tables that say nothing of the start are not built: what they cost is hardly ever saved.
    Pieces with dead places are chosen at once: pruning is worth more than a higher estimate of the
    start. In 17 of 20 Sokoban levels pattern databases estimate the start higher, yet A* expands
    four times as many states with them. Otherwise the higher estimate of the start wins.
    """
    moved = None
    with suppress(Unsuitable):
        moved = pieces(rules, goal)
        if moved.rules_out:
            return moved
    start = rules.layout.encode(rules.task.start)
    try:
        sets = pattern_sets(rules, goal, MOST_ENTRIES)
        if sets and all(one.says_nothing_of(numbers(rules.fields, start)) for one in sets):
            return moved or evolve(nothing(rules.fields), note=NOTHING)
        databases = databases_of(sets, rules, goal)
    except Unsuitable as why:
        return moved or evolve(
            hmax(rules, goal), note=f"hmax (no pattern databases: {why.reason.description})"
        )
    if moved is None:
        return databases
    return max((moved, databases), key=lambda one: one(start))  # ties: the first
