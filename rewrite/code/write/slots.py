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

from rewrite.code.operations import (
    MATCHED,
    NEXT,
    And,
    Ask,
    BitCount,
    Bits,
    Body,
    CheckCost,
    Code,
    Const,
    Count,
    EachEntry,
    Emit,
    Equal,
    Flag,
    Flipped,
    Fold,
    Function,
    HasSuccessor,
    If,
    InStates,
    Invoke,
    IsForbidden,
    IsTrue,
    ListAny,
    Make,
    NeverTwice,
    NewList,
    Not,
    NoValue,
    Op,
    Or,
    Push,
    Reg,
    Residual,
    Return,
    ReturnOr,
    Rewritten,
    Table,
    TableAny,
    Test,
    Unit,
    Value,
)
from rewrite.code.write.build import Builder
from rewrite.code.write.expressions import Expressions, Names
from rewrite.code.write.residual import residual
from rewrite.compiler.program import SlotProgram
from rewrite.compiler.slots.conditions import (
    as_rule,
    check_counted,
    codes,
    inside,
    joined,
    loose_atoms,
)
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
    OneOfStates,
    Terminal,
)
from rewrite.language.conditions import Not as Denied
from rewrite.language.expressions import Expression
from rewrite.language.rules import Rule

WORTH_SHARING = 3
COST = Reg("cost")
Instances = list[tuple[int, Change]]
_Items = list[tuple[dict[int, int], int, Change]]


# -- rules -----------------------------------------------------------------------------------
def expansion(
    changes: Instances, rest: Callable[[int], Residual], offset: int, never: bool
) -> Unit:
    """Return the unit that hands out all successors of a state.

    changes   ground rules, each with the number of its rule
    rest      says what is left of a rule, by its number, where it is looked up
    offset    how many bits a state has
    """
    every = (1 << offset) - 1

    def leaf(rule: int, change: Change) -> Body:
        ops: list[Op] = [NeverTwice(change.guard)] if change.guard else []
        code: Code
        if change.lookups:
            table = Table(change.lookups, rest(rule), False)
            cost = table.cost
            if cost is None:
                done = (CheckCost(COST), *_emitted(rule, COST, NEXT, never))
            else:
                done = _emitted(rule, Const(cost), NEXT, never)
            return (*ops, EachEntry(COST, table, True, done))
        if change.flip is not None:
            code = Flipped(change.flip)
        else:
            code = Rewritten(every & ~change.clear, change.fill, change.copies)
        return (*ops, *_emitted(rule, Const(change.cost), code, never))

    body = _tree([(dict(change.tests), rule, change) for rule, change in changes], leaf)
    return Unit("expand", (Function("expand", (), True, body),))


def _emitted(rule: int, cost: Value, code: Code, never: bool) -> Body:
    if not never:
        return (Emit(rule, cost, code),)
    counted = (Count(MATCHED, rule), If(Not(IsForbidden()), (Emit(rule, cost, NEXT),)))
    return counted if code is NEXT else (Make(code), *counted)


def _tree(items: _Items, leaf: Callable[[int, Change], Body]) -> Body:
    """Return tests and leaves for all instances."""
    made: list[Op] = []
    while items:
        counts = Counter([test for tests, _, _ in items for test in tests.items()])
        best = max(counts, key=counts.__getitem__, default=None)
        if best is None or counts[best] < WORTH_SHARING:
            for tests, rule, change in items:
                wanted = _all((*_merged(tests.items()), *_missed(change)))
                body = leaf(rule, change)
                made += body if wanted is None else (If(wanted, body),)
            break
        mask, value = best
        chosen, others = [], []
        for item in items:
            if item[0].get(mask) == value:
                del item[0][mask]
                chosen.append(item)
            else:
                others.append(item)
        made.append(If(Bits(mask, value), _tree(chosen, leaf)))
        items = others
    return tuple(made)


def _merged(tests: Any) -> tuple[Test, ...]:
    """Return the test of all bits at once, if there is any."""
    mask = value = 0
    for one, wanted in tests:
        mask, value = mask + one, value + wanted
    return (Bits(mask, value),) if mask else ()


def _missed(change: Change) -> list[Test]:
    return [Not(Bits(mask, value)) for mask, value in change.misses]


def _all(tests: tuple[Test, ...]) -> Test | None:
    if len(tests) > 1:
        return And(tests)
    return tests[0] if tests else None


# -- conditions ------------------------------------------------------------------------------
def condition(program: SlotProgram, name: str, given: Sequence[Condition]) -> Unit:
    """Return the unit that says whether one of the conditions holds in a state."""
    conditions = Conditions(program)
    tests = tuple([conditions.test(one) for one in given]) or (Flag(False),)
    return conditions.unit(name, Return(tests[0] if len(tests) == 1 else Or(tests)))


def value(program: SlotProgram, name: str, given: Expression) -> Unit:
    """Return the unit that gives the value of an expression in a state, None where it has none."""
    conditions = Conditions(program)
    return conditions.unit(name, ReturnOr(conditions.value(given), Const(None)))


class Conditions:
    """Writes conditions of one puzzle over slots and bits."""

    def __init__(self, program: SlotProgram) -> None:
        self.program, self.layout = program, program.layout
        self.build = Builder()
        self.expressions = Expressions(self.build, self._aggregate)

    def unit(self, name: str, last: Op) -> Unit:
        """Return what was written, with a function that ends so."""
        self.build.functions.append(Function(name, (), True, (last,)))
        return self.build.unit(name)

    def test(self, given: Condition) -> Test:
        """Return whether a condition holds in the state."""
        try:
            return self._test(given)
        except Unsuitable:
            return Ask(given, "multiset")

    def _test(self, given: Condition) -> Test:
        if isinstance(given, Both):
            # what the left side binds may be used on the right: then the multiset decides
            if joined(given):
                raise Unsuitable("a joined condition")
            return And((self.test(given.left), self.test(given.right)))
        if isinstance(given, Either):
            return Or((self.test(given.left), self.test(given.right)))
        if isinstance(given, Denied):
            return Not(self.test(given.inner))
        if isinstance(given, Lacks):
            return Not(self._matches(given))
        if isinstance(given, Contains):
            return self._matches(given)
        if isinstance(given, Exactly):
            bits, number = loose_atoms(self.program, given)
            return And((Equal(BitCount(bits), Const(number)), self._matches(inside(given))))
        if isinstance(given, Holds):
            ends = ReturnOr(self.expressions.test(given.expression, {}), Flag(False))
            return IsTrue(self._function("holds", (ends,)), sure=True)
        if isinstance(given, OneOfStates):
            return InStates(codes(self.layout, given), ())
        if isinstance(given, Terminal):
            return Not(HasSuccessor(()))
        raise Unsuitable(repr(given))

    def value(self, given: Expression) -> Value:
        """Return the encoded value of an expression in the state."""
        try:
            return self.expressions.value(given, {})
        except Unsuitable:
            return Ask(given, "multiset")

    def _instances(self, made: Rule, every: bool = False) -> list[tuple[Change, Table | None]]:
        """Return the instances of a condition, each with its table. Raises Unsuitable."""
        prepared, changes = self.program.ground(made, every)
        if not any(change.lookups for change in changes):
            return [(change, None) for change in changes]
        rest = residual(prepared, self.layout.found)
        return [
            (change, Table(change.lookups, rest, every) if change.lookups else None)
            for change in changes
        ]

    def _function(self, stem: str, body: Body) -> Value:
        """Write a function of the state before whatever calls it."""
        name = self.build.name(stem)
        self.build.functions.insert(0, Function(name, (), True, body))
        return Invoke(name, (), on_state=True)

    def _matches(self, given: Contains | Lacks) -> Test:
        instances = self._instances(as_rule(given))
        tests = [_all(_applies(change, table)) or Flag(True) for change, table in instances]
        if len(tests) == 1 and instances[0][1] is None:
            return tests[0]
        body = [If(test, (Return(Flag(True)),)) for test in tests]
        return IsTrue(self._function("matches", (*body, Return(Flag(False)))), sure=True)

    def _aggregate(self, given: Aggregate, names: Names) -> Value:
        check_counted(self.program, given)
        values, fixed = "values", type(given.value) is int
        body: list[Op] = [NewList(values)]
        for change, table in self._instances(as_rule(given, given.value), every=True):
            one: Op = Push(values, Const(change.cost))
            if table is not None:
                cost = self.build.fresh("value")
                added = Push(values, Const(given.value) if fixed else cost)
                one = EachEntry(cost, table, False, (added,))
            test = _all(_applies(change, None))
            body.append(one if test is None else If(test, (one,)))
        if given.name in ("count", "total"):
            body.append(Return(Fold("sum", values)))
        else:
            body.append(If(Not(ListAny(values)), (NoValue(),)))
            body.append(Return(Fold("least" if given.name == "lowest" else "greatest", values)))
        return self._function(given.name, tuple(body))


def _applies(change: Change, table: Table | None) -> tuple[Test, ...]:
    looked_up = () if table is None else (TableAny(table),)
    return (*_merged(change.tests), *_missed(change), *looked_up)
