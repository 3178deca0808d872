"""Terms and conditions of one statement of Maude, as patterns and expressions.

A variable of Maude stands for what it is known to be: a variable of ours, or what is computed from
one (X for N - 1, if s X is matched with N). A collection is known as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from itertools import repeat
from typing import Any, Protocol

from attrs import frozen

from rewrite.language.bag import Bag
from rewrite.language.builtins import if_, length
from rewrite.language.expressions import Splice, Variable, kind_of, operands
from rewrite.language.functions import FunctionCall, fn, one_of
from rewrite.language.terms import is_ground
from rewrite.readers.maude_built_in import (
    BUILT_IN,
    QIDS,
    TEXTS,
    TRUTHS,
    WHOLE,
    equal,
    negated,
    text_of,
)
from rewrite.readers.maude_signature import NUMBERS, Kind, Operator, Qid, Refused, Signature
from rewrite.readers.names import identifier


class Functions(Protocol):
    """What a statement needs of its module: see `Language`."""

    @property
    def signature(self) -> Signature: ...
    def call(self, one: Operator, *arguments: Any, stays: bool) -> Any: ...
    def reduced(self, collection: Operator, value: Any) -> Any: ...
    def reachable(self, kind: str, collection: Operator | None, value: Any) -> Any: ...
    def has_sort(self, kind: str, sort: str) -> Any: ...


class Scope:
    """One statement: what its variables are known as, what else must hold, what is calculated.

    names   by (name, sort) of a variable: by what it is known as a collection, and as what
    """

    def __init__(self, language: Functions, lets_allowed: bool = True) -> None:
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
        return identifier(name, self.used)

    def _element(self, name: str, sort: str, kind: Kind) -> Any:
        """Return a new variable for one value of a sort, and add what must hold of it."""
        signature, made = self.signature, self.fresh(name)
        literals = signature.literals_of(kind, sort)
        constructors = [
            one for one in signature.constructors(kind)
            if any(signature.leq(result, sort) for _, result, _ in one.declarations)
        ]  # fmt: skip
        numbers = literals & NUMBERS
        kinds = [one for one, has in (
            ("int", numbers), ("str", "text" in literals), ("bool", "truth" in literals),
        ) if has]  # fmt: skip
        classes = [one.cls for one in constructors] + [Qid] * ("name" in literals)
        if len(kinds) == 1 and not classes:
            variable = Variable(made, kinds[0])
            if numbers and numbers != kind.numbers:
                self.require(_bound(numbers, variable, 0))
            return variable
        if not literals and not constructors:
            self.never = True  # no term of this sort comes up
        if self.never or signature.has_elements(kind, sort):
            return Variable(made, "term")
        if (
            numbers in (set(), kind.numbers)
            and ("letter" in literals) == ("text" in literals)
            and all(signature.is_within(one, sort) for one in constructors)
        ):
            return Variable(made, "term" if kinds else "constructor", classes, kinds)
        variable = Variable(made, "term")
        self.require(self.language.has_sort(kind.name, sort)(variable))
        return variable

    def _whole(self, name: str, sort: str, kind: Kind, collection: Operator) -> Any:
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
            self.require(equal(value, known))
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
        places = repeat(0) if one.associative else range(len(one.domain))
        return [
            self.term(each, self.signature.takes(one, at), binds)
            for each, at in zip(given, places, strict=False)
        ]

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
        with self._staying(True):
            return equal(*[self.term(each, collection, False) for each in (left, right)])

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
        if one.name in TRUTHS and self.signature.is_truth(one) and not binds:
            return self._truth(term, one.name)
        if one.name.startswith("_::") and not one.equations:
            return self._has_sort(next(iter(term.arguments())), one.name[3:].strip())
        if self.signature.is_function(one) and not binds:  # what is left unreduced may be matched
            return self._called(term, one)
        if self._collection_of(term) is not None and not self.signature.is_function(one):
            raise Refused(f"{term}: a collection where one element is expected")
        arguments = self.arguments(one, term.arguments(), binds)
        return one.pattern(arguments)

    def _called(self, term: Any, one: Operator) -> Any:
        with self._staying(True):
            values = self.arguments(one, term.arguments(), False)
        if not one.associative:
            return self.language.call(one, *values, stays=self.stays)
        made = values[-1]
        for each in reversed(values[:-1]):
            made = self.language.call(one, each, made, stays=self.stays)
        return made

    @contextmanager
    def _staying(self, stays: bool) -> Iterator[None]:
        before, self.stays = self.stays, stays
        try:
            yield
        finally:
            self.stays = before

    # -- what Maude itself calculates ------------------------------------------------------
    def _built_in(self, term: Any, one: Operator, binds: bool) -> Any:
        hook, *names = one.hook
        if hook == "SystemTrue" or hook == "SystemFalse":
            return hook == "SystemTrue"
        if hook == "StringSymbol":
            return text_of(str(term))
        if hook == "QuotedIdentifierSymbol":
            return Qid(str(term)[1:])
        if hook == "SuccSymbol":
            return self._successor(term, binds)
        if hook == "MinusSymbol" and str(term).lstrip("-").isdigit():
            return _number(str(term))
        if hook in ("FloatSymbol", "DivisionSymbol"):
            raise Refused(f"{term}: fractions (FLOAT, RAT) are not read; write whole numbers")
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
        stays = self.stays
        with self._staying(False):
            values = [self._one(each, binds) for each in term.arguments()]
        if not one.domain:
            raise Refused(f"{term}: {one.name} is not read")
        table = {"StringOpSymbol": TEXTS, "QuotedIdentifierOpSymbol": QIDS}.get(hook, BUILT_IN)
        known = table.get(names[0] if names else hook)
        numeric = bool(self.signature.kinds[one.domain[0]].numbers)
        if known is None or (table is BUILT_IN and not numeric):
            raise Refused(f"{term}: {one.name} is not read")
        kind = self.signature.kinds[one.domain[0]]
        if names and names[0] in WHOLE and "negative" not in kind.numbers:
            known = WHOLE[names[0]]
        try:
            if stays and names and names[0] in WHOLE and not (type(values[1]) is int and values[1]):
                stuck = one.pattern(values)  # nothing is divided by 0
                zero = values[1] == 0
                return stuck if zero is True else if_(zero, stuck, known(*values))
            return known(*values) if len(one.domain) != 2 else reduce(known, values)
        except (ArithmeticError, ValueError, TypeError) as error:  # of what is known already
            raise Refused(f"{term} cannot be calculated: {error}") from error

    def _successor(self, term: Any, binds: bool) -> Any:
        (inner,), number = term.arguments(), term.getIterExponent()
        if str(term).isdigit():
            return _number(str(term))  # of any size: `toInt` has 64 bits
        if not inner.isVariable() and not [*inner.arguments()]:
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
        kind = self.signature.kinds[str(inner.getSort().kind())]
        self.require(_bound(self.signature.literals_of(kind, key[1]) & NUMBERS, variable, number))
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
        with self._staying(False):
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
                self.require(self._has_sort(one.getLhs(), str(one.getSort())))
            else:
                self._rewritten(one)
        return not self.never

    def _has_sort(self, term: Any, sort: str) -> Any:
        kind = self.signature.kinds[str(term.getSort().kind())]
        value = self.term(term, self.collection_of(term), False)
        if kind_of(value) == "int" and not is_ground(value):
            return _bound(self.signature.literals_of(kind, sort) & NUMBERS, value, 0)
        return self.language.has_sort(kind.name, sort)(value)

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
            self.require(equal(pattern, known))
        self.lets[pattern] = reached

    def _assigned(self, one: Any) -> None:
        """Add a condition that matches: a variable known as a value, or a `let`."""
        left, kind = one.getLhs(), str(one.getLhs().getSort().kind())
        key = (left.getVarName(), str(left.getSort())) if left.isVariable() else None
        collection = self.signature.whole(kind, key[1]) if key is not None else None
        single = collection is None and self.collection_of(one.getRhs()) is not None
        if key is not None and key not in self.names and not single:
            value = self.term(one.getRhs(), collection, False)
            self.names[key] = (collection, value)
            if not self.has_all(kind, collection, key[1]):
                self.require(self.language.has_sort(kind, key[1])(value))
            return
        collection = self.collection_of(left, one.getRhs())
        value = self.term(one.getRhs(), collection, False)
        pattern = self.term(left, collection, True)
        if is_ground(pattern) or pattern in self.lets:
            self.require(equal(pattern, value))
        elif self.lets_allowed:
            self.lets[pattern] = value
        else:
            raise Refused(f"{one}: a condition that matches a pattern, in a search")


@frozen(eq=False)
class _Calculated:
    """A part of a collection that is the value of a function, where nothing can be let."""

    value: Any


def call_later(function: Any, *arguments: Any) -> Any:
    """Return a call to be made later, of known values too: equations are read by then."""
    return FunctionCall(function, operands(function.name, arguments))


@fn
def joined(first: Any, *others: Any) -> Any:
    parts = [one for whole in (first, *others) for one in whole]
    return Bag(parts) if isinstance(first, Bag) else tuple(parts)


def collected(collection: Operator, parts: list[Any]) -> Any:
    """Return the collection of these elements and splices."""
    if any(isinstance(one, _Calculated) for one in parts):
        return call_later(joined, *[
            one.value if isinstance(one, _Calculated) else collected(collection, [one])
            for one in parts
        ])  # fmt: skip
    if len(parts) == 1 and isinstance(parts[0], Splice):
        return parts[0].inner
    return Bag(parts) if collection.commutative else tuple(parts)


def _number(digits: str) -> int:
    try:
        return int(digits)
    except ValueError as error:
        raise Refused(
            f"a number of {len(digits.lstrip('-')):,} digits; Python reads as many as "
            "sys.set_int_max_str_digits allows"
        ) from error


def _bound(numbers: set[str], variable: Any, number: int) -> Any:
    """Return the condition that a variable minus a number is one of these numbers."""
    if numbers == NUMBERS:
        return True
    if numbers == {"positive", "negative"}:
        return variable != number
    if "negative" in numbers:
        return variable <= number if "zero" in numbers else variable < number
    if "positive" in numbers:
        return variable >= number if "zero" in numbers else variable > number
    return variable == number if numbers else False
