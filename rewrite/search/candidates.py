"""Heuristics that a search may afford, each with its build cost in states of plain search.

Tables cost work before they save any. The cost is known beforehand: the number of abstract states
and of steps from each.
"""

from __future__ import annotations

from contextlib import suppress

from attrs import evolve, frozen

from rewrite.analysis.fields import numbers
from rewrite.analysis.goals.facts import goal_facts_or_ways_out
from rewrite.analysis.patterns.choice import PatternSet
from rewrite.analysis.projected_rules import projected
from rewrite.analysis.transitions import written_out
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.interface import Engine
from rewrite.errors import SearchError
from rewrite.search.ends import ends_for
from rewrite.search.heuristics import HEURISTICS, FromRules
from rewrite.search.heuristics.pattern_databases import (
    LARGE_ENTRIES,
    MOST_ENTRIES,
    pattern_sets,
)
from rewrite.search.heuristics.pieces import pieces_build_cost
from rewrite.search.heuristics.projection import MOST_EXPANDED
from rewrite.search.question import Question
from rewrite.search.strategies import STRATEGIES, Strategy

STEPS_A_STATE = 10
"""Abstract steps in the time of one state of plain search (measured: 20 and 200 ns)."""
MOST_LOOKED_UP = 100_000
"""Entries of the rules' own tables that may be expanded to find patterns: some 2 µs each."""
MOST_BYTES = 1 << 26
"""Of all large tables together."""
BYTES_AN_ENTRY = 4
"""While a table is built: the entry, a copy of it, and queued states."""

AN_EXPANSION = 20
"""States in slots in the time of one abstract multiset."""

A_STAR = 3
"""How many states in slots, breadth-first, cost as much time and memory as one of A* or of a search
by cost."""
DEAR = 1_000_000
"""Build costs from which on LM-cut is tried before tables; it is given up where it has taken as
long as they take."""
OPERATORS_A_STATE = 5
"""LM-cut looks at so many operators in the time of one state of plain search (measured: some 80 ns
for each operator, and 0.4 µs)."""
FIND = 1_000_000
"""States in slots in the time in which symmetries are found: a tenth of a second or two."""
LARGE = FromRules("large_pattern_databases", admissible=True, module="pattern_databases")


@frozen
class Candidate:
    """An available heuristic, or another way to search without one.

    strategy    A*, or without a heuristic the search from both ends, or plain search
    finds       whether to count states up to symmetries that are found first
    build_cost  roughly how many states in slots a search visits in the time it takes to build
    entries     of all its tables, a byte each
    pace        how many states in slots, breadth-first, take as long as one of it
    """

    heuristic: FromRules | None
    build_cost: int
    entries: int = 0
    strategy: Strategy = STRATEGIES["astar"]
    finds: bool = False
    pace: int = A_STAR


def candidates(engine: Engine, asked: Question, max_memory: int | None) -> list[Candidate]:
    """Return what a search with this engine can afford, cheapest first.

    asked   the question of plain search
    """
    found = _without_symmetry(engine, asked, max_memory)
    if (landmarks := _landmarks(engine, asked, found)) is not None:
        return [landmarks, *found]
    none_said = asked.symmetry == "declared" and not asked.puzzle.symmetry
    if not found and none_said and engine.reasoning is not None and not asked.has_costs:
        return [Candidate(None, FIND, strategy=asked.strategy, finds=True)]
    return found


def _landmarks(engine: Engine, asked: Question, found: list[Candidate]) -> Candidate | None:
    """Return A* with LM-cut, where tables are dear or there are none: it needs no preparation, but
    much time for a state. Only where rules set known values: of others there are many operators.
    """
    rules, goal = engine.reasoning, asked.goal
    if rules is None or goal is None or any(one.build_cost < DEAR for one in found):
        return None
    with suppress(Unsuitable):
        if written_out(rules.changes, rules.fields) > MOST_LOOKED_UP:
            return None
        given = rules.relaxed
        simple = not any(one.copies or one.maps for _, one in given)
        if simple and goal_facts_or_ways_out(rules, goal):
            pace = max(A_STAR, len(given) // OPERATORS_A_STATE)
            return Candidate(HEURISTICS["lmcut"], 1, pace=pace)
    return None


def _without_symmetry(engine: Engine, asked: Question, max_memory: int | None) -> list[Candidate]:
    rules, goal, found = engine.reasoning, asked.goal, list[Candidate]()
    assert goal is not None
    if rules is None:
        if _has_ends(engine, asked):
            return [Candidate(None, 1, strategy=STRATEGIES["bidirectional"])]
        with suppress(Unsuitable):
            projected(engine.task.puzzle, engine.task.start, goal)
            work = MOST_EXPANDED * AN_EXPANSION
            found.append(Candidate(HEURISTICS["auto"], work, MOST_EXPANDED * AN_EXPANSION))
        return found
    with suppress(Unsuitable):
        if written_out(rules.changes, rules.fields) > MOST_LOOKED_UP:
            return found
        if (cost := pieces_build_cost(rules, goal)) is not None:
            entries, steps = cost
            return [Candidate(HEURISTICS["pieces"], 1 + steps // STEPS_A_STATE, entries)]
        start = numbers(rules.fields, rules.layout.encode(asked.start))
        small = [one for one in pattern_sets(rules, goal, MOST_ENTRIES) if one.informs(start)]
        if small:
            found.append(_candidate(HEURISTICS["pattern_databases"], small))
        if any(one.adds for one in small):
            large = pattern_sets(rules, goal, LARGE_ENTRIES)
            candidate = _candidate(LARGE, large)
            if large != small and candidate.entries <= MOST_BYTES:
                found.append(candidate)
    if max_memory is None:
        return found
    return [one for one in found if one.entries * BYTES_AN_ENTRY <= max_memory]


def _has_ends(engine: Engine, asked: Question) -> bool:
    """Whether the rules on multisets can be inverted, and goals are few whole states."""
    asked = evolve(asked, strategy=STRATEGIES["bidirectional"])
    try:
        return bool(ends_for(asked, engine, few=True).goals)
    except SearchError:
        return False
    except NeedsCapacity:  # of a goal state; its own search will see to it
        return True


def _candidate(heuristic: FromRules, sets: list[PatternSet]) -> Candidate:
    patterns = [one for chosen in sets for group in chosen.groups for one in group]
    steps = sum([one.work for one in patterns])
    return Candidate(heuristic, 1 + steps // STEPS_A_STATE, sum([one.entries for one in patterns]))
