"""The order in which the parts of a rule or condition are tried: a join plan.

Greedy, by rank: of two parts that could come next, first the one whose matches, less one, are fewer
for each candidate that is looked at. So guards come at once, look-ups among facts before conditions
that loop, and those before anything that multiplies. (The cheapest
order of independent parts: Ibaraki and Kameda, *On the optimal nesting order for computing
N-relational joins*, 1984.)

What looks at the rest of the state comes after all of `take`. The plan changes speed and the order
of matches, never which matches there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from rewrite.compile.rule_properties import sees_state
from rewrite.language.conditions import Condition, Patterned
from rewrite.language.expressions import Expression, Splice, Variable
from rewrite.language.functions import OneOf
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import (
    binders,
    computed,
    contains_wildcard,
    everything_inside,
    mentioned,
    parts,
    variables,
)
from rewrite.language.rules import Rule, lets_in_order

NOT_READY = 10_000.0
GUARD, VALUE = -50.0, -20.0
"""Ranks of a guard and of a single value: at once."""
WHOLE_STATE = 100.0
"""About as many candidates as a condition on the whole state is worth."""
Sizes = Callable[[Any, set[Variable]], tuple[float, float]]
"""Expected number of candidates and of matches of a pattern, when these variables are bound."""


@frozen
class Step:
    """One part to try next: `kind` is take, keep, let, when or absent; `index` its place there."""

    kind: str
    index: int


def plan_rule(rule: Rule, sizes: Sizes, late_keeps: Sequence[int] = ()) -> tuple[Step, ...]:
    """Return the order in which the parts of a rule are tried; `late_keeps` come after `take`."""
    late_lets = [i for i, (_, value) in enumerate(rule.let) if sees_state(value)]
    late = [Step("let", i) for i in late_lets]
    late += [Step("keep", i) for i in late_keeps]
    late += [Step("absent", i) for i in range(len(rule.absent))]
    late += [Step("when", i) for i, given in enumerate(rule.when) if sees_state(given)]
    early = [Step("take", i) for i in range(len(rule.take))]
    early += [Step("keep", i) for i in range(len(rule.keep)) if i not in late_keeps]
    early += [Step("let", i) for i in range(len(rule.let)) if i not in late_lets]
    early += [Step("when", i) for i, given in enumerate(rule.when) if not sees_state(given)]
    return _order(rule, early, late, sizes)


def plan_patterns(
    patterns: Sequence[Any], bound: set[Variable], sizes: Sizes
) -> tuple[tuple[int, ...], float]:
    """Return the order in which the patterns of a condition are tried, and how many candidates are
    looked at in all.
    """
    known, left, order = set(bound), list(range(len(patterns))), list[int]()
    cost, matches = 0.0, 1.0
    while left:
        best = min(left, key=lambda i: (_pattern_rank(patterns[i], known, sizes), i))
        candidates, more = sizes(patterns[best], known)
        cost, matches = cost + matches * candidates, matches * more
        order.append(best)
        left.remove(best)
        known |= set(binders(patterns[best]))
    return tuple(order), cost


def work(rule: Rule, steps: Sequence[Step], sizes: Sizes) -> tuple[float, float]:
    """Return about how many candidates a plan looks at in one state, and its matches there."""
    bound, cost, matches = set[Variable](), 0.0, 1.0
    for step in steps:
        part = getattr(rule, step.kind)[step.index]
        candidates, more = 1.0, 0.5
        if step.kind in ("take", "keep"):
            candidates, more = sizes(part, bound)
        elif step.kind == "let":
            candidates = more = float(branches(part[1]))
        elif step.kind == "absent":
            candidates = sizes(part, bound)[0]
        elif sees_state(part):
            candidates = _condition_cost(part, bound, sizes)
        bound |= _binds(rule, step)
        cost, matches = cost + matches * candidates, matches * more
    return cost, matches


def _order(rule: Rule, early: list[Step], late: list[Step], sizes: Sizes) -> tuple[Step, ...]:
    bound: set[Variable] = set()
    order: list[Step] = []
    waiting, before = list(early), _before(rule)
    while waiting or late:
        if not any(step.kind == "take" for step in waiting):
            waiting, late = waiting + late, []
        lets = {step.index for step in order if step.kind == "let"}
        ready = [
            step for step in waiting
            if step.kind != "let" or before[step.index].has_come(bound, lets)
        ]  # fmt: skip
        best = min(ready, key=lambda step: _rank(rule, step, bound, sizes))
        order.append(best)
        waiting.remove(best)
        bound |= _binds(rule, best)
    return tuple(order)


@frozen
class Before:
    """What comes before a let: what binds the variables that it uses, and other lets."""

    variables: set[Variable]
    lets: set[int]

    def has_come(self, bound: set[Variable], lets: set[int]) -> bool:
        return self.variables <= bound and self.lets <= lets


def _before(rule: Rule) -> dict[int, Before]:
    """Return what comes before each let, so that its sums see what they see by the definition."""
    before, local = dict[int, Before](), dict[Variable, set[int]]()
    for now, known in lets_in_order(rule.take + rule.keep, rule.let):
        pattern, value = rule.let[now]
        used = mentioned(value).keys()
        lets = [local.get(variable, set()) for variable in binders(pattern).keys() - known.keys()]
        before[now] = Before(used & known.keys(), set().union(*lets))
        for variable in used - known.keys():
            local.setdefault(variable, set()).add(now)
    return before


def _binds(rule: Rule, step: Step) -> set[Variable]:
    if step.kind in ("take", "keep"):
        return set(binders(getattr(rule, step.kind)[step.index]))
    return set(binders(rule.let[step.index][0])) if step.kind == "let" else set()


def _rank(rule: Rule, step: Step, bound: set[Variable], sizes: Sizes) -> float:
    part = getattr(rule, step.kind)[step.index]
    if step.kind in ("take", "keep"):
        return _pattern_rank(part, bound, sizes)
    if step.kind == "let":
        pattern, value = part
        number = branches(value) * (8.0 if _has_splice(pattern) else 1.0)
        return VALUE if number <= 1 else (number - 1) / number
    if not mentioned(part).keys() & rule.bound.keys() <= bound:  # others are local to the part
        return NOT_READY * 2
    if step.kind == "absent":
        return -0.5 / max(sizes(part, bound)[0], 1.0)
    return -0.5 / _condition_cost(part, bound, sizes) if sees_state(part) else GUARD


def _condition_cost(given: Any, bound: set[Variable], sizes: Sizes) -> float:
    """Return about how many candidates a condition, or an aggregate, looks at."""
    cost = 1.0
    for part in everywhere(given, everything_inside):
        if isinstance(part, Patterned):
            cost += plan_patterns((*part.patterns, *part.absent), bound, sizes)[1]
        elif isinstance(part, Condition) and not everything_inside(part):
            cost += WHOLE_STATE
    return cost


def branches(value: Any) -> float:
    if not isinstance(value, OneOf):
        return 1
    return len(value.options) if isinstance(value.options, tuple) else 8


def _has_splice(pattern: Any) -> bool:
    return any(isinstance(part, Splice) for part in everywhere(pattern, parts))


def _pattern_rank(pattern: Any, bound: set[Variable], sizes: Sizes) -> float:
    needed = {v for expression in computed(pattern) for v in variables(expression)}
    candidates, matches = sizes(pattern, bound)
    if needed - bound - set(binders(pattern)):
        return NOT_READY + candidates
    return (matches - 1) / max(candidates, 1.0)


def known_places(pattern: Any, bound: set[Variable]) -> list[int]:
    """Return which arguments of a pattern have a value when these variables are bound."""
    if isinstance(pattern, Expression):
        return []
    return [
        place
        for place, part in enumerate(parts(pattern))
        if not set(mentioned(part)) - bound and not contains_wildcard(part)
    ]


def is_known(pattern: Any, bound: set[Variable]) -> bool:
    """Return whether the whole pattern has a value when these variables are bound."""
    needed = {v for expression in computed(pattern) for v in variables(expression)}
    return {*binders(pattern)} | needed <= bound and not contains_wildcard(pattern)
