"""Heuristics: a user's estimate of a state as a validated function of its code."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rewrite.compile.interning import decode
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine
from rewrite.errors import FAILURES, HeuristicError, described
from rewrite.language.arguments import named
from rewrite.language.expressions import Expression
from rewrite.language.states import State

if TYPE_CHECKING:
    from fractions import Fraction

Estimate = Callable[[Code], "float | Fraction"]


def term_of(value: Any) -> Any:
    return None if value is None else decode(value)


def estimator(given: Expression | Callable[[State], Any], engine: Engine, index: int) -> Estimate:
    """Return the estimate: the engine's value number `index`, or a function of the State."""
    known: dict[Code, float | Fraction] = {}
    name = None if isinstance(given, Expression) else named(given)

    def value(code: Code) -> Any:
        if isinstance(given, Expression):
            return term_of(engine.value(index, code))
        state = engine.decode(code)
        try:
            return given(state)
        except FAILURES as cause:
            raise HeuristicError(
                f"the heuristic failed in state {state}: {described(cause)} (in {name})",
                state=state,
            ) from cause

    def estimate(code: Code) -> float | Fraction:
        if code not in known:
            known[code] = _checked(value(code), code, engine, name)
        return known[code]

    return estimate


def _checked(value: Any, code: Code, engine: Engine, name: str | None) -> float | Fraction:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or value < 0 or (isinstance(value, float) and math.isnan(value)):
        state = engine.decode(code)
        text = repr(value)
        if value is None:
            text = "no value (nothing matched, or a division by zero)"
        by = f" ({name} returned {value!r}{': is a return missing?' * (value is None)})"
        raise HeuristicError(
            f"the heuristic gave {text} in state {state}{by * (name is not None)}; it must give a "
            "number of 0 or more: an estimate of the cost from there to a goal",
            state=state,
            found=value,
        )
    return as_exact(value)


def as_exact(value: Any) -> float | Fraction:
    """Return a number in a form that is exact together with integers of any size."""
    if isinstance(value, float) and math.isfinite(value):
        from fractions import Fraction  # it imports decimal: 9 ms that few searches need

        return Fraction(value)
    return value  # type: ignore[no-any-return]
