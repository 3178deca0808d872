"""What is known of a whole space: `Space`, `Distances`, `Hardest`, and `Rating` of an instance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import attrs
from attrs import frozen

from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language import meaning
from rewrite.language.conditions import Condition
from rewrite.language.faces import Faced
from rewrite.language.meaning import simplified
from rewrite.language.order import plain
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.files import File, csv_text, saved
from rewrite.results.json_text import Writer
from rewrite.results.path import Path
from rewrite.results.result import counted, exact

if TYPE_CHECKING:
    import networkx

MOST_FARTHEST = 10_000
SHOWN = 10
"""Default number of states in the text."""
WAY = ("length", "cost", "shortest_paths", "forced", "branching")
SPACE = ("goals", "hopeless", "dead_ends", "space_branching", "farthest", "fatal", "detour")
"""Figures known only if all states were seen."""


class Report(Faced):
    __slots__ = ()
    puzzle: Puzzle
    complete: bool
    limit: str | None

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        first = str(self).partition("\n")[0]
        return f"<{type(self).__name__} of {self.puzzle.name}: {first}>"

    @property
    def end(self) -> str:
        """Why the search ended: "complete", or the limit that stopped it."""
        return "complete" if self.complete else f"stopped by {self.limit}"

    def _figures(self, names: str) -> dict[str, Any]:
        every = f"{names} complete limit notes engine seconds".split()
        return {name: getattr(self, name) for name in every}


def _levels(levels: Sequence[int]) -> str:
    return f"levels: {', '.join(f'{size:,}' for size in levels)}"


@tells_unknown_names(SearchError, "Space", out="explore(…) makes it")
@frozen(kw_only=True, eq=False, repr=False)
class Space(Report):
    """The reachable states of a puzzle, in breadth-first order.

    states    all states, the start first
    level     the depth of each state: the length of its shortest path
    edges     pairs of state numbers (from, to) joined by a step, each pair once
    complete  whether every state was expanded
    limit     what stopped it if not complete, e.g. "max_states=1,000"
    """

    puzzle: Puzzle
    states: list[State]
    level: list[int]
    edges: list[tuple[int, int]]
    complete: bool = True
    limit: str | None = None

    @property
    def levels(self) -> list[int]:
        """The number of states of each level. O(n)."""
        sizes = Counter(self.level)
        return [sizes[depth] for depth in range(self.depth + 1)]

    @property
    def depth(self) -> int:
        """The deepest level: how far the farthest state is from the start."""
        return max(self.level)

    def farthest(self) -> list[State]:
        """Return the states of the deepest level, in order of discovery."""
        deepest = self.depth
        return [s for s, depth in zip(self.states, self.level, strict=True) if depth == deepest]

    def dead_ends(self) -> list[State]:
        """Return the states without successors, in order of discovery.

        If the space is not complete, unexpanded states are expanded by the definition.
        """
        left = {source for source, _ in self.edges}
        open_ends = [state for number, state in enumerate(self.states) if number not in left]
        if self.complete:
            return open_ends
        return [state for state in open_ends if not meaning.successors(self.puzzle, state)]

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[State]:
        return iter(self.states)

    def __str__(self) -> str:
        size = f"{counted(len(self), 'state')}, {counted(len(self.edges), 'edge')}"
        return f"{size}, depth {self.depth} ({self.end}); {_levels(self.levels)}"

    def to_networkx(self) -> networkx.DiGraph[State]:
        """Return a networkx DiGraph whose nodes are the states, each with its `level`.

        Raises ImportError if networkx is not installed.
        """
        try:
            import networkx
        except ImportError as error:
            raise ImportError(
                "to_networkx() needs networkx, which is not installed: pip install 'rewrite[graph]'"
            ) from error
        graph: networkx.DiGraph[State] = networkx.DiGraph(name=self.puzzle.name)
        for state, depth in zip(self.states, self.level, strict=True):
            graph.add_node(state, level=depth)
        graph.add_edges_from((self.states[a], self.states[b]) for a, b in self.edges)
        return graph

    def to_dot(self) -> str:
        """Return the graph as Graphviz text, states as `puzzle.show` shows them (else as text).

        Dead ends are grey, the start has a thick border; states of a level are side by side.
        """
        dead = set(self.dead_ends())
        lines = ["digraph {", "  node [shape=box, fontname=monospace];"]
        for number, state in enumerate(self.states):
            style = ", style=bold" if number == 0 else ""
            style += ", color=gray, fontcolor=gray" if state in dead else ""
            lines.append(f"  {number} [label={quoted(self.puzzle.shown(state))}{style}];")
        for depth in range(self.depth + 1):
            row = "; ".join(str(n) for n, level in enumerate(self.level) if level == depth)
            lines.append(f"  {{rank=same; {row}}}")
        lines += [f"  {source} -> {target};" for source, target in self.edges]
        return "\n".join([*lines, "}", ""])


def quoted(text: Any) -> str:
    """Return a text as a Graphviz string with left-aligned lines."""
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + (escaped.replace("\n", "\\l") + "\\l" if "\n" in escaped else escaped) + '"'


@tells_unknown_names(SearchError, "Distances", out="distances(…) makes it")
@frozen(kw_only=True, eq=False, repr=False)
class Distances(Report):
    """The least number of steps from a start to every reachable state.

    levels    the number of states at each distance
    complete  whether these are all states; else only fully searched levels are included
    limit     what stopped it if not complete, e.g. "max_depth=5"
    encoding  how the distances are stored, in words
    engine    "native" or "python"
    seconds   how long it took
    notes     what became of a certificate

    Pickling keeps the figures but not the table, which is rebuilt when the first distance or path
    is requested.
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
    """Recomputes them after unpickling."""
    notes: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        hidden = ("distance", "states", "farthest")
        parts = {one.alias: getattr(self, one.name) for one in attrs.fields(Distances)}
        return _revived, ({name: parts[name] for name in parts if name not in hidden},)

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
        """The greatest distance."""
        return len(self.levels) - 1

    def distance(self, state: Any) -> int | None:
        """Return the least number of steps from the start to a state.

        None for a state that is unreachable, or (unless `complete`) was not reached. Time is
        proportional to the distance if levels are stored modulo 3, else O(1).
        """
        return self._distance(simplified(self.puzzle, State(state)))

    def path(self, state: Any) -> Path:
        """Return a shortest path from the start to a state; raises SearchError if none is known.

        Of several, every engine returns the same one.
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

        Raises SearchError if there are more than `most`.
        """
        if type(most) is not int or most < 0:
            raise SearchError(
                f"farthest({plain(most)}): most is a whole number of 0 or more; for the distance "
                "of a state write distance(state)"
            )
        if self.levels[-1] > most:
            raise SearchError(
                f"{self.puzzle.name}: {self.levels[-1]:,} states are {self.depth:,} steps away, "
                f"more than most={most:,}; farthest(most={self.levels[-1]}) gives them all"
            )
        return sorted(self._farthest())

    def to_csv(self, file: File | None = None) -> str:
        """Return the number of states at each distance as CSV, and write it to `file` if given.

        Raises ExportError if the file cannot be written.
        """
        return saved(csv_text([("depth", "states"), *enumerate(self.levels)]), file, "to_csv")

    def __len__(self) -> int:
        return self.states

    def __str__(self) -> str:
        seen = counted(self.states, "state")
        return f"{seen}, depth {self.depth} ({self.end}); {_levels(self.levels)}"


def _revived(parts: dict[str, Any]) -> Distances:
    again: Callable[[], Distances] = cache(parts["again"])
    return Distances(
        **parts,
        distance=lambda state: again()._distance(state),
        states=lambda state: again()._states(state),
        farthest=lambda: again()._farthest(),
    )


@tells_unknown_names(SearchError, "Hardest", out="hardest(…) makes it")
@frozen(kw_only=True, eq=False, repr=False)
class Hardest(Report):
    """The states farthest from a goal, and the distances of all others; true if there are any.

    states    how many different states were seen, including the start
    levels    the number of states at each distance from the nearest goal; empty if no goal is
              reachable or nothing is proved
    farthest  the states of the last level, in canonical order: at most as many as requested
    complete  whether these are all reachable states; else nothing is claimed
    limit     what stopped it if not complete, e.g. "max_states=5,000"
    notes     what else you should know: whether states were counted up to symmetry
    engine    "native" or "python"
    seconds   how long it took, compiling included

    Every step counts as one, whatever it costs.
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
    """Returns a shortest path from a state to a goal, or None."""

    @property
    def depth(self) -> int | None:
        """The distance of the farthest states from a goal; None if unknown."""
        return len(self.levels) - 1 if self.levels else None

    @property
    def number(self) -> int:
        """How many states are that far away, listed in `farthest` or not."""
        return self.levels[-1] if self.levels else 0

    @property
    def solvable(self) -> int | None:
        """From how many states a goal can be reached; None if unknown."""
        return sum(self.levels) if self.complete else None

    @property
    def hopeless(self) -> int | None:
        """From how many states no goal can be reached; None if unknown."""
        return self.states - sum(self.levels) if self.complete else None

    def path(self, state: Any = None) -> Path:
        """Return a shortest path from a state to a goal: from the first of `farthest` by default.

        Of several, always the same one. Raises SearchError if there is none. Runs a search.
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
        """Return the number of states at each distance from a goal as CSV; also write it to `file`.

        Raises ExportError if the file cannot be written.
        """
        return saved(csv_text([("distance", "states"), *enumerate(self.levels)]), file, "to_csv")

    def to_json(self) -> str:
        """Return all figures and the farthest states as JSON text."""
        writer = Writer()
        content = self._figures("states solvable hopeless depth number levels")
        content["farthest"] = [writer.terms(state) for state in self.farthest]
        return writer.text("hardest", self.puzzle, content)

    def __bool__(self) -> bool:
        return bool(self.levels)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, states: int = SHOWN) -> Iterator[str]:
        """Yield the lines of the text: summary, levels, at most `states` states, and notes."""
        yield self.summary()
        if self.levels:
            yield _levels(self.levels)
        shown = self.farthest[:states]
        yield from map(str, shown)
        if self.number > len(shown):
            yield f"… {self.number - len(shown):,} more"
        yield from (f"note: {note}" for note in self.notes)

    def summary(self) -> str:
        """Return the first line of the text: the greatest distance, and what is proved."""
        seen, time = counted(self.states, "state"), f"{self.seconds:,.2f} s"
        if not self.complete:
            return f"stopped by {self.limit}: nothing is known before all are seen ({seen}, {time})"
        if not self.levels:
            return f"no goal can be reached: all {seen} seen ({time})"
        far = f"{counted(self.depth, 'step')} to a goal at most: {self.number:,} of {seen}"
        lost = f"no goal can be reached from {self.hopeless:,}" if self.hopeless else ""
        return f"{far}, all seen; {lost or 'a goal can be reached from each'} ({time})"


@tells_unknown_names(SearchError, "Rating", out="rate(…) makes it")
@frozen(kw_only=True, eq=False, repr=False)
class Rating(Report):
    """How hard one instance is, in figures; true if it can be solved.

    Figures of all shortest solutions together; None if unknown, or if there is no solution:

    length          their number of steps
    cost            the least cost of a solution, perhaps of a longer one
    shortest_paths  their exact number: different sequences of states
    forced          how many steps have no other move that keeps the optimum: in the solution with
                    the fewest such steps, and in that with the most
    branching       the average number of different successors, over all states on them
    path            the first one

    Figures of the space, including the start; None unless all states were seen:

    states           how many different states were seen
    goals            how many of them are goals
    hopeless         from how many no goal can be reached
    dead_ends        how many have no move to another state, not counting goals
    space_branching  the average number of other states that moves lead to, over all states
    farthest         the distance of the farthest state from a goal
    fatal            how many moves lead from shortest solutions to states that cannot reach a goal
    detour           how many extra steps the worst of the other wrong moves costs

    complete  whether all reachable states were seen
    limit     what stopped it if not complete, e.g. "max_states=5,000"
    seconds   how long it took, including compilation
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
        """Whether a goal can be reached from the start; None if unknown."""
        if self.length is not None:
            return True
        return False if self.shortest_paths == 0 else None

    def __bool__(self) -> bool:
        return bool(self.solvable)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text: the summary, the known figures, the notes."""
        yield self.summary()
        rows = self.rows()
        wide = max((len(name) for name, _ in rows), default=0)
        yield from (f"  {name:<{wide}}  {text}" for name, text in rows)
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
        cost = "" if self.cost is None or self.cost == self.length else f", cost {exact(self.cost)}"
        return f"{counted(self.length, 'step')}, shortest{cost}; {all_seen} ({time})"

    def rows(self) -> list[tuple[str, str]]:
        """Return the known figures as (name, text)."""
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
        """Return all figures and the path as JSON text. Unknown figures are null."""
        writer = Writer()
        content = self._figures(" ".join(["solvable", *WAY, "states", *SPACE]))
        for name in ("cost", "shortest_paths"):  # they may be of any size
            content[name] = writer.term(content[name])
        content["path"] = None if self.path is None else self.path.content(writer)
        return writer.text("rating", self.puzzle, content)


class Scrambled(State):
    """A State that knows its distance back; compares, hashes and prints like any State.

    distance  the length of a path from here to the state it was made from; None if no path is
              known
    exact     whether it is proved that no shorter path exists

    >>> Scrambled.from_items([7, 4], distance=3, exact=True)
    State([4, 7])
    """

    __slots__ = ("distance", "exact")

    distance: int | None
    exact: bool

    @classmethod
    def from_items(cls, items: Iterable[Any], *, distance: int | None, exact: bool) -> Scrambled:
        """Return the state of terms already known to be frozen and ground."""
        made = cls.of(items)
        made.distance, made.exact = distance, exact
        return made

    def __reduce__(self) -> Any:
        made = Scrambled.from_items
        return partial(made, self.items, distance=self.distance, exact=self.exact), ()
