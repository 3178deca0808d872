"""Ground rules, and conditions and aggregates, over slots and bits.

Tests that many ground rules share are made once, in a tree of decisions: instances keep the order
of the rules as far as the tree allows, and those that share a test come together, at the place of
the first of them.

A condition's patterns are ground like those of a rule; what is left are tests of bits and look-ups
in tables. What cannot be written so (a condition inside a condition, a Python function) is asked of
the state itself, kept as a multiset: slower, never different.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from rewrite.code import operations as o
from rewrite.code.write.build import Builder
from rewrite.code.write.expressions import ON_STATE, Expressions, Names
from rewrite.code.write.residual import tabled
from rewrite.compiler.program import SlotProgram
from rewrite.compiler.slots import forms
from rewrite.compiler.slots.ground_rules import Change
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import Aggregate, Condition, Holds, Terminal
from rewrite.language.expressions import Expression

WORTH_SHARING = 3
COST = o.Reg("cost")
Instances = list[tuple[int, Change]]
_Items = list[tuple[dict[int, int], int, Change]]


# -- rules -----------------------------------------------------------------------------------
def expansion(
    changes: Instances, rest: Callable[[int], o.Residual], offset: int, never: bool, first: int = 0
) -> o.Unit:
    """Return the unit that hands out all successors of a state.

    changes   ground rules, each with the number of its rule
    rest      says what is left of a rule, by its number, where it is looked up
    offset    how many bits a state has
    first     the bits that are asked before all others
    """
    every = (1 << offset) - 1

    def leaf(rule: int, change: Change) -> o.Body:
        ops: list[o.Op] = [o.NeverTwice(change.guard)] if change.guard else []
        code: o.Code
        if change.lookups:
            table = o.Table(change.lookups, rest(rule), False)
            cost = table.cost
            if cost is None:
                done = (o.CheckCost(COST), *_emitted(rule, COST, o.NEXT, never))
            else:
                done = _emitted(rule, o.Const(cost), o.NEXT, never)
            return (*ops, o.EachEntry(COST, table, True, done))
        if change.flip is not None:
            code = o.Flipped(change.flip)
        else:
            code = o.Rewritten(every & ~change.clear, change.fill, change.copies)
        return (*ops, *_emitted(rule, o.Const(change.cost), code, never))

    body = _tree([(dict(change.tests), rule, change) for rule, change in changes], leaf, first)
    return o.Unit("expand", (o.Function("expand", (), True, body),))


def _emitted(rule: int, cost: o.Value, code: o.Code, never: bool) -> o.Body:
    if not never:
        return (o.Emit(rule, cost, code),)
    counted = (
        o.Count(o.MATCHED, rule),
        o.If(o.Not(o.IsForbidden()), (o.Emit(rule, cost, o.NEXT),)),
    )
    return counted if code is o.NEXT else (o.Make(code), *counted)


def _tree(items: _Items, leaf: Callable[[int, Change], o.Body], first: int = 0) -> o.Body:
    """Return tests and leaves for all instances; tests of the bits `first` go before all others."""
    made: list[o.Op] = []
    while items:
        counts = Counter([test for tests, _, _ in items for test in tests.items()])
        best = max(counts, key=counts.__getitem__, default=None)
        foremost = next((test for test in counts if test[0] & first), None)
        if foremost is not None:
            best = foremost
        elif best is None or counts[best] < WORTH_SHARING:
            for tests, rule, change in items:
                wanted = _all((*_merged(tests.items()), *_missed(change)))
                body = leaf(rule, change)
                made += body if wanted is None else (o.If(wanted, body),)
            break
        mask, value = best
        chosen, others = [], []
        for item in items:
            if item[0].get(mask) == value:
                del item[0][mask]
                chosen.append(item)
            else:
                others.append(item)
        made.append(o.If(o.Bits(mask, value), _tree(chosen, leaf, first)))
        items = others
    return tuple(made)


def _merged(tests: Any) -> tuple[o.Test, ...]:
    """Return the test of all bits at once, if there is any."""
    mask = value = 0
    for one, wanted in tests:
        mask, value = mask + one, value + wanted
    return (o.Bits(mask, value),) if mask else ()


def _missed(change: Change) -> list[o.Test]:
    return [o.Not(o.Bits(mask, value)) for mask, value in change.misses]


def _all(tests: tuple[o.Test, ...]) -> o.Test | None:
    if len(tests) > 1:
        return o.And(tests)
    return tests[0] if tests else None


# -- conditions ------------------------------------------------------------------------------
def condition(program: SlotProgram, name: str, given: Sequence[Condition]) -> o.Unit:
    """Return the unit that says whether one of the conditions holds in a state."""
    conditions = Conditions(program)
    tests = tuple([conditions.test(one) for one in given]) or (o.Flag(False),)
    return conditions.unit(name, o.Return(tests[0] if len(tests) == 1 else o.Or(tests)))


def value(program: SlotProgram, name: str, given: Expression) -> o.Unit:
    conditions = Conditions(program)
    return conditions.unit(name, o.ReturnOr(conditions.value(given), o.Const(None)))


class Conditions:
    """Writes conditions of one puzzle over slots and bits."""

    def __init__(self, program: SlotProgram) -> None:
        self.program, self.layout = program, program.layout
        self.build = Builder()
        self.expressions = Expressions(self.build, self._aggregate, lambda: ON_STATE)

    def unit(self, name: str, last: o.Op) -> o.Unit:
        """Return what was written, with a function that ends so."""
        self.build.functions.append(o.Function(name, (), True, (last,)))
        return self.build.unit(name)

    def test(self, given: Condition) -> o.Test:
        return self._test(forms.read(self.program, given))

    def _test(self, given: forms.Form) -> o.Test:
        match given:
            case forms.AllOf(left, right):
                return o.And((self._test(left), self._test(right)))
            case forms.OneOf(left, right):
                return o.Or((self._test(left), self._test(right)))
            case forms.Denied(inner):
                return o.Not(self._test(inner))
            case forms.Matches():
                return self._matches(given)
            case forms.Whole(_, matches, (bits, number)):
                as_many = o.Equal(o.BitCount(bits), o.Const(number))
                return o.And((as_many, self._matches(matches)))
            case forms.Codes(codes):
                return o.InStates(frozenset(codes), ())
            case Holds():
                return self._holds(given)
            case Terminal():
                return o.Not(o.HasSuccessor(()))
        return o.Ask(given.given, "multiset")

    def _holds(self, given: Holds) -> o.Test:
        try:
            test = self.expressions.test(given.expression, {})
        except Unsuitable:
            return o.Ask(given, "multiset")
        ends = o.ReturnOr(test, o.Flag(False))
        return o.IsTrue(self._function("holds", (ends,)), sure=True)

    def value(self, given: Expression) -> o.Value:
        try:
            return self.expressions.value(given, {})
        except Unsuitable:
            return o.Ask(given, "multiset")

    def _function(self, stem: str, body: o.Body) -> o.Value:
        """Write a function of the state before whatever calls it."""
        name = self.build.name(stem)
        self.build.functions.insert(0, o.Function(name, (), True, body))
        return o.Invoke(name, (), on_state=True)

    def _matches(self, given: forms.Matches) -> o.Test:
        instances = tabled(given, self.layout.found)
        tests = [_all(_applies(change, table)) or o.Flag(True) for change, table in instances]
        if len(tests) == 1 and instances[0][1] is None:
            return tests[0]
        body = [o.If(test, (o.Return(o.Flag(True)),)) for test in tests]
        return o.IsTrue(self._function("matches", (*body, o.Return(o.Flag(False)))), sure=True)

    def _aggregate(self, given: Aggregate, names: Names) -> o.Value:
        matches = forms.counted(self.program, given)
        values, fixed = "values", type(given.value) is int
        body: list[o.Op] = [o.NewList(values)]
        for change, table in tabled(matches, self.layout.found):
            one: o.Op = o.Push(values, o.Const(change.cost))
            if table is not None:
                cost = self.build.fresh("value")
                added = o.Push(values, o.Const(given.value) if fixed else cost)
                one = o.EachEntry(cost, table, False, (added,))
            test = _all(_applies(change, None))
            body.append(one if test is None else o.If(test, (one,)))
        if given.name in ("count", "total"):
            body.append(o.Return(o.Fold("sum", values)))
        else:
            body.append(o.If(o.Not(o.ListAny(values)), (o.NoValue(),)))
            body.append(o.Return(o.Fold("least" if given.name == "lowest" else "greatest", values)))
        return self._function(given.name, tuple(body))


def _applies(change: Change, table: o.Table | None) -> tuple[o.Test, ...]:
    looked_up = () if table is None else (o.TableAny(table),)
    return (*_merged(change.tests), *_missed(change), *looked_up)
