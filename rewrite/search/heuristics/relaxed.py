"""hmax and FF: estimates from the delete relaxation, in which facts stay true; and goal_count.

hmax (Bonet and Geffner, *Planning as heuristic search*, AIJ 2001): the cost of the most expensive
goal fact; an operator waits for its most expensive precondition. Admissible.

FF (Hoffmann and Nebel, *The FF planning system*, JAIR 2001): the cost of a relaxed plan, collected
backwards from the goal through the cheapest supporters (here those of hadd, where an operator costs
the sum of its preconditions; Keyder and Geffner, ECAI 2008). It may overestimate.
"""

from __future__ import annotations

from rewrite.language.conditions import Condition
from rewrite.reasoning.goals.facts import goal_facts, goal_facts_or_ways_out
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.relaxed import relaxed
from rewrite.search.heuristics.heuristic import Heuristic


def hmax(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the heuristic hmax. Raises Unsuitable."""
    return _relaxed(rules, goal, "hmax")


def ff(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the heuristic FF. Raises Unsuitable."""
    return _relaxed(rules, goal, "ff")


def _relaxed(rules: OverSlots, goal: Condition, kind: str) -> Heuristic:
    goals = goal_facts_or_ways_out(rules, goal)
    (*first, facts), operators = relaxed(rules.transitions, rules.fields)
    data = {"kind": kind, "goals": goals, "first": first, "facts": facts, "operators": operators}
    return Heuristic(rules.fields, data)


def goal_count(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the number of goal conditions that do not yet hold. Raises Unsuitable.

    It is minimised over the alternatives. One step can satisfy several conditions, so this may
    overestimate; it is cheap and gives a direction.
    """
    goals = goal_facts(rules, goal) or goal_facts_or_ways_out(rules, goal)
    return Heuristic(rules.fields, {"kind": "goal_count", "goals": goals})
