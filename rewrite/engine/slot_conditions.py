"""Conditions and aggregates over slots and bits.

A condition's patterns are ground like those of a rule; what is left are tests of bits and look-ups
in tables. What cannot be written so (a condition inside a condition, a Python function) is asked of
the state itself, kept as a multiset: slower, never different.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rewrite.compiler.analysis import sees_state
from rewrite.compiler.multisets.layout import NewHead
from rewrite.compiler.program import SlotProgram
from rewrite.compiler.slots.ground_rules import Change
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.compiler.slots.layout import SlotLayout
from rewrite.engine.condition_source import all_variables
from rewrite.engine.expression_source import ExpressionSource, Names
from rewrite.engine.group_engine import GroupEngine
from rewrite.engine.interface import Task
from rewrite.engine.residual_source import Residual
from rewrite.engine.tables import Filling, Tables
from rewrite.engine.writer import Writer
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
    Terminal,
)
from rewrite.language.expressions import Expression
from rewrite.language.patterns import contains_wildcard
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, keeping
from rewrite.language.terms import Term


class SlotConditions:
    """Writes conditions of one puzzle as source over the number `s`."""

    def __init__(self, program: SlotProgram, writer: Writer) -> None:
        self.program, self.puzzle, self.layout = program, program.puzzle, program.layout
        self.writer = writer
        self.expressions = ExpressionSource(writer, self._aggregate)

    def test(self, given: Condition) -> str:
        """Return source for whether a condition holds in the state `s`."""
        try:
            return self._test(given)
        except Unsuitable:
            return self._by_multiset(given)

    def _test(self, given: Condition) -> str:
        if isinstance(given, Both):
            # what the left side binds may be used on the right: then the multiset decides
            if joined(given):
                raise Unsuitable("a joined condition")
            return f"({self.test(given.left)} and {self.test(given.right)})"
        if isinstance(given, Either):
            return f"({self.test(given.left)} or {self.test(given.right)})"
        if isinstance(given, Not):
            return f"(not {self.test(given.inner)})"
        if isinstance(given, Lacks):
            return f"(not {self._matches(given)})"
        if isinstance(given, Contains):
            return self._matches(given)
        if isinstance(given, Exactly):
            return self._exactly(given)
        if isinstance(given, Holds):
            return self._holds(given)
        if isinstance(given, OneOfStates):
            return self._one_of(given)
        if isinstance(given, Terminal):
            return "(not successors(s))"
        raise Unsuitable(repr(given))

    def value(self, given: Expression) -> str:
        """Return source for the encoded value of an expression in the state `s`."""
        try:
            return self.expressions.value(given, {})
        except Unsuitable:
            engine = self._multiset(None, (given,))
            decode = self.layout.decode
            name = self.writer.constant(
                lambda code: engine.value(0, engine.encode(decode(code))), "slow"
            )
            return f"{name}(s)"

    # -- matches ---------------------------------------------------------------------------
    def _changes(self, made: Rule, every: bool = False) -> list[tuple[Change, str]]:
        """Return the instances of a condition, each with the source of its table's entry, or ''."""
        out = []
        for change, table in instances(self.program, made, every):
            entry = ""
            if table is not None:
                entry = f"{self.writer.constant(table, 'T')}[s & {change.lookups[0].reads}]"
            out.append((change, entry))
        return out

    def _function(self, name: str, body: Callable[[], None]) -> str:
        """Write a helper function of the state now, before whatever calls it."""
        write = self.writer
        lines, depth = write.lines, write.depth
        write.lines, write.depth = [], 0
        with write.block(f"def {name}(s):"):
            body()
        write.lines, write.depth = write.lines + lines, depth
        return f"{name}(s)"

    def _matches(self, given: Any) -> str:
        changes = self._changes(as_rule(given))
        if len(changes) == 1 and not changes[0][1]:
            return f"({_applies(changes[0][0]) or 'True'})"
        write = self.writer

        def body() -> None:
            for change, entry in changes:
                tests = [text for text in (_applies(change), entry) if text]
                with write.block(f"if {' and '.join(tests) or 'True'}:"):
                    write.line("return True")
            write.line("return False")

        return self._function(write.fresh("matches"), body)

    def _exactly(self, given: Exactly) -> str:
        bits, number = loose_atoms(self.program, given)
        inner = self._matches(inside(given))
        return f"((s & {bits}).bit_count() == {number} and {inner})"

    def _one_of(self, given: OneOfStates) -> str:
        return f"(s in {self.writer.constant(codes(self.layout, given), 'S')})"

    # -- expressions and aggregates --------------------------------------------------------
    def _holds(self, given: Holds) -> str:
        source = self.expressions.test(given.expression, {})
        write = self.writer

        def body() -> None:
            with write.block("try:"):
                write.line(f"return {source}")
            with write.block("except NO_VALUE:"):
                write.line("return False")

        return self._function(write.fresh("holds"), body)

    def _aggregate(self, given: Aggregate, names: Names) -> str:
        check_counted(self.program, given)
        changes = self._changes(as_rule(given, given.value), every=True)
        write, summing = self.writer, given.name in ("count", "total")

        def body() -> None:
            plain = type(given.value) is int
            write.line("values = []")
            for change, entry in changes:
                if entry:
                    one = repr(given.value) if plain else "value"
                    added = f"[{one} for {'_' if plain else 'value, _'} in {entry}]"
                else:
                    added = write.constant([change.cost], "T")
                text = _applies(change)
                tests = f"if {text}: " if text else ""
                write.line(f"{tests}values += {added}")
            if summing:
                write.line("return sum([rt_integer(value) for value in values])")
                return
            with write.block("if not values:"):
                write.line("raise NO_VALUE[0]")
            choose = "rt_least" if given.name == "lowest" else "rt_greatest"
            write.line(f"return {choose}(*[value for value in values])")

        return self._function(write.fresh(given.name), body)

    # -- the slow way ----------------------------------------------------------------------
    def _multiset(self, goal: Condition | None, values: tuple[Expression, ...]) -> GroupEngine:
        puzzle = Puzzle(*self.puzzle.rules, facts=self.puzzle.facts, name=self.puzzle.name)
        return GroupEngine(Task(puzzle, self.program.start, goal, values))

    def _by_multiset(self, given: Condition) -> str:
        engine, decode = self._multiset(given, ()), self.layout.decode
        name = self.writer.constant(lambda code: engine.goal(engine.encode(decode(code))), "slow")
        return f"{name}(s)"


def as_rule(given: Any, cost: Any = 1) -> Rule:
    """Return a condition or aggregate as a rule that keeps what it matches. Raises Unsuitable."""
    if getattr(given, "named_rest", None) is not None:
        raise Unsuitable("the rest of the state as a value")
    for part in (*given.when, cost):
        if sees_state(part):
            raise Unsuitable("a condition inside a condition")
    return keeping(given, cost)


def instances(
    program: SlotProgram, made: Rule, every: bool = False
) -> list[tuple[Change, Filling | None]]:
    """Return the instances of a condition as a rule, each with its table. Raises Unsuitable."""
    prepared, changes = program.ground(made, every)
    if not any(change.lookups for change in changes):
        return [(change, None) for change in changes]
    tables = Tables(prepared, Residual(prepared, program.layout), every)
    return [
        (change, tables.table(change.lookups) if change.lookups else None) for change in changes
    ]


def loose_atoms(program: SlotProgram, given: Exactly) -> tuple[int, int]:
    """Return the bits of atoms that may be there or not, and how many must be. Raises Unsuitable.

    All other terms are there in every state: so `given` holds exactly where this number is right
    and its patterns match.
    """
    if given.rest is not None:
        raise Unsuitable("exactly(...) with a rest")
    layout = program.layout
    facts = {type(term) for term in program.puzzle.facts}
    if any(not isinstance(p, Term) or type(p) in facts for p in given.patterns):
        raise Unsuitable("exactly(...) beside facts")
    slots = sum(len(slots.offsets) for slots in layout.slots.values())
    bits, always = 0, 0
    for mask, choice in layout.choices.items():
        if not choice.optional:
            always += 1
        elif not choice.shared:
            bits |= mask
        else:
            raise Unsuitable("exactly(...) where a slot of atoms may hold none")
    return bits, len(given.patterns) - slots - always - len(layout.static)


def inside(given: Exactly) -> Contains:
    """Return the condition that the patterns match, whatever else there is. Raises Unsuitable."""
    if given.rest is not None:
        raise Unsuitable("exactly(...) with a rest")
    return Contains(given.patterns, list(given.when), [])


def check_counted(program: SlotProgram, given: Aggregate) -> None:
    """Raise Unsuitable where instances are not what the aggregate counts."""
    if any(contains_wildcard(p) and "*" in repr(p) for p in given.patterns):
        raise Unsuitable("ANY may match one occurrence in several ways")
    if any(number > 1 for _, number in program.grounder.facts.distinct()):
        raise Unsuitable("equal facts are counted one by one")


def joined(given: Both) -> bool:
    """Whether what the left side binds may be used on the right."""
    return bool(_binders(given.left) & all_variables(given.right))


def codes(layout: SlotLayout, given: OneOfStates) -> frozenset[int]:
    """Return the codes of those of the states that can come up."""
    found = set()
    for state in given.states:
        with suppress(NewHead):
            found.add(layout.encode(state))
    return frozenset(found)


def masked(tests: tuple[tuple[int, int], ...]) -> str:
    """Return source of the test of all bits at once; '' for no test."""
    mask = sum(mask for mask, _ in tests)
    value = sum(value for _, value in tests)
    if not mask:
        return ""
    if not value:
        return f"not s & {mask}"
    if mask == value and mask & mask - 1 == 0:
        return f"s & {mask}"
    return f"s & {mask} == {value}"


def applies(tests: tuple[tuple[int, int], ...], misses: tuple[tuple[int, int], ...]) -> str:
    """Return source of all tests of a change; '' for none."""
    parts = [masked(tests), *(f"s & {mask} != {value}" for mask, value in misses)]
    return " and ".join(part for part in parts if part)


def _applies(change: Change) -> str:
    return applies(change.tests, change.misses)


def _binders(given: Any) -> set[Any]:
    return all_variables(given) if not isinstance(given, (Holds, Lacks, Not)) else set()
