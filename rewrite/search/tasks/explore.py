"""`explore`: the reachable space of a puzzle, with its edges."""

from __future__ import annotations

from array import array
from itertools import islice
from typing import Any

from attrs import define

from rewrite.budget import Budget, Spare, Stopped, growth, memory_in_use
from rewrite.compiler.capacity import NeedsCapacity
from rewrite.engine.counts import Code
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.outcome.spaces import Space
from rewrite.search.arguments import question
from rewrite.search.drivers.record import Record
from rewrite.search.question import Question
from rewrite.search.run import Run

AT_FIRST = 1_000
"""States to search before the first are read; then each time as many as were read."""
BYTES_A_CODE = 100
"""Bytes of a code of the Python engine and its number, before its state is read."""
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
    asked = question(
        puzzle, start, None, strategy="breadth_first", solutions=None, goal_needed=False,
        max_depth=max_depth, max_states=max_states, max_seconds=max_seconds, max_memory=max_memory,
        progress=progress, threads=threads, engine=engine, symmetry="none", function="explore",
    ).without_goal()  # fmt: skip
    with asked.limits.budget() as budget:
        return _Explorer(asked, budget).space()


@define
class _Target:
    """How many states the search should find before they are read.

    A separate object: a search that referred to its explorer would keep all states until the next
    garbage collection, even when memory has run out.
    """

    states: int = AT_FIRST

    def reached(self, states: int) -> bool:
        return states >= self.states


class _Explorer:
    """Alternates between searching and reading, so that neither uses up all time and memory.

    `ended`  why the search ended, "" while it runs; `limit` the one that ended everything
    """

    def __init__(self, asked: Question, budget: Budget) -> None:
        self.asked, self.budget = asked, budget
        self.target = _Target()
        self.run = Run(asked, self.target.reached)
        self.ended, self.limit = "", ""
        self._forget()

    def _forget(self) -> None:
        self.states: list[State] = []
        self.level: list[int] = []
        self.edges: list[tuple[int, int]] = []
        """Edges out of the states read, in order; perhaps to states not yet read."""
        self.codes: list[Code] | range = []
        self.parents: array[int] | memoryview[int] = array("I")
        self.number: dict[Code, int] = {}
        """Numbers of the Python engine's codes; those of the core are numbers themselves."""

    def space(self) -> Space:
        """Explore to the end or to a limit, and return the space."""
        spare, why = Spare(), ""
        try:
            while not self.ended:
                self._search()
                why = self._read()
                if why:
                    break
        except Stopped as stopped:
            why = stopped.why
        except MemoryError:
            spare.give_back()
            why = "max_memory"
        spare.give_back()
        self.codes, self.number = [], {}
        return self._space(why)

    def _search(self) -> None:
        """Search until there are as many states to read as were read."""
        run = self.run
        status = run.advance(None, self.asked.limits, self.budget)
        self.ended = "" if status == "paused" else status
        if run.out_of_memory:
            raise MemoryError
        self.target.states = 2 * max(self.target.states, run.record.states)

    def _read(self) -> str:
        """Read the states found and their edges; return why to stop, or ""."""
        while True:
            try:
                return self._read_on()
            except NeedsCapacity as needs:  # a state just beyond a limit may need more capacity
                self._forget()
                self.run.grow(needs.capacity)
                self.target.states, self.ended = AT_FIRST, ""
                return ""

    def _read_on(self) -> str:
        run = self.run
        driver = run.driver
        if driver is None:
            return ""
        self._take_codes()
        whole = bool(self.ended)
        codes = self.codes
        # during the search, only expanded states have all their successors among the codes
        last = len(codes) if whole else min(len(codes), run.record.expanded)
        for index in range(len(self.states), last):
            if not index % BETWEEN_LOOKS and index:
                self._show()
                if why := self.budget.reached():
                    return why
            code = codes[index]
            state = driver.decode(code)
            self.edges += [(index, successor) for successor in self._successors(code)]
            self.level.append(self.level[self.parents[index]] + 1 if index else 0)
            self.states.append(state)
        return ""

    def _successors(self, code: Code) -> list[int]:
        """Return the numbers of the seen successors."""
        found, known = self.run.expand(code), self.number
        if isinstance(self.run.record, Record):
            return [known[one] for one in found if one in known]
        return [one for one in found if one is not None]

    def _show(self) -> None:
        """Report progress while reading states, too."""
        record, watch = self.run.record, self.run.watch
        assert watch is not None
        watch.report(record.states, record.depth, len(self.codes), memory_in_use)

    def _take_codes(self) -> None:
        """Copy the codes and parents of the new states. Raises Stopped."""
        record = self.run.record
        if not isinstance(record, Record):
            self.codes = range(record.states)
            self.parents = record.parents  # type: ignore[attr-defined]  # it has begun
            return
        codes, parents, number = self.codes, self.parents, self.number
        assert isinstance(codes, list)
        assert isinstance(parents, array)
        new = len(record.parents) - len(codes)
        self.budget.look(BYTES_A_CODE * new + growth((number,), new))
        for code, parent in islice(record.parents.items(), len(codes), None):
            number[code] = len(codes)
            codes.append(code)
            parents.append(number[parent])

    def _space(self, why: str) -> Space:
        """Return the space of the states read."""
        run, states = self.run, self.states
        if not states:  # stopped while compiling
            states, self.level = [self.asked.start], [0]
        edges = [edge for edge in self.edges if max(edge) < len(states)]
        limit = None
        if why or self.ended != "exhausted":
            status = why or self.ended
            limit = run.limits.description(
                status if status == "interrupted" else "limit", why or run.limit
            )
        return Space(
            puzzle=self.asked.puzzle, states=states, level=self.level[: len(states)], edges=edges,
            complete=limit is None, limit=limit,
        )  # fmt: skip
