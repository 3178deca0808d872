"""Conditions written out over fields: what symmetry is proved with.

A form is plain data: two conditions with equal forms hold in the same states. An action maps forms
to forms; a condition whose form it maps to itself is as true of a state as of its image.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import frozen

from rewrite.code.failure import EngineFailure
from rewrite.compiler.slots.conditions import as_rule, check_counted, codes, inside, joined
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Condition,
    Contains,
    Either,
    Exactly,
    Holds,
    Lacks,
    Not,
    OneOfStates,
    Terminal,
)
from rewrite.language.expressions import Call
from rewrite.language.order import term_key
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.symmetry.actions import Action
from rewrite.reasoning.transitions import Pairs, transitions

MOST_INSTANCES = 100_000
Form = Any
"""Nested tuples, and sets where the order does not matter; a condition's instances stand in them as
`Instances`, states as `States`."""


@frozen
class Instances:
    """The ground instances of a condition, each with its value, and how often it stands there."""

    found: frozenset[tuple[Pairs, Pairs, int, int]]


@frozen
class States:
    """A set of states."""

    held: frozenset[tuple[int, ...]]


def form(rules: OverSlots, given: Condition) -> Form:
    """Return the form of a condition. Raises Unsuitable where it cannot be written out."""
    try:
        return _Forms(rules).condition(given)
    except EngineFailure as failure:  # a user function, asked about values that never meet
        raise Unsuitable(f"{given!r} cannot be tried on every value: {failure}") from failure


def moved(given: Form, action: Action) -> Form:
    """Return the image of a form."""
    if isinstance(given, Instances):
        return Instances(
            frozenset([
                (action.pairs(tests), action.pairs(misses), value, number)
                for tests, misses, value, number in given.found
            ])
        )  # fmt: skip
    if isinstance(given, States):
        return States(frozenset([action.image(held) for held in given.held]))
    if isinstance(given, tuple):
        return tuple([moved(part, action) for part in given])
    if isinstance(given, frozenset):
        return frozenset([moved(part, action) for part in given])
    return given


class _Forms:
    def __init__(self, rules: OverSlots) -> None:
        self.rules = rules

    def condition(self, given: Condition) -> Form:
        if isinstance(given, (Both, Either)):
            return (type(given).__name__, frozenset(self._joined(given, type(given))))
        if isinstance(given, Not):
            return ("Not", self.condition(given.inner))
        if isinstance(given, Lacks):
            return ("Not", self._matches(given))
        if isinstance(given, Contains):
            return self._matches(given)
        if isinstance(given, Exactly):
            return ("Exactly", len(given.patterns), self._matches(inside(given)))
        if isinstance(given, OneOfStates):
            return self._states(given)
        if isinstance(given, Holds):
            return ("Holds", self._expression(given.expression))
        if isinstance(given, Terminal):
            return ("Terminal",)
        raise Unsuitable(f"{given!r} is a Python function")

    def _joined(self, given: Condition, kind: type[Both] | type[Either]) -> list[Form]:
        """Return the forms of all parts that are joined with & (or all with |)."""
        if not isinstance(given, kind):
            return [self.condition(given)]
        if isinstance(given, Both) and joined(given):
            raise Unsuitable(f"{given!r} has a variable on both sides")
        return self._joined(given.left, kind) + self._joined(given.right, kind)

    def _states(self, given: OneOfStates) -> Form:
        found = codes(self.rules.layout, given)
        return States(frozenset([numbers(self.rules.fields, code) for code in found]))

    def _matches(self, given: Any, value: Any = 1, every: bool = False) -> Instances:
        made, plain = as_rule(given, value), type(value) is int
        found = []
        for change, table in self.rules.instances(made, every):

            def entries(rule: int, lookups: Any, table: Any = table) -> Any:
                return lambda key: [(1, 0) if plain else one for one in table[key]]

            found += transitions([(0, change)], self.rules.fields, entries)
            if len(found) > MOST_INSTANCES:
                raise Unsuitable(f"{given!r} has too many instances")
        counted = Counter((one.tests, one.misses, one.cost) for one in found)
        return Instances(
            frozenset([(*one, number if every else 1) for one, number in counted.items()])
        )

    def _expression(self, given: Any) -> Form:
        if isinstance(given, Aggregate):
            check_counted(self.rules.program, given)
            plain = term_key(given.value) if type(given.value) is int else None
            return (given.name, plain, self._matches(given, given.value, every=True))
        if isinstance(given, Call):
            return (given.op, *map(self._expression, given.args))
        if isinstance(given, (int, str, bool)):
            return term_key(given)
        raise Unsuitable(f"{given!r} is not understood by the proof")
