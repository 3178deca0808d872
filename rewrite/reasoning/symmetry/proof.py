"""Whether an action on states is a symmetry of a puzzle: proved from ground rules and goal.

It must map the ground rules, the goal and each `never` onto themselves. What is written out
differently and means the same is not seen through, so a proof can fail where there is a symmetry;
a proof that succeeds is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rewrite.language.conditions import Condition
from rewrite.reasoning.fields import numbers, packed
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.symmetry.actions import Action, broken
from rewrite.reasoning.symmetry.conditions import moved, written

GOAL = "the goal"


@frozen
class Doubt:
    """Where a proof failed.

    what    "rule 'row 1 right'", "the goal" or "never="
    code    a state that is likely to show it, if one is known
    """

    what: str
    code: int | None = None


class Proof:
    """Proves actions on the states of one puzzle to be symmetries.

    goals   all reachable goal states, where they are known: then the action need only map
            these onto themselves

    Raises Unsuitable where goal or rules cannot be written out.
    """

    def __init__(
        self, rules: OverSlots, goal: Condition | None, goals: Sequence[int] | None
    ) -> None:
        self.rules, self.fields = rules, rules.fields
        self.goals = None if goals is None else {numbers(self.fields, code) for code in goals}
        self.forms: list[tuple[str, Any]] = []
        if rules.task.puzzle.never:
            nevers = frozenset([written(rules, given) for given in rules.task.puzzle.never])
            self.forms.append(("never=", nevers))
        if goal is not None and not self.goals:
            self.forms.append((GOAL, written(rules, goal)))

    def doubt(self, action: Action) -> Doubt | None:
        """Return where the proof fails, None where it succeeds. Raises Unsuitable."""
        rules = self.rules
        wrong = broken(action, rules.transitions)
        if wrong is not None:
            held = list(numbers(self.fields, rules.layout.encode(rules.task.start)))
            for place, value in wrong.tests:
                held[place] = value
            name = rules.task.puzzle.rules[wrong.rule].name
            return Doubt(f"rule {name!r}", packed(self.fields, held))
        for goal in sorted(self.goals or ()):
            if action.image(goal) not in (self.goals or ()):
                return Doubt(GOAL, packed(self.fields, goal))
        for what, given in self.forms:
            if moved(given, action) != given:
                return Doubt(what)
        return None
