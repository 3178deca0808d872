"""Variables and expressions: what is only known during the search.

An expression is a small tree of frozen nodes. It knows its *kind* (the type its value has), so that
mistakes such as `X & Y > 3` are refused where they are written. What an expression is worth is
decided in `language.evaluation`; how it is run fast, by the engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from rewrite.errors import ExpressionError
from rewrite.language.bag import Bag
from rewrite.language.order import SYMBOLIC, Key, Pieces, listed
from rewrite.language.order import source as source  # where others look for it
from rewrite.language.terms import Symbolic, Term, freeze
from rewrite.language.travel import reduced

NUMBER_KINDS = ("int", "term")
PRECEDENCE = {
    "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "|": 5, "&": 7, "+": 9, "concat": 9, "-": 9, "*": 10, "//": 10, "%": 10,
    "neg": 11, "~": 11, "**": 12,
}  # fmt: skip
ATOM = 20

FORMATTED: dict[str, list[Expression]] = {}
"""Expressions by the source text that an f-string saw; `labels` finds them again here."""


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
        if isinstance(index, slice):
            if index.step is not None:
                raise ExpressionError(f"{source(self)}[a:b:step]: a slice has no step here")
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
        return iter((Splice(self),))

    # -- what Python asks too early --------------------------------------------------------
    def __bool__(self) -> bool:
        raise ExpressionError(
            f"Python needs True or False now, but '{source(self)}' is only known during the "
            "search. Write a & b instead of a and b (or a list: when=[a, b]); between(0, X, 5) "
            "instead of 0 < X < 5; is_in(X, values) instead of X in values. If this happened "
            "inside a function of your own, decorate it with @fn. Likewise a | b instead of a or "
            "b; ~a instead of not a; least(a, b) instead of min(a, b); if_(c, a, b) instead of "
            "a if c else b",
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
        return self.__index__()

    def __contains__(self, item: Any) -> bool:
        raise ExpressionError(
            f"{source(item)} in {source(self)}: Python needs True or False now. Write "
            f"is_in({source(item)}, {source(self)})"
        )

    # -- text ------------------------------------------------------------------------------
    def __repr__(self) -> str:
        return self.source()

    def __str__(self) -> str:
        return self.source()

    def __format__(self, spec: str) -> str:
        text = self.source()
        known = FORMATTED.setdefault(text, [])
        known[:] = [entry for entry in known if entry.term_key() != self.term_key()] + [self]
        return "{" + text + (":" + spec if spec else "") + "}"


class Variable(Expression):
    """A name that a match gives a value. Interned by (name, kind): same text, same one."""

    __slots__ = ("constructor", "name")
    name: str
    constructor: type[Term] | None
    _known: dict[tuple[Any, ...], Variable] = {}  # noqa: RUF012 (the intern table)

    def __new__(cls, name: str, kind: str, constructor: type[Term] | None = None) -> Variable:
        identity = constructor.term_identity() if constructor else None
        found = cls._known.get((name, kind, identity))
        if found is None:
            found = super().__new__(cls)
            found.name, found.kind, found.constructor = name, kind, constructor
            cls._known[name, kind, identity] = found
        return found

    def term_key(self) -> Key:
        identity = self.constructor.term_identity() if self.constructor else ()
        return (SYMBOLIC, "variable", self.name, self.kind, identity)

    def source(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return (Variable, (self.name, self.kind, self.constructor))


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

    def term_key_parts(self) -> tuple[Key, tuple[Any, ...]]:
        return (SYMBOLIC, "splice"), (self.inner,)

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


class Call(Expression):
    """A built-in function or operator applied to arguments."""

    __slots__ = ("args", "op")
    op: str
    args: tuple[Any, ...]

    def __init__(self, op: str, args: Iterable[Any], kind: str) -> None:
        self.op, self.kind = op, kind
        self.args = tuple([freeze(argument) for argument in args])
        for argument in self.args:
            if isinstance(argument, Splice):
                raise ExpressionError(
                    f"{argument!r} is a bare splice in {op}(...): a splice stands inside a "
                    f"sequence; write {argument.inner!r} for the whole of it"
                )

    def children(self) -> tuple[Any, ...]:
        return self.args

    def term_key_parts(self) -> tuple[Key, tuple[Any, ...]]:
        return (SYMBOLIC, "call", self.op), self.args

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
    """Return an arithmetic expression, refusing what is no number."""
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


def _logic(op: str, left: Any, right: Any) -> Any:
    for side, other in ((left, right), (right, left)):
        if not isinstance(side, (Symbolic, bool, int, str, tuple, list)):
            return NotImplemented  # a condition on a state: it knows how to join an expression
        if kind_of(freeze(side)) not in ("bool", "term"):
            raise ExpressionError(
                f"{source(left)} {op} {source(right)}: {op} joins conditions, but {source(side)} "
                f"is of kind {kind_of(side)}. {op} binds tighter than >: write (a > 1) {op} (b > "
                "1), or a list",
                found=other,
            )
    return Call(op, (left, right), "bool")
