"""The value of an expression, given values for its variables: slow and obvious.

Part of the definition (`language.meaning`): the engines have faster versions of their own and share
nothing with this file. Arithmetic without a value (division by zero, `number(())`, an index out of
range) raises NoValue; a wrong type, or an exception in a user function, raises Failed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_
from typing import Any, TypeVar

from rewrite.errors import FAILURES, RuleError, described
from rewrite.language.bag import Bag
from rewrite.language.expressions import Call, Expression, Splice, Variable
from rewrite.language.functions import FunctionCall
from rewrite.language.nesting import PLAIN, UNAMBIGUOUS
from rewrite.language.order import inside, source, term_key
from rewrite.language.patterns import mentioned
from rewrite.language.terms import Term, is_ground

Bindings = Mapping[Variable, Any]
T = TypeVar("T")
LARGEST_POWER_BITS = 10_000_000


class NoValue(Exception):
    """Not an error: the expression has no value here, so the rule does not apply."""


class Failed(Exception):
    """Evaluating `call` failed: a wrong type, or an exception in a user function.

    Turned into a RuleError once the rule is known.
    """

    def __init__(
        self, call: str, cause: BaseException, bindings: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{call}: {described(cause)}")
        self.call, self.cause, self.bindings = call, cause, bindings or {}

    def error(self, subject: str, state: Any, **facts: Any) -> RuleError:
        values = ", ".join(f"{name}={source(value)}" for name, value in self.bindings.items())
        cause = self.cause
        while isinstance(cause, Failed):  # a function that evaluates others, level by level
            cause = cause.cause
        return RuleError(
            f"{subject} failed in {self.call}{' with ' * bool(values)}{values}, in state {state}: "
            f"{described(cause)}",
            call=self.call,
            bindings=self.bindings,
            state=state,
            **facts,
        )


def shown(template: Any, bindings: Bindings) -> dict[str, Any]:
    """Return the values of the variables that occur in a template, by name, for an error."""
    return {v.name: bindings[v] for v in mentioned(template) if v in bindings}


def _typed(kind: type[T], wanted: str) -> Callable[[Any], T]:
    def checked(value: Any) -> T:
        if type(value) is not kind:
            raise TypeError(f"needs {wanted}, found {source(value)}")
        return value

    return checked


_int, _bool = _typed(int, "a whole number"), _typed(bool, "True or False")
_str = _typed(str, "a text")


def _collection(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Bag):
        return value.items
    if not isinstance(value, tuple):
        raise TypeError(f"needs a sequence or a nested bag, found {source(value)}")
    return value


def _divided(a: Any, b: Any) -> tuple[int, int]:
    dividend, divisor = _int(a), _int(b)
    if divisor == 0:
        raise NoValue
    return divmod(dividend, divisor)


def _power(a: Any, b: Any) -> int:
    base, exponent = _int(a), _int(b)
    if exponent < 0:
        raise NoValue
    if abs(base) > 1 and exponent * base.bit_length() > LARGEST_POWER_BITS:
        raise OverflowError(f"{source(a)} ** {source(b)} has more than {LARGEST_POWER_BITS:,} bits")
    return int(base**exponent)


def _concat(a: Any, b: Any) -> Any:
    if type(a) is not type(b) or not isinstance(a, (tuple, str)):
        raise TypeError(f"joins two sequences or two texts, found {source(a)} and {source(b)}")
    return a + b


def _item(sequence: Any, index: Any) -> Any:
    size = len(_ordered(sequence))
    if not -size <= _int(index) < size:
        raise NoValue
    return sequence[index]


def _slice(sequence: Any, first: Any, last: Any = None) -> Any:
    return _ordered(sequence)[_int(first) : None if last is None else _int(last)]


def _digits(n: Any) -> tuple[int, ...]:
    if _int(n) < 0:
        raise NoValue
    out: list[int] = []
    while n >= 10:
        n, digit = divmod(n, 10)
        out.append(digit)
    return (n, *out[::-1])


def _number(sequence: Any) -> int:
    if not isinstance(sequence, tuple):
        raise TypeError(f"needs a sequence of digits, found {source(sequence)}")
    if not sequence or not all(type(d) is int and 0 <= d <= 9 for d in sequence):
        raise NoValue
    value = 0
    for digit in sequence:
        value = 10 * value + digit
    return value


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str) else len(_collection(value))


def _is_in(value: Any, values: Any) -> bool:
    if isinstance(values, str):
        return _str(value) in values
    collection = _collection(values)
    if UNAMBIGUOUS.issuperset(map(type, collection)):  # a list of words, say
        return type(value) in UNAMBIGUOUS and value in collection
    return any(term_key(value) == term_key(other) for other in collection)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "".join([_str(part) for part in value])
    if type(value) is not int:
        raise TypeError(f"needs a whole number, a text or a sequence of texts, found {value!r}")
    sign = "-" if value < 0 else ""
    return sign + "".join(["0123456789"[digit] for digit in _digits(abs(value))])


def _ordered(value: Any) -> Any:
    """Return a sequence or text: a value with an order."""
    if not isinstance(value, (tuple, str)):
        raise TypeError(f"needs a sequence or a text, found {value!r}")
    return value


def _position(value: Any, values: Any) -> int:
    if isinstance(_ordered(values), str):
        places = [values.find(_str(value))]
    else:
        places = [i for i, other in enumerate(values) if term_key(other) == term_key(value)]
    if not places or places[0] < 0:
        raise NoValue
    return int(places[0])


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: _int(a) + _int(b),
    "-": lambda a, b: _int(a) - _int(b),
    "*": lambda a, b: _int(a) * _int(b),
    "//": lambda a, b: _divided(a, b)[0],
    "%": lambda a, b: _divided(a, b)[1],
    "**": _power,
    "neg": lambda a: -_int(a),
    "abs": lambda a: abs(_int(a)),
    "==": lambda a, b: term_key(a) == term_key(b),
    "!=": lambda a, b: term_key(a) != term_key(b),
    "<": lambda a, b: term_key(a) < term_key(b),
    "<=": lambda a, b: term_key(a) <= term_key(b),
    ">": lambda a, b: term_key(a) > term_key(b),
    ">=": lambda a, b: term_key(a) >= term_key(b),
    "~": lambda a: not _bool(a),
    "divides": lambda d, n: _int(d) != 0 and _int(n) % d == 0,
    "between": lambda low, x, high: term_key(low) <= term_key(x) <= term_key(high),
    "is_in": _is_in,
    "least": lambda *values: min(values, key=term_key),
    "greatest": lambda *values: max(values, key=term_key),
    "digits": _digits,
    "number": _number,
    "length": _length,
    "total": lambda values: sum(_int(value) for value in _collection(values)),
    "item": _item,
    "from": _slice,
    "slice": _slice,
    "concat": _concat,
    "upper": lambda text: _str(text).upper(),
    "lower": lambda text: _str(text).lower(),
    "text": _text,
    "letters": lambda text: tuple(_str(text)),
    "reverse": lambda values: _ordered(values)[::-1],
    "position": _position,
}


Aggregates = Callable[[Any, Bindings], Any]
"""Evaluates an aggregate over the current state; supplied by `language.meaning`."""


def no_state(expression: Any, bindings: Bindings) -> Any:
    raise Failed(source(expression), LookupError("needs a state"), shown(expression, bindings))


def evaluate(template: Any, bindings: Bindings, aggregates: Aggregates = no_state) -> Any:
    """Return the ground term that a template or expression denotes under `bindings`.

    Raises NoValue, Failed, or KeyError for a variable without a value.
    """
    if type(template) in PLAIN:
        return template
    if isinstance(template, Variable):
        return bindings[template]
    if isinstance(template, Term) and is_ground(template):
        return template
    if type(template) is tuple and UNAMBIGUOUS.issuperset(map(type, template)):
        return template
    if isinstance(template, Call) and template.op in ("&", "|", "if_"):
        first, *others = template.args  # left to right, stopping early
        holds = truth(template, evaluate(first, bindings, aggregates), bindings)
        if template.op == "if_":
            return evaluate(others[0 if holds else 1], bindings, aggregates)
        if holds == (template.op == "|"):
            return holds
        return truth(template, evaluate(others[0], bindings, aggregates), bindings)
    if isinstance(template, Expression) and not isinstance(template, (Call, FunctionCall)):
        return aggregates(template, bindings)
    values: list[Any] = []
    for part in inside(template):
        if isinstance(part, Splice):
            value = evaluate(part.inner, bindings, aggregates)
            try:
                values.extend(_collection(value))
            except TypeError as cause:
                raise Failed(repr(part), cause, shown(part, bindings)) from cause
        else:
            values.append(evaluate(part, bindings, aggregates))
    if isinstance(template, (Call, FunctionCall)):
        return _called(template, values, bindings)
    return composed(template, values)


def truth(given: Any, value: Any, bindings: Bindings) -> bool:
    """Return a value in an expression that must be a truth value. Raises Failed."""
    try:
        return _bool(value)
    except TypeError as cause:
        raise Failed(source(given), cause, shown(given, bindings)) from cause


def is_true(given: Any, bindings: Bindings, aggregates: Aggregates = no_state) -> bool:
    """Return whether an expression is true. Raises NoValue, and Failed if it is no truth value."""
    return truth(given, evaluate(given, bindings, aggregates), bindings)


def _called(call: Call | FunctionCall, args: list[Any], bindings: Bindings) -> Any:
    if isinstance(call, Call):
        try:
            return FUNCTIONS[call.op](*args)
        except (TypeError, OverflowError) as cause:
            raise Failed(source(call), cause, shown(call, bindings)) from cause
    try:
        return call.function.value(tuple(args))
    except FAILURES as cause:
        text = f"{call.function.name}({', '.join(map(source, args))})"
        raise Failed(text, cause, shown(call, bindings)) from cause


def composed(template: Any, parts: list[Any]) -> Any:
    """Return a sequence, bag or constructor term with these parts in place of its own."""
    old = inside(template)
    if len(old) == len(parts) and all(map(is_, old, parts)):
        return template  # ground: its key is already known
    if isinstance(template, tuple):
        return tuple(parts)
    return Bag.of(parts) if isinstance(template, Bag) else type(template).of_parts(parts)
