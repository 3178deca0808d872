"""`explore`: the reachable space of a puzzle, with its edges."""

from __future__ import annotations

from typing import Any

from rewrite.budget import Budget, Spare, Stopped, memory_in_use
from rewrite.compile.capacity import NeedsCapacity
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.spaces import Space
from rewrite.search.arguments import whole_space
from rewrite.search.drivers.interface import Driver
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.tasks.reach import Numbered
from rewrite.search.twin import original, twin

AT_FIRST = 1_000
"""States to search before the first are read; then each time as many as were read."""
BETWEEN_LOOKS = 32
"""States read between two looks at the limits: a millisecond or two."""


@tells_unknown_names(SearchError, "explore")
def explore(
    puzzle: Puzzle,
    start: Any = None,
    *,
    max_depth: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | str | None = None,
    progress: Any = None,
    threads: int | None = None,
    engine: str = "auto",
) -> Space:
    """Return the reachable space: states in order of discovery, their levels and edges.

    The limits are those of `search` and cover the whole call: compiling, searching, reading states
    and edges; max_memory limits the growth of the process. If one is reached, or at Ctrl-C, the
    result has the first states found, with all edges among them: `.complete` is false, and `.limit`
    says why. A second Ctrl-C raises KeyboardInterrupt. Memory: all states and edges, some kilobytes
    per state.
    """
    asked = twin(whole_space("explore", goal=None, symmetry="none", **locals()).without_goal())
    with asked.limits.budget() as budget:
        return _Explorer(asked, budget).space()


class _Explorer:
    """Alternates between searching and reading, so that neither uses up all time and memory.

    `ended`  why the search ended, "" while it runs
    """

    def __init__(self, asked: Question, budget: Budget) -> None:
        self.asked, self.budget = asked, budget
        self.run = Run(asked)
        self._begin()

    def _begin(self) -> None:
        self.ended = ""
        self.run.pause_at = AT_FIRST
        self.numbered = Numbered()
        self.states: list[State] = []
        self.level: list[int] = []
        self.edges: list[tuple[int, int]] = []
        """Edges out of the states read, in order; perhaps to states not yet read."""

    def space(self) -> Space:
        spare, why = Spare(), ""
        try:
            while not self.ended:
                self._search()
                if why := self._read():
                    break
        except Stopped as stopped:
            why = stopped.why
        except MemoryError:
            spare.give_back()
            why = "max_memory"
        spare.give_back()
        self.numbered = Numbered()  # frees memory for the space
        return self._space(why)

    def _search(self) -> None:
        run = self.run
        status = run.advance(None, self.asked.limits, self.budget)
        self.ended = "" if status == "paused" else status
        if run.out_of_memory:
            raise MemoryError
        run.pause_at = 2 * max(run.pause_at or 0, run.record.states)

    def _read(self) -> str:
        """Read the states found and their edges; return why to stop, or ""."""
        try:
            return "" if self.run.driver is None else self._read_on(self.run.driver)
        except NeedsCapacity as needs:  # a state just beyond a limit may need more capacity
            self._begin()
            self.run.grow(needs.capacity)
            return ""

    def _read_on(self, driver: Driver) -> str:
        run, numbered = self.run, self.numbered
        record, watch = run.record, run.watch
        assert watch is not None
        numbered.update(run, self.budget)
        codes, parents = numbered.codes, numbered.parents(run)
        # during the search, only expanded states have all their successors among the codes
        last = len(codes) if self.ended else min(len(codes), record.expanded)
        for index in range(len(self.states), last):
            if not index % BETWEEN_LOOKS and index:
                watch.report(record.states, record.depth, len(codes), memory_in_use)
                if why := self.budget.reached():
                    return why
            code = codes[index]
            state = original(driver.decode(code))
            self.edges += [(index, one) for one in numbered.successors(run, code)]
            self.level.append(self.level[parents[index]] + 1 if index else 0)
            self.states.append(state)
        return ""

    def _space(self, why: str) -> Space:
        run, states = self.run, self.states
        if not states:  # stopped while compiling
            states, self.level = [self.asked.outer.start], [0]
        edges = [edge for edge in self.edges if max(edge) < len(states)]
        if not why and self.ended != "exhausted":
            why = run.limit or self.ended
        limit = run.limits.description(why)
        return Space(
            puzzle=self.asked.outer.puzzle, states=states, level=self.level[: len(states)],
            edges=edges, complete=limit is None, limit=limit,
        )  # fmt: skip
