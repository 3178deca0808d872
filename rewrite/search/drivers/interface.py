"""The interface between a search and its driver.

A driver advances the search: `python` takes batches of states from a strategy, one by one; `core`
runs the core until something ends or stops it. A driver keeps its data private, and reports after
each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, frozen

from rewrite.budget import Budget
from rewrite.engine.counts import Code, Counts
from rewrite.engine.interface import Engine
from rewrite.language.states import State
from rewrite.search.limits import Limits

if TYPE_CHECKING:
    from rewrite.checkpoints.checkpoint_writer import SavableSearch

FIRST_PROGRESS, NEXT_PROGRESS = 1.0, 0.25


@frozen
class Progress:
    """A snapshot of a running search: states seen, depth, states waiting, seconds, bytes in use."""

    states: int
    depth: int
    waiting: int
    seconds: float
    memory: int

    @property
    def rate(self) -> float:
        """States per second."""
        return self.states / self.seconds if self.seconds else 0.0


@define
class Watch:
    """What a driver observes while it runs.

    pause   given the number of states, says whether to return now
    shown   the second at which progress is reported next
    """

    budget: Budget
    limits: Limits
    progress: Callable[[Progress], Any] | None = None
    pause: Callable[[int], bool] | None = None
    shown: float = FIRST_PROGRESS

    def report(self, states: int, depth: int, waiting: int, memory: Callable[[], int]) -> None:
        """Report progress if it is due."""
        now = self.budget.seconds
        if self.progress is not None and now >= self.shown:
            self.shown = now + NEXT_PROGRESS
            self.progress(Progress(states, depth, waiting, now, memory()))

    def pauses(self, states: int) -> bool:
        """Whether to return now."""
        return self.pause is not None and self.pause(states)


@frozen
class GoalHit:
    """A goal state, or one that may be the nearest: the codes leading to it.

    order   how many states had been seen when it was found, including itself
    """

    codes: Sequence[Code]
    order: int
    value: Any = None


@frozen
class StepResult:
    """What a driver reports.

    why           why it returned: "" to go on, "exhausted", "limit", "interrupted", "paused"
    limit         the name of the limit that was reached
    goals         new goal states
    nearest       the state with the lowest value so far, with `minimize`
    too_near      goal states skipped because of `min_depth`, so far
    overestimate  the note on an estimate that was too high, "" for none
    """

    why: str = ""
    limit: str = ""
    goals: tuple[GoalHit, ...] = ()
    nearest: GoalHit | None = None
    too_near: int = 0
    overestimate: str = ""
    out_of_memory: bool = False


class Counted(Protocol):
    """The counts of a search so far."""

    @property
    def states(self) -> int:
        """Distinct states seen."""

    @property
    def depth(self) -> int:
        """The number of the last level begun."""

    @property
    def waiting(self) -> int:
        """States seen but not expanded."""

    @property
    def levels(self) -> Sequence[int]:
        """States of each complete level."""

    @property
    def expanded(self) -> int:
        """States whose successors were generated."""

    @property
    def dropped(self) -> int:
        """States that a beam did not keep."""

    @property
    def hopeless(self) -> int:
        """States for which the heuristic gave infinity."""

    @property
    def reopened(self) -> int:
        """States expanded again, having been reached more cheaply."""

    @property
    def inconsistent(self) -> bool:
        """Whether the estimate was seen to fall by more than the cost of a step."""

    @property
    def came_back(self) -> bool:
        """Whether a search that remembers only its path met one of its states again."""

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did."""


class Driver(Protocol):
    """Advances a search; its codes are private, and only it decodes them."""

    name: str
    """The name of the engine that runs the search."""

    @property
    def engine(self) -> Engine:
        """The Python engine of the same task; `plain` gives its codes."""

    @property
    def record(self) -> Counted:
        """The counts of the search."""

    def step(self, more: int | None, watch: Watch) -> StepResult:
        """Advance the search; `more` is the number of goal states wanted, None for all."""

    def decode(self, code: Code) -> State:
        """Return the state of a code."""

    def plain(self, code: Code) -> Code:
        """Return a code in the encoding of the Python engine of the same task."""

    def expand(self, code: Code) -> list[Code]:
        """Return the distinct successors of a code, without counting. May raise NeedsCapacity."""

    def failed_in(self, failure: Exception) -> Iterator[State]:
        """Yield the states in which something failed, as far as can be determined."""

    @property
    def savable(self) -> SavableSearch | None:
        """What can be saved in a folder; None if nothing can."""

    def end(self) -> None:
        """End here, because memory ran out; what exists counts as processed."""


def overestimated(state: State, estimate: Any, left: Any) -> str:
    """Return the note about an estimate that was too high."""
    return (
        f"the heuristic overestimates: it gives {estimate} in state {state}, from where a way to a "
        f"goal costs {left}; so the first answer need not be the cheapest"
    )
