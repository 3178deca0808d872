"""Reason: why a puzzle cannot have something that makes searches fast, and what would change that.

What the compiler decides is a value, so that `explain`, the notes of a result and the errors say
the same: slots that were lost, and with them symmetry, heuristics and the search from both ends.
"""

from __future__ import annotations

from typing import Any

from attrs import field, frozen


@frozen
class Reason:
    """Why not.

    what     the finding, as a clause: "rule 'go' looks at the whole state: count(N) > 2"
    way_out  what to change, as a clause; "" where nothing is known that would help
    rule     the name of the rule that decides it, or ""
    pattern  the part of it that decides, or the term of the start; None where it is no single one
    """

    what: str
    way_out: str = ""
    rule: str = ""
    pattern: Any = field(default=None, eq=False)  # an expression has an == of its own

    def __str__(self) -> str:
        return self.what

    @property
    def description(self) -> str:
        """The finding and the way out."""
        return f"{self.what}; {self.way_out}" if self.way_out else self.what


def joined(reasons: list[Reason]) -> Reason:
    """Return several reasons as one, without duplicates."""
    different = list(dict.fromkeys((one.what, one.way_out) for one in reasons))
    if len(different) == 1:
        return reasons[0]
    return Reason(
        "; ".join(what for what, _ in different),
        "; ".join(dict.fromkeys(way_out for _, way_out in different if way_out)),
    )
