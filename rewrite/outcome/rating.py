"""`Rating`: what a designer wants to know of one instance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rewrite.language.conditions import Condition
from rewrite.language.faces import Faced
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.outcome.path import Path
from rewrite.outcome.result import counted, exact

WAY = ("length", "cost", "shortest_paths", "forced", "branching")
SPACE = ("goals", "hopeless", "dead_ends", "space_branching", "farthest", "fatal", "detour")
"""What is known only where all states were seen."""


@frozen(kw_only=True, eq=False, repr=False)
class Rating(Faced):
    """How hard one instance is, in figures; true if it can be solved.

    Of the shortest solutions, all of them taken together; None for what is not known, or where
    there is none:

    length          their number of steps
    cost            the least cost of a solution, which may be a longer one
    shortest_paths  how many there are, exactly: different sequences of states
    forced          at how many of the steps all other moves lose the optimum: of the solution with
                    the fewest such steps, and of that with the most
    branching       how many different states a move leads to, on average over all states on them
    path            the first one

    Of the space, with the start; None where not all states were seen:

    states           how many different states were seen
    goals            how many of them are goals
    hopeless         from how many no goal can be reached
    dead_ends        how many have no move, goals left out
    space_branching  how many other states a move leads to, on average over all states
    farthest         how many steps the farthest state is away from a goal
    fatal            moves from a state on a shortest solution to one without a way to a goal
    detour           how many steps more than the least the worst of the other such moves costs

    complete  whether all reachable states were seen
    limit     what stopped it where they were not, e.g. "max_states=5,000"
    seconds   how long it took, compiling included
    """

    puzzle: Puzzle
    start: State
    goal: Condition
    length: int | None = None
    cost: int | None = None
    shortest_paths: int | None = None
    forced: tuple[int, int] | None = None
    branching: float | None = None
    path: Path | None = None
    states: int = 1
    goals: int | None = None
    hopeless: int | None = None
    dead_ends: int | None = None
    space_branching: float | None = None
    farthest: int | None = None
    fatal: int | None = None
    detour: int | None = None
    complete: bool = False
    limit: str | None = None
    notes: tuple[str, ...] = ()
    engine: str = ""
    seconds: float = 0.0

    @property
    def solvable(self) -> bool | None:
        """Whether a goal can be reached from the start; None where that is not known."""
        if self.length is not None:
            return True
        return False if self.shortest_paths == 0 else None

    def __bool__(self) -> bool:
        return bool(self.solvable)

    def __repr__(self) -> str:
        return f"<Rating of {self.puzzle.name}: {self.summary()}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text: the summary, the figures that are known, the notes."""
        yield self.summary()
        rows = self.rows()
        wide = max((len(name) for name, _ in rows), default=0)
        yield from (f"  {name:<{wide}}  {told}" for name, told in rows)
        yield from (f"note: {note}" for note in self.notes)

    def summary(self) -> str:
        """Return the first line of the text: how long a shortest solution is."""
        seen, time = counted(self.states, "state"), f"{self.seconds:,.2f} s"
        all_seen = f"all {seen} seen" if self.complete else f"{seen} seen, stopped by {self.limit}"
        if self.solvable is None:
            return f"stopped by {self.limit}: no shortest solution is known yet ({seen}, {time})"
        if not self.solvable:
            return f"no solution: {all_seen} ({time})"
        assert self.length is not None
        cost = "" if self.cost is None or self.cost == self.length else f", cost {self.cost:,}"
        return f"{counted(self.length, 'step')}, shortest{cost}; {all_seen} ({time})"

    def rows(self) -> list[tuple[str, str]]:
        """Return the figures that are known as texts, each with what it is."""
        found: list[tuple[str, str]] = []

        def add(name: str, value: Any, unit: str = "") -> None:
            if value is not None:
                number = f"{value:,.2f}" if isinstance(value, float) else exact(value)
                found.append((name, f"{number}{unit}"))

        if self.length is not None:
            add("shortest solutions", self.shortest_paths)
        if self.forced is not None:
            fewest, most = self.forced
            range_of = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
            found.append(("forced steps", f"{range_of} of {self.length:,}"))
        add("moves on the way", self.branching, " on average")
        add("fatal moves on the way", self.fatal)
        if self.detour is not None:
            found.append(("worst detour on the way", counted(self.detour, "step")))
        add("moves anywhere", self.space_branching, " on average")
        add("goal states", self.goals)
        add("states without a way to a goal", self.hopeless)
        add("states without moves, no goals", self.dead_ends)
        if self.farthest is not None:
            found.append(("farthest from a goal", counted(self.farthest, "step")))
        return found

    def to_json(self) -> str:
        """Return all figures and the path as JSON text. What is not known is null."""
        from rewrite.outcome.json_text import Writer  # few are written

        writer = Writer()
        names = ("solvable", *WAY, "states", *SPACE, "complete", "limit", "notes", "engine",
                 "seconds")  # fmt: skip
        content: dict[str, Any] = {name: getattr(self, name) for name in names}
        for name in ("cost", "shortest_paths"):  # they may be of any size
            value = content[name]
            content[name] = None if value is None else writer.term(value)
        content["path"] = None if self.path is None else self.path.content(writer)
        return writer.text("rating", self.puzzle, content)
