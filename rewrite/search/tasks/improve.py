"""`improve`: any answer, soon, then better ones as time allows."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any
from warnings import catch_warnings, simplefilter

from attrs import evolve

from rewrite.budget import FOREVER
from rewrite.errors import RewriteWarning, SearchError, tells_unknown_names
from rewrite.language.expressions import Expression
from rewrite.language.puzzles import Puzzle
from rewrite.results.path import Path
from rewrite.results.result import Result, exact
from rewrite.search.api import search
from rewrite.search.drivers.interface import Progress
from rewrite.search.question import is_weighted

WEIGHTS = (5, 3, 2, 1)
SHARE = 3
"""Of the time that is left, a weight may take one part in so many."""


@tells_unknown_names(SearchError, "improve")
def improve(
    puzzle: Puzzle,
    start: Any = None,
    goal: Any = None,
    *,
    max_seconds: float,
    max_memory: int | str | None = None,
    better: Callable[[Result], Any] | None = None,
    progress: Callable[[Progress], Any] | None = None,
    threads: int | None = None,
    symmetry: str = "declared",
) -> Result:
    """Return the best answer found in the time: first any, as `search(…, best=False)` finds it
    (which may take half of the time), then those of A* by relaxed plans with lower and lower
    weights, then the cheapest one of `search`.

    max_seconds  in all; it ends sooner where an answer is proved cheapest, or that there is none
    better       called with the result of each answer that is cheaper than all before

    `.optimal` says whether the answer is proved cheapest; if not, a note says how it improved. The
    weights are those of LAMA (Richter and Westphal, JAIR 2010). Raises SearchError.

    >>> from rewrite import Puzzle, contains, ints, rule
    >>> N = ints("N")
    >>> add = Puzzle(rule("add {N}", take=[N], put=[N + 1]))
    >>> improve(add, [1], contains(4), max_seconds=10).optimal
    True
    """
    number = isinstance(max_seconds, (int, float)) and not isinstance(max_seconds, bool)
    if not number or not max_seconds >= 0:
        raise SearchError(f"improve(…, max_seconds={max_seconds!r}) must be a number of 0 or more")
    if better is not None and (not callable(better) or isinstance(better, (Expression, type))):
        raise SearchError(f"improve(…, better={better!r}) must be a function of a Result")
    begun, most, costs = monotonic(), min(max_seconds, FOREVER), list[str]()
    given: dict[str, Any] = {
        "max_memory": max_memory, "progress": progress, "threads": threads, "symmetry": symmetry,
    }  # fmt: skip

    def left() -> float:
        return max(most - (monotonic() - begun), 0)

    def asked(share: int = 1, **how: Any) -> Result:
        return search(puzzle, start, goal, max_seconds=left() / share, **given, **how)

    def note(found: Result) -> tuple[Result, Path]:
        assert found.path is not None
        costs.append(f"{exact(found.path.cost)} after {monotonic() - begun:.1f} s")
        if better is not None:
            better(found)
        return found, found.path

    def weighted(weight: int, path: Path) -> Result | None:
        """Return a search by relaxed plans; None where the rules say nothing of the goal."""
        fewer = {} if is_weighted(puzzle) else {"max_depth": len(path) - 1}
        try:
            return asked(SHARE, strategy="astar", heuristic="ff", weight=weight, **fewer)
        except SearchError:
            return None

    best = last = asked(2, best=False)
    with catch_warnings():  # each search would warn of the same
        simplefilter("ignore", RewriteWarning)
        if best.path is None:
            return asked() if best.status == "limit" else best
        best, path = note(best)
        for weight in (*WEIGHTS, None) if path else (None,):
            if last.optimal or not left():
                break
            found = asked() if weight is None else weighted(weight, path)
            if found is None:
                continue
            last = found
            if last.path is not None and last.path.cost < path.cost:
                best, path = note(last)
            if last.status == "interrupted":
                break
    if last.path is not None and last.optimal:
        return evolve(last, seconds=monotonic() - begun)
    said = f"not proved cheapest in {monotonic() - begun:.1f} s; costs: {', '.join(costs)}"
    return evolve(best, optimal=False, seconds=monotonic() - begun, notes=(said,))
