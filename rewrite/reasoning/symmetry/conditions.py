"""Conditions written out over fields: what symmetry is proved with.

What is written out is plain data: two conditions of which it is equal hold in the same states. An
action maps it to the like; a condition that it maps to itself is as true of a state as of its
image.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import frozen

from rewrite.code.failure import EngineFailure
from rewrite.compiler.slots import forms
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import Aggregate, Condition, Holds, Terminal
from rewrite.language.expressions import Call
from rewrite.language.order import term_key
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.symmetry.actions import Action
from rewrite.reasoning.transitions import Pairs, transitions

MOST_INSTANCES = 100_000
Written = Any
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


def written(rules: OverSlots, given: Condition) -> Written:
    """Return a condition written out. Raises Unsuitable where it cannot be."""
    try:
        return _Writer(rules).form(forms.read(rules.program, given))
    except EngineFailure as failure:  # a user function, asked about values that never meet
        raise Unsuitable(f"{given!r} cannot be tried on every value: {failure}") from failure


def moved(given: Written, action: Action) -> Written:
    """Return the image of what is written out."""
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


class _Writer:
    def __init__(self, rules: OverSlots) -> None:
        self.rules, self.fields = rules, rules.fields

    def form(self, given: forms.Form) -> Written:
        match given:
            case forms.AllOf():
                return ("Both", frozenset(self._parts(given, forms.AllOf)))
            case forms.OneOf():
                return ("Either", frozenset(self._parts(given, forms.OneOf)))
            case forms.Denied(inner):
                return ("Not", self.form(inner))
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

    def _parts(self, given: forms.Form, kind: type[forms.AllOf | forms.OneOf]) -> list[Written]:
        """Return all parts that are joined with & (or all with |)."""
        if not isinstance(given, kind):
            return [self.form(given)]
        return self._parts(given.left, kind) + self._parts(given.right, kind)

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
