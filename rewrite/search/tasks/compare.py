"""`compare`: the same search by several strategies, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen

from rewrite.budget import Budget
from rewrite.errors import SearchError
from rewrite.language.listed import refuse_unlisted
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.outcome.result import Result
from rewrite.search.api import search
from rewrite.search.strategies import STRATEGIES, comparable

COLUMNS = ("strategy", "status", "steps", "cost", "optimal", "states", "expanded", "seconds")


@frozen
class Comparison:
    """The results of one search by several strategies; prints as a table."""

    results: dict[str, Result]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results.values())

    def __getitem__(self, strategy: str) -> Result:
        return self.results[strategy]

    def rows(self) -> list[tuple[str, ...]]:
        """Return the table as texts, the headings first."""
        out: list[tuple[str, ...]] = [COLUMNS]
        for name, result in self.results.items():
            path = result.path
            out.append((
                name, result.status,
                "–" if path is None else str(len(path)), "–" if path is None else str(path.cost),
                "yes" if result.optimal else "no",
                f"{result.states:,}", f"{result.expanded:,}", f"{result.seconds:.3f}",
            ))  # fmt: skip
        return out

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
        left = {"strategy", "status", "optimal"}
        lines = []
        for row in rows:
            cells = [
                cell.ljust(width) if name in left else cell.rjust(width)
                for name, cell, width in zip(COLUMNS, row, widths, strict=True)
            ]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)


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

    Without names: every strategy that any puzzle can have, with `heuristic` those that need one
    too; "bidirectional" only by name.
    Other options are those of `search`; the limits are those of each search by itself. Ctrl-C ends
    the comparison at once, with what there is: the search that was running is "interrupted".
    """
    if isinstance(strategies, str):
        raise SearchError(f"compare(…, {strategies!r}): give a list of names: [{strategies!r}, …]")
    if strategies is None:
        strategies = comparable(heuristic is not None)
    the_puzzle("compare", puzzle)
    refuse_unlisted("compare: strategies=", strategies, SearchError)
    if not isinstance(strategies, Iterable) or not list(strategies):
        raise SearchError(f"compare(…, {strategies!r}): give a list of at least one name")
    results = {}
    with Budget() as budget:  # no limits: it only hears of a Ctrl-C between two searches
        for name in strategies:
            if budget.asked:
                break
            entry = STRATEGIES.get(name)
            needs = name == "auto" or entry is None or entry.needs_heuristic
            results[name] = search(
                puzzle, start, goal, strategy=name, heuristic=heuristic if needs else None,
                **options,
            )  # fmt: skip
            if results[name].status == "interrupted":
                break
    return Comparison(results)
