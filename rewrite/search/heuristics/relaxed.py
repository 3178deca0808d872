"""hmax and FF: estimates from the delete relaxation, in which facts stay true; and goal_count.

hmax (Bonet and Geffner, *Planning as heuristic search*, AIJ 2001): the cost of the most expensive
goal fact; an operator waits for its most expensive precondition. Admissible.

FF (Hoffmann and Nebel, *The FF planning system*, JAIR 2001): the cost of a relaxed plan, collected
backwards from the goal through the cheapest supporters (here those of hadd, where an operator costs
the sum of its preconditions; Keyder and Geffner, ECAI 2008). It may overestimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate

from rewrite.analysis.fields import Field
from rewrite.analysis.goals.facts import goal_facts, goal_facts_or_ways_out
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.transitions import Transition
from rewrite.budget import tick
from rewrite.compile.slots.changes import NEVER_HELD
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Condition
from rewrite.search.heuristics.heuristic import Heuristic

MOST_OPERATORS = 200_000
DEAREST = 1 << 40
"""Costs and their sums are capped at this, so that they fit into machine words."""

Operator = tuple[int, int, tuple[int, ...], int]
"""The number of the transition, its cost, the facts needed, and the fact added."""


def _relaxed(rules: OverSlots, goal: Condition, kind: str) -> Heuristic:
    goals = goal_facts_or_ways_out(rules, goal)
    (*first, facts), operators = relaxed_task(rules.transitions, rules.fields)
    data = {"kind": kind, "goals": goals, "first": first, "facts": facts, "operators": operators}
    return Heuristic(rules.fields, data)


hmax = partial(_relaxed, kind="hmax")
ff = partial(_relaxed, kind="ff")


def goal_count(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the number of goal conditions that do not yet hold, of the nearest alternative.

    One step can satisfy several, so this may overestimate. Raises Unsuitable.
    """
    goals = goal_facts(rules, goal) or goal_facts_or_ways_out(rules, goal)
    return Heuristic(rules.fields, {"kind": "goal_count", "goals": goals})


def relaxed_task(
    given: Sequence[Transition], fields: Sequence[Field]
) -> tuple[tuple[int, ...], list[Operator]]:
    """Return the facts and operators of the relaxed task. Raises Unsuitable for over 200,000.

    A fact is a field with a value: field f with value v is `first[f] + v`; the last entry of
    `first` is their number. Each effect of a transition is an operator; a copy has one for each
    value of its source. What must *not* be held is left out: distances never exceed the puzzle's.
    """
    first = tuple(accumulate((len(field.values) for field in fields), initial=0))
    best: dict[tuple[tuple[int, ...], int], Operator] = {}
    for number, one in enumerate(given):
        cost = min(one.cost, DEAREST)
        tests = dict(one.tests)
        effects = [(tests, field, value) for field, value in one.sets]
        for field, source in one.copies:
            known = tests.get(source)
            values = range(len(fields[source].values)) if known is None else (known,)
            effects += [(tests | {source: value}, field, value) for value in values]
        for field, source, table in one.maps:
            known = tests.get(source)
            effects += [
                (tests | {source: value}, field, after)
                for value, after in enumerate(table)
                if after != NEVER_HELD and known in (None, value)
            ]
        tick(len(effects))
        for held, field, value in effects:
            needs = tuple(sorted(first[place] + number for place, number in held.items()))
            gives = first[field] + value
            same = best.get((needs, gives))
            if gives in needs or (same and same[1] <= cost):
                continue
            best[needs, gives] = number, cost, needs, gives
            if len(best) > MOST_OPERATORS:
                raise Unsuitable(f"its rules have more than {MOST_OPERATORS:,} effects")
    return first, list(best.values())
