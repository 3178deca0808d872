"""What a search and its course say to each other; a course is the part that an engine decides.

`python_course` takes batches of states from a strategy, one after the other; `core_course` lets the
core go on until something ends or stops it.
"""

from __future__ import annotations

from typing import Any

from attrs import define, frozen

from rewrite.engine.interface import Code
from rewrite.language.states import State

FIRST_PROGRESS, NEXT_PROGRESS = 1.0, 0.25


@frozen
class Progress:
    """A look at a running search: states seen, depth, states waiting, seconds, bytes in use."""

    states: int
    depth: int
    waiting: int
    seconds: float
    memory: int

    @property
    def rate(self) -> float:
        """States a second."""
        return self.states / self.seconds if self.seconds else 0.0


@define
class Answer:
    """A goal that was found: the codes that lead to it and the bindings of the goal's match."""

    codes: list[Code]
    bindings: dict[str, Any]
    order: int
    """How many states had been seen when it was found, itself included."""
    value: Any = None


def overestimated(state: State, estimate: Any, left: Any) -> str:
    """Return the note about an estimate that was too high."""
    return (
        f"the heuristic overestimates: it gives {estimate} in state {state}, from where a way to a "
        f"goal costs {left}; so the first answer need not be the cheapest"
    )
