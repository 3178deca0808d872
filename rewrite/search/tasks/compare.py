"""`compare`: the same search by several strategies, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rewrite.budget import Budget
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.arguments import refuse_unlisted
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.results.result import Comparison
from rewrite.search.api import search
from rewrite.search.strategies import STRATEGIES, STRATEGY_NAME, comparable


@tells_unknown_names(SearchError, "compare")
def compare(
    puzzle: Puzzle,
    strategies: Iterable[str] | None = None,
    start: Any = None,
    *,
    goal: Any = None,
    heuristic: Any = None,
    **options: Any,
) -> Comparison:
    """Return the results of the same search by several strategies, in the order given.

    By default: all strategies that work for any puzzle, including those with a heuristic if
    `heuristic` is given; without the native engine only those of the Python engine;
    "bidirectional" only by name.
    Other options are those of `search`; limits apply to each search separately, and every result
    keeps its states, to resume from. Ctrl-C ends the comparison at once, with a partial result: the
    running search is "interrupted".
    """
    if isinstance(strategies, str):
        raise SearchError(f"compare(…, {strategies!r}): give a list of names: [{strategies!r}, …]")
    if strategies is None:
        strategies = comparable(heuristic is not None, options.get("engine", "auto"))
    the_puzzle("compare", puzzle)
    refuse_unlisted("compare: strategies=", strategies, SearchError)
    if not isinstance(strategies, Iterable) or not list(strategies):
        raise SearchError(f"compare(…, {strategies!r}): give a list of at least one name")
    results = {}
    with Budget() as budget:  # no limits: only for a Ctrl-C between two searches
        for name in strategies:
            if budget.asked:
                break
            STRATEGY_NAME.check("strategy", name)
            uses = name == "auto" or STRATEGIES[name].uses_heuristic
            results[name] = search(
                puzzle, start, goal, strategy=name, heuristic=heuristic if uses else None,
                **options,
            )  # fmt: skip
            if results[name].status == "interrupted":
                break
    return Comparison(results)
