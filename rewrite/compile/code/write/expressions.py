"""Expressions and templates, to values and tests.

`value` gives what is worth an encoded value, `test` what holds or does not. Where kinds are known
the operations are unchecked; where they are open (`terms` variables, items of sequences, results of
`@fn`) built-in functions check them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rewrite.compile.code import operations as o
from rewrite.compile.code.types import of_kind
from rewrite.compile.code.write.build import Builder
from rewrite.compile.inlining import inlined, may_lack_value
from rewrite.compile.interning import Ctor, encode, items_of
from rewrite.language.bag import Bag
from rewrite.language.builtins import BUILTINS
from rewrite.language.checks import aggregates_in
from rewrite.language.conditions import Aggregate
from rewrite.language.expressions import Call, Expression, Splice, Variable, kind_of
from rewrite.language.functions import FunctionCall
from rewrite.language.patterns import variables
from rewrite.language.terms import Term, is_ground

Names = dict[Variable, o.Value]
Aggregated = Callable[[Aggregate, Names], o.Value]

ARITHMETIC = ("+", "-", "*", "//", "%")
MOST_INLINE = 30
"""Python's parser ends at 200 brackets, one inside the other; a level has at most three."""
COMPARISONS = ("<", "<=", ">", ">=")


class Carried(NamedTuple):
    """What a function is given of the state, where its value depends on that.

    state, code   the registers of the groups, inside and where it is called
    on_state      it is given the state whole
    begin         called when the function is written
    """

    state: tuple[o.Reg, ...] = ()
    code: tuple[o.Value, ...] = ()
    on_state: bool = False
    begin: Callable[[], None] = lambda: None


NOTHING, ON_STATE = Carried(), Carried(on_state=True)


def no_aggregate(given: Aggregate, names: Names) -> o.Value:
    raise LookupError(f"{given!r} has no state to look at")


class Expressions:
    def __init__(
        self, write: Builder, aggregate: Aggregated = no_aggregate,
        carried: Callable[[], Carried] = lambda: NOTHING,
    ) -> None:  # fmt: skip
        self.write, self.aggregate, self.carried = write, aggregate, carried
        self.level = 0
        self.own: Names | None = None
        self.on_values: dict[tuple[str, str], str] = {}
        self.carries = False
        """Whether the function that is being written is one apart that sees the state."""

    def value(self, given: Any, names: Names) -> o.Value:
        if isinstance(given, Variable):
            return names[given]
        if not isinstance(given, Expression) and is_ground(given):
            return o.Const(encode(given))
        if self.level >= MOST_INLINE:
            return self._apart(given, names)
        self.level += 1
        made = self._composed(given, names)
        self.level -= 1
        return made

    def _apart(self, given: Any, names: Names) -> o.Value:
        """Return a call of a function of its own that gives the value.

        What nests deeper than Python's parser goes is written in several functions.
        """
        # looked for once: the functions below take all that this one takes
        below = names is self.own
        used = list(names) if below else list(variables(given))
        carries = self.carries if below else bool(aggregates_in(given))
        carried = self.carried() if carries else NOTHING
        registers = [o.Reg(f"o{place}", of_kind(one.kind)) for place, one in enumerate(used)]
        inner: Names = dict(zip(used, registers, strict=True))
        name = self.write.name("apart")

        def written() -> None:
            self.level, self.own, self.carries = 0, inner, carries
            carried.begin()
            with self.write.function(name, (*carried.state, *registers), carried.on_state):
                self.write.add(o.Return(self.value(given, inner)))

        self.write.later(written)
        values = [names[variable] for variable in used]
        return o.Invoke(name, (*carried.code, *values), carried.on_state)

    def _composed(self, given: Any, names: Names) -> o.Value:
        if isinstance(given, Expression):
            if isinstance(given, Call) and given.kind == "bool":
                return o.TruthOf(self.test(given, names))
            return self._expression(given, names)
        if isinstance(given, tuple):
            return self._tuple((), given, names)
        if isinstance(given, Bag):
            return o.Builtin("make_bag", (self._tuple((), given.items, names),))
        assert isinstance(given, Term)
        return self._tuple((o.Const(Ctor.of(type(given))),), given.term_arguments(), names)

    def _tuple(self, first: tuple[o.Value, ...], parts: tuple[Any, ...], names: Names) -> o.Value:
        made: list[o.Value | o.Spliced] = list(first)
        for part in parts:
            if isinstance(part, Splice):
                inner = self.value(part.inner, names)
                plain = kind_of(part.inner) == "seq"
                made.append(o.Spliced(inner if plain else o.Builtin("elements", (inner,))))
            else:
                made.append(self.value(part, names))
        return o.Tuple(tuple(made))

    def number(self, given: Any, names: Names) -> o.Value:
        """Return a whole number, checked where the kind is open."""
        value = self.value(given, names)
        return value if kind_of(given) == "int" else o.Builtin("integer", (value,))

    def _arithmetic(self, op: str, left: Any, right: Any, names: Names) -> o.Value:
        """Return the value of an operation on numbers.

        Both operands are evaluated before either must be a number: where the right one has no
        value, the operation has none, whatever the left one is. So where the left one is of an open
        kind, a function is given both, and sees to it.
        """
        if kind_of(left) == "int" or not may_lack_value(right):
            return o.Arithmetic(op, self.number(left, names), self.number(right, names))
        kind = "int" if kind_of(right) == "int" else "term"
        name = self.on_values.get((op, kind))
        if name is None:
            name = self.on_values[op, kind] = self.write.name("arithmetic")
            self.write.later(lambda: self._on_values(name, op, kind))
        return o.Invoke(name, (self.value(left, names), self.value(right, names)))

    def _on_values(self, name: str, op: str, kind: str) -> None:
        left, right = o.Reg("left"), o.Reg("right", of_kind(kind))
        number = right if kind == "int" else o.Builtin("integer", (right,))
        with self.write.function(name, (left, right)):
            made = o.Arithmetic(op, o.Builtin("integer", (left,)), number)
            self.write.add(o.Return(made))

    def test(self, given: Any, names: Names) -> o.Test:
        if isinstance(given, FunctionCall):
            body = inlined(given)
            given = given if body is None else body
        if isinstance(given, Call) and given.kind == "bool":
            if self.level >= MOST_INLINE:
                return o.IsTrue(self._apart(given, names))
            self.level += 1
            made = self._condition(given, names)
            self.level -= 1
            return made
        if given is True or given is False:
            return o.Flag(given)
        return o.IsTrue(self.value(given, names))

    def _condition(self, call: Call, names: Names) -> o.Test:
        op, args = call.op, call.args
        if op in ("&", "|"):
            both = (self.test(args[0], names), self.test(args[1], names))
            return o.And(both) if op == "&" else o.Or(both)
        if op == "~":
            return o.Not(self.test(args[0], names))
        if op == "if_":
            yes, no = self.test(args[1], names), self.test(args[2], names)
            return o.Choice(self.test(args[0], names), yes, no)
        if op == "divides":
            if not _is_plain(args[1]):  # it may have no value, also where d is 0
                return o.Builtin(op, tuple([self.value(one, names) for one in args]))
            d, n = self.number(args[0], names), self.number(args[1], names)
            whole = o.Equal(o.Arithmetic("%", n, d), o.Const(0))
            if isinstance(args[0], int) and args[0] != 0:
                return whole
            return o.And((o.Not(o.Equal(d, o.Const(0))), whole))
        if op == "is_in":
            if isinstance(args[1], (tuple, Bag)) and is_ground(args[1]):
                known = frozenset(items_of(encode(args[1])))
                return o.InSet(self.value(args[0], names), known)
            where = self.value(args[1], names)
            if kind_of(args[1]) in ("str", "term"):
                return o.Builtin(BUILTINS[op].code, (self.value(args[0], names), where))
            if kind_of(args[1]) == "bag":
                where = o.Builtin("elements", (where,))
            return o.In(self.value(args[0], names), where)
        values = [self.value(argument, names) for argument in args]
        if op in ("==", "!="):
            equal = o.Equal(values[0], values[1])
            return equal if op == "==" else o.Not(equal)
        plain = _are_plain(args)
        if op == "between":
            low, x, high = values
            if not _is_plain(args[2]):  # it may have no value, also where low > x
                return o.Builtin(op, (low, x, high))
            if plain:
                return o.Between(low, x, high)
            return o.And((o.Compare("<=", low, x, False), o.Compare("<=", x, high, False)))
        if op in COMPARISONS:
            return o.Compare(op, values[0], values[1], plain)
        return o.Builtin(BUILTINS[op].code, tuple(values))

    def _expression(self, given: Expression, names: Names) -> o.Value:
        if isinstance(given, Aggregate):
            return self.aggregate(given, names)
        if isinstance(given, FunctionCall):
            body = inlined(given)
            if body is not None:
                return self.value(body, names)
            arguments = [self.value(argument, names) for argument in given.args]
            return o.Apply(given.function, tuple(arguments))
        assert isinstance(given, Call), given
        op, args = given.op, given.args
        if op in ARITHMETIC:
            return self._arithmetic(op, args[0], args[1], names)
        if op == "neg":
            return o.Negative(self.number(args[0], names))
        if op == "abs":
            return o.Absolute(self.number(args[0], names))
        if op == "if_":
            yes, no = self.value(args[1], names), self.value(args[2], names)
            return o.Choice(self.test(args[0], names), yes, no)
        values = tuple([self.value(argument, names) for argument in args])
        if op in ("least", "greatest"):
            if not _are_plain(args):
                return o.Builtin(op, values)
            return values[0] if len(values) == 1 else o.Builtin(_SHORT[op], values)
        if op == "concat" and _kinds(args) in ({"seq"}, {"str"}):
            return o.Arithmetic("+", values[0], values[1])
        if op == "length" and _kinds(args) in ({"seq"}, {"str"}):
            return o.Length(values[0])
        return o.Builtin(BUILTINS[op].code, values)


_SHORT = {"least": "min", "greatest": "max"}


def _kinds(args: tuple[Any, ...]) -> set[str]:
    return {kind_of(argument) for argument in args}


def _are_plain(args: tuple[Any, ...]) -> bool:
    """Whether values can be compared as Python does: all are ints, or all texts."""
    return _kinds(args) in ({"int"}, {"str"})


def _is_plain(given: Any) -> bool:
    """Return whether evaluating a template does nothing: it is a variable or a value."""
    return isinstance(given, Variable) or not isinstance(given, (Expression, tuple, Bag, Term))
