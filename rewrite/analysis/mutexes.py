"""Mutexes: values of fields that never occur together in a reachable state.

Pairwise reachability, as in the heuristic h² (Haslum and Geffner, Admissible Heuristics for Optimal
Planning, AIPS 2000): a pair is reached if the start contains it, or a transition puts both values,
or puts one and leaves the other, and all pairs among its tests and what it leaves are reached. A
pair that is not reached is a mutex; some pairs that are reached occur in no reachable state.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate
from operator import and_

from attrs import frozen

from rewrite.analysis.fields import Field, bits, set_bits
from rewrite.analysis.transitions import Transition
from rewrite.budget import tick

MOST_VALUES = 3_000
"""Most values of all fields together: some millions of pairs, which take some seconds."""


@frozen(eq=False)
class Mutexes:
    """For each (field, number) the pairs compatible with it, as bits of one number.

    firsts  the bit of the number 0 of each field
    beside  by bit: everything compatible with it, itself included; 0 if it is never reached
    """

    firsts: tuple[int, ...]
    beside: tuple[int, ...]

    @property
    def reached(self) -> int:
        """All pairs that some state holds, as bits."""
        return bits(one for one, found in enumerate(self.beside) if found)

    def bit(self, field: int, number: int) -> int:
        return self.firsts[field] + number

    def with_all(self, held: Iterable[tuple[int, int]]) -> int:
        """Return as bits what is compatible with all of these pairs."""
        return reduce(and_, [self.beside[self.bit(*pair)] for pair in held], -1)

    def every(self, fields: Iterable[int]) -> int:
        """Return all numbers of some fields, as bits."""
        ends = (*self.firsts[1:], len(self.beside))
        return sum([(1 << ends[field]) - (1 << self.firsts[field]) for field in {*fields}])

    def pairs(self, given: int) -> list[tuple[int, int]]:
        """Return bits as (field, number) pairs."""
        found = []
        for bit in set_bits(given):
            field = bisect_right(self.firsts, bit) - 1
            found.append((field, bit - self.firsts[field]))
        return found


def mutexes(
    given: Sequence[Transition], fields: Sequence[Field], start: Sequence[int]
) -> Mutexes | None:
    """Return which pairs are compatible in states reachable from the start.

    None if no two fields exclude each other, if there are over 3,000 values, or if values are
    copied: copies are not tracked by value. Time: transitions times how often what they test grows.
    """
    every = sum(len(field.values) for field in fields)
    if every > MOST_VALUES or any(one.sources for one in given):
        return None
    firsts = tuple(accumulate((len(field.values) for field in fields), initial=0))
    beside = [0] * firsts[-1]
    at_start = [firsts[field] + number for field, number in enumerate(start)]
    whole = sum(1 << one for one in at_start)
    for one in at_start:
        beside[one] = whole
    steps = [_Step.of(one, fields, firsts) for one in given]
    users: list[list[int]] = [[] for _ in beside]
    for number, step in enumerate(steps):
        for one in step.tests or range(len(beside)):  # without tests: after anything reached
            users[one].append(number)
    waiting, queued = deque(range(len(steps))), [True] * len(steps)
    while waiting:
        number = waiting.popleft()
        queued[number] = False
        tick(len(steps[number].tests) + 2)
        for grown in steps[number].apply(beside):
            for user in users[grown]:
                if not queued[user]:
                    queued[user] = True
                    waiting.append(user)
    if all(
        found.bit_count() == every - len(field.values) + 1
        for field, first in zip(fields, firsts, strict=False)
        for found in beside[first : first + len(field.values)]
    ):
        return None
    return Mutexes(firsts[:-1], tuple(beside))


@frozen
class _Step:
    """A transition over bits: what it tests, puts and leaves; `left` excludes what it misses."""

    tests: tuple[int, ...]
    tested: int
    puts: tuple[int, ...]
    put: int
    left: int

    @classmethod
    def of(cls, one: Transition, fields: Sequence[Field], firsts: Sequence[int]) -> _Step:
        tests = dict(one.tests)
        for field, number in one.misses:  # with two values, not one means the other
            if len(fields[field].values) == 2:
                tests.setdefault(field, 1 - number)
        gone = bits(firsts[field] + number for field, number in one.misses)
        for field in one.written:
            gone |= (1 << len(fields[field].values)) - 1 << firsts[field]
        tested = tuple([firsts[field] + number for field, number in tests.items()])
        puts = tuple([firsts[field] + number for field, number in one.sets])
        return cls(tested, bits(tested), puts, bits(puts), ~gone)

    def apply(self, beside: list[int]) -> list[int]:
        """Add the pairs that hold after the transition; return the values that gained any."""
        around = reduce(and_, [beside[one] for one in self.tests], -1)
        if not self.tests:
            around = bits(one for one, found in enumerate(beside) if found)
        if self.tested & ~around:
            return []
        after = around & self.left | self.put
        grown = []
        for one in self.puts:
            more = after & ~beside[one]
            if more:
                beside[one] |= more
                grown.append(one)
                for other in set_bits(more):
                    if not beside[other] >> one & 1:
                        beside[other] |= 1 << one
                        grown.append(other)
        return grown
