"""The definition of conditions and aggregates: what holds of a bag of terms and the facts.

Part of the definition (`language.meaning`): slow and obvious, by brute force. A condition without a
value does not hold; one that fails raises Failed, and the caller adds where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from rewrite.errors import FAILURES
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
    Predicate,
    Terminal,
)
from rewrite.language.evaluation import Failed, NoValue, evaluate, is_true, shown
from rewrite.language.matching import Env, Pending, match, same
from rewrite.language.order import source, term_key
from rewrite.language.states import State


class World:
    """A bag of terms (the state, or what is left of it) together with the facts."""

    def __init__(
        self, terms: State, facts: State, is_terminal: Callable[[State], bool] | None = None
    ) -> None:
        self.terms, self.facts, self.is_terminal = terms, facts, is_terminal

    @cached_property
    def everything(self) -> State:
        return State.of([*self.terms.items, *self.facts.items])

    def matches(
        self,
        patterns: tuple[Any, ...],
        when: tuple[Condition, ...],
        absent: tuple[Any, ...],
        env: Env,
        rest: Any = None,
    ) -> Iterator[tuple[Env, int]]:
        """Yield (bindings, number of choices) of the matches that meet `when` and `absent`.

        rest   the pattern for the unmatched terms of the state, if needed
        """
        bag = self.everything.distinct()
        for chosen, number, pending, terms in _choose(patterns, bag, [0] * len(bag), env):
            for found, waiting in self._rests(rest, terms, chosen, pending):
                try:
                    if not all(same(evaluate(t, found, self.aggregate), v) for t, v in waiting):
                        continue
                except NoValue:
                    continue
                good = all(self.holds(given, found) for given in when)
                if good and not any(self.has(pattern, found) for pattern in absent):
                    yield found, number

    def _rests(
        self, rest: Any, terms: tuple[Any, ...], env: Env, pending: Pending
    ) -> Iterator[tuple[Env, Pending]]:
        """Match the rest: the state without the terms that patterns matched."""
        if rest is None:
            yield env, pending
            return
        yield from match(rest, Bag.of(without(self.terms, terms).items), env, pending)

    def has(self, pattern: Any, env: Env) -> bool:
        """Return whether the pattern matches somewhere; its unbound variables are local."""
        return next(self.matches((pattern,), (), (), env), None) is not None

    def holds(self, given: Condition, env: Env) -> bool:
        return any(True for _ in self.answers(given, env))

    def answers(self, given: Condition, env: Env) -> Iterator[Env]:
        """Yield the bindings under which the condition holds; some may be repeated."""
        if isinstance(given, Contains):
            for found, _ in self.matches(given.patterns, given.when, given.absent, env, given.rest):
                yield found
        elif isinstance(given, Exactly):
            if len(given.patterns) == len(self.terms) or given.rest is not None:
                alone = World(self.terms, State.of([]))
                for found, _ in alone.matches(given.patterns, (), (), env, given.rest):
                    if all(self.holds(one, found) for one in given.when):
                        yield found
        elif isinstance(given, Lacks):
            found_any = self.matches(given.patterns, given.when, given.absent, env, given.rest)
            if next(found_any, None) is None:
                yield env
        elif isinstance(given, Both):
            for found in self.answers(given.left, env):
                yield from self.answers(given.right, found)
        elif isinstance(given, Either):
            yield from self.answers(given.left, env)
            yield from self.answers(given.right, env)
        elif isinstance(given, Not):
            if not self.holds(given.inner, env):
                yield env
        elif self._plain(given, env):
            yield env

    def _plain(self, given: Condition, env: Env) -> bool:
        if isinstance(given, Holds):
            try:
                return is_true(given.expression, env, self.aggregate)
            except NoValue:
                return False
        if isinstance(given, OneOfStates):
            return any(self.terms == one for one in given.states)
        if isinstance(given, Predicate):
            try:
                return given.judged(self.terms)
            except FAILURES as cause:
                raise Failed(f"{given!r}({self.terms})", cause) from cause
        assert isinstance(given, Terminal), given
        if self.is_terminal is None:
            raise Failed("terminal()", TypeError("stands in goals only"))
        return self.is_terminal(self.terms)

    def aggregate(self, given: Any, env: Any) -> Any:
        if not isinstance(given, Aggregate):
            raise Failed(source(given), TypeError("it has no value"))
        values = (
            (evaluate(given.value, found, self.aggregate), number)
            for found, number in self.matches(given.patterns, given.when, (), env)
        )
        if given.name in ("lowest", "highest"):
            known = [value for value, _ in values]
            if not known:
                raise NoValue
            return (min if given.name == "lowest" else max)(known, key=term_key)
        result = 0
        for value, number in values:
            if type(value) is not int:
                wrong = TypeError(f"needs whole numbers, found {source(value)}")
                raise Failed(source(given), wrong, shown(given, env))
            result += number * value
        return result


def without(state: State, terms: tuple[Any, ...]) -> State:
    """Return a state without these terms; what it has no more of, the facts have."""
    left = list(state.items)
    for term in terms:
        place = next((i for i, other in enumerate(left) if same(other, term)), None)
        if place is not None:
            del left[place]
    return State.of(left)


def _choose(
    patterns: tuple[Any, ...],
    bag: list[tuple[Any, int]],
    used: list[int],
    env: Env,
    number: int = 1,
    pending: Pending = (),
    terms: tuple[Any, ...] = (),
) -> Iterator[tuple[Env, int, Pending, tuple[Any, ...]]]:
    if not patterns:
        yield env, number, pending, terms
        return
    for index, (term, count) in enumerate(bag):
        if used[index] == count:
            continue
        seen: set[Any] = set()
        for found, waiting in match(patterns[0], term, env, pending):
            signature = _signature(found, waiting)
            if signature in seen:  # (*ANY, 0, *ANY) matches (0, 0) twice, with the same bindings
                continue
            seen.add(signature)
            used[index] += 1
            left = count - used[index] + 1
            chosen = (*terms, term)
            yield from _choose(patterns[1:], bag, used, found, number * left, waiting, chosen)
            used[index] -= 1


def _signature(env: Env, pending: Pending) -> Any:
    return (
        tuple(sorted((v.name, v.kind, term_key(value)) for v, value in env.items())),
        tuple((term_key(template), term_key(value)) for template, value in pending),
    )
