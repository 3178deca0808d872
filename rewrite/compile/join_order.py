"""The order in which the parts of a rule or condition are tried: a join plan.

Greedy: what can be checked is checked at once; otherwise the part with the fewest expected matches
comes next, parts as written where that is equal. What looks at the rest of the state comes after
all of `take`. The plan changes speed and the order of matches, never which matches there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from rewrite.compile.rule_properties import sees_state
from rewrite.language.expressions import Expression, Splice, Variable
from rewrite.language.functions import OneOf
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import (
    binders,
    computed,
    contains_wildcard,
    mentioned,
    parts,
    variables,
)
from rewrite.language.rules import Rule

NOT_READY = 10_000.0
Sizes = Callable[[str, Any], float]
"""Expected number of candidates for ('take' or 'keep', pattern)."""


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
    patterns: Sequence[Any], bound: set[Variable], sizes: Callable[[Any], float]
) -> tuple[int, ...]:
    """Return the order in which the patterns of a condition are tried."""
    known, left, order = set(bound), list(range(len(patterns))), []
    while left:
        best = min(left, key=lambda i: (_pattern_cost(patterns[i], known, sizes(patterns[i])), i))
        order.append(best)
        left.remove(best)
        known |= set(binders(patterns[best]))
    return tuple(order)


def _order(rule: Rule, early: list[Step], late: list[Step], sizes: Sizes) -> tuple[Step, ...]:
    bound: set[Variable] = set()
    order: list[Step] = []
    waiting = list(early)
    while waiting or late:
        if not any(step.kind == "take" for step in waiting):
            waiting, late = waiting + late, []
        best = min(waiting, key=lambda step: _cost(rule, step, bound, sizes))
        order.append(best)
        waiting.remove(best)
        if best.kind in ("take", "keep"):
            bound |= set(binders(getattr(rule, best.kind)[best.index]))
        elif best.kind == "let":
            bound |= set(binders(rule.let[best.index][0]))
    return tuple(order)


def _cost(rule: Rule, step: Step, bound: set[Variable], sizes: Sizes) -> float:
    part = getattr(rule, step.kind)[step.index]
    if step.kind in ("take", "keep"):
        return _pattern_cost(part, bound, sizes(step.kind, part))
    if step.kind == "let":
        pattern, value = part
        if not set(variables(value)) <= bound or not _outer(value, rule) <= bound:
            return NOT_READY * 2
        branches = _branches(value) * (8.0 if _has_splice(pattern) else 1.0)
        return -1.0 if branches == 1 else branches
    if step.kind == "when":
        return -2.0 if _outer(part, rule) <= bound else NOT_READY * 2
    return 0.0 if _outer(part, rule) <= bound else NOT_READY * 2  # absent


def _outer(value: Any, rule: Rule) -> set[Variable]:
    """Return the variables of the rule's match that a part uses; others are local to it."""
    return set(mentioned(value)) & set(rule.bound)


def _branches(value: Any) -> float:
    if not isinstance(value, OneOf):
        return 1
    return len(value.options) if isinstance(value.options, tuple) else 8


def _has_splice(pattern: Any) -> bool:
    return any(isinstance(part, Splice) for part in everywhere(pattern, parts))


def _pattern_cost(pattern: Any, bound: set[Variable], size: float) -> float:
    own = set(binders(pattern))
    needed = {v for expression in computed(pattern) for v in variables(expression)}
    if needed - bound - own:
        return NOT_READY + size
    if own <= bound and needed <= bound and not contains_wildcard(pattern):
        return 0.5  # a look-up
    known = 0
    if not isinstance(pattern, Expression):
        known = sum(
            1
            for part in parts(pattern)
            if not set(mentioned(part)) - bound and not contains_wildcard(part)
        )
    return size / (4.0**known)
