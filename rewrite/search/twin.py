"""The twin of a puzzle whose states hold tuples: the same puzzle with constructors.

`("tile", 3, 1)` says what `Tile(3, 1)` says. So that it is stored, looked up and reasoned about
alike, a search runs on the twin, in which each tuple that is a term of a state or a fact is a term
of a constructor: one for each text at the front and each length, or for each length alone if the
front varies. Such terms print as the tuples that they stand for, and paths have these.

There is no twin if something may match tuples of any length, or looks at whole terms or states; nor
where a state is one tuple, or tuples are long: these are better stored as sequences. With
`simplify`, of whose results the first counts, terms must come in the order of the tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, ClassVar

from attrs import evolve, frozen

from rewrite.errors import RewriteError
from rewrite.language.cache import Cache
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
from rewrite.language.puzzles import Definition, Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.symmetry import Interchangeable, Relabel
from rewrite.language.terms import Term, term
from rewrite.results.path import Bindings, Later, Path, Whole
from rewrite.search.question import Question

Head = tuple[int, str | None]
"""Length and front of a tuple; no front where that is not a text."""
PLAIN_KINDS = ("int", "str", "bool")
MOST_PARTS, FEWEST_TUPLES = 8, 2
"""Bounds on the parts of a tuple, and on the tuples of a state. 16 lamps in one tuple took 30 times
as long to compile and to search as a constructor."""


class _Whole(Exception):
    """Something may match tuples of any length, or long ones, or look at whole terms."""


@frozen
class Heads:
    """Heads of all tuples that are terms; refused where there is no twin for them."""

    found: frozenset[Head] = frozenset()
    refused: bool = False

    @classmethod
    def of(cls, given: Iterable[Any], terms: Iterable[Any]) -> Heads:
        """Return the heads of terms, and of those in rules, conditions and expressions."""
        try:
            return cls(frozenset([head for one in (*_terms(given), *terms) for head in _head(one)]))
        except _Whole:
            return cls(refused=True)

    def __or__(self, other: Heads) -> Heads:
        return Heads(self.found | other.found, self.refused or other.refused)


def _head(pattern: Any) -> list[Head]:
    """Return the head of a tuple, nothing for another term. Raises _Whole."""
    if isinstance(pattern, tuple):
        if len(pattern) > MOST_PARTS or any(isinstance(part, Splice) for part in pattern):
            raise _Whole
        front = pattern[0] if pattern and type(pattern[0]) is str else None
        return [(len(pattern), front)]
    whole = isinstance(pattern, Expression) and kind_of(pattern) not in PLAIN_KINDS
    if whole or isinstance(pattern, Splice):
        raise _Whole
    return []


def _terms(given: Iterable[Any]) -> Iterator[Any]:
    """Yield the patterns of terms in rules, conditions and expressions. Raises _Whole."""
    for one in given:
        if isinstance(one, Rule):
            patterns = (*one.take, *one.put, *one.keep, *one.absent)
            yield from patterns
            yield from _terms((*patterns, *one.when, *one.let, one.cost, *one.effects))
            continue
        for part in everywhere(one, everything_inside):
            if isinstance(part, Patterned):
                if isinstance(part.rest, Variable):
                    raise _Whole
                yield from (*part.patterns, *part.absent)
            elif isinstance(part, Effect):
                yield from part.put
            elif isinstance(part, OneOfStates):
                for state in part.states:
                    yield from state.items
            elif isinstance(part, Predicate):
                raise _Whole


class _Tuple:
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
    made: type[Term] = term(type("tuple" if front is None else repr(front), (_Tuple,), body))
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
        front = None if (len(given), None) in self.heads or not given else given[0]
        made: Any = _constructor(front, len(given))
        return made.of_parts(given if front is None else given[1:])

    def terms(self, given: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(map(self.term, given))

    def inner(self, given: Any) -> Any:
        """Return a condition, an expression or a part of a pattern with the terms of the twin."""
        if not any(
            isinstance(part, (Condition, Aggregate))
            for part in everywhere(given, everything_inside)
        ):
            return given
        match given:
            case Contains() | Exactly() | Lacks():
                rest = given.written[len(given.patterns) :]
                patterns = (*self.terms(given.patterns), *rest)
                return type(given)(patterns, self.each(given.when), [*self.terms(given.absent)])
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

    def rule(self, given: Rule) -> Rule:
        effects = [
            evolve(one, where=self.inner(one.where), put=self.terms(one.put))
            for one in given.effects
        ]
        return evolve(
            given, take=self.terms(given.take), put=self.terms(given.put),
            keep=self.terms(given.keep), absent=self.terms(given.absent),
            when=self.each(given.when), let=tuple(map(self.each, given.let)),
            cost=self.inner(given.cost), effects=tuple(effects),
        )  # fmt: skip

    def symmetry(self, given: Relabel | Interchangeable) -> Any:
        return Relabel(tuple(map(self.terms, given.pairs))) if isinstance(given, Relabel) else given

    def puzzle(self, given: Puzzle) -> Puzzle:
        """Return the twin of a puzzle, without start, goal and view."""
        made = Puzzle.__new__(Puzzle)  # all has been checked before
        made.__attrs_init__(
            rules=tuple(map(self.rule, given.rules)), facts=self.state(given.facts),
            never=self.each(given.never), simplify=tuple(map(self.rule, given.simplify)),
            symmetry=tuple(map(self.symmetry, given.symmetry)), sets=given.sets, name=given.name,
        )  # fmt: skip
        return made

    def state(self, given: State) -> State:
        return State.of(self.terms(given.items))


_HEADS: Cache[Definition, Heads] = Cache(64)
_TWINS: Cache[tuple[Definition, frozenset[Head]], Puzzle] = Cache(64)


def twin(asked: Question) -> Question:
    """Return the question about the twin of its puzzle; the question itself if there is none."""
    puzzle, heuristic = asked.puzzle, asked.heuristic
    outside = callable(heuristic) and not isinstance(heuristic, Expression)
    heads = Heads(refused=True) if outside or not _several(asked) else _heads_for(asked)
    if heads.refused or _exchanged(puzzle, heads) or (puzzle.simplify and not _in_order(heads)):
        return asked
    both = Twins(heads.found)
    base = _TWINS.made((puzzle.definition, heads.found), puzzle, lambda: both.puzzle(puzzle))
    goal, start = both.inner(asked.goal), both.state(asked.start)
    own = goal if asked.goal is puzzle.goal else None  # its heads were not looked at
    return evolve(
        asked, puzzle=base.begun(start, own), start=start, goal=goal,
        minimize=both.inner(asked.minimize), heuristic=both.inner(heuristic), twin_of=asked,
    )  # fmt: skip


def _several(asked: Question) -> bool:
    """Whether states may hold several tuples: the start does, or a rule puts more than it takes."""
    return _tuples(asked.start.items) >= FEWEST_TUPLES or any(
        _tuples(rule.put) > _tuples(rule.take) for rule in asked.puzzle.rules
    )


def _tuples(given: Iterable[Any]) -> int:
    return sum(isinstance(one, tuple) for one in given)


def _heads_for(asked: Question) -> Heads:
    puzzle = asked.puzzle
    heads = _HEADS.made(puzzle.definition, puzzle, lambda: _heads_of(puzzle))
    if not heads.refused:
        heads |= Heads.of([one for one in (asked.goal, *asked.values) if one is not None], ())
        heads |= Heads.of((), asked.start.items)
    return heads


def _heads_of(puzzle: Puzzle) -> Heads:
    pairs = [pair for one in puzzle.symmetry if isinstance(one, Relabel) for pair in one.pairs]
    terms = [part for pair in pairs for part in pair]
    given = (*puzzle.rules, *puzzle.simplify, *puzzle.never)
    return Heads.of(given, (*terms, *puzzle.facts.items))


def _exchanged(puzzle: Puzzle, heads: Heads) -> bool:
    """Whether a symmetry exchanges whole tuples, or what they begin with."""
    given = [one for one in puzzle.symmetry if isinstance(one, Interchangeable)]
    values = [value for one in given for value in one.values]
    fronts = {front for _, front in heads.found}
    return any(isinstance(one, tuple) or (type(one) is str and one in fronts) for one in values)


def _in_order(heads: Heads) -> bool:
    """Whether the terms of the twin are ordered as the tuples: by different texts at the front."""
    fronts = [front for _, front in heads.found if front is not None]
    return len({*fronts}) == len(heads.found) and sorted(fronts) == sorted(fronts, key=repr)


def path_of(asked: Question, states: Sequence[State], bindings: Bindings) -> Path:
    """Return the path through these states as one of the puzzle that was asked about."""
    if asked.twin_of is None:
        return Path(asked.puzzle, states, bindings)
    if isinstance(states, Whole):
        whole = states
        states = Whole(lambda: ([*map(original, whole)], whole.counted))
    else:
        states = Later(states, original)
    return Path(asked.twin_of.puzzle, states, bindings)


def to_twin(asked: Question) -> Callable[[State], State]:
    """Return the function from states of the puzzle asked about to states of the one searched."""
    if asked.twin_of is None:
        return lambda state: state
    return Twins(_heads_for(asked.twin_of).found).state


def original(given: Any) -> Any:
    """Return the state, or the term, of a puzzle for one of its twin."""
    if isinstance(given, State):
        return State.of(map(original, given.items))
    if isinstance(given, _Tuple):
        assert isinstance(given, Term)
        return (*given.front, *given.term_arguments())
    return given


@contextmanager
def as_asked(asked: Question) -> Iterator[None]:
    """Raise errors with the states and terms of the puzzle that was asked about."""
    try:
        yield
    except RewriteError as error:
        if asked.twin_of is not None:
            for name, value in error.facts.items():
                error.facts[name] = original(value)
                setattr(error, name, error.facts[name])
        raise
