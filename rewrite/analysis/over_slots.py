"""OverSlots: what reasoning needs to know about a puzzle whose states are slots and bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from rewrite.analysis.fields import Field, numbers
from rewrite.compile.program import SlotProgram
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.forms import Matches
from rewrite.compile.slots.layout import SlotLayout
from rewrite.compile.task import Task

if TYPE_CHECKING:
    from rewrite.analysis.transitions import Transition

V = TypeVar("V")
Filled = Mapping[int, Any]
"""From the bits that a change reads to its table entries, found on first use."""


class OverSlots(Protocol):
    """The ground rules of a task and the fields of its states. An engine over slots is one."""

    task: Task
    program: SlotProgram
    layout: SlotLayout
    changes: list[tuple[int, Change]]
    """The ground rules, each with the number of its rule."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of a state. Raises Unsuitable if values are open."""

    @property
    def transitions(self) -> list[Transition]:
        """The ground rules, fully evaluated. Raises Unsuitable."""

    @property
    def begun(self) -> tuple[int, ...]:
        """What each field holds in the start. Raises Unsuitable if values are open."""
        return numbers(self.fields, self.layout.encode(self.task.start))

    @property
    def relaxed(self) -> list[tuple[int, Transition]]:
        """What rules do where facts stay true, each with the number of its step; those of
        `simplify`, too, at no cost. Raises Unsuitable.
        """

    def known(self, what: str, make: Callable[[], V]) -> V:
        """Return a named result of the ground rules alone, computed once per puzzle."""

    def instances(self, given: Matches) -> Sequence[tuple[Change, Filled | None]]:
        """Return the instances of a condition, each with its table."""
