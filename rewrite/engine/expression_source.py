"""Source of expressions and templates over encoded values.

`value` gives source whose result is an encoded value, `test` source whose result is a Python bool.
Where kinds are known the operators of Python are used directly; where they are open (`terms`
variables, items of sequences, results of `@fn`) checked functions of `engine.runtime` are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewrite.compiler.interning import TRUTH, Ctor, encode
from rewrite.engine import runtime
from rewrite.engine.writer import Writer
from rewrite.language.bag import Bag
from rewrite.language.conditions import Aggregate
from rewrite.language.expressions import Call, Expression, Splice, Variable, kind_of
from rewrite.language.functions import Function, FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside
from rewrite.language.patterns import variables
from rewrite.language.terms import Term, is_ground

Names = dict[Variable, str]
AggregateSource = Callable[[Aggregate, Names], str]

ARITHMETIC = {"+": "+", "-": "-", "*": "*", "//": "//", "%": "%"}
MOST_LEVELS = 30
"""Python's parser ends at 200 brackets, one inside the other; a level has at most three."""
COMPARISONS = ("<", "<=", ">", ">=")
RAISING = {"number", "digits", "item", "**", "position"}


def no_aggregate(given: Aggregate, names: Names) -> str:
    raise LookupError(f"{given!r} has no state to look at")


class ExpressionSource:
    """Turns expressions into source for one Writer."""

    def __init__(self, writer: Writer, aggregate: AggregateSource = no_aggregate) -> None:
        self.writer = writer
        self.aggregate = aggregate
        self.level = 0
        self.own: Names | None = None
        for name in ("integer", "truth", "text", "elements", "sequence", "make_bag", "power",
                     "concat", "item", "cut", "digits", "number", "length", "total", "compare",
                     "least", "greatest", "divides", "between", "within", "written", "letters",
                     "reverse", "position"):  # fmt: skip
            writer.namespace["rt_" + name] = getattr(runtime, name)
        writer.namespace["TRUTH"] = TRUTH
        writer.namespace["NO_VALUE"] = runtime.NO_VALUE

    def value(self, given: Any, names: Names) -> str:
        """Return source for the encoded value of a template or expression."""
        if isinstance(given, Variable):
            return names[given]
        if not isinstance(given, Expression) and is_ground(given):
            return self.writer.constant(encode(given))
        if self.level >= MOST_LEVELS:
            return self._apart(given, names)
        self.level += 1
        source = self._composed(given, names)
        self.level -= 1
        return source

    def _apart(self, given: Any, names: Names) -> str:
        """Return a call of a function of its own that gives the value."""
        # looked for once: the functions below take all that this one takes
        used = list(names) if names is self.own else list(variables(given))
        inner = {variable: f"o{place}" for place, variable in enumerate(used)}

        def value() -> str:
            self.level, self.own = 0, inner
            return self.value(given, inner)

        name = self.writer.apart(list(inner.values()), value)
        return f"{name}({', '.join([names[variable] for variable in used])})"

    def _composed(self, given: Any, names: Names) -> str:
        if isinstance(given, Expression):
            if given.kind == "bool":
                return f"TRUTH[{self.test(given, names)}]"
            return self._expression(given, names)
        if isinstance(given, tuple):
            return self._tuple([], given, names)
        if isinstance(given, Bag):
            return f"rt_make_bag({self._tuple([], given.items, names)})"
        assert isinstance(given, Term)
        ctor = self.writer.constant(Ctor.of(type(given)), "C")
        return self._tuple([ctor], given.term_arguments(), names)

    def _tuple(self, first: list[str], parts: tuple[Any, ...], names: Names) -> str:
        out = list(first)
        for part in parts:
            if isinstance(part, Splice):
                inner = self.value(part.inner, names)
                plain = kind_of(part.inner) == "seq"
                out.append(f"*{inner}" if plain else f"*rt_elements({inner})")
            else:
                out.append(self.value(part, names))
        return f"({', '.join(out)}{',' if len(out) == 1 else ''})"

    def number(self, given: Any, names: Names) -> str:
        """Return source for a whole number, checked where the kind is open."""
        text = self.value(given, names)
        return text if kind_of(given) == "int" else f"rt_integer({text})"

    def test(self, given: Any, names: Names) -> str:
        """Return source for a Python bool."""
        if isinstance(given, Call) and given.kind == "bool":
            if self.level >= MOST_LEVELS:
                return f"rt_truth({self._apart(given, names)})"
            self.level += 1
            source = self._condition(given, names)
            self.level -= 1
            return source
        if given is True or given is False:
            return repr(given)
        return f"rt_truth({self.value(given, names)})"

    def _condition(self, call: Call, names: Names) -> str:
        op, args = call.op, call.args
        if op in ("&", "|"):
            word = "and" if op == "&" else "or"
            return f"({self.test(args[0], names)} {word} {self.test(args[1], names)})"
        if op == "~":
            return f"(not {self.test(args[0], names)})"
        if op == "if_":
            return self._choice(args, names, self.test)
        if op == "divides":
            d, n = self.number(args[0], names), self.number(args[1], names)
            if not _is_plain(args[1]):  # it may have no value, also where d is 0
                return f"rt_divides({d}, {n})"
            if isinstance(args[0], int) and args[0] != 0:
                return f"({n} % {d} == 0)"
            return f"({d} != 0 and {n} % {d} == 0)"
        if op == "is_in":
            where = self.value(args[1], names)
            if kind_of(args[1]) in ("str", "term"):
                return f"rt_within({self.value(args[0], names)}, {where})"
            if kind_of(args[1]) == "bag":
                where = f"rt_elements({where})"
            return f"({self.value(args[0], names)} in {where})"
        texts = [self.value(argument, names) for argument in args]
        if op in ("==", "!="):
            return f"({texts[0]} {op} {texts[1]})"
        kinds = {kind_of(argument) for argument in args}
        plain = kinds in ({"int"}, {"str"})
        if op == "between":
            low, x, high = texts
            if not _is_plain(args[2]):  # it may have no value, also where low > x
                return f"rt_between({low}, {x}, {high})"
            if plain:
                return f"({low} <= {x} <= {high})"
            return f"(rt_compare('<=', {low}, {x}) and rt_compare('<=', {x}, {high}))"
        assert op in COMPARISONS, op
        return (
            f"({texts[0]} {op} {texts[1]})" if plain else f"rt_compare({op!r}, {', '.join(texts)})"
        )

    def _choice(self, args: tuple[Any, ...], names: Names, write: Callable[..., str]) -> str:
        condition, then, otherwise = args
        yes, no = write(then, names), write(otherwise, names)
        return f"({yes} if {self.test(condition, names)} else {no})"

    def _expression(self, given: Expression, names: Names) -> str:
        if isinstance(given, Aggregate):
            return self.aggregate(given, names)
        if isinstance(given, FunctionCall):
            call = self.writer.constant(_remembered(given), "fn")
            return f"{call}({', '.join(self.value(argument, names) for argument in given.args)})"
        assert isinstance(given, Call), given
        op, args = given.op, given.args
        if op in ARITHMETIC:
            return f"({self.number(args[0], names)} {op} {self.number(args[1], names)})"
        if op == "neg":
            return f"(-{self.number(args[0], names)})"
        if op == "abs":
            return f"abs({self.number(args[0], names)})"
        if op == "**":
            return f"rt_power({self.number(args[0], names)}, {self.number(args[1], names)})"
        if op == "if_":
            return self._choice(args, names, self.value)
        if op in ("digits",):
            return f"rt_digits({self.number(args[0], names)})"
        texts = [self.value(argument, names) for argument in args]
        kinds = {kind_of(argument) for argument in args}
        if op in ("least", "greatest"):
            if kinds in ({"int"}, {"str"}):
                return (
                    f"{'min' if op == 'least' else 'max'}({', '.join(texts)},)"
                    if len(texts) > 1
                    else texts[0]
                )
            return f"rt_{op}({', '.join(texts)})"
        if op == "concat" and kinds in ({"seq"}, {"str"}):
            return f"({texts[0]} + {texts[1]})"
        if op == "length" and kinds in ({"seq"}, {"str"}):
            return f"len({texts[0]})"
        if op in ("upper", "lower"):
            inner = texts[0] if kinds == {"str"} else f"rt_text({texts[0]})"
            return f"{inner}.{op}()"
        name = {"from": "cut", "slice": "cut", "text": "written"}.get(op, op)
        return f"rt_{name}({', '.join(texts)})"


_REMEMBERED: dict[Function, Callable[..., Any]] = {}


def _remembered(call: FunctionCall) -> Callable[..., Any]:
    """Return one memory for each person's function, however often it is used in a puzzle."""
    function = call.function
    known = _REMEMBERED.get(function)
    if known is None:
        known = _REMEMBERED[function] = runtime.remember(function.value)
    return known


def _is_plain(given: Any) -> bool:
    """Return whether evaluating a template does nothing: it is a variable or a value."""
    return isinstance(given, Variable) or not isinstance(given, (Expression, tuple, Bag, Term))


def may_lack_value(given: Any) -> bool:
    """Return whether evaluating a template can end without a value (division by zero …)."""
    return any(map(_lacks, everywhere(given, inside)))


def _lacks(given: Any) -> bool:
    """Return whether an operation itself may have no value, where its operands have one."""
    if isinstance(given, Call):
        if given.op in ("//", "%"):
            return not (isinstance(given.args[1], int) and given.args[1] != 0)
        return given.op in RAISING
    return isinstance(given, Aggregate)
