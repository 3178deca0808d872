"""Variables and expressions: what is only known during the search.

An expression is a small tree of frozen nodes. It knows its *kind* (the type its value has), so that
mistakes such as `X & Y > 3` are refused where they are written. The value of an expression is
decided in `language.evaluation`; how it is run fast, by the engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

from rewrite.errors import ExpressionError, RuleError
from rewrite.language.bag import Bag
from rewrite.language.callers import caller, check_lookup, instead, unpacks
from rewrite.language.nesting import MOST_LEVELS, PLAIN
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
from rewrite.language.terms import Symbolic, Term, freeze
from rewrite.language.travel import reduced

NUMBER_KINDS = ("int", "term")
PLAIN_KINDS = ("int", "str", "bool")
MOST_AROUND = 100
"""Levels of a pattern, template or operand around a variable. Below, everything is ground."""
PRECEDENCE = {
    "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "|": 5, "&": 7, "+": 9, "concat": 9, "-": 9, "*": 10, "//": 10, "%": 10,
    "neg": 11, "~": 11, "**": 12,
}  # fmt: skip
ATOM = 20

FORMATTED: dict[str, list[Expression]] = {}
"""Expressions by the source text that an f-string saw; `labels` finds them again here."""


WRITTEN: dict[str, Expression] = {}
"""Expressions whose source `str(...)` was asked for, by that text: a slip where a rule holds it."""

INSTEAD = {
    "append": "(*{0}, x)", "extend": "{0} + T", "insert": "(*S, x, *T), with {0} taken apart",
    "pop": "{0}[-1], and (*S, X) in take= or let= to take it off", "upper": "upper({0})",
    "lower": "lower({0})", "count": "count(pattern) for terms of the state, or a function with @fn",
    "index": "(*S, X, *T) in take= or let=, with length(S)", "join": "+, or a function with @fn",
    "copy": "{0} itself: values never change", "bit_length": "a function with @fn",
}  # fmt: skip

INSTEAD_OF_ASKING = (
    "Write a & b instead of a and b (or a list: when=[a, b]); between(0, X, 5) instead of "
    "0 <= X <= 5; is_in(X, values) instead of X in values. If this happened inside a function of "
    "your own, decorate it with @fn. Likewise a | b instead of a or b; ~a instead of not a; "
    "least(a, b) instead of min(a, b); if_(c, a, b) instead of a if c else b"
)


class NoMethod(ExpressionError, AttributeError):
    """An attribute of a value that is only known during the search.

    Most are raised because a program asks what a thing is (`hasattr`): the text is made when asked.
    """

    def __init__(self, value: Expression, asked: str) -> None:
        Exception.__init__(self, asked)
        self.value, self.asked = value, asked
        self.facts = {"value": value, "asked": asked}

    @property
    def message(self) -> str:  # type: ignore[override]
        return f"{self.value.source()}.{self.asked}: {_instead(self.value, self.asked)}"

    def __str__(self) -> str:
        return self.message


class Expression(Symbolic):
    """Something whose value is known only during the search; supports Python's operators."""

    __slots__ = ("kind",)
    kind: str

    def source(self) -> str:
        """Return the Python source text of the expression, with as few brackets as needed."""
        raise NotImplementedError

    def precedence(self) -> int:
        return ATOM

    def children(self) -> tuple[Any, ...]:
        """Return the operands: expressions or templates."""
        return ()

    def term_parts(self) -> tuple[Any, ...]:
        return self.children()

    def term_pieces(self) -> Pieces:
        return [self.source()]

    # -- arithmetic ------------------------------------------------------------------------
    def __add__(self, other: Any) -> Expression:
        return _sum(self, other)

    def __radd__(self, other: Any) -> Expression:
        return _sum(other, self)

    def __sub__(self, other: Any) -> Expression:
        return arithmetic("-", self, other)

    def __rsub__(self, other: Any) -> Expression:
        return arithmetic("-", other, self)

    def __mul__(self, other: Any) -> Expression:
        return arithmetic("*", self, other)

    def __rmul__(self, other: Any) -> Expression:
        return arithmetic("*", other, self)

    def __floordiv__(self, other: Any) -> Expression:
        return arithmetic("//", self, other)

    def __rfloordiv__(self, other: Any) -> Expression:
        return arithmetic("//", other, self)

    def __mod__(self, other: Any) -> Expression:
        return arithmetic("%", self, other)

    def __rmod__(self, other: Any) -> Expression:
        return arithmetic("%", other, self)

    def __pow__(self, other: Any) -> Expression:
        return arithmetic("**", self, other)

    def __rpow__(self, other: Any) -> Expression:
        return arithmetic("**", other, self)

    def __neg__(self) -> Expression:
        return arithmetic("neg", self)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return arithmetic("abs", self)

    def __truediv__(self, other: Any) -> NoReturn:
        left, right = source(self), source(other)
        raise ExpressionError(
            f"{left} / {right}: whole numbers only. Write {left} // {right} with "
            f"when=divides({right}, {left})"
        )

    def __rtruediv__(self, other: Any) -> NoReturn:
        Expression.__truediv__(other, self)

    def __divmod__(self, other: Any) -> NoReturn:
        left, right = source(self), source(other)
        raise ExpressionError(
            f"divmod({left}, {right}): there is no pair during the search. Write {left} // {right} "
            f"and {left} % {right}"
        )

    def __rdivmod__(self, other: Any) -> NoReturn:
        Expression.__divmod__(other, self)

    def __lshift__(self, other: Any) -> NoReturn:
        _no_bits("<<", self, other)

    def __rlshift__(self, other: Any) -> NoReturn:
        _no_bits("<<", other, self)

    def __rshift__(self, other: Any) -> NoReturn:
        _no_bits(">>", self, other)

    def __rrshift__(self, other: Any) -> NoReturn:
        _no_bits(">>", other, self)

    def __xor__(self, other: Any) -> NoReturn:
        _no_bits("^", self, other)

    def __rxor__(self, other: Any) -> NoReturn:
        _no_bits("^", other, self)

    def __matmul__(self, other: Any) -> NoReturn:
        _no_bits("@", self, other)

    def __rmatmul__(self, other: Any) -> NoReturn:
        _no_bits("@", other, self)

    # -- comparisons -----------------------------------------------------------------------
    def __eq__(self, other: object) -> Any:
        return Call("==", (self, other), "bool")

    def __ne__(self, other: object) -> Any:
        return Call("!=", (self, other), "bool")

    def __lt__(self, other: Any) -> Any:
        return Call("<", (self, other), "bool")

    def __le__(self, other: Any) -> Any:
        return Call("<=", (self, other), "bool")

    def __gt__(self, other: Any) -> Any:
        return Call(">", (self, other), "bool")

    def __ge__(self, other: Any) -> Any:
        return Call(">=", (self, other), "bool")

    def __hash__(self) -> int:
        check_lookup(self)
        return object.__hash__(self)

    # -- logic -----------------------------------------------------------------------------
    def __and__(self, other: Any) -> Any:
        return _logic("&", self, other)

    def __rand__(self, other: Any) -> Any:
        return _logic("&", other, self)

    def __or__(self, other: Any) -> Any:
        return _logic("|", self, other)

    def __ror__(self, other: Any) -> Any:
        return _logic("|", other, self)

    def __invert__(self) -> Expression:
        if self.kind not in ("bool", "term"):
            raise ExpressionError(
                f"~{source(self)}: ~ means 'not' and needs a condition, found a value of kind "
                f"{self.kind}. Write {source(self)} == 0"
            )
        return Call("~", (self,), "bool")

    # -- sequences -------------------------------------------------------------------------
    def __getitem__(self, index: Any) -> Expression:
        if self.kind not in ("seq", "term", "str"):
            raise ExpressionError(f"{source(self)}[...]: only a sequence has places; "
                                  f"{source(self)} is of kind {self.kind}")  # fmt: skip
        if not isinstance(index, slice) and kind_of(freeze(index)) not in NUMBER_KINDS:
            raise ExpressionError(
                f"{source(self)}[{source(index)}]: a place is a whole number, counted from 0; "
                f"{source(index)} is of kind {kind_of(freeze(index))}"
            )
        if isinstance(index, slice):
            if index.step is not None:
                if _is_whole(index.step, -1) and index.start is None and index.stop is None:
                    return Call("reverse", (self,), self.kind)
                raise ExpressionError(
                    f"{source(self)}[a:b:step]: a slice has no step here, but for "
                    f"{source(self)}[::-1], which is reverse({source(self)})"
                )
            parts = (0 if index.start is None else index.start, index.stop)
            if index.stop is None:
                return Call("from", (self, parts[0]), self.kind)
            return Call("slice", (self, *parts), self.kind)
        return Call("item", (self, index), "str" if self.kind == "str" else "term")

    def __iter__(self) -> Iterator[Any]:
        if self.kind not in ("seq", "bag", "term"):
            raise ExpressionError(
                f"*{source(self)}: only a sequence or a nested bag can be spliced, and "
                f"{source(self)} is of kind {self.kind}. Declare it with seqs(...) or bags(...); "
                "to loop over something known only during the search, decorate a function with @fn"
            )
        frame = caller(__name__)
        if frame is not None and unpacks(frame):
            text = source(self)
            parts = "Bag([X, *R])" if self.kind == "bag" else "(X, *T)"
            raise ExpressionError(
                f"{text} cannot be taken apart by Python: it is only known during the search. "
                f"Match its elements, let={{{parts}: {text}}}"
                + ("" if self.kind == "bag" else f", or write {text}[0]"),
                expression=self,
            )
        return iter((Splice(self),))

    # -- what Python asks too early --------------------------------------------------------
    def __bool__(self) -> bool:
        frame = caller(__name__)
        raise ExpressionError(
            f"Python needs True or False now, but '{source(self)}' is only known during the "
            f"search. {(frame and instead(frame)) or INSTEAD_OF_ASKING}",
            expression=self,
        )

    def __len__(self) -> int:
        raise ExpressionError(
            f"len({source(self)}): Python needs a number now, but it is only known during the "
            f"search. Write length({source(self)})"
        )

    def __index__(self) -> int:
        raise ExpressionError(
            f"range({source(self)}) or a similar use: Python needs a number now, but "
            f"'{source(self)}' is only known during the search. Write one_of(...) in let= for a "
            "choice, or decorate a function with @fn"
        )

    def __int__(self) -> int:
        raise ExpressionError(
            f"int({source(self)}): Python needs a number now, but '{source(self)}' is only known "
            f"during the search. {_as_number(self)}"
        )

    def __float__(self) -> float:
        raise ExpressionError(
            f"float({source(self)}) or a function of math: numbers are whole here, and "
            f"'{source(self)}' is only known during the search. Decorate a function of your own "
            "with @fn and call it"
        )

    def __round__(self, places: int | None = None) -> NoReturn:
        _no_rounding("round", self)

    def __floor__(self) -> NoReturn:
        _no_rounding("math.floor", self)

    def __ceil__(self) -> NoReturn:
        _no_rounding("math.ceil", self)

    def __trunc__(self) -> NoReturn:
        _no_rounding("math.trunc", self)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        inner = ", ".join(map(repr, args))
        raise ExpressionError(
            f"{source(self)}({inner}): {source(self)} is a value, not a function. To call a Python "
            "function during the search, decorate it with @fn"
        )

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        _no_change(self, index)

    def __delitem__(self, index: Any) -> NoReturn:
        _no_change(self, index)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_") or name in type(self).__slots__:
            raise AttributeError(name)
        raise NoMethod(self, name)

    def __contains__(self, item: Any) -> bool:
        raise ExpressionError(
            f"{source(item)} in {source(self)}: Python needs True or False now. Write "
            f"is_in({source(item)}, {source(self)})"
        )

    # -- text ------------------------------------------------------------------------------
    def __repr__(self) -> str:
        return self.source()

    def __str__(self) -> str:
        text = self.source()
        WRITTEN.setdefault(text, self)
        return text

    def __format__(self, spec: str) -> str:
        # a brace of a text would end the field: written as Python may write it instead
        text = self.source().replace("{", r"\x7b").replace("}", r"\x7d")
        known = FORMATTED.setdefault(text, [])
        known[:] = [entry for entry in known if entry.term_key() != self.term_key()] + [self]
        return "{" + text + (":" + spec if spec else "") + "}"


class Variable(Expression):
    """A name that a match gives a value. Interned by (name, kind): same text, same one."""

    __slots__ = ("constructors", "name")
    name: str
    constructors: tuple[type[Term], ...]
    """Of the terms it matches, where its kind is "constructor"; in canonical order, each once."""
    _known: dict[tuple[Any, ...], Variable] = {}  # noqa: RUF012 (the intern table)

    def __new__(cls, name: str, kind: str, constructors: Iterable[type[Term]] = ()) -> Variable:
        by_identity = {one.term_identity(): one for one in constructors}
        identities = tuple(sorted(by_identity))
        found = cls._known.get((name, kind, identities))
        if found is None:
            found = super().__new__(cls)
            found.name, found.kind = name, kind
            found.constructors = tuple([by_identity[identity] for identity in identities])
            cls._known[name, kind, identities] = found
        return found

    def term_key(self) -> Key:
        identities = tuple([one.term_identity() for one in self.constructors])
        return (SYMBOLIC, "variable", self.name, self.kind, identities)

    def source(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return (Variable, (self.name, self.kind, self.constructors))


class Wildcard(Expression):
    """`ANY`: matches anything, binds nothing. `*ANY` matches any number of elements."""

    __slots__ = ()

    def __init__(self) -> None:
        self.kind = "term"

    def __reduce__(self) -> str:
        return "ANY"  # there is only one

    def term_key(self) -> Key:
        return (SYMBOLIC, "any")

    def source(self) -> str:
        return "ANY"


ANY: Any = Wildcard()


class Splice(Symbolic):
    """`*S` inside a sequence or nested bag: any number of elements."""

    __slots__ = ("inner",)
    is_splice = True
    inner: Expression

    def __init__(self, inner: Expression) -> None:
        self.inner = inner

    def _is_no_value(self, *_: Any) -> NoReturn:
        text = self.inner.source()
        raise ExpressionError(
            f"*{text} stands for elements that are only known during the search: a loop, any(...), "
            f"all(...), sum(...) or arithmetic over them cannot run now. Write total({text}) for "
            "the sum, length(...), is_in(X, ...), or a function with @fn",
            expression=self.inner,
        )

    __bool__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _is_no_value
    __floordiv__ = __mod__ = __pow__ = __neg__ = __abs__ = __int__ = __index__ = _is_no_value
    __lt__ = __le__ = __gt__ = __ge__ = __len__ = __getitem__ = __and__ = __or__ = _is_no_value

    def term_measure(self) -> Measure:
        return gathered((SYMBOLIC, "splice"), (self.inner,))

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, _spliced)

    def term_rebuild(self) -> Rebuild:
        return _spliced, ()

    def term_parts(self) -> tuple[Any, ...]:
        return (self.inner,)

    def term_pieces(self) -> Pieces:
        return ["*", (self.inner,)]

    def __repr__(self) -> str:
        return source(self)


Rebuild = tuple[Callable[..., Any], tuple[Any, ...]]


def _spliced(parts: tuple[Any, ...]) -> Splice:
    return Splice(parts[0])


def _called(op: str, kind: str, args: tuple[Any, ...]) -> Call:
    return Call(op, args, kind)


def measured(head: Key, parts: tuple[Any, ...]) -> Measure:
    """Return key and levels of an expression, from those of its parts. Raises ExpressionError."""
    measure = gathered(head, parts)
    if measure[1] > MOST_LEVELS:
        raise ExpressionError(
            f"an expression nests {measure[1]} levels deep; at most {MOST_LEVELS} are possible. "
            "Join each half of a long chain first, write total((…)) for a sum, a list of "
            "conditions in when=, or a function with @fn"
        )
    return measure


def check_nesting(where: str, value: Any, bound: Mapping[Variable, int] | None = None) -> int:
    """Return the levels around the innermost variable, -1 without one. Raises RuleError.

    bound  how many levels a variable has itself, around the variables that its `let` is made of
    """
    levels = _levels_around(value, bound or {})
    if levels > MOST_AROUND:
        raise RuleError(
            f"{where}: {source(value)[:60]}… nests {levels:,} levels around a variable; at most "
            f"{MOST_AROUND} can be written. Write the outer levels, and a terms(…) variable for "
            "the rest",
            pattern=value,
        )
    return levels


def _levels_around(value: Any, bound: Mapping[Variable, int]) -> int:
    if isinstance(value, Variable):
        return bound.get(value, 0)
    if isinstance(value, Splice):  # its elements stand where others of the sequence do
        return max(0, _levels_around(value.inner, bound) - 1)
    if isinstance(value, Symbolic):
        # a built-in function makes no more levels than its operands have
        passed_on = value.args if isinstance(value, Call) and value.kind not in PLAIN_KINDS else ()
        levels, around = 0, 0
    else:
        passed_on = value if isinstance(value, tuple) else ()
        if isinstance(value, (Bag, Term)):
            passed_on = value.term_parts()
        levels, around = -1, 1
    for part in passed_on:
        inner = -1 if type(part) in PLAIN else _levels_around(part, bound)
        if inner >= 0:
            levels = max(levels, inner + around)
    return levels


class Call(Expression):
    """A built-in function or operator applied to arguments."""

    __slots__ = ("_measure", "args", "op")
    op: str
    args: tuple[Any, ...]
    _measure: Measure

    def __init__(self, op: str, args: Iterable[Any], kind: str) -> None:
        self.op, self.kind = op, kind
        self.args = tuple([freeze(argument) for argument in args])
        for argument in self.args:
            if isinstance(argument, Splice):
                raise ExpressionError(
                    f"{argument!r} is a bare splice in {op}(...): a splice stands inside a "
                    f"sequence; write {argument.inner!r} for the whole of it"
                )
            check_nesting(f"an operand of {op}", argument)
        self._measure = measured((SYMBOLIC, "call", op), self.args)

    def children(self) -> tuple[Any, ...]:
        return self.args

    def __bool__(self) -> bool:
        if self.op in ("==", "!=") and not any(isinstance(one, Expression) for one in self.args):
            left, right = self.args
            if term_key(left) == term_key(right):  # a dict or set looks for a pattern
                return self.op == "=="
        return super().__bool__()

    def term_measure(self) -> Measure:
        return self._measure

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, _called, self.op, self.kind)

    def term_rebuild(self) -> Rebuild:
        return _called, (self.op, self.kind)

    def precedence(self) -> int:
        return PRECEDENCE.get(self.op, ATOM)

    def source(self) -> str:
        return source(self)

    def term_pieces(self) -> Pieces:
        args = self.args
        if self.op in ("item", "from", "slice"):
            place: Pieces = [(args[1],), ":", *((last,) for last in args[2:])]
            place = place[:1] if self.op == "item" else place
            return [*_bracketed(args[0], ATOM), "[", *place, "]"]
        if self.op not in PRECEDENCE:
            return listed(f"{self.op}(", args)
        level = self.precedence()
        if len(args) == 1:
            return ["-" if self.op == "neg" else "~", *_bracketed(args[0], level)]
        # the right operand needs brackets at equal precedence: a - (b - c); ** is the other way
        tight = level if self.op == "**" else level + 1
        left = _bracketed(args[0], level + (self.op == "**" or level == 4))
        sign = f" {'+' if self.op == 'concat' else self.op} "
        return [*left, sign, *_bracketed(args[1], tight)]


def _is_whole(value: Any, number: int) -> bool:
    return type(value) is int and value == number


def _no_bits(op: str, left: Any, right: Any) -> NoReturn:
    one, other = source(left), source(right)
    way = {
        "<<": f"Write {one} * 2 ** {other}",
        ">>": f"Write {one} // 2 ** {other}",
        "^": f"For conditions, of which one holds and not both, write {one} != {other}",
        "@": "Write a function with @fn",
    }
    raise ExpressionError(
        f"{one} {op} {other}: {op} has no meaning for what is only known during the search. "
        f"{way[op]}; for bits write a function with @fn"
    )


def _no_rounding(name: str, value: Expression) -> NoReturn:
    text = value.source()
    raise ExpressionError(
        f"{name}({text}): numbers are whole here, and '{text}' is only known during the search. "
        f"Write {text} itself, or a // b for a quotient rounded down"
    )


def _no_change(value: Expression, index: Any) -> NoReturn:
    text = f"{value.source()}[{source(index)}]"
    raise ExpressionError(
        f"{text} cannot be set or deleted: values never change. Take the sequence apart and put a "
        "new one: take=[(*S, X, *T)], put=[(*S, X + 1, *T)]"
    )


def _as_number(value: Expression) -> str:
    text = value.source()
    if value.kind == "seq":
        return f"Write number({text}) for the number that digits write"
    if value.kind in ("int", "term"):
        return f"It is a value that can be computed with as it is: {text} + 1"
    return "Decorate a function with @fn and call it"


def _instead(value: Expression, name: str) -> str:
    """Return what to write instead of an attribute of a value."""
    text = value.source()
    told = f"'{text}' is only known during the search and has no attribute {name}. "
    for constructor in value.constructors if isinstance(value, Variable) else ():
        if name in constructor.term_fields:
            return told + f"Match its fields instead of it: {constructor.term_signature()}"
    if name in INSTEAD:
        return told + f"Write {INSTEAD[name].format(text)}"
    return told + "Match its parts by a pattern, or decorate a function with @fn and call it"


def _bracketed(value: Any, level: int) -> Pieces:
    own = value.precedence() if isinstance(value, Expression) else ATOM
    if isinstance(value, int) and not isinstance(value, bool) and value < 0:
        own = PRECEDENCE["neg"]
    return ["(", (value,), ")"] if own < level else [(value,)]


def kind_of(value: Any) -> str:
    """Return the kind of a frozen value: int, str, bool, seq, bag, or term where it is open."""
    if isinstance(value, Expression):
        return value.kind
    plain = {bool: "bool", int: "int", str: "str", tuple: "seq"}
    return plain.get(type(value), "bag" if isinstance(value, (Bag, list)) else "constructor")


def arithmetic(op: str, *args: Any) -> Expression:
    """Return an arithmetic expression, refusing anything but numbers."""
    frozen = [freeze(argument) for argument in args]
    call = Call(op, frozen, "int")
    for argument in frozen:
        if kind_of(argument) not in NUMBER_KINDS:
            raise ExpressionError(
                f"{call.source()}: {op if op != 'neg' else '-'} needs whole numbers, but "
                f"{source(argument)} is of kind {kind_of(argument)}"
            )
    return call


def _sum(left: Any, right: Any) -> Expression:
    kinds = {kind_of(freeze(left)), kind_of(freeze(right))}
    if "seq" in kinds and kinds <= {"seq", "term"}:
        return Call("concat", (left, right), "seq")
    if "str" in kinds and kinds <= {"str", "term"}:
        return Call("concat", (left, right), "str")
    return arithmetic("+", left, right)


def decided(found: bool) -> str:
    """Return the error text about a condition that Python has decided."""
    return (
        f"this condition is already {found}: Python compared before the search began. Comparing "
        "patterns: M == 3 and Box(M) == Box(N) are conditions, is_in(M, (1, 2)) instead of M in "
        "(1, 2), and never `is`; a comparison without a variable says the same of every state: "
        "write contains(Box(3)), or leave it out"
    )


def _logic(op: str, left: Any, right: Any) -> Any:
    for side, other in ((left, right), (right, left)):
        if not isinstance(side, (Symbolic, bool, int, str, tuple, list)):
            return NotImplemented  # a condition on a state: it knows how to join an expression
        if isinstance(side, bool):
            raise RuleError(decided(side))
        if kind_of(freeze(side)) not in ("bool", "term"):
            raise ExpressionError(
                f"{source(left)} {op} {source(right)}: {op} joins conditions, but {source(side)} "
                f"is of kind {kind_of(side)}. {op} binds tighter than >: write (a > 1) {op} (b > "
                "1), or a list",
                found=other,
            )
    return Call(op, (left, right), "bool")
