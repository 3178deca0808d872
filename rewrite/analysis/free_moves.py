"""Free moves over fields, and whether each can be undone.

A search keeps one state of each class connected by free moves. That is sound if every move can be
undone in every state that the search may meet. For reachable states it is proved here: a second
free transition undoes the first, and its tests follow from what the first tested or put, or from
mutexes. Rules run backwards lead to unreachable states too, so the mutexes that the proofs need are
returned, closed under the free moves: the proofs hold in every state without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from attrs import evolve, frozen

from rewrite.analysis.fields import Field
from rewrite.analysis.mutexes import Mutexes
from rewrite.analysis.transitions import Transition
from rewrite.budget import tick
from rewrite.compile.slots.keys import Unsuitable

MOST_MEMBERS = 1 << 16
"""Most ways to fill the fields that free moves write: no class has more states than that."""
MOST_EDGES = 200_000

Pair = tuple[int, int]
"""A field and the number that it holds."""
Exclusion = frozenset[Pair]
"""A mutex: no reachable state contains both pairs."""


@frozen(eq=False)
class FreeMoves:
    """The free moves of a puzzle.

    edges     its free transitions; each tests every field that it writes, and sets it
    moved     the fields that they write, ascending
    excluded  the mutexes used to prove that each can be undone
    doubtful  the first one without such a proof; None if all are proved
    """

    edges: tuple[Transition, ...]
    moved: tuple[int, ...]
    excluded: frozenset[Exclusion]
    doubtful: Transition | None
    known: Mutexes | None


def free_moves(
    given: Sequence[Transition], fields: Sequence[Field], known: Mutexes | None
) -> FreeMoves:
    """Raises Unsuitable if classes may be too large, or values are copied."""
    free = [one for one in given if one.free]
    if any(one.sources for one in free):
        raise Unsuitable("they move values that are not known beforehand")
    moved = tuple(sorted({field for one in free for field in one.written}))
    if not moved:  # they change nothing, and counting them takes a field
        moved = tuple(sorted(range(len(fields)), key=lambda at: len(fields[at].values))[:1])
    if prod(len(fields[field].values) for field in moved) > MOST_MEMBERS:
        raise Unsuitable(f"they may join more than {MOST_MEMBERS:,} states")
    edges: list[Transition] = []
    for one in free:
        for edge in one.testing(one.written or moved[:1], fields):
            tick()
            same = tuple([test for test in edge.tests if test[0] == moved[0]])
            edges.append(edge if edge.sets else evolve(edge, sets=same))
        if len(edges) > MOST_EDGES:
            raise Unsuitable(f"there are more than {MOST_EDGES:,} of them")
    proof = _Proof(edges, fields, known)
    return FreeMoves(tuple(edges), moved, frozenset(proof.used), proof.doubtful, known)


class _Proof:
    """Proves free transitions one by one; `used` collects the mutexes needed."""

    def __init__(
        self, edges: Sequence[Transition], fields: Sequence[Field], known: Mutexes | None
    ) -> None:
        self.fields, self.known = fields, known
        self.used: set[Exclusion] = set()
        self.doubtful: Transition | None = None
        self.by_sets: dict[frozenset[Pair], list[Transition]] = {}
        for one in edges:
            self.by_sets.setdefault(frozenset(one.sets), []).append(one)
        self.live = [one for one in edges if not self._never_applies(one)]
        for one in self.live:
            tick(5)
            if not self._undone(one):
                self.doubtful = one
                return
        self._close()

    def _never_applies(self, one: Transition) -> bool:
        """Whether two of its tests are a mutex, which is then recorded."""
        for at, pair in enumerate(one.tests):
            for other in one.tests[:at]:
                if self._exclude(pair, other):
                    self.used.add(frozenset((pair, other)))
                    return True
        return False

    def _exclude(self, pair: Pair, other: Pair) -> bool:
        known = self.known
        return known is not None and not known.beside[known.bit(*pair)] >> known.bit(*other) & 1

    def _excluded_by(self, held: Iterable[Pair], pair: Pair) -> Exclusion | None:
        for other in held:
            if other[0] != pair[0] and self._exclude(other, pair):
                return frozenset((other, pair))
        return None

    def _undone(self, one: Transition) -> bool:
        tests = dict(one.tests)
        before = frozenset([(field, tests[field]) for field in one.written])
        for other in self.by_sets.get(before, ()):
            needed = self._follows(one, other)
            if needed is not None:
                self.used |= needed
                return True
        return False

    def _follows(self, one: Transition, other: Transition) -> set[Exclusion] | None:
        """Return the mutexes by which one transition implies another's tests, or None."""
        after = dict(one.tests) | dict(one.sets)
        needed: set[Exclusion] = set()
        wrong = [
            (field, value)
            for field, wanted in other.tests
            for value in range(len(self.fields[field].values))
            if value != wanted
        ]
        for field, value in (*wrong, *other.misses):
            if field in after:
                if after[field] == value:
                    return None
                continue
            if (field, value) in one.misses:
                continue
            found = self._excluded_by(one.tests, (field, value))  # held before, and unchanged
            if found is None:
                return None
            needed.add(found)
        return needed

    def _close(self) -> None:
        """Close the mutexes under free moves: from a state without any, no move leads to one."""
        writers: dict[Pair, list[Transition]] = {}
        for one in self.live:
            for pair in one.sets:
                writers.setdefault(pair, []).append(one)
        waiting = list(self.used)
        while waiting:
            here, there = sorted(waiting.pop())
            for pair, other in ((here, there), (there, here)):
                for one in writers.get(pair, ()):
                    tick(5)
                    after = dict(one.tests) | dict(one.sets)
                    if after.get(other[0], other[1]) != other[1]:
                        continue
                    known = other[0] in after
                    if not known and other in one.misses:
                        continue
                    found = None if known else self._excluded_by(one.tests, other)
                    if found is None:
                        self.doubtful = one
                        return
                    if found not in self.used:
                        self.used.add(found)
                        waiting.append(found)
