"""`Hardest`: the states that are farthest from a goal, among all reachable ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from rewrite.errors import SearchError
from rewrite.language.conditions import Condition
from rewrite.language.faces import Faced
from rewrite.language.meaning import simplified
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.outcome.files import File, csv_text, saved
from rewrite.outcome.path import Path
from rewrite.outcome.result import counted

SHOWN = 10
"""States in the text, where nobody says how many."""


@frozen(kw_only=True, eq=False, repr=False)
class Hardest(Faced):
    """The states that are farthest from a goal, with how far all others are; true if there are any.

    states    how many different states were seen, the start counted
    levels    how many of them are so many steps away from the nearest goal, by number of steps;
              empty where no goal can come up, or where nothing is proved
    farthest  the states of the last level, in canonical order: at most as many as were asked for
    complete  whether these are all reachable states; else nothing is claimed
    limit     what stopped it where it is not complete, e.g. "max_states=5,000"
    notes     what else you should know: whether states were counted up to symmetry
    engine    "native" or "python"
    seconds   how long it took, compiling included

    Steps count one each, whatever they cost.
    """

    puzzle: Puzzle
    start: State
    goal: Condition
    states: int
    levels: tuple[int, ...]
    farthest: tuple[State, ...]
    complete: bool
    limit: str | None = None
    notes: tuple[str, ...] = ()
    engine: str = ""
    seconds: float = 0.0
    _path: Callable[[State], Path | None]
    """Gives a shortest path from a state to a goal; None where there is none."""

    @property
    def depth(self) -> int | None:
        """How many steps the farthest states are away from a goal; None where that is not known."""
        return len(self.levels) - 1 if self.levels else None

    @property
    def number(self) -> int:
        """How many states are so far away, given in `farthest` or not."""
        return self.levels[-1] if self.levels else 0

    @property
    def solvable(self) -> int | None:
        """From how many states a goal can be reached; None where that is not known."""
        return sum(self.levels) if self.complete else None

    @property
    def hopeless(self) -> int | None:
        """From how many states no goal can be reached; None where that is not known."""
        return self.states - sum(self.levels) if self.complete else None

    def path(self, state: Any = None) -> Path:
        """Return a shortest path from a state to a goal: from the first of `farthest` by default.

        Of several, the same one every time. Raises SearchError where there is none. Takes a search.
        """
        if state is None:
            if not self.farthest:
                raise SearchError(f"{self.puzzle.name}: {self.summary()}; give path(state)")
            state = self.farthest[0]
        begin = simplified(self.puzzle, State(state))
        found = self._path(begin)
        if found is None:
            raise SearchError(
                f"{self.puzzle.name}: no path from {begin} to a goal: no goal can be reached"
            )
        return found

    def to_csv(self, file: File | None = None) -> str:
        """Return the number of states at each distance from a goal, as CSV; written to `file` too.

        Raises ExportError where that cannot be written.
        """
        rows: list[tuple[object, ...]] = [("distance", "states"), *enumerate(self.levels)]
        return saved(csv_text(rows), file, "to_csv")

    def to_json(self) -> str:
        """Return all figures and the farthest states as JSON text."""
        from rewrite.outcome.json_text import Writer  # few are written

        writer = Writer()
        names = ("states", "solvable", "hopeless", "depth", "number", "levels", "complete", "limit",
                 "notes", "engine", "seconds")  # fmt: skip
        content: dict[str, Any] = {name: getattr(self, name) for name in names}
        content["farthest"] = [writer.terms(state) for state in self.farthest]
        return writer.text("hardest", self.puzzle, content)

    def __bool__(self) -> bool:
        return bool(self.levels)

    def __repr__(self) -> str:
        return f"<Hardest of {self.puzzle.name}: {self.summary()}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, states: int = SHOWN) -> Iterator[str]:
        """Yield the lines of the text: summary, levels, so many of the states, and notes."""
        yield self.summary()
        if self.levels:
            yield f"levels: {', '.join(f'{size:,}' for size in self.levels)}"
        shown = self.farthest[:states]
        yield from map(str, shown)
        if self.number > len(shown):
            yield f"… {self.number - len(shown):,} more"
        yield from (f"note: {note}" for note in self.notes)

    def summary(self) -> str:
        """Return the first line of the text: how far the farthest are, and what is proved."""
        seen, time = counted(self.states, "state"), f"{self.seconds:,.2f} s"
        if not self.complete:
            return f"stopped by {self.limit}: nothing is known before all are seen ({seen}, {time})"
        if not self.levels:
            return f"no goal can be reached: all {seen} seen ({time})"
        far = f"{counted(self.depth, 'step')} to a goal at most: {self.number:,} of {seen}"
        lost = f"no goal can be reached from {self.hopeless:,}" if self.hopeless else ""
        return f"{far}, all seen; {lost or 'a goal can be reached from each'} ({time})"
