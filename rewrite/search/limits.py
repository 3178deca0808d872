"""Limits of a search: checked between two batches; which one was reached is part of the result."""

from __future__ import annotations

from typing import Any

from attrs import Converter, field, fields, frozen

from rewrite.budget import Budget, Used
from rewrite.errors import SearchError, did_you_mean
from rewrite.search.options import Number, Option, Size

NONE = " for no limit"


def limit(kind: Number | Size, help_text: str, usual: Any = None) -> Any:
    """Return the field of a limit, validated under its name."""
    return field(
        default=usual,
        converter=Converter(lambda value, at: kind.check(at.name, value), takes_field=True),
        metadata={"kind": kind, "help": help_text},
    )


@frozen
class Limits:
    """When a search gives up: depths in steps (inclusive), wall time in seconds, memory."""

    min_depth: int = limit(Number(least=0), "Answers of fewer steps do not count.", 0)
    max_depth: int | None = limit(Number(least=0, none=NONE), "Most steps of an answer.")
    max_states: int | None = limit(Number(least=1, none=NONE), "Stop after so many states.")
    max_seconds: float | None = limit(Number(False, least=0, none=""), "Stop after this time.")
    max_memory: Any = limit(  # noqa: RUF009 (a field; a text is accepted too, and becomes an int)
        Size(NONE), "Stop at this size: 500MB, 2GiB."
    )

    def __attrs_post_init__(self) -> None:
        if self.max_depth is not None and self.max_depth < self.min_depth:
            raise SearchError(
                f"min_depth={self.min_depth} is more than max_depth={self.max_depth}: nothing can "
                "be found"
            )

    def budget(self, before: Used = Used()) -> Budget:  # noqa: B008 (it is frozen)
        """Return what one call may use; `before`: what earlier calls of the search used."""
        return Budget(self.max_seconds, self.max_memory, before)

    def changed(self, changes: dict[str, Any]) -> Limits:
        """Return the limits with some changed, for `.resume(...)`."""
        values = {name: getattr(self, name) for name in LIMITS if name != "min_depth"}
        for name in changes:
            if name not in values:
                raise SearchError(f".resume({name}=…): the limits that can be changed are "
                                  f"{', '.join(values)}{did_you_mean(name, values)}")  # fmt: skip
        return Limits(min_depth=self.min_depth, **(values | changes))

    def check_depth(self, before: Limits, reached: int) -> None:
        """Raise SearchError if a resumed search has already been deeper than it may go now."""
        if self.is_passed(before, reached):
            raise SearchError(
                f".resume(max_depth={self.max_depth}): the search has come to states {reached} "
                f"step{'s' * (reached != 1)} away already, and does not take that back. Give "
                f"max_depth={reached} or more, or None; or search anew with "
                f"max_depth={self.max_depth}",
                max_depth=self.max_depth,
                reached=reached,
            )

    def is_passed(self, before: Limits, reached: int) -> bool:
        """Whether a search under the limits `before` has been deeper than these allow."""
        most, once = self.max_depth, before.max_depth
        return not (most is None or most >= reached or (once is not None and once <= most))

    def description(self, why: str) -> str | None:
        """Return what stopped a search, a limit by its name or Ctrl-C; None if nothing did.

        >>> Limits(max_states=5000).description("max_states")
        'max_states=5,000'
        """
        if why in LIMITS:
            number = getattr(self, why)  # None: no memory limit was given
            return "the memory of this machine" if number is None else f"{why}={number:,}"
        return {"interrupted": "Ctrl-C", "disk_full": "a full disk"}.get(why)


LIMITS = {
    one.name: Option(one.name, one.default, one.metadata["kind"], one.metadata["help"])
    for one in fields(Limits)
}
