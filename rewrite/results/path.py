"""`Path`: how a state was reached; its steps are recomputed by the definition of the rules.

A search returns only states; the step between two of them is decided here by `language.meaning`,
which shares no code with the search. So every path that is printed has been checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations
from typing import Any, overload

from attrs import field, frozen

from rewrite.errors import ReplayError, SearchError, tells_unknown_names
from rewrite.language import meaning
from rewrite.language.between import Between
from rewrite.language.faces import Faced, faces
from rewrite.language.order import Frozen, Key, source, term_key
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.files import File, saved
from rewrite.results.formula import formula_of
from rewrite.results.json_text import PathData, Writer, opened, read_path
from rewrite.results.moves import Step, Walker, Wish, leading_on, step_of

Bindings = Mapping[str, Any] | Callable[[], Mapping[str, Any]]
"""Name -> value, or a function that returns such a mapping, called on first use."""


class Later(Sequence[State]):
    """States that are decoded on use. A search may have many paths: they are kept small."""

    __slots__ = ("_codes", "_decode")

    def __init__(self, codes: Sequence[Any], decode: Callable[[Any], State]) -> None:
        self._codes, self._decode = codes, decode

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, at: Any) -> Any:
        codes = self._codes[at]
        return [*map(self._decode, codes)] if isinstance(at, slice) else self._decode(codes)


class Whole(Sequence[State]):
    """States built on first use, and the indices of counted steps: a free move may lead there."""

    def __init__(self, make: Callable[[], tuple[Sequence[State], frozenset[int]]]) -> None:
        self._make = cache(make)

    @property
    def counted(self) -> frozenset[int]:
        return self._make()[1]

    def __len__(self) -> int:
        return len(self._make()[0])

    def __getitem__(self, at: Any) -> Any:
        return self._make()[0][at]


@tells_unknown_names(SearchError, "Path", out="search(…) makes it")
@frozen(eq=False, repr=False)
class Path(Frozen, Faced):
    """A sequence of states, each reached by a rule from the one before; compared by its states.

    puzzle    the puzzle whose rules lead from state to state
    states    the states, the start first; or a function without arguments that returns them,
              called on first use
    bindings  name -> value of the goal's match at the end; or a function that returns them

    Iterating gives the steps, `lines()` the text, both lazily, so the beginning of a long path can
    be read at once. A step costs a few dozen matches (every match of every rule if the puzzle
    simplifies). Raises ReplayError if no rule leads from one state to the next.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> M, N = ints("M N")
    >>> puzzle = Puzzle(rule(f"{M} + {N} → {M + N}", take=[M, N], put=[M + N], when=M >= N))
    >>> path = Path(puzzle, [State([1, 2, 3]), State([2, 4]), State([6])])
    >>> print(path)
      1. 3 + 1 → 4
      2. 4 + 2 → 6
    >>> len(path), path.cost, path.formula(6)
    (2, 2, '3 + 1 + 2')
    """

    puzzle: Puzzle
    _given: Sequence[State] | Callable[[], Sequence[State]] = field(alias="states")
    _bindings: Bindings | None = field(default=None, alias="bindings")
    _data: PathData | None = field(default=None, alias="data")
    """What a JSON text claims about the steps: checked when they are computed."""

    @classmethod
    def of_steps(
        cls,
        puzzle: Puzzle,
        start: State,
        steps: Iterable[Step],
        *,
        bindings: Bindings | None = None,
    ) -> Path:
        """Return the path of known steps: each must begin where the one before ended."""
        listed = tuple(steps)
        path = cls(puzzle, (start, *(step.after for step in listed)), bindings)
        for number, (state, step) in enumerate(zip(path.states, listed, strict=False), 1):
            if step.before != state:
                raise ReplayError(
                    f"step {number} ({step.label}) begins in {step.before}, but the one before it "
                    f"ends in {state}",
                    step=number,
                    state=state,
                )
        path._known.update(enumerate(listed))
        return path

    def __getstate__(self) -> dict[str, Any]:
        if self._counted:  # the states alone do not say which steps are
            _ = self.steps
        return {
            "puzzle": self.puzzle, "_given": self.states, "_bindings": self.bindings,
            "_data": self._data, "_known": self._known,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """All states, from the start to the end."""
        states = tuple(self._given() if callable(self._given) else self._given)
        if not states:
            raise SearchError("a path has at least one state: Path(puzzle, [start, …])")
        return states

    @property
    def _each(self) -> Sequence[State]:
        return self._given if isinstance(self._given, Later) else self.states

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The step between each state and the next: the cheapest, and the first in order of those.

        If the search took a counted step where a free move leads to the same state, the counted
        one. For a path read from JSON, the step with the label and the cost recorded there.
        """
        steps = tuple(self)
        stated = None if self._data is None else self._data.cost
        cost = sum(step.cost for step in steps)
        if stated is not None and stated != cost:
            raise ReplayError(
                f"the JSON text says that this path costs {source(stated)}, but its steps cost "
                f"{source(cost)}: they do not belong together, or the rules have changed since",
                told=stated,
                cost=cost,
            )
        return steps

    @property
    def _counted(self) -> frozenset[int]:
        """The indices of steps that must not be free moves."""
        return self._given.counted if isinstance(self._given, Whole) else frozenset()

    @cached_property
    def _known(self) -> dict[int, Step]:
        return {}

    @cached_property
    def _between(self) -> Between:
        return Between(self.puzzle)

    def _step(self, index: int) -> Step:
        found = self._known.get(index)
        if found is None:
            found = self._known[index] = self._traced(index)
        return found

    def _traced(self, index: int) -> Step:
        before, after = self._each[index], self._each[index + 1]
        if self._data is None:
            way = self._between.cheapest(before, after, index in self._counted)
            ways = [] if way is None else [way]
        else:
            ways = sorted(self._between.ways(before, after), key=lambda way: way.cost)
        if not ways:
            raise ReplayError(
                f"step {index + 1}: no rule of {self.puzzle.name} leads from {before} to {after}, "
                "so this is not a path of it. If a search gave it, that is a bug in rewrite; "
                "please report it with this text. If it was made by hand or read from a file, the "
                "states belong to other rules",
                step=index + 1,
                state=before,
                moves=(),
            )
        if self._data is None:
            return step_of(self.puzzle, before, ways[0])
        label, cost = self._data.labels[index], self._data.costs[index]
        steps = [step_of(self.puzzle, before, way) for way in ways]
        for step in steps:
            if step.label == label and cost in (None, step.cost):
                return step
        stated = "" if cost is None else f" at cost {source(cost)}"
        legal = dict.fromkeys(f"{step.label!r} at cost {source(step.cost)}" for step in steps)
        raise ReplayError(
            f"step {index + 1}: the JSON text calls it {label!r}{stated}, but what leads from "
            f"{before} to {after} is {', '.join(legal)}: they do not belong together",
            step=index + 1,
            asked=label,
            state=before,
            moves=tuple(steps),
        )

    def check(self) -> None:
        """Raise ReplayError if what a JSON text claims does not fit the states.

        Labels and cost are compared with the steps; bindings with a match of the puzzle's goal at
        the end, if it has the same variables.
        """
        if self._data is None:
            return
        _ = self.steps
        goal, bindings = self.puzzle.goal, self.bindings
        if not bindings or goal is None:
            return
        world = meaning.world_of(self.puzzle, self.end)
        found = [{v.name: one for v, one in env.items()} for env in meaning.bindings(world, goal)]
        alike = any(set(one) == set(bindings) for one in found) or not found
        if alike and not any(_same(one, bindings) for one in found):
            values = ", ".join(f"{name} = {source(one)}" for name, one in bindings.items())
            raise ReplayError(
                f"the JSON text says that the path ends with {values}, but that does not match "
                f"goal={goal!r} in {self.end}. If another goal was searched for, replay with "
                "puzzle.replace(goal=…)",
                bindings=bindings,
                state=self.end,
            )

    @property
    def bindings(self) -> dict[str, Any]:
        """Name -> value of the goal's match that ended the path."""
        return dict(self._bound)

    @cached_property
    def _bound(self) -> Mapping[str, Any]:
        return self._bindings() if callable(self._bindings) else self._bindings or {}

    @property
    def start(self) -> State:
        """The first state."""
        return self._each[0]

    @property
    def end(self) -> State:
        """The last state."""
        return self._each[-1]

    @property
    def labels(self) -> list[str]:
        """The label of each step, filled in."""
        return [step.label for step in self]

    @property
    def cost(self) -> int:
        """The sum of the costs of the steps. O(1) if all rules cost the same."""
        if self._data is not None:  # checked against the text once all steps are known
            return sum(step.cost for step in self.steps)
        costs = {rule.cost if type(rule.cost) is int else None for rule in self.puzzle.rules}
        [each] = costs if len(costs) == 1 else [None]
        return sum(step.cost for step in self) if each is None else each * len(self)

    def __iter__(self) -> Iterator[Step]:
        return map(self._step, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        if isinstance(index, slice):
            return tuple(map(self._step, range(*index.indices(len(self)))))
        if -len(self) <= index < len(self):
            return self._step(index % len(self))
        raise IndexError(f"step {source(index)} of a path of {len(self)} steps")

    def __len__(self) -> int:
        return len(self._each) - 1

    def __bool__(self) -> bool:
        return True  # a path of no steps is a path

    def key(self) -> Key:
        """Return the key that paths are compared by: their states."""
        return tuple(state.term_key() for state in self.states)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"<Path of {len(self)} step{'s' * (len(self) != 1)} to {self.end}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the text of each step: its number and its label."""
        if not len(self):
            yield "  (no steps)"
        width = len(str(len(self))) + 2
        for number, step in enumerate(self, 1):
            yield f"{number:>{width}}. {step.label}"

    def show(self) -> str:
        """Return every state as `puzzle.show` shows it (else as printed), under its step's label.

        Blank lines separate the states. `views.stories.frames` puts them side by side.
        """
        return "\n\n".join(self.pictures())

    def pictures(self) -> Iterator[str]:
        """Yield the parts of `show()`: a state under the label of the step that led to it."""
        yield f"start\n{self.puzzle.shown(self.start)}"
        for number, step in enumerate(self, 1):
            yield f"{number}. {step.label}\n{self.puzzle.shown(self._each[number])}"

    def formula(
        self,
        term: Any,
        *,
        operators: Mapping[str, str] | None = None,
        atom: Callable[[Any], str] = repr,
    ) -> str:
        """Return the arithmetic expression that computed a term, with as few brackets as needed.

        The `put` expressions of the rules are substituted back, occurrence by occurrence, from the
        term's last occurrence on the path; of equal terms there, the newest. A rule takes the
        oldest of equal terms. Numbers that were not computed stay as they are. In a constructor
        term or a sequence, every part is expanded: `Cell(0 + 1, 41 * 7)`.

        operators  for terms other than bare numbers, e.g. fractions: rule name -> operator to
                   write between the terms the rule took: {"add": "+", "over": "/"}
        atom       how to write a term that was not computed

        Raises ViewError for a term that occurs in no state of the path.
        """
        return formula_of(self.start, self.steps, term, dict(operators or {}), atom)

    def loops(self) -> list[tuple[int, int]]:
        """Return pairs (i, j), counted from 1: step j ends in the state that step i began in.

        Ordered by i, then j. Steps i to j could be left out.
        """
        states = self.states
        return [
            (i + 1, j)
            for i in range(len(states))
            for j in range(i + 1, len(states))
            if states[i] == states[j]
        ]

    def cancelling(self) -> list[tuple[int, int]]:
        """Return pairs (i, j), counted from 1, of steps that cancel; no step is in two pairs.

        Without the pair, the labels of the other steps still replay and reach the same end, even
        if independent steps lie between the two. Greedy: take the first i with a partner and its
        first partner j, remove both, repeat. Tries at most O(length³) steps.
        """
        return self._cancelled[0]

    def shortened(self) -> Path:
        """Return the path without its `cancelling()` pairs, or itself if there are none."""
        pairs, left = self._cancelled
        if not pairs:
            return self
        reached = leading_on(Walker(self.puzzle).walk(self.start, left), self.end)
        steps: list[Step] = []
        state = self.start
        for met in reached:
            steps.append(next(step for step in met if step.before == state))
            state = steps[-1].after
        return Path.of_steps(self.puzzle, self.start, steps, bindings=self._bindings)

    @cached_property
    def _cancelled(self) -> tuple[list[tuple[int, int]], list[Wish]]:
        walker, left = Walker(self.puzzle), list(enumerate(self.labels, 1))
        pairs: list[tuple[int, int]] = []
        while True:  # without a pair, an earlier step may have found its partner
            for one, other in combinations(left, 2):
                rest = [step for step in left if step not in (one, other)]
                if walker.arrives(self.start, [label for _, label in rest], self.end):
                    pairs.append((one[0], other[0]))
                    left = rest
                    break
            else:
                return sorted(pairs), [label for _, label in left]

    def to_html(self, file: File | None = None) -> str:
        """Return a page that plays the path step by step, and write it to `file` if given.

        One self-contained file: it can be opened from disk, sent to a friend and printed. States
        are drawn as the puzzle shows them; if its view fails, the page says so. Raises ExportError
        if the file cannot be written, and ReplayError if a step fails. Computes every step and
        draws every state.

        >>> from rewrite.language.rules import rule
        >>> puzzle = Puzzle(rule("on", take=[1], put=[2]))
        >>> page = Path(puzzle, [State([1]), State([2])]).to_html()
        >>> page.splitlines()[0]
        '<!DOCTYPE html>'
        """
        return saved(faces().page(self), file, "to_html")

    def to_svg(self, file: File | None = None) -> str:
        """Return the path as one animated SVG without scripts; also write it to `file` if given.

        Readers who prefer reduced motion see the last state. The same bytes each time. Errors and
        cost as for `to_html`.
        """
        return saved(faces().animated(self), file, "to_svg")

    def to_json(self) -> str:
        """Return the path as JSON text: puzzle name, states, bindings and, for readers, labels."""
        writer = Writer()
        return writer.text("path", self.puzzle, self.content(writer))

    def content(self, writer: Writer) -> dict[str, Any]:
        """Return the path as part of a JSON document."""
        return {
            "labels": self.labels,
            "cost": writer.term(self.cost),
            "costs": [writer.term(step.cost) for step in self],
            "bindings": {name: writer.term(value) for name, value in self.bindings.items()},
            "states": [writer.terms(state) for state in self.states],
        }

    @classmethod
    def from_json(cls, text: str, puzzle: Puzzle, *, constructors: Iterable[type] = ()) -> Path:
        """Return the path that `to_json` wrote, as one of `puzzle`.

        Constructor terms become instances of `constructors` or of the classes that the puzzle
        mentions. Raises SearchError, with the place, for a text of another kind or version, an
        unknown constructor or broken JSON. Steps are checked on first use: a label or cost that
        does not fit the states then raises ReplayError.
        """
        data = read_path(opened(text, "path", puzzle, constructors))
        return cls(puzzle, data.states, data.bindings, data)


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {k: term_key(v) for k, v in one.items()} == {k: term_key(v) for k, v in other.items()}
