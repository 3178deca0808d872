"""Shapes of joins: a query with numbers for its variables and constants, as plain nested tuples.

Queries that differ only in constants and in the names of variables have equal shapes, and so one
compiled function (`join_source`) does for a thousand rules.

A *form* stands for a pattern, or for a template:

    ("any",)                    matches everything
    ("var", i)                  the variable of this number
    ("const", j)                the encoded constant of this number
    ("make", ctor, forms)       a constructor term, or a sequence where `ctor` is None
    ("expr", node, kind, slow, needs)   computed; see `Shaping.computed`
    ("around", forms, form, forms)      a sequence: the first parts, what a splice stands for, the
                                last parts
    ("splice", i)               in a template: the elements of a sequence
    ("ways", j, own, needs)     what matches in several ways: `Ways`, the variables that it binds,
                                and those that its computed parts need

and a *node* for an expression over terms, not encoded: see `Shaping.node`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from attrs import frozen

from rewrite.compile.interning import Ctor, decode, encode, term_type_of, type_of_pattern
from rewrite.language.bag import Bag
from rewrite.language.evaluation import FUNCTIONS, Failed, NoValue, evaluate, truth
from rewrite.language.expressions import Call, Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.functions import OneOf
from rewrite.language.matching import match, same
from rewrite.language.order import source
from rewrite.language.patterns import binders, computed, parts, variables
from rewrite.language.terms import Term, is_ground

Form = tuple[Any, ...]
PLAIN = ("int", "str")
"""Kinds whose values are encoded as themselves."""
ARITHMETIC = {"+": 2, "-": 2, "*": 2, "neg": 1, "abs": 1}
ORDER = ("<", "<=", ">", ">=")


class Shape(NamedTuple):
    """All of a query but its constants. `kinds`: of variables, constructors as a frozenset.

    patterns  (term type, form) each
    lets      (form of the pattern, form of the value, how many options; 0: a single value)
    guards    forms of expressions
    wanted    the numbers of the variables that tell answers apart
    parts     what an answer holds, forms
    """

    kinds: tuple[Any, ...]
    patterns: tuple[tuple[Any, Form], ...]
    lets: tuple[tuple[Form, Form, int], ...]
    guards: tuple[Form, ...]
    wanted: tuple[int, ...]
    parts: tuple[Form, ...]
    constants: int


@frozen
class Slow:
    """An expression by its definition, called with the encoded values of its variables."""

    given: Any
    needs: tuple[Variable, ...]

    def env(self, values: Sequence[Any]) -> dict[Variable, Any]:
        return dict(zip(self.needs, map(decode, values), strict=True))

    def __call__(self, *values: Any) -> Any:
        return evaluate(self.given, self.env(values))

    def refuse(self, held: Any) -> None:
        """Raise what a guard that is neither true nor false raises."""
        truth(self.given, held, {})


class Options(Slow):
    """The values of `one_of(…)`, encoded; those without a value are left out."""

    def __call__(self, *values: Any) -> Any:
        env, options, found = self.env(values), self.given.options, []
        for one in options if isinstance(options, tuple) else (options,):
            try:
                found.append(encode(evaluate(one, env)))
            except NoValue:
                continue
        if isinstance(options, tuple) or not found:
            return found
        term_type = term_type_of(found[0])
        if term_type in ("seq", "bag"):
            return found[0][term_type == "bag" :]
        shown = source(decode(found[0]))
        raise Failed(repr(self.given), TypeError(f"needs a sequence, found {shown}"))


@frozen
class Ways:
    """A pattern that may match in several ways, by the definition; `own`: what it binds."""

    pattern: Any
    own: tuple[Variable, ...]
    needs: tuple[Variable, ...]

    def __call__(self, value: Any, bound: tuple[tuple[int, Any], ...]) -> Iterator[tuple[Any, ...]]:
        """Yield the values of its own variables, and the equations that remain."""
        env = {self.own[at]: decode(given) for at, given in bound}
        for found, pending in match(self.pattern, decode(value), env):
            yield (*[encode(found[variable]) for variable in self.own], pending)

    def settle(self, pending: Any, *values: Any) -> bool:
        env = dict(zip(self.needs, map(decode, values), strict=True))
        try:
            return all(same(evaluate(given, env), value) for given, value in pending)
        except NoValue:
            return False


class _Opaque(Exception):
    """An expression that has to be left to its definition."""


class Shaping:
    """Takes a query apart: `shape` and `constants`."""

    def __init__(
        self, patterns: Sequence[Any], lets: Sequence[tuple[Any, Any]], guards: Sequence[Any],
        wanted: Sequence[Variable], parts: Sequence[Any],
    ) -> None:  # fmt: skip
        self.places: dict[Variable, int] = {}
        for part in (*patterns, *[pattern for pattern, _ in lets]):
            for variable in binders(part):
                self.places.setdefault(variable, len(self.places))
        self.constants: list[Any] = []
        self.shape = Shape(
            tuple([
                frozenset({*map(Ctor.of, v.constructors), *v.kinds}) if v.is_narrow else v.kind
                for v in self.places
            ]),
            tuple([(type_of_pattern(pattern), self.pattern(pattern)) for pattern in patterns]),
            tuple([self._let(pattern, value) for pattern, value in lets]),
            tuple([form for guard in guards for form in self._guards(guard)]),
            tuple([self.places[variable] for variable in wanted]),
            tuple([self.template(part) for part in parts]),
            0,
        )._replace(constants=len(self.constants))  # fmt: skip

    def const(self, value: Any) -> int:
        self.constants.append(value)
        return len(self.constants) - 1

    def _needs(self, given: Any) -> tuple[int, ...]:
        return tuple([self.places[variable] for variable in variables(given)])

    def _let(self, pattern: Any, value: Any) -> tuple[Form, Form, int]:
        form = self.pattern(pattern)
        if not isinstance(value, OneOf):
            return form, self.template(value), 0
        options = value.options
        if isinstance(options, tuple) and all(map(is_ground, options)):
            return form, ("const", self.const(tuple(map(encode, options)))), max(1, len(options))
        slow = Options(value, tuple(variables(value)))
        number = len(options) if isinstance(options, tuple) else 8
        return form, ("expr", ("slow",), "", self.const(slow), self._needs(value)), max(1, number)

    def _guards(self, guard: Any) -> list[Form]:
        """Return the guard; its parts by themselves if it says `&` and none of them can fail."""
        whole: Form = ("expr", *self.computed(guard))
        if whole[3] is None and isinstance(guard, Call) and guard.op == "&":
            return [form for one in guard.args for form in self._guards(one)]
        if whole[3] is None and whole[2] != "bool":  # an error, unless it is true or false
            slow = Slow(guard, tuple(variables(guard)))
            whole = ("expr", ("slow",), "term", self.const(slow), whole[4])
        return [whole]

    # -- forms -----------------------------------------------------------------------------
    def _simple(self, given: Any) -> Form | None:
        """Return the form of what is the same as a pattern and as a template; else None."""
        if isinstance(given, Variable):
            return ("var", self.places[given])
        if isinstance(given, Expression):
            return ("expr", *self.computed(given))
        return ("const", self.const(encode(given))) if is_ground(given) else None

    def pattern(self, given: Any) -> Form:
        if isinstance(given, Wildcard):
            return ("any",)
        if (simple := self._simple(given)) is not None:
            return simple
        inner = parts(given)
        spliced = [at for at, one in enumerate(inner) if isinstance(one, Splice)]
        if isinstance(given, tuple) and len(spliced) == 1:
            at, forms = spliced[0], [*map(self.pattern, map(_inside, inner))]
            return ("around", tuple(forms[:at]), forms[at], tuple(forms[at + 1 :]))
        if spliced or isinstance(given, Bag):
            own = tuple(binders(given))
            needs = tuple(dict.fromkeys(v for one in computed(given) for v in variables(one)))
            places = [tuple([self.places[v] for v in some]) for some in (own, needs)]
            return ("ways", self.const(Ways(given, own, needs)), *places)
        ctor = Ctor.of(type(given)) if isinstance(given, Term) else None
        return ("make", ctor, tuple(map(self.pattern, inner)))

    def template(self, given: Any) -> Form:
        if (simple := self._simple(given)) is not None:
            return simple
        if isinstance(given, Bag) or not all(map(_is_plain_part, parts(given))):
            return ("expr", *self.computed(given))
        ctor = Ctor.of(type(given)) if isinstance(given, Term) else None
        forms = [
            ("splice", self.places[_inside(one)]) if isinstance(one, Splice) else self.template(one)
            for one in parts(given)
        ]
        return ("make", ctor, tuple(forms))

    def computed(self, given: Any) -> tuple[Any, str, int | None, tuple[int, ...]]:
        """Return (node, kind of its value, number of its `Slow`, variables).

        There is a Slow where something may fail or have no value.
        """
        try:
            node, kind, sure = self.node(given)
        except _Opaque:
            node, kind, sure = ("slow",), kind_of(given), False
        slow = None if sure else self.const(Slow(given, tuple(variables(given))))
        return node, kind, slow, self._needs(given)

    # -- nodes -----------------------------------------------------------------------------
    def node(self, given: Any) -> tuple[Form, str, bool]:
        """Return (node, kind, whether it always has a value). Raises _Opaque."""
        if isinstance(given, Variable):
            return ("var", self.places[given]), given.kind, True
        if not isinstance(given, Expression):
            if not is_ground(given):
                raise _Opaque
            return ("const", self.const(given)), kind_of(given), True
        if not isinstance(given, Call):
            raise _Opaque
        op, args = given.op, given.args
        if op in ("==", "!="):
            return self._equal(op, args)
        if op == "is_in" and is_ground(args[1]) and isinstance(args[1], (tuple, Bag)):
            values = args[1].items if isinstance(args[1], Bag) else args[1]
            form = self._sure(args[0])
            return ("in", form, self.const(frozenset(map(encode, values)))), "bool", True
        if op in ("//", "%") and type(args[1]) is int and args[1]:
            left, kind, sure = self.node(args[0])
            if kind == "int":
                return ("op", op, left, ("literal", args[1])), "int", sure
        nodes, kinds, sures = zip(*map(self.node, args), strict=True)
        sure = all(sures)
        if op in ARITHMETIC and {*kinds} == {"int"}:
            return ("op", op, *nodes), "int", sure
        if op in (*ORDER, "between") and len({*kinds}) == 1 and kinds[0] in PLAIN:
            return ("op", op, *nodes), "bool", sure
        if op in ("&", "|", "~", "if_"):
            if {*(kinds[:1] if op == "if_" else kinds)} != {"bool"}:
                raise _Opaque
            kind = "bool" if op != "if_" else kinds[1] if kinds[1] == kinds[2] else "term"
            return ("op", op, *nodes), kind, sure
        if op not in FUNCTIONS:
            raise _Opaque
        return ("call", op, *nodes), given.kind, False

    def _equal(self, op: str, args: tuple[Any, ...]) -> tuple[Form, str, bool]:
        if all(kind_of(one) in PLAIN for one in args):
            nodes, _, sures = zip(*map(self.node, args), strict=True)
            return ("op", op, *nodes), "bool", all(sures)
        return ("same", op, *map(self._sure, args)), "bool", True

    def _sure(self, given: Any) -> Form:
        """Return the form of an operand that always has a value. Raises _Opaque."""
        form = self.template(given)
        if not _is_sure(form):
            raise _Opaque
        return form


def _is_sure(form: Form) -> bool:
    if form[0] == "make":
        return all(map(_is_sure, form[2]))
    return form[0] != "expr" or form[3] is None


def _inside(part: Any) -> Any:
    return part.inner if isinstance(part, Splice) else part


def _is_plain_part(part: Any) -> bool:
    """Whether a part of a template is one part, or the elements of what is a sequence."""
    if not isinstance(part, Splice):
        return True
    inner: Any = part.inner
    return isinstance(inner, Variable) and inner.kind == "seq"


def needs(form: Form) -> frozenset[int] | None:
    """Return the variables that make the part of a pattern known; None where nothing does."""
    match form[0]:
        case "any" | "ways" | "around":
            return None
        case "var" | "splice":
            return frozenset(form[1:])
        case "expr":
            return frozenset(form[4])
        case "make":
            found: set[int] = set()
            for part in form[2]:
                if (some := needs(part)) is None:
                    return None
                found |= some
            return frozenset(found)
    return frozenset()
