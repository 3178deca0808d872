"""The sorts and operators of a module of Maude, and what their terms are here.

A number, a text and a truth value are themselves. An operator without equations is a constructor. A
kind with an associative constructor is one of *collections*: each value of it is a nested bag (if
the operator is commutative) or a sequence, of one element too, so that each has one form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import zip_longest
from typing import Any

from attrs import define, field, frozen

from rewrite.errors import ReadError
from rewrite.language.bag import Bag
from rewrite.language.order import Pieces, listed
from rewrite.language.terms import Term, term

NUMBERS = {"zero", "positive", "negative"}
"""Literals of numbers. The others: "letter", a text of one letter; "text", "truth", "name"."""
HOOKED = {
    "SuccSymbol", "MinusSymbol", "StringSymbol", "QuotedIdentifierSymbol", "SystemTrue",
    "SystemFalse",
}  # fmt: skip
"""Operators of Maude's own whose terms are values."""


class Refused(ReadError):
    """Something of Maude that is not read; a caller adds where it stands."""


ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


@term
class Qid:
    """A quoted identifier of Maude, such as 'a."""

    name: str


@define(eq=False)
class Operator:
    """An operator: a symbol of Maude.

    hook         what Maude itself makes of it, such as ("NumberOpSymbol", "quo"); () if nothing
    declarations (the sorts of the arguments, the sort of the result, whether it is a constructor)
    reduces      whether it has equations
    empty        the identity, as it is written, and its sort; None if there is none
    key          a name that no other has
    symbol, equations, identity  of Maude: gone when a module is read
    """

    name: str
    symbol: Any
    hook: tuple[str, ...]
    domain: tuple[str, ...]
    range: str
    declarations: tuple[tuple[tuple[str, ...], str, bool], ...]
    associative: bool
    commutative: bool
    reduces: bool
    empty: tuple[str, str] | None
    frozen: frozenset[int]
    key: str
    equations: tuple[Any, ...]
    identity: Any

    @cached_property
    def cls(self) -> Any:
        """The constructor of its terms; a function has some, too: those that are not reduced."""
        size = 1 if self.commutative and len(self.domain) == 2 else len(self.domain)
        body = {
            "__annotations__": {f"a{at}": object for at in range(size)}, "__module__": __name__,
            "__qualname__": self.key, "term_pieces": lambda made: self._pieces(made),
        }  # fmt: skip
        return term(type(self.name, (), body))

    def pattern(self, arguments: list[Any]) -> Any:
        """Return a term, or what matches one, as it is: no equation is looked at."""
        return self.cls(Bag(arguments)) if self.commutative and arguments else self.cls(*arguments)

    def _pieces(self, made: Any) -> Pieces:
        """Return the pieces of a term or a pattern, written as Maude does."""
        parts = made.term_parts()
        if self.commutative and len(self.domain) == 2:
            parts = parts[0].items
        if "_" not in self.name or not parts:
            return listed(f"{self.name}(", parts) if parts else [self.name]
        found: Pieces = []
        for word, part in zip_longest(self.words, parts):
            found += [word] if part is None else [word, (part,)]
        return found

    @cached_property
    def words(self) -> list[str]:
        """What stands around the arguments of a mixfix operator, with its blanks."""
        pieces = self.name.split("_")
        words = [
            word if all(sign in "()[]{}" for sign in word)
            else f"{'' if word[0] in ',)]}' else ' '}{word} "
            for word in pieces
        ]  # fmt: skip
        inner = [word or " " for word in words[1:-1]]
        return [words[0].lstrip(), *inner, words[-1].rstrip()] if pieces[1:] else words

    @property
    def is_declared_constructor(self) -> bool:
        return any(one for *_, one in self.declarations)


@frozen(eq=False)
class Kind:
    """A kind: its sorts, the literals of Maude's own that it has, and by what it has collections.

    literals   the sorts of each
    """

    name: str
    sorts: tuple[str, ...]
    literals: dict[str, tuple[str, ...]]
    collections: tuple[Operator, ...]

    @property
    def numbers(self) -> set[str]:
        return NUMBERS & self.literals.keys()

    def by(self, value: Any) -> Operator | None:
        """Return by which operator a value is a collection."""
        if not isinstance(value, (Bag, tuple)):
            return None
        commutative = isinstance(value, Bag)
        return next(one for one in self.collections if one.commutative is commutative)


@define(eq=False)
class Signature:
    """What a module of Maude declares.

    above   the sorts that are no lower, of each sort
    module  of Maude: gone when it is read
    placed  returns where a statement stands
    """

    module: Any
    placed: Callable[[Any], str]
    known: dict[Any, Operator] = field(factory=dict)
    above: dict[str, frozenset[str]] = field(factory=dict)
    kinds: dict[str, Kind] = field(factory=dict)
    occurring: list[Operator] = field(factory=list)
    """Operators of which terms may come up."""
    partial: set[str] = field(factory=set)
    """Kinds of terms without a sort: that something divided by 0, for example."""
    lacking: set[tuple[str, str]] = field(factory=set)
    """(kind, sort) where some single value of the kind does not have the sort."""
    places: dict[tuple[Operator, int], Operator | None] = field(factory=dict)
    """By what arguments are collections, and values (at -1), as far as it was asked."""

    @classmethod
    def of(cls, module: Any, start: Any, placed: Callable[[Any], str]) -> Signature:
        """Return what a module declares, and of that what may come up from a start."""
        made, equations = cls(module, placed), dict[Any, list[Any]]()
        for one in module.getSorts():
            others = [str(other) for other in one.kind() if one.leq(other)]
            made.above[str(one)] = frozenset([str(one), *others])
        for one in module.getEquations():
            equations.setdefault(one.getLhs().symbol(), []).append(one)
        for one in module.getMembershipAxioms():
            raise made.refused(one, "membership axioms are not read")
        names: dict[str, int] = {}
        for symbol in module.getSymbols():
            if str(symbol) not in made.above and symbol.getOpDeclarations():
                try:
                    made.known[symbol] = _operator(symbol, equations.get(symbol, []), names)
                except Refused as refused:
                    raise Refused(f"{placed(symbol)}: {refused.message}") from refused
        for kind in module.getKinds():
            sorts = tuple([str(one) for one in kind if not str(one).startswith("[")])
            literals = made._literals(str(kind))
            made.kinds[str(kind)] = Kind(str(kind), sorts, literals, made._collections(str(kind)))
        made._find_occurring(start)
        made._find_lacking()
        return made

    def refused(self, statement: Any, why: str) -> Refused:
        """Return the error that a statement is not read; it says where the statement stands."""
        return Refused(f"{self.placed(statement)}: {' '.join(str(statement).split())} {why}")

    def _literals(self, kind: str) -> dict[str, tuple[str, ...]]:
        """Return the literals of a kind, with their sorts, whatever these were renamed to."""
        own = {one.hook[0]: one for one in self.known.values() if one.hook and one.range == kind}

        def sorts(hook: str, *domain: str) -> tuple[str, ...]:
            given = own[hook].declarations if hook in own else ()
            return tuple(dict.fromkeys([
                result for arguments, result, _ in given if not domain or arguments[0] in domain
            ]))  # fmt: skip

        positive, texts = sorts("SuccSymbol"), sorts("StringSymbol")
        zero = [one for one in self.known.values() if one.name == "0" and one.range == kind]
        found = {
            "zero": tuple([result for one in zero for _, result, _ in one.declarations]),
            "positive": positive, "negative": sorts("MinusSymbol", *positive),
            "letter": texts, "truth": sorts("SystemTrue"), "name": sorts("QuotedIdentifierSymbol"),
            "text": tuple([one for one in texts if all(self.leq(two, one) for two in texts)]),
        }  # fmt: skip
        if not positive:  # a 0 of somebody's own
            del found["zero"]
        return {name: some for name, some in found.items() if some}

    @cached_property
    def truths(self) -> set[str]:
        """The sorts of Maude's own truth values, whatever they were renamed to."""
        own = [one for one in self.known.values() if one.hook[:1] == ("SystemTrue",)]
        return {result for one in own for _, result, _ in one.declarations}

    def is_truth(self, one: Operator) -> bool:
        """Whether an operator is of Maude's own truth values alone, such as _and_."""
        return all({*domain, result} <= self.truths for domain, result, _ in one.declarations)

    def _find_occurring(self, start: Any) -> None:
        statements = [*self.module.getRules()]
        for one in self.known.values():
            if not one.hook and not self.is_truth(one):
                statements += one.equations
        left = [start, *[one.getRhs() for one in statements]]
        for statement in statements:  # what is calculated in a condition may be put, too
            for fragment in statement.getCondition():
                left.append(fragment.getLhs())
                if type(fragment).__name__ != "SortTestCondition":
                    left.append(fragment.getRhs())
        found = dict[Operator, None]()
        while left:
            term = left.pop()
            if not term.isVariable():
                one = self.operator(term.symbol())
                found[one] = None
                left += term.arguments()
                if one.hook[1:] in (("quo",), ("rem",)) and not str(left[-1]).strip("-0").isdigit():
                    self.partial.add(one.range)
        self.occurring.extend(found)

    def _find_lacking(self) -> None:
        """Find the sorts that lack some element of their kinds: greatest fixed point."""
        before = -1
        while before < len(self.lacking):
            before = len(self.lacking)
            for kind in self.kinds.values():
                constructors = self.constructors(kind)
                for sort in kind.sorts:
                    if (
                        kind.name in self.partial
                        or self.literals_of(kind, sort) != kind.literals.keys()
                        or not all(self.is_within(one, sort) for one in constructors)
                    ):
                        self.lacking.add((kind.name, sort))

    def is_within(self, one: Operator, sort: str) -> bool:
        """Whether all terms of a constructor have a sort."""
        return any(
            self.leq(result, sort)
            and all(self._takes_all(one, at, domain[at]) for at in range(len(one.domain)))
            for domain, result, _ in one.declarations
        )

    def _takes_all(self, one: Operator, at: int, sort: str) -> bool:
        collection = self.takes(one, at)
        if collection is None:
            return self.has_elements(self.kinds[one.domain[at]], sort)
        empty = collection.empty is None or self.leq(collection.empty[1], sort)
        return empty and self.has_collections(collection, sort)

    def _collections(self, kind: str) -> tuple[Operator, ...]:
        """Return by which operators terms of a kind are collections."""
        found = list[Operator]()
        for commutative in (False, True):
            able = [
                one for one in self.known.values()
                if one.associative and one.range == kind and not one.hook and not self.is_truth(one)
                and one.commutative is commutative
            ]  # fmt: skip
            for wanted in (lambda o: o.is_declared_constructor, lambda o: not o.equations):
                if some := [one for one in able if wanted(one)]:
                    able = some
                    break
            if len(able) > 1:
                names = " and ".join(one.name for one in able)
                raise Refused(f"{kind}: {names} are collections of one kind; one is read")
            found += able
        return tuple(found)

    def operator(self, symbol: Any) -> Operator:
        if symbol not in self.known:  # Maude makes polymorphic ones when they are used
            self.known[symbol] = _operator(symbol, [], {})
        return self.known[symbol]

    def leq(self, sort: str, other: str) -> bool:
        return other in self.above[sort]

    def is_function(self, one: Operator) -> bool:
        """Whether terms of an operator are computed: by equations, or by Maude itself."""
        if one.hook:
            return one.hook[0] not in HOOKED
        return one.reduces and one not in self.kinds[one.range].collections

    def is_looked_into(self, one: Operator) -> bool:
        """Whether rules apply within the terms of an operator. Those that a function leaves because
        no equation applies are not looked into, unless the operator is declared a constructor.
        """
        if one.hook or one in self.kinds[one.range].collections:
            return False
        return one.is_declared_constructor or not self.is_function(one)

    # -- sorts of values -------------------------------------------------------------------
    def whole(self, kind: str, sort: str) -> Operator | None:
        """Return by what a term of a sort may be a collection; None: it is one element."""
        if sort.startswith("["):
            return None
        able = [
            one for one in self.kinds[kind].collections
            if any(self.leq(result, sort) for _, result, _ in one.declarations)
            or (one.empty is not None and self.leq(one.empty[1], sort))
        ]  # fmt: skip
        if len(able) > 1:
            names = " and ".join(one.name for one in able)
            raise Refused(f"{sort}: its terms are collections by {names}; one is read")
        return able[0] if able else None

    def takes(self, one: Operator, at: int) -> Operator | None:
        """Return by what an argument is a collection; None: it is one element."""
        if (one, at) not in self.places:
            sorts = [domain[at] for domain, _, _ in one.declarations]
            terms = [[*equation.getLhs().arguments()][at] for equation in one.equations]
            self.places[one, at] = self._first(one.domain[at], sorts, terms)
        return self.places[one, at]

    def gives(self, one: Operator) -> Operator | None:
        """Return by what a function's value is a collection; None: it is one element."""
        if (one, -1) not in self.places:
            self.places[one, -1] = None  # as long as it is looked at: it may call itself
            sorts = [result for _, result, _ in one.declarations]
            terms = [equation.getRhs() for equation in one.equations]
            made = [
                collection for collection in self.kinds[one.range].collections
                if collection.identity is not None
                and any(map(collection.identity.equal, terms))
            ]  # fmt: skip
            self.places[one, -1] = made[0] if made else self._first(one.range, sorts, terms)
        return self.places[one, -1]

    def release(self) -> None:
        """Let go of what is Maude's: it goes when another module of this name is read."""
        for one in self.occurring:
            self.gives(one)
            for at in range(len(one.domain)):
                self.takes(one, at)
        for one in self.known.values():
            one.symbol, one.equations, one.identity = None, (), None
        self.module = None
        self.known = dict(enumerate(self.known.values()))

    def _first(self, kind: str, sorts: list[str], terms: list[Any]) -> Operator | None:
        """Return by what terms of these sorts are collections; these terms tell where the sorts are
        those of a partial function, which are kinds.
        """
        if any(sort.startswith("[") for sort in sorts):
            if made := [*filter(None, map(self._made, terms))]:
                return made[0]
            sorts = [str(one.getSort()) for one in terms]
        return next(filter(None, [self.whole(kind, sort) for sort in sorts]), None)

    def _made(self, term: Any) -> Operator | None:
        """Return by what a term is a collection, by what is at its top or what it calls."""
        kind = self.kinds[str(term.getSort().kind())]
        if term.isVariable():
            return self.whole(kind.name, str(term.getSort()))
        one = self.operator(term.symbol())
        if one in kind.collections:
            return one
        if one.hook[:1] == ("BranchSymbol",):
            return next(filter(None, map(self._made, [*term.arguments()][1:])), None)
        return self.gives(one) if self.is_function(one) and not one.hook else None

    def constructors(self, kind: Kind) -> list[Operator]:
        """Return the constructors of the single values of a kind, without numbers and the like."""
        empty = [one.identity.symbol() for one in kind.collections if one.identity is not None]
        return [
            one for one in self.occurring
            if one.range == kind.name and one not in kind.collections and not one.hook
            and one.symbol not in empty and not (one.name == "0" and kind.numbers)
        ]  # fmt: skip

    def has_elements(self, kind: Kind, sort: str) -> bool:
        """Whether a sort has all elements of a kind."""
        return (kind.name, sort) not in self.lacking

    def literals_of(self, kind: Kind, sort: str) -> set[str]:
        return {
            name for name, sorts in kind.literals.items()
            if any(self.leq(one, sort) for one in sorts)
        }  # fmt: skip

    def has_collections(self, collection: Operator, sort: str) -> bool:
        """Whether a sort has all collections by an operator that are not empty."""
        return (collection.range, sort) not in self.lacking and all(
            self.leq(one, sort) for domain, result, _ in collection.declarations
            for one in (*domain, result)
        )  # fmt: skip

    def sorts_of(self, value: Any, kind: str) -> frozenset[str]:
        """Return all sorts that a value has; a collection as a whole, an element by itself."""
        collection = self.kinds[kind].by(value)
        if collection is not None:
            return self._sorts_of_all(value, kind, collection)
        return self._above(self._least(value, kind), kind)

    def _above(self, least: Iterable[str], kind: str) -> frozenset[str]:
        found = [*least]
        return frozenset(
            [one for one in self.kinds[kind].sorts if any(self.leq(low, one) for low in found)]
        )

    def _least(self, value: Any, kind: str) -> Iterator[str]:
        if not isinstance(value, Term) or isinstance(value, Qid):
            yield from self.kinds[kind].literals.get(_literal(value), ())
        else:
            operator = self.by_key[value.term_identity()[0]]
            arguments = self.arguments(operator, value)
            sorts = [
                self.sorts_of(one, at) for one, at in zip(arguments, operator.domain, strict=True)
            ]
            for domain, result, _ in operator.declarations:
                if all(one in some for one, some in zip(domain, sorts, strict=True)):
                    yield result

    def _sorts_of_all(self, value: Any, kind: str, collection: Operator) -> frozenset[str]:
        parts = [self.sorts_of(one, kind) for one in value]
        if not parts:
            return self._above([collection.empty[1]] if collection.empty else [], kind)
        sorts = parts[0]
        for one in parts[1:]:
            made = [
                result for (left, right), result, _ in collection.declarations
                if (left in sorts and right in one)
                or (collection.commutative and right in sorts and left in one)
            ]  # fmt: skip
            sorts = self._above(made, kind)
        return sorts

    @cached_property
    def by_key(self) -> dict[str, Operator]:
        # not by class: terms may come from what another module was compiled to
        return {one.key: one for one in self.known.values()}

    @staticmethod
    def arguments(one: Operator, value: Any) -> tuple[Any, ...]:
        """Return the arguments of a term, one for each of its operator."""
        parts: tuple[Any, ...] = value.term_arguments()
        if one.commutative and len(one.domain) == 2:
            pair = parts[0].items
            return (pair[0], pair[-1])
        return parts

    # -- how values are written ------------------------------------------------------------
    def shown(self, value: Any, kind: str, inside: bool = False) -> str:
        """Return a value as Maude would write it."""
        collection = self.kinds[kind].by(value)
        if collection is not None:
            parts = [self.shown(one, kind, inside or len(value) > 1) for one in value]
            if not parts:
                return collection.empty[0] if collection.empty else ""
            text = (collection.words[1] or " ").join(parts)
            return f"({text})" if inside and len(parts) > 1 else text
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, str):
            return f'"{"".join(ESCAPES.get(one) or _byte(one) for one in value)}"'
        if isinstance(value, Qid):
            return f"'{value.name}"
        if not isinstance(value, Term):
            return str(value)
        one = self.by_key[value.term_identity()[0]]
        values = [*zip(self.arguments(one, value), one.domain, strict=True)]
        if "_" not in one.name or not values:
            texts = [self.shown(*each, inside=self._has_commas(*each)) for each in values]
            return f"{one.name}({', '.join(texts)})" if texts else one.name
        text = one.words[0]
        for each, before, after in zip(values, one.words, one.words[1:], strict=False):
            text += self.shown(*each, not before.strip() or not after.strip()) + after
        closed = one.words[0].strip() and one.words[-1].strip()
        return f"({text.strip()})" if inside and not closed else text.strip()

    def _has_commas(self, value: Any, kind: str) -> bool:
        collection = self.kinds[kind].by(value)
        return collection is not None and "," in collection.name and len(value) > 1


def _byte(sign: str) -> str:
    return f"\\{ord(sign):03o}" if ord(sign) < 32 or ord(sign) == 127 else sign


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int):
        return "zero" if not value else "positive" if value > 0 else "negative"
    if isinstance(value, str):
        return "letter" if len(value) == 1 else "text"
    return "name"


def _operator(symbol: Any, equations: list[Any], names: dict[str, int]) -> Operator:
    name = re.sub(r"`(?![()\[\]{},])", " ", str(symbol)).replace("`", "")  # a blank in it
    arity = symbol.arity()
    declared = [
        ([str(one) for one in declaration.getDomainAndRange()], declaration.isConstructor())
        for declaration in symbol.getOpDeclarations()
    ]
    hook = [one for one in symbol.getIdHooks() if one[0] != "ObjectConstructorSymbol"]
    number = names[name] = names.get(name, 0) + 1
    import maude  # it is there: `symbol` is of it

    comm = bool(symbol.hasAttr(maude.OP_COMM))
    associative = bool(symbol.hasAttr(maude.OP_ASSOC))
    if symbol.hasAttr(maude.OP_IDEM):
        raise Refused(f"op {name}: the attribute idem is not read")
    if symbol.getIdentity() is not None and not associative and not hook:
        raise Refused(f"op {name}: an identity without assoc is not read")
    if symbol.hasAttr(maude.OP_ITER) and not hook:
        raise Refused(f"op {name}: the attribute iter of an operator of one's own is not read")
    if symbol.getStrategy() and not equations and not hook:
        raise Refused(f"op {name}: the attribute strat of a constructor is not read")
    identity = symbol.getIdentity()
    return Operator(
        name=name, symbol=symbol, hook=tuple(hook[0]) if hook else (),
        domain=tuple([str(symbol.domainKind(at)) for at in range(arity)]),
        range=str(symbol.getRangeSort().kind()),
        declarations=tuple([(tuple(one[:-1]), one[-1], made) for one, made in declared]),
        associative=associative, commutative=comm, reduces=bool(equations),
        empty=None if identity is None else (str(identity), str(identity.getSort())),
        frozen=frozenset(symbol.getFrozen()), key=name if number == 1 else f"{name}#{number}",
        equations=tuple(equations), identity=identity,
    )  # fmt: skip
