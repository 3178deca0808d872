"""Cases: what the fields of a state must hold for a formula, as tests that exclude each other.

A conjunction says of some fields which numbers they may hold; a formula is a list of conjunctions
of which one must hold. `cases` splits formulas, all of which must hold, into conjunctions no two of
which hold in one state (Shannon's expansion): so each case can be a ground rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from rewrite.compile.slots.keys import Unsuitable

MOST_CASES = 1_000
"""Cases of one ground rule; each is a ground rule itself."""
GONE = -1
"""What a field holds, as a number, where its term was taken."""


class Numbers(NamedTuple):
    """A set of numbers, or all but a set."""

    listed: frozenset[int]
    but: bool = False

    def __and__(self, other: Numbers) -> Numbers:
        if self.but and other.but:
            return Numbers(self.listed | other.listed, True)
        if self.but or other.but:
            some, without = (other, self) if self.but else (self, other)
            return Numbers(some.listed - without.listed)
        return Numbers(self.listed & other.listed)

    def __invert__(self) -> Numbers:
        return Numbers(self.listed, not self.but)

    def admits(self, number: int) -> bool:
        return (number in self.listed) is not self.but

    @property
    def none(self) -> bool:
        return not self.but and not self.listed

    @property
    def single(self) -> int | None:
        """The number, where there is only one."""
        return None if self.but or len(self.listed) != 1 else next(iter(self.listed))


@cache
def only(number: int) -> Numbers:
    return Numbers(frozenset([number]))


ANYTHING, NOTHING = Numbers(frozenset(), True), Numbers(frozenset())
THERE = Numbers(frozenset({GONE}), True)
Conjunction = Mapping[int, Numbers]
"""What fields may hold, by their masks."""
Formula = Sequence[Conjunction]
NEVER: Formula = ()


def joined(left: Conjunction, right: Conjunction) -> dict[int, Numbers] | None:
    """Return what holds if both do; None if they exclude each other."""
    found = dict(left)
    for field, numbers in right.items():
        before = found.get(field)
        both = numbers if before is None else before & numbers
        if both.none:
            return None
        found[field] = both
    return found


def denied(given: Conjunction) -> Formula:
    return [{field: ~numbers} for field, numbers in given.items()]


def cases(
    known: Conjunction, formulas: Sequence[Formula], domain: Callable[[int], Numbers]
) -> list[Conjunction]:
    """Return conjunctions that exclude each other, one of which holds where all formulas do.

    known    what holds anyway
    domain   what a field may hold at all
    """
    fields = {field for formula in formulas for one in formula for field in one}
    start = joined(known, {field: domain(field) for field in fields})
    found: list[Conjunction] = []
    for one in () if start is None else _split(start, list(formulas)):
        found.append(one)
        if len(found) > MOST_CASES:
            raise Unsuitable(
                f"its conditions come to more than {MOST_CASES:,} cases",
                "write rules that depend on fewer terms each",
            )
    return found


def _split(known: dict[int, Numbers], formulas: list[Formula]) -> Iterator[Conjunction]:
    grown = True
    while grown:
        grown, left = False, list[Formula]()
        for formula in formulas:
            if any(_holds(known, one) for one in formula):
                continue
            possible = [one for one in formula if joined(known, one) is not None]
            if not possible:
                return
            if len(possible) > 1:
                left.append(possible)
                continue
            more = joined(known, possible[0])
            assert more is not None
            known, grown = more, True
        formulas = left
    if not formulas:
        yield known
        return
    first = min(formulas, key=len)
    rest = [one for one in formulas if one is not first]
    for one in first:
        more = joined(known, one)
        if more is not None:
            yield from _split(more, rest)
        rest = [*rest, denied(one)]  # the cases that follow exclude this one


def _holds(known: Conjunction, one: Conjunction) -> bool:
    return all((known.get(field, ANYTHING) & ~numbers).none for field, numbers in one.items())
