"""What a search remembers: the states it has seen, how each was reached, and its counts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rewrite.budget import Stopped, growth
from rewrite.engine.counts import Code, Counts
from rewrite.engine.interface import Engine
from rewrite.search.limits import Limits

if TYPE_CHECKING:
    from fractions import Fraction

    from rewrite.search.ends import Ends

Estimate = Callable[[Code], "float | Fraction"]
T = TypeVar("T")
Pauses = Generator[list[Any], None, T]
"""What a strategy yields from: empty batches while a limit stops it, and finally a result."""
MOST_AT_ONCE = 1 << 14
"""Roughly the new states between two looks at the limits: some megabytes."""


class Record:
    """Shared by the loop and a strategy. `parents` holds every state seen, in order of discovery.

    A strategy records states in `parents`, sizes of complete levels in `levels`, and in `blocked`
    the limit that keeps it from going on; goals, the other limits and results are left to the loop.
    Slow work goes through `step` or `grow`: if a limit is reached within a step, only that step is
    repeated.
    """

    dropped = 0
    came_back = False
    """Only for beam and path searches, which the core runs."""

    def __init__(self, engine: Engine, start: Code, limits: Limits) -> None:
        self.engine, self.start, self.limits = engine, start, limits
        self.parents: dict[Code, Code] = {}
        self.costs: dict[Code, int] = {}
        self.tables: list[dict[Code, Any] | set[Code]] = []
        """Other tables over all states kept by a strategy."""
        self.announced = 0
        """Bytes that a strategy will allocate at once when it goes on."""
        self.levels: list[int] = [1]
        self.depth = 0
        self.expanded = 0
        self.waiting = 1
        self.blocked: str | None = None
        self.ruled_out: set[Code] = set()
        """States for which the heuristic gave infinity: they were not expanded."""
        self.reopened = 0
        """States expanded again, having been reached more cheaply."""
        self.inconsistent = False
        """Whether the estimate was seen to fall by more than the cost of a step; only weighted A*
        checks."""
        self.heuristic: Estimate | None = None
        self.looks_ahead = False
        """Whether the goal tests successors, which must not be counted."""
        self.weight = 1.0
        self.ends: Ends | None = None
        self._uncounted: dict[str, Counts] = {}
        if limits.min_depth == 0:
            self.parents[start] = start  # else the start may be reached again, through a cycle

    @property
    def states(self) -> int:
        """The number of distinct states seen."""
        return len(self.parents) + (self.start not in self.parents)

    @property
    def hopeless(self) -> int:
        """The number of states that the heuristic ruled out."""
        return len(self.ruled_out)

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did for the search itself."""
        return _combined(self.engine.counts(), self._uncounted, -1)

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """Leave out of `counts` what rules do meanwhile: a look-ahead that will be repeated."""
        before = {name: attrs.evolve(count) for name, count in self.engine.counts().items()}
        try:
            yield
        finally:
            more = _combined(self.engine.counts(), before, -1)
            self._uncounted = _combined(more, self._uncounted, 1)

    def too_deep(self, depth: int) -> bool:
        """Return whether `max_depth` keeps states of this depth from being expanded."""
        most = self.limits.max_depth
        return most is not None and depth >= most

    def step(self, act: Callable[..., T], *given: Any) -> Pauses[T]:
        """Return the result of a step; if a limit stops it, pause and repeat it."""
        while True:
            try:
                return act(*given)
            except Stopped as stopped:
                self.blocked = stopped.why
            yield []

    def _parts(self, codes: Sequence[Code]) -> Iterable[Sequence[Code]]:
        """Return the codes to expand per step: all, unless a limit may stop each."""
        return [[code] for code in codes] if self.engine.stops else [codes]

    def grow(self, codes: Sequence[Code], fresh: list[Code]) -> Pauses[None]:
        """Expand codes in order; record new successors in `parents` and `fresh`."""
        for some in self._parts(codes):
            yield from self.step(self.engine.grow, some, self.parents, fresh)

    def block(self, codes: Iterable[Code]) -> Pauses[bool]:
        """Block on `max_depth` if one of the codes has an unseen successor.

        Returns whether to check again which codes are too deep. If there is no such successor, the
        codes count as expanded.
        """
        listed, before, most = list(codes), self._uncounted, self.limits.max_depth
        for some in self._parts(listed):
            with self.uncounted():
                leads_on = yield from self.step(self._leads_on, some)
            if self.limits.max_depth != most:
                return True  # it was changed in a pause
            if leads_on:
                self.blocked = "max_depth"
                return True
        self._uncounted = before
        self.expanded += len(listed)
        return False

    def _leads_on(self, codes: Iterable[Code]) -> bool:
        successors = map(self.engine.successors, codes)
        return any(successor not in self.parents for found in successors for successor in found)

    def trail(self, code: Code) -> list[Code]:
        """Return the codes from the start to `code`, following parents."""
        out = [code]
        if code == self.start and (self.limits.min_depth == 0 or code not in self.parents):
            return out
        while True:
            code = self.parents[code]
            out.append(code)
            if code == self.start:
                return out[::-1]

    def batch_size(self) -> int:
        """Return how many states to expand before the next look at the limits.

        Grows with the search, shrinks near `max_states` and for large branching factors; depends
        only on the counts.
        """
        size = min(1024, max(16, self.expanded))
        size = min(size, max(1, MOST_AT_ONCE * (self.expanded + 1) // self.states))
        if self.limits.max_states is not None:
            size = min(size, max(1, (self.limits.max_states - self.states) // 8))
        return size

    def growth(self) -> int:
        """Return the bytes by which memory may jump before the next look at the limits."""
        more = 2 * self.batch_size() * self.states // (self.expanded + 1)
        return self.announced + growth((self.parents, self.costs, *self.tables), more)


def _combined(counts: dict[str, Counts], others: dict[str, Counts], sign: int) -> dict[str, Counts]:
    """Return counts with others added (sign 1) or subtracted (sign -1)."""
    return {
        name: Counts(*[
            mine + sign * other
            for mine, other in zip(
                attrs.astuple(count), attrs.astuple(others.get(name, Counts())), strict=True
            )
        ])
        for name, count in counts.items()
    }  # fmt: skip
