"""What engines that run code have in common: its functions, each compiled when first asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, Self

from rewrite.code.operations import Ask, Table, Unit
from rewrite.code.puzzle_code import PuzzleCode
from rewrite.code.python import WAYS, expansion, printed
from rewrite.compiler.task import Task
from rewrite.engine.counts import Code, Counts
from rewrite.engine.generated import module
from rewrite.engine.variants import variant
from rewrite.language.conditions import Condition
from rewrite.language.states import State


class CodeEngine(ABC):
    """Runs the code of a puzzle, printed as Python source."""

    name = "python"
    task: Task
    layout: Any
    tries = True
    """Whether tries are counted; else each match is one."""
    _counts: list[Counts]
    _canonical: Callable[[Code], Code] | None = None
    stops = False

    @property
    def coded(self) -> Self:
        return self

    @property
    @abstractmethod
    def code(self) -> PuzzleCode:
        """What runs, in Python or in the core."""

    @property
    def taken_apart(self) -> str:
        """How source takes a state apart; "" where it does not."""
        return ""

    @abstractmethod
    def brought(self, asked: Table | Ask) -> Any:
        """Return what source calls for a table or a condition on whole states."""

    @abstractmethod
    def asked(self, ask: Ask) -> Callable[[Code], Any]:
        """Return what judges a state by the definition, or values it so."""

    def encode(self, state: State) -> Code:
        return self.layout.encode(state)

    def decode(self, code: Code) -> State:
        found: State = self.layout.decode(code)
        return found

    def value(self, index: int, code: Code) -> Any:
        return self.values[index](code)

    @cached_property
    def values(self) -> list[Callable[[Code], Any]]:
        return [self._compiled(unit) for unit in self.code.values]

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
        """Whether `never` forbids a state."""
        return self._compiled(self.code.forbidden)

    def condition(self, name: str, given: Condition) -> Callable[[Code], bool]:
        """Return the test of a condition on a state."""
        return self._compiled(self.code.condition(name, (given,)))

    def names(self) -> dict[str, Any]:
        """Return what source calls by a name of its own."""
        return {"successors": lambda code: self.successors(code)}

    def reduced(self, canonical: Callable[[Code], Code], stops: bool = False) -> Self:
        """Return the engine that makes the canonical forms of successors.

        stops  whether a limit may stop it while it makes one
        """
        return variant(self, _canonical=canonical, stops=stops)

    def apart(self) -> Self:
        """Return the same engine with counts of its own, for what is no part of a search."""
        return variant(self, _counts=[Counts() for _ in self._counts])

    def _compiled(self, unit: Unit) -> Callable[[Code], Any]:
        source = printed(unit, self.taken_apart)
        made: Callable[[Code], Any] = module(source, unit.name, self.brought, self.names())[
            unit.name
        ]
        return made

    def _expansion(self, name: str) -> Callable[..., Any]:
        never = bool(self.task.puzzle.never)
        source = expansion(
            self.code.expand, WAYS[name], self.taken_apart, never=never, tries=self.tries,
            canonical=self._canonical is not None,
        )  # fmt: skip
        more = {"COUNTS": self._counts, "canonical": self._canonical}
        if never:
            more["forbidden"] = self.forbidden
        made: Callable[..., Any] = module(source, name, self.brought, self.names() | more)[name]
        return made
