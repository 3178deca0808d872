"""hmax, FF, LM-cut: estimates from the delete relaxation, in which facts stay true; and goal_count.

hmax (Bonet and Geffner, *Planning as heuristic search*, AIJ 2001): the cost of the most expensive
goal fact; an operator waits for its most expensive precondition. Admissible.

FF (Hoffmann and Nebel, *The FF planning system*, JAIR 2001): the cost of a relaxed plan, collected
backwards from the goal through the cheapest supporters (here those of hadd, where an operator costs
the sum of its preconditions; Keyder and Geffner, ECAI 2008). It may overestimate.

LM-cut (Helmert and Domshlak, ICAPS 2009): the costs of sets of operators, one of which every plan
uses, one after the other, each paid for once. Admissible, and no less than hmax.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate

from rewrite.analysis.fields import Field
from rewrite.analysis.goals.facts import goal_facts, goal_facts_or_ways_out
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.transitions import Transition
from rewrite.budget import tick, ticking
from rewrite.compile.slots.changes import NEVER_HELD
from rewrite.language.conditions import Condition
from rewrite.search.heuristics.heuristic import Heuristic

DEAREST = 1 << 40
"""Costs and their sums are capped at this, so that they fit into machine words."""

Operator = tuple[int, int, tuple[int, ...], list[int]]
"""The number of what is paid for, its cost, the facts needed, and the facts added."""


def _relaxed(rules: OverSlots, goal: Condition, kind: str) -> Heuristic:
    goals = goal_facts_or_ways_out(rules, goal)
    shared = kind == "lmcut"
    given = rules.relaxed if shared else [*enumerate([one for _, one in rules.relaxed])]
    (*first, facts), operators = relaxed_task(given, rules.fields, shared)
    data = {"kind": kind, "goals": goals, "first": first, "facts": facts, "operators": operators}
    data["sets"] = [_sets(one) for _, one in given] if kind == "ff" else []
    return Heuristic(rules.fields, data)


def _sets(given: Transition) -> list[int]:
    """Return the fields that a transition sets, each before its value; nothing if it does more."""
    more = given.copies or given.maps
    return [] if more else [number for pair in given.sets for number in pair]


hmax = partial(_relaxed, kind="hmax")
ff = partial(_relaxed, kind="ff")
lmcut = partial(_relaxed, kind="lmcut")


def goal_count(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the number of goal conditions that do not yet hold, of the nearest alternative.

    One step can satisfy several, so this may overestimate. Raises Unsuitable.
    """
    goals = goal_facts(rules, goal) or goal_facts_or_ways_out(rules, goal)
    return Heuristic(rules.fields, {"kind": "goal_count", "goals": goals})


def relaxed_task(
    given: Sequence[tuple[int, Transition]], fields: Sequence[Field], every: bool = False
) -> tuple[tuple[int, ...], list[Operator]]:
    """Return the facts and operators of the relaxed task.

    A fact is a field with a value: field f with value v is `first[f] + v`; the last entry of
    `first` is their number. A transition is an operator; a copy is one for each value of its
    source. What must *not* be held is left out: distances never exceed the puzzle's.

    given   with the numbers of their operators; those of one number share its cost
    every   keep also what another operator with the same needs gives for no more
    """
    first = tuple(accumulate((len(field.values) for field in fields), initial=0))
    costs: dict[tuple[int, ...], dict[int, int]] = {}
    found = []
    for number, one in ticking(given):
        tests, cost = dict(one.tests), min(one.cost, DEAREST)
        needs = tuple([first[field] + value for field, value in one.tests])
        ways = [(needs, [first[field] + value for field, value in one.sets])] if one.sets else []
        copied = [(to, at, range(len(fields[at].values))) for to, at in one.copies]
        for field, source, table in (*copied, *one.maps):
            for value in range(len(table)) if source not in tests else (tests[source],):
                if table[value] != NEVER_HELD:
                    needed = tuple(sorted({*needs, first[source] + value}))
                    ways.append((needed, [first[field] + table[value]]))
        tick(len(ways))
        for needed, gives in ways:
            least = costs.setdefault(needed, {})
            new = [
                gain for gain in gives
                if gain not in needed and (every or least.get(gain, cost + 1) > cost)
            ]  # fmt: skip
            if new:
                least |= dict.fromkeys(new, cost)
                found.append((number, cost, needed, new))
    return first, found
