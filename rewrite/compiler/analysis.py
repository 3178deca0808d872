"""Findings about rules: which variables a rule treats alike, which parts look at the state.

Nothing here is assumed: variables are alike when exchanging them gives the same rule, up to the
order of operands where that does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rewrite.language.bag import Bag
from rewrite.language.conditions import Aggregate, Condition, Holds
from rewrite.language.expressions import Call, Expression, Splice, Variable
from rewrite.language.functions import FunctionCall, OneOf
from rewrite.language.nesting import everywhere, nested
from rewrite.language.order import TALLEST, Key, inside, measured, term_key
from rewrite.language.patterns import everything_inside, parts
from rewrite.language.rules import Rule
from rewrite.language.terms import Term, is_ground

COMMUTATIVE = {"+", "*", "==", "!=", "&", "|", "least", "greatest"}
ASSOCIATIVE = {"+", "*", "&", "|", "least", "greatest"}
MIRRORED = {">": "<", ">=": "<="}
Renaming = dict[Variable, Variable]


def alike_takes(rule: Rule) -> tuple[int | None, ...]:
    """Return, for each `take` pattern, the latest earlier one it can be exchanged with, or None.

    Matches need to be tried only with the occurrences of such a pair in one order: the other order
    gives the same successors. `M + N` has (None, 0); with the guard M > N it has (None, None).
    """
    found: list[int | None] = []
    for later in range(len(rule.take)):
        partner = None
        for earlier in range(later):
            if _exchangeable(rule, earlier, later):
                partner = earlier
        found.append(partner)
    return tuple(found)


def _exchangeable(rule: Rule, first: int, second: int) -> bool:
    renaming: Renaming = {}
    computed = (rule.put, rule.when, rule.absent, rule.cost, *[value for _, value in rule.let])
    if any(measured(part)[1] > TALLEST for part in computed):
        return False  # it may be, but finding out takes too long
    if not _pair_up(rule.take[first], rule.take[second], renaming):
        return False
    return rule_key(rule, {}) == rule_key(rule, renaming)


def _pair_up(left: Any, right: Any, renaming: Renaming) -> bool:
    """Collect the exchange of variables that turns one pattern into the other, if there is one."""
    if isinstance(left, Splice) and isinstance(right, Splice):
        left, right = left.inner, right.inner
    if isinstance(left, Variable) and isinstance(right, Variable):
        if left.kind != right.kind or left.constructors != right.constructors:
            return False
        return (
            renaming.setdefault(left, right) is right and renaming.setdefault(right, left) is left
        )
    if (
        isinstance(left, Expression)
        or isinstance(right, Expression)
        or type(left) is not type(right)
    ):
        return term_key(left) == term_key(right)
    inner_left, inner_right = parts(left), parts(right)
    if is_ground(left) and is_ground(right):
        return term_key(left) == term_key(right)
    if not inner_left and not inner_right:
        return term_key(left) == term_key(right)
    if isinstance(left, Bag) or len(inner_left) != len(inner_right):
        return False
    return all(_pair_up(a, b, renaming) for a, b in zip(inner_left, inner_right, strict=True))


def rule_key(rule: Rule, renaming: Renaming) -> Key:
    """Return what a rule does, as a key: equal keys mean that the rules do the same."""

    def bag(items: Iterable[Any]) -> Key:
        return tuple(sorted((normal_key(item, renaming) for item in items), key=repr))

    lets = tuple(
        (normal_key(pattern, renaming), normal_key(value, renaming)) for pattern, value in rule.let
    )
    groups = (rule.take, rule.keep, rule.put, rule.when, rule.absent)
    return (tuple(bag(group) for group in groups), lets, normal_key(rule.cost, renaming))


@nested(everything_inside)
def normal_key(value: Any, get: Callable[[Any, Renaming], Key], renaming: Renaming) -> Key:
    """Return a key of a template that ignores the order of operands where it does not matter."""
    if isinstance(value, Variable):
        return term_key(renaming.get(value, value))
    if isinstance(value, Call):
        op, args = value.op, value.args
        if op in MIRRORED:
            op, args = MIRRORED[op], args[::-1]
        if op in ASSOCIATIVE:
            args = _flattened(op, args)
        keys = [get(argument, renaming) for argument in args]
        distance = op == "abs" and isinstance(args[0], Call) and args[0].op == "-"
        if distance:  # |a - b| is |b - a|
            keys = sorted((get(argument, renaming) for argument in args[0].args), key=repr)
            op = "distance"
        return ("call", op, tuple(sorted(keys, key=repr) if op in COMMUTATIVE else keys))
    if isinstance(value, FunctionCall):
        arguments = tuple(get(argument, renaming) for argument in value.args)
        return ("fn", value.function.term_key(), arguments)
    if isinstance(value, Splice):
        return ("splice", get(value.inner, renaming))
    if isinstance(value, OneOf):
        return ("one_of", *[get(option, renaming) for option in inside(value)])
    if isinstance(value, (Aggregate, Condition)):
        inner = tuple(get(part, renaming) for part in value.term_inside())
        name = value.name if isinstance(value, Aggregate) else type(value).__name__
        return (name, inner) if inner else (name, value.term_key())
    if is_ground(value):
        return term_key(value)
    if isinstance(value, Term):
        inner = tuple(get(part, renaming) for part in parts(value))
        return ("term", value.term_identity(), inner)
    if isinstance(value, tuple):
        return ("seq", tuple(get(part, renaming) for part in value))
    if isinstance(value, Bag):
        return (
            "bag",
            tuple(sorted((get(part, renaming) for part in value.items), key=repr)),
        )
    return term_key(value)


def _flattened(op: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the operands of a chain of one operator: those of (a + b) + c are a, b, c."""
    out: list[Any] = []
    todo = list(args)[::-1]
    while todo:
        argument = todo.pop()
        if isinstance(argument, Call) and argument.op == op:
            todo += argument.args[::-1]
        else:
            out.append(argument)
    return tuple(out)


def sees_state(value: Any) -> bool:
    """Return whether a condition or expression looks at the state, not only at bound variables."""
    if isinstance(value, Holds):
        value = value.expression
    return any(isinstance(part, (Condition, Aggregate)) for part in everywhere(value, inside))


def is_costly(value: Any) -> bool:
    """Return whether a user function is called, or a power taken: that may take any time."""
    return any(
        isinstance(part, FunctionCall) or (isinstance(part, Call) and part.op == "**")
        for part in everywhere(value, everything_inside)
    )
