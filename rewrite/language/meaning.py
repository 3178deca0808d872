"""The definition: what a rule does to a state. Slow, obvious, and the judge of both engines.

Meaning of a rule, in this order: `take` and `keep` match distinct occurrences (equal terms are not
tried twice); `let`, `when` and `absent` see what is left after `take` together with the facts,
before `put`; then `put` is added; then `simplify` runs; then `never` judges the new state.

Everything is tried; nothing is planned, indexed or remembered. Rules of this file: no import from
compiler or engine; a variable gets its value from a match, everything else is checked once its
variables have values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import field, frozen

from rewrite.errors import RuleError, SimplifyError
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
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Expression, source
from rewrite.language.functions import OneOf
from rewrite.language.matching import Env, Pending, match, same
from rewrite.language.order import Key, term_key
from rewrite.language.patterns import mentioned, variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State

SIMPLIFY_LIMIT = 10_000
Lets = tuple[tuple[Any, Any], ...]
Observer = Callable[[str, Env, bool], None]
"""Told (stage, bindings, survived) for every candidate that reaches a condition."""


@frozen
class Way:
    """One way in which a rule applies: what it took, kept and put, and the state that results."""

    rule: Rule
    bindings: Env
    taken: tuple[Any, ...]
    put: tuple[Any, ...]
    after: State
    cost: int
    order: Key = field(repr=False)


class World:
    """A bag of terms (the state, or what is left of it) together with the facts."""

    def __init__(self, terms: State, facts: State, puzzle: Puzzle | None = None) -> None:
        self.terms, self.facts, self.puzzle = terms, facts, puzzle
        self.everything = State.of([*terms.items, *facts.items])

    def occurrences(
        self, patterns: tuple[Any, ...], env: Env, alone: bool = False
    ) -> Iterator[tuple[Env, int, Pending]]:
        """Yield (bindings, number of choices of distinct occurrences, open equations)."""
        bag = (self.terms if alone else self.everything).distinct()
        yield from _choose(patterns, bag, [0] * len(bag), env, 1, ())

    def matches(
        self, patterns: tuple[Any, ...], when: tuple[Condition, ...], absent: tuple[Any, ...], env: Env
    ) -> Iterator[tuple[Env, int]]:
        """Yield (bindings, number of choices) of the matches that meet `when` and `absent`."""
        for found, number, pending in self.occurrences(patterns, env):
            try:
                if not all(same(evaluate(t, found, self.aggregate), v) for t, v in pending):
                    continue
                if not all(self.holds(given, found) for given in when):
                    continue
            except NoValue:
                continue
            if not any(self.has(pattern, found) for pattern in absent):
                yield found, number

    def has(self, pattern: Any, env: Env) -> bool:
        """Return whether the pattern matches somewhere; its unbound variables are local."""
        return any(True for _ in self.matches((pattern,), (), (), env))

    def holds(self, given: Condition, env: Env) -> bool:
        """Return whether the condition holds under the bindings."""
        return any(True for _ in self.answers(given, env))

    def answers(self, given: Condition, env: Env) -> Iterator[Env]:
        """Yield the bindings under which the condition holds (once each is not promised)."""
        if isinstance(given, Contains):
            for found, _ in self.matches(given.patterns, given.when, given.absent, env):
                yield found
        elif isinstance(given, Exactly):
            if len(given.patterns) == len(self.terms):
                alone = World(self.terms, State.of([]))
                for found, _ in alone.matches(given.patterns, (), (), env):
                    if self._all(given.when, found):
                        yield found
        elif isinstance(given, Lacks):
            if not any(True for _ in self.matches(given.patterns, given.when, given.absent, env)):
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

    def _all(self, given: tuple[Condition, ...], env: Env) -> bool:
        try:
            return all(self.holds(one, env) for one in given)
        except NoValue:
            return False

    def _plain(self, given: Condition, env: Env) -> bool:
        if isinstance(given, Holds):
            try:
                value = evaluate(given.expression, env, self.aggregate)
            except NoValue:
                return False
            if type(value) is not bool:
                raise Failed(source(given), TypeError(f"needs True or False, found {value!r}"))
            return value
        if isinstance(given, OneOfStates):
            return any(self.terms == one for one in given.states)
        if isinstance(given, Predicate):
            try:
                return bool(given.function(self.terms))
            except Exception as cause:
                raise Failed(f"{given!r}({self.terms})", cause) from cause
        if isinstance(given, Terminal):
            if self.puzzle is None:
                raise Failed("terminal()", TypeError("stands in goals only"))
            return not successors(self.puzzle, self.terms)
        raise TypeError(f"unknown condition {given!r}")

    def aggregate(self, given: Any, env: Any) -> Any:
        """Return the value of an aggregate over this world."""
        if not isinstance(given, Aggregate):
            raise TypeError(f"{source(given)} has no value")
        if given.name in ("count", "total"):
            result = 0
            for found, number in self.matches(given.patterns, given.when, (), env):
                value = evaluate(given.value, found, self.aggregate)
                if type(value) is not int:
                    raise TypeError(f"needs whole numbers, found {value!r}")
                result += number * value
            return result
        values = [
            evaluate(given.value, found, self.aggregate)
            for found, _ in self.matches(given.patterns, given.when, (), env)
        ]
        if not values:
            raise NoValue
        choose = min if given.name == "lowest" else max
        return choose(values, key=term_key)


def _choose(
    patterns: tuple[Any, ...],
    bag: list[tuple[Any, int]],
    used: list[int],
    env: Env,
    number: int,
    pending: Pending,
) -> Iterator[tuple[Env, int, Pending]]:
    if not patterns:
        yield env, number, pending
        return
    for index, (term, count) in enumerate(bag):
        if used[index] == count:
            continue
        seen: set[Any] = set()
        for found, waiting in match(patterns[0], term, env, pending):
            signature = _signature(found, waiting)
            if signature in seen:  # (*ANY, 0, *ANY) matches (0, 0) twice, with nothing to tell apart
                continue
            seen.add(signature)
            used[index] += 1
            left = count - used[index] + 1
            yield from _choose(patterns[1:], bag, used, found, number * left, waiting)
            used[index] -= 1


def _signature(env: Env, pending: Pending) -> Any:
    return (
        tuple(sorted((v.name, v.kind, term_key(value)) for v, value in env.items())),
        tuple((term_key(template), term_key(value)) for template, value in pending),
    )


def ways(puzzle: Puzzle, rule: Rule, before: State, observe: Observer | None = None) -> list[Way]:
    """Return every way in which `rule` applies to `before`, in canonical order.

    Order: by the terms taken, then kept, then by the bindings in order of occurrence. `simplify` and
    `never` are not applied here. Raises RuleError for what fails in a person's function.
    """
    found: dict[Key, Way] = {}
    try:
        for way in _ways(puzzle, rule, before, observe):
            found.setdefault(way.order, way)
    except Failed as failure:
        raise RuleError(
            f"rule {rule.name!r} failed in {failure.call}, in state {before}: "
            f"{type(failure.cause).__name__}: {failure.cause}",
            rule=rule.name,
            call=failure.call,
            state=before,
        ) from failure.cause
    return [found[order] for order in sorted(found)]


def _ways(
    puzzle: Puzzle, rule: Rule, before: State, observe: Observer | None
) -> Iterator[Way]:
    mine, given = dict(before.distinct()), dict(puzzle.facts.distinct())
    terms = State.of({**mine, **given})
    stock = [(term, mine.get(term, 0), given.get(term, 0)) for term in terms]
    pools = [(pattern, True) for pattern in rule.take] + [(pattern, False) for pattern in rule.keep]
    for env, pending, lets, taken, kept in _settled({}, (), rule.let, pools, stock):
        left = list(before.items)
        for term in taken:
            left.remove(term)
        world = World(State.of(left), puzzle.facts)
        for bound in _late_lets(env, pending, lets, world):
            if _survives(rule, bound, world, observe):
                yield from _result(rule, bound, world, taken, kept)


def _settled(
    env: Env,
    pending: Pending,
    lets: Lets,
    pools: list[tuple[Any, bool]],
    stock: list[tuple[Any, int, int]],
    taken: tuple[Any, ...] = (),
    kept: tuple[Any, ...] = (),
) -> Iterator[tuple[Env, Pending, Lets, tuple[Any, ...], tuple[Any, ...]]]:
    """Match take and keep one after the other, settling lets and equations as soon as they can be."""
    for found, waiting, open_lets in _settle(env, pending, lets):
        if not pools:
            yield found, waiting, open_lets, taken, kept
            continue
        (pattern, takes), rest = pools[0], pools[1:]
        for term, mine, given in stock:
            took = sum(1 for other in taken if same(other, term))
            held = sum(1 for other in kept if same(other, term))
            if (took >= mine) if takes else (took + held >= mine + given):
                continue
            if takes and took + held >= mine + given:
                continue
            for bound, more in match(pattern, term, found, waiting):
                more_taken = (*taken, term) if takes else taken
                more_kept = kept if takes else (*kept, term)
                yield from _settled(bound, more, open_lets, rest, stock, more_taken, more_kept)


def _settle(env: Env, pending: Pending, lets: Lets) -> Iterator[tuple[Env, Pending, Lets]]:
    """Check the equations and branch over the lets whose variables all have values."""
    for index, (template, value) in enumerate(pending):
        if _is_ready(template, env):
            rest = pending[:index] + pending[index + 1 :]
            try:
                if same(evaluate(template, env), value):
                    yield from _settle(env, rest, lets)
            except NoValue:
                pass
            return
    for index, (pattern, value) in enumerate(lets):
        if _is_ready(value, env) and not _sees_state(value):
            rest_lets = lets[:index] + lets[index + 1 :]
            for found, more in _let(pattern, value, env, pending, None):
                yield from _settle(found, more, rest_lets)
            return
    yield env, pending, lets


def _late_lets(env: Env, pending: Pending, lets: Lets, world: World) -> Iterator[Env]:
    """Branch over the lets that look at the state, then settle what waited for them."""
    if not lets:
        if not pending:
            yield env
        return
    index = next(i for i, (_, value) in enumerate(lets) if _is_ready(value, env))
    pattern, value = lets[index]
    for found, more in _let(pattern, value, env, pending, world):
        for bound, waiting, rest in _settle(found, more, lets[:index] + lets[index + 1 :]):
            yield from _late_lets(bound, waiting, rest, world)


def _let(
    pattern: Any, value: Any, env: Env, pending: Pending, world: World | None
) -> Iterator[tuple[Env, Pending]]:
    options = value.options if isinstance(value, OneOf) else (value,)
    try:
        if not isinstance(options, tuple):
            options = _elements(options, env, world)
        for option in options:
            result = evaluate(option, env, world.aggregate) if world else evaluate(option, env)
            yield from match(pattern, result, env, pending)
    except NoValue:
        return


def _elements(options: Expression, env: Env, world: World | None) -> tuple[Any, ...]:
    value = evaluate(options, env, world.aggregate) if world else evaluate(options, env)
    if type(value) is tuple:
        return value
    if hasattr(value, "items"):
        return tuple(value.items)
    raise Failed(f"one_of({source(options)})", TypeError(f"needs a sequence, found {value!r}"))


def _is_ready(value: Any, env: Env) -> bool:
    return all(variable in env for variable in variables(value))


def _sees_state(value: Any) -> bool:
    return set(mentioned(value)) != set(variables(value)) or "Aggregate" in _types(value)


def _types(value: Any) -> set[str]:
    found = {type(value).__name__}
    if isinstance(value, OneOf):
        return found | _types(value.options)
    children: Any = value.children() if isinstance(value, Expression) else ()
    if isinstance(value, tuple):
        children = value
    for child in children:
        found |= _types(child)
    return found


def _survives(rule: Rule, env: Env, world: World, observe: Observer | None) -> bool:
    for given in rule.when:
        try:
            good = world.holds(given, env)
        except NoValue:
            good = False
        if observe:
            observe(f"when={given!r}", env, good)
        if not good:
            return False
    for pattern in rule.absent:
        good = not world.has(pattern, env)
        if observe:
            observe(f"absent={source(pattern)}", env, good)
        if not good:
            return False
    return True


def _result(
    rule: Rule, env: Env, world: World, taken: tuple[Any, ...], kept: tuple[Any, ...]
) -> Iterator[Way]:
    try:
        put = tuple(evaluate(template, env, world.aggregate) for template in rule.put)
        cost = evaluate(rule.cost, env, world.aggregate)
    except NoValue:
        return
    if type(cost) is not int or cost < 0:
        raise Failed(f"cost={source(rule.cost)}",
                     ValueError(f"a cost is a whole number of 0 or more, found {cost!r}"))  # fmt: skip
    order = (
        tuple(term_key(term) for term in taken),
        tuple(term_key(term) for term in kept),
        tuple(term_key(env[variable]) for variable in rule.bound if variable in env),
    )
    after = State.of([*world.terms.items, *put])
    yield Way(rule, {v: env[v] for v in rule.bound if v in env}, taken, put, after, cost, order)


def simplified(puzzle: Puzzle, state: State) -> State:
    """Return the normal form of a state under `simplify`.

    Each round the first rule that applies is used; where it applies in several ways, the resulting
    state that comes first in canonical order is taken. Raises SimplifyError when it does not end.
    """
    fired: dict[str, int] = {}
    for _ in range(SIMPLIFY_LIMIT):
        for rule in puzzle.simplify:
            results = [way.after for way in ways(puzzle, rule, state)]
            if results:
                fired[rule.name] = fired.get(rule.name, 0) + 1
                state = min(results, key=term_key)
                break
        else:
            return state
    often = [name for name, number in fired.items() if number > SIMPLIFY_LIMIT // 100]
    raise SimplifyError(
        f"{puzzle.name}: simplify does not end: after {SIMPLIFY_LIMIT:,} rounds "
        f"{', '.join(map(repr, often))} still fires, the last state is {state}. A simplify rule must "
        "bring the state nearer to a form in which no simplify rule applies",
        rules=tuple(often),
        state=state,
    )


def forbidden(puzzle: Puzzle, state: State) -> Condition | None:
    """Return the `never` condition that the state meets, or None."""
    world = World(state, puzzle.facts, puzzle)
    return next((given for given in puzzle.never if judge(world, given, "never")), None)


def judge(world: World, given: Condition, where: str) -> bool:
    """Return whether a condition holds in a world, naming it where it fails."""
    return any(True for _ in bindings(world, given, where))


def bindings(world: World, given: Condition, where: str = "goal") -> Iterator[Env]:
    """Yield the bindings of a condition's matches, errors told with the condition."""
    try:
        yield from world.answers(given, {})
    except NoValue:
        return
    except Failed as failure:
        raise RuleError(
            f"{where}={given!r} failed in {failure.call}, in state {world.terms}: "
            f"{type(failure.cause).__name__}: {failure.cause}",
            call=failure.call,
            state=world.terms,
        ) from failure.cause


def is_goal(puzzle: Puzzle, state: State, goal: Condition) -> bool:
    """Return whether a state meets the goal."""
    return judge(World(state, puzzle.facts, puzzle), goal, "goal")


def successors(puzzle: Puzzle, before: State) -> list[Way]:
    """Return every way out of a state, simplified and without what `never` forbids.

    Order: rules as declared; within a rule as `ways` orders them.
    """
    found: list[Way] = []
    for rule in puzzle.rules:
        for way in ways(puzzle, rule, before):
            after = simplified(puzzle, way.after) if puzzle.simplify else way.after
            if puzzle.never and forbidden(puzzle, after) is not None:
                continue
            found.append(
                Way(rule, way.bindings, way.taken, way.put, after, way.cost, way.order)
            )
    return found


def value_of(puzzle: Puzzle, expression: Expression, state: State) -> Any:
    """Return the value of an expression (a heuristic, `minimize`) in a state. Raises NoValue."""
    world = World(state, puzzle.facts, puzzle)
    try:
        return evaluate(expression, {}, world.aggregate)
    except Failed as failure:
        raise RuleError(
            f"{source(expression)} failed in {failure.call}, in state {state}: "
            f"{type(failure.cause).__name__}: {failure.cause}",
            state=state,
        ) from failure.cause
