"""Variables and expressions: values that are known only during the search.

An expression is a small tree of frozen nodes. It knows its *kind* (the type of its value), so that
mistakes such as `X & Y > 3` are refused where they are written. `language.evaluation` defines the
value of an expression; the engines compute it fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from rewrite.errors import ExpressionError, RuleError
from rewrite.language.bag import Bag
from rewrite.language.callers import (
    caller,
    check_lookup,
    instead,
    instead_of_index,
    loops,
    unpacks,
)
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
from rewrite.language.pickling import Rebuild, Structured
from rewrite.language.terms import Symbolic, Term, freeze

NUMBER_KINDS = ("int", "term")
PLAIN_KINDS = ("int", "str", "bool")
MOST_AROUND = 100
"""Most levels of a pattern, template or operand around a variable. Below, everything is ground."""
PRECEDENCE = {
    "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "|": 5, "&": 7, "+": 9, "concat": 9, "-": 9, "*": 10, "//": 10, "%": 10,
    "neg": 11, "~": 11, "**": 12,
}  # fmt: skip
ATOM = 20

FORMATTED: dict[str, list[Expression]] = {}
"""Expressions by the source text that an f-string saw; `labels` looks them up here."""

WRITTEN: dict[str, Expression] = {}
"""Expressions by the source text that `str(...)` returned: a slip if a rule contains that text."""

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


_NO_BITS = (
    "{{0}} {0} {{1}}: {0} has no meaning for what is only known during the search. {1}; for bits "
    "write a function with @fn"
)
NO_OPERATOR = {
    "/": "{0} / {1}: whole numbers only. Write {0} // {1} with when=divides({1}, {0})",
    "divmod": "divmod({0}, {1}): there is no pair during the search. Write {0} // {1} and {0} % "
    "{1}",
    "<<": _NO_BITS.format("<<", "Write {0} * 2 ** {1}"),
    ">>": _NO_BITS.format(">>", "Write {0} // 2 ** {1}"),
    "^": _NO_BITS.format("^", "For conditions, of which one holds and not both, write {0} != {1}"),
    "@": _NO_BITS.format("@", "Write a function with @fn"),
}
NO_ROUNDING = (
    ": numbers are whole here, and '{0}' is only known during the search. Write {0} itself, or "
    "a // b for a quotient rounded down"
)
NO_CHANGE = (
    "{0}[{1}] cannot be set or deleted: values never change. Take the sequence apart and put a new "
    "one: take=[(*S, X, *T)], put=[(*S, X + 1, *T)]"
)


class NoMethod(ExpressionError, AttributeError):
    """An unknown attribute of a value that is known only during the search.

    Most are raised because a program tests what a thing is (`hasattr`), so the text is made lazily.
    """

    def __init__(self, value: Expression, asked: str) -> None:
        Exception.__init__(self, asked)
        self.value, self.asked = value, asked
        self.facts = {"value": value, "asked": asked}

    @property
    def message(self) -> str:  # type: ignore[override]
        return f"{source(self.value)}.{self.asked}: {_instead(self.value, self.asked)}"

    def __str__(self) -> str:
        return self.message


def kind_of(value: Any) -> str:
    """Return the kind of a frozen value: int, str, bool, seq, bag; or term if it is open."""
    if isinstance(value, Expression):
        return value.kind
    plain = {bool: "bool", int: "int", str: "str", tuple: "seq"}
    return plain.get(type(value), "bag" if isinstance(value, (Bag, list)) else "constructor")


def arithmetic(op: str, *args: Any) -> Expression:
    frozen = [freeze(argument) for argument in args]
    call = Call(op, frozen, "int")
    for argument in frozen:
        if kind_of(argument) not in NUMBER_KINDS:
            kind = kind_of(argument)
            raise ExpressionError(
                f"{source(call)}: {op if op != 'neg' else '-'} needs whole numbers, but "
                f"{source(argument)} is of kind {kind}"
                f"{ELEMENTS.get(op, '') if kind in ('seq', 'bag') else ''}"
            )
    return call


ELEMENTS = {
    "+": ". Elements are joined by splices: (*S, X) is a sequence, [X, *B] a nested bag",
    "-": ". To take an element out, match it: (*S, X, *T), or Bag([X, *B]) in let=",
}
"""What to write instead of arithmetic with sequences and nested bags."""


def _sum(op: str, left: Any, right: Any) -> Expression:
    kinds = {kind_of(freeze(left)), kind_of(freeze(right))}
    if "seq" in kinds and kinds <= {"seq", "term"}:
        return Call("concat", (left, right), "seq")
    if "str" in kinds and kinds <= {"str", "term"}:
        return Call("concat", (left, right), "str")
    return arithmetic(op, left, right)


def decided(found: bool) -> str:
    """Return the error text for a condition that Python has already decided."""
    return (
        f"this condition is already {found}: Python compared before the search began. Comparing "
        "patterns: M == 3 and Box(M) == Box(N) are conditions, is_in(M, (1, 2)) instead of M in "
        "(1, 2), and never `is`; a comparison without a variable says the same of every state: "
        "write contains(Box(3)), or leave it out"
    )


_load: list[Callable[[], Any]] = []


def conditions_from(load: Callable[[], Any]) -> None:
    """Register a loader for the module of conditions, which imports this one."""
    _load[:] = [load]


def as_condition(given: Any) -> Any:
    """Return a Condition from anything accepted as one. Raises RuleError."""
    return _load[0]().condition(given)


def joined(op: str, left: Any, right: Any) -> Any:
    first = as_condition(left)
    return first & right if op == "&" else first | right


def _logic(op: str, left: Any, right: Any) -> Any:
    for side, other in ((left, right), (right, left)):
        if not isinstance(side, (Symbolic, bool, int, str, tuple, list)):
            return joined(op, left, right)
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


Method = Callable[..., Any]
R = TypeVar("R")


def operator_methods(
    made: Callable[[str, Any, Any], R], op: str
) -> tuple[Callable[[Any, Any], R], Callable[[Any, Any], R]]:
    """Return the methods of a binary operator, for its left and for its right operand."""
    return (lambda self, other: made(op, self, other), lambda self, other: made(op, other, self))


def _compared(op: str, left: Any, right: Any) -> Any:
    return Call(op, (left, right), "bool")


def _no_operator(op: str, left: Any, right: Any) -> NoReturn:
    raise ExpressionError(NO_OPERATOR[op].format(source(left), source(right)))


def _refusal(text: str) -> Method:
    """Return a method that raises: {0} in its text is the value, {1} the first argument."""

    def refuse(self: Expression, *arguments: Any) -> NoReturn:
        raise ExpressionError(text.format(source(self), *map(source, arguments)))

    return refuse


class Expression(Symbolic):
    """Something whose value is known only during the search; supports Python's operators."""

    __slots__ = ("kind",)
    kind: str

    __add__, __radd__ = operator_methods(_sum, "+")
    __sub__, __rsub__ = operator_methods(arithmetic, "-")
    __mul__, __rmul__ = operator_methods(arithmetic, "*")
    __floordiv__, __rfloordiv__ = operator_methods(arithmetic, "//")
    __mod__, __rmod__ = operator_methods(arithmetic, "%")
    __rpow__ = operator_methods(arithmetic, "**")[1]
    __truediv__, __rtruediv__ = operator_methods(_no_operator, "/")
    __divmod__, __rdivmod__ = operator_methods(_no_operator, "divmod")
    __lshift__, __rlshift__ = operator_methods(_no_operator, "<<")
    __rshift__, __rrshift__ = operator_methods(_no_operator, ">>")
    __xor__, __rxor__ = operator_methods(_no_operator, "^")
    __matmul__, __rmatmul__ = operator_methods(_no_operator, "@")
    __lt__, __gt__ = operator_methods(_compared, "<")[0], operator_methods(_compared, ">")[0]
    __le__, __ge__ = operator_methods(_compared, "<=")[0], operator_methods(_compared, ">=")[0]
    __and__, __rand__ = operator_methods(_logic, "&")
    __or__, __ror__ = operator_methods(_logic, "|")

    def __pow__(self, other: Any, modulus: Any = None) -> Expression:
        if modulus is not None:
            both, by = f"{source(self)}, {source(other)}", source(modulus)
            raise ExpressionError(
                f"pow({both}, {by}): Python needs numbers now. Write pow({both}) % {by}"
            )
        return arithmetic("**", self, other)

    def __eq__(self, other: object) -> Any:
        return _compared("==", self, other)

    def __ne__(self, other: object) -> Any:
        return _compared("!=", self, other)

    def __hash__(self) -> int:
        check_lookup(self)
        return object.__hash__(self)

    def __neg__(self) -> Expression:
        return arithmetic("neg", self)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return arithmetic("abs", self)

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
            return self._sliced(index)
        if kind_of(freeze(index)) not in NUMBER_KINDS:
            raise ExpressionError(
                f"{source(self)}[{source(index)}]: a place is a whole number, counted from 0; "
                f"{source(index)} is of kind {kind_of(freeze(index))}"
            )
        return Call("item", (self, index), "str" if self.kind == "str" else "term")

    def _sliced(self, index: slice) -> Expression:
        first = 0 if index.start is None else index.start
        if index.step is None and index.stop is None:
            return Call("from", (self, first), self.kind)
        if index.step is None:
            return Call("slice", (self, first, index.stop), self.kind)
        backwards = type(index.step) is int and index.step == -1
        if backwards and index.start is None and index.stop is None:
            return Call("reverse", (self,), self.kind)
        raise ExpressionError(
            f"{source(self)}[a:b:step]: a slice has no step here, but for {source(self)}[::-1], "
            f"which is reverse({source(self)})"
        )

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
        if frame is not None and loops(frame):
            Splice(self)._is_no_value()
        return iter((Splice(self),))

    # -- what Python evaluates too early ---------------------------------------------------
    def __bool__(self) -> bool:
        frame = caller(__name__)
        raise ExpressionError(
            f"Python needs True or False now, but '{source(self)}' is only known during the "
            f"search. {(frame and instead(frame)) or INSTEAD_OF_ASKING}",
            expression=self,
        )

    __len__ = _refusal(
        "len({0}): Python needs a number now, but it is only known during the search. Write "
        "length({0})"
    )
    __reversed__ = _refusal("reversed({0}): Python needs the elements now. Write reverse({0})")
    __float__ = _refusal(
        "float({0}) or a function of math: numbers are whole here, and '{0}' is only known during "
        "the search. Decorate a function of your own with @fn and call it"
    )
    __contains__ = _refusal("{1} in {0}: Python needs True or False now. Write is_in({1}, {0})")
    __round__ = _refusal("round({0})" + NO_ROUNDING)
    __floor__ = _refusal("math.floor({0})" + NO_ROUNDING)
    __ceil__ = _refusal("math.ceil({0})" + NO_ROUNDING)
    __trunc__ = _refusal("math.trunc({0})" + NO_ROUNDING)
    __setitem__ = __delitem__ = _refusal(NO_CHANGE)

    def __index__(self) -> int:
        frame = caller(__name__)
        way = "Write one_of(...) in let= for a choice, or decorate a function with @fn"
        raise ExpressionError(
            f"range({source(self)}) or a similar use: Python needs a number now, but "
            f"'{source(self)}' is only known during the search. "
            f"{(frame and instead_of_index(frame)) or way}"
        )

    def __int__(self) -> int:
        raise ExpressionError(
            f"int({source(self)}): Python needs a number now, but '{source(self)}' is only known "
            f"during the search. {_as_number(self)}"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        inner = ", ".join(map(source, args))
        raise ExpressionError(
            f"{source(self)}({inner}): {source(self)} is a value, not a function. To call a Python "
            "function during the search, decorate it with @fn"
        )

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_") or name in type(self).__slots__:
            raise AttributeError(name)
        raise NoMethod(self, name)

    # -- text ------------------------------------------------------------------------------

    def __str__(self) -> str:
        text = source(self)
        WRITTEN.setdefault(text, self)
        return text

    def __format__(self, spec: str) -> str:
        # a brace of a text would end the field: escape it, as Python would accept it
        text = source(self).replace("{", r"\x7b").replace("}", r"\x7d")
        known = FORMATTED.setdefault(text, [])
        known[:] = [entry for entry in known if entry.term_key() != self.term_key()] + [self]
        return "{" + text + (":" + spec if spec else "") + "}"


class Variable(Expression):
    """A name to which a match gives a value. Interned by (name, kind): same text, same variable."""

    __slots__ = ("constructors", "kinds", "name")
    name: str
    constructors: tuple[type[Term], ...]
    """Of the terms it matches, if these are all it matches; in canonical order, each once."""
    kinds: tuple[str, ...]
    """What else it matches if it has several kinds, its own being "term"; sorted."""
    _known: dict[tuple[Any, ...], Variable] = {}  # noqa: RUF012 (the intern table)

    def __new__(
        cls,
        name: str,
        kind: str,
        constructors: Iterable[type[Term]] = (),
        kinds: Iterable[str] = (),
    ) -> Variable:
        by_identity = {one.term_identity(): one for one in constructors}
        identities = tuple(sorted(by_identity))
        kinds = tuple(sorted({*kinds}))
        found = cls._known.get((name, kind, identities, kinds))
        if found is None:
            found = super().__new__(cls)
            found.name, found.kind, found.kinds = name, kind, kinds
            found.constructors = tuple([by_identity[identity] for identity in identities])
            cls._known[name, kind, identities, kinds] = found
        return found

    def term_key(self) -> Key:
        identities = tuple([one.term_identity() for one in self.constructors])
        # kinds only where there are some: folders of searches know rules by these keys
        return (
            SYMBOLIC,
            "variable",
            self.name,
            self.kind,
            identities,
            *[self.kinds] * bool(self.kinds),
        )

    @property
    def admitted(self) -> tuple[Any, ...]:
        """What it matches, as facts to compare."""
        return self.kind, self.constructors, self.kinds

    @property
    def is_narrow(self) -> bool:
        """Whether it matches some constructors, or several kinds, only."""
        return bool(self.constructors or self.kinds)

    def term_pieces(self) -> Pieces:
        return [self.name]

    def __reduce__(self) -> tuple[Any, ...]:
        return (Variable, (self.name, self.kind, self.constructors, self.kinds))


class Wildcard(Expression):
    """`ANY`: matches anything, binds nothing. `*ANY` matches any number of elements."""

    __slots__ = ()

    def __init__(self) -> None:
        self.kind = "term"

    def __reduce__(self) -> str:
        return "ANY"  # a singleton

    def term_key(self) -> Key:
        return (SYMBOLIC, "any")

    def term_pieces(self) -> Pieces:
        return ["ANY"]


ANY: Any = Wildcard()


class Splice(Symbolic, Structured):
    """`*S` inside a sequence or nested bag: any number of elements."""

    __slots__ = ("inner",)
    is_splice = True
    inner: Expression

    def __init__(self, inner: Expression) -> None:
        self.inner = inner

    def _is_no_value(self, *_: Any) -> NoReturn:
        text = source(self.inner)
        raise ExpressionError(
            f"*{text} stands for elements that are only known during the search: a loop, any(...), "
            "sorted(...), sum(...) or arithmetic over them cannot run now. Write "
            f"total({text}) for the sum, length(...), is_in(X, ...), or a function with @fn",
            expression=self.inner,
        )

    __bool__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _is_no_value
    __floordiv__ = __mod__ = __pow__ = __neg__ = __abs__ = __int__ = __index__ = _is_no_value
    __lt__ = __le__ = __gt__ = __ge__ = __len__ = __getitem__ = __and__ = __or__ = _is_no_value

    def term_measure(self) -> Measure:
        return gathered((SYMBOLIC, "splice"), (self.inner,))

    def term_rebuild(self) -> Rebuild:
        return _spliced, ()

    def term_parts(self) -> tuple[Any, ...]:
        return (self.inner,)

    def term_pieces(self) -> Pieces:
        return ["*", (self.inner,)]


def _spliced(parts: tuple[Any, ...]) -> Splice:
    return Splice(parts[0])


def _called(op: str, kind: str, args: tuple[Any, ...]) -> Call:
    return Call(op, args, kind)


def measured(head: Key, parts: tuple[Any, ...]) -> Measure:
    """Return key and levels of an expression from those of its parts. Raises ExpressionError."""
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

    bound  for each variable, the levels around the variables in its own `let`
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
    if isinstance(value, Splice):  # its elements are on the level of the sequence's others
        return max(0, _levels_around(value.inner, bound) - 1)
    if isinstance(value, Symbolic):
        # a built-in function adds no levels to those of its operands
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


def operands(called: str, arguments: Iterable[Any]) -> tuple[Any, ...]:
    """Return arguments as terms or patterns. Raises ExpressionError for a bare splice."""
    frozen = tuple([freeze(argument) for argument in arguments])
    for one in frozen:
        if isinstance(one, Splice):
            raise ExpressionError(
                f"{one!r} is a bare splice in {called}(...): a splice stands inside a sequence; "
                f"write {one.inner!r} for the whole of it"
            )
    return frozen


class Call(Expression, Structured):
    """A built-in function or operator applied to arguments."""

    __slots__ = ("_measure", "args", "op")
    op: str
    args: tuple[Any, ...]
    _measure: Measure

    def __init__(self, op: str, args: Iterable[Any], kind: str) -> None:
        self.op, self.kind = op, kind
        self.args = operands(op, args)
        for argument in self.args:
            check_nesting(f"an operand of {op}", argument)
        self._measure = measured((SYMBOLIC, "call", op), self.args)

    def term_parts(self) -> tuple[Any, ...]:
        return self.args

    def __bool__(self) -> bool:
        if self.op in ("==", "!=") and not any(isinstance(one, Expression) for one in self.args):
            left, right = self.args
            if term_key(left) == term_key(right):  # a dict or set is looking up a pattern
                return self.op == "=="
        return super().__bool__()

    def term_measure(self) -> Measure:
        return self._measure

    def term_rebuild(self) -> Rebuild:
        return _called, (self.op, self.kind)

    def term_pieces(self) -> Pieces:
        args = self.args
        if self.op in ("item", "from", "slice"):
            place: Pieces = [(args[1],), ":", *((last,) for last in args[2:])]
            place = place[:1] if self.op == "item" else place
            return [*_bracketed(args[0], ATOM), "[", *place, "]"]
        if self.op not in PRECEDENCE:
            return listed(f"{self.op}(", args)
        level = PRECEDENCE[self.op]
        if len(args) == 1:
            return ["-" if self.op == "neg" else "~", *_bracketed(args[0], level)]
        # the right operand needs brackets at equal precedence: a - (b - c); ** is the reverse
        tight = level if self.op == "**" else level + 1
        left = _bracketed(args[0], level + (self.op == "**" or level == 4))
        sign = f" {'+' if self.op == 'concat' else self.op} "
        return [*left, sign, *_bracketed(args[1], tight)]


def _as_number(value: Expression) -> str:
    text = source(value)
    if value.kind == "seq":
        return f"Write number({text}) for the number that digits write"
    if value.kind in ("int", "term"):
        return f"It is a value that can be computed with as it is: {text} + 1"
    return "Decorate a function with @fn and call it"


def _instead(value: Expression, name: str) -> str:
    text = source(value)
    told = f"'{text}' is only known during the search and has no attribute {name}. "
    for constructor in value.constructors if isinstance(value, Variable) else ():
        if name in constructor.term_fields:
            return told + f"Match its fields instead of it: {constructor.term_signature()}"
    if name in INSTEAD:
        return told + f"Write {INSTEAD[name].format(text)}"
    return told + "Match its parts by a pattern, or decorate a function with @fn and call it"


def _bracketed(value: Any, level: int) -> Pieces:
    own = PRECEDENCE.get(value.op, ATOM) if isinstance(value, Call) else ATOM
    if isinstance(value, int) and not isinstance(value, bool) and value < 0:
        own = PRECEDENCE["neg"]
    return ["(", (value,), ")"] if own < level else [(value,)]
