"""Exact distances in the projection of a multiset onto the terms that its goal speaks of.

The projection (`analysis.projected_rules`) is explored from the start, then valued backwards from
its goals. If it is too large, what was not expanded counts as a goal: distances are then too low,
but still grow by no more than a step costs. An estimate is one look-up, admissible and consistent;
states whose projection is a dead end are ruled out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from attrs import field, frozen

from rewrite.analysis.projected_rules import projected
from rewrite.budget import tick
from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.interning import TermType
from rewrite.compile.multisets.layout import Layout
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.counts import Code, cheapest
from rewrite.engine.interface import Engine
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.language.conditions import Condition
from rewrite.language.puzzles import Puzzle

MOST_EXPANDED, MOST_PAIRS = 10_000, 25_000_000
"""States of a projection, and pairs of terms in them, as they may grow and conditions may join
them: mostly half a second, some three where conditions do or where rules make many successors."""


@frozen(eq=False)
class Projection:
    """An estimate of states by a table; `part` returns what of a state is looked up."""

    table: dict[Any, float] = field(repr=False)
    part: Callable[[Code], Any]
    note: str

    def __call__(self, code: Code) -> float:
        # an image under a symmetry may have a projection that the start does not lead to
        return self.table.get(self.part(code), 0)


def projection(engine: Engine, goal: Condition) -> Projection:
    """Return the estimate for a goal. Raises Unsuitable."""
    if not isinstance(engine, MultisetEngine):
        raise Unsuitable("its states are no multisets in groups")
    small, types = projected(engine.task.puzzle, engine.task.start, goal)
    kept = [one for one in engine.layout.term_types if one in types]
    if not kept or engine.layout.single:
        raise Unsuitable("no rule changes what the goal depends on")
    table, whole = _table(small, kept)
    how = "exact distances" if whole else "least distances, as far as they were explored,"
    note = f"{how} in {' and '.join(map(str, kept))} alone, {len(table):,} states"
    return Projection(table, _part(engine.layout, kept), note)


def _part(layout: Layout, kept: list[TermType]) -> Callable[[Any], Any]:
    return itemgetter(*[layout.index[one] for one in kept])


def _table(puzzle: Puzzle, kept: list[TermType]) -> tuple[dict[Any, float], bool]:
    """Return the distance to the nearest goal of every state, and whether these are all. Raises
    Unsuitable.
    """
    assert puzzle.start is not None
    capacity = Capacity(term_types=kept, multiset=["only few are looked at"])
    while True:
        engine = build(Task(puzzle, puzzle.start, puzzle.goal), capacity)
        if not isinstance(engine, MultisetEngine):
            raise Unsuitable("its projection has no multisets in groups")
        part, groups = _part(engine.layout, kept), engine.layout.groups
        try:
            found, whole = _valued(engine, engine.encode(puzzle.start))
            return {part(groups(code)): left for code, left in found.items()}, whole
        except NeedsCapacity as needs:
            capacity |= needs.capacity
        except EngineFailure as failure:
            raise Unsuitable(f"its projection fails: {failure}") from None


def _valued(engine: MultisetEngine, start: Code) -> tuple[dict[Code, float], bool]:
    before: dict[Code, list[tuple[int, Code]]] = {start: []}
    waiting, expanded, pairs = [start], 0, 0
    for code in waiting:
        if expanded == MOST_EXPANDED or pairs > MOST_PAIRS:
            break
        size = sum(map(len, engine.layout.groups(code)))
        tick(1 + size // 10)
        expanded += 1
        pairs += size * size
        for cost, after in engine.weighted(code):
            if after not in before:
                before[after] = []
                waiting.append(after)
            before[after].append((cost, code))
    goals = [code for number, code in enumerate(waiting) if number >= expanded or engine.goal(code)]
    found = dict.fromkeys(before, math.inf) | cheapest(goals, before.__getitem__)
    return found, expanded == len(waiting)
