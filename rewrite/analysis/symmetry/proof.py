"""Whether an action on states is a symmetry of a puzzle: proved from ground rules and goal.

It must map the ground rules, the goal and each `never` onto themselves. Conditions are written out
over fields as plain data, so that equal data hold in the same states. Conditions that mean the same
but are written differently do not compare equal, so a proof can fail although there is a symmetry;
a proof that succeeds is sound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rewrite.analysis.fields import numbers, packed
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.symmetry.actions import Action, broken
from rewrite.analysis.transitions import Pairs, transitions
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots import forms
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Aggregate, Condition, Holds, Terminal, operands
from rewrite.language.expressions import Call
from rewrite.language.order import term_key

GOAL = "the goal"
MOST_INSTANCES = 100_000
Written = Any
"""Nested tuples, and sets where order does not matter; they contain a condition's instances as
`Instances` and states as `States`."""


@frozen
class Instances:
    """The ground instances of a condition, each with its value and multiplicity."""

    found: frozenset[tuple[Pairs, Pairs, int, int]]


@frozen
class States:
    held: frozenset[tuple[int, ...]]


def moved(given: Written, action: Action) -> Written:
    if isinstance(given, Instances):
        return Instances(frozenset([
            (action.pairs(tests), action.pairs(misses), value, number)
            for tests, misses, value, number in given.found
        ]))  # fmt: skip
    if isinstance(given, States):
        return States(frozenset([action.image(held) for held in given.held]))
    if isinstance(given, (tuple, frozenset)):
        return type(given)([moved(part, action) for part in given])
    return given


@frozen
class Doubt:
    """Where a proof failed ("the goal", "rule 'up'"), and a state that probably shows it."""

    what: str
    code: int | None = None


class Proof:
    """`goals`: all reachable goal states, if known: it suffices to map these onto themselves."""

    def __init__(
        self, rules: OverSlots, goal: Condition | None, goals: Sequence[int] | None
    ) -> None:
        self.rules, self.fields = rules, rules.fields
        self.goals = {numbers(self.fields, code) for code in goals or ()}
        self.forms: list[tuple[str, Any]] = []
        if rules.task.puzzle.never:
            nevers = frozenset([self._written(given) for given in rules.task.puzzle.never])
            self.forms.append(("never=", nevers))
        if goal is not None and not self.goals:
            self.forms.append((GOAL, self._written(goal)))

    def doubt(self, action: Action) -> Doubt | None:
        """Return where the proof fails; None if it succeeds. Raises Unsuitable."""
        rules = self.rules
        wrong = broken(action, rules.transitions)
        if wrong is not None:
            held = list(rules.begun)
            for place, value in wrong.tests:
                held[place] = value
            name = rules.task.puzzle.rules[wrong.rule].name
            return Doubt(f"rule {name!r}", packed(self.fields, held))
        for goal in sorted(self.goals):
            if action.image(goal) not in self.goals:
                return Doubt(GOAL, packed(self.fields, goal))
        for what, given in self.forms:
            if moved(given, action) != given:
                return Doubt(what)
        return None

    def _written(self, given: Condition) -> Written:
        try:
            return self._form(forms.read(self.rules.program, given))
        except EngineFailure as failure:  # a user function, called with values that never meet
            raise Unsuitable(f"{given!r} cannot be tried on every value: {failure}") from failure

    def _form(self, given: forms.Form) -> Written:
        match given:
            case forms.AllOf():
                return ("Both", frozenset(map(self._form, operands(given, forms.AllOf))))
            case forms.OneOf():
                return ("Either", frozenset(map(self._form, operands(given, forms.OneOf))))
            case forms.Denied(inner):
                return ("Not", self._form(inner))
            case forms.Matches():
                return self._matches(given)
            case forms.Whole(exactly, matches):
                return ("Exactly", len(exactly.patterns), self._matches(matches))
            case forms.Codes(codes):
                return States(frozenset([numbers(self.fields, code) for code in codes]))
            case Holds():
                return ("Holds", self._expression(given.expression))
            case Terminal():
                return ("Terminal",)
        raise Unsuitable.of(given.why)

    def _matches(self, given: forms.Matches) -> Instances:
        plain = type(given.value) is int
        found = []
        for change, table in self.rules.instances(given):

            def entries(rule: int, lookups: Any, table: Any = table) -> Any:
                return lambda key: [(1, 0) if plain else one for one in table[key]]

            found += transitions([(0, change)], self.fields, entries)
            if len(found) > MOST_INSTANCES:
                raise Unsuitable(f"{given.given!r} has too many instances")
        counts = Counter((one.tests, one.misses, one.cost) for one in found)
        return Instances(
            frozenset([(*one, number if given.every else 1) for one, number in counts.items()])
        )

    def _expression(self, given: Any) -> Written:
        if isinstance(given, Aggregate):
            plain = term_key(given.value) if type(given.value) is int else None
            return (given.name, plain, self._matches(forms.counted(self.rules.program, given)))
        if isinstance(given, Call):
            return (given.op, *map(self._expression, given.args))
        if isinstance(given, (int, str, bool)):
            return term_key(given)
        raise Unsuitable(f"{given!r} is not understood by the proof")
