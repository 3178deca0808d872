"""`search`, `solutions`: the public doors to the search loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.puzzles import Puzzle
from rewrite.outcome.path import Path
from rewrite.outcome.result import FINAL, Result, RuleStats, counted
from rewrite.search.course import Progress
from rewrite.search.heuristics import FromRules
from rewrite.search.limits import Limits
from rewrite.search.question import Question, question
from rewrite.search.run import Run
from rewrite.search.warn import after_search, before_search


@tells_unknown_names(SearchError, "search")
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
    width: int = 1000,
    weight: float = 1,
    symmetry: str = "declared",
) -> Result:
    """Search the states of a puzzle for a goal and return a Result, true when one was found.

    start, goal  those of the puzzle by default
    strategy     "auto": breadth-first; uniform cost where a cost is not 1; A* with a heuristic;
                 "bidirectional" where it can be and the space may be large
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
    engine       "auto", "python" or "native"
    width        states kept on a level by strategy="beam"
    weight       of the heuristic in strategy="astar"; above 1 the answer may be that much too dear
    symmetry     "declared": states that the puzzle's symmetry= maps to each other count as one;
                 "find": those of all symmetries that can be found; "none". Paths are real ones

    Raises SearchError for arguments that make no sense, RuleError for what fails in a person's
    function, SimplifyError, HeuristicError. "No solution" is no error: see Result.status.
    Ctrl-C gives what there is; a second one raises KeyboardInterrupt.
    """
    asked = question(
        puzzle, start, goal, strategy=strategy, heuristic=heuristic, solutions=solutions,
        distinct=distinct, shortest=shortest, minimize=minimize, progress=progress, seed=seed,
        threads=threads, engine=engine, width=width, weight=weight, symmetry=symmetry,
        min_depth=min_depth, max_depth=max_depth, max_states=max_states, max_seconds=max_seconds,
        max_memory=max_memory,
    )  # fmt: skip
    doubts = before_search(asked)
    run = _run(asked)
    run.doubts = doubts
    return _continue(run, asked.limits)


@tells_unknown_names(SearchError, "solutions")
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
    width: int = 1000,
    weight: float = 1,
    symmetry: str = "declared",
) -> Iterator[Path]:
    """Yield the path of one answer after the other; the search goes on when the next is asked for.

    The arguments are those of `search`. Ends when the whole space was searched or a limit was
    reached; `search(…, solutions=None)` tells which. Ctrl-C raises KeyboardInterrupt.
    """
    asked = question(
        puzzle, start, goal, strategy=strategy, heuristic=heuristic, distinct=distinct,
        shortest=shortest, progress=progress, seed=seed, threads=threads, engine=engine,
        width=width, weight=weight, symmetry=symmetry, function="solutions", min_depth=min_depth,
        max_depth=max_depth, max_states=max_states, max_seconds=max_seconds, max_memory=max_memory,
    )  # fmt: skip
    before_search(asked)
    run = _run(asked)
    run.begin(asked.limits)
    return _all_shortest(run) if asked.shortest else _lazily(run, asked)


def _run(asked: Question) -> Run:
    if asked.shortest:
        from rewrite.search.shortest_paths import ShortestRun  # few searches ask for it

        return ShortestRun(asked)
    return Run(asked)


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
            yield run.path(run.answers[given])
            given += 1
    yield from (run.path(answer) for answer in run.answers[given:])
    if run.status == "interrupted":
        raise KeyboardInterrupt


def _continue(run: Run, limits: Limits) -> Result:
    status = run.advance(run.asked.solutions, limits)
    shortest_paths = run.number
    if shortest_paths and status == "exhausted":
        status = "found"  # all that were asked for, or all that there are
    asked, record = run.asked, run.record
    answers = run.answers if asked.solutions is None else run.answers[: asked.solutions]
    best = None if answers else run.nearest
    if best is not None:
        answers = [best]
    counts = record.counts()
    gaps = _gaps(run, limits)
    notes = [*(() if answers else run.doubts), *run.notes, *(note for _, _, note in gaps)]
    if record.reopened and asked.strategy.reopens and asked.weight == 1:
        was, them = ("was", "it was") if record.reopened == 1 else ("were", "they were")
        notes.append(
            f"the heuristic is not consistent: {counted(record.reopened, 'state')} {was} reached "
            f"cheaper after being expanded; {them} opened again, which costs time and no answer"
        )
    if run.overestimate:
        notes.append(run.overestimate)
    proved = record.hopeless if isinstance(asked.heuristic, FromRules) else 0
    limit: str | None = None
    limit_value: float | None = None
    if status == "limit":
        limit, limit_value = run.limit, getattr(limits, run.limit)
        if limit_value is None:  # nobody set one: the memory of the machine ran out
            limit_value = run.memory
    if not run.warned:
        whole = status == "exhausted" and not gaps
        whole = whole and not asked.strategy.needs_inverse  # from both ends, no end sees all
        run.warned = after_search(asked, counts, record.states, whole)
    if status == "exhausted" and gaps:  # it ran dry, and yet proves nothing absent
        status, (limit, limit_value, _) = "limit", gaps[0]
    optimal = status == "exhausted" if best else bool(answers) and _is_optimal(run)
    if any(name == "min_depth" for name, _, _ in gaps):
        optimal = False  # a goal that was passed by may have a way of min_depth steps

    def resume(**changes: Any) -> Result:
        lifted = {limit: None} if limit is not None else {}
        changed = limits.changed(lifted | changes)
        # beyond a level that was not finished stand states of the next
        changed.check_depth(limits, record.depth + (limit != "max_depth"))
        return _continue(run, changed)

    goes_on = status in ("limit", "interrupted") and limit not in FINAL and not run.out_of_memory
    last = answers[-1] if answers else None
    return Result(
        puzzle=asked.puzzle,
        status=status,
        paths=tuple(run.path(answer) for answer in answers),
        limit=limit,
        limit_value=limit_value,
        optimal=optimal,
        states=last.order if last and status == "found" else record.states,
        expanded=record.expanded,
        depth=len(last.codes) - 1 if last and status == "found" else record.depth,
        seconds=run.seconds,
        levels=list(record.levels),
        rules={
            name: RuleStats(count.tried, count.matched, count.fired, count.without)
            for name, count in counts.items()
        },
        strategy=asked.strategy.name,
        engine=run.engine_name,
        notes=tuple(notes),
        python_calls=run.python_calls,
        objective=last.value if last else None,
        shortest_paths=shortest_paths,
        ruled_out=proved,
        resume=resume if goes_on else None,
    )


def _gaps(run: Run, limits: Limits) -> list[tuple[str, int, str]]:
    """Return (limit, its number, note) for each way in which a part of the space was left out."""
    asked, record = run.asked, run.record
    found: list[tuple[str, int, str]] = []
    if run.out_of_memory:
        note = "the memory of this machine ran out; max_memory= ends a search before that"
        found.append(("max_memory", limits.max_memory or run.memory, note))
    if record.dropped:
        told = counted(record.dropped, "state")
        note = f"the beam dropped {told}; a wider one may find more"
        found.append(("width", asked.width, note))
    if record.hopeless and not isinstance(asked.heuristic, FromRules):
        told = counted(record.hopeless, "state")
        one = record.hopeless == 1
        note = (
            f"the heuristic gave infinity for {told}: nothing beyond {'it' if one else 'them'} was "
            "looked at"
        )
        found.append(("heuristic", record.hopeless, note))
    if run.too_near and limits.min_depth > 1 and asked.distinct == "states":
        told = counted(run.too_near, "goal" if asked.minimize is None else "state")
        was, them = ("was", "it") if run.too_near == 1 else ("were", "them")
        note = (
            f"{told} nearer than min_depth={limits.min_depth} {was} passed by; longer ways to "
            f"{them} were not looked for"
        )
        found.append(("min_depth", limits.min_depth, note))
    if limits.min_depth > 1 and record.came_back:
        note = "paths do not come back to a state; longer ways that do were not looked for"
        found.append(("min_depth", limits.min_depth, note))
    return found


def _is_optimal(run: Run) -> bool:
    """Whether the first answer is proved to have the fewest steps (or the lowest cost)."""
    asked = run.asked
    if asked.strategy.cheapest:
        return asked.weight == 1 and run.admissible and not run.overestimate
    return asked.strategy.shortest and not asked.has_costs
