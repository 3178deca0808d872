"""Makers of variables, `one_of`, and `@fn`.

To a type checker a variable is the Python value it stands for, so that a puzzle file passes
`mypy --strict` without a plugin: `ints("M N")` is typed as an `int` that can also be unpacked.
"""

from __future__ import annotations

import functools
import inspect
import keyword
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, get_origin, overload

from rewrite.errors import ExpressionError, tells_unknown_names, warn
from rewrite.language.annotations import KINDS, annotation_text
from rewrite.language.bag import Bag
from rewrite.language.expressions import (
    Call,
    Expression,
    Splice,
    Variable,
    check_nesting,
    measured,
    operands,
)
from rewrite.language.nesting import UNAMBIGUOUS, levels_of_plain
from rewrite.language.order import (
    SYMBOLIC,
    Key,
    Measure,
    Pieces,
    gathered,
    listed,
    source,
    term_key,
)
from rewrite.language.pickling import Rebuild, Structured, by_name
from rewrite.language.terms import REFUSED, Symbolic, Term, freeze, is_ground

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:

    class Ints(int):
        """The type of `ints(...)` to a type checker: a number, or several when unpacked."""

        def __iter__(self) -> Iterator[int]: ...
        @overload
        def __getitem__(self, index: int) -> int: ...
        @overload
        def __getitem__(self, index: slice) -> tuple[int, ...]: ...
        def __getitem__(self, index: int | slice) -> Any: ...
        def __len__(self) -> int: ...


def _names(text: str) -> list[str]:
    if not isinstance(text, str):
        raise ExpressionError(f"variables are made from a text, e.g. 'M N'; found {text!r}")
    names: list[str] = []
    for word in text.replace(",", " ").split():
        ranged = re.fullmatch(r"([A-Za-z_]\w*?)(\d+):(\d+)", word)
        if ranged:
            stem, first, last = ranged[1], int(ranged[2]), int(ranged[3])
            names += [f"{stem}{number}" for number in range(first, last)]
        else:
            names.append(word)
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ExpressionError(
                f"{text!r} names {name} twice: two variables of one name are the same one. Give "
                "the second another name"
            )
        if not name.isidentifier() or keyword.iskeyword(name):
            raise ExpressionError(
                f"{name!r} cannot be a variable: use letters, digits and _, as in 'M N' or 'd0:18'"
            )
    if not names:
        raise ExpressionError(f"{text!r} names no variable; write e.g. 'M N' or 'd0:18'")
    return names


def _make(text: str, kind: str, *narrow: Any) -> Any:
    made = tuple([Variable(name, kind, *narrow) for name in _names(text)])
    return made[0] if len(made) == 1 and ":" not in text else made


@tells_unknown_names(ExpressionError, "ints")
def ints(names: str) -> Ints:
    """Return variables for integers: one for one name, a tuple for several or a range.

    >>> ints("M N"), ints("d0:3")
    ((M, N), (d0, d1, d2))
    """
    found: Ints = _make(names, "int")
    return found


@tells_unknown_names(ExpressionError, "strs")
def strs(names: str) -> Any:
    """Return variables for texts."""
    return _make(names, "str")


@tells_unknown_names(ExpressionError, "bools")
def bools(names: str) -> Any:
    """Return variables for truth values."""
    return _make(names, "bool")


@tells_unknown_names(ExpressionError, "seqs")
def seqs(names: str) -> tuple[Any, ...]:
    """Return variables for sequences; `*S` in a tuple matches any number of elements."""
    found: tuple[Any, ...] = _make(names, "seq")
    return found


@tells_unknown_names(ExpressionError, "bags")
def bags(names: str) -> Any:
    """Return variables for nested bags; `*B` in a list matches any number of elements."""
    return _make(names, "bag")


@tells_unknown_names(ExpressionError, "terms")
def terms(names: str, *of: type[Any]) -> Any:
    """Return variables for any term, or for the terms of certain constructors and kinds.

    `terms("V", Box, Ring)` matches any Box or Ring, whatever its fields, and nothing else;
    `terms("V", Box, int)` any Box or whole number. The kinds: int, str, bool, tuple, list.
    """
    constructors, kinds = list[type[Term]](), set[str]()
    for one in of:
        if isinstance(one, type) and issubclass(one, Term):
            constructors.append(one)
        elif isinstance(one, type) and (one is Bag or one in KINDS):
            kinds.add("bag" if one is Bag else KINDS[one])
        else:
            raise ExpressionError(
                f"terms({names!r}, …): what follows the names are classes made by @term, one by "
                f"one, as in terms('V', Box, Ring), and int, str, bool, tuple, list; found {one!r}"
            )
    if len(kinds) == 1 and not constructors:
        return _make(names, *kinds)
    return _make(
        names, "constructor" if constructors and not kinds else "term", constructors, kinds
    )


class OneOf(Symbolic):
    """`one_of(...)` on the right side of `let`: the rule branches over the values."""

    __slots__ = ("options",)
    term_refusal = "a choice, not a term: one_of stands in let= only: let={X: one_of(…)}"
    options: Any  # a tuple of templates, or one expression whose value is a collection

    def __init__(self, options: Any) -> None:
        self.options = options

    def term_measure(self) -> Measure:
        return gathered((SYMBOLIC, "one_of"), (self.options,))

    def __reduce__(self) -> tuple[Any, ...]:
        return OneOf, (self.options,)

    def term_parts(self) -> tuple[Any, ...]:
        return self.options if isinstance(self.options, tuple) else (self.options,)

    def term_pieces(self) -> Pieces:
        return listed("one_of(", self.term_parts())


@tells_unknown_names(ExpressionError, "one_of")
def one_of(*options: Any) -> Any:
    """Branch over the given values, or over the elements of one sequence; only in `let=`."""
    choices, unordered = options, False
    if len(options) == 1:
        only = options[0]
        if isinstance(only, Expression):
            return OneOf(only)
        if isinstance(only, (list, tuple, range, set, frozenset, Bag)):
            choices, unordered = tuple(only), isinstance(only, (set, frozenset))
    elif not options:
        raise ExpressionError("one_of() has nothing to choose from; give at least one value")
    items = tuple(freeze(choice) for choice in choices)
    if any(isinstance(item, Splice) for item in items):  # how many there are is not known yet
        return OneOf(Call("from", (items, 0), "seq"))
    return OneOf(tuple(sorted(items, key=term_key)) if unordered else items)


class Function(Symbolic):
    """A user function made usable in expressions by `@fn`; results are cached."""

    term_refusal = "a function, not a term: call it with its arguments, e.g. a variable"
    __wrapped__: Callable[..., Any]

    def __init__(self, function: Callable[..., Any], remembers: bool = True) -> None:
        if not callable(function) or isinstance(function, (type, Symbolic)):
            raise ExpressionError(
                f"fn({function!r}): @fn decorates a function: @fn, and below it def half(n): …"
            )
        self.name: str = getattr(function, "__name__", repr(function))
        self.memory: dict[tuple[Any, ...], Any] | None = {} if remembers else None
        functools.update_wrapper(self, function)

    def term_key(self) -> Key:
        return (SYMBOLIC, "function", self.name, id(self.__wrapped__))

    def __reduce__(self) -> str:
        return by_name(self, f"the @fn function {self.name}")

    def value(self, args: tuple[Any, ...]) -> Any:
        """Call the function on ground terms and cache the result. Exceptions propagate."""
        if self.memory is None:
            return self._called(args)
        key = tuple([_key_of(argument) for argument in args])
        if key not in self.memory:
            found = self._called(args)
            if not is_ground(found):
                raise TypeError(
                    f"{self.name} returned {source(found)}, which has no value here; it must "
                    "return a term without variables"
                )
            self.memory[key] = found
        return self.memory[key]

    def _called(self, args: tuple[Any, ...]) -> Any:
        found = self.__wrapped__(*args)
        if found is None:
            raise TypeError(f"{self.name} returned None; it must return a term: is a return "
                            "missing?")  # fmt: skip
        return freeze(found)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # of a function of the language, wrong arguments are always an error of ours
        if kwargs or self.memory is None or not all(map(_is_plain, args)):
            args = self._bound(args, kwargs)
        frozen = operands(self.name, args)
        if all(map(is_ground, frozen)):
            return self.__wrapped__(*args)
        return FunctionCall(self, frozen)

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Return all arguments by position. Raises ExpressionError if they do not fit."""
        try:
            bound = inspect.signature(self.__wrapped__).bind(*args, **kwargs)
        except TypeError as wrong:
            raise ExpressionError(
                f"{self.name}({', '.join(map(source, args))}): {wrong}; it takes "
                f"{inspect.signature(self.__wrapped__)}"
            ) from None
        except ValueError:  # a built-in without a signature
            return args
        if kwargs:
            bound.apply_defaults()
        return bound.args

    def __repr__(self) -> str:
        return self.name


def _key_of(value: Any) -> Any:
    """Return a key of a term, cheaper than the canonical one."""
    kind = type(value)
    if kind in UNAMBIGUOUS:
        return value
    if kind is tuple and levels_of_plain(value, UNAMBIGUOUS):
        return "", value  # no canonical key begins with a text
    return term_key(value)


def _is_plain(value: Any) -> bool:
    return not isinstance(value, Symbolic)


class FunctionCall(Expression, Structured):
    """A call of an `@fn` function with arguments known only during the search."""

    __slots__ = ("_measure", "args", "function")

    def __init__(self, function: Function, args: tuple[Any, ...]) -> None:
        self.kind = "term"
        self.function, self.args = function, args
        for argument in args:
            check_nesting(f"{function.name}(…)", argument)
        self._measure = measured((SYMBOLIC, "fn", function.term_key()), args)

    def term_parts(self) -> tuple[Any, ...]:
        return self.args

    def term_measure(self) -> Measure:
        return self._measure

    def term_rebuild(self) -> Rebuild:
        return FunctionCall, (self.function,)

    def term_pieces(self) -> Pieces:
        return listed(f"{self.function.name}(", self.args)


@tells_unknown_names(ExpressionError, "fn")
def fn(function: Callable[P, R]) -> Callable[P, R]:
    """Make a Python function usable in expressions.

    Called at once if every argument is a plain value, so that it stays testable; with a variable
    among the arguments it is called during the search, once per tuple of arguments. It must return
    a term, the same one for the same arguments.

    >>> @fn
    ... def across(bank: str) -> str:
    ...     return {"left": "right", "right": "left"}[bank]
    >>> across("left"), across(strs("here"))
    ('right', across(here))
    """
    made = Function(function)
    _check_annotation(made.name, function)
    return made


def uncached(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function of the language usable in expressions: it lives too long to remember."""
    return Function(function, remembers=False)


def _check_annotation(called: str, function: Callable[..., Any]) -> None:
    """Refuse a function annotated to return a non-term; warn if it returns a list."""
    annotations = getattr(function, "__annotations__", {})
    given = annotations.get("return", Any)
    text = given if isinstance(given, str) else annotation_text(get_origin(given) or given)
    name = re.sub(r"\[.*\]$|^typing\.", "", text).removesuffix("Type")
    if name in ("list", "List"):
        warn(
            f"@fn {called} is declared to return {annotation_text(given)}: as a term a list is a "
            "nested bag, which has no order and is never equal to a sequence. Return a tuple, or "
            "for a nested bag a Bag, and declare that"
        )
    for refused, why in REFUSED.items():
        if name == refused.__name__.removesuffix("Type"):
            raise ExpressionError(
                f"@fn {called} is declared to return {annotation_text(given)}, which is no term: "
                f"{why}",
                function=called,
            )
