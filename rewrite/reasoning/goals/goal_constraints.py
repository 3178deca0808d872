"""Conditions on states as constraints on fields, for what can be seen through."""

from __future__ import annotations

from rewrite.compiler.room import NeedsRoom
from rewrite.compiler.slots.conditions import as_rule, check_counted, inside, joined, loose_atoms
from rewrite.compiler.slots.ground_rules import Change
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Condition,
    Contains,
    Either,
    Exactly,
    Holds,
    Lacks,
    Not,
    OneOfStates,
)
from rewrite.language.expressions import Call, Expression
from rewrite.language.states import State
from rewrite.reasoning.goals.constraints import (
    COMPARISONS,
    Constraint,
    Every,
    Match,
    Opposite,
    Some,
    Sum,
    Unknown,
)
from rewrite.reasoning.over_slots import Filled, OverSlots


class ConditionConstraints:
    """Turns conditions into constraints on fields. Raises Unsuitable where there are none."""

    def __init__(self, rules: OverSlots) -> None:
        self.rules, self.program = rules, rules.program
        self.by_mask = {field.mask: field for field in rules.fields}

    def of(self, given: Condition) -> Constraint:
        """Return the constraint that a condition is; Unknown for what cannot be seen through."""
        try:
            return self._of(given)
        except Unsuitable:
            return Unknown()

    def _of(self, given: Condition) -> Constraint:
        if isinstance(given, Both):
            return (
                Unknown() if joined(given) else Every((self.of(given.left), self.of(given.right)))
            )
        if isinstance(given, Either):
            return Some((self.of(given.left), self.of(given.right)))
        if isinstance(given, Not):
            return Opposite(self.of(given.inner))
        if isinstance(given, Lacks):
            return Opposite(self._matches(given))
        if isinstance(given, Contains):
            return self._matches(given)
        if isinstance(given, Exactly):
            bits, number = loose_atoms(self.program, given)
            single = [1 << at for at in range(bits.bit_length()) if bits >> at & 1]
            atoms = Sum(tuple([(Match(((bit, bit),)), 1) for bit in single]), "==", number)
            return Every((atoms, self._matches(inside(given))))
        if isinstance(given, Holds):
            return self._compared(given.expression)
        if isinstance(given, OneOfStates):
            return Some(tuple([self._state(state) for state in given.states]))
        return Unknown()

    def _matches(self, given: Contains | Lacks) -> Constraint:
        found = self.rules.instances(as_rule(given))
        return Some(tuple([_match(change, table) for change, table in found]))

    def _state(self, state: State) -> Constraint:
        layout = self.program.layout
        try:
            code = layout.encode(state)
        except NeedsRoom:
            return Some(())
        masks = [
            ((1 << slots.bits) - 1) << offset
            for slots in layout.slots.values()
            for offset in slots.offsets.values()
        ]
        return Match(tuple([(mask, code & mask) for mask in (*masks, *layout.choices)]))

    def _compared(self, given: Expression) -> Constraint:
        """Return the constraint of an aggregate that is compared with a number."""
        if not (isinstance(given, Call) and given.op in COMPARISONS and len(given.args) == 2):
            return Unknown()
        left, right = given.args
        mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        op = given.op
        if isinstance(right, Aggregate):
            left, right, op = right, left, mirrored.get(op, op)
        if not isinstance(left, Aggregate) or type(right) is not int:
            return Unknown()
        if left.name not in ("count", "total"):
            return Unknown()
        check_counted(self.program, left)
        terms: list[tuple[Match, int | None]] = []
        for change, table in self.rules.instances(as_rule(left, left.value), every=True):
            amount = left.value if table is not None else change.cost
            if table is None and type(amount) is not int:
                return Unknown()
            each = amount if type(amount) is int else None
            terms += self._terms(_match(change, table), each)
        return Sum(tuple(terms), op, right)

    def _terms(self, match: Match, each: int | None) -> list[tuple[Match, int | None]]:
        """Return the terms of a sum that a match is: one for each value, where it reads one field.

        So much is known of the sum before the field is.
        """
        field = self.by_mask.get(match.reads)
        if field is None or match.table is None:
            return [(match, each)]
        terms: list[tuple[Match, int | None]] = []
        for number in range(len(field.values)):
            bits = number << field.offset
            entries = match.table[bits]
            amounts = [one[0] if each is None else each for one in entries]
            if not all(type(amount) is int for amount in amounts):
                return [(match, each)]
            if sum(amounts):
                tests = (*match.tests, (field.mask, bits))
                terms.append((Match(tests, match.misses), sum(amounts)))
        return terms


def _match(change: Change, table: Filled | None) -> Match:
    reads = 0 if table is None else change.lookups[0].reads
    return Match(change.tests, change.misses, reads, table)
