"""Conditions and aggregates over slots and bits.

A condition's patterns are grounded like those of a rule, which leaves tests of bits and look-ups in
tables. Anything else (a condition inside a condition, a Python function) is evaluated on the state
as a multiset: slower, but with the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rewrite.compile.code import operations as o
from rewrite.compile.code.write.build import Builder
from rewrite.compile.code.write.expressions import ON_STATE, Expressions, Names
from rewrite.compile.code.write.residual import tabled
from rewrite.compile.inlining import may_lack_value
from rewrite.compile.program import SlotProgram
from rewrite.compile.slots import forms
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Aggregate, Condition, Holds, Terminal
from rewrite.language.expressions import Expression


def condition(program: SlotProgram, name: str, given: Sequence[Condition]) -> o.Unit:
    """Return the unit that tests whether one of the conditions holds in a state."""
    conditions = Conditions(program)
    return conditions.unit(name, o.Return(o.any_of([conditions.test(one) for one in given])))


def value(program: SlotProgram, name: str, given: Expression) -> o.Unit:
    conditions = Conditions(program)
    return conditions.unit(name, o.ReturnOr(conditions.value(given), o.Const(None)))


class Conditions:
    def __init__(self, program: SlotProgram) -> None:
        self.program, self.layout = program, program.layout
        self.build = Builder()
        self.expressions = Expressions(self.build, self._aggregate, lambda: ON_STATE)

    def unit(self, name: str, last: o.Op) -> o.Unit:
        """Return everything written, with a function that consists of `last`."""
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
        return o.Ask(given.given)

    def _holds(self, given: Holds) -> o.Test:
        try:
            test = self.expressions.test(given.expression, {})
        except Unsuitable:
            return o.Ask(given)
        ends = o.ReturnOr(test, o.Flag(False))
        return o.IsTrue(self._function("holds", (ends,)), sure=True)

    def value(self, given: Expression) -> o.Value:
        try:
            return self.expressions.value(given, {})
        except Unsuitable:
            return o.Ask(given)

    def _function(self, stem: str, body: o.Body) -> o.Value:
        """Write a function of the state, before its callers."""
        name = self.build.name(stem)
        self.build.functions.insert(0, o.Function(name, (), True, body))
        return o.Invoke(name, (), on_state=True)

    def _matches(self, given: forms.Matches) -> o.Test:
        instances = tabled(given, self.layout.found)
        tests = [
            applies(change.tests, change.misses, table) or o.Flag(True)
            for change, table in instances
        ]
        if len(tests) == 1 and instances[0][1] is None:
            return tests[0]
        body = [o.If(test, (o.Return(o.Flag(True)),)) for test in tests]
        return o.IsTrue(self._function("matches", (*body, o.Return(o.Flag(False)))), sure=True)

    def _aggregate(self, given: Aggregate, names: Names) -> o.Value:
        matches = forms.valued(self.program, given)
        values, fixed = "values", type(given.value) is int
        body: list[o.Op] = [o.NewList(values)]
        also: tuple[o.Op, ...] = ()
        if may_lack_value(given.value):  # a match without a value is in no list
            body.append(o.NewList("ones"))
            also = (o.Push("ones", o.Const(1)),)
        for change, table in tabled(matches, self.layout.found):
            pushed: tuple[o.Op, ...] = (o.Push(values, o.Const(change.cost)), *also)
            if table is not None:
                cost = self.build.fresh("value")
                added = o.Push(values, o.Const(given.value) if fixed else cost)
                pushed = (o.EachEntry(cost, table, (added, *also)),)
            test = applies(change.tests, change.misses, None)
            body += pushed if test is None else (o.If(test, pushed),)
        if also:
            number = self._aggregate(Aggregate("count", 1, given.patterns, given.when), names)
            body.append(o.If(o.Not(o.Equal(o.Fold("sum", "ones"), number)), (o.NoValue(),)))
        if given.name in ("count", "total"):
            body.append(o.Return(o.Fold("sum", values)))
        else:
            body.append(o.If(o.Not(o.ListAny(values)), (o.NoValue(),)))
            body.append(o.Return(o.Fold("least" if given.name == "lowest" else "greatest", values)))
        return self._function(given.name, tuple(body))


def applies(
    tests: Iterable[tuple[int, int]], misses: Iterable[tuple[int, int]], table: o.Table | None
) -> o.Test | None:
    """Return the test of whether a change applies; None where it always does."""
    mask = value = 0
    for one, wanted in tests:
        mask, value = mask + one, value + wanted
    parts: list[o.Test] = [o.Bits(mask, value)] if mask else []
    parts += [o.Not(o.Bits(*miss)) for miss in misses]
    if table is not None:
        parts.append(o.TableAny(table))
    return o.And(tuple(parts)) if len(parts) > 1 else parts[0] if parts else None
