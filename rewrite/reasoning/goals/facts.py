"""What a goal says of single fields: alternatives, each a conjunction of (field, allowed values).

Where a goal says more than that (a sum, a Python function, "not both"), the rest is left out: every
goal state meets one of the alternatives, while a state that meets one may be no goal. So whatever
estimates the way to an alternative never overestimates the way to a goal for that reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from rewrite.compiler.slots import forms
from rewrite.compiler.slots.ground_rules import Change
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import Both, Condition
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
        self.rules, self.fields = rules, rules.fields
        self.by_mask = {field.mask: number for number, field in enumerate(rules.fields)}

    def said(self, given: Condition) -> list[Needs]:
        """Return alternatives that every state which meets the condition meets one of."""
        return self._said(forms.read(self.rules.program, given))

    def _said(self, given: forms.Form) -> list[Needs]:
        match given:
            case forms.AllOf(left, right, apart):
                found = self._said(left)
                return self._joined(found, self._said(right)) if apart else found
            case forms.OneOf(left, right):
                return self.few([*self._said(left), *self._said(right)])
            case forms.Denied(inner):
                return self._denied(inner)
            case forms.Matches():
                return self._matched(given)
            case forms.Whole(_, matches):  # fields of which none is asked hold nothing
                return [self._empty() | needs for needs in self._matched(matches)]
            case forms.Codes(codes):
                return self.few([
                    {place: frozenset({value}) for place, value in enumerate(held)}
                    for held in (numbers(self.fields, code) for code in codes)
                ])  # fmt: skip
            case forms.Opaque(Both() as both):  # the right side is about what the left side bound
                return self.said(both.left)
        return [{}]

    def _denied(self, given: forms.Form) -> list[Needs]:
        match given:
            case forms.Denied(inner):
                return self._said(inner)
            case forms.Matches():
                return self._lacking(given)
            case forms.OneOf(left, right):
                return self._joined(self._denied(left), self._denied(right))
        return [{}]

    # -- matches ---------------------------------------------------------------------------
    def _matched(self, given: forms.Matches) -> list[Needs]:
        found = self.rules.instances(given)
        return self.few([needs for one in found for needs in self._ways(*one)[0]])

    def _lacking(self, given: forms.Matches) -> list[Needs]:
        """Return what is said by "this has no match": of instances that test one field only."""
        lacks: Needs = {}
        for one in self.rules.instances(given):
            ways, are_all = self._ways(*one)
            for needs in ways:
                if len(needs) == 1 and are_all:
                    [(field, values)] = needs.items()
                    lacks[field] = lacks.get(field, self._all(field)) - values
        return self.few([lacks])

    def _ways(self, change: Change, table: Filled | None) -> tuple[list[Needs], bool]:
        """Return the ways in which an instance can match, and whether they tell all of it."""
        needs: Needs = {}
        for mask, value in change.tests:
            field = self.by_mask[mask]
            needs[field] = frozenset({value >> self.fields[field].offset})
        for mask, value in change.misses:
            field = self.by_mask[mask]
            held = needs.get(field, self._all(field))
            needs[field] = held - {value >> self.fields[field].offset}
        if table is None:
            return [needs], True
        reads = change.lookups[0].reads
        places = [place for place, field in enumerate(self.fields) if reads & field.mask]
        held_by = [range(len(self.fields[place].values)) for place in places]
        if prod(map(len, held_by)) > MOST_ALTERNATIVES:
            return [needs], False
        ways = []
        for values in product(*held_by):
            read = list(zip(places, values, strict=True))
            if (
                all(value in needs.get(place, (value,)) for place, value in read)
                and table[sum(value << self.fields[place].offset for place, value in read)]
            ):
                ways.append(needs | {place: frozenset({value}) for place, value in read})
        return ways, True

    def _empty(self) -> Needs:
        holds_nothing = frozenset({0})
        return {at: holds_nothing for at, one in enumerate(self.fields) if one.values[0] is None}

    def doubled(self, change: Change) -> Iterable[Needs]:
        """Yield, for each field that must be empty for a change, that it is not and others fit."""
        for place, field in enumerate(self.fields):
            if held := change.guard & field.mask:
                twice = Change(change.tests, misses=change.misses)
                values = [n for n in range(len(field.values)) if n << field.offset & held]
                for needs in self._ways(twice, None)[0]:
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
