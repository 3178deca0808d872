"""What a goal says of single fields: alternatives, each a conjunction of (field, allowed values).

Where a goal says more than that (a sum, a Python function, "not both"), the rest is left out: every
goal state meets one of the alternatives, while a state that meets one may be no goal. So whatever
estimates the way to an alternative never overestimates the way to a goal for that reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from rewrite.compiler.room import NeedsRoom
from rewrite.compiler.slots.conditions import all_variables, as_rule, inside
from rewrite.compiler.slots.ground_rules import Change
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import (
    Both,
    Condition,
    Contains,
    Either,
    Exactly,
    Lacks,
    Not,
    OneOfStates,
)
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.over_slots import Filled, OverSlots

MOST_ALTERNATIVES = 1_000
"""Beyond, alternatives are replaced by what they have in common."""

Needs = dict[int, frozenset[int]]
"""Field -> the values of which it must hold one. Empty: says nothing."""
Needed = tuple[tuple[int, tuple[int, ...]], ...]
"""The same as plain data: (field, allowed values), sorted."""


def goal_facts(rules: OverSlots, goal: Condition) -> tuple[Needed, ...]:
    """Return the alternatives of a goal; none where no state can be one.

    Raises Unsuitable where the goal says nothing of single fields.
    """
    found = _Reader(rules).said(goal)
    if any(not needs for needs in found):
        raise Unsuitable(f"its goal {goal!r} says of no single term whether it must be there")
    return _plain(found)


def goal_facts_or_ways_out(rules: OverSlots, goal: Condition) -> tuple[Needed, ...]:
    """Return the alternatives of a goal, and those of states from which a term may come up twice.

    There a search begins again with multisets. What comes after is not to be seen in fields, so an
    estimate that shall not be too high must end there too. Raises Unsuitable.
    """
    goals = goal_facts(rules, goal)
    reader = _Reader(rules)
    ways = reader.few([needs for _, change in rules.changes for needs in reader.doubled(change)])
    if any(not needs for needs in ways):
        raise Unsuitable("in too many ways its rules may come to a state with two equal terms")
    return tuple(dict.fromkeys([*goals, *_plain(ways)]))


def _plain(given: list[Needs]) -> tuple[Needed, ...]:
    plain = [
        tuple([(field, tuple(sorted(values))) for field, values in sorted(needs.items())])
        for needs in given
    ]
    return tuple(dict.fromkeys(plain))


class _Reader:
    def __init__(self, rules: OverSlots) -> None:
        self.rules, self.fields, self.layout = rules, rules.fields, rules.layout
        self.by_mask = {field.mask: number for number, field in enumerate(rules.fields)}

    def said(self, given: Condition) -> list[Needs]:
        """Return alternatives that every state which meets the condition meets one of."""
        if isinstance(given, Both):
            left = self.said(given.left)
            if all_variables(given.left) & all_variables(given.right):
                return left  # the right side says something of what the left side bound
            return self._joined(left, self.said(given.right))
        if isinstance(given, Either):
            return self.few([*self.said(given.left), *self.said(given.right)])
        if isinstance(given, Not):
            return self._denied(given.inner)
        if isinstance(given, Contains):
            return self._matched(given)
        if isinstance(given, Exactly):
            return self._exactly(given)
        if isinstance(given, Lacks):
            return self._lacking(given)
        if isinstance(given, OneOfStates):
            return self._one_of(given)
        return [{}]

    def _denied(self, given: Condition) -> list[Needs]:
        if isinstance(given, Not):
            return self.said(given.inner)
        if isinstance(given, Lacks):
            return self._matched(given)
        if isinstance(given, Contains):
            return self._lacking(given)
        if isinstance(given, Either):
            return self._joined(self._denied(given.left), self._denied(given.right))
        return [{}]

    # -- matches ---------------------------------------------------------------------------
    def _matched(self, given: Contains | Lacks) -> list[Needs]:
        try:
            instances = self._instances(given)
        except Unsuitable:
            return [{}]
        return self.few([needs for change, table in instances for needs in
                          self._ways(change, table)])  # fmt: skip

    def _lacking(self, given: Contains | Lacks) -> list[Needs]:
        """Return what is said by "this has no match": of instances that test one field only."""
        try:
            instances = self._instances(given)
        except Unsuitable:
            return [{}]
        lacks: Needs = {}
        for change, table in instances:
            for needs in self._ways(change, table):
                if len(needs) == 1 and self._is_exact(change, table):
                    [(field, values)] = needs.items()
                    lacks[field] = lacks.get(field, self._all(field)) - values
        return self.few([lacks])

    def _instances(self, given: Contains | Lacks) -> Sequence[tuple[Change, Filled | None]]:
        return self.rules.instances(as_rule(given))

    def _ways(self, change: Change, table: Filled | None) -> Iterable[Needs]:
        """Yield the ways in which an instance can match, as far as they are written out."""
        needs: Needs = {}
        for mask, value in change.tests:
            field = self.by_mask[mask]
            needs[field] = frozenset({value >> self.fields[field].offset})
        for mask, value in change.misses:
            field = self.by_mask[mask]
            held = needs.get(field, self._all(field))
            needs[field] = held - {value >> self.fields[field].offset}
        if table is None:
            yield needs
            return
        places, held_by = self._read(change)
        if prod(map(len, held_by)) > MOST_ALTERNATIVES:
            yield needs
            return
        for values in product(*held_by):
            read = list(zip(places, values, strict=True))
            if (
                all(value in needs.get(place, (value,)) for place, value in read)
                and table[sum(value << self.fields[place].offset for place, value in read)]
            ):
                yield needs | {place: frozenset({value}) for place, value in read}

    def _is_exact(self, change: Change, table: Filled | None) -> bool:
        """Whether the ways of an instance tell all of it."""
        return table is None or prod(map(len, self._read(change)[1])) <= MOST_ALTERNATIVES

    def _read(self, change: Change) -> tuple[list[int], list[range]]:
        reads = change.lookups[0].reads
        places = [place for place, field in enumerate(self.fields) if reads & field.mask]
        return places, [range(len(self.fields[place].values)) for place in places]

    def _exactly(self, given: Exactly) -> list[Needs]:
        """Patterns are as many as terms: fields of which none is asked hold nothing."""
        try:
            found = self._matched(inside(given))
        except Unsuitable:
            return [{}]
        empty = {
            place: frozenset({0})
            for place, field in enumerate(self.fields)
            if field.values[0] is None
        }
        return [empty | needs for needs in found]

    def _one_of(self, given: OneOfStates) -> list[Needs]:
        found = []
        for state in given.states:
            try:
                held = numbers(self.fields, self.layout.encode(state))
            except NeedsRoom:  # cannot come up
                continue
            found.append({place: frozenset({value}) for place, value in enumerate(held)})
        return self.few(found)

    def doubled(self, change: Change) -> Iterable[Needs]:
        """Yield, for each field that must be empty for a change, that it is not and others fit."""
        for place, field in enumerate(self.fields):
            if held := change.guard & field.mask:
                twice = Change(change.tests, misses=change.misses)
                values = [n for n in range(len(field.values)) if n << field.offset & held]
                for needs in self._ways(twice, None):
                    both = needs.get(place, self._all(place)) & frozenset(values)
                    yield needs | {place: both}

    # -- alternatives ----------------------------------------------------------------------
    def _all(self, field: int) -> frozenset[int]:
        return frozenset(range(len(self.fields[field].values)))

    def _joined(self, left: list[Needs], right: list[Needs]) -> list[Needs]:
        if len(left) * len(right) > MOST_ALTERNATIVES:
            left, right = [self._common(left)], [self._common(right)]
        return self.few([
            a | b | {field: a[field] & b[field] for field in a.keys() & b.keys()}
            for a in left for b in right
        ])  # fmt: skip

    def few(self, given: Sequence[Needs]) -> list[Needs]:
        """Return the alternatives without those that cannot be met and what says nothing."""
        found = [
            {field: values for field, values in needs.items() if values != self._all(field)}
            for needs in given
            if all(needs.values())
        ]
        return found if len(found) <= MOST_ALTERNATIVES else [self._common(found)]

    def _common(self, given: Sequence[Needs]) -> Needs:
        """Return what all alternatives together say of each field."""
        if not given:
            return {}
        fields = set.intersection(*[set(needs) for needs in given])
        return {field: frozenset().union(*[one[field] for one in given]) for field in fields}
