"""All states over fields that meet constraints and hold values as often as prescribed.

Constraint satisfaction by backtracking, breadth-first (Dechter, Constraint Processing, chapter 5).
Constraints that share no field are solved separately, one field after another, and joined unless
together they exceed the count of a value; unconstrained fields take the remaining values. With
mutexes all fields form one group, and each partial state records which values are still compatible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, prod

from attrs import define

from rewrite.analysis.fields import Field
from rewrite.analysis.goals.constraints import (
    Constraint,
    Match,
    Opposite,
    Sum,
    conjunction,
    size,
)
from rewrite.analysis.mutexes import Mutexes
from rewrite.budget import tick

WORK = 5
"""Attempts per state asked for: half a second for 100,000."""
Usage = int
"""How often each conserved value is used: counters packed into one number."""
Parts = dict[Usage, list[int]]
"""Partial states, grouped by what they use."""
Partial = tuple[int, Usage, int]
"""The code of a partial state, what it uses, and what is still compatible with it."""


class NoGoalStates(Exception):
    """Why the goal states of a puzzle cannot be listed: a phrase that follows "the goal"."""


@define
class _Check:
    """A constraint to test when a field is filled, with what it allows cached by the fields read.

    seen   the bits of its fields that were filled earlier
    work   matches inspected to find what it allows
    """

    constraint: Constraint
    field: Field
    seen: int
    memory: dict[int, int]
    work: int

    def fill(self, key: int) -> int:
        allowed = 0
        known, offset = self.seen | self.field.mask, self.field.offset
        for number in range(len(self.field.values)):
            if self.constraint.holds(key | number << offset, known) is not False:
                allowed |= 1 << number
        self.memory[key] = allowed
        return allowed


def assignments(
    fields: Sequence[Field],
    constraint: Constraint,
    counts: Mapping[tuple[int, int], int],
    most: int,
    known: Mutexes | None = None,
) -> list[int]:
    """Return the states, ascending, in which the constraint holds or is not known to fail.

    counts   (kind, number) -> how many fields of that kind hold it; other values are unrestricted
    known    states that contain a mutex are left out

    Raises NoGoalStates for more than `most` states, or after 5 times as many attempts.
    """
    search, parts = _Search(fields, counts, most), conjunction(constraint)
    if any(one.holds(0, 0) is False for one in parts):
        return []
    return search.run(parts) if known is None else search.beside(parts, known)


class _Search:
    def __init__(
        self, fields: Sequence[Field], counts: Mapping[tuple[int, int], int], most: int
    ) -> None:
        self.fields, self.most, self.work = fields, most, WORK * most
        self.width = len(fields).bit_length() + 1
        self.counts: dict[int, dict[int, int]] = defaultdict(dict)
        self.uses: dict[tuple[int, int], Usage] = {}
        self.limit = self.guard = 0
        for place, ((kind, number), count) in enumerate(sorted(counts.items())):
            self.counts[kind][number] = count
            self.uses[kind, number] = 1 << place * self.width
            self.limit |= count << place * self.width
            self.guard |= 1 << (place + 1) * self.width - 1
        self.rooms: dict[int, dict[Usage, int]] = defaultdict(dict)

    def run(self, constraints: list[Constraint]) -> list[int]:
        parts: Parts = {0: [0]}
        apart = self._apart([one for one in constraints if one.scope])
        solved = [self._solved(places, own) for places, own in apart]
        for more in sorted(solved, key=lambda each: sum(map(len, each.values()))):
            parts = self._joined(parts, more)
        constrained = {place for places, _ in apart for place in places}
        free: dict[int, list[Field]] = {field.kind: [] for field in self.fields}
        for place, field in enumerate(self.fields):
            if place not in constrained:
                free[field.kind].append(field)
        found, number = list[int](), 0
        for used, codes in parts.items():
            own = [(each, self._left(kind, used)) for kind, each in free.items()]
            ways = prod(_ways(*one) for one in own)
            number += len(codes) * ways
            self._expect(number)
            filled = [_filled(*one) for one in own] if ways else [[]]
            found += [sum((code, *rest)) for rest in product(*filled) for code in codes]
        return sorted(found)

    def _expect(self, number: int) -> None:
        if number > self.most:
            raise NoGoalStates(f"is met by more than {self.most:,} states")

    def beside(self, constraints: list[Constraint], known: Mutexes) -> list[int]:
        """Return the states without mutexes, filling fields with the fewest values first."""
        options, joint = self._options(constraints)
        if not all(options):
            return []
        order = sorted(range(len(self.fields)), key=lambda place: options[place].bit_count())
        fixed = sum(one.bit_count() == 1 for one in options)
        frontier = [(0, 0, known.reached)]
        for place in order[:fixed]:
            frontier = self._extended(frontier, place, [], options[place], known)
        seen = sum(self.fields[place].mask for place in order[:fixed])
        for code, *_ in frontier:  # at most one
            if any(one.holds(code, seen) is False for one in joint):
                return []
            joint = [one.rest(code, seen) if isinstance(one, Sum) else one for one in joint]
        rest = order[fixed:]
        for place, checks in zip(rest, self._checks(rest, joint, seen), strict=True):
            frontier = self._extended(frontier, place, checks, options[place], known)
        found = sorted(code for code, used, _ in frontier if used == self.limit)
        self._expect(len(found))
        return found

    def _options(self, constraints: list[Constraint]) -> tuple[list[int], list[Constraint]]:
        """Return as bits what each field may hold, and the constraints on several fields."""
        options = [(1 << len(field.values)) - 1 for field in self.fields]
        joint = []
        for one in constraints:
            scope = one.scope
            places = [place for place, field in enumerate(self.fields) if field.mask & scope]
            if len(places) == 1:
                options[places[0]] &= _Check(one, self.fields[places[0]], 0, {}, 0).fill(0)
            elif places:
                joint.append(one)
        return options, joint

    def _spend(self, amount: int) -> None:
        tick(amount)
        self.work -= amount
        if self.work < 0:
            raise NoGoalStates(
                f"does not narrow its states down: {WORK * self.most:,} tries did not list them"
            )

    # -- connected constraints ---------------------------------------------------------------
    def _apart(self, constraints: list[Constraint]) -> list[tuple[list[int], list[Constraint]]]:
        groups: list[tuple[int, list[Constraint]]] = []
        for one in constraints:
            mask, own = one.scope, [one]
            rest = []
            for other, members in groups:
                if other & mask:
                    mask, own = mask | other, [*members, *own]
                else:
                    rest.append((other, members))
            groups = [*rest, (mask, own)]
        return [
            ([p for p, field in enumerate(self.fields) if field.mask & mask], own)
            for mask, own in groups
        ]

    def _order(self, places: list[int], constraints: list[Constraint]) -> list[int]:
        scopes = [one.scope for one in constraints]
        most = max(sum(1 for p in places if self.fields[p].mask & scope) for scope in scopes)
        order: list[int] = []
        left = list(places)
        while left:
            open_fields = [sum(1 for p in left if self.fields[p].mask & scope) for scope in scopes]

            def gain(place: int, open_fields: list[int] = open_fields) -> tuple[int, ...]:
                mask = self.fields[place].mask
                mine = [n for n, scope in zip(open_fields, scopes, strict=True) if scope & mask]
                return tuple([mine.count(size) for size in range(1, min(most, 8) + 1)])

            best = max(left, key=gain)
            order.append(best)
            left.remove(best)
        return order

    def _checks(
        self, order: list[int], constraints: list[Constraint], known: int = 0
    ) -> list[list[_Check]]:
        """Return, for each field in order, the constraints that may fail once it is filled."""
        checks: list[list[_Check]] = []
        for place in order:
            field = self.fields[place]
            mine: list[_Check] = []
            for one in constraints:
                scope = one.scope
                last = not scope & ~(known | field.mask)  # a match only fails then
                if scope & field.mask and (last or not isinstance(one, (Match, Opposite))):
                    work = size(one) * len(field.values)
                    mine.append(_Check(one, field, scope & known, {}, work))
            checks.append(mine)
            known |= field.mask
        return checks

    def _solved(self, places: list[int], constraints: list[Constraint]) -> Parts:
        order = self._order(places, constraints)
        frontier: list[Partial] = [(0, 0, -1)]
        for place, checks in zip(order, self._checks(order, constraints), strict=True):
            frontier = self._extended(frontier, place, checks)
        parts: Parts = defaultdict(list)
        for code, used, _ in frontier:
            parts[used].append(code)
        return parts

    def _extended(
        self, frontier: list[Partial], place: int, checks: list[_Check], may: int = -1,
        known: Mutexes | None = None,
    ) -> list[Partial]:  # fmt: skip
        """Return every partial state extended by each number in `may` for this field."""
        field, fresh = self.fields[place], list[Partial]()
        first = 0 if known is None else known.firsts[place]
        moves = [
            (number << field.offset, self.uses.get((field.kind, number), 0),
             -1 if known is None else known.beside[first + number])
            for number in range(len(field.values))
        ]  # fmt: skip
        rooms = self.rooms[field.kind]
        for code, used, around in frontier:
            allowed = rooms.get(used)
            if allowed is None:
                allowed = rooms[used] = self._room(field.kind, used, len(moves))
            allowed &= may & around >> first
            for check in checks:
                key = code & check.seen
                found = check.memory.get(key)
                if found is None:
                    self._spend(check.work)
                    found = check.fill(key)
                allowed &= found
            self._spend(1 + allowed.bit_count())
            while allowed:
                lowest = allowed & -allowed
                allowed ^= lowest
                bits, more, beside = moves[lowest.bit_length() - 1]
                fresh.append((code | bits, used + more, around & beside))
        return fresh

    def _room(self, kind: int, used: Usage, size: int) -> int:
        left = self._left(kind, used)
        return sum(1 << number for number in range(size) if left.get(number, 1) > 0)

    def _left(self, kind: int, used: Usage) -> dict[int, int]:
        each = (1 << self.width) - 1
        return {
            number: count - (used // self.uses[kind, number] & each)
            for number, count in self.counts[kind].items()
        }

    def _joined(self, parts: Parts, more: Parts) -> Parts:
        room = self.limit | self.guard
        joined: Parts = defaultdict(list)
        for used, codes in parts.items():
            self._spend(len(more))
            for added, others in more.items():
                both = used + added
                if (room - both) & self.guard == self.guard:
                    self._spend(len(codes) * len(others))
                    joined[both] += [code | other for code in codes for other in others]
        return joined


def _ways(own: list[Field], left: Mapping[int, int]) -> int:
    """Return how many ways there are to fill these fields of one kind; see `_filled`."""
    places, ways = len(own), 1
    if sum(left.values()) > places:
        return 0
    for count in left.values():
        ways *= comb(places, count)
        places -= count
    return ways * int((len(own[0].values) - len(left)) ** places) if places else ways


def _filled(own: list[Field], left: Mapping[int, int]) -> list[int]:
    """Return all ways to fill these fields of one kind so that no count in `left` remains."""
    frontier = [(0, tuple(left.values()), len(own) - sum(left.values()))]
    for field in own:
        loose = [number for number in range(len(field.values)) if number not in left]
        fresh = []
        for code, counts, slack in frontier:
            for place, number in enumerate(left):
                if counts[place]:
                    fewer = (*counts[:place], counts[place] - 1, *counts[place + 1 :])
                    fresh.append((code | number << field.offset, fewer, slack))
            if slack:
                fresh += [(code | n << field.offset, counts, slack - 1) for n in loose]
        frontier = fresh
    return [code for code, *_ in frontier]
