"""Engine: the protocol between a search and what expands states, in Python or natively.

Every engine runs a task. Where states are slots, `engine.reasoning` is what can be asked in
addition: fields, ground rules and what follows from them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from rewrite.compiler.reason import Reason
from rewrite.compiler.task import Task
from rewrite.engine.counts import Code, Counts
from rewrite.engine.running import CodeEngine
from rewrite.language.conditions import Condition
from rewrite.language.states import State
from rewrite.reasoning.over_slots import OverSlots

if TYPE_CHECKING:
    from rewrite.reasoning.mutexes import Mutexes


class Engine(Protocol):
    """Expands, tests and values states of one Task."""

    name: str
    task: Task

    @property
    def stops(self) -> bool:
        """Whether a limit may stop it in the middle of a step, which then counts nothing."""

    @property
    def reasoning(self) -> Reasoning | None:
        """This engine as one whose rules can be reasoned about; None where there are no slots."""

    @property
    def coded(self) -> CodeEngine | None:
        """This engine as one that runs code; None where it runs the definition itself."""

    @property
    def inverse(self) -> Engine:
        """The engine that runs the rules backwards: its successors are predecessors.

        States and counts are those of this engine. Raises Unsuitable.
        """

    @property
    def why(self) -> Reason | None:
        """Why states are not kept in slots; None where they are, or where it is not known."""

    @property
    def encoding(self) -> str:
        """One sentence for people: how states are kept, and why."""

    def encode(self, state: State) -> Code:
        """Return the code of a state."""

    def decode(self, code: Code) -> State:
        """Return the state of a code."""

    def successors(self, code: Code) -> list[Code]:
        """Return the successors in order, the same one perhaps several times."""

    def weighted(self, code: Code) -> list[tuple[int, Code]]:
        """Return (cost, successor) pairs in the order of `successors`."""

    def grow(self, codes: list[Code], seen: dict[Code, Code], fresh: list[Code]) -> None:
        """Expand codes in order; note new successors in `seen` (with their parent) and `fresh`."""

    def goal(self, code: Code) -> bool:
        """Return whether the state meets the task's goal."""

    def forbidden(self, code: Code) -> bool:
        """Return whether `never` forbids the state."""

    def condition(self, name: str, given: Condition) -> Callable[[Code], bool]:
        """Return the test of a condition on a state."""

    def value(self, index: int, code: Code) -> Any:
        """Return the value of the task's expression in the state, None where it has none."""

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did so far."""


class Reducible(Engine, Protocol):
    """An engine whose states may stand for others."""

    def reduced(self, canonical: Callable[[Code], Code], stops: bool = False) -> Reducible:
        """Return the engine that makes the canonical forms of successors.

        stops  whether a limit may stop it while it makes one
        """

    def apart(self) -> Reducible:
        """Return the same engine with counts of its own, for what is no part of a search."""


class Reasoning(Reducible, OverSlots, Protocol):
    """An engine over slots: what it runs is plain data, which can be reasoned about."""

    @property
    def inverse(self) -> Reasoning:
        """The engine that runs the rules backwards. Raises Unsuitable."""

    def inverse_within(self, known: Mutexes) -> Reasoning:
        """Return the engine that runs the rules backwards, to states without mutexes only."""
