"""The heuristic that is picked where it is left to us."""

from __future__ import annotations

from attrs import evolve

from rewrite.compiler.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language.conditions import Condition
from rewrite.search.heuristics.made import Made
from rewrite.search.heuristics.pattern_databases import pattern_databases
from rewrite.search.heuristics.relaxed import hmax


def auto(engine: SlotEngine, goal: Condition) -> Made:
    """Return pattern databases where they can be had, else hmax. Raises Unsuitable."""
    try:
        return pattern_databases(engine, goal)
    except Unsuitable as why:
        return evolve(hmax(engine, goal), note=f"hmax (no pattern databases: {why.reason.told})")
