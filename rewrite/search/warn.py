"""Warnings about what is allowed and most likely not meant; each is given once a search."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

from rewrite.engine.interface import Counts
from rewrite.errors import RewriteWarning
from rewrite.language.conditions import Condition, Predicate
from rewrite.language.expressions import Expression, Variable, Wildcard, kind_of
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import everything_inside
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.symmetry import Relabel
from rewrite.language.terms import Term
from rewrite.search.question import Question

HISTORY = 10_000


def _kinds(value: Any) -> set[Any]:
    """Return what a pattern can match or make at the top: constructors, kinds, or 'term' (open)."""
    if isinstance(value, Variable) and value.constructor is not None:
        return {value.constructor.term_identity()}
    if isinstance(value, Wildcard):
        return {"term"}
    if isinstance(value, Expression):
        return {kind_of(value)}
    return {value.term_identity() if isinstance(value, Term) else kind_of(value)}


def _matched(given: Any) -> set[Any]:
    """Return the kinds that the patterns of a condition can match."""
    found: set[Any] = set()
    for part in everywhere(given, everything_inside):
        if isinstance(part, Predicate):
            found.add("term")
        for pattern in (*getattr(part, "patterns", ()), *getattr(part, "absent", ())):
            found |= _kinds(pattern)
    return found


def _missing(rule: Rule, can_be: set[Any]) -> list[Any]:
    """Return the patterns of a rule that match none of these kinds of terms."""
    needed = [(pattern, _kinds(pattern)) for pattern in (*rule.take, *rule.keep)]
    return [
        pattern for pattern, kinds in needed if "term" not in kinds | can_be and not kinds & can_be
    ]


def _can_be(rules: Sequence[Rule], given: set[Any]) -> set[Any]:
    """Return the kinds of terms that can ever be in a state: the least fixpoint over the rules."""
    can_be = set(given)
    while True:
        able = [rule for rule in rules if not _missing(rule, can_be)]
        more = {kind for rule in able for term in rule.put for kind in _kinds(term)}
        if more <= can_be:
            return can_be
        can_be |= more


def before_search(puzzle: Puzzle, start: State, goal: Condition | None) -> None:
    """Warn about terms that nothing makes and terms that nothing mentions."""
    rules = (*puzzle.rules, *puzzle.simplify)
    made = {kind for rule in rules for term in rule.put for kind in _kinds(term)}
    can_be = _can_be(rules, {kind for term in (*start, *puzzle.facts) for kind in _kinds(term)})
    for rule in rules:
        for pattern in _missing(rule, can_be):
            why = "which neither the start nor the facts nor any rule makes"
            if made & {*_kinds(pattern), "term"}:
                why = "which only rules make that can never fire, and not the start or the facts"
            _warn(f"{puzzle.name}: rule {rule.name!r} can never fire: it needs {pattern!r}, {why}")
    in_states = _can_be(rules, {kind for term in start for kind in _kinds(term)}) | made
    for rule in rules:
        for pattern in rule.take:
            kinds = _kinds(pattern)
            if "term" not in kinds | in_states and not kinds & in_states and kinds & can_be:
                _warn(
                    f"{puzzle.name}: rule {rule.name!r} takes {pattern!r}, which only facts are, "
                    "and facts are never taken; write keep=, or put it into the start"
                )
    mentioned: set[Any] = set()
    for rule in rules:
        for pattern in (*rule.take, *rule.keep, *rule.absent):
            mentioned |= _kinds(pattern)
        for condition in rule.when:
            mentioned |= _matched(condition)
        for value in (rule.cost, *(value for _, value in rule.let)):
            mentioned |= _matched(value)
    for condition in (*puzzle.never, *((goal,) if goal is not None else ())):
        mentioned |= _matched(condition) or {"term"}
    for symmetry in puzzle.symmetry:
        pairs = symmetry.pairs if isinstance(symmetry, Relabel) else ()
        mentioned |= {kind for pattern, _ in pairs for kind in _kinds(pattern)} or {"term"}
    if "term" in mentioned:
        return
    idle = [term for term, _ in start.distinct() if not _kinds(term) & mentioned]
    if idle:
        _warn(
            f"{puzzle.name}: no rule and no condition mentions {idle[0]!r}, which stands in the "
            "start"
        )


def after_search(asked: Question, counts: dict[str, Counts], states: int, exhausted: bool) -> bool:
    """Warn about rules that never fired in a whole space, and about a history kept in the state.

    Return whether there was something to warn about.
    """
    name, found = asked.puzzle.name, False
    fired = sum(count.fired for count in counts.values())
    if states > HISTORY and fired == states - 1 and asked.strategy.name == "breadth_first":
        found = True
        _warn(
            f"{name}: every one of {states:,} states was reached in one way only. If a state keeps "
            "its own history, leave it out: a result has the path anyway (.path, .formula), and "
            "equal states are then searched once"
        )
    if exhausted and fired:
        idle = [rule for rule, count in counts.items() if not count.fired]
        if idle:
            found = True
            names = ", ".join(map(repr, idle[:5])) + (" …" if len(idle) > 5 else "")
            _warn(f"{name}: the whole space was searched and {names} never fired; "
                  "explain(puzzle, state, rule) shows where its matches are dropped")  # fmt: skip
    return found


def _warn(text: str) -> None:
    """Warn at the line outside of this package that asked for the search."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "rewrite":
        level, frame = level + 1, frame.f_back
    warnings.warn(text, RewriteWarning, stacklevel=level)
