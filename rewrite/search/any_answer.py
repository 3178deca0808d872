"""`search(…, best=False)`: any answer, soon, and not the cheapest one."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rewrite.errors import SearchError
from rewrite.results.result import Result
from rewrite.search.heuristics import HEURISTICS
from rewrite.search.portfolio import running
from rewrite.search.question import Question
from rewrite.search.results import result_of
from rewrite.search.run import Run
from rewrite.search.strategies import STRATEGIES

LAZY = STRATEGIES["lazy_greedy"]


def any_answer(asked: Question, best: Any, checkpointer: Any) -> Result:
    """Search by relaxed plans, or as usual with a note why not. Raises SearchError."""
    if best is not False:
        raise SearchError(f"best={best!r} must be True or False")
    chosen = not asked.free or asked.heuristic is not None or asked.minimize is not None
    several = asked.solutions != 1 or asked.distinct == "paths" or asked.limits.min_depth > 0
    if chosen or several or checkpointer is not None or asked.engine == "ray":
        raise SearchError(
            "best=False chooses how to search, and finds one answer of any length; leave "
            "strategy=, heuristic=, minimize=, solutions=, distinct=, min_depth=, checkpoint= and "
            "engine='ray' out, or leave best= out"
        )
    lazily = evolve(asked, strategy=LAZY, heuristic=HEURISTICS["ff"], free=False, joins=False)
    try:
        return result_of(Run(lazily, shares=True), asked.limits)
    except SearchError as error:
        if not {"reason", "cannot"} & error.facts.keys():
            raise
        why = error.facts.get("reason") or "it needs the native engine"
    found = result_of(running(asked), asked.limits)
    return evolve(found, notes=(*found.notes, f"best=False made no difference: {why}"))
