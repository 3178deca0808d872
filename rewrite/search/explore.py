"""`explore`: the reachable space of a puzzle, with its edges."""

from __future__ import annotations

from typing import Any

from rewrite.compiler.groups import NewHead
from rewrite.language.puzzles import Puzzle
from rewrite.outcome.space import Space
from rewrite.search.question import question
from rewrite.search.run import Run


def explore(
    puzzle: Puzzle,
    start: Any = None,
    *,
    max_depth: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    progress: Any = None,
    threads: int | None = None,
    engine: str = "auto",
) -> Space:
    """Return the reachable space: states in order of discovery, their levels and edges.

    The limits are those of `search`; `.complete` and `.limit` of the Space say whether one was
    reached. Memory: all states and edges.
    """
    asked = question(
        puzzle, start, None, strategy="breadth_first", solutions=None, goal_needed=False,
        max_depth=max_depth, max_states=max_states, max_seconds=max_seconds, max_memory=max_memory,
        progress=progress, threads=threads, engine=engine, symmetry="none", function="explore",
    )  # fmt: skip
    run = Run(asked.without_goal())
    while True:
        status = run.advance(None, asked.limits)
        try:
            return _space(run, status)
        except NewHead as new:  # beyond a limit stands a term of a type that is not inside it
            run.grow(new.head)


def _space(run: Run, status: str) -> Space:
    codes, parents = list(run.record.parents), run.record.parents
    number = {code: index for index, code in enumerate(codes)}
    level = [0] * len(codes)
    for index, code in enumerate(codes[1:], 1):
        level[index] = level[number[parents[code]]] + 1
    edges = [
        (index, number[successor])
        for index, code in enumerate(codes)
        for successor in run.expand(code)
        if successor in number
    ]
    return Space(
        puzzle=run.asked.puzzle,
        states=[run.engine.decode(code) for code in codes],
        level=level,
        edges=edges,
        complete=status == "exhausted",
        limit=run.limits.told(status, run.limit),
    )
