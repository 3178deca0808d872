"""The twin of a puzzle whose states hold tuples: the same puzzle with constructors.

`("tile", 3, 1)` says what `Tile(3, 1)` says. So that it is stored, looked up and reasoned about
alike, a search runs on the twin, in which each tuple that is a term of a state or a fact is a term
of a constructor: one for each text at the front and each length, or for each length alone if the
front varies. Such terms print as the tuples that they stand for, and paths have these. A single
sequence of fixed length becomes a term for each of its places instead: see `search.places`.

There is no other twin if something may match tuples of any length, or looks at whole terms or
states; nor where a state is one tuple, or tuples are long: these are stored as sequences. With
`simplify`, of whose results the first counts, terms must come in the order of the tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from attrs import evolve

from rewrite.errors import RewriteError
from rewrite.language.cache import Cache
from rewrite.language.expressions import Expression
from rewrite.language.puzzles import Definition, Puzzle
from rewrite.language.states import State
from rewrite.language.symmetry import Interchangeable, Relabel
from rewrite.language.terms import Term
from rewrite.results.path import Bindings, Later, Path, Whole
from rewrite.search.places import Place, Places, places_of
from rewrite.search.question import Question
from rewrite.search.tuples import Heads, NoTwin, TupleTerm, Twins

FEWEST_TUPLES = 2
"""Of a state, for each of which there is a term of a constructor."""
_HEADS: Cache[Definition, Heads] = Cache(64)
_TWINS: Cache[tuple[Definition, Twins], Puzzle | NoTwin] = Cache(64)


def twin(asked: Question, by_place: bool = True) -> Question:
    """Return the question about the twin of its puzzle; the question itself if there is none.

    by_place   whether a sequence may become a term for each of its places
    """
    puzzle, heuristic = asked.puzzle, asked.heuristic
    if callable(heuristic) and not isinstance(heuristic, Expression):
        return asked
    if by_place and (length := places_of(asked)):
        with suppress(NoTwin):
            both = Places(frozenset(), length)
            both.check([one for one in (asked.goal, *asked.values) if one is not None])
            return _translated(asked, both)
    heads = _heads_for(asked) if _several(asked) else Heads(refused=True)
    if heads.refused or _exchanged(puzzle, heads) or (puzzle.simplify and not _in_order(heads)):
        return asked
    return _translated(asked, Twins(heads.found))


def _translated(asked: Question, both: Twins) -> Question:
    """Raises NoTwin."""
    puzzle = asked.puzzle
    base = _TWINS.made((puzzle.definition, both), puzzle, lambda: _made(puzzle, both))
    if isinstance(base, NoTwin):
        raise NoTwin
    goal, start = both.inner(asked.goal), both.state(asked.start)
    own = goal if asked.goal is puzzle.goal else None  # its heads were not looked at
    return evolve(
        asked, puzzle=base.begun(start, own), start=start, goal=goal,
        minimize=both.inner(asked.minimize), heuristic=both.inner(asked.heuristic), twin_of=asked,
    )  # fmt: skip


def _made(puzzle: Puzzle, both: Twins) -> Puzzle | NoTwin:
    try:
        return both.puzzle(puzzle)
    except NoTwin as error:
        return error


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
    """Whether the terms of the twin are ordered as the tuples: by different texts at the front,
    and with no nested bags, which come between tuples and constructor terms.
    """
    fronts = [front for _, front in heads.found if front is not None]
    return (
        not heads.bags
        and len({*fronts}) == len(heads.found)
        and sorted(fronts) == sorted(fronts, key=repr)
    )


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
    if places := sum(isinstance(one, Place) for one in asked.start):
        return Places(frozenset(), places).state
    return Twins(_heads_for(asked.twin_of).found).state


def original(given: Any) -> Any:
    """Return the state, or the term, of a puzzle for one of its twin."""
    if isinstance(given, State):
        items = tuple([one.item for one in given if isinstance(one, Place)])  # in their order
        if items:
            return State.of([items, *[one for one in given if not isinstance(one, Place)]])
        return State.of(map(original, given.items))
    if isinstance(given, TupleTerm):
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
