"""What only the native engine can do, and the messages when it is not available.

Strategies and heuristics declare it in their rows (`core_only`).
"""

from __future__ import annotations

from rewrite.errors import SearchError
from rewrite.native import SUBJECT, status
from rewrite.search.heuristics import FromRules
from rewrite.search.question import Question
from rewrite.search.strategies import STRATEGIES


def needs_core(feature: str, cannot: str = "") -> str:
    """Return a text: a feature needs the native engine, and why that cannot run this."""
    found = status()
    if not found.usable:
        why = f": {found.reason.removeprefix(SUBJECT)} (see `rewrite doctor`)"
    else:
        why = f", which cannot run this: {cannot}" if cannot else "; found engine='python'"
    return f"{feature} needs the native engine{why}"


def refused(feature: str, instead: str, cannot: str = "") -> str:
    way = "leave engine= out, or " * (status().usable and not cannot) + instead
    return f"{needs_core(feature, cannot)}. {way[0].upper()}{way[1:]}"


def without_estimates(heuristic: FromRules, cannot: str = "") -> str:
    """Return the note on a heuristic that the Python engine drops from a search."""
    found = needs_core(f"heuristic={heuristic.name!r}", cannot)
    return f"{found}. The search goes on without estimates"


def check_without_core(asked: Question, cannot: str = "") -> None:
    strategy, heuristic = asked.strategy, asked.heuristic
    if asked.shortest:
        feature, instead = "shortest=True", "leave shortest= and distinct= out"
    elif asked.distinct == "paths":
        feature, instead = "distinct='paths'", "leave distinct= out"
    elif strategy.core_only:
        able = [
            repr(one.name)
            for one in STRATEGIES.values()
            if not (one.core_only or one.needs_inverse)
            and one.needs_heuristic == (heuristic is not None)
        ]
        feature, instead = f"strategy={strategy.name!r}", f"use strategy={' or '.join(able)}"
    elif isinstance(heuristic, FromRules):
        feature = f"heuristic={heuristic.name!r}"
        instead = "give an expression such as total(…) or a function State -> number"
        if not heuristic.core_only:
            return  # `without_estimates`
    else:
        return
    raise SearchError(refused(feature, instead, cannot), feature=feature, cannot=cannot)
