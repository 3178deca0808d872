"""The definition asked a smaller question: which rules lead from this state to that one?

Both states are known, so a rule must take every term that left and put every term that came.
Matching begins with those terms; what is found that way is then judged by the definition itself
(`language.meaning`), condition by condition. So nothing can be found here that the definition does
not allow; that nothing is missed is compared with running every rule by a property test.

Rules of this file: candidates may be narrowed, never a condition skipped. What cannot be narrowed
(a `simplify`, a function that fails while terms are tried) is asked of `meaning.ways` instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

from attrs import field, frozen

from rewrite.language import meaning
from rewrite.language.bag import Bag
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Splice, Variable
from rewrite.language.matching import Env, Match, Pending, match
from rewrite.language.meaning import Lets, RuleApplication
from rewrite.language.order import Key, term_key
from rewrite.language.patterns import contains_wildcard, parts, variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.satisfaction import World
from rewrite.language.states import State
from rewrite.language.terms import Term

Owed = tuple[tuple[Key, Any], ...]
"""Terms that must be put, each with its key."""
Places = tuple[int, ...]


class Between:
    """Finds the ways from one state to another, for many pairs of states of one puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self._rules = [_Prepared.of(rule, rule.classes) for rule in puzzle.rules]
        self._facts = puzzle.facts.distinct()

    def ways(self, before: State, after: State) -> list[RuleApplication]:
        """Return every way from `before` to `after`, in the order of `meaning.successors`.

        Cost: some tens of matches, where few terms change; that of `meaning.successors` where the
        puzzle simplifies. Raises RuleError for what fails in a user function.
        """
        if self.puzzle.simplify:
            every = meaning.successors(self.puzzle, before)
            return [way for way in every if way.after == after]
        change = _Change(self.puzzle, before, after, self._facts)
        found = [way for rule in self._rules for way in _ways(rule, change)]
        return [] if found and self._is_forbidden(after) else found

    def cheapest(
        self, before: State, after: State, counted: bool = False
    ) -> RuleApplication | None:
        """Return the cheapest way from `before` to `after`, of equals the first; None for none.

        counted  whether it may not be a free move

        Cost: as for `ways`; rules that cannot be cheaper than what was found are left out.
        """
        best: list[RuleApplication] = []
        if self.puzzle.simplify:
            best = [way for way in self.ways(before, after) if not (counted and way.rule.free)]
            return min(best, key=lambda way: way.cost, default=None)
        change = _Change(self.puzzle, before, after, self._facts)
        for rule in self._rules:
            least = rule.rule.cost if type(rule.rule.cost) is int else 0
            if not (counted and rule.rule.free) and (not best or least < best[0].cost):
                best = sorted([*best, *_ways(rule, change)], key=lambda way: way.cost)
        return best[0] if best and not self._is_forbidden(after) else None

    def _is_forbidden(self, state: State) -> bool:
        return bool(self.puzzle.never) and meaning.forbidden(self.puzzle, state) is not None


def _ways(rule: _Prepared, change: _Change) -> list[RuleApplication]:
    spare = len(rule.rule.take) - len(change.left)
    if spare < 0 or len(rule.put) != len(change.came) + spare:
        return []
    found: dict[Key, RuleApplication] = {}
    try:
        for way in _directed(rule, change):
            if way.after == change.after:
                found.setdefault(way.order, way)
    except Failed:  # perhaps for terms that the rule never gets to see: the definition knows
        every = meaning.ways(change.puzzle, rule.rule, change.before)
        return [way for way in every if way.after == change.after]
    return [found[order] for order in sorted(found)]


@frozen
class _Part:
    """A pattern or template of a rule, and what can be said of it before any match."""

    pattern: Any
    needs: frozenset[Variable]
    open: bool
    """Whether ANY occurs in it, or an aggregate: its variables do not say what it stands for."""
    shape: Any
    """What it has in common with all terms that it can match, or None."""
    reads_back: bool
    """Whether the values of its variables follow from a term that it made."""

    @classmethod
    def of(cls, pattern: Any) -> _Part:
        sees_state = meaning.sees_state(pattern)
        return cls(
            pattern, frozenset(variables(pattern)), contains_wildcard(pattern) or sees_state,
            _shape(pattern), not sees_state and _reads_back(pattern),
        )  # fmt: skip

    def is_known(self, env: Env) -> bool:
        """Whether the bindings leave one term only for which it can stand."""
        return not self.open and self.needs <= env.keys()

    def matches(self, term: Any, env: Env, pending: Pending) -> Iterator[Match]:
        """Yield what `matching.match` yields, sooner where the answer is known."""
        if self.is_known(env):
            if self.term(env) == term_key(term):
                yield env, pending
        elif self.shape is None or self.shape == _shape(term):
            yield from match(self.pattern, term, env, pending)

    def term(self, env: Env) -> Any:
        """Return the key of that term, None where it has no value."""
        try:
            return term_key(evaluate(self.pattern, env))
        except NoValue:
            return None


@frozen
class _Prepared:
    """A rule with what can be said of its parts."""

    rule: Rule
    parts: tuple[_Part, ...]
    """Those of `take`, then those of `keep`: a *place* is an index here."""
    put: tuple[_Part, ...]

    @classmethod
    @lru_cache(maxsize=1_000)
    def of(cls, rule: Rule, classes: frozenset[type[Term]]) -> _Prepared:
        """Equal rules share it, class by class."""
        return cls(
            rule, tuple(map(_Part.of, rule.take + rule.keep)), tuple(map(_Part.of, rule.put))
        )

    @property
    def taking(self) -> Places:
        return tuple(range(len(self.rule.take)))

    @property
    def keeping(self) -> Places:
        return tuple(range(len(self.rule.take), len(self.parts)))

    def first_place(self, shape: Any) -> int:
        """Return the first place in `take` for each shape: what is written first binds."""
        return next(
            (i for i in self.taking if self.parts[i].shape in (shape, None)), len(self.parts)
        )


def _shape(pattern: Any) -> Any:
    return pattern.term_identity() if isinstance(pattern, Term) else None


def _reads_back(template: Any) -> bool:
    """Whether what a template made, matched against it as a pattern, gives its variables back.

    A sequence takes in the elements of a bag too, and does not tell afterwards which of the two
    there was; into a nested bag splices go in many ways.
    """
    if isinstance(template, Splice):
        return isinstance(template.inner, Variable) and template.inner.kind == "seq"
    if isinstance(template, Bag) and any(isinstance(part, Splice) for part in template.items):
        return False
    return all(map(_reads_back, parts(template)))


def difference(before: State, after: State) -> tuple[list[Any], list[Any]]:
    """Return the occurrences that only `before` has, and those that only `after` has. O(n)."""
    left: list[Any] = []
    came: list[Any] = []
    olds, news = before.items, after.items
    old_keys, new_keys = list(map(term_key, olds)), list(map(term_key, news))
    i = j = 0
    while i < len(olds) and j < len(news):
        if old_keys[i] == new_keys[j]:
            i, j = i + 1, j + 1
        elif old_keys[i] < new_keys[j]:
            left.append(olds[i])
            i += 1
        else:
            came.append(news[j])
            j += 1
    return left + list(olds[i:]), came + list(news[j:])


class _Pool:
    """Terms with their numbers, indexed by what a pattern says of them."""

    def __init__(self, counted: Iterable[tuple[Any, int]]) -> None:
        self.by_key: dict[Key, tuple[Key, Any, int]] = {}
        for term, number in counted:
            key = term_key(term)
            before = self.by_key[key][2] if key in self.by_key else 0
            self.by_key[key] = (key, term, number + before)

    @cached_property
    def _by_shape(self) -> dict[Any, list[tuple[Key, Any, int]]]:
        found: dict[Any, list[tuple[Key, Any, int]]] = {}
        for entry in self.by_key.values():
            found.setdefault(_shape(entry[1]), []).append(entry)
        return found

    def matches(
        self, part: _Part, env: Env, pending: Pending
    ) -> Iterator[tuple[Key, Any, int, Env, Pending]]:
        """Yield (key, term, its number, bindings, equations) for every match of a pattern."""
        if part.is_known(env):
            entry = self.by_key.get(part.term(env))
            if entry is not None:
                yield *entry, env, pending
            return
        some = part.shape is not None
        for entry in self._by_shape.get(part.shape, ()) if some else self.by_key.values():
            for found, waiting in match(part.pattern, entry[1], env, pending):
                yield *entry, found, waiting


class _Change:
    """What is known of a step before any rule is looked at."""

    def __init__(
        self, puzzle: Puzzle, before: State, after: State, facts: list[tuple[Any, int]]
    ) -> None:
        self.puzzle, self.before, self.after, self._facts = puzzle, before, after, facts
        self.left, self.came = difference(before, after)

    @cached_property
    def mine(self) -> _Pool:
        """The terms of the state."""
        return _Pool(self.before.distinct())

    @cached_property
    def everything(self) -> _Pool:
        """The terms of the state and the facts."""
        return _Pool([*self.before.distinct(), *self._facts])


@frozen
class _Partial:
    """A match under way: bindings, equations and lets that wait, terms by place, what is owed.

    owed   equations (template, value) that hold if `put` gives what came
    """

    env: Env
    pending: Pending
    lets: Lets
    terms: dict[int, Any] = field(factory=dict)
    owed: Pending = ()

    def settled(self) -> Iterator[_Partial]:
        """Yield what is left once everything that has its values is settled."""
        if not (self.pending or self.lets or self.owed):
            yield self
            return
        for env, pending, lets in meaning.settle(self.env, self.pending, self.lets):
            owed = _still_owed(self.owed, env)
            if owed is not None:
                yield _Partial(env, pending, lets, self.terms, owed)

    def matched(self, place: int, term: Any, env: Env, pending: Pending) -> _Partial:
        return _Partial(env, pending, self.lets, self.terms | {place: term}, self.owed)


def _still_owed(owed: Pending, env: Env) -> Pending | None:
    """Return the equations whose variables have no values yet; None where one does not hold."""
    waiting = []
    for template, value in owed:
        if not meaning.is_ready(template, env):
            waiting.append((template, value))
            continue
        try:
            if term_key(evaluate(template, env)) != term_key(value):
                return None
        except NoValue:
            return None
    return tuple(waiting)


def _directed(rule: _Prepared, change: _Change) -> Iterator[RuleApplication]:
    """Yield the ways of a rule that take what left and may put what came, some perhaps twice."""
    first = _Partial({}, (), rule.rule.let)
    left = sorted(change.left, key=lambda term: rule.first_place(_shape(term)))
    for spare, here in _take_left(rule, left, rule.taking, first):
        for taking in _match_any(rule, change, spare, here):
            # what was taken beyond what left is still there: it was put back
            back = [taking.terms[place] for place in spare]
            wanted = tuple([(term_key(term), term) for term in (*change.came, *back)])
            for putting in _put(rule.put, wanted, taking):
                for done in _match_any(rule, change, rule.keeping, putting):
                    yield from _results(rule, change, done)


def _take_left(
    rule: _Prepared, left: list[Any], places: Places, so_far: _Partial
) -> Iterator[tuple[Places, _Partial]]:
    """Give every term that left a place in `take`; yield what places are left over."""
    for here in so_far.settled():
        if not left:
            yield places, here
            continue
        for place in places:
            rest = tuple(other for other in places if other != place)
            for env, pending in rule.parts[place].matches(left[0], here.env, here.pending):
                more = here.matched(place, left[0], env, pending)
                yield from _take_left(rule, left[1:], rest, more)


def _match_any(
    rule: _Prepared, change: _Change, places: Places, so_far: _Partial
) -> Iterator[_Partial]:
    """Match places, first those whose values are known, to any terms that are still unused."""
    for here in so_far.settled():
        if not places:
            yield here
            continue
        used = Counter(map(term_key, here.terms.values()))
        place = next((one for one in places if rule.parts[one].is_known(here.env)), places[0])
        rest = tuple(other for other in places if other != place)
        pool = change.mine if place < len(rule.rule.take) else change.everything
        for key, term, number, env, pending in pool.matches(
            rule.parts[place], here.env, here.pending
        ):
            if used[key] < number:
                yield from _match_any(rule, change, rest, here.matched(place, term, env, pending))


def _results(rule: _Prepared, change: _Change, done: _Partial) -> Iterator[RuleApplication]:
    taken, kept = (tuple(map(done.terms.get, at)) for at in (rule.taking, rule.keeping))
    world = _World(meaning.without(change.before, taken), change.puzzle.facts)
    for env in meaning.late_lets(done.env, done.pending, done.lets, world):
        if meaning.survives(rule.rule, env, world, None):
            yield from meaning.results(rule.rule, env, world, taken, kept, None)


def _put(templates: tuple[_Part, ...], wanted: Owed, so_far: _Partial) -> Iterator[_Partial]:
    """Hold the templates of `put` against the terms that must be put, binding their variables."""
    for here in so_far.settled():
        if not templates:
            yield here
            continue
        place = next((i for i, one in enumerate(templates) if one.is_known(here.env)), 0)
        template, rest = templates[place], templates[:place] + templates[place + 1 :]
        if template.is_known(here.env):
            key = template.term(here.env)
            index = next((i for i, (other, _) in enumerate(wanted) if other == key), -1)
            if index >= 0:
                yield from _put(rest, wanted[:index] + wanted[index + 1 :], here)
        elif not template.reads_back:
            yield from _put(rest, wanted, here)  # nothing can be said of it yet
        else:
            for index, (key, term) in enumerate(wanted):
                if any(key == other for other, _ in wanted[:index]):
                    continue
                left = wanted[:index] + wanted[index + 1 :]
                for env, owed in match(template.pattern, term, here.env, here.owed):
                    more = _Partial(env, here.pending, here.lets, here.terms, owed)
                    yield from _put(rest, left, more)


class _World(World):
    """A world that looks a term up where the bindings leave only one that a pattern can match."""

    @cached_property
    def _keys(self) -> set[Key]:
        return {term_key(term) for term in (*self.terms.items, *self.facts.items)}

    def has(self, pattern: Any, env: Env) -> bool:
        part = _Part.of(pattern)
        return part.term(env) in self._keys if part.is_known(env) else super().has(pattern, env)
