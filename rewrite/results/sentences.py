"""Why a rule has no move in a state, and what of the goal holds there: in sentences."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from attrs import evolve

from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.conditions import Both, Condition, Contains, Exactly, Lacks, OneOfStates
from rewrite.language.evaluation import Aggregates, Failed, NoValue, evaluate, no_state
from rewrite.language.expressions import ANY, Call
from rewrite.language.labels import Template, cut, one_line
from rewrite.language.matching import Env, match, same
from rewrite.language.order import source, term_key
from rewrite.language.patterns import computes, mentioned
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.terms import Term, is_ground
from rewrite.results.phrases import a, listing, noun, plural, said, written

LONGEST_TEXT, MOST_PARTS, MOST_NAMED, FEWEST_ALIKE = 300, 100, 6, 3
"""Characters of a sentence; parts of a goal; missing terms of a group; terms of a group."""
MOST_TRIED, MOST_COMPARED = 100_000, 10_000
"""Pairs of a partial match and a term: to try for one pattern, and to choose an example from."""
LONGEST = 1.0
"""Seconds after which a rule, or the rest of a goal, is not looked into."""
LATE = "not looked into: it takes long"
Part = tuple[str, bool | None, str]
"""A sentence, whether it holds (None if that is not known), and its source."""


def told_stop(puzzle: Puzzle, state: State, rule: Rule) -> tuple[str, str]:
    """The example is one of the matches that come furthest; computed patterns are matched last."""
    try:
        why, raw = _stop(puzzle, state, rule, time.monotonic() + LONGEST)
    except (RewriteError, Failed) as error:
        why = raw = str(error)
    return one_line(cut(why, LONGEST_TEXT)), one_line(raw)


def _in_time(until: float) -> bool:
    if time.monotonic() > until:
        raise RewriteError(LATE)
    return True


def _stop(puzzle: Puzzle, state: State, rule: Rule, until: float) -> tuple[str, str]:
    take, keep = (tuple(sorted(some, key=computes)) for some in (rule.take, rule.keep))
    rule = evolve(rule, take=take, keep=keep)
    everything = State.of([*state.items, *puzzle.facts.items])
    before: list[tuple[Env, tuple[Any, ...]]] = [({}, ())]
    for number, pattern in enumerate((None, *take, *keep)):
        _in_time(until if len(before) * len(everything) <= MOST_TRIED else 0)
        ways = meaning.partial_matches(puzzle, rule, state, number, rule.let)
        after = [way for way in ways if _in_time(until)]
        if not after and before and number:
            part, pool = ("take", state) if number <= len(take) else ("keep", everything)
            return _unmatched(pool, rule, pattern, before), f"{part} {source(pattern)}"
        before = after
    return _failing(puzzle, state, rule, until) or (_no_value(rule), "let")


def _no_value(rule: Rule) -> str:
    lets = (f"{source(pattern)} = {source(value)}" for pattern, value in rule.let)
    return f"there is no value for {listing(lets)}"


def _unmatched(pool: State, rule: Rule, pattern: Any, before: list[Any]) -> str:
    terms = [term for term, _ in pool.distinct()]
    if not any(True for term in terms for _ in match(pattern, term, {})):
        return f"there is no {noun(pattern, {})}"
    few = before[: 1 + MOST_COMPARED // len(terms)]
    env, taken = max(few, key=lambda way: _closeness(terms, pattern, way[0]))
    fitting = [term for term in terms if _fits(pattern, term, env)]
    used = any(same(one, term) for one in fitting for term in taken)
    why = f"there is no {'other ' * used}{noun(pattern, env)}"
    if fitting and not used:
        why = _no_value(rule) if rule.let else f"{why} that fits the rest"
    return _example(rule, env, why, before)


def _closeness(terms: list[Any], pattern: Any, env: Env) -> int:
    """Return how many fields match those of one term, at most, and how many those of any."""
    names = pattern.term_fields if isinstance(pattern, Term) else ()
    rows = [
        [
            name in one.term_fields and _fits(getattr(pattern, name), getattr(one, name), env)
            for name in names
        ]
        for one in terms
        if isinstance(one, Term)
    ]
    return max(map(sum, rows), default=0) + sum(map(any, zip(*rows, strict=True)))


def _fits(pattern: Any, term: Any, env: Env) -> bool:
    found = match(pattern, term, env)
    return any(True for one in found for _ in meaning.settle(*one, ()))


def _example(rule: Rule, env: Env, why: str, failing: list[Any]) -> str:
    """Return a reason after the rule's label, with "…" in it for values that are not known."""
    parts = [
        one if isinstance(one, str) or meaning.is_ready(one[0], env) else "…"
        for one in rule.template.parts
    ]
    if not all(isinstance(one, str) for one in parts):
        why = f"{Template(rule.label, tuple(parts)).fill(env)}: {why}"
    number = len(failing) - 1
    return why + f" ({number:,} other{'s fail' if number > 1 else ' fails'} too)" * (number > 0)


def _failing(puzzle: Puzzle, state: State, rule: Rule, until: float) -> tuple[str, str] | None:
    lost: dict[str, list[Env]] = {}

    def observe(stage: str, env: Env, survived: bool) -> None:
        if _in_time(until) and not survived:
            lost.setdefault(stage, []).append(env)

    if ways := meaning.ways(puzzle, rule, state, observe):
        return _forbidden(puzzle, ways)
    stages: dict[str, Any] = {f"when={one!r}": one for one in rule.when}
    stages |= {f"absent={source(one)}": Lacks((one,), (), ()) for one in rule.absent}
    failed = [stage for stage in (*stages, "put") if stage in lost]
    if not failed:
        return None
    env = lost[failed[-1]][0]
    given = stages.get(failed[-1])
    if given is None:
        why = f"there is no value for {listing(written(one, env) for one in rule.put)}"
    else:
        why = said(given, env, "must be")
        plain = isinstance(given, (Contains, Lacks))
        why += f" does not hold{_values(given, env)}" * (not plain)
    return _example(rule, env, why, lost[failed[-1]]), failed[-1]


def _forbidden(puzzle: Puzzle, ways: list[meaning.RuleApplication]) -> tuple[str, str]:
    why, raw = "", ""
    for way in reversed(ways):
        world = meaning.world_of(puzzle, meaning.simplified(puzzle, way.after))
        given = meaning.forbidden(puzzle, world.terms)
        if given is None:
            return "it has a move", ""
        env = next(meaning.bindings(world, given, "never"))
        why, raw = f"not allowed, for then {said(given, env)}", f"never={given!r}"
    return _example(ways[0].rule, ways[0].bindings, why, ways), raw


def _values(given: Condition, env: Env, aggregates: Aggregates = no_state) -> str:
    """Return the values of those sides of a comparison that are computed."""
    call = getattr(given, "expression", None)
    if not isinstance(call, Call) or call.op not in ("==", "!=", "<", "<=", ">", ">="):
        return ""
    with suppress(NoValue, Failed):
        values = [written(evaluate(one, env, aggregates), {}) for one in call.args]
        found = [
            one for one, side in zip(values, call.args, strict=True) if one != written(side, env)
        ]
        return f" (now {listing(found)})" * bool(found)
    return ""


def told_goal(puzzle: Puzzle, state: State) -> list[Part]:
    """Return the parts of the goal that can be tested separately in a normal form.

    The goal holds if all of them do. Terms that differ in one field are one part. Of more than
    MOST_PARTS the last one stands for the rest, of which nothing is told.
    """
    if puzzle.goal is None:
        return []
    until = time.monotonic() + LONGEST
    parts = _parts(puzzle, state, meaning.normal_goal(puzzle, puzzle.goal), until)
    found = [*islice(parts, MOST_PARTS + 1)]
    if len(found) > MOST_PARTS:
        found[MOST_PARTS - 1 :] = [("more, which are not listed", None, "")]
    return [(one_line(cut(text, LONGEST_TEXT)), holds, one_line(raw)) for text, holds, raw in found]


def _parts(puzzle: Puzzle, state: State, goal: Condition, until: float) -> Iterator[Part]:
    if isinstance(goal, Both) and not set(mentioned(goal.left)) & set(mentioned(goal.right)):
        yield from _parts(puzzle, state, goal.left, until)
        yield from _parts(puzzle, state, goal.right, until)
        return
    wanted = _wanted(goal)
    if wanted is not None and isinstance(goal, Contains):
        yield from _terms(State.of([*state.items, *puzzle.facts.items]), wanted)
    elif wanted is not None:
        parts = [*_terms(state, wanted)]
        if len(parts) <= FEWEST_ALIKE:
            text = "exactly" + " these:" * (len(wanted) > 1)
            yield f"{text} {listing(one for one, *_ in parts)}", state == wanted, repr(goal)
        else:
            yield from (*parts, ("nothing else", len(state) == len(wanted), repr(goal)))
    elif time.monotonic() > until:
        yield f"{said(goal, {})} ({LATE})", None, repr(goal)
    else:
        yield _judged(puzzle, state, goal)


def _wanted(goal: Condition) -> State | None:
    """Return the terms that must be there, if that is all that the goal asks."""
    if isinstance(goal, (Contains, Exactly)) and not (goal.when or goal.absent):
        return State(goal.written) if all(map(is_ground, goal.written)) else None
    return goal.states[0] if isinstance(goal, OneOfStates) and len(goal.states) == 1 else None


def _judged(puzzle: Puzzle, state: State, goal: Condition) -> Part:
    """Return a condition as one part, with a counterexample, or with its values in the state."""
    text = said(goal, {}).removeprefix("there is ")
    world = meaning.world_of(puzzle, state)
    try:
        holds = meaning.is_goal(puzzle, state, goal)
        if isinstance(goal, Lacks) and not holds:
            against = Contains(goal.written, goal.when, [*goal.absent])
            env = next(meaning.bindings(world, against), {})
            text += f"; there is {listing(a(noun(one, env)) for one in goal.patterns[:1])}"
        return text + _values(goal, {}, world.aggregate), holds, repr(goal)
    except RewriteError:
        return text, None, repr(goal)


def _terms(state: State, wanted: State) -> Iterator[Part]:
    """Yield the terms that must be there; several that differ in one field only as one part."""
    there = {term_key(term): number for term, number in state.distinct()}
    varying: dict[Any, int] = {}
    for kind, (_, fields) in wanted.columns.items():
        widths = [len(set(map(term_key, values))) for values in fields]
        if issubclass(kind, Term) and widths:
            varying[kind] = widths.index(max(widths))
    groups: dict[Any, list[tuple[Any, int]]] = {}
    for term, number in wanted.distinct():
        at = varying.get(type(term)) if number == 1 else None
        groups.setdefault(term_key(_without(term, at)), []).append((term, number))
    for group in groups.values():
        terms = [term for term, _ in group]
        held = [there.get(term_key(term), 0) >= number for term, number in group]
        if len(group) >= FEWEST_ALIKE:
            text = _group(state, terms, varying[type(terms[0])], held)
            yield text, all(held), ", ".join(map(source, terms))
            continue
        for (term, number), holds in zip(group, held, strict=True):
            what = a(noun(term, {})) if isinstance(term, Term) else f"the {noun(term, {})}"
            raw = f"{source(term)} × {number}".removesuffix(" × 1")
            yield f"{number} times {what}".removeprefix("1 times "), holds, raw


def _without(term: Any, at: int | None) -> Any:
    if at is None:
        return term
    parts = term.term_parts()
    return term.of_parts((*parts[:at], ANY, *parts[at + 1 :]))


def _group(state: State, terms: list[Any], at: int, held: list[bool]) -> str:
    kind, what = type(terms[0]), noun(_without(terms[0], at), {})
    field, values = kind.term_fields[at], [written(term.term_parts()[at], {}) for term in terms]
    name, _, common = what.partition(" with ")
    if common and len(terms) == sum(type(one) is kind for one in state):
        text = f"every {name} has {common}"
    else:
        joined = " and" if common else " with"
        text = f"{len(terms)} {plural(what)}{joined} {field} {listing(values)}"
    missing = [value for value, holds in zip(values, held, strict=True) if not holds]
    named = f"; not for {field} {listing(missing)}" * (0 < len(missing) <= MOST_NAMED)
    return f"{text}: {sum(held)} of {len(held)} hold{named}"
