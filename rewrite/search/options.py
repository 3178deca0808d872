"""What values an argument of `search` may have, and arguments as data.

Each argument is declared once: limits in `limits.py`, those of some strategies only in
`strategies`, the others here. Checks, the command line and the core's options derive from that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from rewrite.errors import SearchError, did_you_mean

UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
UNITS |= {f"{unit}i": 1024**power for power, unit in enumerate("kmgt", 1)}


def memory_of(given: Any) -> Any:
    """Return the bytes of a size given as text: 500MB, 2GiB, 1.5 GB, 1000000; others unchanged.

    Raises SearchError for a text that is not a size.

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


@frozen
class Word:
    """One of a set of words; `others`: other names of them, which a refusal understands."""

    known: tuple[str, ...]
    others: dict[str, str] = field(factory=dict)

    def check(self, name: str, value: Any) -> Any:
        if not isinstance(value, str) or value not in self.known:
            meant = str(value).lower()
            hint = did_you_mean(self.others.get(meant, meant), self.known)
            raise SearchError(f"{name}={value!r} is unknown{hint}; known: {', '.join(self.known)}")
        return value


@frozen
class Number:
    """A number, whole or not.

    least  the smallest allowed, None for any; `below`: an exclusive upper bound
    none   what None means, after "or None"; without it, None is refused
    """

    whole: bool = True
    least: int | None = None
    below: float | None = None
    none: str | None = None

    def check(self, name: str, value: Any) -> Any:
        if value is None and self.none is not None:
            return value
        kinds = int if self.whole else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool) or not self._fits(value):
            kind = "whole " if self.whole else "finite " if self.below is not None else ""
            least = "" if self.least is None else f" of {self.least} or more"
            none = "" if self.none is None else f", or None{self.none}"
            raise SearchError(f"{name}={value!r} must be a {kind}number{least}{none}")
        return value

    def _fits(self, value: float) -> bool:  # NaN fails both
        return (self.least is None or value >= self.least) and (
            self.below is None or value < self.below
        )


@frozen
class Size:
    """Bytes, or a text such as 500MB."""

    none: str | None = None

    def check(self, name: str, value: Any) -> Any:
        try:
            value = memory_of(value)
        except SearchError as error:
            raise SearchError(f"{name}={error.message}") from None
        return Number(least=1, none=self.none).check(name, value)


@frozen
class Option:
    """An argument of `search`.

    help  for the command line, which has the arguments with a help text
    core  converts a value for the core
    """

    name: str
    usual: Any
    kind: Word | Number | Size
    help: str = ""
    core: Callable[[Any], Any] = field(default=lambda value: value)


OPTIONS = {
    one.name: one
    for one in (
        Option("solutions", 1, Number(least=1, none="")),
        Option(
            "distinct", "states", Word(("states", "paths")),
            "What makes two answers different: their last states (default), or their paths.",
        ),
        Option("threads", None, Number(least=1, none="")),
        Option(
            "engine", "auto", Word(("auto", "python", "native", "ray")),
            "Which engine searches; ray: many processes, on this machine or those of a cluster.",
        ),
        Option(
            "partitions", None, Number(least=1, none=""),
            "Of --engine ray: how many processes; by default one for each processor.",
        ),
        Option(
            "symmetry", "declared", Word(("declared", "find", "none")),
            "Which symmetries reduce the search: those that the puzzle declares (default), all "
            "that can be found, or none.",
        ),
    )
}  # fmt: skip
"""The arguments common to all strategies, without the limits."""
