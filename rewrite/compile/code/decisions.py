"""Prints ground rules over slots as Python source: a tree of decisions.

A test shared by many ground rules is made once: they are grouped at the place of the first of them.
Otherwise rules keep their order. Where there are very many, those that need no table are looked up
in a `RuleTree` for each rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from rewrite.compile.code import operations as o
from rewrite.compile.code.puzzle_code import SlotCode
from rewrite.compile.code.python import WAYS, Form, Printed, Printer
from rewrite.compile.code.rule_tree import RuleTree, moved
from rewrite.compile.code.write.slots import applies
from rewrite.compile.slots.changes import Change

WORTH_SHARING = 3
MOST_PRINTED = 2_000
"""Ground rules that are printed: the time grows with their square, and Python takes 0.1 ms to read
each."""
_Item = tuple[dict[int, int], int, Change, o.Table | None]
"""A ground rule: tests that are left, by mask; the rule's number; what changes, and its table."""


def expansion(code: SlotCode, way: Form, canonical: bool = False) -> Printed:
    """Return the source that generates all successors of a state: see `python.expansion`."""
    printer = _Decisions(code, way, canonical)
    items = _items(code, code.changes)
    printer.expansion(lambda: printer.every_rule(items))
    return printer.printed()


def simplification(code: SlotCode) -> Printed:
    """Return the source with one function for each rule of `simplify`: what it leads to."""
    printer = _Decisions(code, WAYS["simplify"], simplifying=True)
    for place, changes in enumerate(code.program.simplify):
        with printer.block(f"def simplify{place}(s):"):
            printer.line(WAYS["simplify"].first)
            printer.every_rule(_items(code, changes))
            printer.line(WAYS["simplify"].last)
    return printer.printed()


def _items(code: SlotCode, changes: Sequence[tuple[int, Change]]) -> list[_Item]:
    return [
        (dict(change.tests), rule, change, table)
        for (rule, change), table in zip(changes, code.tables_of(changes), strict=True)
    ]


class _Decisions(Printer):
    def __init__(
        self, code: SlotCode, way: Form, canonical: bool = False, simplifying: bool = False
    ) -> None:
        super().__init__("", way, canonical)
        puzzle = code.program.puzzle
        self.first, self.simplifying = code.first, simplifying
        self.never = bool(puzzle.never) and not simplifying
        self.simplify = bool(puzzle.simplify) and not simplifying
        self.every = (1 << code.program.layout.offset) - 1

    def every_rule(self, items: list[_Item]) -> None:
        if len(items) <= MOST_PRINTED:
            self.tree(items)
        else:
            self.looked_up(items)

    def tree(self, items: list[_Item]) -> None:
        """Write tests and changes of all items; those of the code's `first` bits come first."""
        while items:
            counts = Counter([test for tests, *_ in items for test in tests.items()])
            best = max(counts, key=counts.__getitem__, default=None)
            foremost = next((test for test in counts if test[0] & self.first), None)
            if foremost is not None:
                best = foremost
            elif best is None or counts[best] < WORTH_SHARING:
                for tests, rule, change, table in items:
                    test = applies(tests.items(), change.misses, None)
                    with nullcontext() if test is None else self.block(f"if {self.value(test)}:"):
                        self._changed(rule, change, table)
                return
            mask, value = best
            chosen = [item for item in items if item[0].get(mask) == value]
            items = [item for item in items if item[0].get(mask) != value]
            for tests, *_ in chosen:
                del tests[mask]
            with self.block(f"if {self.value(o.Bits(mask, value))}:"):
                self.tree(chosen)

    def looked_up(self, items: list[_Item]) -> None:
        """Write what looks changes up; those that use tables are written out."""
        groups: dict[tuple[int, Any], list[Change]] = {}
        for _, rule, change, table in items:
            if table is None:
                groups.setdefault((rule, change.cost), []).append(change)
        self.constants["MOVED"] = moved
        for (rule, cost), changes in groups.items():
            name = f"RULES{len(self.constants)}"
            self.constants[name] = RuleTree(changes, self.every)
            with self.block(f"for keep, flip, guard, moves in {name}(s):"):
                self.line("if s & guard: raise Twice()")
                self.line("y = s & keep ^ flip")
                self.line("if moves is not None: y = MOVED(moves, s, y)")
                self._handed_out(rule, self.constant(cost), "y")
        self.tree([item for item in items if item[3] is not None])

    def _changed(self, rule: int, change: Change, table: o.Table | None) -> None:
        if change.guard:
            self.line(f"if s & {self.number(change.guard)}: raise Twice()")
        if table is not None:
            self._looked_up(rule, table)
            return
        if change.flip is not None:
            made = f"s ^ {self.number(change.flip)}" if change.flip else "s"
        elif change.effects:
            kept = self.number(self.every & ~change.clear)
            given = f"s & {kept} | {self.number(change.fill)}"
            made = f"{self.constant(moved)}({self.constant(change)}, s, {given})"
        else:
            stays, flips, maps = change.toggled()
            clear, flip = change.clear & ~stays, change.fill | flips
            made = "".join([
                f"s & {self.number(self.every & ~clear)}" if clear else "s",
                f" ^ {self.number(flip)}" if flip else "",
            ] + [
                f" | (s & {self.number(mask)}) {'<<' if shift > 0 else '>>'} {abs(shift)}"
                for mask, shift in change.copies
            ] + [
                f" | {self.constant(tuple([max(n, 0) << to for n in table]))}"
                f"[s >> {at} & {(1 << bits) - 1}]"
                for at, bits, to, table in maps
            ])  # fmt: skip
        self._handed_out(rule, self.constant(change.cost), made)

    def _looked_up(self, rule: int, table: o.Table) -> None:
        cost = "cost" if table.cost is None else self.constant(table.cost)
        with self.block(f"for {'cost, d' if table.cost is None else 'd'} in {self.table(table)}:"):
            if table.cost is None:
                self.checked_cost(cost)
            self._handed_out(rule, cost, "s + d")

    def _handed_out(self, rule: int, cost: str, made: str) -> None:
        if self.simplify:
            made = f"normal({made})"
        if not self.never:
            self.handed_out(None if self.simplifying else rule, cost, made)
            return
        self.made(made)
        self.counts(o.MATCHED, rule)
        with self.block("if (not forbidden(x)):"):
            self.handed_out(rule, cost, "x")
