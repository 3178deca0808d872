"""Source of rules over the groups of a state kept as a multiset.

Order of the successors: rules as declared; the matches of a rule as its join plan nests them,
values in canonical order. Consecutive rules with the same `take` and `keep` share their loops,
match by match. What a match means is defined in `language.meaning`; this has to be fast and agree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from rewrite.compiler.analysis import alike_takes, sees_state
from rewrite.compiler.interning import Head, ordered
from rewrite.compiler.multisets.layout import Layout, heads_of
from rewrite.compiler.plan import Step
from rewrite.compiler.program import PAIR_KINDS, RuleGroup
from rewrite.engine import runtime
from rewrite.engine.condition_source import ConditionSource, World
from rewrite.engine.expression_source import Names, may_lack_value
from rewrite.engine.loops import Claims, Pool
from rewrite.engine.match_source import Waiting
from rewrite.language.conditions import Holds
from rewrite.language.expressions import Call, Variable
from rewrite.language.rules import Rule

Emit = Callable[[Rule, str, str], None]
"""Writes what happens with a successor, given (rule, source of its code, source of the cost)."""


class RuleSource:
    """Writes the rules of one puzzle. `tried`, `matched` and `missing` write the counting."""

    def __init__(self, conditions: ConditionSource, layout: Layout, emit: Emit,
                 count: Callable[[str, Rule], str]) -> None:  # fmt: skip
        self.conditions, self.layout, self.emit, self.count = conditions, layout, emit, count
        self.writer = conditions.writer
        self.writer.namespace |= {
            "rt_ordered": ordered, "rt_bisect": bisect_right, "rt_place": layout.place,
            "rt_without": runtime.without, "rt_elements": runtime.elements,
        }  # fmt: skip

    def write(self, rules: Sequence[Rule], groups: dict[Head, str]) -> None:
        """Write all rules for a state whose groups are in the given names."""
        for group in self.conditions.program.plan(tuple(rules)):
            if group.pair:
                if group.rules[0].take[0].kind in self.layout.index:
                    self._pairs(group.rules, groups)
            elif len(group.rules) == 1:
                match = _Match(self, group.rules[0], groups, group.alike)
                match.run(list(group.steps), {}, (), {}, {})
            else:
                self._shared(group, groups)

    def _shared(self, group: RuleGroup, groups: dict[Head, str]) -> None:
        loops = _Match(self, group.rules[0], groups, group.alike)

        def bodies(
            names: Names, waiting: Waiting, claims: Claims, taken: dict[Head, list[str]]
        ) -> None:
            rest = loops.rest(taken)
            for rule in group.rules:
                match = _Match(self, rule, groups, group.alike, rest)
                match.run(_checks(rule), names, waiting, claims, taken)

        loops.run(list(group.steps), {}, (), {}, {}, bodies)

    def _pairs(self, rules: tuple[Rule, ...], groups: dict[Head, str]) -> None:
        write = self.writer
        first = rules[0].take[0]
        group = groups[first.kind]
        size, low, high, i, j = (write.fresh(stem) for stem in ("n", "a", "b", "i", "j"))
        run, rest_name = write.fresh("r"), write.fresh("h")
        write.line(f"{size} = len({group})")
        with write.block(f"for {j} in range(1, {size}):"):
            write.line(f"{high} = {group}[{j}]")
            # equal numbers stand side by side: only the first two of a run are a pair of equals
            with write.block(f"if {group}[{j} - 1] != {high}:"):
                write.line(f"{run} = range({j})")
            with write.block(f"elif {j} == 1 or {group}[{j} - 2] != {high}:"):
                write.line(f"{run} = range({j} - 1, {j})")
            with write.block("else:"):
                write.line("continue")
            with write.block(f"for {i} in {run}:"):
                write.line(f"{low} = {group}[{i}]")
                with write.block(f"if {i} and {group}[{i} - 1] == {low}:"):
                    write.line("continue")
                write.line(
                    f"{rest_name} = {group}[:{i}] + {group}[{i} + 1:{j}] + {group}[{j} + 1:]"
                )
                rest = {first.kind: rest_name}
                for rule in rules:
                    self._pair(_Match(self, rule, groups, (None, None), groups | rest), low, high)

    def _pair(self, match: _Match, low: str, high: str) -> None:
        """Write a rule for the two ways in which it can take the pair low <= high."""
        first, second = match.rule.take
        for lesser, greater in ((second, first), (first, second)):
            # where a guard allows one order only, the other one is not tried at all
            either = _useful_guards(match.rule, lesser, greater, strict=False)
            other = _useful_guards(match.rule, greater, lesser, strict=True)
            if either is not None and other is None:
                match.run(either, {lesser: low, greater: high}, (), {}, {})
                return
        either = _useful_guards(match.rule, second, first, strict=False)
        if either is not None:
            match.run(either, {second: low, first: high}, (), {}, {})
        other = _useful_guards(match.rule, first, second, strict=True)
        if other is not None and alike_takes(match.rule)[1] is None:
            with self.writer.block(f"if {low} != {high}:"):
                match.run(other, {first: low, second: high}, (), {}, {})


def _checks(rule: Rule) -> list[Step]:
    """Return the conditions of a rule: plain guards first, then what looks at the state."""
    whens = [Step("when", i) for i in range(len(rule.when))]
    whens.sort(key=lambda step: not isinstance(rule.when[step.index], Holds))
    return [*whens, *(Step("absent", i) for i in range(len(rule.absent)))]


def _useful_guards(
    rule: Rule, small: Variable, large: Variable, *, strict: bool
) -> list[Step] | None:
    """Return the checks left when small <= large (or <) is known; None: one is surely false."""
    left: list[Step] = []
    for step in _checks(rule):
        given = rule.when[step.index] if step.kind == "when" else None
        call = given.expression if isinstance(given, Holds) else None
        if isinstance(call, Call) and call.op in ("<", "<=", ">", ">=") and len(call.args) == 2:
            a, b = call.args
            if {id(a), id(b)} == {id(small), id(large)}:
                op = (
                    call.op if a is small else {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[call.op]
                )
                if op == "<=" or (op == "<" and strict):
                    continue
                if op == ">" or (op == ">=" and strict):
                    return None
        left.append(step)
    return left


class _Match:
    """Writes the steps of one rule's match, one inside the other."""

    def __init__(self, owner: RuleSource, rule: Rule, groups: dict[Head, str],
                 alike: tuple[int | None, ...],
                 rest: dict[Head, str] | None = None) -> None:  # fmt: skip
        self.owner, self.rule, self.groups, self.alike = owner, rule, groups, alike
        self.conditions, self.writer = owner.conditions, owner.writer
        self.fixed_rest = rest
        self.take_places: dict[int, tuple[Head, str]] = {}

    def rest(self, taken: dict[Head, list[str]]) -> dict[Head, str]:
        """Write what is left of each group after `take`; return the names."""
        if self.fixed_rest is not None:
            return self.fixed_rest
        rest = dict(self.groups)
        for head, places in taken.items():
            name, group = self.writer.fresh("h"), self.groups[head]
            if len(places) == 1:
                self.writer.line(f"{name} = {group}[:{places[0]}] + {group}[{places[0]} + 1:]")
            else:
                self.writer.line(f"{name} = rt_without({group}, ({', '.join(places)}))")
            rest[head] = name
        return rest

    def run(
        self,
        steps: list[Step],
        names: Names,
        waiting: Waiting,
        claims: Claims,
        taken: dict[Head, list[str]],
        finish: Callable[[Names, Waiting, Claims, dict[Head, list[str]]], None] | None = None,
        rest: dict[Head, str] | None = None,
    ) -> None:
        """Write the remaining steps, then what follows a match."""
        self.conditions.matching.missing = self.owner.count("missing", self.rule) or "pass"
        if rest is None and not any(step.kind == "take" for step in steps) and not finish:
            rest = self.rest(taken)
            line = self.owner.count("tried", self.rule)
            if line:
                self.writer.line(line)
        if not steps:
            if finish:
                finish(names, waiting, claims, taken)
            else:
                assert rest is not None
                self._put(names, rest)
            return
        step, left = steps[0], steps[1:]
        part = getattr(self.rule, step.kind)[step.index]
        if step.kind in ("take", "keep"):
            self._look(step, left, part, names, waiting, claims, taken, finish, rest)
        elif step.kind == "let":
            self.conditions.world = World(rest if rest is not None else self.groups)
            self.conditions.matching.let(
                part[0], part[1], names, waiting,
                lambda found, still: self.run(left, found, still, claims, taken, finish, rest),
            )  # fmt: skip
        else:
            world = World(rest if rest is not None else self.groups)
            if step.kind == "when" and self._may_fail(part):
                self._counted_guard(part.expression, names, lambda: self.run(
                    left, names, waiting, claims, taken, finish, rest))  # fmt: skip
                return
            if step.kind == "when":
                test = self.conditions.test(part, names, world)
            else:
                test = self.conditions.absent(part, names, world)
            with self.writer.block(f"if {test}:"):
                self.run(left, names, waiting, claims, taken, finish, rest)

    @staticmethod
    def _may_fail(given: Any) -> bool:
        return (
            isinstance(given, Holds) and not sees_state(given) and may_lack_value(given.expression)
        )

    def _counted_guard(self, expression: Any, names: Names, then: Callable[[], None]) -> None:
        """Write a guard that may have no value: then the rule does not apply; that is counted."""
        write, name = self.writer, self.writer.fresh("e")
        with write.block("try:"):
            write.line(f"{name} = {self.conditions.expressions.test(expression, names)}")
        with write.block("except NO_VALUE:"):
            write.line(self.conditions.matching.missing)
        with write.block("else:"), write.block(f"if {name}:"):
            then()

    def _look(self, step: Step, left: list[Step], pattern: Any, names: Names, waiting: Waiting,
              claims: Claims, taken: dict[Head, list[str]], finish: Any,
              rest: dict[Head, str] | None) -> None:  # fmt: skip
        conditions = self.conditions
        for head in conditions.program.candidates(pattern):
            mine = self.groups.get(head)
            if step.kind == "take":
                if mine is None:
                    continue
                pool = Pool(mine)
            elif head in conditions.facts:
                world = World(rest if rest is not None else self.groups)
                found_pool = conditions.pool(head, world)
                assert found_pool is not None
                pool = found_pool
            elif mine is not None:
                pool = Pool(mine)
            else:
                continue
            after = None
            if step.kind == "take" and self.alike[step.index] is not None:
                partner = self.take_places.get(self.alike[step.index] or 0)
                after = partner[1] if partner and partner[0] == head else None

            def found(more: Names, still: Waiting, claimed: Claims, _: str,
                      head: Head = head, pool: Pool = pool) -> None:  # fmt: skip
                now = dict(taken)
                if step.kind == "take":
                    place = claimed[pool.name][-1]
                    now[head] = [*now.get(head, []), place]
                    self.take_places[step.index] = (head, place)
                self.run(left, more, still, claimed, now, finish, rest)

            conditions.loops.look(pattern, head, pool, names, waiting, claims, found, after=after)

    def _put(self, names: Names, rest: dict[Head, str]) -> None:
        write, conditions, layout = self.writer, self.conditions, self.owner.layout
        line = self.owner.count("matched", self.rule)
        if line:
            write.line(line)
        conditions.world = World(rest)
        templates = [*self.rule.put, self.rule.cost]

        def place(values: list[str]) -> None:
            *put, cost = values
            groups, loose = dict(rest), []
            added: dict[Head, list[str]] = {}
            for template, value in zip(self.rule.put, put, strict=True):
                heads = heads_of(template)
                if heads is None or len(heads) > 1:  # where it goes is seen once it is there
                    loose.append(value)
                else:
                    added.setdefault(heads[0], []).append(value)
            for head, group_values in added.items():
                groups[head] = self._insert(head, groups[head], group_values)
            ordered_groups = [groups[head] for head in layout.heads]
            code = ordered_groups[0] if layout.single else f"({', '.join(ordered_groups)})"
            if loose:
                listed = f"({', '.join(ordered_groups)},)"
                code = f"rt_place({listed}, ({', '.join(loose)},))"
            self.owner.emit(self.rule, code, cost)

        def evaluate(index: int, values: list[str]) -> None:
            if index == len(templates):
                place(values)
                return
            if type(templates[index]) is int:
                evaluate(index + 1, [*values, write.constant(templates[index])])
                return
            conditions.world = World(rest)
            conditions.matching.compute(
                templates[index], names, lambda name: evaluate(index + 1, [*values, name])
            )

        evaluate(0, [])

    def _insert(self, head: Head, group: str, values: list[str]) -> str:
        write = self.writer
        made = write.fresh("m")
        if len(values) == 1 and head in PAIR_KINDS:
            at = write.fresh("k")
            write.line(f"{at} = rt_bisect({group}, {values[0]})")
            write.line(f"{made} = {group}[:{at}] + ({values[0]},) + {group}[{at}:]")
        elif len(values) == 1:
            one = values[0]
            write.line(f"{made} = rt_ordered((*{group}, {one})) if {group} else ({one},)")
        else:
            write.line(f"{made} = rt_ordered((*{group}, {', '.join(values)}))")
        return made
