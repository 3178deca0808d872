"""All shortest paths: their number without listing them, then each of them, one by one.

A breadth-first search runs to the end of the first level with a goal. Going back level by level,
every state is expanded again, and kept if a step leads to a state that was kept: together these are
the graph of all shortest paths. The number of paths from a state to the goals is the sum over its
successors. (Breadth-first counting of shortest paths: Cormen, Leiserson, Rivest, Stein,
Introduction to Algorithms, 22.2, and dynamic programming over the levels as in Brandes, A Faster
Algorithm for Betweenness Centrality, 2001.)

Paths come in the order in which their states were discovered, from the start on. The levels are
those of the native engine: the Python engine has no such search.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from rewrite.budget import Budget
from rewrite.engine.counts import Code
from rewrite.engine.shortest_path_layers import Layer
from rewrite.results.path import Bindings, Path
from rewrite.search.limits import Limits
from rewrite.search.run import Answer, Run
from rewrite.search.twin import path_of

BETWEEN_LOOKS = 1024


@frozen
class Shortest:
    """The graph of all shortest paths: the useful states of each level, in order of discovery."""

    layers: list[Layer]

    @property
    def number(self) -> int:
        """How many paths there are. O(steps) additions."""
        ways = [1] * len(self.layers[-1])
        for layer in self.layers[-2::-1]:
            ways = [sum([ways[place] for place in places]) for places in layer.each()]
        return sum(ways)

    def __iter__(self) -> Iterator[list[Code]]:
        """Yield the codes of each path. O(length) memory, at most O(length) time per path."""
        last = len(self.layers) - 1
        if not last:
            yield list(self.layers[0].states)
            return
        trail = [0]
        open_steps = [iter(self.layers[0].of(0))]
        while open_steps:
            place = next(open_steps[-1], None)
            if place is None:
                open_steps.pop()
                trail.pop()
            elif len(trail) == last:
                path = [*trail, place]
                yield [one.states[at] for one, at in zip(self.layers, path, strict=True)]
            else:
                open_steps.append(iter(self.layers[len(trail)].of(place)))
                trail.append(place)


class ShortestRun(Run):
    """A running search for all shortest paths.

    `answers` are those listed so far; there are none before all are known.
    """

    found: Shortest | None = None
    _left: Iterator[list[Code]] = iter(())

    def _forget(self) -> None:
        super()._forget()
        self._depth: int | None = None
        """The first level with a goal, once known."""
        self._bound: dict[Code, Bindings] = {}
        """The goals of that level found so far."""

    def advance(self, wanted: int | None, limits: Limits, budget: Budget | None = None) -> str:
        """Find all, and list the first `wanted`; return "exhausted" if there are no more."""
        if self.number is None:
            self.status = self._search(limits)
            if self.number is None:
                self.answers.clear()
                return self.status
        with limits.budget(self.used) as mine:
            self.status = self._listed(wanted, mine)
            self.used = mine.used
        return self.status

    def _listed(self, wanted: int | None, budget: Budget) -> str:
        """List paths until there are `wanted`; return why that ended."""
        while wanted is None or len(self.answers) < wanted:
            if not len(self.answers) % BETWEEN_LOOKS and self.answers:
                self.limit = budget.reached()
                if self.limit:
                    return self.limit if budget.asked else "limit"
            codes = next(self._left, None)
            if codes is None:
                self._check_end(len(self.answers))
                return "exhausted"
            self.answers.append(self._answer(codes))
        return "found"

    def each(self, limits: Limits) -> Iterator[Path]:
        """Yield the paths one by one, keeping none."""
        self.advance(0, limits)
        listed = 0
        for listed, codes in enumerate(self._left, 1):  # noqa: B007 (used below)
            yield self._answer(codes).path
        self._check_end(listed)

    def _check_end(self, listed: int) -> None:
        """Raise MemoryError if paths are missing: Python 3.11 may lose that of a generator."""
        if self.number is not None and listed < self.number:
            raise MemoryError

    def _answer(self, codes: list[Code]) -> Answer:
        bindings = self._bound[codes[-1]]
        path = path_of(self.asked, self.states(codes), bindings)
        return Answer(codes, path, bindings, self.record.states)

    def _search(self, limits: Limits) -> str:
        """Search to the end of the first level with a goal, then back over the levels."""
        depth = self._depth
        if depth is None:
            status = super().advance(1, limits)
            if status != "found":
                if status == "exhausted" and not self.out_of_memory:
                    self.number = 0
                return status
            depth = len(self.answers[0].codes) - 1
        status = super().advance(None, evolve(limits, max_depth=depth))
        self._depth = depth  # a resumed call must not look for a goal beyond it
        for answer in self.answers:
            self._bound.setdefault(answer.codes[-1], answer.bindings)
        stopped = status == "limit" and self.limit != "max_depth"
        if stopped or status == "interrupted" or self.out_of_memory:
            return status
        with limits.budget(self.used) as budget:
            try:
                layers: list[Layer] | None = self.record.core.shortest(  # type: ignore[attr-defined]
                    list(self._bound), depth + 1, lambda: bool(budget.reached())
                )
            except MemoryError:
                if limits.max_memory is not None:  # the core checks before it grows
                    self.limit = "max_memory"
                    return "limit"
                self.out_of_memory, self.status = True, "exhausted"
                self.answers.clear()
                return self.status
            finally:
                self.used = budget.used
            if layers is None:
                self.limit = budget.reached()
                return "interrupted" if budget.asked else "limit"
        self.answers.clear()
        self.found = Shortest(layers)
        self.number = self.found.number
        self._left = iter(self.found)
        return "found"
