"""What Maude itself calculates: numbers, truth values and texts, as expressions of ours."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from rewrite.language.builtins import greatest, if_, least, length, lower, upper
from rewrite.language.expressions import Expression, kind_of
from rewrite.language.functions import fn
from rewrite.language.terms import is_ground
from rewrite.readers.maude_signature import Qid


def text_of(literal: str) -> str:
    """Return a text of Maude: what is no ASCII may be written as bytes, in octal digits."""
    made = literal[1:-1].encode().decode("unicode_escape").encode("latin-1")
    return made.decode("utf-8", "replace")


@fn
def same(left: Any, right: Any) -> bool:
    """Whether two values are equal; of collections, too, that hold variables."""
    return bool(left == right)


def equal(left: Any, right: Any) -> Any:
    """Return the condition that two values are equal; it may be decided."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, bool) and kind_of(other) == "bool":
            return other if one else negated(other)
    if is_ground(left) and is_ground(right):
        return left == right
    if isinstance(left, Expression):
        return left == right
    return right == left if isinstance(right, Expression) else same(left, right)


def negated(value: Any) -> Any:
    """Return the opposite of a condition, which may be decided."""
    return not value if isinstance(value, bool) else ~value


def both(left: Any, right: Any) -> Any:
    if isinstance(left, bool):
        return right if left else False
    if isinstance(right, bool):
        return left if right else False
    return left & right


def either(left: Any, right: Any) -> Any:
    return (
        negated(both(negated(left), negated(right)))
        if isinstance(left, bool) or isinstance(right, bool)
        else left | right
    )


def _quotient(left: Any, right: Any) -> Any:
    """Return a quotient of whole numbers, rounded to 0."""
    size, negative = abs(left) // abs(right), left * right < 0
    if isinstance(negative, bool):
        return -size if negative else size
    return if_(negative, -size, size)


TRUTHS: dict[str, Callable[..., Any]] = {
    "_and_": both, "_or_": either, "_and-then_": both, "_or-else_": either, "not_": negated,
    "_xor_": lambda left, right: negated(equal(left, right)),
    "_implies_": lambda left, right: either(negated(left), right),
}  # fmt: skip


ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
BUILT_IN: dict[str, Callable[..., Any]] = {
    **ORDER, "+": operator.add, "-": operator.sub, "*": operator.mul, "^": operator.pow,
    "MinusSymbol": operator.neg, "sd": lambda a, b: abs(a - b), "abs": abs,
    "quo": _quotient, "rem": lambda a, b: a - b * _quotient(a, b),
    "min": least, "max": greatest, "divides": lambda a, b: b % a == 0,
    "gcd": fn(math.gcd), "lcm": fn(math.lcm), "xor": fn(operator.xor),
    "&": fn(operator.and_), "|": fn(operator.or_), "<<": fn(operator.lshift),
    ">>": fn(operator.rshift),
}  # fmt: skip
WHOLE = {"quo": operator.floordiv, "rem": operator.mod}
"""The same for numbers that are 0 or more."""
TEXTS: dict[str, Callable[..., Any]] = {
    **ORDER, "+": operator.add, "length": length, "upperCase": upper, "lowerCase": lower,
    "substr": lambda a, start, size: a[start : start + size],
}  # fmt: skip
QIDS: dict[str, Callable[..., Any]] = {"string": fn(lambda a: a.name), "qid": Qid}  # type: ignore[misc]
