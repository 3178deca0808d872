"""`Result`: what a search found, why it ended, and what it cost; `Comparison`: several of them.

The wording of each status is defined here. "exhausted" means that the whole space was searched; it
never shares its wording with a limit or an interrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import attrs
from attrs import field, frozen

from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.faces import Faced, faces
from rewrite.language.order import plain, source
from rewrite.language.puzzles import Puzzle, has_costs
from rewrite.results.files import File, csv_text, saved
from rewrite.results.json_text import LARGEST_DECIMAL_BITS, Writer, opened, read_path
from rewrite.results.path import Path

SWEPT = ("states", "ends", "paths")
STATUSES = ("found", "exhausted", "limit", "interrupted")
FINAL = ("width", "heuristic", "min_depth")
"""Limits that exclude part of the space for good: the search ran to its end under them."""
LIMITS = (*FINAL, "max_depth", "max_states", "max_seconds", "max_memory", "disk_full")


FIGURES: dict[str, tuple[str, ...]] = {
    "status": ("text", *STATUSES),
    "limit": ("maybe", "text", *LIMITS),
    "limit_value": ("maybe", "number"),
    "optimal": ("truth",),
    "states": ("count",),
    "expanded": ("count",),
    "depth": ("count",),
    "seconds": ("number",),
    "levels": ("each", "count"),
    "strategy": ("text",),
    "swept": ("text", *SWEPT),
    "engine": ("text",),
    "notes": ("each", "text"),
    "python_calls": ("each", "text"),
    "ruled_out": ("count",),
    "nearest": ("truth",),
}
"""What a result holds besides paths and rules, and the `Reading` method that reads it."""
TERMS = {"shortest_paths": ("maybe", "count"), "objective": ("maybe", "term")}
"""Likewise for values written as terms, which may be of any size."""
LATER = ("swept", "ruled_out", "shortest_paths", "nearest")
"""Figures that older texts may lack."""
SWEPT_BEFORE = {"idastar": "paths", "bidirectional": "ends"}
"""What strategies swept, other than states, in texts older than `swept`."""


STAYED = "this result was pickled, and the search it could resume stayed where it ran"


@tells_unknown_names(SearchError, "RuleStats", out="search(…) makes it")
@frozen
class RuleStats:
    """How far one rule's matches got during a search.

    tried          matches of its patterns, over all states; without those that the compiler rules
                   out beforehand (ground rules, loops that start further on)
    matched        of these, matches whose conditions hold
    fired          of these, steps into states that `never` does not forbid
    without_value  matches dropped because arithmetic in `put`, `let`, `take` or `cost` had no value
    """

    tried: int = 0
    matched: int = 0
    fired: int = 0
    without_value: int = 0


def _paths(given: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(given)


def _texts(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


@tells_unknown_names(SearchError, "Result", out="search(…) makes it")
@frozen(kw_only=True, repr=False, eq=False)
class Result(Faced):
    """The outcome of a search; true when at least one path was found.

    status       "found": as many answers as asked for; "exhausted": the whole space was searched;
                 "limit"; "interrupted". With the last three, a search for several answers may
                 still have found some
    paths        the answers, in the order found
    limit        the limit that stopped it, e.g. "max_states", and its value: limit_value (None for
                 "disk_full"). Or, for a search that ran to its end, what excluded part of the
                 space: "width" (of the beam), "heuristic" (it returned infinity; for how many
                 states), "min_depth"
    optimal      whether the strategy guarantees that the first path is a shortest (cheapest) one
    states       distinct states seen; expanded: for how many the successors were generated
    depth        of the last answer, or the deepest level searched to its end
    levels       the number of states of each level; for search from both ends: the start, the
                 goals, then the levels of either end as completed; a strategy without levels (by
                 cost, greedy, depth-first) has that of the start alone: [1]
    rules        name of a rule -> RuleStats
    shortest_paths  the number of shortest paths, with shortest=True (0: no goal can be reached);
                 None without shortest=True or if the search ended too early
    ruled_out    states that a heuristic derived from the rules proved to lead to no goal
    swept        what an exhausted search covered: "states": all of them; "ends": until one end had
                 nothing left; "paths": `states` is then the number on the longest path
    seconds      wall time of the whole call, including compilation, building heuristics and
                 finding symmetries. After resume(), the total of all calls, as for the limits
    objective    the value of `minimize=` at the end of the first path, or None
    nearest      with `minimize=`: whether no goal was found, so that the path leads to the state
                 with the lowest value
    notes        what else you should know
    python_calls what called Python functions for each state, which is slow: "rule 'halve' (half)"
    """

    puzzle: Puzzle
    status: str
    paths: tuple[Path, ...] = field(default=(), converter=_paths)
    limit: str | None = None
    limit_value: int | float | None = None
    optimal: bool = False
    states: int = 0
    expanded: int = 0
    depth: int = 0
    seconds: float = 0.0
    levels: list[int] = field(factory=list)
    rules: dict[str, RuleStats] = field(factory=dict)
    strategy: str = ""
    swept: str = "states"
    engine: str = ""
    notes: tuple[str, ...] = field(default=(), converter=_texts)
    python_calls: tuple[str, ...] = field(default=(), converter=_texts)
    objective: Any = None
    shortest_paths: int | None = None
    ruled_out: int = 0
    nearest: bool = False
    _resume: Callable[..., Result] | None = None

    def __attrs_post_init__(self) -> None:  # a contradiction is a bug in the search
        if self.status not in STATUSES:
            raise SearchError(f"status={self.status!r} must be one of {', '.join(STATUSES)}")
        if self.status == "found" and not self.paths:
            raise SearchError("status='found' needs a path")
        if (self.status == "limit") != (self.limit is not None):
            raise SearchError(f"status={self.status!r} does not go with limit={self.limit!r}")

    def __bool__(self) -> bool:
        return bool(self.paths)

    @property
    def path(self) -> Path | None:
        """The first path, or None."""
        return self.paths[0] if self.paths else None

    @property
    def bindings(self) -> dict[str, Any]:
        """The bindings of the goal's match at the end of the first path."""
        return self.paths[0].bindings if self.paths else {}

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one answer; None if the search ended too early to know.

        Only a search for two or more answers (`solutions=2`), or for all shortest paths, can tell.
        """
        if self.shortest_paths:
            return self.shortest_paths == 1
        if len(self.paths) > 1:
            return False
        return len(self.paths) == 1 if self.status == "exhausted" else None

    def resume(self, **limits: Any) -> Result:
        """Continue the same search under new limits, and return its result.

        The limit that stopped it is lifted unless given again: `resume()` continues without it,
        `resume(max_states=5000)` with another one. The other limits stay. Raises SearchError if
        the search cannot continue.
        """
        if self._resume is None:
            why = {
                "found": "as many answers as asked for were found; ask for more with solutions=…",
                "exhausted": "the whole space was searched",
            }.get(self.status, "the search was not kept")
            if STAYED in self.notes:
                why = f"{STAYED}. Search again, with a higher {self.limit or 'limit'}"
            if self.limit in FINAL:
                why = f"the search ran to its end; what it left out ({self.limit}) takes a new one"
            raise SearchError(f"there is nothing to resume: {why}")
        return self._resume(**limits)

    def __reduce__(self) -> tuple[Any, ...]:
        values = {str(one.alias): getattr(self, one.name) for one in attrs.fields(Result)}
        if values.pop("resume") is not None:
            values["notes"] = (*self.notes, STAYED)
        return partial(Result, **values), ()

    def __copy__(self) -> Result:
        return attrs.evolve(self, levels=list(self.levels), rules=dict(self.rules))

    def __deepcopy__(self, memo: dict[int, Any]) -> Result:
        return self.__copy__()  # everything else in it is immutable

    def __repr__(self) -> str:
        return f"<Result {self.status}: {self.summary()}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text, lazily."""
        yield self.summary()
        for number, path in enumerate(self.paths, 1):
            if len(self.paths) > 1:
                yield f"answer {number}: {self._length(path)}{where(path)}"
            if len(path):
                yield from path.lines()
        for note in self.notes:
            yield f"note: {note}"

    def summary(self) -> str:
        """Return the first line of the text: what was found, and why the search ended."""
        seen, time = counted(self.states, "state"), f"{self.seconds:,.2f} s"
        more = "; .resume() continues" if self._resume is not None else ""
        deep = f"({seen}, depth {self.depth:,}, {time})"
        answers = self._answers()
        if self.status == "found":
            return f"{answers} ({seen}, {time})"
        if self.status == "exhausted":
            if self.swept == "ends":
                return f"no solution: no way between the ends, {seen} seen from both ({time})"
            others = ":" if self.nearest else ", no other:"
            found = answers + others if answers else "no solution:"
            if self.swept == "paths":
                return f"{found} all paths followed (the longest through {seen}, {time})"
            if self.ruled_out:
                beyond = f"no goal can be reached beyond {self.ruled_out:,} of them"
                return f"{found} {seen} seen, and {beyond} ({time})"
            return f"{found} all {seen} seen ({time})"
        if self.status == "limit":
            limit, found, missing = self._limited()
            text = f"{answers}{found}{limit}" if answers else f"{limit}: {missing}"
            return f"{text} {deep}{more}"
        text = f"interrupted after {time}"
        text = f"{answers} so far, {text}" if answers else f"{text}: not found yet"
        return f"{text} ({seen}, depth {self.depth:,}){more}"

    def _limited(self) -> tuple[str, str, str]:
        """Return the limit as text, and the words that join it to answers and to "not found"."""
        if self.limit == "heuristic":
            ruled_out = counted(self.limit_value, "state")
            return f"the heuristic ruled out {ruled_out}", "; ", "not found"
        if self.limit == "min_depth":
            return f"min_depth={self.limit_value} passed nearer answers by", "; ", "not found"
        if self.limit == "disk_full":
            return "the disk is full", " so far, ", "not found yet"
        return f"stopped by {self.limit}={_figure(self.limit_value)}", " so far, ", "not found yet"

    def _answers(self) -> str:
        if not self.paths:
            return ""
        if self.nearest:
            return f"{self._length(self.paths[0])} to the lowest value {source(self.objective)}"
        if self.shortest_paths:
            length = self._length(self.paths[0])
            if self.shortest_paths == 1:
                return f"{length}, the only shortest path"
            number = exact(self.shortest_paths)
            return f"{length}, {len(self.paths):,} of {number} shortest paths"
        best = "cheapest" if has_costs(self.puzzle) else "shortest"
        if len(self.paths) > 1:
            return f"{len(self.paths):,} answers" + (f", {best} first" if self.optimal else "")
        if not len(self.paths[0]):
            return "0 steps, the start is a goal"
        return self._length(self.paths[0], f", {best}" if self.optimal else "")

    def _length(self, path: Path, best: str = "") -> str:
        cost = f", cost {exact(path.cost)}" if has_costs(self.puzzle) else ""
        return f"{counted(len(path), 'step')}{best}{cost}"

    def to_html(self, file: File | None = None) -> str:
        """Return a page that shows the result and plays its paths, and write it to `file` if given.

        One self-contained file: summary, states of each level, notes, figures of each rule, and
        the first 20 answers. Raises ExportError if the file cannot be written, and ReplayError for
        a path that the rules do not allow.

        >>> from rewrite.language.rules import rule
        >>> nothing = Result(puzzle=Puzzle(rule("on", put=[1])), status="exhausted", states=7)
        >>> "no solution: all 7 states seen" in nothing.to_html()
        True
        """
        return saved(faces().page(self), file, "to_html")

    def to_json(self) -> str:
        """Return the result as JSON text: all figures and all paths."""
        writer = Writer()
        content: dict[str, Any] = {name: getattr(self, name) for name in FIGURES}
        content["rules"] = {name: attrs.asdict(stats) for name, stats in self.rules.items()}
        for name in TERMS:
            content[name] = writer.term(getattr(self, name))
        content["paths"] = [path.content(writer) for path in self.paths]
        return writer.text("result", self.puzzle, content)

    @classmethod
    def from_json(cls, text: str, puzzle: Puzzle, *, constructors: Iterable[type] = ()) -> Result:
        """Return the result that `to_json` wrote, as one of `puzzle`; it cannot be resumed.

        A text older than a figure such as `swept` gets the value that held then. Raises SearchError
        as `Path.from_json` does. Figures are checked for type and range only, since nothing else
        about them can be verified; for paths see `Path.from_json`.
        """
        whole = opened(text, "result", puzzle, constructors)
        older = [name for name in LATER if not whole.holds(name)]
        every = {name: how for name, how in (FIGURES | TERMS).items() if name not in older}
        figures = {name: whole.part(name).read(*how) for name, how in every.items()}
        if "swept" in older:
            figures["swept"] = SWEPT_BEFORE.get(figures["strategy"], "states")
        counts = [field.name for field in attrs.fields(RuleStats)]
        rules = {
            name: RuleStats(**{count: one.part(count).count() for count in counts})
            for name, one in whole.part("rules").named().items()
        }
        data = [read_path(one) for one in whole.part("paths").parts()]
        paths = [Path(puzzle, one.states, one.bindings, one) for one in data]
        if "nearest" in older:
            lowest = figures["objective"] is not None and len(paths) == 1
            figures["nearest"] = lowest and figures["status"] != "found"
        return cls(puzzle=puzzle, paths=paths, rules=rules, **figures)


COLUMNS = ("strategy", "status", "steps", "cost", "optimal", "states", "expanded", "seconds")


@tells_unknown_names(SearchError, "Comparison", out="compare(…) makes it")
@frozen
class Comparison(Faced):
    """The results of one search by several strategies; prints as a table."""

    results: dict[str, Result]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results.values())

    def __getitem__(self, strategy: str) -> Result:
        return self.results[strategy]

    def rows(self) -> list[tuple[str, ...]]:
        """Return the table as texts, the headings first."""
        return self._rows("–", "{:,}".format)

    def _rows(self, nothing: str, figure: Callable[[int], str]) -> list[tuple[str, ...]]:
        out: list[tuple[str, ...]] = [COLUMNS]
        for name, result in self.results.items():
            path = result.path
            found = (nothing, nothing) if path is None else (str(len(path)), plain(path.cost))
            out.append((
                name, result.status, *found, "yes" if result.optimal else "no",
                figure(result.states), figure(result.expanded), f"{result.seconds:.3f}",
            ))  # fmt: skip
        return out

    def to_csv(self, file: File | None = None) -> str:
        """Return the table as CSV, and write it to `file` if given.

        Figures have no commas, and "–" becomes an empty field. Raises ExportError if the file
        cannot be written.
        """
        return saved(csv_text(self._rows("", str)), file, "to_csv")

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
        left = {"strategy", "status", "optimal"}
        lines = []
        for row in rows:
            cells = [
                cell.ljust(width) if name in left else cell.rjust(width)
                for name, cell, width in zip(COLUMNS, row, widths, strict=True)
            ]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)


def exact(number: int) -> str:
    """Return a whole number in full, or its magnitude if it is too long for Python to print."""
    bits = number.bit_length()
    return f"{number:,}" if bits <= LARGEST_DECIMAL_BITS else f"more than 2^{bits - 1:,}"


def where(path: Path) -> str:
    """Return the bindings of a path as text after its length: ", where N = 7", or nothing."""
    found = ", ".join(f"{name} = {source(value)}" for name, value in path.bindings.items())
    return f", where {found}" if found else ""


def counted(number: float | None, word: str) -> str:
    """Return a number with its word in singular or plural: '1 state', '2,000 states'."""
    return f"{_figure(number)} {word}{'s' * (number != 1)}"


def _figure(value: float | None) -> str:
    return "?" if value is None else f"{value:,}"
