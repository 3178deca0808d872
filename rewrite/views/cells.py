"""What a pattern finds in a state: the ground all views stand on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rewrite.errors import RewriteError, ViewError
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Variable, source
from rewrite.language.labels import one_line
from rewrite.language.matching import Env, match, same
from rewrite.language.patterns import binders
from rewrite.language.states import State
from rewrite.language.terms import freeze


def pattern_of(view: str, given: Any, least: int, meaning: str) -> tuple[Any, list[Variable]]:
    """Return a frozen pattern and its variables; ViewError where it has fewer than `least`."""
    try:
        pattern = freeze(given)
    except RewriteError as error:
        raise ViewError(f"{view}(…): {error.message}", view=view) from None
    found = list(binders(pattern))
    if len(found) < least:
        raise ViewError(
            f"{view}(…): {source(pattern)} has {len(found)} variable{'s' * (len(found) != 1)}; "
            f"{meaning}",
            view=view,
            pattern=pattern,
        )
    return pattern, found


def found_in(state: State, pattern: Any) -> Iterator[tuple[Any, Env]]:
    """Yield (term, bindings) of each occurrence that matches, in canonical order; first match."""
    for term in state:
        for env, pending in match(pattern, term, {}):
            if all(_holds(template, value, env) for template, value in pending):
                yield term, env
                break


def _holds(template: Any, value: Any, env: Env) -> bool:
    try:
        return same(evaluate(template, env), value)
    except NoValue:
        return False


def value_in(view: str, expression: Any, env: Env) -> Any:
    """Return the value of an expression for a view. Raises ViewError where it has none."""
    try:
        return evaluate(expression, env)
    except (NoValue, Failed, KeyError) as error:
        values = ", ".join(f"{v.name}={value!r}" for v, value in env.items())
        raise ViewError(
            f"{view}(…): {source(expression)} has no value for {values or 'no variables'}"
            + (f": {error}" if str(error) else ""),
            view=view,
        ) from error


def shown(value: Any) -> str:
    """Return a term as a person reads it: a sequence or nested bag without brackets and commas."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, tuple) or type(value).__name__ == "Bag":
        return " ".join(map(shown, value))
    return repr(value)
