"""The registry of heuristics that are made from the rules alone: one line each."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from rewrite.compiler.keys import Unsuitable
from rewrite.engine.interface import Engine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.errors import SearchError
from rewrite.language.conditions import Condition
from rewrite.search.heuristics.goal_count import goal_count
from rewrite.search.heuristics.made import Made
from rewrite.search.heuristics.pattern_databases import pattern_databases
from rewrite.search.heuristics.relaxed import ff, hmax


def auto(engine: SlotEngine, goal: Condition) -> Made:
    """Return pattern databases where they can be had, else hmax. Raises Unsuitable."""
    try:
        return pattern_databases(engine, goal)
    except Unsuitable as why:
        return evolve(hmax(engine, goal), note=f"hmax (no pattern databases: {why})")


@frozen
class FromRules:
    """A heuristic by name."""

    name: str
    make: Callable[[SlotEngine, Condition], Made]


HEURISTICS = {
    one.name: one
    for one in (
        FromRules("goal_count", goal_count),
        FromRules("hmax", hmax),
        FromRules("ff", ff),
        FromRules("pattern_databases", pattern_databases),
        FromRules("auto", auto),
    )
}


def made(chosen: FromRules, engine: Engine, goal: Condition, puzzle: str) -> Made:
    """Return the heuristic for a goal. Raises SearchError where the puzzle cannot have it."""
    subject = f"{puzzle}: heuristic={chosen.name!r}"
    way_out = "give an expression such as total(…) or a function State -> number"
    if not isinstance(engine, SlotEngine):
        raise SearchError(
            f"{subject} is made from rules over slots, and this puzzle is not kept in slots "
            f"({engine.encoding}); {way_out}"
        )
    try:
        return chosen.make(engine, goal)
    except Unsuitable as why:
        raise SearchError(f"{subject} cannot be made: {why}; {way_out}") from None
