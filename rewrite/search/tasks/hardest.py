"""`hardest`: the states that are farthest from a goal, among all reachable ones.

There are two methods. If every step is reversible and there is one goal state, distances to it
equal those from it, and the table of `distances` has them without storing states. Otherwise the
whole space is searched from the start, and its edges are followed back from all goals (`reach`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from heapq import nsmallest
from itertools import islice
from typing import Any

from attrs import evolve

from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.budget import Budget, Stopped
from rewrite.certificates.write import Evidence, Target
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.conditions import Condition
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.path import Path
from rewrite.results.spaces import Distances, Hardest
from rewrite.search.arguments import question
from rewrite.search.certified import codes_of, target_of, written
from rewrite.search.drivers.interface import Progress
from rewrite.search.goal_states import goal_codes
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.tasks.distances import index_of, numbered
from rewrite.search.tasks.reach import HOPELESS, Reach, Reached, designers_question
from rewrite.search.twin import original, twin
from rewrite.search.warn import before_search

MOST = 1_000
MOST_LISTED = 1_000_000
"""The largest level that a ranked table lists, in states."""


@tells_unknown_names(SearchError, "hardest")
def hardest(
    puzzle: Puzzle,
    start: Any = None,
    goal: Any = None,
    *,
    most: int = MOST,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | str | None = None,
    progress: Callable[[Progress], Any] | None = None,
    threads: int | None = None,
    engine: str = "auto",
    symmetry: str = "declared",
    certificate: str | os.PathLike[str] | None = None,
) -> Hardest:
    """Return the states farthest from a goal, among all states reachable from the start.

    start, goal  those of the puzzle by default
    most         the most states to return; all are counted
    symmetry     as in `search`: states that symmetries map to each other count as one; a note says
                 so. "find", "declared" or "none"
    certificate  a file to which evidence is written that no state is farther: see
                 `docs/reference/certificates.md`; all states are then looked at, not up to
                 symmetry. A note says what became of it

    The other arguments are those of `search`. This is a proof, or nothing: if a limit is reached,
    or at Ctrl-C, nothing is claimed, as an unseen state might be farther than all others, or give
    them a shorter path to a goal.

    The whole space is searched, and expanded again for its edges: about 100 bytes per state more
    than a search, and some microseconds. If every step is reversible and the goal is one state, it
    costs as much as `distances(puzzle, goal)`, which may be two bits per state.

    Raises SearchError if there is no goal, and what `search` raises. A goal that never holds is not
    an error, see `Hardest.levels`.

    >>> from rewrite import exactly, ints, rule
    >>> N = ints("N")
    >>> around = Puzzle(rule("on", take=[N], put=[(N + 1) % 5]), start=[0], goal=exactly(3))
    >>> found = hardest(around)
    >>> found.farthest, found.depth, len(found.path())
    ((State([4]),), 4, 4)
    """
    if type(most) is not int or most < 0:
        raise SearchError(f"hardest(…, most={most!r}): most is a whole number of 0 or more")
    target = None if certificate is None else target_of(certificate)
    asked = designers_question(
        "hardest", puzzle, start, goal, max_states=max_states, max_seconds=max_seconds,
        max_memory=max_memory, progress=progress, threads=threads, engine=engine,
        symmetry=symmetry if target is None else "none",
    )  # fmt: skip
    before_search(asked)
    asked = twin(asked, by_place=target is None)
    with asked.limits.budget() as budget:
        try:
            found = _from_goal(asked, budget, most) if target is None else None
        except Stopped:
            found = None  # the search below reports it
        return found or _from_start(asked, budget, most, target)


def _from_goal(asked: Question, budget: Budget, most: int) -> Hardest | None:
    """Return the result from the distances from the goal; None if these do not apply.

    If every step from the goal on is reversible, all those states reach each other. When the start
    is one of them, they are exactly the states reachable from it.
    """
    if asked.engine != "native" or asked.reduces:
        return None
    assert asked.goal is not None
    try:
        engine = build(Task(asked.puzzle, asked.start, asked.goal))
        listed = [engine.decode(code) for code in goal_codes(engine, asked.goal, 1)]
        if len(listed) != 1:
            return None
        around = twin(evolve(asked.outer, start=original(listed[0])).without_goal())
        if not index_of(build(Task(around.puzzle, around.start)), around.start).reversible:
            return None
        found = numbered(around, budget, None)
    except (Unsuitable, NeedsCapacity, NoGoalStates, EngineFailure, RecursionError):
        return None
    if found is None or (found.complete and found.distance(asked.outer.start) is None):
        return None
    levels = found.levels if found.complete else []
    states = nsmallest(most, found._farthest()) if levels and levels[-1] <= MOST_LISTED else []
    outer = asked.outer
    assert outer.goal is not None
    return Hardest(
        puzzle=outer.puzzle, start=outer.start, goal=outer.goal, states=found.states,
        levels=tuple(levels), farthest=tuple(states), complete=found.complete, limit=found.limit,
        engine=found.engine, seconds=budget.seconds, path=partial(_undone, found, outer.goal),
    )  # fmt: skip


def _undone(found: Distances, goal: Condition, state: State) -> Path | None:
    """Return the reverse of the path from the goal to a state."""
    if found.distance(state) is None:
        return None
    states = found.path(state).states[::-1]

    def bindings() -> dict[str, Any]:
        end = _searched(found.puzzle, goal, found.engine, "none", states[-1])
        return {} if end is None else end.bindings

    return Path(found.puzzle, states, bindings)


def _from_start(asked: Question, budget: Budget, most: int, target: Target | None) -> Hardest:
    run = Reach(asked)
    reached = run.reached(budget)
    graph, levels, farthest = reached.graph, list[int](), list[State]()
    if graph is not None and graph.goals:
        levels = graph.levels()
        last = len(levels) - 1
        numbers = (state for state, steps in enumerate(graph.left) if steps == last)
        farthest = reached.named(list(islice(numbers, min(most, levels[-1]))))
    outer = asked.outer
    assert outer.goal is not None
    notes = [*run.notes]
    if target is not None:
        none = graph is not None and not levels
        notes.append(
            "no certificate was written: no goal can be reached, which that of a search shows"
            if none else written(target, run, budget, lambda: _claim(reached, levels))
        )  # fmt: skip
    return Hardest(
        puzzle=outer.puzzle, start=outer.start, goal=outer.goal, states=reached.states,
        levels=tuple(levels), farthest=tuple(sorted(farthest)), complete=graph is not None,
        limit=reached.limit, notes=tuple(notes), engine=run.engine_name, seconds=budget.seconds,
        path=partial(_searched, outer.puzzle, outer.goal, asked.engine, asked.symmetry),
    )  # fmt: skip


def _claim(reached: Reached, levels: list[int]) -> Evidence | None:
    """Return what the graph of all states shows; None where that is nothing."""
    run, graph = reached.run, reached.graph
    if graph is None or run.driver is None or not levels:
        return None
    last = len(levels) - 1
    labels = [last + 1 if left == HOPELESS else left for left in graph.left]
    trail = run.numbered.trail(run, graph.left.index(last))
    way = [original(run.driver.decode(code)) for code in trail]
    return Evidence("hardest", last, way, dict(zip(codes_of(run.record), labels, strict=True)))


def _searched(
    puzzle: Puzzle, goal: Condition, engine: str, symmetry: str, state: State
) -> Path | None:
    """Return a shortest path from a state to a goal; a free move is a step like any other."""
    asked = question(
        puzzle, state, goal, strategy="breadth_first", engine=engine, symmetry=symmetry,
        function="hardest",
    )  # fmt: skip
    run = Run(asked)
    status = run.advance(1, asked.limits)
    if status == "interrupted":
        raise KeyboardInterrupt
    if run.out_of_memory:
        raise MemoryError
    return run.answers[0].path if run.answers else None
