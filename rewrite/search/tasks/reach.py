"""All reachable states, as a graph, and how far each of them is from a goal.

A breadth-first search visits the whole space and records the goals; then every state is expanded
again, for the edges. These are followed backwards from the goals, so distances are correct for any
rules, even irreversible ones. They are known only if the whole space is: an unseen state might be
nearer to a goal than all others.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, islice
from typing import Any

from attrs import frozen

from rewrite.budget import Budget, Stopped, growth, memory_in_use
from rewrite.compile.code.failure import EngineFailure
from rewrite.engine.counts import Code
from rewrite.errors import SearchError
from rewrite.language.states import State
from rewrite.search.arguments import whole_space
from rewrite.search.drivers.interface import GoalHit
from rewrite.search.drivers.python import Record
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.twin import original

HOPELESS = -1
"""The distance of a state from which no goal is reachable."""
BETWEEN_GOALS = 100_000
"""States to search between two collections of goals: each comes with its path."""
BETWEEN_LOOKS = 256
"""States expanded between two looks at the limits: a millisecond or two."""
BYTES_A_CODE = 100
"""Bytes of a code of the Python engine and its number, before its state is read."""


def designers_question(function: str, puzzle: Any, start: Any, goal: Any, **given: Any) -> Question:
    """Return the checked question of a whole space with goals, for the public `function`."""
    asked = whole_space(function, puzzle, start, goal, **given)
    if asked.goal is None:
        raise SearchError(
            f"{asked.puzzle.name}: how far from what? Give {function}(puzzle, start, goal) or "
            "Puzzle(…, goal=…)"
        )
    return asked


class Numbered:
    """The states of a search, numbered in order of discovery; it may still go on."""

    def __init__(self) -> None:
        self.codes: Sequence[Code] = []
        self._parents = array("I")
        self.number: dict[Code, int] = {}
        """Of the Python engine's codes; those of the core are numbers themselves."""

    def update(self, run: Run, budget: Budget) -> None:
        """Number the new states. Raises Stopped."""
        record, codes, number = run.record, self.codes, self.number
        if not isinstance(record, Record):
            self.codes = range(record.states)
            return
        assert isinstance(codes, list)
        new = len(record.parents) - len(codes)
        budget.look(BYTES_A_CODE * new + growth((number,), new))
        for code, parent in islice(record.parents.items(), len(codes), None):
            if not len(codes) % BETWEEN_LOOKS:
                budget.look()
            number[code] = len(codes)
            codes.append(code)
            self._parents.append(number[parent])

    def parents(self, run: Run) -> array[int] | memoryview[int]:
        if isinstance(run.record, Record):
            return self._parents
        return run.record.parents  # type: ignore[attr-defined, no-any-return]  # it has begun

    def trail(self, run: Run, state: int) -> list[Code]:
        """Return the codes from the start to a state."""
        parents, trail = self.parents(run), [state]
        while trail[-1]:
            trail.append(parents[trail[-1]])
        return [self.codes[at] for at in reversed(trail)]

    def successors(self, run: Run, code: Code) -> list[int]:
        """Return the distinct seen successors of a state. Raises RuleError if a rule now fails."""
        record, number = run.record, self.number
        if not isinstance(record, Record):
            return [one for one in run.expand(code) if one is not None]
        try:  # rule counts are not needed: faster than `expand`
            found = dict.fromkeys(record.engine.successors(code))
        except EngineFailure:
            found = dict.fromkeys(run.expand(code))  # it reports what failed
        return [number[one] for one in found if one in number]


class Reach(Run):
    """A search of the whole space that keeps no answers, only which states are goals."""

    def __init__(self, asked: Question) -> None:
        super().__init__(asked)
        self.pause_at = BETWEEN_GOALS
        self.numbered = Numbered()

    def _forget(self) -> None:
        super()._forget()
        self.goals: list[Code] = []

    def _note(self, found: GoalHit) -> None:
        self.goals.append(found.codes[-1])

    def reached(self, budget: Budget) -> Reached:
        """Return the reachable space, or the number of states seen before a limit."""
        try:
            why = self._searched(budget)
            graph = None if why else self._graph(budget)
        except Stopped as stopped:
            why, graph = stopped.why, None
        except MemoryError:
            why, graph = "max_memory", None
        return Reached(self, self.record.states, graph, self.limits.description(why))

    def _searched(self, budget: Budget) -> str:
        """Search the whole space; return the limit that stopped it, "interrupted", or ""."""
        while (status := self.advance(None, self.limits, budget)) == "paused":
            self.pause_at = self.record.states + BETWEEN_GOALS
        if self.out_of_memory:
            return "max_memory"
        return "" if status == "exhausted" else self.limit or status

    def _graph(self, budget: Budget) -> Graph:
        record, watch, numbered = self.record, self.watch, self.numbered
        assert watch is not None
        numbered.update(self, budget)
        codes, number = numbered.codes, numbered.number
        first, ahead = array("Q", [0]), array("I")
        for at, code in enumerate(codes):
            if not at % BETWEEN_LOOKS:
                watch.report(len(codes), record.depth, len(codes) - at, memory_in_use)
                budget.look()
            ahead.extend(numbered.successors(self, code))
            first.append(len(ahead))
        goals = [number[code] if number else code for code in self.goals]
        return Graph(first, ahead, goals, _distances(first, ahead, goals, budget))


@frozen(eq=False)
class Graph:
    """A whole space. States are numbers in order of discovery, the start is 0.

    first, ahead  the successors of state n are `ahead[first[n]:first[n + 1]]`, each once
    goals         the states that are goals
    left          the least number of steps from each state to a goal, or HOPELESS
    """

    first: array[int]
    ahead: array[int]
    goals: list[int]
    left: array[int]

    def __len__(self) -> int:
        return len(self.left)

    def after(self, state: int) -> list[int]:
        """Return the other states that a step leads to. O(their number)."""
        return [
            one for one in self.ahead[self.first[state] : self.first[state + 1]] if one != state
        ]

    def levels(self) -> list[int]:
        """Return how many states there are at each distance from a goal. O(n)."""
        sizes = Counter(self.left)
        return [sizes[steps] for steps in range(max(sizes) + 1)]


def _distances(
    first: array[int], ahead: array[int], goals: list[int], budget: Budget
) -> array[int]:
    """Return the least number of steps from every state to a goal, or HOPELESS. Raises Stopped."""
    states = len(first) - 1
    place, before = _reversed(first, ahead, budget)
    budget.look(4 * states)
    left, depth, level = array("i", [HOPELESS]) * states, 0, array("I", goals)
    for state in goals:
        left[state] = 0
    while level:
        budget.look()
        depth += 1
        following = array("I")
        for at in level:
            for state in before[place[at] : place[at + 1]]:
                if left[state] == HOPELESS:
                    left[state] = depth
                    following.append(state)
        level = following
    return left


def _reversed(
    first: array[int], ahead: array[int], budget: Budget
) -> tuple[array[int], array[int]]:
    """Return the predecessors of all states, in the format of successors. Raises Stopped."""
    budget.look(24 * len(first) + 4 * len(ahead))
    counts = [0] * len(first)
    for to in ahead:
        counts[to + 1] += 1
    place = array("Q", accumulate(counts))
    del counts
    free, before = place[:-1], array("I", [0]) * len(ahead)
    for state in range(len(first) - 1):
        if not state % (BETWEEN_LOOKS * 64):
            budget.look()
        for to in ahead[first[state] : first[state + 1]]:
            before[free[to]] = state
            free[to] += 1
    return place, before


@frozen(eq=False)
class Reached:
    """The outcome of a search of the whole space.

    states  how many distinct states were seen; up to symmetry if requested
    graph   all of them; None if a limit was reached
    limit   that limit, in words
    """

    run: Reach
    states: int
    graph: Graph | None
    limit: str | None

    def named(self, numbers: list[int]) -> list[State]:
        """Return the states of these numbers, real ones if symmetry is used, in order."""
        run, numbered = self.run, self.run.numbered
        assert run.driver is not None
        assert run.setup is not None
        if run.setup.reduction is None:
            found = [run.driver.decode(numbered.codes[one]) for one in numbers]
        else:
            found = [run.states(numbered.trail(run, one))[-1] for one in numbers]
        return [*map(original, found)]
