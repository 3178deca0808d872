"""The definition: what a rule does to a state. Slow and obvious; the reference for both engines.

Meaning of a rule, in this order: `take` and `keep` match distinct occurrences (equal terms are not
tried twice); `let`, `when` and `absent` see what is left after `take` together with the facts,
before `put`; each match of `effects` is judged in the state before the step like one of a rule, and
what it takes goes too; then `put` is added (in a puzzle of sets, what is not there yet), with what
effects put; then `simplify` runs; then `never` judges the new state.

States are normal forms under `simplify`, including the start (`simplified`) and the states that a
goal names (`normal_goal`).

Everything is tried; nothing is planned, indexed or cached. Rules of this file: no import from
compiler or engine; a variable gets its value from a match, everything else is checked once its
variables have values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve, field, frozen

from rewrite.errors import SimplifyError
from rewrite.language.bag import Bag
from rewrite.language.checks import aggregates_in
from rewrite.language.conditions import (
    Both,
    Condition,
    Contains,
    Either,
    Not,
    OneOfStates,
)
from rewrite.language.evaluation import Aggregates, Failed, NoValue, evaluate, no_state, shown
from rewrite.language.expressions import Expression
from rewrite.language.functions import OneOf
from rewrite.language.matching import Env, Pending, match, same
from rewrite.language.nesting import MOST_LEVELS, too_deep
from rewrite.language.order import Key, levels_of, source, term_key
from rewrite.language.patterns import variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.satisfaction import World, without
from rewrite.language.states import State

SIMPLIFY_LIMIT = 10_000
Lets = tuple[tuple[Any, Any], ...]
Observer = Callable[[str, Env, bool], None]
"""Called with (stage, bindings, survived): "match" for every match of take, keep and let, then each
condition that it reaches, then "put" (which has not survived if it has no value)."""


@frozen
class RuleApplication:
    """One way in which a rule applies: what it took, kept and put, and the resulting state."""

    rule: Rule
    bindings: Env
    taken: tuple[Any, ...]
    put: tuple[Any, ...]
    after: State
    cost: int
    order: Key = field(repr=False)


def ways(
    puzzle: Puzzle, rule: Rule, before: State, observe: Observer | None = None
) -> list[RuleApplication]:
    """Return every way in which `rule` applies to `before`, without `simplify` and `never`.

    Order: by the terms taken, then kept, then by the bindings in order of occurrence. Raises
    RuleError for failures in a user function.
    """
    found: dict[Key, RuleApplication] = {}
    try:
        for way in _ways(puzzle, rule, before, observe):
            found.setdefault(way.order, way)
    except Failed as failure:
        raise failure.error(f"rule {rule.name!r}", before, rule=rule.name) from failure.cause
    return [found[order] for order in sorted(found)]


def _ways(
    puzzle: Puzzle, rule: Rule, before: State, observe: Observer | None
) -> Iterator[RuleApplication]:
    for env, pending, lets, taken, kept in _matched(puzzle, rule, before, rule.let):
        world = World(without(before, taken), puzzle.facts)
        for bound in late_lets(env, pending, lets, world):
            if observe:
                observe("match", bound, True)
            if survives(rule, bound, world, observe):
                yield from results(rule, bound, world, taken, kept, observe, puzzle.sets)


def partial_matches(
    puzzle: Puzzle, rule: Rule, before: State, number: int, lets: Lets = ()
) -> Iterator[tuple[Env, tuple[Any, ...]]]:
    """Yield (bindings, terms) for the first `number` patterns of take and keep, with these lets.

    Equations with unbound variables stay pending, and so do lets that look at the state.
    """
    for env, _, _, taken, kept in _matched(puzzle, rule, before, lets, number):
        yield env, (*taken, *kept)


def _matched(
    puzzle: Puzzle, rule: Rule, before: State, lets: Lets, number: int | None = None
) -> Iterator[tuple[Env, Pending, Lets, tuple[Any, ...], tuple[Any, ...]]]:
    stock = _stock(before, puzzle.facts)
    pools = [(pattern, True) for pattern in rule.take] + [(pattern, False) for pattern in rule.keep]
    yield from _settled({}, (), lets, pools[:number], stock)


def _stock(state: State, facts: State) -> list[tuple[Any, int, int]]:
    """Return each term, with how many of it there are in a state and among the facts."""
    everything = State.of([*state.items, *facts.items])
    among_facts = {term_key(term): number for term, number in facts.distinct()}
    found: list[tuple[Any, int, int]] = []
    for term, number in everything.distinct():
        given = among_facts.get(term_key(term), 0)
        found.append((term, number - given, given))
    return found


def _settled(
    env: Env,
    pending: Pending,
    lets: Lets,
    pools: list[tuple[Any, bool]],
    stock: list[tuple[Any, int, int]],
    taken: tuple[Any, ...] = (),
    kept: tuple[Any, ...] = (),
) -> Iterator[tuple[Env, Pending, Lets, tuple[Any, ...], tuple[Any, ...]]]:
    """Match take and keep one by one, settling lets and equations as early as possible."""
    for found, waiting, open_lets in settle(env, pending, lets):
        if not pools:
            yield found, waiting, open_lets, taken, kept
            continue
        (pattern, takes), rest = pools[0], pools[1:]
        for term, mine, given in stock:
            took = sum(1 for other in taken if other is term)  # the stock has each term once
            held = sum(1 for other in kept if other is term)
            if took + held >= mine + given or (takes and took >= mine):
                continue
            for bound, more in match(pattern, term, found, waiting):
                more_taken = (*taken, term) if takes else taken
                more_kept = kept if takes else (*kept, term)
                yield from _settled(bound, more, open_lets, rest, stock, more_taken, more_kept)


def settle(env: Env, pending: Pending, lets: Lets) -> Iterator[tuple[Env, Pending, Lets]]:
    """Check the equations and branch over the lets whose variables all have values."""
    for index, (template, value) in enumerate(pending):
        if is_ready(template, env):
            rest = pending[:index] + pending[index + 1 :]
            try:
                if same(evaluate(template, env), value):
                    yield from settle(env, rest, lets)
            except NoValue:
                pass
            return
    for index, (pattern, value) in enumerate(lets):
        if is_ready(value, env) and not aggregates_in(value):
            rest_lets = lets[:index] + lets[index + 1 :]
            for found, more in _let(pattern, value, env, pending, None):
                yield from settle(found, more, rest_lets)
            return
    yield env, pending, lets


def late_lets(env: Env, pending: Pending, lets: Lets, world: World) -> Iterator[Env]:
    """Branch over the lets that look at the state, then settle what depended on them."""
    if not lets:
        if not pending:
            yield env
        return
    index = next(i for i, (_, value) in enumerate(lets) if is_ready(value, env))
    pattern, value = lets[index]
    for found, more in _let(pattern, value, env, pending, world):
        for bound, waiting, rest in settle(found, more, lets[:index] + lets[index + 1 :]):
            yield from late_lets(bound, waiting, rest, world)


def _let(
    pattern: Any, value: Any, env: Env, pending: Pending, world: World | None
) -> Iterator[tuple[Env, Pending]]:
    """Branch over the values of a let; skip one without a value."""
    aggregates = world.aggregate if world else no_state
    options = value.options if isinstance(value, OneOf) else (value,)
    if not isinstance(options, tuple):
        try:
            options = _elements(options, env, aggregates)
        except NoValue:
            return
    for option in options:
        try:
            result = evaluate(option, env, aggregates)
        except NoValue:
            continue
        yield from match(pattern, result, env, pending)


def _elements(options: Expression, env: Env, aggregates: Aggregates) -> tuple[Any, ...]:
    value = evaluate(options, env, aggregates)
    if type(value) is tuple:
        return value
    if isinstance(value, Bag):
        return value.items
    wrong = TypeError(f"needs a sequence, found {source(value)}")
    raise Failed(f"one_of({source(options)})", wrong, shown(options, env))


def is_ready(value: Any, env: Env) -> bool:
    return all(variable in env for variable in variables(value))


def survives(rule: Rule | Contains, env: Env, world: World, observe: Observer | None) -> bool:
    for given in rule.when:
        good = world.holds(given, env)
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


def results(
    rule: Rule,
    env: Env,
    world: World,
    taken: tuple[Any, ...],
    kept: tuple[Any, ...],
    observe: Observer | None,
    sets: bool,
) -> Iterator[RuleApplication]:
    try:
        put = tuple(evaluate(template, env, world.aggregate) for template in rule.put)
        cost = evaluate(rule.cost, env, world.aggregate)
    except NoValue:
        if observe:
            observe("put", env, False)
        return
    if observe:
        observe("put", env, True)
    _check_levels(rule.put, put)
    if type(cost) is not int or cost < 0:
        wrong = ValueError(f"a cost is a whole number of 0 or more, found {source(cost)}")
        raise Failed(f"cost={source(rule.cost)}", wrong, shown(rule.cost, env))
    order = (
        tuple(term_key(term) for term in taken),
        tuple(term_key(term) for term in kept),
        tuple(term_key(env[variable]) for variable in rule.bound if variable in env),
    )
    if rule.effects:
        before = State.of([*world.terms.items, *taken])
        gone, came = affected(rule, env, before, world.facts)
        gone = tuple([term for term in gone if world.terms.count(term)])
        taken, put = (*taken, *gone), (*put, *came)
        world = World(without(world.terms, gone), world.facts)
    after = State.of([*world.terms.items, *put])
    bound = {v: env[v] for v in rule.bound if v in env}
    yield RuleApplication(rule, bound, taken, put, after.once() if sets else after, cost, order)


def _check_levels(templates: tuple[Any, ...], put: Iterable[Any]) -> None:
    for template, value in zip(templates, put, strict=True):
        if levels_of(value) > MOST_LEVELS:
            deep = ValueError(too_deep("the term", str(levels_of(value))))
            raise Failed(f"put={source(template)}", deep)


def affected(
    rule: Rule, env: Env, before: State, facts: State
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return what effects take besides what the rule took, and what they put, one of each term."""
    gone, came, stock = list[Any](), list[Any](), _stock(before, facts)
    for effect in rule.effects:
        pools = [(one, True) for one in effect.take] + [(one, False) for one in effect.keep]
        for found, pending, lets, taken, _ in _settled(env, (), (), pools, stock):
            world = World(without(before, taken), facts)
            for bound in late_lets(found, pending, lets, world):
                if not survives(effect.where, bound, world, None):
                    continue
                with suppress(NoValue):
                    put = [evaluate(template, bound, world.aggregate) for template in effect.put]
                    _check_levels(effect.put, put)
                    gone += taken
                    came += put
    return State.of(gone).once().items, State.of(came).once().items


def simplified(puzzle: Puzzle, state: State) -> State:
    """Return the normal form of a state under `simplify`; of a set, with one of each term.

    Each round uses the first rule that applies; if it applies in several ways, the first result in
    canonical order is taken. Raises SimplifyError if it does not terminate.
    """
    fired = Counter[str]()
    state = state.once() if puzzle.sets else state
    for _ in range(SIMPLIFY_LIMIT):
        for rule in puzzle.simplify:
            results = [way.after for way in ways(puzzle, rule, state)]
            if results:
                fired[rule.name] += 1
                state = min(results, key=term_key)
                break
        else:
            return state
    raise endless(puzzle, state, fired)


def endless(puzzle: Puzzle, state: State, fired: Mapping[str, int]) -> SimplifyError:
    """Return the error for a `simplify` of which these rules have fired so often."""
    often = [name for name, number in fired.items() if number > SIMPLIFY_LIMIT // 100]
    return SimplifyError(
        f"{puzzle.name}: simplify does not end: after {SIMPLIFY_LIMIT:,} rounds "
        f"{', '.join(map(repr, often))} still fire{'s' * (len(often) == 1)}, the last state is "
        f"{state}. A simplify rule must bring the state nearer to a form in which none applies",
        rules=tuple(often),
        state=state,
    )


def normal_goal(puzzle: Puzzle, goal: Condition) -> Condition:
    """Return the goal with the states that it names in normal form; itself if it names none."""
    if not puzzle.simplify and not puzzle.sets:
        return goal
    if isinstance(goal, OneOfStates):
        return OneOfStates([simplified(puzzle, state) for state in goal.states])
    if isinstance(goal, (Both, Either)):
        return type(goal)(normal_goal(puzzle, goal.left), normal_goal(puzzle, goal.right))
    if isinstance(goal, Not):
        return Not(normal_goal(puzzle, goal.inner))
    return goal


def world_of(puzzle: Puzzle, state: State) -> World:
    """Return the state with the facts, the world in which goals and conditions are judged."""
    return World(state, puzzle.facts, lambda given: not successors(puzzle, given))


def forbidden(puzzle: Puzzle, state: State) -> Condition | None:
    """Return the `never` condition that the state meets, or None."""
    world = world_of(puzzle, state)
    return next((given for given in puzzle.never if judge(world, given, "never")), None)


def judge(world: World, given: Condition, where: str) -> bool:
    """Return whether a condition holds in a world; errors name it."""
    return next(bindings(world, given, where), None) is not None


def bindings(world: World, given: Condition, where: str = "goal") -> Iterator[Env]:
    """Yield the bindings of a condition's matches; errors name the condition."""
    try:
        yield from world.answers(given, {})
    except Failed as failure:
        raise failure.error(f"{where}={given!r}", world.terms) from failure.cause


def is_goal(puzzle: Puzzle, state: State, goal: Condition) -> bool:
    """Return whether a state in normal form meets the goal."""
    return judge(world_of(puzzle, state), normal_goal(puzzle, goal), "goal")


def successors(
    puzzle: Puzzle, before: State, rules: Iterable[Rule] | None = None
) -> list[RuleApplication]:
    """Return every way out of a state (by `rules`), simplified, without what `never` forbids.

    Order: rules as declared; within a rule as `ways` orders them.
    """
    found: list[RuleApplication] = []
    for rule in puzzle.rules if rules is None else rules:
        for way in ways(puzzle, rule, before):
            after = simplified(puzzle, way.after) if puzzle.simplify else way.after
            if not (puzzle.never and forbidden(puzzle, after) is not None):
                found.append(evolve(way, after=after))
    return found


def value_of(puzzle: Puzzle, expression: Expression, state: State) -> Any:
    """Return the value of an expression (a heuristic, `minimize`) in a state. Raises NoValue."""
    world = world_of(puzzle, state)
    try:
        return evaluate(expression, {}, world.aggregate)
    except Failed as failure:
        raise failure.error(source(expression), state) from failure.cause
