"""Tuples as terms of constructors: `("tile", 3, 1)` says what `Tile(3, 1)` says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, ClassVar

from attrs import evolve, frozen

from rewrite.language.bag import Bag
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Condition,
    Contains,
    Either,
    Exactly,
    Holds,
    Lacks,
    Not,
    OneOfStates,
    Patterned,
    Predicate,
)
from rewrite.language.effects import Effect
from rewrite.language.expressions import Expression, Splice, Variable, kind_of
from rewrite.language.nesting import everywhere
from rewrite.language.order import Pieces, inside
from rewrite.language.patterns import everything_inside
from rewrite.language.pickling import Structured
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.symmetry import Interchangeable, Relabel
from rewrite.language.terms import Term, term

Head = tuple[int, str | None]
"""Length and front of a tuple; no front where that is not a text."""
PLAIN_KINDS = ("int", "str", "bool")
MOST_PARTS = 8
"""Most parts of a tuple. 16 lamps in one took 30 times as long to compile and to search as a
constructor."""


class NoTwin(Exception):
    """Something may match tuples of any length, or long ones, or look at whole terms or states."""


@frozen
class Heads:
    """Heads of all tuples that are terms; refused where there is no twin for them.

    bags   whether nested bags are terms, too
    """

    found: frozenset[Head] = frozenset()
    refused: bool = False
    bags: bool = False

    @classmethod
    def of(cls, given: Iterable[Any], terms: Iterable[Any]) -> Heads:
        """Return the heads of terms, and of those in rules, conditions and expressions."""
        try:
            every = (*patterns_of(given), *terms)
            bags = any(isinstance(one, Bag) for one in every)
            return cls(frozenset([head for one in every for head in _head(one)]), bags=bags)
        except NoTwin:
            return cls(refused=True)

    def __or__(self, other: Heads) -> Heads:
        refused, bags = self.refused or other.refused, self.bags or other.bags
        return Heads(self.found | other.found, refused, bags)


def _head(pattern: Any) -> list[Head]:
    """Return the head of a tuple, nothing for another term. Raises NoTwin."""
    if isinstance(pattern, tuple):
        if len(pattern) > MOST_PARTS or any(isinstance(part, Splice) for part in pattern):
            raise NoTwin
        front = pattern[0] if pattern and type(pattern[0]) is str else None
        return [(len(pattern), front)]
    whole = isinstance(pattern, Expression) and kind_of(pattern) not in PLAIN_KINDS
    if whole or isinstance(pattern, Splice):
        raise NoTwin
    return []


def patterns_of(given: Iterable[Any]) -> Iterator[Any]:
    """Yield the patterns of terms in rules, conditions and expressions. Raises NoTwin."""
    for one in given:
        if isinstance(one, Rule):
            patterns = (*one.take, *one.put, *one.keep, *one.absent)
            yield from patterns
            yield from patterns_of((*patterns, *one.when, *one.let, one.cost, *one.effects))
            continue
        for part in everywhere(one, everything_inside):
            if isinstance(part, Patterned):
                if isinstance(part.rest, Variable):
                    raise NoTwin
                yield from (*part.patterns, *part.absent)
            elif isinstance(part, Effect):
                yield from part.put
            elif isinstance(part, OneOfStates):
                for state in part.states:
                    yield from state.items
            elif isinstance(part, Predicate):
                raise NoTwin


class TupleTerm:
    """Base of the constructors that stand for tuples; `front` is what all of these begin with."""

    __slots__ = ()
    front: ClassVar[tuple[str, ...]]


@lru_cache(maxsize=1_000)
def _constructor(front: str | None, size: int) -> type[Term]:
    """Return the constructor for tuples of a length, and of a front if that is given."""
    names = {f"item{place}": object for place in range(front is not None, size)}
    first = () if front is None else (front,)

    def pieces(self: Any) -> Pieces:
        return [((*first, *self.term_arguments()),)]

    body = {"__annotations__": names, "__module__": __name__, "term_pieces": pieces,
            "front": first}  # fmt: skip
    made: type[Term] = term(type("tuple" if front is None else repr(front), (TupleTerm,), body))
    return made


@frozen
class Twins:
    """From tuples to terms of constructors; `original` is the way back."""

    heads: frozenset[Head]

    def term(self, given: Any) -> Any:
        """Return what stands for a term or pattern of the puzzle in its twin."""
        given = self.inner(given)
        if not isinstance(given, tuple):
            return given
        fronted = given and type(given[0]) is str and (len(given), None) not in self.heads
        front = given[0] if fronted else None
        made: Any = _constructor(front, len(given))
        return made.of_parts(given if front is None else given[1:])

    def changes(self, part: Any) -> bool:
        """Whether something inside a condition or an expression is another thing in the twin."""
        return isinstance(part, (Condition, Aggregate))

    def terms(self, given: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(map(self.term, given))

    def absent(self, given: Iterable[Any]) -> tuple[Any, ...]:
        """Return what stands for patterns none of which may match."""
        return self.terms(given)

    def inner(self, given: Any) -> Any:
        """Return a condition, an expression or a part of a pattern with the terms of the twin."""
        if not any(map(self.changes, everywhere(given, everything_inside))):
            return given
        match given:
            case Contains() | Exactly() | Lacks():
                rest = given.written[len(given.patterns) :]
                patterns = (*self.terms(given.patterns), *rest)
                return type(given)(patterns, self.each(given.when), [*self.absent(given.absent)])
            case Aggregate(name=name, value=value, patterns=patterns, when=when):
                return Aggregate(name, self.inner(value), self.terms(patterns), self.each(when))
            case OneOfStates(states=states):
                return OneOfStates([State.of(self.terms(one)) for one in states])
            case Both() | Either():
                return type(given)(self.inner(given.left), self.inner(given.right))
            case Not(inner=inner):
                return Not(self.inner(inner))
            case Holds(expression=expression):
                return Holds(self.inner(expression))
            case tuple():
                return self.each(given)
            case Structured():
                rebuild, first = given.term_rebuild()
                return rebuild(*first, self.each(inside(given)))
        return given

    def each(self, given: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(map(self.inner, given))

    def rules(self, given: Rule) -> list[Rule]:
        return [self.rule(given)]

    def rule(self, given: Rule) -> Rule:
        effects = [
            evolve(one, where=self.inner(one.where), put=self.terms(one.put))
            for one in given.effects
        ]
        return evolve(
            given, take=self.terms(given.take), put=self.terms(given.put),
            keep=self.terms(given.keep), absent=self.absent(given.absent),
            when=self.each(given.when), let=tuple(map(self.each, given.let)),
            cost=self.inner(given.cost), effects=tuple(effects),
        )  # fmt: skip

    def symmetry(self, given: Relabel | Interchangeable) -> Any:
        return Relabel(tuple(map(self.terms, given.pairs))) if isinstance(given, Relabel) else given

    def puzzle(self, given: Puzzle) -> Puzzle:
        """Return the twin of a puzzle, without start, goal and view."""
        made = Puzzle.__new__(Puzzle)  # all has been checked before
        made.__attrs_init__(
            rules=tuple([one for rule in given.rules for one in self.rules(rule)]),
            facts=self.state(given.facts), never=self.each(given.never),
            simplify=tuple(map(self.rule, given.simplify)),
            symmetry=tuple(map(self.symmetry, given.symmetry)), sets=given.sets, name=given.name,
        )  # fmt: skip
        return made

    def state(self, given: State) -> State:
        return State.of(self.terms(given.items))
