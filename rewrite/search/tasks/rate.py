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

from attrs import evolve

from rewrite.budget import Budget, Stopped
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.puzzles import Puzzle
from rewrite.results.spaces import Rating
from rewrite.search.core_only import needs_core
from rewrite.search.drivers.interface import Progress
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.shortest_paths import BETWEEN_LOOKS, Shortest, ShortestRun
from rewrite.search.strategies import STRATEGIES
from rewrite.search.tasks.reach import HOPELESS, Graph, Reach, designers_question
from rewrite.search.twin import twin
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
    asked = designers_question("rate", symmetry="none", **locals())
    before_search(asked)
    assert asked.goal is not None
    known: dict[str, Any] = {}
    with asked.limits.budget() as budget:
        try:
            _rate(known, twin(asked), budget)
        except (Stopped, MemoryError) as end:
            why = end.why if isinstance(end, Stopped) else "max_memory"
            known["limit"] = asked.limits.description(why)
        return Rating(
            puzzle=asked.puzzle, start=asked.start, goal=asked.goal, **known, seconds=budget.seconds
        )  # fmt: skip


def _rate(known: dict[str, Any], asked: Question, budget: Budget) -> None:
    """Add the figures, one after the other. Raises Stopped, MemoryError."""
    try:
        _rate_solutions(known, asked, budget)
    except SearchError as error:
        if "feature" not in error.facts:
            raise
        known["notes"] = (needs_core("counting shortest paths", error.cannot),)
        _rate_one_solution(known, asked, budget)
    if asked.has_costs and known["shortest_paths"] != 0:
        known["cost"] = _with_cost(asked, budget)
    reached = Reach(asked).reached(budget)
    known |= {
        "states": max(known["states"], reached.states), "limit": reached.limit,
        "engine": reached.run.engine_name,
    }  # fmt: skip
    if reached.graph is not None:
        _rate_space(known, reached.graph)


def _rate_solutions(known: dict[str, Any], asked: Question, budget: Budget) -> None:
    run = ShortestRun(evolve(asked, shortest=True))
    status = run.advance(1, asked.limits)
    known |= {"states": run.record.states, "engine": run.engine_name, "notes": tuple(run.notes)}
    if run.number is None:
        raise _stopped(run, status)
    known["shortest_paths"] = run.number
    if (shortest := run.found) is not None:
        length = len(shortest.layers) - 1
        known |= {
            "length": length, "forced": _forced(shortest),
            "cost": None if asked.has_costs else length,
            "path": run.answers[0].path if run.answers else None,
        }  # fmt: skip
        known["branching"] = _branching(run, shortest, budget)


def _rate_one_solution(known: dict[str, Any], asked: Question, budget: Budget) -> None:
    """Add one shortest solution, if they cannot be counted."""
    run = Run(asked)
    status = run.advance(1, asked.limits, budget)
    known |= {"states": run.record.states, "engine": run.engine_name, "shortest_paths": None}
    if status == "exhausted" and not run.out_of_memory:
        known["shortest_paths"] = 0
    elif status != "found":
        raise _stopped(run, status)
    else:
        path = run.answers[0].path
        cost = None if asked.has_costs else len(path)
        known |= {"path": path, "length": len(path), "cost": cost}


def _stopped(run: Run, status: str) -> Stopped:
    return Stopped("max_memory" if run.out_of_memory else run.limit or status)


def _with_cost(asked: Question, budget: Budget) -> int:
    """Return the least cost of a solution. Raises Stopped."""
    run = Run(evolve(asked, strategy=STRATEGIES["uniform_cost"]))
    status = run.advance(1, asked.limits, budget)
    if status != "found":
        raise _stopped(run, status)
    return run.answers[0].path.cost


def _forced(shortest: Shortest) -> tuple[int, int]:
    """Return the fewest and the most steps of a shortest solution that allow no other move."""
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


def _rate_space(known: dict[str, Any], graph: Graph) -> None:
    moves = dead_ends = 0
    for state, left in enumerate(graph.left):
        number = len(graph.after(state))
        moves += number
        dead_ends += not number and left != 0  # a goal is not a dead end
    farthest = max(graph.left)
    fatal, detour = _on_the_way(graph)
    known |= {
        "complete": True, "goals": graph.left.count(0), "hopeless": graph.left.count(HOPELESS),
        "dead_ends": dead_ends, "space_branching": float(Fraction(moves, len(graph))),
        "farthest": None if farthest == HOPELESS else farthest, "fatal": fatal, "detour": detour,
    }  # fmt: skip


def _on_the_way(graph: Graph) -> tuple[int, int] | tuple[None, None]:
    """Return where moves from states on shortest solutions lead: see `fatal`, `detour`."""
    left = graph.left
    if left[0] == HOPELESS:
        return None, None
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
                elif left[one] >= left[state]:
                    detour = max(detour, left[one] + 1 - left[state])
                elif not seen[one]:
                    seen[one] = True
                    following.append(one)
        level = following
    return fatal, detour
