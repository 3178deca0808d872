"""The built-in functions on values: a table of their properties, and the functions authors call.

Their meaning is in `evaluation`, their fast versions in `engine.runtime` and in the core, all by
name. Everything else that depends on a function reads the table. Operators with code of their own
(`+`, `==`, `&`, `if_` …) are not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from attrs import Factory, field, frozen

from rewrite.errors import ExpressionError, RuleError, tells_unknown_names
from rewrite.language.expressions import Call, Expression, Splice, arithmetic, decided, kind_of
from rewrite.language.order import source, term_key
from rewrite.language.terms import freeze

T = TypeVar("T")
Ordered = TypeVar("Ordered", str, tuple[Any, ...])


class Takes(NamedTuple):
    """What an argument may be: its kinds (none: any), and how an error asks for it."""

    kinds: tuple[str, ...] = ()
    wanted: str = ""


ANYTHING = Takes()
CONDITION = Takes(("bool",), "a condition first")
INT = Takes(("int",), "a whole number")
STR = Takes(("str",), "a text")
DIGITS = Takes(("seq",), "a sequence of digits")
ORDERED = Takes(("seq", "str"), "a sequence or a text")
SEARCHED = Takes(("seq", "str"), "a sequence or a text to look in")
NUMBERS = Takes(("seq", "bag"), "a sequence or nested bag of numbers")
COLLECTION = Takes(("seq", "bag", "str"), "a sequence, a nested bag or a text")
WRITTEN = Takes(("int", "str", "seq"), "a whole number, a text or a sequence of texts")
SAME = "same"
"""The value has the same kind as the arguments; open if these differ."""


@frozen
class Builtin:
    """A built-in function.

    takes   what each argument may be; the last entry covers any further ones
    gives   the kind of its value, or SAME
    lacks   it may have no value even for arguments of these kinds
    code    its name in `engine.runtime` and in the core
    twin    the core has it; if not, a search that needs it runs in Python, with a note
    """

    name: str
    takes: tuple[Takes, ...]
    gives: str
    lacks: bool = False
    code: str = field(default=Factory(lambda self: self.name, takes_self=True), kw_only=True)
    twin: bool = field(default=True, kw_only=True)


BUILTINS = {
    one.name: one
    for one in (
        Builtin("**", (INT, INT), "int", lacks=True, code="power"),
        Builtin("divides", (INT, INT), "bool"),
        Builtin("between", (ANYTHING, ANYTHING, ANYTHING), "bool"),
        Builtin("is_in", (ANYTHING, COLLECTION), "bool", code="within"),
        Builtin("least", (ANYTHING, ANYTHING), SAME),
        Builtin("greatest", (ANYTHING, ANYTHING), SAME),
        Builtin("digits", (INT,), "seq", lacks=True),
        Builtin("number", (DIGITS,), "int", lacks=True),
        Builtin("length", (COLLECTION,), "int"),
        Builtin("total", (NUMBERS,), "int"),
        Builtin("item", (ORDERED, INT), "term", lacks=True),
        Builtin("from", (ORDERED, INT), SAME, code="cut"),
        Builtin("slice", (ORDERED, INT, INT), SAME, code="cut"),
        Builtin("concat", (ORDERED, ORDERED), SAME),
        Builtin("upper", (STR,), "str"),
        Builtin("lower", (STR,), "str"),
        Builtin("text", (WRITTEN,), "str", code="written"),
        Builtin("letters", (STR,), "seq"),
        Builtin("reverse", (ORDERED,), SAME),
        Builtin("position", (ANYTHING, SEARCHED), "int", lacks=True),
    )
}


def may_lack(call: Call) -> bool:
    """Whether an operation itself may have no value although its operands have one."""
    last = call.args[-1]
    if call.op in ("//", "%"):
        return not (type(last) is int and last != 0)
    if call.op == "**":
        return not (type(last) is int and last >= 0)
    return call.op in BUILTINS and BUILTINS[call.op].lacks


def _call(name: str, *args: Any) -> Any:
    """Return a call. Refuses an argument that is certainly of a wrong kind."""
    row, kinds = BUILTINS[name], {kind_of(freeze(argument)) for argument in args}
    same = kinds.pop() if len(kinds) == 1 else "term"
    call = Call(name, args, same if row.gives == SAME else row.gives)
    for taken, argument in zip(row.takes, call.args, strict=False):
        _check(name, taken, argument)
    return call


def _check(name: str, taken: Takes, argument: Any) -> None:
    found = kind_of(freeze(argument))
    if taken.kinds and found not in (*taken.kinds, "term"):
        raise ExpressionError(
            f"{name}({source(argument)}): {name} needs {taken.wanted}, but {source(argument)} is "
            f"of kind {found}"
        )


def _part_of_text(name: str, value: Any, text: Any) -> None:
    found = kind_of(freeze(value))
    if found not in ("str", "term"):
        raise ExpressionError(
            f"{name}({source(value)}, {source(text)}): a part of a text is a text, but "
            f"{source(value)} is of kind {found}. Write ({source(text)},) for a collection of one "
            "value"
        )


@tells_unknown_names(ExpressionError, "divides")
def divides(d: int, n: int) -> bool:
    """Whether `d` divides `n` without remainder; 0 divides nothing."""
    arithmetic("%", n, d)  # refuses non-numbers
    return _call("divides", d, n)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "between")
def between(low: int, value: int, high: int) -> bool:
    """Whether low <= value <= high (inclusive)."""
    return _call("between", low, value, high)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "is_in")
def is_in(value: Any, values: Iterable[Any]) -> bool:
    """Whether `value` is one of `values`, or part of a text.

    `values` is a list, tuple, range, set or text, or an expression for a collection or a text.

    >>> from rewrite.language.functions import ints, strs
    >>> is_in(ints("M"), range(3)), is_in("an", strs("word"))
    (is_in(M, (0, 1, 2)), is_in('an', word))
    """
    if kind_of(values) == "str":
        _part_of_text("is_in", value, values)
        return _call("is_in", value, values)  # type: ignore[no-any-return]
    if isinstance(values, Expression):
        if values.kind not in ("seq", "bag", "term"):
            raise ExpressionError(
                f"is_in({source(value)}, {source(values)}): the second argument is a collection"
            )
        return _call("is_in", value, values)  # type: ignore[no-any-return]
    if isinstance(values, Iterator):
        raise ExpressionError(
            f"is_in({source(value)}, {values!r}): an iterator is used up by one reading; give a "
            "list"
        )
    if isinstance(values, int) or not isinstance(values, Iterable):
        raise ExpressionError(f"is_in({source(value)}, {values!r}): the second argument is a "
                              f"collection; write ({values!r},) for one value")  # fmt: skip
    items = sorted((freeze(item) for item in values), key=term_key)
    return _call("is_in", value, tuple(items))  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "if_")
def if_(condition: bool, then: T, otherwise: T) -> T:
    """`then` if the condition holds, else `otherwise`; only the chosen one is evaluated."""
    if isinstance(condition, bool):
        raise RuleError(f"if_({condition}, …): {decided(condition)}")
    _check("if_", CONDITION, condition)
    kinds = {kind_of(freeze(then)), kind_of(freeze(otherwise))}
    kind = kinds.pop() if len(kinds) == 1 else "term"
    return Call("if_", (condition, then, otherwise), kind)


@tells_unknown_names(ExpressionError, "least")
def least(first: T, *others: T) -> T:
    """The smallest of its arguments, in the canonical order of terms."""
    return _call("least", first, *others)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "greatest")
def greatest(first: T, *others: T) -> T:
    """The largest of its arguments, in the canonical order of terms."""
    return _call("greatest", first, *others)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "digits")
def digits(n: int) -> tuple[int, ...]:
    """The decimal digits of a non-negative number: digits(407) is (4, 0, 7)."""
    return _call("digits", n)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "number")
def number(sequence: Sequence[Any]) -> int:
    """The number that a sequence of digits spells; leading zeros are ignored; () has no value."""
    return _call("number", sequence)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "length")
def length(collection: Any) -> int:
    """The number of elements of a sequence or nested bag, or of letters of a text."""
    if kind_of(freeze(collection)) in ("int", "bool"):
        raise ExpressionError(f"length({source(collection)}): a number has no length")
    return _call("length", collection)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "upper")
def upper(text: str) -> str:
    """The text in upper case."""
    return _call("upper", text)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "lower")
def lower(text: str) -> str:
    """The text in lower case."""
    return _call("lower", text)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "text")
def text(value: int | str | Sequence[str]) -> str:
    """A number written in decimal digits; the texts of a sequence joined; a text itself.

    >>> from rewrite.language.functions import ints
    >>> M = ints("M")
    >>> text(M) + "!", text((text(M), "x"))
    (text(M) + '!', text((text(M), 'x')))
    """
    call = _call("text", value)
    for part in freeze(value) if isinstance(value, (tuple, list)) else ():
        if not isinstance(part, Splice) and kind_of(part) not in ("str", "term"):
            raise ExpressionError(
                f"text({source(freeze(value))}): text joins texts, but {source(part)} is of kind "
                f"{kind_of(part)}. Write text({source(part)}) for a number in it"
            )
    return call  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "letters")
def letters(text: str) -> tuple[str, ...]:
    """The letters of a text: letters("añ") is ("a", "ñ")."""
    return _call("letters", text)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "reverse")
def reverse(values: Ordered) -> Ordered:
    """A sequence or text reversed; the same as `values[::-1]`."""
    return _call("reverse", values)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "position")
def position(value: Any, values: Sequence[Any]) -> int:
    """The index, from 0, of the first occurrence of an element in a sequence, or a part in a text.

    It has no value if there is none. `values[position(x, values)]` is x.
    """
    call = _call("position", value, values)
    if kind_of(freeze(values)) == "str":
        _part_of_text("position", value, values)
    return call  # type: ignore[no-any-return]
