"""What finding ground instances may cost, and how a puzzle without end is recognised."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rewrite.budget import tick
from rewrite.compile.interning import items_of
from rewrite.compile.slots.keys import Unsuitable

FEWER_INSTANCES = (
    "have rules make fewer different terms: bound numbers in when=, move one thing a rule, and "
    "keep apart in facts what never changes"
)
MOST_WORK = 20_000_000
"""Terms tried, of which an instance costs ten: over a million instances, a GB, three seconds."""
BEYOND_WORK, MADE_WORK, GROWN_WORK = 900_000, 400_000, 20_000
"""The same where rules make values, see `Effort`: about 110 ms, 80 and 5."""
RUN_WORK, COMPILE_WORK = 10, 5_000
"""What a run takes at least, and what compiling a function takes: half a millisecond."""
BATCH = 1_000
GROWN_ROUNDS, MOST_STEPS, MOST_BITS = 2, 256, 32
GROWS = "its terms grow without end"
LARGEST = 256
"""Parts of a value, at least: one that is larger, and four times as large as those of the start,
is not one of finitely many. A term that puts itself twice doubles in every round."""


class Effort:
    """What joins may still cost: they report what they do while they do it.

    Where rules only move the values of start, facts and rules about (all of planning), there are
    finitely many terms, and the limits of the caller decide. A value that is not one of these was
    *made* by a rule, and may be one of infinitely many. So it counts what is made:

    * numbers within those of start, facts and rules are no reason to stop;
    * once there are numbers beyond, BEYOND_WORK is left; a number that grew in MOST_STEPS rounds,
      and in more than there are values in start, facts and rules, is a counter without end; one of
      more than MOST_BITS bits, and more than twice as many as those have, a product without end;
    * once there are sequences, texts, bags or terms, MADE_WORK is left;
    * once the largest value grew in GROWN_ROUNDS rounds in a row, GROWN_WORK.
    """

    def __init__(self) -> None:
        self.base: set[Any] | None = None
        self.largest = self.highest = 0
        self.grown = self.steps = 0
        self.limit, self.bits = LARGEST, MOST_BITS
        self.renew()

    def renew(self) -> None:
        """Allow as much as for a puzzle: the rules have it together, and each condition."""
        self.work, self.most, self.left = 0, MOST_WORK, BATCH

    @property
    def done(self) -> int:
        return self.work + BATCH - self.left

    def spend(self, left: int) -> int:
        """Count what was done; return how much may be until the next call. Raises Unsuitable."""
        work = BATCH - left
        tick(work // 10)
        self.work += work
        if self.work > self.most:
            self._end()
        return BATCH

    def _end(self) -> None:
        if self.grown >= GROWN_ROUNDS:
            raise Unsuitable(GROWS)
        raise Unsuitable("its rules have too many ground instances", FEWER_INSTANCES)

    def begin(self, terms: Iterable[Any], constants: Iterable[Any]) -> None:
        """Note the values that are there before any rule makes one."""
        parts, waiting = set[Any](), [*constants, *[part for one in terms for part in _items(one)]]
        while waiting:
            part = waiting.pop()
            if part not in parts:
                parts.add(part)
                waiting += items_of(part)
        self.base = parts
        self.largest = max(map(_parts, parts), default=0)
        self.highest = max([abs(part) for part in parts if part.__class__ is int], default=0)
        self.limit = max(LARGEST, 4 * self.largest)
        self.bits = max(MOST_BITS, 2 * self.highest.bit_length())

    def round(self, fresh: Sequence[Any]) -> None:
        """Note the terms that are new in a round. Raises Unsuitable where there is no end."""
        if self.base is None:
            return
        made = [part for term in fresh for part in _items(term) if part not in self.base]
        largest = max(map(_parts, made), default=0)
        highest = max([abs(part) for part in made if part.__class__ is int], default=0)
        self.grown = self.grown + 1 if largest > self.largest else 0
        self.steps += highest > self.highest
        self.largest, self.highest = max(self.largest, largest), max(self.highest, highest)
        counts = self.steps > max(MOST_STEPS, len(self.base))
        if self.largest > self.limit or counts or self.highest.bit_length() > self.bits:
            raise Unsuitable(GROWS)
        if self.steps:
            self.most = min(self.most, self.work + BEYOND_WORK)
        if any(part.__class__ is not int for part in made):
            self.most = min(self.most, self.work + MADE_WORK)
        if self.grown >= GROWN_ROUNDS:
            self.most = min(self.most, self.work + GROWN_WORK)


def _items(term: Any) -> tuple[Any, ...]:
    return items_of(term) if term.__class__ is tuple else (term,)


def _parts(value: Any) -> int:
    """Return how large an encoded term is: parts, letters, and one more for a factor of 16."""
    found, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        if part.__class__ is tuple:
            found += 1
            waiting += part
        elif part.__class__ is str:
            found += len(part)
        else:
            found += 1 + (part.bit_length() >> 2 if part.__class__ is int else 0)
    return found
