"""Parts: what is left of a rule once it is ground, one slot that it reads at a time.

Where each guard and each computed value of a rule depends on at most one of the slots that it
reads, no combinations need to be tried: a part says for each value of its slot whether the rule
applies, and what it puts then. So a flip of eight pancakes is eight small tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from attrs import evolve, field, frozen

from rewrite.compile.interning import decode, encode
from rewrite.compile.rule_properties import deepens, takes_power
from rewrite.compile.slots.keys import Findings
from rewrite.compile.slots.prepared import GroundRule
from rewrite.language.evaluation import NoValue, evaluate, is_true
from rewrite.language.expressions import Call, Expression, Variable, Wildcard
from rewrite.language.functions import OneOf
from rewrite.language.matching import Match, fits, match, same
from rewrite.language.order import term_key
from rewrite.language.patterns import matches_once, mentioned, variables

COUNTING = {"+", "-", "<", "<=", ">", ">=", "==", "between", "&"}
Value = tuple[Any, ...]
"""The encoded values in a slot."""


@frozen(eq=False)
class Part:
    """What a rule does with the values of one slot that it reads.

    values   their template
    lets, guards   what depends on them, and on ground variables
    puts     the templates of what is computed from them
    used     the ground variables that occur: (variable, its index in GroundRule.ground)
    """

    values: Value
    lets: tuple[tuple[Any, Any], ...]
    guards: tuple[Expression, ...]
    puts: tuple[Value, ...]
    used: tuple[tuple[Variable, int], ...]
    _known: dict[Value, dict[Value, tuple[Value, ...] | None]] = field(factory=dict, init=False)

    @cached_property
    def copied(self) -> tuple[bool, ...]:
        """For each of `puts`, whether it is written as `values` is."""
        written = term_key(self.values)
        return tuple([term_key(one) == written for one in self.puts])

    @cached_property
    def free(self) -> bool:
        """Whether each of the values is ANY or a variable that is nowhere else among them."""
        own = [one for one in self.values if isinstance(one, Variable)]
        others = [one for one in self.values if not isinstance(one, (Variable, Wildcard))]
        return len({*own} - {variable for variable, _ in self.used}) == len(own) and not others

    @property
    def plain(self) -> bool:
        return self.free and not self.lets and not self.guards

    def counts(self, ground: Value, values: Iterable[Value], put: int, times: int) -> bool:
        """Return whether the rule can add the same number, to one of the values, so many times.

        Only the first step and the last are tried: where all that is put and asked are sums and
        their bounds, those between are possible too. `put` is the index of what the slot gets.
        """
        pairs = zip(self.values, self.puts[put], strict=True)
        at, *more = [at for at, pair in enumerate(pairs) if len({*map(term_key, pair)}) == 2] or [0]
        number = self.values[at]
        if more or self.lets or not isinstance(number, Variable) or number.kind != "int":
            return False
        used = [*self.guards, *[one for held in self.puts for one in held]]
        if not all(_is_counted(one, number) for one in used):
            return False
        numbers = [one for one in values if one[at].__class__ is int]
        numbers.sort(key=lambda one: one[at])
        for value in (*numbers[:1], *numbers[-1:]):
            if (first := self.result(ground, value)) is not None:
                step = first[put][at] - value[at]
                far = (*value[:at], value[at] + step * times, *value[at + 1 :])
                last = self.result(ground, far)
                if step and last is not None and last[put][at] == far[at] + step:
                    return True
        return False

    def result(self, ground: Value, value: Value) -> tuple[Value, ...] | None:
        """Return what is put if the slot holds a value, or None where the rule does not apply.

        ground   the values of the ground variables of an instance. Raises Failed.
        """
        known = self._known.setdefault(tuple([ground[at] for _, at in self.used]), {})
        if value not in known:
            env = {variable: decode(ground[at]) for variable, at in self.used}
            try:
                known[value] = self._found(tuple(map(decode, value)), env)
            except NoValue:
                known[value] = None
        return known[value]

    def _matches(self, value: Value, env: dict[Variable, Any]) -> Iterable[Match]:
        if not self.free:
            return match(self.values, value, env)
        pairs = zip(self.values, value, strict=True)
        own = [pair for pair in pairs if isinstance(pair[0], Variable)]
        return [({**env, **dict(own)}, ())] if all(fits(*pair) for pair in own) else []

    def _found(self, value: Value, env: dict[Variable, Any]) -> tuple[Value, ...] | None:
        for bound, waiting in self._matches(value, env):
            pending, lets = list(waiting), list(self.lets)
            while lets:
                ready = next(let for let in lets if variables(let[1]).keys() <= bound.keys())
                lets.remove(ready)
                [*ways] = match(ready[0], evaluate(ready[1], bound), bound)
                if not ways:
                    return None
                bound, more = ways[0]
                pending += more
            if not all(same(evaluate(template, bound), held) for template, held in pending):
                return None
            if not all(is_true(guard, bound) for guard in self.guards):
                return None
            puts = [tuple([evaluate(one, bound) for one in templates]) for templates in self.puts]
            return tuple([tuple(map(encode, one)) for one in puts])
        return None


def _is_counted(value: Any, number: Variable) -> bool:
    """Whether a variable occurs in a value only as it is, in sums and in their bounds."""
    if value is number or number not in mentioned(value):
        return True
    known = isinstance(value, Call) and value.op in COUNTING
    return known and all(_is_counted(one, number) for one in value.args)


@frozen(eq=False)
class Separated:
    """A rule in parts.

    parts    for each slot read, in the order of take and keep: None where it is known altogether
    sources  for each slot put: (the number of its part, its place in Part.puts); None where it is
             known altogether
    """

    parts: tuple[Part | None, ...]
    sources: tuple[tuple[int, int] | None, ...]


def separated(prepared: GroundRule, found: Findings) -> Separated | None:
    """Return a rule in parts; None where something depends on several slots, or may take long."""
    if prepared not in _SEPARATED:
        _SEPARATED[prepared] = _Separation(prepared, found).separated()
    known = _SEPARATED[prepared]
    # with results of its own, which end with what asks for them
    return known and Separated(tuple([one and evolve(one) for one in known.parts]), known.sources)


_SEPARATED = WeakKeyDictionary[GroundRule, Separated | None]()
"""Puzzles with the same rules share these as they share rules prepared."""


class _Several(Exception):
    """Something depends on several slots."""


class _Separation:
    def __init__(self, prepared: GroundRule, found: Findings) -> None:
        self.prepared, self.rule, self.found = prepared, prepared.rule, found
        self.ground = {variable: at for at, variable in enumerate(prepared.ground)}
        self.owner: dict[Variable, int] = {}
        """The slot read on which each open variable depends."""

    def separated(self) -> Separated | None:
        rule = self.rule
        if self.prepared.at("absent", "slot"):
            return None
        if takes_power((rule.take, rule.keep, rule.put, rule.when, rule.let, rule.cost)):
            return None
        lets = self.prepared.lets
        if any(isinstance(value, OneOf) or not matches_once(pattern) for pattern, value in lets):
            return None
        if any(deepens(rule, pattern) for pattern in rule.put):
            return None
        try:
            return self._separated()
        except _Several:
            return None

    def _separated(self) -> Separated:
        reads = [*map(self.found.values_of, self.prepared.reading)]
        for number, values in enumerate(reads):
            if not matches_once(values):
                raise _Several
            for variable in mentioned(values).keys() - self.ground.keys():
                if self.owner.setdefault(variable, number) != number:
                    raise _Several
        lets, guards = self.prepared.lets, self.prepared.guards
        for _ in lets:
            for pattern, value in lets:
                self._join((pattern, value))
        of_lets = [self._only((pattern, value)) for pattern, value in lets]
        of_guards = [self._only(guard) for guard in guards]
        if not self.prepared.knows(self.rule.cost):
            raise _Several
        puts: list[list[Value]] = [[] for _ in reads]
        sources = list[tuple[int, int] | None]()
        for values in map(self.found.values_of, self.prepared.patterns("put")):
            if mentioned(values).keys() <= self.ground.keys():
                sources.append(None)
                continue
            number = self._only(values)
            sources.append((number, len(puts[number])))
            puts[number].append(values)
        parts = [
            None if self.prepared.knows(values) else self._part(
                values,
                tuple([let for let, at in zip(lets, of_lets, strict=True) if at == number]),
                tuple([one for one, at in zip(guards, of_guards, strict=True) if at == number]),
                tuple(puts[number]),
            )
            for number, values in enumerate(reads)
        ]  # fmt: skip
        return Separated(tuple(parts), tuple(sources))

    def _join(self, let: tuple[Any, Any]) -> None:
        """Note on which slot the variables of a let depend. Raises _Several."""
        owners = {self.owner[one] for one in mentioned(let) if one in self.owner}
        if len(owners) > 1:
            raise _Several
        for variable in mentioned(let).keys() - self.ground.keys() if owners else ():
            self.owner[variable] = next(iter(owners))

    def _only(self, value: Any) -> int:
        """Return the one slot on which a value depends. Raises _Several."""
        open_ = mentioned(value).keys() - self.ground.keys()
        owners = {self.owner.get(variable, -1) for variable in open_}
        if len(owners) != 1 or -1 in owners:
            raise _Several
        return owners.pop()

    def _part(
        self, values: Value, lets: tuple[Any, ...], guards: tuple[Expression, ...],
        puts: tuple[Value, ...],
    ) -> Part:  # fmt: skip
        used = mentioned((values, lets, guards, puts))
        return Part(
            values, lets, guards, puts,
            tuple([(variable, at) for variable, at in self.ground.items() if variable in used]),
        )  # fmt: skip
