"""Warnings about what is allowed but most likely unintended; each is given once per search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from rewrite.compile.rule_properties import one_of_each
from rewrite.engine.counts import Counts
from rewrite.errors import IdleRuleWarning, RewriteWarning, warn
from rewrite.language.cache import Cache
from rewrite.language.conditions import Condition, Patterned, Predicate
from rewrite.language.expressions import Expression, Variable
from rewrite.language.matching import match
from rewrite.language.nesting import everywhere
from rewrite.language.order import source, term_key
from rewrite.language.patterns import classes, everything_inside
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.symmetry import Relabel
from rewrite.search.origins import (
    Origins,
    contents,
    kinds,
    made_by,
    mismatch,
    missing,
    origins,
    outlined,
    patterns_in,
    reachable,
    shape,
    states_in,
)
from rewrite.search.question import Question

HISTORY = 10_000
MOST_NAMED = 5
FAMILY = 3
"""From this many rules that differ only in numbers and texts, they count as made in a loop."""
Said = tuple[str, type[RewriteWarning]]


def _shown(pattern: Any) -> str:
    """Return a pattern as written; for a variable of constructors, with their names."""
    if isinstance(pattern, Variable) and pattern.is_narrow:
        made = [f"{one.__name__}(…)" for one in pattern.constructors]
        names = " or ".join([*made, *pattern.kinds])
        return f"{pattern!r}, which is {names}"
    return repr(pattern)


def _matched(condition: Any) -> set[Any]:
    """Return the kinds that the patterns of a condition can match."""
    found = set[Any]()
    for part in everywhere(condition, everything_inside):
        if isinstance(part, Patterned):
            found.update(*map(kinds, (*part.patterns, *part.absent)))
        if isinstance(part, Predicate) or (isinstance(part, Patterned) and part.rest is not None):
            found.add("term")
    return found


@frozen
class Doubts:
    """What is most likely unintended in a question.

    warnings   the texts of all warnings
    goal       for a result without an answer to repeat: parts of the goal that nothing makes
    mentioned  the kinds of terms that rules and conditions mention; with "term", all
    """

    warnings: tuple[Said, ...]
    goal: tuple[str, ...]
    mentioned: frozenset[Any]


DOUBTS: Cache[Any, Doubts] = Cache(64)


def before_search(asked: Question) -> tuple[str, ...]:
    """Warn about terms that nothing makes or mentions; return what nothing makes of the goal."""
    given = (asked.goal, asked.minimize, asked.heuristic)
    plain = tuple(
        term_key(one) if isinstance(one, (Condition, Expression)) else None for one in given
    )
    outlines: dict[Any, Any] = {}
    for term in asked.start:
        outlines.setdefault(outlined(term), term)
    spoken = [one.classes if isinstance(one, Condition) else classes(one) for one in given[:2]]
    key = (asked.puzzle.definition, frozenset(outlines), plain, *spoken)
    found = DOUBTS.made(key, (asked.puzzle, *given[:2]), lambda: _doubts(asked))
    for said in found.warnings:
        warn(*said)
    if "term" not in found.mentioned:
        idle = (term for (made, *_), term in outlines.items() if not made & found.mentioned)
        for term in islice(idle, 1):
            warn(
                f"{asked.puzzle.name}: no rule and no condition mentions {term!r}, which is in the "
                "start"
            )
    return found.goal


def _doubts(asked: Question) -> Doubts:
    """Return the doubts about a question. They depend on its start only through `outlined`.

    Rules of one shape raise the same doubts. So all are looked at only if one of each raises some.
    """
    given = (*asked.puzzle.rules, *asked.puzzle.simplify)
    every = tuple([part for rule in given for part in rule.parts])
    found = _doubts_about(asked, one_of_each(every), every)
    return _doubts_about(asked, every, every) if found.warnings else found


def _doubts_about(asked: Question, rules: tuple[Rule, ...], every: tuple[Rule, ...]) -> Doubts:
    """Return the doubts about these rules, where `every` rule may make a text."""
    warnings = list[Said]()

    def warn(text: str, kind: type[RewriteWarning] = RewriteWarning) -> None:
        warnings.append((text, kind))

    puzzle, start, goal = asked.puzzle, asked.start, asked.goal
    made = {one for rule in rules for one in made_by(rule)}
    known = evolve(origins(rules, start, puzzle.facts), rules=every)
    can_be = known.can_be
    for rule in rules:
        for pattern, hint in missing(rule, can_be):
            why = "which neither the start nor the facts nor any rule makes"
            if mismatch(pattern, made) is None:
                why = (
                    "which is made only by rules that can never fire, and is neither in the start "
                    "nor in the facts"
                )
            if kinds(pattern) == {"seq"} and not any(isinstance(one, tuple) for one in start):
                hint = "; for a start that is one sequence write [(…)], a list of one term"
            warn(
                f"{puzzle.name}: rule {rule.name!r} can never fire: it needs {_shown(pattern)}, "
                f"{why}{hint}", IdleRuleWarning,
            )  # fmt: skip
    misspelled = {rule: whys for rule in every if (whys := known.misspelled(rule))}
    if misspelled:
        alike, wrong = (Counter(map(shape, some)) for some in (every, misspelled))
        for rule, whys in misspelled.items():
            if alike[shape(rule)] < FAMILY or alike[shape(rule)] == wrong[shape(rule)]:
                warn(f"{puzzle.name}: rule {rule.name!r}: {whys[0]}", IdleRuleWarning)
    doubts = _unmade(asked, rules, known, warn)
    in_states = reachable(rules, contents(start)) | made
    for rule in rules:
        for pattern in rule.take:
            here = kinds(pattern)
            if "term" not in here | in_states and not here & in_states and here & can_be:
                warn(
                    f"{puzzle.name}: rule {rule.name!r} takes {pattern!r}, which occurs only among "
                    "the facts, and facts are never taken; write keep=, or put it into the start"
                )
    mentioned = set[Any]()
    for rule in rules:
        for pattern in (*rule.take, *rule.keep, *rule.absent):
            mentioned |= kinds(pattern)
        for part in (*rule.when, rule.cost, *(value for _, value in rule.let)):
            mentioned |= _matched(part)
    for condition in (*puzzle.never, *((goal,) if goal is not None else ())):
        mentioned |= _matched(condition) or {"term"}
    for symmetry in puzzle.symmetry:
        pairs = symmetry.pairs if isinstance(symmetry, Relabel) else ()
        mentioned |= {kind for pattern, _ in pairs for kind in kinds(pattern)} or {"term"}
    return Doubts(tuple(warnings), doubts, frozenset(mentioned))


def _unmade(
    asked: Question, rules: tuple[Rule, ...], known: Origins, warn: Callable[[str], None]
) -> tuple[str, ...]:
    """Warn about patterns that nothing makes; return the texts about the goal."""
    puzzle = asked.puzzle
    parts: list[tuple[str, Any]] = [("never", one) for one in puzzle.never]
    for rule in rules:
        where = f"rule {rule.name!r}: "
        parts += [(f"{where}absent", pattern) for pattern in rule.absent]
        parts += [(f"{where}when", one) for one in rule.when]
        parts += [(f"{where}let", value) for _, value in rule.let]
        parts += [(f"{where}put", value) for value in rule.put]
        parts.append((f"{where}cost", rule.cost))
    if isinstance(asked.heuristic, Expression):
        parts.append(("heuristic", asked.heuristic))
    if asked.minimize is not None:
        parts.append(("minimize", asked.minimize))
    for where, given in parts:
        for pattern in (given,) if where.endswith("absent") else patterns_in(given):
            why = known.lacks(pattern)
            if why is None and not where.startswith("rule"):
                # conditions may be generated for every possible name: only near misses are slips
                why = known.lacks_text(pattern, near=True)
            if why is not None:
                warn(f"{puzzle.name}: {where}={source(given)}: {why}")
                break
    if asked.goal is None:
        return ()
    doubts = [why for one in patterns_in(asked.goal) if (why := known.lacks_any([one]))]
    for states in states_in(asked.goal):
        found = [known.lacks_any(term for term, _ in one.distinct()) for one in states.states]
        doubts += [why for why in found[:1] if why is not None and all(found)]
    doubts = list(dict.fromkeys(doubts))
    for why in doubts:
        warn(f"{puzzle.name}: goal={asked.goal!r}: {why}")
    return tuple(doubts)


def after_search(asked: Question, counts: dict[str, Counts], states: int, exhausted: bool) -> bool:
    """Warn about idle rules of a whole space, and a history in the state; return whether it did."""
    name, found = asked.puzzle.name, False
    fired = sum(count.fired for count in counts.values())
    if states > HISTORY and fired == states - 1 and asked.strategy.expands_once:
        found = True
        warn(
            f"{name}: every one of {states:,} states was reached in only one way. If a state keeps "
            "its own history, leave it out: a result has the path anyway (.path, .formula), and "
            "equal states are then searched once"
        )
    if exhausted and fired:
        idle = _idle(asked.puzzle, {rule for rule, count in counts.items() if count.fired})
        if idle:
            found = True
            warn(
                f"{name}: the whole space was searched and {_named(idle)} never fired; "
                "explain(puzzle, state, rule) shows where its matches are dropped", IdleRuleWarning,
            )  # fmt: skip
    return found


def without_a_step(asked: Question, counts: dict[str, Counts]) -> str:
    """Return a note for a start that is the whole space, perhaps on purpose; "" for none.

    It is a warning only if take and put look swapped in every rule.
    """
    puzzle, terms = asked.puzzle, (*asked.start, *asked.puzzle.facts)
    stopped = puzzle.never and any(count.matched for count in counts.values())
    if stopped or not puzzle.rules or any(count.fired for count in counts.values()):
        return ""
    own = puzzle.start is None or puzzle.start == asked.start
    there = contents(asked.start) | contents(puzzle.facts)
    known = origins(puzzle.rules, asked.start, puzzle.facts)
    warned = all(missing(rule, there) or known.misspelled(rule) for rule in puzzle.rules)
    if own and not warned and all(_looks_swapped(rule, terms) for rule in puzzle.rules):
        names = _named([rule.name for rule in puzzle.rules])
        warn(
            f"{puzzle.name}: no rule fires in the start: what {names} would put is there, and what "
            "it takes is not. Are they swapped? What is taken comes first: "
            "rule(label, take=[…], put=[…])"
        )
    return (
        "no rule fires in the start; explain(puzzle, state, rule) shows where matches are dropped"
    )


def _looks_swapped(rule: Rule, terms: tuple[Any, ...]) -> bool:
    def there(pattern: Any) -> bool:
        return any(True for term in terms for _ in match(pattern, term, {}))

    return bool(rule.put) and all(map(there, rule.put)) and not all(map(there, rule.take))


def _named(names: list[str]) -> str:
    return ", ".join(map(repr, names[:MOST_NAMED])) + " …" * (len(names) > MOST_NAMED)


def _idle(puzzle: Puzzle, fired: set[str]) -> list[str]:
    """Return the names of the rules that never fired, unless one of its family did: a board on
    which no car has room for four steps is not a mistake.
    """
    if fired.issuperset(rule.name for rule in puzzle.rules):
        return []
    shapes = {rule.name: shape(rule) for rule in puzzle.rules}
    alike = Counter(shapes.values())
    busy = {shapes[name] for name in fired if alike[shapes[name]] >= FAMILY}
    return [name for name in shapes if name not in fired and shapes[name] not in busy]
