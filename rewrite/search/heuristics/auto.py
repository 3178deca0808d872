"""The heuristic that is picked where it is left to us."""

from __future__ import annotations

from attrs import evolve

from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import Condition
from rewrite.reasoning.over_slots import OverSlots
from rewrite.search.heuristics.made import Made
from rewrite.search.heuristics.pattern_databases import pattern_databases
from rewrite.search.heuristics.relaxed import hmax


def auto(rules: OverSlots, goal: Condition) -> Made:
    """Return pattern databases where they can be had, else hmax. Raises Unsuitable."""
    try:
        return pattern_databases(rules, goal)
    except Unsuitable as why:
        return evolve(hmax(rules, goal), note=f"hmax (no pattern databases: {why.reason.told})")
