"""A puzzle over multisets seen through some of its terms: those that its goal speaks of.

Terms of other types are left out of states and rules, and with them every condition that depends on
them. What is left out only restricts, so each step of the puzzle is a step of its projection, of at
most the same cost, or changes nothing there: distances in the projection are never too high
(Culberson and Schaeffer, *Pattern databases*, 1998). What never changes is kept too. If a rule puts
a term whose variables are only bound by terms that are left out, these are kept as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve

from rewrite.analysis.inverse_rules import Inversion
from rewrite.compile.interning import TermType, encode, term_type_of
from rewrite.compile.multisets.layout import term_types_of
from rewrite.compile.rule_properties import calls_python, sees_state
from rewrite.compile.slots.keys import Unsuitable
from rewrite.errors import RewriteError
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Condition,
    Either,
    Exactly,
    Holds,
    Not,
    OneOfStates,
    Patterned,
)
from rewrite.language.expressions import Variable
from rewrite.language.nesting import everywhere
from rewrite.language.order import source, term_key
from rewrite.language.patterns import (
    binders,
    computes,
    everything_inside,
    mentioned,
    variables,
)
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State

Types = frozenset[TermType]


def projected(puzzle: Puzzle, start: State, goal: Condition) -> tuple[Puzzle, Types]:
    """Return the projection, and its types that change. Raises Unsuitable if there is none."""
    if puzzle.simplify:
        raise Unsuitable("simplify= looks at whole states")
    changing = {one for rule in puzzle.rules for part in (*rule.take, *rule.put)
                for one in _types(part, f"rule {rule.name!r}")}  # fmt: skip
    asked = looked_at(goal)
    if asked is None:
        raise Unsuitable("the goal looks at the whole state")
    held = {term_type_of(encode(term)) for term in (*start, *puzzle.facts)}
    kept = asked | {one for one in held if one not in changing}
    while True:
        if changing <= kept:
            raise Unsuitable("the goal depends on every term that rules change")
        made = [_Projected(rule, kept) for rule in puzzle.rules]
        more = frozenset(one for rule in made for one in rule.missing()) - kept
        if not more:
            break
        kept |= more
    try:
        small = Puzzle(
            [rule for one in made if (rule := one.rule()) is not None],
            start=[term for term in start if term_type_of(encode(term)) in kept],
            goal=goal, facts=puzzle.facts, sets=puzzle.sets, name=puzzle.name,
        )  # fmt: skip
    except RewriteError as error:
        raise Unsuitable(f"its rules cannot be projected: {error}") from None
    return small, frozenset(kept & changing)


def _types(pattern: Any, where: str) -> list[TermType]:
    found = term_types_of(pattern)
    if found is None:
        raise Unsuitable(f"{where} has {source(pattern)}, which may be a term of any type")
    return found


def looked_at(given: Any, positive: bool = True) -> Types | None:
    """Return the types of terms that a condition, or an expression, looks at in a state.

    None if it looks at others too, or calls Python. What asks for a whole state may hold of a
    projection where it fails in the state; so it must stand in no negation.
    """
    if isinstance(given, (Both, Either)):
        return _joined(looked_at(one, positive) for one in (given.left, given.right))
    if isinstance(given, Not):
        return looked_at(given.inner, not positive)
    if isinstance(given, Holds):
        parts = [*everywhere(given.expression, everything_inside)]
        if calls_python(given.expression):
            return None
        inner = [one for one in parts if isinstance(one, (Aggregate, Condition))]
        return _joined(looked_at(part, False) for part in inner)
    if isinstance(given, OneOfStates) and positive:
        return frozenset(term_type_of(encode(term)) for state in given.states for term in state)
    if not isinstance(given, Patterned) or (isinstance(given, Exactly) and not positive):
        return None
    if not isinstance(given, Aggregate) and given.named_rest is not None:
        return None
    if calls_python(given):
        return None
    found = [term_types_of(pattern) for pattern in (*given.patterns, *given.absent)]
    own = _joined(None if one is None else frozenset(one) for one in found)
    return _joined([own, *[looked_at(one, False) for one in given.when]])


def _joined(given: Iterable[Types | None]) -> Types | None:
    found: Types = frozenset()
    for one in given:
        if one is None:
            return None
        found |= one
    return found


class _Projected:
    """A rule of which only patterns of some types remain; `inversion`: what follows from them."""

    def __init__(self, rule: Rule, kept: Types) -> None:
        self.given, self.kept = rule, kept
        self.take = [one for one in rule.take if self._keeps(one)]
        self.keep = [one for one in rule.keep if kept.issuperset(term_types_of(one) or [""])]
        self.put = [one for one in rule.put if self._keeps(one)]
        let = [one for one in rule.let if not (computes(one[0]) or _is_opaque(one[1]))]
        self.inversion = Inversion([*self.take, *self.keep], (), tuple(let), rule)

    def _keeps(self, pattern: Any) -> bool:
        own = _types(pattern, f"rule {self.given.name!r}")
        if len(self.kept.intersection(own)) not in (0, len(own)):
            raise Unsuitable(f"rule {self.given.name!r} has a pattern for terms of several types")
        return own[0] in self.kept

    def missing(self) -> Iterator[TermType]:
        """Yield the types of the terms that bind what is put, where it is not known."""
        if any(map(_is_opaque, self.put)):
            raise Unsuitable(f"rule {self.given.name!r} puts what only a whole state determines")
        for variable in variables(tuple(self.put)):
            if variable not in self.inversion.known:
                yield from self._binding(variable)

    def _binding(self, variable: Variable) -> list[TermType]:
        for pattern in (*self.given.take, *self.given.keep):
            own = term_types_of(pattern) or []
            if variable in binders(pattern) and own and not self.kept.issuperset(own):
                return own
        raise Unsuitable(f"rule {self.given.name!r} puts {variable.name}, which other terms bind")

    def rule(self) -> Rule | None:
        if sorted(map(term_key, self.take)) == sorted(map(term_key, self.put)):
            return None
        rule, known = self.given, self.inversion
        patterns, let = known.settled()
        takes = len(self.take)
        cost = rule.cost
        return evolve(
            rule, label=rule.name, literal=True, take=patterns[:takes], put=tuple(self.put),
            keep=patterns[takes:], let=let,
            when=tuple([one for one in rule.when if self._depends(one, looked_at(one, False))]),
            absent=tuple([one for one in rule.absent if self._depends(one, _absent(one))]),
            cost=cost if known.knows(cost) and not _is_opaque(cost) else 0,
        )  # fmt: skip

    def _depends(self, given: Any, types: Types | None) -> bool:
        bound = mentioned(given).keys() & self.given.bound.keys()
        return types is not None and types <= self.kept and bound <= self.inversion.known.keys()


def _absent(pattern: Any) -> Types | None:
    types = term_types_of(pattern)
    return None if types is None or _is_opaque(pattern) else frozenset(types)


def _is_opaque(value: Any) -> bool:
    """Whether its value depends on the state, or on Python."""
    return sees_state(value) or calls_python(value)
