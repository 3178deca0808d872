"""A goal in terms of single fields: alternatives, each a conjunction of (field, allowed values).

Whatever else the goal requires is dropped: every goal state meets an alternative, but not every
state that meets one is a goal. An estimate of the distance to an alternative is therefore no
overestimate of the distance to a goal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from math import prod

from rewrite.analysis.fields import Places
from rewrite.analysis.goals.constraints import (
    Constraint,
    Constraints,
    Every,
    Match,
    Opposite,
    Some,
    Whole,
)
from rewrite.analysis.over_slots import OverSlots
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Condition

MOST_ALTERNATIVES = 1_000
"""Beyond this many, alternatives are replaced by what they have in common."""

Needs = dict[int, frozenset[int]]
"""Field -> its allowed values. Empty: no restriction."""
Needed = tuple[tuple[int, tuple[int, ...]], ...]
"""The same as plain data: (field, allowed values), sorted."""


def goal_facts(rules: OverSlots, goal: Condition) -> tuple[Needed, ...]:
    """Return the alternatives of a goal; none if no state can meet it. Raises Unsuitable."""
    try:
        found = _Reader(rules).said(Constraints(rules, sums=False).of(goal))
    except EngineFailure as failure:  # a user function, on values that may never come up
        raise Unsuitable(f"its goal {goal!r} cannot be tried on every value: {failure}") from None
    if any(not needs for needs in found):
        raise Unsuitable(f"its goal {goal!r} says of no single term whether it must be there")
    return _plain(found)


def goal_facts_or_ways_out(rules: OverSlots, goal: Condition) -> tuple[Needed, ...]:
    """Return the alternatives of a goal, and those of states where a step may duplicate a term.

    There a search starts again with multisets. What follows is invisible to fields, so an
    admissible estimate must be 0 there too. Raises Unsuitable.
    """
    goals = goal_facts(rules, goal)
    reader = _Reader(rules)
    ways = reader.few([needs for _, change in rules.changes for needs in reader.doubled(change)])
    if any(not needs for needs in ways):
        raise Unsuitable("in too many ways its rules may come to a state with two equal terms")
    return tuple(dict.fromkeys([*goals, *_plain(ways)]))


def _plain(given: list[Needs]) -> tuple[Needed, ...]:
    plain = [[(field, tuple(sorted(needs[field]))) for field in sorted(needs)] for needs in given]
    return tuple(dict.fromkeys(map(tuple, plain)))


class _Reader:
    def __init__(self, rules: OverSlots) -> None:
        self.fields, self.places = rules.fields, Places(rules.fields)
        self.by_mask = {field.mask: number for number, field in enumerate(rules.fields)}
        self.every = [frozenset(range(len(field.values))) for field in rules.fields]

    def said(self, given: Constraint) -> list[Needs]:
        """Return alternatives such that every state that meets the constraint meets one of them."""
        match given:
            case Match():
                return self.few(self._ways(given)[0])
            case Some(parts):
                return self.few([needs for one in parts for needs in self.said(one)])
            case Whole((_, matches)):
                empty = {at: frozenset({0}) for at, one in enumerate(self.fields)
                         if one.values[0] is None}  # fmt: skip
                return [empty | needs for needs in self.said(matches)]
            case Every(parts):
                return self._joined(map(self.said, parts))
            # over several fields, none of them has to differ by itself
            case Opposite(inner) if inner.scope in self.by_mask:
                ways, are_all = self._ways(inner)
                return self._joined(
                    [{field: self.every[field] - values}]
                    for needs in ways if len(needs) == 1 and are_all
                    for field, values in needs.items()
                )  # fmt: skip
        return [{}]

    def _ways(self, match: Match) -> tuple[list[Needs], bool]:
        """Return the ways in which an instance can match, and whether they fully describe it."""
        needs: Needs = {}
        for mask, value in match.tests:
            field = self.by_mask[mask]
            needs[field] = frozenset({value >> self.fields[field].offset})
        for mask, value in match.misses:
            field = self.by_mask[mask]
            needs[field] = needs.get(field, self.every[field]) - {
                value >> self.fields[field].offset
            }
        if match.table is None:
            return [needs], True
        places = self.places.of(match.reads)
        if prod(len(self.every[place]) for place in places) > MOST_ALTERNATIVES:
            return [needs], False
        held = [sorted(needs.get(place, self.every[place])) for place in places]
        read = [list(zip(places, values, strict=True)) for values in product(*held)]
        return [
            needs | {place: frozenset({value}) for place, value in pairs}
            for pairs in read
            if match.table[sum(value << self.fields[place].offset for place, value in pairs)]
        ], True

    def doubled(self, change: Change) -> Iterable[Needs]:
        """Yield, for each field a change needs empty: it is not, but the other tests hold."""
        for place in self.places.of(change.guard):
            field = self.fields[place]
            values = [n for n in range(len(field.values)) if n << field.offset & change.guard]
            for needs in self._ways(Match(change.tests, change.misses))[0]:
                both = needs.get(place, self.every[place]) & frozenset(values)
                yield needs | {place: both}

    def _joined(self, given: Iterable[list[Needs]]) -> list[Needs]:
        found: list[Needs] = [{}]
        for more in given:
            if more == [{}]:
                continue
            if len(found) * len(more) > MOST_ALTERNATIVES:
                found, more = [common(found)], [common(more)]
            found = self.few([
                a | b | {field: a[field] & b[field] for field in a.keys() & b.keys()}
                for a in found for b in more
            ])  # fmt: skip
        return found

    def few(self, given: Sequence[Needs]) -> list[Needs]:
        """Drop alternatives that cannot be met and fields that are not restricted."""
        found = [
            {field: values for field, values in needs.items() if values != self.every[field]}
            for needs in given
            if all(needs.values())
        ]
        return found if len(found) <= MOST_ALTERNATIVES else [common(found)]


def common(given: Sequence[Mapping[int, Collection[int]]]) -> Needs:
    """Return what alternatives have in common: fields of all, with the union of values."""
    fields = set.intersection(*map(set, given)) if given else set[int]()
    return {field: frozenset().union(*[one[field] for one in given]) for field in sorted(fields)}
