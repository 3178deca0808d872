"""hmax and FF: estimates from the delete relaxation, in which facts stay true.

hmax (Bonet and Geffner, *Planning as heuristic search*, AIJ 2001): the cost of the most expensive
goal fact; an operator waits for its most expensive precondition. Admissible.

FF (Hoffmann and Nebel, *The FF planning system*, JAIR 2001): the cost of a relaxed plan, collected
backwards from the goal through the cheapest supporters (here those of hadd, where an operator costs
the sum of its preconditions; Keyder and Geffner, ECAI 2008). It may overestimate.
"""

from __future__ import annotations

from rewrite.language.conditions import Condition
from rewrite.reasoning.goals.facts import goal_facts_or_ways_out
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.relaxed import relaxed
from rewrite.search.heuristics.heuristic import Heuristic, plain_goals


def hmax(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the heuristic hmax. Raises Unsuitable."""
    return _made(rules, goal, "hmax")


def ff(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the heuristic FF. Raises Unsuitable."""
    return _made(rules, goal, "ff")


def _made(rules: OverSlots, goal: Condition, kind: str) -> Heuristic:
    goals = goal_facts_or_ways_out(rules, goal)
    task = relaxed(rules.transitions, rules.fields)
    data = {
        "kind": kind, "goals": plain_goals(goals), "first": list(task.first), "facts": task.facts,
        "operators": [(one.transition, one.cost, list(one.needs), one.gives)
                      for one in task.operators],
    }  # fmt: skip
    return Heuristic(rules.fields, data)
