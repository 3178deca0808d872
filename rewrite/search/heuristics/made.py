"""What a heuristic that is made from the rules is for a search: a function of codes, and data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from rewrite.engine.interface import Code
from rewrite.reasoning.fields import Field, numbers
from rewrite.reasoning.goals.facts import Needed

INFINITE = float("inf")

Held = tuple[int, ...]
"""What every field of a state holds."""


@frozen
class Made:
    """A heuristic of one puzzle and goal.

    value      what the fields of a state hold -> estimate
    data       the same for the core, which values states without calling Python; its "kind" is
               one of the `estimates()` that the core lists; empty where only Python has it
    note       how it was made, for people; "" where its name says all
    rules_out  whether it knows terms with which no goal is reached, whatever else is there
    """

    fields: tuple[Field, ...]
    value: Callable[[Held], int | float]
    data: dict[str, Any] = field(factory=dict)
    note: str = ""
    rules_out: bool = False

    def __call__(self, code: Code) -> int | float:
        return self.value(numbers(self.fields, code))

    def for_core(self) -> dict[str, Any]:
        """Return what the core needs to give the same numbers."""
        places = [(one.offset // 64, one.offset % 64, one.bits) for one in self.fields]
        return {"fields": places, **self.data}


def plain_goals(goals: tuple[Needed, ...]) -> list[list[tuple[int, list[int]]]]:
    """Return alternatives as lists, for the core."""
    return [[(field, list(values)) for field, values in needs] for needs in goals]
