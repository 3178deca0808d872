"""The number of goal conditions that do not yet hold, minimised over the alternatives.

One step can satisfy several, so this may overestimate; it is cheap and gives a direction.
"""

from __future__ import annotations

from rewrite.language.conditions import Condition
from rewrite.reasoning.goals.facts import goal_facts, goal_facts_or_ways_out
from rewrite.reasoning.over_slots import OverSlots
from rewrite.search.heuristics.heuristic import Heuristic, plain_goals


def goal_count(rules: OverSlots, goal: Condition) -> Heuristic:
    """Return the heuristic. Raises Unsuitable."""
    goals = goal_facts(rules, goal) or goal_facts_or_ways_out(rules, goal)
    return Heuristic(rules.fields, {"kind": "goal_count", "goals": plain_goals(goals)})
