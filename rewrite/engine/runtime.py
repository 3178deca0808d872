"""What generated source calls at run time: built-in functions on values, slow paths, failures.

Shares nothing with `language.evaluation`, which defines the same functions on terms: the two are
compared by property tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import ge, gt, le, lt
from typing import Any

from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.interning import (
    BAG,
    TRUE,
    Ctor,
    Truth,
    decode,
    encode,
    items_of,
    key_of,
    levels_of,
    ordered,
)
from rewrite.errors import FAILURES, described
from rewrite.language.functions import Function
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.order import source
from rewrite.language.subterms import replaced, subterms


class NoValue(ArithmeticError):
    """Arithmetic without a value: the rule does not apply."""


NO_VALUE = (NoValue, ZeroDivisionError)
LARGEST_POWER_BITS = 10_000_000


def _unlike(needed: str, value: Any) -> EngineFailure:
    return EngineFailure(f"{needed} was needed, found {source(decode(value))}")


def integer(value: Any) -> int:
    if value.__class__ is not int:
        raise _unlike("a whole number", value)
    return value


def truth(value: Any) -> bool:
    if value.__class__ is not Truth:
        raise _unlike("True or False", value)
    return value is TRUE


def text(value: Any) -> str:
    if value.__class__ is not str:
        raise _unlike("a text", value)
    return value


def is_seq(value: Any) -> bool:
    return value.__class__ is tuple and not (value and value[0].__class__ is Ctor)


def is_bag(value: Any) -> bool:
    return value.__class__ is tuple and bool(value) and value[0] is BAG


def has_ctor(value: Any, ctor: Ctor) -> bool:
    return value.__class__ is tuple and bool(value) and value[0] is ctor


def elements(value: Any) -> tuple[Any, ...]:
    if is_seq(value):
        return value  # type: ignore[no-any-return]
    if is_bag(value):
        return value[1:]  # type: ignore[no-any-return]
    raise _unlike("a sequence or nested bag", value)


def sequence(value: Any) -> Any:
    if value.__class__ is str or is_seq(value):
        return value
    raise _unlike("a sequence", value)


def make_bag(items: Any) -> tuple[Any, ...]:
    return (BAG, *ordered(items))


def bounded(value: Any, most: int) -> Any:
    if levels_of(value) > most:
        raise EngineFailure("a term nests too deep")
    return value


def power(a: Any, b: Any) -> int:
    base, exponent = integer(a), integer(b)
    if exponent < 0:
        raise NoValue
    if abs(base) > 1 and exponent * base.bit_length() > LARGEST_POWER_BITS:
        raise EngineFailure("a power is too large")
    return int(base**exponent)


def concat(a: Any, b: Any) -> Any:
    if sequence(a).__class__ is not sequence(b).__class__:
        raise EngineFailure("a text and a sequence cannot be joined")
    return a + b


def item(values: Any, index: Any) -> Any:
    try:
        return sequence(values)[integer(index)]
    except IndexError:
        raise NoValue from None


def cut(values: Any, first: Any, last: Any = None) -> Any:
    return sequence(values)[integer(first) : None if last is None else integer(last)]


LONGEST = 10**4000
"""Python refuses to write longer numbers as texts; those are cut in two."""
_DIGITS = {str(digit): digit for digit in range(10)}


def digits(n: Any) -> tuple[int, ...]:
    if integer(n) < 0:
        raise NoValue
    if n < LONGEST:
        return tuple([_DIGITS[letter] for letter in str(n)])
    half = 10 ** (n.bit_length() * 3 // 20)
    low = digits(n % half)
    return digits(n // half) + (0,) * (len(str(half)) - 1 - len(low)) + low


def number(values: Any) -> int:
    if not is_seq(values):
        raise _unlike("a sequence of digits", values)
    if not values:
        raise NoValue
    result = 0
    for digit in values:
        if digit.__class__ is not int or not 0 <= digit <= 9:
            raise NoValue
        result = result * 10 + digit
    return result


def length(values: Any) -> int:
    return len(values) if values.__class__ is str else len(elements(values))


def within(value: Any, values: Any) -> bool:
    if values.__class__ is str:
        return text(value) in values
    return value in elements(values)


def written(value: Any) -> str:
    if value.__class__ is int:
        sign = "-" if value < 0 else ""
        return str(value) if abs(value) < LONGEST else sign + "".join(map(str, digits(abs(value))))
    if is_seq(value):
        return "".join([text(part) for part in value])
    return text(value)


def upper(value: Any) -> str:
    return text(value).upper()


def lower(value: Any) -> str:
    return text(value).lower()


def letters(value: Any) -> tuple[str, ...]:
    return tuple(text(value))


def reverse(values: Any) -> Any:
    return sequence(values)[::-1]


def position(value: Any, values: Any) -> int:
    try:
        found = sequence(values).index(text(value) if values.__class__ is str else value)
    except ValueError:
        raise NoValue from None
    return int(found)


def total(values: Any) -> int:
    return sum([integer(value) for value in elements(values)])


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def compare(op: str, a: Any, b: Any) -> bool:
    return _COMPARED[op](key_of(a), key_of(b))


def divides(d: Any, n: Any) -> bool:
    return integer(d) != 0 and integer(n) % d == 0


def between(low: Any, value: Any, high: Any) -> bool:
    return key_of(low) <= key_of(value) <= key_of(high)


def least(*values: Any) -> Any:
    return min(values, key=key_of)


def greatest(*values: Any) -> Any:
    return max(values, key=key_of)


@cache
def remembered(function: Function) -> Callable[..., Any]:
    """Return a user function on values, with one memory, however often it is used in a puzzle."""
    on_values = ON_VALUES.get(function)

    @cache
    def call(*args: Any) -> Any:
        try:
            if on_values is not None:
                return on_values(*args)
            return encode(function.value(tuple([decode(argument) for argument in args])))
        except FAILURES as cause:
            raise EngineFailure(f"a function failed: {described(cause)}") from cause

    return call


def _subterms(whole: Any) -> tuple[Any, ...]:
    found: list[tuple[Any, Any]] = [((), whole)]
    for place, one in found:
        found += [((*place, step), part) for step, part in _steps(one)]
    return tuple(found)


def _replaced(whole: Any, place: Any, new: Any) -> Any:
    outer = []
    for step in elements(place):
        at = next(at for at, (known, _) in enumerate(_steps(whole, every=True)) if known == step)
        outer.append((whole, at))
        whole = items_of(whole)[at]
    for around, at in reversed(outer):
        parts = items_of(around)
        new = (*parts[:at], new, *parts[at + 1 :])
        if is_bag(around):
            new = (BAG, *ordered(new))
        elif parts is not around:
            new = (around[0], *new)
    if levels_of(new) > MOST_LEVELS:
        raise EngineFailure("terms nest too deep")
    return new


def _steps(value: Any, every: bool = False) -> list[tuple[Any, Any]]:
    parts = items_of(value)
    if is_bag(value):
        return [(part, part) for part in (parts if every else dict.fromkeys(parts))]
    return [*enumerate(parts)]


ON_VALUES: dict[Any, Callable[..., Any]] = {subterms: _subterms, replaced: _replaced}
"""Functions of the language that need no terms: a rule with `inside=` calls them all the time."""


def find(group: tuple[Any, ...], value: Any, used: tuple[int, ...]) -> int:
    """Return the place of the first occurrence of `value` that is not used, or -1."""
    start = 0
    try:
        while True:
            start = group.index(value, start)
            if start not in used:
                return start
            start += 1
    except ValueError:
        return -1


def choices(group: tuple[Any, ...], used: tuple[int, ...]) -> Iterator[tuple[int, Any]]:
    """Yield (place, value) of unused occurrences, equal values once."""
    for place, value in enumerate(group):
        if place in used:
            continue
        if place and group[place - 1] == value and place - 1 not in used:
            continue
        yield place, value


def without(group: tuple[Any, ...], places: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple([value for place, value in enumerate(group) if place not in places])


def splits(values: tuple[Any, ...], parts: int) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield every way to share a sorted tuple among `parts` sub-bags, equal ways once."""
    if parts == 1:
        yield (values,)
        return
    if not values:
        yield ((),) * parts
        return
    run = 1
    while run < len(values) and values[run] == values[0]:
        run += 1
    for rest in splits(values[run:], parts):
        for shares in _shares(run, parts):
            yield tuple(
                [(values[0],) * share + part for share, part in zip(shares, rest, strict=True)]
            )


def _shares(amount: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (amount,)
        return
    for first in range(amount + 1):
        for rest in _shares(amount - first, parts - 1):
            yield (first, *rest)
