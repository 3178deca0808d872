"""The Python parts of a puzzle: the native engine calls them state by state, which costs time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rewrite.language.conditions import Predicate
from rewrite.language.expressions import Expression
from rewrite.language.functions import FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import everything_inside
from rewrite.language.rules import Rule
from rewrite.search.heuristics import FromRules
from rewrite.search.question import Question


def python_calls(asked: Question) -> tuple[str, ...]:
    """Return the rules and conditions that call Python, each with its functions."""
    puzzle = asked.puzzle
    named: list[tuple[str, Any]] = [
        ("never", puzzle.never), ("the goal", asked.goal), ("minimize", asked.minimize),
        ("the heuristic", () if isinstance(asked.heuristic, FromRules) else asked.heuristic),
    ]  # fmt: skip
    rules = [(f"rule {rule.name!r}", _of_rule(rule)) for rule in (*puzzle.rules, *puzzle.simplify)]
    found = [*rules, *((name, _functions(part)) for name, part in named if part is not None)]
    return tuple(
        [f"{name} ({', '.join(dict.fromkeys(called))})" for name, called in found if called]
    )


@lru_cache(maxsize=1_000)
def _of_rule(rule: Rule) -> list[str]:
    lets = tuple(part for let in rule.let for part in let)
    return _functions(
        (*rule.take, *rule.put, *rule.when, *rule.keep, *rule.absent, *lets, rule.cost)
    )


def _functions(part: Any) -> list[str]:
    found: list[str] = []
    for one in everywhere(part, everything_inside):
        if isinstance(one, FunctionCall):
            found.append(one.function.name)
        elif isinstance(one, Predicate):
            found.append(getattr(one.function, "__name__", repr(one.function)))
        elif callable(one) and not isinstance(one, Expression):
            found.append(getattr(one, "__name__", repr(one)))
    return found
