"""Terms, expressions and patterns as Maude text.

A sequence is `seq(a ~ b)`, a nested bag `bag(a ; b)`; a variable for one denotes its contents. A
computed part of a pattern becomes a variable and a condition; `ANY` becomes a variable alone.
Compound expressions are bracketed, so that precedence does not matter.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from attrs import define, field

from rewrite.errors import ExportError
from rewrite.export.maude_library import FUNCTIONS
from rewrite.export.maude_names import SORTS, Names
from rewrite.language.bag import Bag
from rewrite.language.builtins import BUILTINS, may_lack
from rewrite.language.conditions import Aggregate
from rewrite.language.expressions import Call, Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.functions import FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside, source
from rewrite.language.patterns import binders, matched, variables
from rewrite.language.subterms import replaced, subterms
from rewrite.language.terms import Term, is_ground

STR_COMPARED = {"<": "before", "<=": "before-or-same", ">": "after", ">=": "after-or-same"}
BINARY = {
    "+": "+", "-": "-", "*": "*", "//": "div", "%": "mod", "**": "^", "&": "and-then",
    "|": "or-else", "concat": "++",
}  # fmt: skip
ON_VALUES = {"between": "between", "divides": "divides", "if_": "choose", "text": "text"}
ON_COLLECTION = {
    "length": {"str": "textLength", "seq": "size", "bag": "bagSize"},
    "total": {"seq": "sum", "bag": "bagSum"},
    "is_in": {"str": "isPart", "seq": "isIn", "bag": "occursIn"},
    "item": {"str": "letter", "seq": "item"},
    "number": {"seq": "number"},
    "position": {"str": "partPosition", "seq": "position"},
    "reverse": {"str": "textReverse", "seq": "reverse"},
}
"""The Maude names of functions on collections, by the kind of their argument."""
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def joined(texts: list[str], sign: str, empty: str) -> str:
    """Join the texts by an associative operator; none of them give its identity."""
    return f" {sign} ".join(texts) or empty


def total(value: Any) -> bool:
    """Return whether an expression or template has a value for all values of its variables."""
    inner = everywhere(value, lambda one: one.args if isinstance(one, Call) else matched(one))
    return all(_is_total(one) for one in inner if isinstance(one, Call))


def _is_total(call: Call) -> bool:
    if call.op == "total" or may_lack(call):  # elements need not be numbers
        return False
    if call.op in ("==", "!="):
        return True
    given = call.args[:1] if call.op in ("is_in", "if_") else call.args
    given = call.args[1:] if call.op == "is_in" else given
    return all(kind_of(one) != "term" for one in given)


def is_call(value: Any, function: Any) -> bool:
    """Whether a value is a call of a function made by `@fn`."""
    return isinstance(value, FunctionCall) and value.function is function


@define
class Clause:
    """A condition: its text, the variables it needs bound before, and those it binds."""

    text: str
    needs: set[str]
    gives: set[str] = field(factory=set)


@define
class Writer:
    """Writes the terms of one statement; `where` names the statement in errors."""

    names: Names
    where: str
    facts: dict[str, Any] = field(factory=dict)
    """The attributes of an error."""
    clauses: list[Clause] = field(factory=list)
    """The conditions that patterns generated."""
    fresh: dict[str, int] = field(factory=dict)
    made: set[str] = field(factory=set)
    """The variables that stand for ANY and for computed parts of patterns."""

    def refuse(self, what: str, why: str) -> ExportError:
        return ExportError(f"{self.where}: {what} cannot be written in Maude: {why}", **self.facts)

    def function(self, name: str, *arguments: str) -> str:
        self.names.functions.add(name)
        return f"{name}({', '.join(arguments)})"

    def new(self, sort: str) -> str:
        """Return a variable that this statement has not used yet."""
        number = self.fresh[sort] = self.fresh.get(sort, 0) + 1
        name = self.names.own(f"{sort}{number}", sort)
        self.made.add(name)
        return name

    def needs(self, value: Any) -> set[str]:
        return {self.names.variable(variable) for variable in variables(value)}

    # -- terms and expressions -------------------------------------------------------------

    def term(self, value: Any) -> str:
        """Return a ground term, template or expression as a Maude term."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            try:
                return str(value)
            except ValueError as wrong:  # more than 4,300 digits
                raise self.refuse("a number", f"{wrong}") from None
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, (Term, tuple, Bag)):
            kind, texts = kind_of(value), []
            for one in inside(value):  # one call per level: terms may be deep
                texts.append(
                    self._spliced(one, kind) if isinstance(one, Splice) else self.term(one)
                )
            return self._composed(value, texts)
        if isinstance(value, Variable) and value.kind not in ("seq", "bag"):
            return self.names.variable(value)
        if is_call(value, replaced):
            whole, place, new = value.args
            given = self.term(whole), self.elements(place), self.term(new)
            return self.function("replaced", *given)
        if isinstance(value, FunctionCall) and not is_call(value, subterms):
            raise self.refuse(source(value), "it calls a Python function (@fn)")
        if isinstance(value, Aggregate):
            raise self.refuse(source(value), "aggregates over the whole state are not exported")
        if isinstance(value, Call) and not _makes_sequence(value):
            return self._call(value)
        if kind_of(value) == "seq" or is_call(value, subterms):
            return f"seq({self.elements(value)})"
        return f"bag({self.members(value)})"

    def elements(self, value: Any) -> str:
        """Return the elements of a sequence as a List."""
        if isinstance(value, tuple):
            return self.term(value).removeprefix("seq(")[:-1]
        if isinstance(value, Variable) and value.kind == "seq":
            return self.names.variable(value)
        if isinstance(value, Call) and _makes_sequence(value):
            if value.op in ("digits", "letters"):
                return self.function(value.op, self.term(value.args[0]))
            if value.op == "reverse":
                return self.function("reverse", self.elements(value.args[0]))
            return f"({self.elements(value.args[0])} ~ {self.elements(value.args[1])})"
        if is_call(value, subterms):
            return self.function("subterms", self.term(value.args[0]))
        return self.function("items", self.term(value))

    def members(self, value: Any) -> str:
        """Return the members of a nested bag as a Bag."""
        if isinstance(value, Bag):
            return self.term(value).removeprefix("bag(")[:-1]
        if isinstance(value, Variable):
            return self.names.variable(value)
        raise self.refuse(source(value), "a nested bag is a variable or written out, not computed")

    def _composed(self, value: Any, texts: list[str]) -> str:
        if isinstance(value, Term):
            return self.names.constructor(type(value)) + (f"({', '.join(texts)})" if texts else "")
        sign, empty = (";", "none") if isinstance(value, Bag) else ("~", "nil")
        return f"{kind_of(value)}({joined(texts, sign, empty)})"

    def _spliced(self, part: Splice, kind: str) -> str:
        if kind_of(part.inner) == "seq":
            text = self.elements(part.inner)
            return text if kind == "seq" else self.function("asBag", text)
        if kind == "seq":
            raise self.refuse(repr(part), "only a sequence (seqs) is spliced into a sequence there")
        if kind_of(part.inner) != "bag":
            raise self.refuse(repr(part), "only what is declared by bags or seqs is spliced there")
        return self.members(part.inner)

    def _string(self, value: str) -> str:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.refuse(repr(value), "half of a surrogate pair is not a text there") from None
        self.names.beyond_ascii |= not value.isascii()
        return '"' + "".join(ESCAPES.get(c) or _letter(c) for c in value) + '"'

    def _call(self, call: Call) -> str:
        op, args, kinds = call.op, call.args, {kind_of(argument) for argument in call.args}
        if op in ("==", "!="):
            return self._compared(args[0], args[1], op == "==")
        if op in STR_COMPARED and kinds not in ({"int"}, {"str"}):
            raise self.refuse(source(call), "an order is known there among numbers, or texts, only")
        if op in ("between", "least", "greatest") and kinds != {"int"}:
            raise self.refuse(source(call), "an order is known here among numbers only")
        if op in BINARY or op in STR_COMPARED or (op == "concat" and call.kind == "str"):
            sign = BINARY.get(op, op)
            if op in STR_COMPARED and kinds == {"str"}:
                why = "the order of letters beyond ASCII is another one there"
                self.names.text_order = self.refuse(source(call), why)
                sign = STR_COMPARED[op]
            if sign in FUNCTIONS:
                self.names.functions.add(sign)
            return f"({self.term(args[0])} {sign} {self.term(args[1])})"
        if op in ("neg", "~"):
            return f"({'-' if op == 'neg' else 'not'} {self.term(args[0])})"
        if op in ON_VALUES:
            return self.function(ON_VALUES[op], *map(self.term, args))
        if op == "abs":
            return f"abs({self.term(args[0])})"
        if op in ("least", "greatest"):
            name, texts = "min" if op == "least" else "max", map(self.term, args)
            return reduce(lambda text, other: f"{name}({text}, {other})", texts)
        return self._on_collection(call)

    def _compared(self, left: Any, right: Any, equal: bool) -> str:
        texts = self.term(left), self.term(right)
        if total(left) and total(right):
            return f"({texts[0]} {'==' if equal else '=/='} {texts[1]})"
        text = self.function("same", *texts)
        return text if equal else f"(not {text})"

    def _on_collection(self, call: Call) -> str:
        op, names = call.op, ON_COLLECTION.get(call.op)
        if names is None:
            shown = {"item": "S[i]", "from": "S[a:]", "slice": "S[a:b]"}.get(op, f"{op}(…)")
            raise self.refuse(source(call), f"{shown} is not exported")
        place = next(at for at, taken in enumerate(BUILTINS[op].takes) if "seq" in taken.kinds)
        given = call.args[place]
        kind = kind_of(given)
        if kind not in names:
            raise self.refuse(source(call), f"{source(given)} may not be a sequence")
        texts = [self.term(one) if at != place else "" for at, one in enumerate(call.args)]
        texts[place] = {"str": self.term, "seq": self.elements, "bag": self.members}[kind](given)
        return self.function(names[kind], *texts)

    # -- patterns --------------------------------------------------------------------------

    def patterns(self, values: tuple[Any, ...]) -> tuple[list[str], set[str]]:
        """Return several patterns, and the names of all variables that they bind."""
        before = set(self.made)
        texts = [self.pattern(value) for value in values]
        bound = {self.names.variable(variable) for variable in binders(values)}
        return texts, bound | (self.made - before)

    def pattern(self, value: Any) -> str:
        """Return a pattern; its computed parts become `clauses`."""
        if is_ground(value):
            return self.term(value)
        if isinstance(value, Wildcard):
            return self.new("Term")
        if isinstance(value, Expression) and not isinstance(value, Variable):
            name = self.new("Term")
            text = self.function("same", name, self.term(value))
            text = f"{name} == {self.term(value)}" if total(value) else text
            self.clauses.append(Clause(text, {name, *self.needs(value)}))
            return name
        if isinstance(value, (Term, tuple, Bag)):
            kind = kind_of(value)
            return self._composed(value, [
                self._spliced_pattern(one, kind) if isinstance(one, Splice) else self.pattern(one)
                for one in inside(value)
            ])  # fmt: skip
        return self.term(value)

    def _spliced_pattern(self, part: Splice, kind: str) -> str:
        if isinstance(part.inner, Wildcard):
            return self.new(SORTS[kind])
        if kind_of(part.inner) != kind:
            raise self.refuse(repr(part), f"declare {source(part.inner)} with {kind}s(…)")
        if isinstance(part.inner, Variable):
            return self.names.variable(part.inner)
        name = self.new(SORTS[kind])
        text = self.function("same", f"{kind}({name})", self.term(part.inner))
        self.clauses.append(Clause(text, {name, *self.needs(part.inner)}))
        return name


def _letter(character: str) -> str:
    control = ord(character) < 32 or ord(character) == 127
    return f"\\{ord(character):03o}" if control else character


def _makes_sequence(call: Call) -> bool:
    always = call.op in ("digits", "letters")
    return always or (call.op in ("concat", "reverse") and call.kind == "seq")
