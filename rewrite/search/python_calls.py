"""What of a puzzle is Python: the native engine calls it state by state, which costs time."""

from __future__ import annotations

from typing import Any

from rewrite.language.conditions import Predicate
from rewrite.language.expressions import Expression, Splice
from rewrite.language.functions import FunctionCall, OneOf
from rewrite.language.patterns import parts
from rewrite.language.rules import Rule
from rewrite.search.heuristics import FromRules
from rewrite.search.question import Question


def python_calls(asked: Question) -> tuple[str, ...]:
    """Return the rules and conditions that call Python, each with its functions."""
    puzzle = asked.puzzle
    named: list[tuple[str, Any]] = [
        *((f"rule {rule.name!r}", _of_rule(rule)) for rule in (*puzzle.rules, *puzzle.simplify)),
        ("never", puzzle.never), ("the goal", asked.goal), ("minimize", asked.minimize),
        ("the heuristic", () if isinstance(asked.heuristic, FromRules) else asked.heuristic),
    ]  # fmt: skip
    told = []
    for name, part in named:
        functions = dict.fromkeys(_functions(part))
        if functions:
            told.append(f"{name} ({', '.join(functions)})")
    return tuple(told)


def _of_rule(rule: Rule) -> tuple[Any, ...]:
    lets = tuple(part for let in rule.let for part in let)
    return (*rule.take, *rule.put, *rule.when, *rule.keep, *rule.absent, *lets, rule.cost)


def _functions(part: Any) -> list[str]:
    """Return the names of the Python functions in a part of a puzzle."""
    found: list[str] = []
    children: tuple[Any, ...]
    if isinstance(part, FunctionCall):
        found.append(part.function.name)
    if isinstance(part, Predicate):
        found.append(getattr(part.function, "__name__", repr(part.function)))
        children = ()
    elif isinstance(part, Splice):
        children = (part.inner,)
    elif isinstance(part, OneOf):
        children = (part.options,)
    elif hasattr(part, "inner_parts"):
        children = part.inner_parts()
    elif isinstance(part, Expression):
        children = part.children()
    elif callable(part):
        return [getattr(part, "__name__", repr(part))]
    else:
        children = parts(part)
    for child in children:
        found += _functions(child)
    return found
