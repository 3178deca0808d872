"""The definition, narrowed to one question: which rules lead from this state to that one?

A rule must take every term that disappeared and put every term that appeared, which narrows the
terms to try. The definition itself (`language.meaning`) judges each match, condition by condition;
a property test compares with running every rule, to show that none is missed. What cannot be
narrowed (a `simplify`, `effects`, a function that fails while terms are tried) is left to
`meaning.ways`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

from attrs import field, frozen

from rewrite.language import meaning
from rewrite.language.checks import aggregates_in
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Splice, Variable
from rewrite.language.matching import Env, Pending, match, same
from rewrite.language.meaning import Lets, RuleApplication
from rewrite.language.order import Key, term_key
from rewrite.language.patterns import contains_wildcard, variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.satisfaction import World, without
from rewrite.language.states import State, beyond
from rewrite.language.terms import Term, is_ground

Places = tuple[int, ...]
FEW = 16
"""Terms of one shape that are looked through one by one."""


class Between:
    """Finds the ways from one state to another, for many pairs of states of one puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self._rules = [_Prepared.of(rule, rule.classes) for rule in puzzle.rules]
        self._facts = _Pool(puzzle.facts.distinct())
        self._taking: dict[Key, list[_Prepared]] = {}

    def ways(self, before: State, after: State) -> list[RuleApplication]:
        """Return every way from `before` to `after`, in the order of `meaning.successors`.

        Cost: a few dozen matches if few terms change; that of `meaning.successors` if the puzzle
        simplifies. Raises RuleError for failures in a user function.
        """
        if self.puzzle.simplify:
            every = meaning.successors(self.puzzle, before)
            return [way for way in every if way.after == after]
        change = _Change(self.puzzle, before, after, self._facts)
        found = [way for rule in self._able(change) for way in _ways(rule, change)]
        return [] if found and self._is_forbidden(after) else found

    def cheapest(
        self, before: State, after: State, counted: bool = False
    ) -> RuleApplication | None:
        """Return the cheapest way from `before` to `after`, the first of equals, or None.

        counted  whether free moves are excluded

        Cost: as for `ways`; rules that cannot improve on the best so far are skipped.
        """
        best: list[RuleApplication] = []
        if self.puzzle.simplify:
            best = [way for way in self.ways(before, after) if not (counted and way.rule.free)]
            return min(best, key=lambda way: way.cost, default=None)
        change = _Change(self.puzzle, before, after, self._facts)
        for rule in self._able(change):
            least = rule.rule.cost if type(rule.rule.cost) is int else 0
            if not (counted and rule.rule.free) and (not best or least < best[0].cost):
                best = sorted([*best, *_ways(rule, change)], key=lambda way: way.cost)
        return best[0] if best and not self._is_forbidden(after) else None

    def _able(self, change: _Change) -> list[_Prepared]:
        """Return the rules that may take every term that left, judged one by one."""
        able = self._rules
        for pool in change.left:
            [(key, term, _)] = pool.by_key.values()
            if key not in self._taking:
                self._taking[key] = [rule for rule in self._rules if rule.may_take(term)]
            able = [rule for rule in self._taking[key] if any(rule is one for one in able)]
        return able

    def _is_forbidden(self, state: State) -> bool:
        return bool(self.puzzle.never) and meaning.forbidden(self.puzzle, state) is not None


def _ways(rule: _Prepared, change: _Change) -> list[RuleApplication]:
    if rule.rule.effects:
        return _by_definition(rule, change)
    spare = len(rule.rule.take) - len(change.left)
    more = len(rule.put) - len(change.came) - spare
    if spare < 0 or (len(rule.put) < len(change.came) if change.puzzle.sets else more):
        return []
    found: dict[Key, RuleApplication] = {}
    try:
        for way in _directed(rule, change):
            if way.after == change.after:
                found.setdefault(way.order, way)
    except Failed:  # perhaps for terms that the rule never sees
        return _by_definition(rule, change)
    return [found[order] for order in sorted(found)]


def _by_definition(rule: _Prepared, change: _Change) -> list[RuleApplication]:
    every = meaning.ways(change.puzzle, rule.rule, change.before)
    return [way for way in every if way.after == change.after]


@frozen
class _Part:
    """A pattern or template of a rule, analysed before any match."""

    pattern: Any
    needs: frozenset[Variable]
    open: bool
    """Whether it contains ANY or an aggregate: then its variables do not determine its value."""
    shape: Any
    """What all terms that it can match have in common, or None."""
    plain: tuple[tuple[int, Any], ...]
    """Of the arguments of a term those that are a variable or a value, with their places."""

    @classmethod
    def of(cls, pattern: Any) -> _Part:
        unsure = contains_wildcard(pattern) or bool(aggregates_in(pattern))
        arguments = pattern.term_arguments() if isinstance(pattern, Term) else ()
        if any(isinstance(one, Splice) for one in arguments):
            arguments = ()  # places are not fixed
        plain = [
            (at, one)
            for at, one in enumerate(arguments)
            if (isinstance(one, Variable) and not one.is_narrow) or is_ground(one)
        ]
        needs = frozenset(variables(pattern))
        return cls(pattern, needs, unsure, _shape(pattern), tuple(plain))

    def is_known(self, env: Env) -> bool:
        """Whether the bindings leave only one term that it can stand for."""
        return not self.open and self.needs <= env.keys()

    def may_match(self, term: Any) -> bool:
        if self.shape is None:
            return True
        values = term.term_arguments() if self.shape == _shape(term) else None
        return values is not None and all(
            isinstance(one, Variable) or same(one, values[at]) for at, one in self.plain
        )

    def term(self, env: Env) -> Any:
        """Return the key of that term; None if it has no value."""
        try:
            return term_key(evaluate(self.pattern, env))
        except NoValue:
            return None


@frozen
class _Prepared:
    rule: Rule
    parts: tuple[_Part, ...]
    """The parts of `take`, then those of `keep`: a *place* is an index here."""
    put: tuple[_Part, ...]

    @classmethod
    @lru_cache(maxsize=1_000)
    def of(cls, rule: Rule, classes: frozenset[type[Term]]) -> _Prepared:
        """Return it, shared by equal rules with the same classes."""
        return cls(
            rule, tuple(map(_Part.of, rule.take + rule.keep)), tuple(map(_Part.of, rule.put))
        )

    def may_take(self, term: Any) -> bool:
        return bool(self.rule.effects) or any(
            part.may_match(term) for part in self.parts[: len(self.rule.take)]
        )

    @property
    def taking(self) -> Places:
        return tuple(range(len(self.rule.take)))

    @property
    def keeping(self) -> Places:
        return tuple(range(len(self.rule.take), len(self.parts)))


def _shape(pattern: Any) -> Any:
    return pattern.term_identity() if isinstance(pattern, Term) else None


class _Pool:
    """Distinct terms with their multiplicities, indexed by what a pattern reveals about them."""

    def __init__(self, counted: Iterable[tuple[Any, int]]) -> None:
        entries = [(term_key(term), term, number) for term, number in counted]
        self.by_key = {entry[0]: entry for entry in entries}
        self._by_argument: dict[tuple[Any, int], dict[Key, list[tuple[Key, Any, int]]]] = {}

    def _candidates(self, part: _Part, env: Env) -> Iterable[tuple[Key, Any, int]]:
        """Return the terms of a pattern's shape, with an argument that is known of it."""
        if part.shape is None:
            return self.by_key.values()
        alike = self._by_shape.get(part.shape, [])
        for at, argument in part.plain if len(alike) > FEW else ():
            if isinstance(argument, Variable) and argument not in env:
                continue
            index = self._by_argument.get((part.shape, at))
            if index is None:
                index = self._by_argument[part.shape, at] = {}
                for entry in alike:
                    index.setdefault(term_key(entry[1].term_arguments()[at]), []).append(entry)
            value = env[argument] if isinstance(argument, Variable) else argument
            return index.get(term_key(value), ())
        return alike

    @cached_property
    def _by_shape(self) -> dict[Any, list[tuple[Key, Any, int]]]:
        found: dict[Any, list[tuple[Key, Any, int]]] = {}
        for entry in self.by_key.values():
            found.setdefault(_shape(entry[1]), []).append(entry)
        return found

    def matches(
        self, part: _Part, env: Env, pending: Pending
    ) -> Iterator[tuple[Key, Any, int, Env, Pending]]:
        """Yield (key, term, its multiplicity, bindings, equations) for every match of a pattern."""
        if part.is_known(env):
            entry = self.by_key.get(part.term(env))
            if entry is not None:
                yield *entry, env, pending
            return
        for entry in self._candidates(part, env):
            for found, waiting in match(part.pattern, entry[1], env, pending):
                yield *entry, found, waiting


class _Change:
    """What is known about a step before looking at any rule."""

    def __init__(self, puzzle: Puzzle, before: State, after: State, facts: _Pool) -> None:
        self.puzzle, self.before, self.after, self.facts = puzzle, before, after, facts
        self.came = beyond(after, before)
        self.left = [_Pool([(term, 1)]) for term in beyond(before, after)]

    @cached_property
    def held(self) -> set[Key]:
        return {term_key(term) for term, _ in self.after.distinct()}

    @cached_property
    def mine(self) -> _Pool:
        return _Pool(self.before.distinct())

    def matches(
        self, part: _Part, env: Env, pending: Pending
    ) -> Iterator[tuple[Key, Any, int, Env, Pending]]:
        """Yield what `_Pool.matches` would of the state and the facts together."""
        for key, term, number, found, waiting in self.mine.matches(part, env, pending):
            more = self.facts.by_key[key][2] if key in self.facts.by_key else 0
            yield key, term, number + more, found, waiting
        for one in self.facts.matches(part, env, pending):
            if one[0] not in self.mine.by_key:
                yield one


@frozen
class _Partial:
    """A match in progress: bindings, pending equations and lets, terms by place."""

    env: Env
    pending: Pending
    lets: Lets
    terms: dict[int, Any] = field(factory=dict)

    def settled(self) -> Iterator[_Partial]:
        if not (self.pending or self.lets):
            yield self
            return
        for env, pending, lets in meaning.settle(self.env, self.pending, self.lets):
            yield _Partial(env, pending, lets, self.terms)


def _directed(rule: _Prepared, change: _Change) -> Iterator[RuleApplication]:
    """Yield the ways of a rule that take what left and may put what came; may repeat some."""
    first = _Partial({}, (), rule.rule.let)
    for spare, here in _take_left(rule, change.left, rule.taking, first):
        for taking in _match(rule, change, spare, here):
            if _may_put(rule, change, [taking.terms[place] for place in spare], taking.env):
                for done in _match(rule, change, rule.keeping, taking):
                    yield from _results(rule, change, done)


def _take_left(
    rule: _Prepared, left: list[_Pool], places: Places, so_far: _Partial
) -> Iterator[tuple[Places, _Partial]]:
    """Assign every term that left to a place in `take`; yield the places left over."""
    for here in so_far.settled():
        if not left:
            yield places, here
            continue
        for place in places:
            rest = tuple(other for other in places if other != place)
            part = rule.parts[place]
            for _, term, _, env, pending in left[0].matches(part, here.env, here.pending):
                more = _Partial(env, pending, here.lets, here.terms | {place: term})
                yield from _take_left(rule, left[1:], rest, more)


def _match(
    rule: _Prepared, change: _Change, places: Places, so_far: _Partial
) -> Iterator[_Partial]:
    """Match places to any unused terms, starting with those whose values are known."""
    for here in so_far.settled():
        if not places:
            yield here
            continue
        used = Counter(map(term_key, here.terms.values()))
        place = next((one for one in places if rule.parts[one].is_known(here.env)), places[0])
        rest = tuple(other for other in places if other != place)
        pool = change.mine if place < len(rule.rule.take) else change
        part = rule.parts[place]
        for key, term, number, env, pending in pool.matches(part, here.env, here.pending):
            if used[key] < number:
                more = _Partial(env, pending, here.lets, here.terms | {place: term})
                yield from _match(rule, change, rest, more)


def _may_put(rule: _Prepared, change: _Change, back: list[Any], env: Env) -> bool:
    """Return whether all that is known of `put` came or was put back; in a set, is there."""
    if change.puzzle.sets:
        known = [part.term(env) for part in rule.put if part.is_known(env)]
        return all(key in change.held for key in known)
    wanted = [term_key(term) for term in (*change.came, *back)]
    for part in rule.put:
        if part.is_known(env):
            key = part.term(env)
            if key not in wanted:
                return False
            wanted.remove(key)
    return True


def _results(rule: _Prepared, change: _Change, done: _Partial) -> Iterator[RuleApplication]:
    taken, kept = (tuple(map(done.terms.get, at)) for at in (rule.taking, rule.keeping))
    world = _World(without(change.before, taken), change.puzzle.facts)
    for env in meaning.late_lets(done.env, done.pending, done.lets, world):
        if meaning.survives(rule.rule, env, world, None):
            yield from meaning.results(rule.rule, env, world, taken, kept, None, change.puzzle.sets)


class _World(World):
    """A world that looks a term up if the bindings leave a pattern only one to match."""

    @cached_property
    def _keys(self) -> set[Key]:
        return {term_key(term) for term in (*self.terms.items, *self.facts.items)}

    def has(self, pattern: Any, env: Env) -> bool:
        part = _Part.of(pattern)
        return part.term(env) in self._keys if part.is_known(env) else super().has(pattern, env)
