"""A heuristic derived from the rules, as a search sees it: data that the core evaluates."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.analysis.fields import Field
from rewrite.compile.code.flat import WORD
from rewrite.engine.counts import Code
from rewrite.native import core
from rewrite.native.trouble import Reported


@frozen
class Heuristic:
    """A heuristic of one puzzle and goal.

    data       what the core needs to evaluate states; its "kind" is one of the core's `estimates()`
    note       how it was built, for humans; "" if its name says it all
    rules_out  whether it knows terms that make every goal unreachable, whatever else is there
    """

    fields: tuple[Field, ...]
    data: dict[str, Any]
    note: str = ""
    rules_out: bool = False

    def __call__(self, code: Code) -> int | float:
        """Return the estimate of one state. In a search, the core evaluates states by itself."""
        words = 1 + max([one.offset // 64 for one in self.fields], default=0)
        state = [code >> 64 * word & WORD for word in range(words)]
        value: int | None = Reported(core()).call(core().estimate, self.for_core(), state)
        return float("inf") if value is None else value

    def for_core(self) -> dict[str, Any]:
        """Return the data with the positions of the fields it refers to."""
        places = [(one.offset // 64, one.offset % 64, one.bits) for one in self.fields]
        return {"fields": places, **self.data}


def nothing(fields: tuple[Field, ...]) -> Heuristic:
    """Return the heuristic that says nothing: 0 everywhere."""
    return Heuristic(fields, {"kind": "goal_count", "goals": [[]]})


def hopeless(fields: tuple[Field, ...]) -> Heuristic:
    """Return the heuristic of an impossible goal: infinite everywhere."""
    return Heuristic(fields, {"kind": "goal_count", "goals": []})
