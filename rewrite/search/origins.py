"""What a state can ever contain: kinds of terms and of their contents, and texts in their fields.

Both are least fixpoints over the rules, and overapproximate: what they lack is never made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, groupby
from typing import Any

from attrs import frozen

from rewrite.errors import did_you_mean
from rewrite.language.annotations import WORDS
from rewrite.language.conditions import Aggregate, OneOfStates, Patterned, Predicate
from rewrite.language.expressions import Call, Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.functions import FunctionCall, OneOf
from rewrite.language.nesting import PLAIN, everywhere
from rewrite.language.order import source, term_key
from rewrite.language.patterns import binders, everything_inside, parts
from rewrite.language.rules import Rule
from rewrite.language.states import State, columns
from rewrite.language.terms import Term

Place = tuple[Any, int]
"""A constructor's identity with a field number, ("str", 0) for a bare text, or ("seq", its length)
with an element number for a sequence."""
BARE: Place = ("str", 0)
Texts = frozenset[str] | None
"""Texts possible in a place; None: any."""
NONE: Texts = frozenset()
NUMBER = frozenset({"int"}), (), int
"""What `outlined` returns for a number."""
ANY_SEQUENCE, ANYTHING = "any sequence", "anything"
"""What `held` returns for parts that make sequences, or any terms, known only during the search."""
WITHOUT = ("int", "bool", "seq", "bag", "constructor")
"""Kinds whose values are not texts."""


def kinds(value: Any) -> set[Any]:
    """Return what a pattern can match or make at the top: constructors, kinds, or 'term' (open)."""
    if isinstance(value, Variable) and value.is_narrow:
        return {*value.kinds, *[one.term_identity() for one in value.constructors]}
    if isinstance(value, Wildcard):
        return {"term"}
    if isinstance(value, Expression):  # several constructors: unknown which
        return {"term" if value.kind == "constructor" else value.kind}
    return {value.term_identity() if isinstance(value, Term) else kind_of(value)}


def _places(value: Any) -> list[tuple[Place, Any]]:
    """Return the parts of a term or a sequence, with their places; none if there is a splice."""
    if isinstance(value, Term):
        return [((value.term_identity(), at), part) for at, part in enumerate(parts(value))]
    if isinstance(value, tuple) and not _has_splice(value):
        return [((("seq", len(value)), at), part) for at, part in enumerate(value)]
    return []


def _has_splice(value: Iterable[Any]) -> bool:
    return any(isinstance(part, Splice) for part in value)


def held(value: Any) -> set[Any]:
    """Return the kinds in the places of a term, or of what a template makes."""
    found = set[Any]()
    for whole in everywhere(value, everything_inside):
        found |= {(place, kind) for place, part in _places(whole) for kind in kinds(part)}
        if isinstance(whole, FunctionCall):
            found.add(ANYTHING)
        elif isinstance(whole, Expression) and whole.kind in ("seq", "term"):
            found.add(ANY_SEQUENCE)
    return found


def contents(terms: State | Iterable[Any]) -> set[Any]:
    """Return the kinds of terms, or of what templates make, and those in their places."""
    found = set[Any]()
    for head, alike, fields in _columns(terms):
        types = [{*map(type, values)} for values in fields]
        if all(one <= {*PLAIN} for one in types):
            found |= kinds(alike[0])
            places = enumerate(types if head else ())
            found |= {((head, at), one.__name__) for at, held_here in places for one in held_here}
        else:
            found.update(*[kinds(one) | held(one) for one in alike])
    return found


def _columns(terms: State | Iterable[Any]) -> Iterator[tuple[Any, Sequence[Any], Sequence[Any]]]:
    """Yield the head of the places, the terms and their columns, for each kind and length."""
    by_class = terms.columns if isinstance(terms, State) else columns(terms)
    for kind, (alike, fields) in by_class.items():
        if kind is not tuple:
            yield alike[0].term_identity() if issubclass(kind, Term) else (), alike, fields
            continue
        for length, some in groupby(sorted(alike, key=len), len):
            same = [*some]
            yield ("seq", length), same, [*zip(*same, strict=True)]


@lru_cache(maxsize=1_000)
def made_by(rule: Rule) -> frozenset[Any]:
    return frozenset(contents(rule.put)).union(*[held(value) for _, value in rule.let])


def mismatch(pattern: Any, can_be: set[Any]) -> str | None:
    """Return a hint why a pattern matches nothing in these contents, or None if it may match.

    The hint, which may be empty, says what occurs in the place of a part that never matches.
    """
    found = kinds(pattern)
    if "term" in found | can_be:
        return None
    if not found & can_be:
        return ""
    for whole in everywhere(pattern, lambda one: tuple([part for _, part in _places(one)])):
        unsure = {ANYTHING, ANY_SEQUENCE} if isinstance(whole, tuple) else {ANYTHING}
        for place, part in _places(whole):
            wanted = {(place, kind) for kind in ("term", *kinds(part))}
            if "term" not in kinds(part) and can_be.isdisjoint(wanted | unsure):
                there = [one[1] for one in can_be if isinstance(one, tuple) and one[0] == place]
                words = " or ".join(sorted(WORDS.get(one) or f"{one[0]}(…)" for one in there))
                return f" (where {source(part)} stands there is {words})" if words else ""
    return None


def missing(rule: Rule, can_be: set[Any]) -> list[tuple[Any, str]]:
    """Return the patterns of a rule that match nothing in these contents, each with a hint."""
    hints = [(one, mismatch(one, can_be)) for one in (*rule.take, *rule.keep)]
    return [(pattern, hint) for pattern, hint in hints if hint is not None]


def reachable(rules: Sequence[Rule], given: set[Any]) -> set[Any]:
    """Return the contents of all reachable states: the least fixpoint over the rules."""
    can_be = set(given)
    while True:
        more = {one for rule in rules if not missing(rule, can_be) for one in made_by(rule)}
        if more <= can_be:
            return can_be
        can_be |= more


def patterns_in(given: Any) -> Iterator[Any]:
    """Yield the patterns of all conditions and aggregates, however deeply nested."""
    for part in everywhere(given, _inside_conditions):
        if isinstance(part, Patterned):
            yield from part.patterns
            yield from part.absent


def states_in(given: Any) -> Iterator[OneOfStates]:
    for part in everywhere(given, _inside_conditions):
        if isinstance(part, OneOfStates):
            yield part


def _inside_conditions(value: Any) -> tuple[Any, ...]:
    return () if isinstance(value, (OneOfStates, Predicate)) else everything_inside(value)


@frozen
class Origins:
    """What the rules can make from the terms of a start and the facts.

    can_be   contents of states; if they include "term", any
    """

    rules: Sequence[Rule]
    given: tuple[State | Sequence[Any], ...]
    can_be: set[Any]

    @cached_property
    def texts(self) -> dict[Any, Texts] | None:
        return _texts(self.rules, self.given)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Constructors that are made, as written: Box(at)."""
        made = (*chain(*self.given), *(one for rule in self.rules for one in rule.put))
        return tuple(dict.fromkeys(one.term_signature() for one in made if isinstance(one, Term)))

    def lacks(self, pattern: Any) -> str | None:
        """Return why nothing makes what a pattern matches, or None if something may."""
        hint = mismatch(pattern, self.can_be)
        return None if hint is None else self._description(pattern, hint or self._near(pattern))

    def lacks_any(self, patterns: Iterable[Any]) -> str | None:
        whys = (self.lacks(one) or self.lacks_text(one) for one in patterns)
        return next(filter(None, whys), None)

    def lacks_text(self, pattern: Any, *, near: bool = False, front: bool = False) -> str | None:
        """Return why nothing makes a text of a pattern, or None if something may.

        near    only if the text resembles an existing one, and so is probably misspelled
        front   only the text at the front of a sequence, which names it as a constructor would
        """
        if "term" in self.can_be or not (given := _texts_of(pattern)) or self.texts is None:
            return None
        for place, text in given:
            known = _held(self.texts, place)
            if front and place[1] > 0:
                continue
            if known is not None and text not in known:
                close = did_you_mean(repr(text), sorted(map(repr, known)))
                if close or not near:
                    return self._description(pattern, close)
        return None

    def misspelled(self, rule: Rule) -> list[str]:
        """Return why nothing makes what sequences in a rule begin with, where that looks wrong."""
        fronts = [one for one in (*rule.take, *rule.keep, *rule.absent) if isinstance(one, tuple)]
        whys = [self.lacks_text(one, near=True, front=True) for one in fronts]
        return [why for why in whys if why is not None]

    def _description(self, pattern: Any, hint: str) -> str:
        return (
            f"nothing makes {source(pattern)}{hint}: neither the start nor the facts nor any rule"
        )

    def _near(self, pattern: Any) -> str:
        if isinstance(pattern, Term):
            close = did_you_mean(type(pattern).__name__, [one.split("(")[0] for one in self.names])
            if close:
                return close
        return f" (terms are made by {', '.join(self.names)})" if self.names else ""


def _slots(pattern: Any) -> list[tuple[Place, Any]]:
    """Return the places of a pattern that may hold texts, with what is there."""
    return _places(pattern) if isinstance(pattern, (Term, tuple)) else [(BARE, pattern)]


def _texts_of(pattern: Any) -> tuple[tuple[Place, str], ...]:
    return tuple([one for one in _slots(pattern) if isinstance(one[1], str)])


def outlined(term: Any) -> Any:
    """Return what determines the terms a ground term can lead to: kinds, texts, class, contents."""
    if type(term) is int:
        return NUMBER
    types = tuple([type(part) for part in parts(term)])
    inner = types if {*types} <= {*PLAIN} else frozenset(held(term))
    return frozenset(kinds(term)), _texts_of(term), type(term), inner


def origins(rules: Sequence[Rule], *given: State | Sequence[Any]) -> Origins:
    can_be = reachable(rules, set().union(*map(contents, given)))
    return Origins(rules, given, can_be)


def _texts(
    rules: Sequence[Rule], given: Iterable[State | Sequence[Any]]
) -> dict[Any, Texts] | None:
    """Return the possible texts of each place; None: a rule may make any term.

    ANY_SEQUENCE is among the places if a rule may make any sequence. Texts flow through rules from
    the places where variables are bound, until nothing changes.
    """
    texts: dict[Any, Texts] = {}

    def of(part: Any, rule: Rule) -> Texts:
        """Return the texts that a part of a template can be."""
        if isinstance(part, str):
            return frozenset({part})
        if not isinstance(part, Expression) or part.kind in WITHOUT:
            return NONE
        if isinstance(part, Variable):
            return of_variable(part, rule)
        if isinstance(part, Call) and part.op == "if_":
            return _union(of(part.args[1], rule), of(part.args[2], rule))
        return None

    def of_variable(variable: Variable, rule: Rule) -> Texts:
        for pattern in (*rule.take, *rule.keep):
            for place, part in _slots(pattern):
                if part is variable:
                    return _held(texts, place)
        for bound, value in rule.let:
            if bound is variable:
                options = value.options if isinstance(value, OneOf) else (value,)
                if not isinstance(options, tuple) or any(variable in binders(o) for o in options):
                    return None
                return _union(*(of(one, rule) for one in options))
        return None

    for head, _, fields in chain(*map(_columns, given)):
        for at, values in enumerate(fields):
            place = (head, at) if head else BARE
            if str in {*map(type, values)}:
                written = frozenset([value for value in values if type(value) is str])
                texts[place] = _union(texts.get(place, NONE), written)
    before = None
    while texts != before:
        before = dict(texts)
        for rule in rules:
            existing = {one for one in (*rule.take, *rule.keep) if isinstance(one, Variable)}
            for term in rule.put:
                if isinstance(term, Variable) and term in existing:
                    continue
                if isinstance(term, Expression) and kind_of(term) in ("term", "constructor"):
                    return None
                if kind_of(term) == "seq" and (isinstance(term, Expression) or _has_splice(term)):
                    texts[ANY_SEQUENCE] = None
                for place, part in _slots(term):
                    if more := _union(texts.get(place, NONE), of(part, rule)):
                        texts[place] = more
                    elif more is None:
                        texts[place] = None
    return texts


def _held(texts: dict[Any, Texts], place: Place) -> Texts:
    return None if ANY_SEQUENCE in texts and place[0][0] == "seq" else texts.get(place, NONE)


def _union(*sets: Texts) -> Texts:
    found = NONE
    for one in sets:
        if found is None or one is None:
            return None
        found |= one
    return found


@lru_cache(maxsize=1_000)
def shape(rule: Rule) -> Any:
    """Return a key shared by rules that differ only in numbers, texts and repetition: a family."""
    parts = [rule.take, rule.keep, rule.put, rule.absent, rule.when]
    lets = [part for let in rule.let for part in let]
    return tuple(frozenset(map(_shape, part)) for part in (*parts, lets, (rule.cost, rule.free)))


def _shape(value: Any) -> Any:
    return tuple([_mark(part) for part in everywhere(value, _inside_shape)])


def _inside_shape(value: Any) -> tuple[Any, ...]:
    return () if isinstance(value, (int, str, Variable, Predicate)) else everything_inside(value)


def _mark(value: Any) -> Any:
    """Return what distinguishes a node from others, and its number of parts."""
    own: Any = ()
    match value:
        case Variable(kind=own) | Call(op=own) | Aggregate(name=own):
            pass
        case Term():
            own = str(value.term_identity())
        case Predicate():
            own = term_key(value)
    return type(value).__name__, own, len(_inside_shape(value))
