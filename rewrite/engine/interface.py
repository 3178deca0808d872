"""Engine: what expands, tests and values the states of one task.

A `CodeEngine` runs the code of a compiled puzzle, printed as Python source and compiled on first
use. Over slots, it is also a `Reasoning`, which knows its fields, its ground rules and what follows
from them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from rewrite.analysis.over_slots import OverSlots
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.code.operations import Ask, Table, Unit
from rewrite.compile.code.puzzle_code import PuzzleCode
from rewrite.compile.code.python import WAYS, Form, Printed, printed
from rewrite.compile.reason import Reason
from rewrite.compile.task import Task
from rewrite.engine.counts import Code, Counts, by_name
from rewrite.engine.generated import module
from rewrite.errors import FAILURES, described
from rewrite.language.conditions import Condition, Predicate
from rewrite.language.rules import Rule
from rewrite.language.states import State

if TYPE_CHECKING:
    from rewrite.analysis.mutexes import Mutexes

GENERATED = ("code", "successors", "weighted", "grow", "inverse")
"""Generated from rules and counts, so a variant makes its own."""


class Engine(ABC):
    """Expands, tests and values states of one Task."""

    name = "python"
    task: Task
    why: Reason | None = None
    """Why states are not encoded in slots; None if they are, or if it is unknown."""
    stops = False
    """Whether a limit may stop it in the middle of a step, which then counts nothing."""

    @property
    def reasoning(self) -> Reasoning | None:
        """This engine as one whose rules can be reasoned about; None where there are no slots."""
        return None

    @property
    @abstractmethod
    def inverse(self) -> Engine:
        """The engine that runs the rules backwards: its successors are predecessors.

        States and counts are those of this engine. Raises Unsuitable.
        """

    @property
    @abstractmethod
    def encoding(self) -> str:
        """One sentence for people: how states are encoded, and why."""

    @abstractmethod
    def encode(self, state: State) -> Code:
        """Return the code of a state."""

    @abstractmethod
    def decode(self, code: Code) -> State:
        """Return the state of a code."""

    def successors(self, code: Code) -> list[Code]:
        """Return the successors in order, the same one perhaps several times."""
        return [made for _, made in self.weighted(code)]

    @abstractmethod
    def weighted(self, code: Code) -> list[tuple[int, Code]]:
        """Return (cost, successor) pairs in the order of `successors`."""

    def grow(self, codes: list[Code], seen: dict[Code, Code], fresh: list[Code]) -> None:
        """Expand codes in order; note new successors in `seen` (with their parent) and `fresh`."""
        for code in codes:
            for made in self.successors(code):
                if made not in seen:
                    seen[made] = code
                    fresh.append(made)

    @abstractmethod
    def goal(self, code: Code) -> bool:
        """Return whether the state meets the task's goal."""

    @abstractmethod
    def forbidden(self, code: Code) -> bool:
        """Return whether `never` forbids the state."""

    @abstractmethod
    def condition(self, given: Condition) -> Callable[[Code], bool]:
        """Return the test of a condition on a state."""

    @abstractmethod
    def value(self, index: int, code: Code) -> Any:
        """Return the value of the task's expression in the state, None where it has none."""

    @abstractmethod
    def counts(self) -> dict[str, Counts]:
        """Return what each rule did so far."""


class CodeEngine(Engine):
    """Runs the code of a puzzle, printed as Python source."""

    layout: Any
    rules: tuple[Rule, ...]
    taken_apart = ""
    """How source unpacks a state; "" if it does not."""
    _counts: list[Counts]
    _canonical: Callable[[Code], Code] | None = None

    @property
    @abstractmethod
    def code(self) -> PuzzleCode:
        """The code that Python or the core runs."""

    @abstractmethod
    def expansion(self, way: Form, canonical: bool) -> Printed:
        """Return the source that generates successors; `canonical`: their canonical forms."""

    @abstractmethod
    def brought(self, asked: Table | Ask) -> Any:
        """Return what source calls for a table or a condition on whole states."""

    def variant(self, **changes: Any) -> Self:
        """Return an engine that differs in these attributes and shares everything else."""
        other = copy(self)
        for name in GENERATED:
            other.__dict__.pop(name, None)
        for name, value in changes.items():
            setattr(other, name, value)
        return other

    def reduced(self, canonical: Callable[[Code], Code], stops: bool = False) -> Self:
        """Return the engine that makes the canonical forms of successors.

        stops  whether a limit may stop it while it makes one
        """
        return self.variant(_canonical=canonical, stops=stops)

    def apart(self) -> Self:
        """Return the same engine with counts of its own, for use outside a search."""
        return self.variant(_counts=[Counts() for _ in self._counts])

    def encode(self, state: State) -> Code:
        return self.layout.encode(state)

    def decode(self, code: Code) -> State:
        found: State = self.layout.decode(code)
        return found

    def verdict(self, given: Predicate) -> Callable[[Code], bool]:
        """Return what a function says of the states of codes."""
        decode = self.decode

        def verdict(code: Code) -> bool:
            try:
                return given.judged(decode(code))
            except FAILURES as cause:
                raise EngineFailure(f"{given!r} failed: {described(cause)}") from cause

        return verdict

    def counts(self) -> dict[str, Counts]:
        return by_name(self.rules, self._counts)

    @property
    @abstractmethod
    def normal(self) -> Callable[[Code], Code]:
        """The normal form of a state under `simplify`."""

    # -- functions, each compiled on first use ---------------------------------------------
    @cached_property
    def successors(self) -> Callable[[Code], list[Code]]:
        return self._expansion("successors")

    @cached_property
    def weighted(self) -> Callable[[Code], list[tuple[int, Code]]]:
        return self._expansion("weighted")

    @cached_property
    def grow(self) -> Callable[[list[Code], dict[Code, Code], list[Code]], None]:
        return self._expansion("grow")

    @cached_property
    def goal(self) -> Callable[[Code], bool]:
        return self._compiled(self.code.goal)

    @cached_property
    def forbidden(self) -> Callable[[Code], bool]:
        return self._compiled(self.code.forbidden)

    @cached_property
    def values(self) -> list[Callable[[Code], Any]]:
        return [self._compiled(unit) for unit in self.code.values]

    def value(self, index: int, code: Code) -> Any:
        return self.values[index](code)

    def condition(self, given: Condition) -> Callable[[Code], bool]:
        return self._compiled(self.code.condition("condition", (given,)))

    def names(self) -> dict[str, Any]:
        """Return functions that source calls by a fixed name."""
        named = {"successors": lambda code: self.successors(code)}
        if self.task.puzzle.simplify:
            named["normal"] = lambda code: self.normal(code)
        return named

    def _compiled(self, unit: Unit) -> Callable[[Code], Any]:
        source = printed(unit, self.taken_apart)
        made: Callable[[Code], Any] = module(source, unit.name, self.brought, self.names())[
            unit.name
        ]
        return made

    def _expansion(self, name: str) -> Callable[..., Any]:
        source = self.expansion(WAYS[name], self._canonical is not None)
        more = {"COUNTS": self._counts, "canonical": self._canonical}
        if self.task.puzzle.never:
            more["forbidden"] = self.forbidden
        made: Callable[..., Any] = module(source, name, self.brought, self.names() | more)[name]
        return made


class Reasoning(CodeEngine, OverSlots):
    """An engine over slots: what it runs is plain data, which can be reasoned about."""

    @property
    @abstractmethod
    def has_few_states(self) -> bool:
        """Whether values allow few states, or are not known: then both ends never pay."""

    @abstractmethod
    def inverse_within(self, known: Mutexes) -> Reasoning:
        """Return the engine that runs the rules backwards, to states without mutexes only."""
