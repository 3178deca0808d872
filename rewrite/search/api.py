"""`search`, `solutions`: the public entry points of the search loop."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve

from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.puzzles import Puzzle
from rewrite.results.path import Path
from rewrite.results.result import Result
from rewrite.search.arguments import question
from rewrite.search.drivers.interface import Progress
from rewrite.search.portfolio import Portfolio, has_portfolio
from rewrite.search.question import Question
from rewrite.search.results import result_of
from rewrite.search.run import Run
from rewrite.search.strategies import REMOVED_OPTIONS
from rewrite.search.twin import twin
from rewrite.search.warn import before_search


@tells_unknown_names(SearchError, "search", REMOVED_OPTIONS)
def search(
    puzzle: Puzzle,
    start: Any = None,
    goal: Any = None,
    *,
    strategy: str = "auto",
    heuristic: Any = None,
    solutions: int | None = 1,
    distinct: str = "states",
    shortest: bool = False,
    min_depth: int = 0,
    max_depth: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | str | None = None,
    minimize: Any = None,
    progress: Callable[[Progress], Any] | None = None,
    seed: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    partitions: int | None = None,
    width: int = 1000,
    weight: float = 1,
    symmetry: str = "declared",
    best: bool = True,
    checkpoint: str | os.PathLike[str] | None = None,
    certificate: str | os.PathLike[str] | None = None,
) -> Result:
    """Search the states of a puzzle for a goal and return a Result, true if one was found.

    start, goal  those of the puzzle by default
    strategy     "auto": breadth-first; uniform cost if a cost is not 1; A* with a heuristic;
                 "bidirectional" if possible and the space may be large; then also A* with a
                 heuristic from the rules, or both ends of a multiset, in turn, once the search has
                 taken as long as preparing them would
    heuristic    an expression over the state, a function State -> non-negative number, or the name
                 of one derived from the rules: "pattern_databases", "hmax", "lmcut" (admissible),
                 "ff", "goal_count" (may overestimate), "auto"
    solutions    how many answers to find; None for all
    distinct     "states": every goal state (with its bindings) once; "paths": every path once
    shortest     with distinct="paths": all paths with the fewest steps, and only those, in the
                 order their states are discovered; Result.shortest_paths is their number
    min_depth    answers of fewer steps do not count; 1 accepts the start only through a cycle
    max_depth    steps, inclusive
    max_states, max_seconds, max_memory (bytes)   when to stop; the result says which and resumes
    minimize     if no state is a goal (or none is given), the answer is the state with the lowest
                 value: `lowest(abs(M - 793), M)`
    progress     called with a Progress after one second and then four times a second
    seed         shuffles successors (depth_first)
    threads      how many threads may be used; the answer does not depend on it
    engine       "auto", "python" or "native"; "ray": breadth-first search over the processes of a
                 Ray cluster, the one joined by `ray.init`, else one on this machine
    partitions   with engine="ray": how many processes; None for one per processor
    width        states kept per level by strategy="beam"
    weight       of the heuristic in strategy="astar"; above 1, the cost may be too high by this
                 factor
    symmetry     "declared": states that the puzzle's symmetry= maps to each other count as one;
                 "find": the same for all symmetries that can be found; "none". Paths stay real.
                 strategy="auto" may look for some where none are declared, unless "none" is said
    best         False: any answer, soon, not the cheapest: lazy greedy search by relaxed plans
                 where rules and goal allow these; else as usual, and a note says so
    checkpoint   a folder for the search: saved every minute and at the end of the call. The same
                 call resumes there, also in another process or after a kill, and answers at once
                 if the search has ended. max_seconds counts this call only
    certificate  a file to which evidence is written that there is no answer, or no cheaper one: see
                 `verify`. It is what a plain search sees; after another one a plain one follows

    Raises SearchError for invalid arguments, RuleError for a failing user function, SimplifyError,
    HeuristicError, CheckpointError. "No solution" is not an error: see Result.status.
    Ctrl-C returns a partial result; a second one raises KeyboardInterrupt.
    """
    given = locals()  # every argument under its name, as `question` expects
    del given["checkpoint"], given["best"], given["certificate"]
    asked = question(**given)
    checkpointer = None
    if checkpoint is not None:
        from rewrite.search.checkpointing import Checkpointer, writer_for  # few searches use it

        checkpointer = Checkpointer(writer_for(asked, checkpoint, "search"))
    asked = evolve(asked, doubts=before_search(asked))
    if asked.engine != "ray":
        asked = twin(asked, by_place=certificate is None)
    if certificate is not None:
        from rewrite.search.certified import certified  # few searches are

        return certified(asked, certificate, best, checkpointer)
    if best is not True:
        from rewrite.search.any_answer import any_answer  # few searches use it

        return any_answer(asked, best, checkpointer)
    if checkpointer is None and has_portfolio(asked):
        return result_of(Portfolio(asked), asked.limits)
    run = _run(asked)
    run.checkpointer = checkpointer
    return result_of(run, asked.limits)


@tells_unknown_names(SearchError, "solutions", REMOVED_OPTIONS)
def solutions(
    puzzle: Puzzle,
    start: Any = None,
    goal: Any = None,
    *,
    strategy: str = "auto",
    heuristic: Any = None,
    distinct: str = "states",
    shortest: bool = False,
    min_depth: int = 0,
    max_depth: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | str | None = None,
    progress: Callable[[Progress], Any] | None = None,
    seed: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    partitions: int | None = None,
    width: int = 1000,
    weight: float = 1,
    symmetry: str = "declared",
) -> Iterator[Path]:
    """Yield the paths of the answers one by one, searching on only when the next is requested.

    The arguments are those of `search`. Ends when the whole space is searched or a limit is
    reached; `search(…, solutions=None)` tells which. Ctrl-C raises KeyboardInterrupt.
    """
    asked = question(**locals(), function="solutions")
    before_search(asked)
    run = _run(asked if asked.engine == "ray" else twin(asked))
    run.begin(asked.limits)
    return _paths(run)


def _run(asked: Question) -> Run:
    if asked.engine == "ray":
        from rewrite.search.cluster.on_ray import OnRay  # few searches are spread
        from rewrite.search.cluster.run import ClusterRun

        return ClusterRun(asked, OnRay)
    if asked.shortest:
        from rewrite.search.shortest_paths import ShortestRun  # few searches need it

        return ShortestRun(asked, shares=True)
    return Run(asked, shares=True)


def _paths(run: Run) -> Iterator[Path]:
    yield from run.each(run.asked.limits)
    if run.status == "interrupted":
        raise KeyboardInterrupt
