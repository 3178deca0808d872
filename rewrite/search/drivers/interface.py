"""The interface between a search and its driver.

A driver advances the search: `python` runs a strategy, pause by pause; `core` runs the core until
something ends or stops it. A driver keeps its data private, and reports after each step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import define, frozen

from rewrite.budget import Budget
from rewrite.engine.counts import Code, Counts, by_name
from rewrite.engine.interface import Engine
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.order import plain
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.native.trouble import Failed
from rewrite.search.limits import Limits

if TYPE_CHECKING:
    from rewrite.checkpoints.checkpoint_writer import SavableSearch

FIRST_PROGRESS, NEXT_PROGRESS = 1.0, 0.25


@tells_unknown_names(SearchError, "Progress", out="search(…) makes it")
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

    due       whether to return now, to be saved
    pause_at  the number of states at which to return
    shown     the second at which progress is reported next
    """

    budget: Budget
    limits: Limits
    progress: Callable[[Progress], Any] | None = None
    due: Callable[[], bool] | None = None
    pause_at: int | None = None
    shown: float = FIRST_PROGRESS

    def report(self, states: int, depth: int, waiting: int, memory: Callable[[], int]) -> None:
        now = self.budget.seconds
        if self.progress is not None and now >= self.shown:
            self.shown = now + NEXT_PROGRESS
            self.progress(Progress(states, depth, waiting, now, memory()))

    def pauses(self, states: int) -> bool:
        enough = self.pause_at is not None and states >= self.pause_at
        return enough or (self.due is not None and self.due())


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

    why    why it returned: "" to go on, "exhausted", "limit", "interrupted", "paused"
    limit  the name of the limit that was reached
    goals  new goal states
    """

    why: str = ""
    limit: str = ""
    goals: tuple[GoalHit, ...] = ()
    out_of_memory: bool = False


def ended(why: str) -> tuple[str, str]:
    """Return the status of a search, and the limit if that is why it stopped."""
    return (why, "") if why in ("", "exhausted", "interrupted", "paused") else ("limit", why)


class Counted:
    """The counts of a search so far; at first, only its start has been seen.

    depth         the number of the last level begun
    waiting       states seen but not expanded
    levels        states of each complete level
    expanded      states whose successors were generated
    dropped       states that a beam did not keep
    hopeless      states for which the heuristic gave infinity
    reopened      states expanded again, having been reached more cheaply
    inconsistent  whether the estimate was seen to fall by more than the cost of a step
    came_back     whether a search that remembers only its path met one of its states again
    too_near      goal states skipped because of `min_depth`
    overestimate  the note on an estimate that was too high, "" for none
    nearest       the state with the lowest value, with `minimize`
    """

    depth = expanded = dropped = hopeless = reopened = too_near = 0
    waiting = 1
    inconsistent = came_back = False
    overestimate = ""
    nearest: GoalHit | None = None

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.levels: list[int] = [1]

    @property
    def states(self) -> int:
        return 1

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did for the search itself."""
        return by_name(self.rules, [Counts() for _ in self.rules])


class Driver(ABC):
    """Advances a search; its codes are private, and only it decodes them.

    name    of the engine that runs the search
    engine  the Python engine of the same task; `plain` returns its codes
    """

    name: str
    engine: Engine
    record: Counted
    ended = False

    @abstractmethod
    def step(self, more: int | None, watch: Watch) -> StepResult:
        """Advance the search; `more` is the number of goal states wanted, None for all."""

    def expand(self, code: Code) -> list[Code]:
        """Return the distinct successors of a code, without counting. May raise NeedsCapacity."""
        return list(dict.fromkeys(self.engine.successors(code)))

    def failed_in(self, failure: Exception) -> Iterator[State]:
        """Yield the states in which something failed, as far as can be determined."""
        if isinstance(failure, Failed) and failure.state is not None:
            yield self.decode(failure.state)

    @cached_property
    def decode(self) -> Callable[[Code], State]:
        """One object for all paths, of which there may be many."""
        return self.engine.decode

    def plain(self, code: Code) -> Code:
        """Return a code in the encoding of the Python engine of the same task."""
        return code

    @property
    def savable(self) -> SavableSearch | None:
        """What can be saved in a folder; None if nothing can."""
        return None

    def end(self) -> None:
        """End here, because memory ran out; what exists counts as processed."""
        self.ended = True


def overestimated(state: State, estimate: Any, left: Any) -> str:
    gives, costs = (plain(one) if type(one) is int else one for one in (estimate, left))
    return (
        f"the heuristic overestimates: it gives {gives} in state {state}, from where a way to a "
        f"goal costs {costs}; so the first answer need not be the cheapest"
    )
