"""`explore`: the reachable space of a puzzle, with its edges."""

from __future__ import annotations

from typing import Any

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
    engine: str = "auto",
) -> Space:
    """Return the reachable space: states in order of discovery, their levels and edges.

    The limits are those of `search`; `.complete` and `.limit` of the Space say whether one was
    reached. Memory: all states and edges.
    """
    asked = question(
        puzzle, start, None, strategy="breadth_first", solutions=None, goal_needed=False,
        max_depth=max_depth, max_states=max_states, max_seconds=max_seconds, max_memory=max_memory,
        progress=progress, engine=engine,
    )  # fmt: skip
    run = Run(asked.without_goal())
    status = run.advance(None, asked.limits)
    engine_, codes = run.engine, list(run.record.parents)
    number = {code: index for index, code in enumerate(codes)}
    depths = [0] * len(codes)
    for index, code in enumerate(codes):
        parent = number[run.record.parents[code]]
        depths[index] = depths[parent] + 1 if index else 0
    edges = [
        (index, number[successor])
        for index, code in enumerate(codes)
        for successor in dict.fromkeys(engine_.successors(code))
        if successor in number
    ]
    return Space(
        puzzle=puzzle,
        states=[engine_.decode(code) for code in codes],
        level=depths,
        edges=edges,
        limit=None if status == "exhausted" else (run.limit or status),
    )
