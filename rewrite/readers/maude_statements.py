"""Equations of Maude as functions on values, and rules that apply at any depth of a term."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from attrs import define, field, frozen

from rewrite.language.bag import Bag
from rewrite.language.builtins import if_
from rewrite.language.cache import Cache
from rewrite.language.evaluation import NoValue, evaluate
from rewrite.language.expressions import Call, Splice, Variable
from rewrite.language.functions import FunctionCall, fn
from rewrite.language.matching import Env, match
from rewrite.language.meaning import is_ready, late_lets, settle
from rewrite.language.order import inside, term_key
from rewrite.language.patterns import variables
from rewrite.language.reaching import MOST_REACHED, few
from rewrite.language.terms import Term, is_ground
from rewrite.readers.maude_built_in import both
from rewrite.readers.maude_scope import Scope, call_later, collected
from rewrite.readers.maude_signature import NUMBERS, Operator, Qid, Refused, Signature

T = TypeVar("T")
MOST_CHOICES = 12
MOST_STEPS = 1 << 14
"""Inner terms whose rewrites by one rule are cached."""
PARTIAL = re.compile(r"\b(quo|rem|divides|substr)\b")
NO_WORLD: Any = None
"""Equations look at no state."""
Made = tuple[Any, ...]


@define(eq=False)
class Language:
    """A module: its signature, and a function for each operator that has equations.

    deep   whether some rule applies at any depth: terms are made anew around what it gives
    """

    signature: Signature
    functions: dict[Operator, tuple[Any, Any]] = field(factory=dict)
    """Each with one for calculations: without a value where a term would be left."""
    reducing: dict[Operator, Any] = field(factory=dict)
    guards: dict[tuple[str, str], Any] = field(factory=dict)
    deep: bool = False
    reaching: dict[tuple[str, Operator | None], Any] = field(factory=dict)
    _unread: list[tuple[list[Any], Iterator[Any]]] = field(factory=list)
    _choosing: list[Operator] = field(factory=list)

    def finish(self) -> None:
        """Read the equations of all functions that are called, and let go of what is Maude's."""
        for one in self.signature.occurring if self.deep else ():
            if self.signature.is_function(one) and self.signature.is_looked_into(one):
                self._functions(one)
        while self._unread:
            equations, read = self._unread.pop()
            equations.extend(read)
        self.signature.release()

    def call(self, one: Operator, *arguments: Any, stays: bool = True) -> Any:
        """Return a call of the function that an operator's equations define; where none applies,
        the value is a term of its own, if it `stays`, or else there is none. Where equations only
        tell values apart, it is a choice.
        """
        plain = all(map(_is_plain, arguments)) and not all(map(is_ground, arguments))
        if one.equations and plain and one not in self._choosing:
            self._choosing.append(one)
            try:
                return self._choice(one, arguments, stays)
            except Refused:
                pass
            finally:
                self._choosing.pop()
        return self._call(one, arguments, stays)

    def _call(self, one: Operator, arguments: tuple[Any, ...], stays: bool) -> Any:
        function, calculating = self._functions(one)
        return _called(function if stays else calculating, *arguments)

    def _functions(self, one: Operator) -> tuple[Any, Any]:
        if one not in self.functions:
            given = sorted(one.equations, key=_is_last)
            equations = self._read(lambda equation: _Equation.of(self, one, equation), given)
            collection = self.signature.gives(one)

            def value(*arguments: Any) -> Any:
                found = _first((Bag(arguments),) if one.commutative else arguments, equations)
                if found is not None:
                    return found
                stuck = one.pattern([*arguments])
                return stuck if collection is None else collected(collection, [stuck])

            def calculated(*arguments: Any) -> Any:
                found = value(*arguments)
                if isinstance(found, Term) and not isinstance(found, Qid):
                    raise NoValue
                return found

            self.functions[one] = _partial(value, one.name), _partial(calculated, one.name)
        return self.functions[one]

    def _choice(self, one: Operator, arguments: tuple[Any, ...], stays: bool) -> Any:
        """Return the value of a function as a choice between those of its equations, which the
        core can make. Raises Refused where it takes arguments apart, calls itself, or where a
        condition may have no value.
        """
        partial = any(PARTIAL.search(str(one)) for one in one.equations if one.hasCondition())
        if len(one.equations) > MOST_CHOICES or one.commutative or partial:
            raise Refused(f"{one.name} is no choice")
        if self.signature.gives(one) is not None:
            raise Refused(f"{one.name} gives a collection")
        found = one.pattern([*arguments]) if stays else self._call(one, arguments, stays)
        given_first = sorted(one.equations, key=_is_last)
        for given in given_first[::-1]:  # so that the first is asked first
            scope = Scope(self, lets_allowed=False)
            for at, term in enumerate(given.getLhs().arguments()):
                scope.is_given(term, arguments[at], self.signature.takes(one, at))
            if not scope.conditions(given.getCondition()):
                continue
            value = scope.term(given.getRhs(), None, False)
            holds: Any = True
            for condition in scope.when:
                holds = both(holds, condition)
            found = value if holds is True else if_(holds, value, found)
        return found

    def _read(self, read: Callable[[Any], T], statements: Iterable[Any]) -> list[T]:
        """Return a list for equations: they are read later, for they may call each other."""

        def later() -> Iterator[T]:
            for one in statements:
                try:
                    yield read(one)
                except Refused as refused:
                    raise self.signature.refused(one, refused.message) from refused

        equations = list[T]()
        self._unread.append((equations, later()))
        return equations

    def made(self, one: Operator, arguments: list[Any]) -> Any:
        """Return a term of an operator, reduced."""
        if self.signature.is_function(one):
            return self.call(one, *arguments)
        return one.pattern(arguments)

    def reduced(self, collection: Operator, value: Any) -> Any:
        """Return a collection, reduced by the equations of its operator."""
        if not collection.reduces:
            return value
        if collection not in self.reducing:
            given = collection.equations
            equations = self._read(lambda equation: _within(self, collection, equation), given)

            def reduced(given: Any) -> Any:
                while (after := _first([given], equations)) is not None:
                    given = after
                return given

            self.reducing[collection] = _partial(reduced, collection.name)
        return _called(self.reducing[collection], value)

    def reachable(self, kind: str, collection: Operator | None, value: Any) -> Any:
        """Return a call of the function that gives all that steps make of a value, itself too."""
        key = (kind, collection)
        if key not in self.reaching:
            given = [one for one in self.signature.module.getRules() if not one.isNonexec()]
            rules = self._read(lambda one: Inside(self, one, (collection,)), given)

            def steps(value: Any) -> Iterator[Any]:
                for inside in rules:
                    yield from inside.at(value, kind, collection)

            def reachable(value: Any) -> tuple[Any, ...]:
                more = f"a condition reaches more than {MOST_REACHED:,} terms"
                return tuple(few(value, steps, more))

            self.reaching[key] = _partial(reachable, "reachable")
        return _called(self.reaching[key], value)

    def has_sort(self, kind: str, sort: str) -> Any:
        """Return the function that says whether a value of a kind has a sort."""
        key = (kind, sort)
        if key not in self.guards:

            def has_sort(value: Any) -> bool:
                return sort in self.signature.sorts_of(value, kind)

            has_sort.__name__ = f"is_{sort}"
            self.guards[key] = fn(has_sort)
        return self.guards[key]


@frozen(eq=False)
class _Equation:
    """An equation: patterns for the arguments, lets, conditions, and the value."""

    patterns: Made
    lets: tuple[tuple[Any, Any], ...]
    when: tuple[Any, ...]
    value: Any
    early: tuple[Any, ...] = field(init=False)
    """The conditions on what is matched: they hold before anything is calculated of it."""

    @early.default
    def _early(self) -> tuple[Any, ...]:
        known = {*variables(self.patterns)}
        return tuple([one for one in self.when if {*variables(one)} <= known])

    @classmethod
    def of(cls, language: Language, one: Operator, given: Any) -> _Equation:
        scope = Scope(language)
        arguments = [*given.getLhs().arguments()]
        if len(arguments) != len(one.domain):
            raise Refused("an equation of an associative operator with more than two arguments")
        if one.associative and not all(each.isVariable() for each in arguments):
            raise Refused("equations of associative operators are read for variables only")
        patterns = scope.arguments(one, arguments, True)
        made = (Bag(patterns),) if one.commutative else tuple(patterns)
        gives = scope.signature.gives(one)
        return cls.with_sides(scope, given, made, lambda: scope.term(given.getRhs(), gives, False))

    @classmethod
    def with_sides(
        cls, scope: Scope, given: Any, patterns: Made, value: Callable[[], Any]
    ) -> _Equation:
        """Return an equation with its conditions; its value is made last, of known variables."""
        if not scope.conditions(given.getCondition()):
            return cls((), (), (False,), None)
        made = value()
        return cls(patterns, tuple(scope.lets.items()), tuple(scope.when), made)

    def values(self, arguments: Made) -> Iterator[Any]:
        for found, pending in match(self.patterns, arguments, {}):
            if not all(_holds(one, found) for one in self.early if is_ready(one, found)):
                continue
            for env, waiting, lets in settle(found, pending, self.lets):
                for bound in late_lets(env, waiting, lets, NO_WORLD):
                    if all(_holds(one, bound) for one in self.when):
                        yield evaluate(self.value, bound)


def _partial(function: Callable[..., Any], name: str) -> Any:
    """Return a function that gives its value in a sequence, which is empty if there is none."""

    def values(*arguments: Any) -> Made:
        try:
            return (function(*arguments),)
        except NoValue:
            return ()
        except RecursionError:
            raise RecursionError(
                f"the equations of {name} call themselves, or others, too many levels deep for "
                "Python; a rule for each step has no such bound"
            ) from None

    values.__name__ = name
    return fn(values)


def _called(function: Any, *arguments: Any) -> Any:
    return call_later(function, *arguments)[0]


def _is_plain(value: Any) -> bool:
    """Whether a value may stand several times in an expression: it chooses nothing itself."""
    if isinstance(value, FunctionCall) or (isinstance(value, Call) and value.op == "if_"):
        return False
    return isinstance(value, Variable) or all(map(_is_plain, inside(value)))


def _is_last(equation: Any) -> bool:
    return bool(equation.isOwise())


def _first(arguments: Any, equations: list[_Equation]) -> Any:
    """Return the value by the first equation that applies; None if none does."""
    for equation in equations:
        for value in equation.values(tuple(arguments)):
            return value
    return None


def extended(
    scope: Scope, collection: Operator, given: Any, reduces: bool = True
) -> tuple[Any, Callable[[Any], Any]]:
    """Return what matches a collection of which some elements are a term's, and what makes the
    collection with another term in their place.
    """
    commutative = collection.commutative
    first = [] if commutative else [*Variable(scope.fresh("before"), "seq")]
    last = [*Variable(scope.fresh("rest"), "bag" if commutative else "seq")]

    def around(parts: list[Any]) -> Any:
        return Bag([*parts, *last]) if commutative else (*first, *parts, *last)

    def after(other: Any) -> Any:
        made = around(scope.parts(other, collection, False))
        return scope.language.reduced(collection, made) if reduces else made

    return around(scope.parts(given, collection, True)), after


def _within(language: Language, collection: Operator, given: Any) -> _Equation:
    """Return an equation of a collection's own operator, for some elements of any collection."""
    if given.isOwise():
        raise Refused("owise in an equation of a collection")
    scope = Scope(language)
    pattern, after = extended(scope, collection, given.getLhs(), reduces=False)
    return _Equation.with_sides(scope, given, (pattern,), lambda: after(given.getRhs()))


def sides(scope: Scope, given: Any, collection: Operator | None) -> tuple[Any, Any] | None:
    """Return what matches the left side of a rule at a place for a collection, or for one element,
    and what is put there; None if nothing there matches.
    """
    lhs, rhs = given.getLhs(), given.getRhs()
    if is_number(scope, lhs):
        raise Refused("applies to numbers, and so to what is within a number")
    if collection is not None:
        before, after = extended(scope, collection, lhs)
        return (before, after(rhs)) if scope.conditions(given.getCondition()) else None
    of = scope.collection_of(lhs)
    if of is not None:
        parts = scope.parts(lhs, of, True)
        if len([one for one in parts if not isinstance(one, Splice)]) > 1:
            return None
        raise Refused("applies to what may be one element, too")
    before = scope.term(lhs, None, True)
    if not scope.conditions(given.getCondition()):
        return None
    if scope.collection_of(rhs) is not None:
        raise Refused("may put several elements where one stands")
    return before, scope.term(rhs, None, False)


def is_number(scope: Scope, term: Any) -> bool:
    """Whether a term is a number: then what is within it is one, too."""
    kind = scope.signature.kinds[str(term.getSort().kind())]
    if not kind.numbers or scope.collection_of(term) is not None:
        return False
    if term.isVariable():
        return bool(scope.signature.literals_of(kind, str(term.getSort())) & NUMBERS)
    one = scope.signature.operator(term.symbol())
    return one.hook[:1] in (("SuccSymbol",), ("MinusSymbol",)) or one.name == "0"


class Inside:
    """One rule, applied to a value at any place in it: all that a step gives."""

    def __init__(self, language: Language, given: Any, tops: Iterable[Operator | None]) -> None:
        """Read a rule for all places where its left side may stand. Raises Refused.

        tops   by what whole values are collections
        """
        self.language, signature = language, language.signature
        language.deep = True
        self.kind = str(given.getLhs().getSort().kind())
        self._equations: dict[Operator | None, _Equation | None] = {}
        self._steps: Cache[Any, tuple[Any, ...]] = Cache(MOST_STEPS)
        collections = dict[Operator | None, None].fromkeys(tops)
        for one in filter(signature.is_looked_into, signature.occurring):
            for at, domain in enumerate(one.domain):
                if domain == self.kind and at not in one.frozen:
                    collections[signature.takes(one, at)] = None
        for place in collections:
            scope = Scope(language)
            found = sides(scope, given, place)
            self._equations[place] = found and _Equation(
                (found[0],), tuple(scope.lets.items()), tuple(scope.when), found[1]
            )

    def at(self, value: Any, kind: str, collection: Operator | None) -> Iterator[Any]:
        """Yield what a step gives at a place, or within what stands there."""
        equation = self._equations.get(collection) if kind == self.kind else None
        if equation is not None:
            yield from equation.values((value,))
        if collection is None:
            yield from self.below(value)
            return
        parts = [*value]
        for at, each in enumerate(parts):
            for made in self.below(each):
                after = collected(collection, [*parts[:at], made, *parts[at + 1 :]])
                with suppress(NoValue):
                    yield evaluate(self.language.reduced(collection, after), {})

    def _cached(self, value: Any, *place: Any) -> tuple[Any, ...]:
        key = term_key(value), *place
        return self._steps.made(key, None, lambda: tuple(self.at(value, *place)))

    def below(self, value: Any) -> Iterator[Any]:
        """Yield what a step gives within the arguments of a term."""
        signature = self.language.signature
        one = signature.by_key.get(value.term_identity()[0]) if isinstance(value, Term) else None
        if one is None or not signature.is_looked_into(one):
            return
        given = signature.arguments(one, value)
        for at, domain in enumerate(one.domain):
            if at in one.frozen:
                continue
            for made in self._cached(given[at], domain, signature.takes(one, at)):
                after = self.language.made(one, [*given[:at], made, *given[at + 1 :]])
                with suppress(NoValue):
                    yield evaluate(after, {})


def _holds(condition: Any, env: Env) -> bool:
    try:
        return evaluate(condition, env) is True
    except NoValue:
        return False
