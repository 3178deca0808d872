"""Residuals: what remains of a rule once it is ground, as a function of slot values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewrite.compile.code import operations as o
from rewrite.compile.code.types import FLAG, SEQ, of_kind
from rewrite.compile.code.write.build import Builder
from rewrite.compile.code.write.expressions import Expressions, Names
from rewrite.compile.code.write.matching import Match, Matching
from rewrite.compile.rule_properties import deepens
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.forms import Matches
from rewrite.compile.slots.keys import Findings
from rewrite.compile.slots.prepared import GroundRule
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.patterns import mentioned, variables


def residual(prepared: GroundRule, found: Findings) -> o.Residual:
    return _Writing(prepared, found).residual()


def tabled(given: Matches, found: Findings) -> list[tuple[Change, o.Table | None]]:
    """Return the instances of a condition, each with its look-up table, if it needs one."""
    if not any(change.lookups for change in given.changes):
        return [(change, None) for change in given.changes]
    rest = residual(given.rule, found)
    return [
        (change, o.Table(change.lookups, rest, given.every) if change.lookups else None)
        for change in given.changes
    ]


class _Writing:
    def __init__(self, prepared: GroundRule, found: Findings) -> None:
        self.prepared, self.rule, self.found = prepared, prepared.rule, found
        self.reading = prepared.reading
        self.absents, self.puts = prepared.patterns("absent"), prepared.patterns("put")
        self.build = Builder()
        self.matching = Matching(self.build, Expressions(self.build))

    def _ground_used(self) -> tuple[int, ...]:
        patterns = (*self.reading, *self.absents, *self.puts)
        values = tuple(map(self.found.values_of, patterns))
        used = mentioned((values, self.prepared.lets, self.prepared.guards, self.rule.cost))
        return tuple([i for i, one in enumerate(self.prepared.ground) if one in used])

    def residual(self) -> o.Residual:
        used, ground = self._ground_used(), self.prepared.ground
        names: Names = {ground[i]: o.Reg(f"o{i}", of_kind(ground[i].kind)) for i in used}
        parameters = [
            *names.values(),
            *(o.Reg(f"v{i}", SEQ) for i in range(len(self.reading))),
            *(o.Reg(f"w{i}") for i in range(len(self.absents))),
        ]
        with self.build.function("residual", tuple(parameters)):  # type: ignore[arg-type]
            self._read(0, Match.of(names))
        return o.Residual(self.prepared, self.build.unit("residual"), used)

    def _read(self, place: int, at: Match) -> None:
        if place == len(self.reading):
            self._lets(self.prepared.lets, at)
            return
        values = self.found.values_of(self.reading[place])
        self.matching.unpack(
            values, o.Reg(f"v{place}", SEQ), at, lambda more: self._read(place + 1, more)
        )

    def _lets(self, left: Sequence[Any], at: Match) -> None:
        ready = next((one for one in left if set(variables(one[1])) <= set(at.names)), None)
        if ready is None:
            assert not left, left
            self._conditions(0, at)
            return
        rest = [one for one in left if one is not ready]
        self.matching.let(ready[0], ready[1], at, lambda more: self._lets(rest, more))

    def _conditions(self, place: int, at: Match) -> None:
        if place == len(self.prepared.guards):
            self._absent(0, at)
            return

        def test(value: Any) -> None:
            with self.build.when(o.IsTrue(value)):
                self._conditions(place + 1, at)

        self.matching.compute(self.prepared.guards[place], at.names, test)

    def _absent(self, place: int, at: Match) -> None:
        if place == len(self.absents):
            self._finish(at)
            return
        write, value = self.build, o.Reg(f"w{place}")
        hit = write.let("hit", o.Flag(False), FLAG)
        with write.when(o.Not(o.Equal(value, o.Const(None)))):
            self.matching.unpack(
                self.found.values_of(self.absents[place]), value, Match.of(at.names),
                lambda _: write.add(o.Let(hit, o.Flag(True))),
            )  # fmt: skip
        with write.when(o.Not(o.IsTrue(hit, sure=True))):
            self._absent(place + 1, at)

    def _finish(self, at: Match) -> None:
        assert not at.waiting, at.waiting
        templates = tuple([self.found.values_of(pattern) for pattern in self.puts])
        self.matching.compute(
            templates, at.names,
            lambda puts: self.matching.compute(
                self.rule.cost, at.names, lambda cost: self._put(puts, cost)
            ),
        )  # fmt: skip

    def _put(self, puts: o.Value, cost: o.Value) -> None:
        """Write what an instance puts: for each pattern the tuple of its values."""
        if any(deepens(self.rule, pattern) for pattern in self.puts):
            most = o.Const(MOST_LEVELS + 1)
            puts = self.build.let("e", o.Builtin("bounded", (puts, most)), SEQ)
        self.build.add(o.Put(cost, puts))
