"""Findings about rules: interchangeable variables, and which parts look at the state.

Nothing here is assumed: variables are interchangeable if swapping them gives the same rule, up to
the order of operands where that does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from rewrite.compile.inlining import inlined, may_lack_value
from rewrite.language.bag import Bag
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Condition,
    Either,
    Holds,
    OneOfStates,
    Patterned,
    may_bind,
    operands,
)
from rewrite.language.expressions import PLAIN_KINDS, Call, Expression, Splice, Variable, kind_of
from rewrite.language.functions import FunctionCall, OneOf
from rewrite.language.nesting import everywhere
from rewrite.language.order import Key, inside, levels_of, term_key
from rewrite.language.patterns import everything_inside, flat, mentioned, parts
from rewrite.language.rules import Rule
from rewrite.language.terms import Symbolic, Term, is_ground

COMMUTATIVE = {"+", "*", "==", "!=", "&", "|", "least", "greatest"}
ASSOCIATIVE = {"+", "*", "&", "|", "least", "greatest"}
MOST_COMPARED = 40
"""Levels of what a rule computes, for its patterns to be compared."""
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
Renaming = Mapping[Key, Key]
"""What stands for some variables and values, by their keys."""


def interchangeable_takes(rule: Rule) -> tuple[int | None, ...]:
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
    swapped: dict[Variable, Variable] = {}
    computed = (rule.put, rule.when, rule.absent, rule.cost, *[value for _, value in rule.let])
    if any(levels_of(part) > MOST_COMPARED for part in computed):
        return False  # it may be, but finding out takes too long
    if not _pair_up(rule.take[first], rule.take[second], swapped):
        return False
    renaming = {term_key(one): term_key(other) for one, other in swapped.items()}
    return rule_key(rule, {one: one for one in renaming}) == rule_key(rule, renaming)


def _pair_up(left: Any, right: Any, renaming: dict[Variable, Variable]) -> bool:
    """Collect the exchange of variables that turns one pattern into the other, if there is one."""
    if isinstance(left, Splice) and isinstance(right, Splice):
        left, right = left.inner, right.inner
    if isinstance(left, Variable) and isinstance(right, Variable):
        if left.admitted != right.admitted:
            return False
        return (
            renaming.setdefault(left, right) is right and renaming.setdefault(right, left) is left
        )
    if (
        isinstance(left, Expression)
        or isinstance(right, Expression)
        or type(left) is not type(right)
        or (is_ground(left) and is_ground(right))
    ):
        return term_key(left) == term_key(right)
    inner_left, inner_right = parts(left), parts(right)
    if isinstance(left, Bag) or len(inner_left) != len(inner_right):
        return False
    return all(_pair_up(a, b, renaming) for a, b in zip(inner_left, inner_right, strict=True))


def rule_key(rule: Rule, renaming: Renaming) -> Key:
    """Return what a rule does, as a key: equal keys mean that the rules do the same.

    Compare only keys whose renamings are of the same variables and values.
    """
    bag = partial(any_order, renaming=renaming)
    lets = tuple(
        (normal_key(pattern, renaming), normal_key(value, renaming)) for pattern, value in rule.let
    )
    effects = [
        tuple(map(bag, (one.take, one.keep, one.put, one.where.when, one.where.absent)))
        for one in rule.effects
    ]
    groups = (rule.take, rule.keep, rule.put, rule.when, rule.absent)
    cost = rule.cost if type(rule.cost) is int else normal_key(rule.cost, renaming)
    return (tuple(map(bag, groups)), lets, cost, tuple(sorted(effects, key=repr)))


def any_order(items: Iterable[Any], renaming: Renaming) -> Key:
    return tuple(sorted([normal_key(item, renaming) for item in items], key=repr))


def normal_key(value: Any, renaming: Renaming) -> Key:
    """Return a key of a template or condition that ignores order where it does not matter."""
    if isinstance(value, Variable):
        key = term_key(value)
        return renaming.get(key, key)
    get, bag = (partial(one, renaming=renaming) for one in (normal_key, any_order))
    if isinstance(value, Call):
        op, args = value.op, value.args
        if op in (">", ">="):
            op, args = MIRRORED[op], args[::-1]
        if op in ASSOCIATIVE:
            args = _flattened(op, args)
        keys = [*map(get, args)]
        distance = op == "abs" and isinstance(args[0], Call) and args[0].op == "-"
        if distance:  # |a - b| is |b - a|
            keys = sorted(map(get, args[0].args), key=repr)
            op = "distance"
        # of `a | b` only `a` is always evaluated: where one may have no value, order matters
        lazy = op in ("&", "|") and any(map(may_lack_value, args))
        free = op in COMMUTATIVE and not lazy
        return ("call", op, tuple(sorted(keys, key=repr) if free else keys))
    if isinstance(value, FunctionCall):
        return ("fn", value.function.term_key(), tuple(map(get, value.args)))
    if isinstance(value, Splice):
        return ("splice", get(value.inner))
    if isinstance(value, OneOf):
        several = type(value.options) is tuple
        return ("one_of", bag(value.options) if several else get(value.options))
    if isinstance(value, (Both, Either)):
        inner = operands(value, type(value))
        binds = isinstance(value, Both) and any(may_bind(one) and mentioned(one) for one in inner)
        return (type(value).__name__, tuple(map(get, inner)) if binds else bag(inner))
    if isinstance(value, Patterned):
        head: Key = (type(value).__name__, None if value.rest is None else get(value.rest))
        if isinstance(value, Aggregate):
            head = (value.name, get(value.value))
        return (*head, bag(value.patterns), bag(value.when), bag(value.absent))
    if isinstance(value, OneOfStates):
        return ("states", tuple(sorted(map(bag, value.states), key=repr)))
    if isinstance(value, Condition):
        inside_ = tuple(map(get, value.term_inside()))
        return (type(value).__name__, inside_ or value.term_key())
    if is_ground(value):
        key = term_key(value)
        if key in renaming or not (renaming and parts(value)):
            return renaming.get(key, key)
    if isinstance(value, Term):
        return ("term", value.term_identity(), tuple(map(get, parts(value))))
    if isinstance(value, tuple):
        return ("seq", tuple(map(get, value)))
    if isinstance(value, Bag):
        return ("bag", bag(value.items))
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


def deepens(rule: Rule, template: Any) -> bool:
    """Return whether what `put` makes of a template may nest deeper than what the rule matched.

    If not, no search has to look at how deep it is.
    """
    if (inner := flat(template)) is not None:  # no variable stands deeper than in a flat pattern
        there = {id(part) for pattern in (*rule.take, *rule.keep) for part in flat(pattern) or ()}
        if all(kind_of(part) in PLAIN_KINDS or id(part) in there for part in inner):
            return False
    matched: dict[Variable, int] = {}
    for one, level in _symbols((rule.take, rule.keep), -2):
        if isinstance(one, Variable):
            matched[one] = max(level, matched.get(one, level))
    todo = [*_symbols(template, 0)]
    while todo:
        one, level = todo.pop()
        if kind_of(one) in PLAIN_KINDS:
            continue
        if isinstance(one, Call):  # none makes more levels than its operands have
            for operand in one.args:
                todo += _symbols(operand, level)
        elif isinstance(one, Variable):
            if level > matched.get(one, -1):
                return True
        elif level or not isinstance(one, FunctionCall):  # what a function returns is checked
            return True
    return False


def _symbols(template: Any, level: int) -> Iterator[tuple[Any, int]]:
    """Yield what is not ground in a template, with the levels around it.

    The elements of what is spliced into a sequence stand where the others do.
    """
    if isinstance(template, Splice):
        yield from _symbols(template.inner, level - 1)
    elif isinstance(template, Symbolic):
        yield template, level
    elif not is_ground(template):
        for part in parts(template):
            yield from _symbols(part, level + 1)


def sees_state(value: Any) -> bool:
    """Return whether a condition or expression looks at the state, not only at bound variables."""
    if isinstance(value, Holds):
        value = value.expression
    return any(isinstance(part, (Condition, Aggregate)) for part in everywhere(value, inside))


def takes_power(value: Any) -> bool:
    """Return whether a power is taken: that may take any time."""
    inner = everywhere(value, everything_inside)
    return any(isinstance(part, Call) and part.op == "**" for part in inner)


def calls_python(value: Any) -> bool:
    """Return whether a user function is called that is not written out as an expression."""
    inner = everywhere(value, everything_inside)
    return any(isinstance(part, FunctionCall) and inlined(part) is None for part in inner)


def one_of_each(rules: Iterable[Rule], *, exactly: bool = False) -> tuple[Rule, ...]:
    """Return the first rule of each shape.

    exactly   tell apart rules of one shape in which different constants are equal to each other
    """
    found: dict[Any, Rule] = {}
    for rule in rules:
        outline = rule.outline
        key = id(rule) if outline is None else (outline.shape, exactly and outline.equal)
        found.setdefault(key, rule)
    return tuple(found.values())
