"""What the conditions of a rule ask of the rest of the state, as formulas over fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rewrite.compile.interning import decode
from rewrite.compile.slots.cases import (
    GONE,
    NEVER,
    Conjunction,
    Formula,
    Numbers,
    cases,
    denied,
    joined,
)
from rewrite.compile.slots.grounding import Grounder
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.prepared import GroundRule, Inner, Instance
from rewrite.language.conditions import Both, Condition, Contains, Either, Holds, Not
from rewrite.language.evaluation import Failed, NoValue, is_true
from rewrite.language.expressions import Expression
from rewrite.language.patterns import mentioned

Matches = dict[tuple[Any, ...], list[Conjunction]]
"""What the matches of patterns ask of fields, by the values that the patterns are given."""


class Asked:
    """The conditions of one rule (`GroundRule.asked`); `ask` comes before `of`.

    domain  what a field may hold
    within  finds the matches of patterns; None where they are no tests of fields
    """

    def __init__(
        self, prepared: GroundRule, grounder: Grounder, domain: Callable[[int], Numbers],
        within: Callable[[Inner, Iterable[tuple[Any, ...]]], Matches | None],
    ) -> None:  # fmt: skip
        self.prepared, self.grounder = prepared, grounder
        self.domain, self.within = domain, within
        self.matches: dict[int, Matches] = {}
        """For each `Contains` and `Lacks`, by id."""
        self.depends = {
            id(given): [at for at, one in enumerate(prepared.ground) if one in mentioned(given)]
            for given in prepared.asked
        }
        """The ground variables on which each condition depends, by their places."""
        self.known: dict[Any, tuple[Conjunction | None, list[Formula]]] = {}
        """What `of` returned, by what it depends on."""

    def ask(self, instances: list[Instance]) -> None:
        """Find what patterns match, for all instances at once. Raises Unsuitable."""
        for place, inner in self.prepared.inner.items():
            given = {tuple([one.ground[at] for at in inner.given]): None for one in instances}
            key, answers = (id(inner), tuple(given)), self.grounder.answers
            if key not in answers:  # kept with what its key is the id of
                answers[key] = inner, self._found(inner, given)
            self.matches[place] = answers[key][1]

    def _found(self, inner: Inner, given: Iterable[tuple[Any, ...]]) -> Matches:
        try:
            found = self.within(inner, given)
        except Failed as failure:
            raise Unsuitable.before(failure) from failure
        if found is None:
            name = self.prepared.rule.name
            raise Unsuitable(
                f"rule {name!r} compares what several terms hold: {inner.rule.rule.label}",
                "ask only for values that a key or a fact gives", rule=name,
            )  # fmt: skip
        return found

    def of(
        self, given: Condition, ground: tuple[Any, ...], gone: frozenset[int]
    ) -> tuple[Conjunction | None, list[Formula]]:
        """Return what a condition asks of fields: what holds in all cases, and other formulas.

        ground  the values of the ground variables of an instance
        gone    the fields of which it takes the terms
        """
        key = (id(given), tuple([ground[at] for at in self.depends[id(given)]]), gone)
        if key not in self.known:
            units: Conjunction | None = {}
            more = []
            for formula in self._formulas(given, True, ground, gone):
                if len(formula) != 1:
                    more.append(formula)
                elif units is not None:
                    units = joined(units, formula[0])
            self.known[key] = (units, more)
        return self.known[key]

    def _formulas(
        self, given: Any, sign: bool, ground: tuple[Any, ...], gone: frozenset[int]
    ) -> list[Formula]:
        """Return formulas, all of which hold where a condition holds (or, not `sign`, does not)."""
        match given:
            case Not(inner=inner):
                return self._formulas(inner, not sign, ground, gone)
            case Both(left=left, right=right) | Either(left=left, right=right):
                both = [self._formulas(one, sign, ground, gone) for one in (left, right)]
                if isinstance(given, Both) is sign:
                    return [*both[0], *both[1]]
                return [[case for one in both for case in cases({}, one, self.domain)]]
            case Holds(expression=expression):
                return [] if self._holds(expression, ground) is sign else [NEVER]
        matches = self._matches(given, ground, gone)
        if isinstance(given, Contains) is sign:
            return [matches]
        return [denied(one) for one in matches]

    def _matches(
        self, given: Any, ground: tuple[Any, ...], gone: frozenset[int]
    ) -> list[Conjunction]:
        """Return what the matches of patterns ask, of what is left after `take`."""
        inner = self.prepared.inner[id(given)]
        matches = self.matches[id(given)][tuple([ground[at] for at in inner.given])]
        return [
            {mask: numbers for mask, numbers in one.items() if mask not in gone}
            for one in matches
            if all(one[mask].admits(GONE) for mask in gone & one.keys())
        ]

    def _holds(self, expression: Expression, ground: tuple[Any, ...]) -> bool:
        values = zip(self.prepared.ground, map(decode, ground), strict=True)
        try:
            return is_true(expression, dict(values))
        except NoValue:
            return False
        except Failed as failure:
            raise Unsuitable.before(failure) from failure
