"""Limits of a search: checked between two batches; which one was reached is part of the result."""

from __future__ import annotations

import re
from typing import Any

from attrs import field, frozen

from rewrite.budget import Budget, Used
from rewrite.errors import SearchError, did_you_mean

UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
UNITS |= {f"{unit}i": 1024**power for power, unit in enumerate("kmgt", 1)}


def memory_of(given: Any) -> Any:
    """Return the bytes of a size that is a text: 500MB, 2GiB, 1.5 GB, 1000000; others as they are.

    Raises SearchError for a text that is no size.

    >>> memory_of("500MB"), memory_of("2GiB"), memory_of("1.5k"), memory_of(10)
    (500000000, 2147483648, 1500, 10)
    """
    if not isinstance(given, str):
        return given
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?i?)b?", given.strip().lower())
    if found is None or found[2] not in UNITS:
        raise SearchError(f"{given!r} is not a size of memory; write 500MB, 2GiB or bytes")
    whole, _, part = found[1].partition(".")
    return int(whole + part) * UNITS[found[2]] // 10 ** len(part)


def _memory(given: Any) -> Any:
    try:
        return memory_of(given)
    except SearchError as error:
        raise SearchError(f"max_memory={error.message}") from None


def _whole(name: str, value: Any, least: int = 0) -> int | None:
    if value is None:
        return None
    if type(value) is not int or value < least:
        raise SearchError(
            f"{name}={value!r} must be a whole number of {least} or more, or None for no limit"
        )
    return value


@frozen
class Limits:
    """When a search gives up: depths in steps (inclusive), wall time in seconds, memory."""

    min_depth: int = 0
    max_depth: int | None = None
    max_states: int | None = None
    max_seconds: float | None = None
    max_memory: int | None = field(default=None, converter=_memory)
    names: tuple[str, ...] = field(
        default=("min_depth", "max_depth", "max_states", "max_seconds", "max_memory"), init=False
    )

    def __attrs_post_init__(self) -> None:
        _whole("min_depth", self.min_depth)
        _whole("max_depth", self.max_depth)
        _whole("max_states", self.max_states, 1)
        _whole("max_memory", self.max_memory, 1)
        seconds = self.max_seconds
        number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if seconds is not None and not (number and seconds >= 0):  # not a number is refused too
            raise SearchError(f"max_seconds={seconds!r} must be a number of 0 or more, or None")
        if self.max_depth is not None and self.max_depth < self.min_depth:
            raise SearchError(
                f"min_depth={self.min_depth} is more than max_depth={self.max_depth}: nothing can "
                "be found"
            )

    def budget(self, before: Used = Used()) -> Budget:  # noqa: B008 (it is frozen)
        """Return what one call may use; `before`: what earlier ones of the search used."""
        return Budget(self.max_seconds, self.max_memory, before)

    def changed(self, changes: dict[str, Any]) -> Limits:
        """Return the limits with some of them changed, for `.resume(...)`."""
        values = {name: getattr(self, name) for name in self.names if name != "min_depth"}
        for name in changes:
            if name not in values:
                raise SearchError(f".resume({name}=…): the limits that can be changed are "
                                  f"{', '.join(values)}{did_you_mean(name, values)}")  # fmt: skip
        return Limits(min_depth=self.min_depth, **(values | changes))

    def check_depth(self, before: Limits, reached: int) -> None:
        """Raise SearchError where a search that goes on has been deeper than it may go now."""
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
        """Whether a search under the limits of before has been deeper than it may go now."""
        most, once = self.max_depth, before.max_depth
        return not (most is None or most >= reached or (once is not None and once <= most))

    def told(self, status: str, limit: str) -> str | None:
        """Return what stopped a search that ended so; None where nothing did.

        >>> Limits(max_states=5000).told("limit", "max_states")
        'max_states=5,000'
        """
        if status == "limit" and limit == "disk_full":
            return "a full disk"
        if status == "limit":
            number = getattr(self, limit)  # None: nobody set a limit to memory
            return "the memory of this machine" if number is None else f"{limit}={number:,}"
        return "Ctrl-C" if status == "interrupted" else None
