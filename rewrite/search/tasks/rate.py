"""`rate`: how hard one instance is, in figures.

The shortest solutions come from the search that counts them (`search.shortest_paths`), which needs
only the levels up to the first goal; figures about all states come from their graph (`reach`). So
an instance whose space exceeds all limits still gets the first half. The Python engine computes the
second half only.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from attrs import evolve, frozen

from rewrite.budget import Budget, Stopped
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.puzzles import Puzzle
from rewrite.outcome.rating import Rating
from rewrite.search.core_only import needs_core
from rewrite.search.drivers.interface import Progress
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.shortest_paths import BETWEEN_LOOKS, Shortest, ShortestRun
from rewrite.search.strategies import STRATEGIES
from rewrite.search.tasks.reach import HOPELESS, Graph, Reach, designers_question
from rewrite.search.warn import before_search


@tells_unknown_names(SearchError, "rate")
def rate(
    puzzle: Puzzle,
    start: Any = None,
    goal: Any = None,
    *,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | str | None = None,
    progress: Callable[[Progress], Any] | None = None,
    threads: int | None = None,
    engine: str = "auto",
) -> Rating:
    """Return what a designer wants to know about an instance: lengths, choices, dead ends.

    start, goal  those of the puzzle by default

    First all shortest solutions are counted, which needs the native engine, then the whole space is
    searched. The arguments are those of `search`. If a limit is reached, or at Ctrl-C, figures not
    yet known are None; `.complete` refers to the whole space. No symmetry is used: symmetric
    solutions count as different ones.

    The space is searched twice, and expanded again for its edges: about 100 bytes per state more
    than the searches. The states of the path are decoded lazily, from the first search.

    Raises SearchError if there is no goal, and what `search` raises. No solution is not an error.

    >>> from rewrite import exactly, ints, rule
    >>> N = ints("N")
    >>> ways = [rule("on", take=[N], put=[N + 1], when=N < 4), rule("up", take=[N], put=[N * 3])]
    >>> found = rate(Puzzle(*ways, start=[1], goal=exactly(3), never=exactly(N, when=N > 9)))
    >>> found.length, found.hopeless
    (1, 3)
    """
    asked = designers_question(
        "rate", puzzle, start, goal, max_states=max_states, max_seconds=max_seconds,
        max_memory=max_memory, progress=progress, threads=threads, engine=engine, symmetry="none",
    )  # fmt: skip
    before_search(asked)
    assert asked.goal is not None
    rated = Rating(puzzle=asked.puzzle, start=asked.start, goal=asked.goal)
    with asked.limits.budget() as budget:
        try:
            rated = _rated(rated, asked, budget)
        except MemoryError:
            rated = evolve(rated, limit=asked.limits.description("max_memory"))
        return evolve(rated, seconds=budget.seconds)


def _rated(rated: Rating, asked: Question, budget: Budget) -> Rating:
    try:
        rated = _with_ways(rated, asked, budget)
    except SearchError as error:
        if "feature" not in error.facts:
            raise
        rated = _with_one_way(rated, asked, budget)
        rated = evolve(rated, notes=(needs_core("counting shortest paths", error.cannot),))
    if rated.limit is not None:
        return rated
    reached = Reach(asked).reached(budget)
    rated = evolve(
        rated, states=max(rated.states, reached.states), limit=reached.limit,
        engine=reached.run.engine_name,
    )  # fmt: skip
    return rated if reached.graph is None else _with_space(rated, reached.graph)


def _with_ways(rated: Rating, asked: Question, budget: Budget) -> Rating:
    """Return the rating with figures on the shortest solutions, or with the limit reached."""
    run = ShortestRun(evolve(asked, shortest=True))
    status = run.advance(1, asked.limits)
    shortest = run.found
    rated = evolve(rated, states=run.record.states, engine=run.engine_name, notes=tuple(run.notes))
    if run.number is None:
        return evolve(rated, limit=asked.limits.description(_why(run, status)))
    rated = evolve(rated, shortest_paths=run.number)
    if shortest is not None:
        rated = evolve(
            rated, length=len(shortest.layers) - 1, forced=_forced(shortest),
            cost=None if asked.has_costs else len(shortest.layers) - 1,
            path=run.answers[0].path if run.answers else None,
        )  # fmt: skip
        try:
            rated = evolve(rated, branching=_branching(run, shortest, budget))
        except Stopped as stopped:
            return evolve(rated, limit=asked.limits.description(stopped.why))
    if run.number and asked.has_costs:
        rated = _with_cost(rated, asked, budget)
    return rated


def _with_one_way(rated: Rating, asked: Question, budget: Budget) -> Rating:
    """Return the rating with one shortest solution, if they cannot be counted."""
    run = Run(asked)
    status = run.advance(1, asked.limits, budget)
    rated = evolve(rated, states=run.record.states, engine=run.engine_name)
    if status == "exhausted" and not run.out_of_memory:
        return evolve(rated, shortest_paths=0)
    if status != "found":
        return evolve(rated, limit=asked.limits.description(_why(run, status)))
    path = run.answers[0].path
    rated = evolve(rated, path=path, length=len(path), cost=len(path))
    return _with_cost(rated, asked, budget) if asked.has_costs else rated


def _why(run: Run, status: str) -> str:
    """Return the limit that ended a search, or "interrupted"."""
    return "max_memory" if run.out_of_memory else run.limit or status


def _with_cost(rated: Rating, asked: Question, budget: Budget) -> Rating:
    """Return the rating with the least cost of a solution, or with the limit reached."""
    run = Run(evolve(asked, strategy=STRATEGIES["uniform_cost"]))
    status = run.advance(1, asked.limits, budget)
    if status == "found":
        return evolve(rated, cost=run.answers[0].path.cost)
    return evolve(rated, cost=None, limit=asked.limits.description(_why(run, status)))


def _forced(shortest: Shortest) -> tuple[int, int]:
    """Return the fewest and the most forced steps of a shortest solution.

    A step is forced if only one move preserves optimality.
    """
    fewest = most = [0] * len(shortest.layers[-1])
    for layer in shortest.layers[-2::-1]:
        fewest = [min([fewest[at] for at in steps]) + (len(steps) == 1) for steps in layer.each()]
        most = [max([most[at] for at in steps]) + (len(steps) == 1) for steps in layer.each()]
    return fewest[0], most[0]


def _branching(run: ShortestRun, shortest: Shortest, budget: Budget) -> float | None:
    """Return the average number of other successors of states on the paths. Raises Stopped."""
    states = moves = 0
    for layer in shortest.layers[:-1]:
        for code in layer.states:
            if not states % BETWEEN_LOOKS:
                budget.look()
            states += 1
            moves += sum(one != code for one in run.expand(code))
    return float(Fraction(moves, states)) if states else None


@frozen
class _OnTheWay:
    """Where moves from states on shortest solutions lead; see `Rating`."""

    fatal: int
    detour: int


def _with_space(rated: Rating, graph: Graph) -> Rating:
    """Return the rating with figures from the graph of all states."""
    moves = dead_ends = 0
    for state, left in enumerate(graph.left):
        number = len(graph.after(state))
        moves += number
        dead_ends += not number and left != 0  # a goal is not a dead end
    farthest = max(graph.left)
    way = _on_the_way(graph)
    return evolve(
        rated, complete=True, goals=graph.left.count(0), hopeless=graph.left.count(HOPELESS),
        dead_ends=dead_ends, space_branching=float(Fraction(moves, len(graph))),
        farthest=None if farthest == HOPELESS else farthest,
        fatal=None if way is None else way.fatal, detour=None if way is None else way.detour,
    )  # fmt: skip


def _on_the_way(graph: Graph) -> _OnTheWay | None:
    left = graph.left
    if left[0] == HOPELESS:
        return None
    fatal = detour = 0
    level, seen = array("I", [0]), bytearray(len(graph))
    while level:
        following = array("I")
        for state in level:
            if not left[state]:
                continue
            for one in graph.after(state):
                if left[one] == HOPELESS:
                    fatal += 1
                elif left[one] < left[state]:
                    if not seen[one]:
                        seen[one] = True
                        following.append(one)
                else:
                    detour = max(detour, left[one] + 1 - left[state])
        level = following
    return _OnTheWay(fatal, detour)
