"""Conditions on a whole state, one vocabulary for `goal=`, `never=` and `when=`, and aggregates.

A condition is frozen data; its meaning is in `language.meaning`. Patterns match the state together
with the facts; `exactly` compares the state alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, reduce
from typing import Any, ClassVar

import attrs

from rewrite.errors import ExpressionError, RuleError, StateError, tells_unknown_names
from rewrite.language.arguments import refuse_tuple, refuse_unlisted, takes_one
from rewrite.language.expressions import (
    Call,
    Expression,
    Splice,
    Variable,
    Wildcard,
    check_nesting,
    decided,
    kind_of,
    measured,
    operator_methods,
)
from rewrite.language.order import SYMBOLIC, Keyed, Measure, Pieces, gathered, source, term_key
from rewrite.language.patterns import classes, mentioned
from rewrite.language.pickling import by_name
from rewrite.language.states import State
from rewrite.language.terms import Term, freeze


def _pair(op: str, left: Any, right: Any) -> Condition:
    kind = Both if op == "&" else Either
    return _joined(kind(condition(left), condition(right)))


class Condition(Keyed):
    """Something that a state does or does not meet. Combined with &, | and ~."""

    term_refusal = "a condition, not a term: conditions stand in when=, goal= and never="

    __and__, __rand__ = operator_methods(_pair, "&")
    __or__, __ror__ = operator_methods(_pair, "|")

    def __invert__(self) -> Condition:
        return _joined(Not(self))

    def __bool__(self) -> bool:
        raise ExpressionError(
            f"Python needs True or False now, but '{self!r}' is only known for a state. Write "
            "a & b instead of a and b (or a list), a | b instead of a or b, ~a instead of not a"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Condition) and self.term_key() == other.term_key()

    def __hash__(self) -> int:
        return hash(self.term_key())

    def term_inside(self) -> tuple[Any, ...]:
        return attrs.astuple(self, recurse=False)  # type: ignore[arg-type]

    def term_measure(self) -> Measure:
        return self._measure

    @cached_property
    def _measure(self) -> Measure:
        return gathered((SYMBOLIC, type(self).__name__), self.term_inside())

    @cached_property
    def classes(self) -> frozenset[type[Term]]:
        """The constructor classes that it mentions; see `patterns.classes`."""
        return classes(self.term_inside())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.term_inside()  # not cached: functions count by id


def _rest(where: str, given: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
    """Return the patterns without the splice for the rest of the state, and its operand or None."""
    named = [one for one in given if _is_rest(one)]
    if len(named) > 1:
        raise ExpressionError(
            f"{where}: {' and '.join(map(repr, named))}: the patterns leave one rest of the state; "
            "name it once"
        )
    plain = tuple(one for one in given if not _is_rest(one))
    return plain, named[0].inner if named else None


def _is_rest(given: Any) -> bool:
    inner = given.inner if isinstance(given, Splice) else None
    return isinstance(inner, Wildcard) or (isinstance(inner, Variable) and inner.kind == "bag")


def _patterns(where: str, given: tuple[Any, ...]) -> tuple[Any, ...]:
    out = []
    for pattern in given:
        frozen = freeze(pattern)
        if isinstance(frozen, Call) and frozen.kind == "bool":
            called = where.split("(")[0]
            raise RuleError(
                f"{where}: {source(frozen)} is a condition, not a pattern. Write "
                f"{called}(…, when={source(frozen)})"
            )
        if _is_rest(frozen):
            raise ExpressionError(
                f"{where}: {frozen!r} is a bare splice: the rest of a state is named among the "
                "patterns of contains(…), exactly(…) and lacks(…) only; a nested bag is written "
                f"Bag([X, {frozen!r}])"
            )
        if isinstance(frozen, Splice):
            raise ExpressionError(
                f"{where}: {frozen!r} is a bare splice outside a tuple; write (*S, X) for a "
                "sequence and give the patterns of a state one by one: "
                f"{where.split('(')[0]}(M, N). The rest of a state is named by a variable that "
                "bags(…) declares"
            )
        if isinstance(pattern, list):
            raise RuleError(
                f"{where}: {pattern!r} is one nested bag. Give the patterns one by one: "
                f"{where.split('(')[0]}({', '.join(map(source, pattern))}); a nested bag is "
                f"written Bag({pattern!r}) here"
            )
        check_nesting(where, frozen)
        out.append(frozen)
    return tuple(out)


def separate(where: str, absent: Any) -> tuple[Any, ...]:
    """Return `absent=`, one pattern or a list of them, as a tuple. Raises RuleError for a tuple."""
    refuse_unlisted(f"{where}: absent=", absent)
    for one in absent if isinstance(absent, (list, tuple)) else (absent,):
        if isinstance(one, bool):
            raise RuleError(
                f"{where}: absent=: {decided(one)}. For the term {one} itself write "
                f"when=count({one}) == 0",
                part="absent",
                found=one,
            )
    refuse_tuple(where, "absent", absent)
    return tuple(absent) if isinstance(absent, (list, tuple)) else (absent,)


def condition(given: Any) -> Condition:
    """Return a Condition from anything accepted as one. Raises RuleError."""
    if isinstance(given, Condition):
        return given
    if isinstance(given, Expression):
        if kind_of(given) not in ("bool", "term"):
            raise RuleError(
                f"{source(given)} is not a condition: it is of kind {given.kind}. Compare it with "
                f"something, e.g. {source(given)} == 0"
            )
        return Holds(given)
    if isinstance(given, bool):
        raise RuleError(decided(given), found=given)
    if isinstance(given, State):
        return OneOfStates((given,))
    if callable(given) and not isinstance(given, type):
        _refuse_arguments(given)
        return Predicate(given)
    such_as = "contains(...)"
    if isinstance(given, Term) or type(given) in (int, str):
        such_as = f"contains({source(given)})"
    elif isinstance(given, type) and issubclass(given, Term):
        such_as = f"contains({given.term_signature()})"
    raise RuleError(
        f"{source(given)} is not a condition: write an expression such as M > N, a condition such "
        f"as {such_as}, or a function State -> bool",
        found=given,
    )


def _refuse_arguments(given: Any) -> None:
    """Refuse a function that cannot be called with a State alone."""
    name = getattr(given, "__name__", repr(given))
    builders: dict[Any, str] = {
        terminal: "terminal()", contains: "contains(Box(3))", lacks: "lacks(Box(3))",
        exactly: "exactly(Box(3))", count: "count(Box(3)) > 0",
    }  # fmt: skip
    for builder, call in builders.items():
        if given is builder:
            raise RuleError(f"{name} is a function that makes a condition: call it: {call}")
    if not takes_one(given):
        raise RuleError(
            f"{name} is not a condition: a function used as a condition takes one argument, the "
            "State. For values of variables decorate the function with @fn and call it: good(M, N)",
            found=given,
        )


def conditions(given: Any) -> tuple[Condition, ...]:
    refuse_unlisted("", given)
    return tuple(map(condition, given if isinstance(given, (list, tuple)) else [given]))


class _Matching(Condition):
    """Base of the conditions that match patterns.

    `rest` is the variable for the terms of the state that the patterns did not match, or None; it
    is ANY only in `exactly`: elsewhere `*ANY` adds nothing.
    """

    patterns: tuple[Any, ...]
    rest: Any
    written: tuple[Any, ...]
    """The patterns, and the splice for the rest if there is one."""
    when: tuple[Condition, ...]
    absent: tuple[Any, ...]

    def __init__(self, patterns: tuple[Any, ...], when: Any, absent: Any) -> None:
        name = type(self).__name__.lower()
        patterns, self.rest = _rest(f"{name}(...)", patterns)
        if isinstance(self.rest, Wildcard) and not isinstance(self, Exactly):
            self.rest = None
        self.patterns = _patterns(f"{name}(...)", patterns)
        rest = () if self.rest is None else (Splice(self.rest),)
        self.written = (*self.patterns, *rest)
        self.when = conditions(when)
        self.absent = _patterns(f"{name}(absent=...)", separate(f"{name}(...)", absent))

    @property
    def named_rest(self) -> Variable | None:
        """The variable for the rest, if another part of the condition uses its value."""
        asking = (self.patterns, self.when, self.absent)
        named = isinstance(self.rest, Variable) and self.rest in mentioned(asking)
        return self.rest if named else None

    def term_inside(self) -> tuple[Any, ...]:
        return (self.written, self.when, self.absent)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.written, self.when, [*self.absent])

    def __repr__(self) -> str:
        name = type(self).__name__.lower()
        return _call_text(name, *self.written, when=self.when, absent=self.absent)


def _call_text(called: str, *inner: Any, **options: tuple[Any, ...]) -> str:
    texts = [source(one) for one in inner]
    for name, items in options.items():
        shown = [source(item) for item in items]
        if items:
            text = shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"
            texts.append(f"{name}={text}")
    return f"{called}({', '.join(texts)})"


class Contains(_Matching):
    """The state contains distinct occurrences that match the patterns."""


class Exactly(_Matching):
    """The state consists of exactly the occurrences that match the patterns."""


class Lacks(_Matching):
    """The state contains no such occurrences."""


@attrs.frozen(eq=False, repr=False, slots=False)
class Terminal(Condition):
    """No rule applies."""

    def __repr__(self) -> str:
        return "terminal()"


MOST_JOINED = 100


def _joined(made: _Joined) -> Condition:
    """Refuse a combination nested too deep to be tested. Raises RuleError."""
    if made.joined > MOST_JOINED:
        raise RuleError(
            f"conditions are joined {made.joined} levels deep; at most {MOST_JOINED} can be "
            "tested. Give goal= and when= a list of conditions, all of which must hold; for one of "
            "many, join each half first"
        )
    return made


class _Joined(Condition):
    @cached_property
    def joined(self) -> int:
        """How many levels deep they nest."""
        inner = [one.joined for one in self.term_inside() if isinstance(one, _Joined)]
        return 1 + max(inner, default=0)


@attrs.frozen(eq=False, repr=False, slots=False)
class _Pair(_Joined):
    left: Condition
    right: Condition
    sign: ClassVar[str]

    def __repr__(self) -> str:
        both = (f"({one!r})" if isinstance(one, Holds) else repr(one) for one in self.term_inside())
        return f"({f' {self.sign} '.join(both)})"


class Both(_Pair):
    """Both hold; variables that the left one binds keep their values in the right one."""

    sign = "&"


class Either(_Pair):
    """At least one holds."""

    sign = "|"


def operands(given: Any, kind: type) -> list[Any]:
    """Return all that is joined by & (or all by |): what `kind`, with two sides, does not join."""
    if not isinstance(given, kind):
        return [given]
    return operands(given.left, kind) + operands(given.right, kind)  # type: ignore[attr-defined]


def may_bind(given: Condition) -> bool:
    """Return whether a condition may give variables values for what follows an `&`."""
    if isinstance(given, _Pair):
        return may_bind(given.left) or may_bind(given.right)
    return not isinstance(given, (Holds, Lacks, Not))


@attrs.frozen(eq=False, repr=False, slots=False)
class Not(_Joined):
    """The inner condition does not hold."""

    inner: Condition

    def __repr__(self) -> str:
        return f"~{self.inner!r}"


@attrs.frozen(eq=False, repr=False, slots=False)
class Holds(Condition):
    """An expression is true. If it has no value, the condition does not hold."""

    expression: Expression

    def __repr__(self) -> str:
        return source(self.expression)


@attrs.frozen(eq=False, repr=False, slots=False)
class Predicate(Condition):
    """A user function State -> bool."""

    function: Callable[[State], Any]

    def judged(self, state: State) -> bool:
        """Return the function's verdict on a state. Raises TypeError if it is not a bool."""
        found = self.function(state)
        if type(found) is not bool:
            hint = ": is a return missing?" if found is None else ""
            raise TypeError(f"{self!r} returned {found!r}; a condition returns True or False{hint}")
        return found

    def term_inside(self) -> tuple[Any, ...]:
        return ()

    def term_measure(self) -> Measure:
        return (SYMBOLIC, "Predicate", repr(self), id(self.function)), 0

    def __reduce__(self) -> tuple[Any, ...]:
        by_name(self.function, f"the condition {self!r}")
        return Predicate, (self.function,)

    def __repr__(self) -> str:
        return getattr(self.function, "__name__", repr(self.function))


def _in_order(states: Iterable[Any]) -> tuple[State, ...]:
    return tuple(sorted(map(State, states), key=term_key))


@attrs.frozen(eq=False, repr=False, slots=False)
class OneOfStates(Condition):
    """The state is one of these."""

    states: tuple[State, ...] = attrs.field(converter=_in_order)

    def term_inside(self) -> tuple[Any, ...]:
        return self.states

    def __reduce__(self) -> tuple[Any, ...]:
        return OneOfStates, (self.states,)

    def __repr__(self) -> str:
        if len(self.states) == 1:
            return repr(self.states[0])
        return f"one of {len(self.states)} states"


class Aggregate(Expression):
    """`count`, `total`, `lowest` or `highest` over the matches in a state, by occurrences."""

    __slots__ = ("_measure", "name", "patterns", "value", "when")
    value: Any
    patterns: tuple[Any, ...]
    when: tuple[Condition, ...]
    absent: ClassVar[tuple[Any, ...]] = ()
    rest: ClassVar[None] = None

    def __init__(self, name: str, value: Any, patterns: tuple[Any, ...], when: Any) -> None:
        self.kind = "int" if name in ("count", "total") else kind_of(freeze(value))
        self.name, self.value = name, freeze(value)
        self.patterns = _patterns(f"{name}(...)", patterns)
        self.when = conditions(when)
        self._measure = measured((SYMBOLIC, "aggregate", name), self.term_inside())

    def term_inside(self) -> tuple[Any, ...]:
        return (self.value, self.patterns, self.when)

    def term_measure(self) -> Measure:
        return self._measure

    def __reduce__(self) -> tuple[Any, ...]:
        return Aggregate, (self.name, self.value, self.patterns, self.when)

    def term_pieces(self) -> Pieces:
        value = () if self.name == "count" else (self.value,)
        return [_call_text(self.name, *value, *self.patterns, when=self.when)]


Patterned = Contains | Exactly | Lacks | Aggregate
"""Anything that matches patterns. Only a condition can have a rest and `absent` patterns."""


@tells_unknown_names(ExpressionError, "contains")
def contains(*patterns: Any, when: Any = (), absent: Any = ()) -> Condition:
    """The state (with the facts) contains distinct occurrences that match the patterns, such that
    `when` holds and no `absent` pattern matches. As a goal it yields every match's bindings.

    `*P` with `P = bags("P")` binds P to the rest: the state without what the patterns matched."""
    return Contains(patterns, when, absent)


@tells_unknown_names(ExpressionError, "exactly")
def exactly(*patterns: Any, when: Any = ()) -> Condition:
    """The patterns match the whole state, one occurrence each, with nothing left over.

    With `*P`, `P = bags("P")`, P is what is left over; with `*ANY` that may be anything."""
    return Exactly(patterns, when, ())


@tells_unknown_names(ExpressionError, "lacks")
def lacks(*patterns: Any, when: Any = (), absent: Any = ()) -> Condition:
    """No occurrences match the patterns together: `~contains(...)`. "For all" is
    "no counter-example": lacks(pattern, when=~good)."""
    return Lacks(patterns, when, absent)


@tells_unknown_names(ExpressionError, "terminal")
def terminal() -> Condition:
    """No rule applies: the state has no successor."""
    return Terminal()


@tells_unknown_names(ExpressionError, "count")
def count(*patterns: Any, when: Any = ()) -> int:
    """The number of matches, counted by occurrences: three equal terms count three."""
    if not patterns:
        raise ExpressionError("count() needs at least one pattern: count(On(who, 'left'))")
    return Aggregate("count", 1, patterns, when)  # type: ignore[return-value]


@tells_unknown_names(ExpressionError, "total")
def total(value: Any, *patterns: Any, when: Any = ()) -> int:
    """The sum of `value` over all matches, by occurrences; with one argument, of a sequence."""
    if not patterns:
        if kind_of(freeze(value)) not in ("seq", "bag", "term"):
            raise ExpressionError(
                f"total({source(value)}) needs patterns: total(value, pattern, …, when=…); with "
                "one argument it sums a sequence"
            )
        return Call("total", (value,), "int")  # type: ignore[return-value]
    return Aggregate("total", value, patterns, when)  # type: ignore[return-value]


@tells_unknown_names(ExpressionError, "lowest")
def lowest(value: Any, *patterns: Any, when: Any = ()) -> int:
    """The smallest `value` over all matches; no value if nothing matches."""
    return _extreme("lowest", "smaller", "least", value, patterns, when)  # type: ignore[no-any-return]


@tells_unknown_names(ExpressionError, "highest")
def highest(value: Any, *patterns: Any, when: Any = ()) -> int:
    """The largest `value` over all matches; no value if nothing matches."""
    return _extreme("highest", "larger", "greatest", value, patterns, when)  # type: ignore[no-any-return]


def _extreme(
    name: str, of_two: str, instead: str, value: Any, patterns: tuple[Any, ...], when: Any
) -> Any:
    if not patterns:
        raise ExpressionError(
            f"{name}({source(value)}) needs patterns: {name}(value, pattern, …). For the {of_two} "
            f"of two values write {instead}(a, b)"
        )
    return Aggregate(name, value, patterns, when)


def _all_of(given: list[Condition]) -> Condition:
    """Join conditions with &: left to right, or by halves if there are many."""
    if len(given) < MOST_JOINED:
        return reduce(Both, given)
    half = len(given) // 2
    return Both(_all_of(given[:half]), _all_of(given[half:]))


def goal_condition(given: Any) -> Condition:
    """Return a goal as a condition; it may be a State or a collection of states."""
    if isinstance(given, (list, tuple, set, frozenset)) and not isinstance(given, State):
        items = list(given)
        if items and all(isinstance(item, State) for item in items):
            return OneOfStates(items)
        for item in items:
            if isinstance(item, bool):
                raise RuleError(f"goal={given!r}: {decided(item)}", found=item)
        if items and all(isinstance(item, (Condition, Expression)) for item in items):
            return _all_of([condition(item) for item in items])
        written = f"exactly({', '.join(map(source, items))})"
        if not mentioned(items):
            written = f"State({source(items)}), or {written}"
        raise StateError(
            f"goal={given!r}: a goal is a condition such as contains(...) or exactly(...), a "
            "function State -> bool, a State, or a list of States; for one state of these terms "
            f"write {written}"
        )
    if isinstance(given, Term) or type(given) in (int, str):
        raise RuleError(f"goal={given!r}: a goal is a condition; write contains({given!r})")
    refuse_unlisted("goal=", given)
    try:
        return condition(given)
    except RuleError as error:
        raise RuleError(f"goal={given!r}: {error.message}", **error.facts) from None
