"""`search`, `solutions`: the public doors to the search loop."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.puzzles import Puzzle
from rewrite.outcome.path import Path
from rewrite.outcome.result import Result
from rewrite.search.arguments import question
from rewrite.search.drivers.interface import Progress
from rewrite.search.portfolio import Portfolio, has_portfolio
from rewrite.search.question import Question
from rewrite.search.results import kept_result_of, result_of
from rewrite.search.run import Run
from rewrite.search.strategies import REMOVED_OPTIONS
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
    checkpoint: str | os.PathLike[str] | None = None,
) -> Result:
    """Search the states of a puzzle for a goal and return a Result, true when one was found.

    start, goal  those of the puzzle by default
    strategy     "auto": breadth-first; uniform cost where a cost is not 1; A* with a heuristic;
                 "bidirectional" where it can be and the space may be large; then also A* with
                 pattern databases, in turn, where a search takes as long as making these
    heuristic    an expression over the state, a function State -> number of 0 or more, or the name
                 of one that is made from the rules: "pattern_databases", "hmax" (never too high),
                 "ff", "goal_count" (perhaps too high), "auto"
    solutions    how many answers to find; None for all
    distinct     "states": every goal state (with its bindings) once; "paths": every path once
    shortest     with distinct="paths": only paths of the least number of steps, all of them, in the
                 order of discovery of their states; Result.shortest_paths tells how many there are
    min_depth    answers of fewer steps do not count; 1 accepts the start only through a cycle
    max_depth    steps, inclusive
    max_states, max_seconds, max_memory (bytes)   where to stop; the result says which and resumes
    minimize     where no state is a goal (or none is given) the answer is the state with the lowest
                 value: `lowest(abs(M - 793), M)`
    progress     called with a Progress after one second and then four times a second
    seed         shuffles successors (depth_first)
    threads      how many threads may be used; the answer does not depend on it
    engine       "auto", "python" or "native"; "ray": breadth-first search over the processes of a
                 cluster of Ray, the one that `ray.init` has joined, else one on this machine
    partitions   of engine="ray": how many processes; None for one each processor. With
                 checkpoint=: into how many parts states are divided that stay in the folder, one
                 part in memory at a time
    width        states kept on a level by strategy="beam"
    weight       of the heuristic in strategy="astar"; above 1 the answer may be that much too dear
    symmetry     "declared": states that the puzzle's symmetry= maps to each other count as one;
                 "find": those of all symmetries that can be found; "none". Paths are real ones
    checkpoint   a folder in which the search is kept: saved every minute and at the end of the
                 call. The same call goes on there, in another process and after a kill too, and
                 answers at once where the search has ended. max_seconds counts this call only

    Raises SearchError for arguments that make no sense, RuleError for what fails in a user
    function, SimplifyError, HeuristicError, CheckpointError. "No solution" is no error: see
    Result.status.
    Ctrl-C gives what there is; a second one raises KeyboardInterrupt.
    """
    given = locals()  # every argument under its name, as `question` takes them
    del given["checkpoint"]
    asked = question(**given)
    checkpointer = None
    if checkpoint is not None:
        from rewrite.search.checkpointing import Checkpointer, writer_for  # few searches are kept

        checkpointer = Checkpointer(writer_for(asked, checkpoint, "search"))
    doubts = before_search(asked)
    if checkpointer is None and has_portfolio(asked):
        portfolio = Portfolio(asked)
        portfolio.first.doubts = doubts
        return result_of(portfolio, asked.limits)
    run = _run(asked, checkpoint)
    run.doubts = doubts
    if checkpointer is None:
        return result_of(run, asked.limits)
    run.checkpointer = checkpointer
    return kept_result_of(run, asked.limits)


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
    """Yield the path of one answer after the other; the search goes on when the next is asked for.

    The arguments are those of `search`. Ends when the whole space was searched or a limit was
    reached; `search(…, solutions=None)` tells which. Ctrl-C raises KeyboardInterrupt.
    """
    asked = question(**locals(), function="solutions")
    before_search(asked)
    run = _run(asked)
    run.begin(asked.limits)
    return _all_shortest(run) if asked.shortest else _lazily(run, asked)


def _run(asked: Question, folder: str | os.PathLike[str] | None = None) -> Run:
    # few searches are divided into parts
    if asked.engine == "ray":
        from rewrite.search.cluster.on_ray import spread

        return spread(asked)
    if asked.partitions is not None:
        from rewrite.search.cluster.buckets import divided

        return divided(asked, folder)
    if asked.shortest:
        from rewrite.search.shortest_paths import ShortestRun  # few searches ask for it

        return ShortestRun(asked, shares=True)
    return Run(asked, shares=True)


def _all_shortest(run: Run) -> Iterator[Path]:
    from rewrite.search.shortest_paths import ShortestRun

    assert isinstance(run, ShortestRun)
    yield from run.each(run.asked.limits)
    if run.status == "interrupted":
        raise KeyboardInterrupt


def _lazily(run: Run, asked: Question) -> Iterator[Path]:
    given = 0
    while run.advance(given + 1, asked.limits) == "found":
        while given < len(run.answers):
            yield run.answers[given].path
            given += 1
    yield from (answer.path for answer in run.answers[given:])
    if run.status == "interrupted":
        raise KeyboardInterrupt
