"""`Distances`: how far every reachable state is from a start, and a shortest way to each."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from heapq import nsmallest
from typing import Any

import attrs
from attrs import frozen

from rewrite.errors import SearchError
from rewrite.language.faces import Faced
from rewrite.language.meaning import simplified
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.outcome.files import File, csv_text, saved
from rewrite.outcome.path import Path

MOST_FARTHEST = 10_000


@frozen(kw_only=True, eq=False, repr=False)
class Distances(Faced):
    """The least number of steps from a start to every state that can be reached.

    levels    how many states are at each distance, by number of steps
    complete  whether these are all states; else the levels that were searched to their end
    limit     what stopped it where it is not complete, e.g. "max_depth=5"
    encoding  how the distances are kept, in words
    engine    "native" or "python"
    seconds   how long it took

    Where they were pickled, the figures travel and the table does not: it is made again when the
    first distance or path is asked for.
    """

    puzzle: Puzzle
    start: State
    levels: list[int]
    complete: bool
    limit: str | None
    encoding: str
    engine: str
    seconds: float
    _distance: Callable[[State], int | None]
    _states: Callable[[State], list[State]]
    _farthest: Callable[[], Iterable[State]]
    _again: Callable[[], Distances]
    """Makes them again: the table stays in the process that filled it."""

    def __reduce__(self) -> tuple[Any, ...]:
        hidden = ("distance", "states", "farthest")
        told = {one.alias: getattr(self, one.name) for one in attrs.fields(Distances)}
        return _revived, ({name: told[name] for name in told if name not in hidden},)

    def __copy__(self) -> Distances:
        return attrs.evolve(self, levels=list(self.levels))

    def __deepcopy__(self, memo: dict[int, Any]) -> Distances:
        return self.__copy__()

    @property
    def states(self) -> int:
        """The number of states whose distance is known."""
        return sum(self.levels)

    @property
    def depth(self) -> int:
        """The distance of the farthest of them."""
        return len(self.levels) - 1

    def distance(self, state: Any) -> int | None:
        """Return the least number of steps from the start to a state.

        None for a state that cannot be reached, or (where `complete` is false) was not. Takes time
        in proportion to the distance where levels are kept modulo 3, else O(1).
        """
        return self._distance(simplified(self.puzzle, State(state)))

    def path(self, state: Any) -> Path:
        """Return a shortest path from the start to a state; raises SearchError where none is known.

        Of several, the same one on every engine.
        """
        end = simplified(self.puzzle, State(state))
        if self._distance(end) is None:
            why = (
                "it cannot be reached"
                if self.complete
                else f"it is not among the {self.states:,} states seen before {self.limit}"
            )
            raise SearchError(f"{self.puzzle.name}: no path from {self.start} to {end}: {why}")
        return Path(self.puzzle, lambda: self._states(end))

    def farthest(self, most: int = MOST_FARTHEST) -> list[State]:
        """Return the states that are `depth` steps away, in canonical order.

        Raises SearchError where there are more than `most`.
        """
        if self.levels[-1] > most:
            raise SearchError(
                f"{self.puzzle.name}: {self.levels[-1]:,} states are {self.depth:,} steps away, "
                f"more than most={most:,}; farthest(most={self.levels[-1]}) gives them all"
            )
        return sorted(self._farthest())

    def _least_farthest(self, most: int) -> list[State]:
        """Return the first `most` of them, without listing all."""
        return nsmallest(most, self._farthest())

    def to_csv(self, file: File | None = None) -> str:
        """Return the number of states at each distance, as CSV; written to `file` too.

        Raises ExportError where that cannot be written.
        """
        return saved(csv_text([("depth", "states"), *enumerate(self.levels)]), file, "to_csv")

    def __len__(self) -> int:
        return self.states

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Distances of {self.puzzle.name}: {self}>"

    def __str__(self) -> str:
        end = "complete" if self.complete else f"stopped by {self.limit}"
        levels = ", ".join(f"{size:,}" for size in self.levels)
        several = "s" * (self.states != 1)
        return f"{self.states:,} state{several}, depth {self.depth} ({end}); levels: {levels}"


def _revived(told: dict[str, Any]) -> Distances:
    """Return distances that were pickled."""
    again: Callable[[], Distances] = functools.cache(told["again"])
    return Distances(
        **told,
        distance=lambda state: again()._distance(state),
        states=lambda state: again()._states(state),
        farthest=lambda: again()._farthest(),
    )
