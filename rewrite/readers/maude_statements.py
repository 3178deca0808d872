"""Terms of Maude's statements as patterns and expressions, and equations as functions.

In one statement, a variable of Maude stands for what it is known to be: a variable of ours, or what
is computed from one (X for N - 1, if s X is matched with N). A collection is known as a whole.
"""

from __future__ import annotations

import keyword
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any, TypeVar

from attrs import define, field, frozen

from rewrite.language.bag import Bag
from rewrite.language.builtins import greatest, if_, least, length, lower, upper
from rewrite.language.evaluation import NoValue, evaluate
from rewrite.language.expressions import Call, Expression, Splice, Variable, operands
from rewrite.language.functions import FunctionCall, fn, one_of
from rewrite.language.matching import Env, match
from rewrite.language.meaning import late_lets, settle
from rewrite.language.order import inside
from rewrite.language.terms import Term, is_ground
from rewrite.readers.maude_signature import Kind, Operator, Qid, Refused, Signature

T = TypeVar("T")
MOST_REACHED = 100_000
MOST_CHOICES = 12
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
    functions: dict[Operator, Any] = field(factory=dict)
    guards: dict[tuple[str, str], Any] = field(factory=dict)
    deep: bool = False
    reaching: dict[tuple[str, Operator | None], Any] = field(factory=dict)
    _unread: list[tuple[list[Any], Iterator[Any]]] = field(factory=list)
    _choosing: list[Operator] = field(factory=list)

    def finish(self) -> None:
        """Read the equations of all functions that are called, and let go of what is Maude's."""
        for one in self.signature.occurring if self.deep else ():
            if self.signature.is_function(one) and self.signature.is_looked_into(one):
                self._function(one)
        while self._unread:
            equations, read = self._unread.pop()
            equations.extend(read)
        self.signature.release()

    def call(self, one: Operator, *arguments: Any) -> Any:
        """Return a call of the function that an operator's equations define; where none applies,
        the value is a term of its own. Where equations only tell values apart, it is a choice.
        """
        plain = all(map(_is_plain, arguments)) and not all(map(is_ground, arguments))
        if one.equations and plain and one not in self._choosing:
            self._choosing.append(one)
            try:
                return self._choice(one, arguments)
            except Refused:
                pass
            finally:
                self._choosing.pop()
        return _call(self._function(one), *arguments)

    def _function(self, one: Operator) -> Any:
        if one not in self.functions:
            given = sorted(one.equations, key=_is_last)
            equations = self._read(_Equation.of(self, one, equation) for equation in given)
            collection = self.signature.gives(one)

            def value(*arguments: Any) -> Any:
                found = _first((Bag(arguments),) if one.commutative else arguments, equations)
                if found is not None:
                    return found
                stuck = one.pattern([*arguments])
                return stuck if collection is None else collected(collection, [stuck])

            value.__name__ = one.name
            self.functions[one] = fn(value)
        return self.functions[one]

    def _choice(self, one: Operator, arguments: tuple[Any, ...]) -> Any:
        """Return the value of a function as a choice between those of its equations, which the
        core can make. Raises Refused where it takes arguments apart, calls itself, or where a
        condition may have no value.
        """
        partial = any(PARTIAL.search(str(one)) for one in one.equations if one.hasCondition())
        if len(one.equations) > MOST_CHOICES or one.commutative or partial:
            raise Refused(f"{one.name} is no choice")
        if self.signature.gives(one) is not None:
            raise Refused(f"{one.name} gives a collection")
        found = one.pattern([*arguments])
        for given in sorted(one.equations, key=_is_last, reverse=True):
            scope = Scope(self, lets_allowed=False)
            for at, term in enumerate(given.getLhs().arguments()):
                scope.is_given(term, arguments[at], self.signature.takes(one, at))
            if not scope.conditions(given.getCondition()):
                continue
            value = scope.term(given.getRhs(), None, False)
            holds: Any = True
            for condition in scope.when:
                holds = _and(holds, condition)
            found = value if holds is True else if_(holds, value, found)
        return found

    def _read(self, read: Iterator[T]) -> list[T]:
        """Return a list for equations: they are read later, for they may call each other."""
        equations = list[T]()
        self._unread.append((equations, read))
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
        if collection not in self.functions:
            given = collection.equations
            equations = self._read(_within(self, collection, equation) for equation in given)

            def reduced(given: Any) -> Any:
                while (after := _first([given], equations)) is not None:
                    given = after
                return given

            self.functions[collection] = fn(reduced)
        return _call(self.functions[collection], value)

    def reachable(self, kind: str, collection: Operator | None, value: Any) -> Any:
        """Return a call of the function that gives all that steps make of a value, itself too."""
        key = (kind, collection)
        if key not in self.reaching:
            given = [one for one in self.signature.module.getRules() if not one.isNonexec()]
            rules = self._read(Inside(self, one, (collection,)) for one in given)

            def reachable(value: Any) -> tuple[Any, ...]:
                seen = {value: None}
                left = [value]
                for one in left:
                    for inside in rules:
                        for after in inside.at(one, kind, collection):
                            if after not in seen:
                                seen[after] = None
                                left.append(after)
                    if len(seen) > MOST_REACHED:
                        raise ValueError(f"a condition reaches more than {MOST_REACHED:,} terms")
                return tuple(seen)

            self.reaching[key] = fn(reachable)
        return _call(self.reaching[key], value)

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

    @classmethod
    def of(cls, language: Language, one: Operator, given: Any) -> _Equation:
        scope = Scope(language)
        arguments = [*given.getLhs().arguments()]
        if len(arguments) != len(one.domain):
            raise Refused(
                f"{given}: an equation of an associative operator with more than two arguments"
            )
        if one.associative and not all(each.isVariable() for each in arguments):
            raise Refused(
                f"{given}: equations of associative operators are read for variables only"
            )
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
            for env, waiting, lets in settle(found, pending, self.lets):
                for bound in late_lets(env, waiting, lets, NO_WORLD):
                    if all(_holds(one, bound) for one in self.when):
                        yield evaluate(self.value, bound)


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
        raise Refused(f"{given}: owise in an equation of a collection")
    scope = Scope(language)
    pattern, after = extended(scope, collection, given.getLhs(), reduces=False)
    return _Equation.with_sides(scope, given, (pattern,), lambda: after(given.getRhs()))


def sides(scope: Scope, given: Any, collection: Operator | None) -> tuple[Any, Any] | None:
    """Return what matches the left side of a rule at a place for a collection, or for one element,
    and what is put there; None if nothing there matches.
    """
    lhs, rhs = given.getLhs(), given.getRhs()
    if collection is not None:
        before, after = extended(scope, collection, lhs)
        return (before, after(rhs)) if scope.conditions(given.getCondition()) else None
    kind = scope.signature.kinds[str(lhs.getSort().kind())]
    of = scope.collection_of(lhs)
    if kind.numbers and (of is None) and _is_number(scope, lhs):
        raise Refused("applies to numbers, and so to what is within a number")
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


def _is_number(scope: Scope, term: Any) -> bool:
    if term.isVariable():
        sort, kind = str(term.getSort()), scope.signature.kinds[str(term.getSort().kind())]
        return any(scope.signature.leq(one, sort) for one in kind.numbers)
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
                yield evaluate(self.language.reduced(collection, after), {})

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
            for made in self.at(given[at], domain, signature.takes(one, at)):
                after = self.language.made(one, [*given[:at], made, *given[at + 1 :]])
                yield evaluate(after, {})


def _holds(condition: Any, env: Env) -> bool:
    try:
        return evaluate(condition, env) is True
    except NoValue:
        return False


class Scope:
    """One statement: what its variables are known as, what else must hold, what is calculated.

    names   by (name, sort) of a variable: by what it is known as a collection, and as what
    """

    def __init__(self, language: Language, lets_allowed: bool = True) -> None:
        self.language, self.signature = language, language.signature
        self.names: dict[tuple[str, str], tuple[Operator | None, Any]] = {}
        self.when: list[Any] = []
        self.lets: dict[Any, Any] = {}
        self.used: set[str] = set()
        self.lets_allowed = lets_allowed
        self.never = False
        self.stays = True  # whether what has no value is a term, and not part of a calculation

    def require(self, holds: Any) -> None:
        """Add what must hold; it may be known already."""
        if holds is False:
            self.never = True
        elif holds is not True:
            self.when.append(holds)

    # -- variables -------------------------------------------------------------------------
    def fresh(self, name: str) -> str:
        """Return a name that is free, and one in Python."""
        made = "".join([one if f"x{one}".isidentifier() else "_" for one in name])
        made = made if made.isidentifier() and not keyword.iskeyword(made) else f"x{made}"
        while made in self.used:
            made += "_"
        self.used.add(made)
        return made

    def _element(self, name: str, sort: str, kind: Kind) -> Any:
        """Return a new variable for one value of a sort, and add what must hold of it."""
        signature, made = self.signature, self.fresh(name)
        numbers = [one for one in kind.numbers if signature.leq(one, sort)]
        texts, truths = [
            one in kind.sorts and signature.leq(one, sort) for one in ("String", "Bool")
        ]
        constructors = [
            one for one in signature.constructors(kind)
            if any(signature.leq(result, sort) for _, result, _ in one.declarations)
        ]  # fmt: skip
        qids = "Qid" in kind.sorts and signature.leq("Qid", sort)
        found = bool(numbers) + texts + truths + bool(constructors) + qids
        whole = signature.has_elements(kind, sort)
        if found == 1 and numbers:
            variable = Variable(made, "int")
            lowest = {"Nat": 0, "NzNat": 1}.get(max(numbers, key=NUMBER_RANK))
            if lowest is not None and (lowest or "Int" in kind.sorts):
                self.require(variable >= lowest)
            elif numbers[-1] in ("Zero", "NzInt") and "Int" not in numbers:
                self.require(self.language.has_sort(kind.name, sort)(variable))
            return variable
        if found == 1 and texts:
            return Variable(made, "str")
        if found == 1 and truths:
            return Variable(made, "bool")
        fully = all(signature.leq(one, sort) for c in constructors for _, one, _ in c.declarations)
        if found == 1 and constructors and fully and not whole:
            return Variable(made, "constructor", tuple([one.cls for one in constructors]))
        variable = Variable(made, "term")
        if not found:
            self.never = True  # no term of this sort comes up
        elif not whole:
            self.require(self.language.has_sort(kind.name, sort)(variable))
        return variable

    def _whole(self, name: str, sort: str, kind: Kind, collection: Operator) -> Any:
        """Return a new variable for a collection."""
        variable = Variable(self.fresh(name), "bag" if collection.commutative else "seq")
        empty = collection.empty is not None and self.signature.leq(collection.empty[1], sort)
        if not empty:
            self.require(length(variable) >= 1)
        if not self.signature.has_collections(collection, sort):
            self.require(self.language.has_sort(kind.name, sort)(variable))
        return variable

    def known(self, term: Any, binds: bool) -> tuple[Operator | None, Any]:
        """Return what a variable of Maude is known as: by what as a collection, and as what.

        binds   whether it may be new here
        """
        name, sort = term.getVarName(), str(term.getSort())
        if (name, sort) not in self.names:
            if not binds:
                raise Refused(f"{name}:{sort} has no value")
            kind = self.signature.kinds[str(term.getSort().kind())]
            collection = self.signature.whole(kind.name, sort)
            if collection is None:
                self.names[name, sort] = (None, self._element(name, sort, kind))
            else:
                self.names[name, sort] = (collection, self._whole(name, sort, kind, collection))
        return self.names[name, sort]

    def is_given(self, term: Any, value: Any, collection: Operator | None) -> None:
        """Let a variable be a value, or require that the value is a term. Raises Refused."""
        if not term.isVariable():
            known = self.term(term, collection, True)
            if not is_ground(known):
                raise Refused(f"{term} takes a value apart")
            self.require(_same(value, known))
            return
        key, kind = (term.getVarName(), str(term.getSort())), str(term.getSort().kind())
        if key in self.names:
            raise Refused(f"{term} stands twice")
        if not self.has_all(kind, collection, key[1]):
            raise Refused(f"{term} is not any value")
        self.names[key] = (collection, value)

    def has_all(self, kind: str, collection: Operator | None, sort: str) -> bool:
        """Whether a sort has all values that there are at a place."""
        if collection is None:
            return self.signature.has_elements(self.signature.kinds[kind], sort)
        return self.signature.has_collections(collection, sort)

    # -- terms -----------------------------------------------------------------------------
    def term(self, term: Any, collection: Operator | None, binds: bool) -> Any:
        """Return what matches a term, if `binds`, or its value; as a collection, if it is one."""
        if collection is None:
            return self._one(term, binds)
        if term.isVariable():
            known_by, found = self.known(term, binds)
            return collected(collection, [found]) if known_by is None else found
        if not binds and self._called_collection(term) is not None:
            return self._one(term, binds)
        made = collected(collection, self.parts(term, collection, binds))
        return made if binds else self.language.reduced(collection, made)

    def arguments(self, one: Operator, given: Any, binds: bool) -> list[Any]:
        """Return the arguments of an operator: patterns, or values."""
        return [
            self.term(each, self.signature.takes(one, at), binds)
            for each, at in zip(given, _places(one), strict=False)
        ]

    def value(self, term: Any) -> Any:
        """Return the value of a term."""
        return self.term(term, self.collection_of(term), False)

    def collection_of(self, *terms: Any) -> Operator | None:
        """Return by what one of these terms, which are of one kind, is a collection."""
        return next(filter(None, map(self._collection_of, terms)), None)

    def _collection_of(self, term: Any) -> Operator | None:
        kind = self.signature.kinds[str(term.getSort().kind())]
        if term.isVariable():
            key = (term.getVarName(), str(term.getSort()))
            return (
                self.names[key][0] if key in self.names else self.signature.whole(kind.name, key[1])
            )
        for one in kind.collections:
            if term.symbol() == one.symbol or (
                one.identity is not None and term.equal(one.identity)
            ):
                return one
        return self._called_collection(term)

    def _called_collection(self, term: Any) -> Operator | None:
        """Return by what the value of a function is a collection; None for any other term."""
        one = self.signature.operator(term.symbol())
        if one.hook:
            sides = [*term.arguments()][1:] if one.hook[0] == "BranchSymbol" else []
            return self.collection_of(*sides)
        return self.signature.gives(one) if self.signature.is_function(one) else None

    def _equal(self, left: Any, right: Any) -> Any:
        collection = self.collection_of(left, right)
        return _same(*[self.term(each, collection, False) for each in (left, right)])

    def parts(self, term: Any, collection: Operator, binds: bool) -> list[Any]:
        """Return the elements of a collection, and splices for parts of it."""
        if term.isVariable():
            known_by, found = self.known(term, binds)
            return [found] if known_by is None else [*found]
        if term.symbol() == collection.symbol:
            return [part for one in term.arguments() for part in self.parts(one, collection, binds)]
        identity = collection.identity
        if identity is not None and term.equal(identity):
            return []
        if not binds and self._called_collection(term) is not None:
            found = self._one(term, binds)
            if isinstance(found, (Bag, tuple)):
                return [*(found.items if isinstance(found, Bag) else found)]
            if not self.lets_allowed:
                return [_Calculated(found)]
            variable = Variable(self.fresh("part"), "bag" if collection.commutative else "seq")
            self.lets[variable] = found
            return [*variable]
        return [self._one(term, binds)]

    def _one(self, term: Any, binds: bool) -> Any:
        """Return one value: a number, a text, a term of a constructor, or what a function gives."""
        if term.isVariable():
            known_by, found = self.known(term, binds)
            if known_by is not None:
                raise Refused(f"{term}: a collection where one element is expected")
            return found
        one = self.signature.operator(term.symbol())
        if one.hook:
            return self._built_in(term, one, binds)
        if one.name == "0" and not one.domain and self.signature.kinds[one.range].numbers:
            return 0
        if one.name in TRUTHS and one.is_truth and not binds:
            return self._truth(term, one.name)
        if self.signature.is_function(one) and not binds:  # what is left unreduced may be matched
            return self._called(term, one)
        if self.collection_of(term) is not None:
            raise Refused(f"{term}: a collection where one element is expected")
        arguments = self.arguments(one, term.arguments(), binds)
        return one.pattern(arguments)

    def _called(self, term: Any, one: Operator) -> Any:
        values = self.arguments(one, term.arguments(), False)
        if not one.associative:
            return self.language.call(one, *values)
        made = values[-1]
        for each in reversed(values[:-1]):
            made = self.language.call(one, each, made)
        return made

    # -- what Maude itself calculates ------------------------------------------------------
    def _built_in(self, term: Any, one: Operator, binds: bool) -> Any:
        hook, *names = one.hook
        if hook == "SystemTrue" or hook == "SystemFalse":
            return hook == "SystemTrue"
        if hook == "StringSymbol":
            return _text(str(term))
        if hook == "QuotedIdentifierSymbol":
            return Qid(str(term)[1:])
        if hook == "SuccSymbol":
            return self._successor(term, binds)
        if hook == "MinusSymbol" and str(term).lstrip("-").isdigit():
            return term.toInt()
        if binds:
            raise Refused(f"{term}: a pattern in which {one.name} is calculated")
        if hook == "BranchSymbol":
            condition, yes, no = term.arguments()
            collection = self.collection_of(yes, no)
            sides = [self.term(each, collection, False) for each in (yes, no)]
            truth = self.condition(condition)
            return sides[0 if truth else 1] if isinstance(truth, bool) else if_(truth, *sides)
        if hook == "EqualitySymbol":
            equal = self._equal(*term.arguments())
            return equal if one.name == "_==_" else negated(equal)
        stays, self.stays = self.stays, False
        values = [self._one(each, binds) for each in term.arguments()]
        self.stays = stays
        table = {"StringOpSymbol": TEXTS, "QuotedIdentifierOpSymbol": QIDS}.get(hook, BUILT_IN)
        known = table.get(names[0] if names else hook)
        numeric = bool(self.signature.kinds[one.domain[0]].numbers)
        if known is None or (table is BUILT_IN and not numeric):
            raise Refused(f"{term}: {one.name} is not read")
        if names and names[0] in WHOLE and "Int" not in self.signature.kinds[one.domain[0]].numbers:
            known = WHOLE[names[0]]
        if stays and names and names[0] in WHOLE and not (type(values[1]) is int and values[1]):
            stuck = one.pattern(values)  # nothing is divided by 0
            zero = values[1] == 0
            return stuck if zero is True else if_(zero, stuck, known(*values))
        if len(one.domain) != 2:
            return known(*values)
        made = values[0]
        for each in values[1:]:
            made = known(made, each)
        return made

    def _successor(self, term: Any, binds: bool) -> Any:
        (inner,), number = term.arguments(), term.getIterExponent()
        if str(term).isdigit() or (not inner.isVariable() and not [*inner.arguments()]):
            return term.toInt()
        if not binds:
            return self._one(inner, binds) + number
        if not inner.isVariable():
            raise Refused(f"{term}: a pattern in which a number is calculated")
        key = (inner.getVarName(), str(inner.getSort()))
        if key in self.names:
            return self.names[key][1] + number
        variable = Variable(self.fresh(f"s{number if number > 1 else ''}_{key[0]}"), "int")
        self.names[key] = (None, variable - number)
        if key[1] not in ("Nat", "NzNat", "Zero", "Int"):
            raise Refused(f"{term}: the sort of {key[0]} is none of numbers")
        if key[1] != "Int":
            self.require(variable >= number + (key[1] == "NzNat"))
        if key[1] == "Zero":
            self.require(variable == number)
        return variable

    def _truth(self, term: Any, name: str) -> Any:
        values = [self.condition(each) for each in term.arguments()]
        if name == "not_":
            return negated(values[0])
        made = values[0]
        for each in values[1:]:
            made = TRUTHS[name](made, each)
        return made

    # -- conditions ------------------------------------------------------------------------
    def condition(self, term: Any) -> Any:
        return self._one(term, False)

    def conditions(self, fragments: Any) -> bool:
        """Add what must hold; return whether it may."""
        for one in fragments:
            kind = type(one).__name__
            if kind == "EqualityCondition":
                self.require(self._equal(one.getLhs(), one.getRhs()))
            elif kind == "AssignmentCondition":
                self._assigned(one)
            elif kind == "SortTestCondition":
                at = str(one.getLhs().getSort().kind())
                has_sort = self.language.has_sort(at, str(one.getRhs()))
                self.require(has_sort(self.value(one.getLhs())))
            else:
                self._rewritten(one)
        return not self.never

    def _rewritten(self, one: Any) -> None:
        """Add a condition that rewrites: what matches is one of all that can be reached."""
        if not self.lets_allowed:
            raise Refused(f"{one}: a condition that rewrites, in a search")
        left, right = one.getLhs(), one.getRhs()
        collection = self.collection_of(left, right)
        value = self.term(left, collection, False)
        pattern = self.term(right, collection, True)
        kind = str(left.getSort().kind())
        reached = one_of(self.language.reachable(kind, collection, value))
        if is_ground(pattern) or pattern in self.lets:
            known, pattern = pattern, Variable(self.fresh("reached"), "term")
            self.require(_same(pattern, known))
        self.lets[pattern] = reached

    def _assigned(self, one: Any) -> None:
        """Add a condition that matches: a variable known as a value, or a `let`."""
        left, kind = one.getLhs(), str(one.getLhs().getSort().kind())
        key = (left.getVarName(), str(left.getSort())) if left.isVariable() else None
        if key is not None and key not in self.names:
            collection = self.signature.whole(kind, key[1])
            value = self.term(one.getRhs(), collection, False)
            self.names[key] = (collection, value)
            if not self.has_all(kind, collection, key[1]):
                self.require(self.language.has_sort(kind, key[1])(value))
            return
        collection = self.collection_of(left, one.getRhs())
        value = self.term(one.getRhs(), collection, False)
        pattern = self.term(left, collection, True)
        if is_ground(pattern) or pattern in self.lets:
            self.require(_same(pattern, value))
        elif self.lets_allowed:
            self.lets[pattern] = value
        else:
            raise Refused(f"{one}: a condition that matches a pattern, in a search")


def _text(literal: str) -> str:
    """Return a text of Maude: what is no ASCII may be written as bytes, in octal digits."""
    made = literal[1:-1].encode().decode("unicode_escape").encode("latin-1")
    return made.decode("utf-8", "replace")


def _places(one: Operator) -> Iterable[int]:
    return repeat(0) if one.associative else range(len(one.domain))


@frozen(eq=False)
class _Calculated:
    """A part of a collection that is the value of a function, where nothing can be let."""

    value: Any


def _call(function: Any, *arguments: Any) -> Any:
    """Return a call to be made later, of known values too: equations are read by then."""
    return FunctionCall(function, operands(function.name, arguments))


@fn
def joined(first: Any, *others: Any) -> Any:
    """Return collections put together."""
    parts = [one for whole in (first, *others) for one in whole]
    return Bag(parts) if isinstance(first, Bag) else tuple(parts)


def collected(collection: Operator, parts: list[Any]) -> Any:
    """Return the collection of these elements and splices."""
    if any(isinstance(one, _Calculated) for one in parts):
        return _call(joined, *[
            one.value if isinstance(one, _Calculated) else collected(collection, [one])
            for one in parts
        ])  # fmt: skip
    if len(parts) == 1 and isinstance(parts[0], Splice):
        return parts[0].inner
    return Bag(parts) if collection.commutative else tuple(parts)


def NUMBER_RANK(sort: str) -> int:
    return ("Zero", "NzNat", "Nat", "NzInt", "Int").index(sort)


@fn
def same(left: Any, right: Any) -> bool:
    """Whether two values are equal; of collections, too, that hold variables."""
    return bool(left == right)


def _same(left: Any, right: Any) -> Any:
    for one, other in ((left, right), (right, left)):
        if one is True:
            return other
        if one is False:
            return negated(other)
    if is_ground(left) and is_ground(right):
        return left == right
    if isinstance(left, Expression):
        return left == right
    return right == left if isinstance(right, Expression) else same(left, right)


def negated(value: Any) -> Any:
    """Return the opposite of a condition, which may be decided."""
    return not value if isinstance(value, bool) else ~value


def _and(left: Any, right: Any) -> Any:
    if isinstance(left, bool):
        return right if left else False
    if isinstance(right, bool):
        return left if right else False
    return left & right


def _or(left: Any, right: Any) -> Any:
    return (
        negated(_and(negated(left), negated(right)))
        if isinstance(left, bool) or isinstance(right, bool)
        else left | right
    )


def _quotient(left: Any, right: Any) -> Any:
    """Return a quotient of whole numbers, rounded to 0."""
    size, negative = abs(left) // abs(right), left * right < 0
    if isinstance(negative, bool):
        return -size if negative else size
    return if_(negative, -size, size)


TRUTHS: dict[str, Callable[..., Any]] = {
    "_and_": _and, "_or_": _or, "_and-then_": _and, "_or-else_": _or, "not_": negated,
    "_xor_": lambda left, right: negated(_same(left, right)),
    "_implies_": lambda left, right: _or(negated(left), right),
}  # fmt: skip


def _python(function: Callable[..., Any]) -> Any:
    return fn(function)


BUILT_IN: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "MinusSymbol": lambda a: -a, "sd": lambda a, b: abs(a - b), "abs": abs,
    "quo": _quotient, "rem": lambda a, b: a - b * _quotient(a, b), "^": lambda a, b: a**b,
    "min": lambda a, b: least(a, b), "max": lambda a, b: greatest(a, b),
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "divides": lambda a, b: b % a == 0,
    "gcd": _python(math.gcd), "lcm": _python(math.lcm), "xor": _python(operator.xor),
    "&": _python(operator.and_), "|": _python(operator.or_), "<<": _python(operator.lshift),
    ">>": _python(operator.rshift),
}  # fmt: skip
WHOLE = {"quo": lambda a, b: a // b, "rem": lambda a, b: a % b}
"""The same for numbers that are 0 or more."""
TEXTS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "length": length,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "substr": lambda a, start, size: a[start : start + size],
    "upperCase": upper, "lowerCase": lower,
}  # fmt: skip
QIDS: dict[str, Callable[..., Any]] = {"string": _python(lambda a: a.name), "qid": Qid}
