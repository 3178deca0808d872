"""Engine: the protocol between a search and what expands states, in Python or natively.

A *code* is an engine's own form of a state: hashable, equal exactly for equal states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import define

from rewrite.compiler.reason import Reason
from rewrite.language.rules import Rule
from rewrite.language.states import State

Code = Any


@define
class Counts:
    """What one rule did during a search.

    tried: its patterns matched; matched: its conditions held too; fired: a state was made that
    `never` does not forbid; without: an arithmetic part had no value.
    """

    tried: int = 0
    matched: int = 0
    fired: int = 0
    without: int = 0


def by_name(rules: Sequence[Rule], counts: Sequence[Counts]) -> dict[str, Counts]:
    """Return the counts by the rules' names; rules with the same name are added up."""
    found: dict[str, Counts] = {}
    for rule, count in zip(rules, counts, strict=True):
        sums = found.setdefault(rule.name, Counts())
        sums.tried += count.tried
        sums.matched += count.matched
        sums.fired += count.fired
        sums.without += count.without
    return found


class Engine(Protocol):
    """Expands, tests and values states of one Task."""

    name: str

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

    def value(self, index: int, code: Code) -> Any:
        """Return the value of the task's expression in the state, None where it has none."""

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did so far."""
