"""Rules over the groups of a state kept as a multiset.

Order of the successors: rules as declared; the matches of a rule as its join plan nests them,
values in canonical order. Consecutive rules with the same `take` and `keep` share their loops,
match by match. What a match means is defined in `language.meaning`; this has to be fast and agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewrite.code import operations as o
from rewrite.code.placement import placed
from rewrite.code.types import FLAG, PLACE, SEQ, of_kind
from rewrite.code.write.build import Builder
from rewrite.code.write.conditions import Conditions, World
from rewrite.code.write.expressions import Names, may_lack_value
from rewrite.code.write.loops import Claims, group
from rewrite.code.write.matching import Waiting
from rewrite.compiler.analysis import deepens, interchangeable_takes, sees_state
from rewrite.compiler.interning import TermType
from rewrite.compiler.multisets.layout import term_types_of
from rewrite.compiler.plan import Step
from rewrite.compiler.program import PAIR_KINDS, MultisetProgram, RuleGroup
from rewrite.language.conditions import Holds
from rewrite.language.expressions import Call, Variable, kind_of
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.rules import Rule

Groups_ = dict[TermType, o.Value]
Taken = dict[TermType, list[o.Value]]
Finish = Callable[[Names, Waiting, Claims, Taken, Groups_ | None], None]
"""Continues where shared loops found something; the last is what `take` left, if it was asked."""


def expansion(program: MultisetProgram, rules: Sequence[Rule]) -> o.Unit:
    """Return the unit that hands out all successors of a state."""
    write = Builder()
    conditions = Conditions(program, write)
    state = conditions.state()
    with write.function("expand", tuple(state.values()), on_state=True):
        Rules(conditions, rules).write({**state})
    conditions.flush()
    return placed(write.unit("expand"))


def simplification(program: MultisetProgram) -> o.Unit:
    """Return the unit with one function for each rule of `simplify`: what it leads to."""
    write = Builder()
    conditions = Conditions(program, write)
    state = conditions.state()
    for place, rule in enumerate(program.puzzle.simplify):
        with write.function(f"simplify{place}", tuple(state.values()), on_state=True):
            Rules(conditions, [rule], simplifying=True).write({**state})
        conditions.flush()
    return placed(write.unit("normal"))


class Rules:
    """Writes rules of one puzzle; those of `simplify` are not counted."""

    def __init__(
        self, conditions: Conditions, rules: Sequence[Rule], simplifying: bool = False
    ) -> None:
        puzzle = conditions.program.puzzle
        self.conditions, self.layout, self.rules = conditions, conditions.layout, rules
        self.build, self.simplifying = conditions.write, simplifying
        self.never = bool(puzzle.never) and not simplifying
        self.simplify = bool(puzzle.simplify) and not simplifying
        self._numbers = {id(rule): number for number, rule in reversed([*enumerate(rules)])}

    def count(self, counter: int, rule: Rule) -> o.Body:
        """Return what counts a rule. If nothing is forbidden every match fires: counted once."""
        if self.simplifying or (counter == o.MATCHED and not self.never):
            return ()
        return (o.Count(counter, self._numbers[id(rule)]),)

    def emit(self, rule: Rule, code: o.Code, cost: o.Value) -> None:
        """Write what happens with a successor."""
        write, number = self.build, None if self.simplifying else self._numbers[id(rule)]
        if self.simplify:
            assert isinstance(code, (o.Groups, o.Placed))
            code = o.Normal(code)
        if self.simplify or self.never:
            write.add(o.Make(code))
            code = o.NEXT
        if type(rule.cost) is not int and not self.simplifying:
            write.add(o.CheckCost(cost))
        emit = o.Emit(number, o.Const(0) if self.simplifying else cost, code)
        write.add(o.If(o.Not(o.IsForbidden()), (emit,)) if self.never else emit)

    def write(self, groups: Groups_) -> None:
        """Write all rules for a state whose groups are in the given registers."""
        for rules in self.conditions.program.plan(tuple(self.rules)):
            if rules.pair:
                if rules.rules[0].take[0].kind in self.layout.index:
                    self._pairs(rules.rules, groups)
            elif len(rules.rules) == 1:
                match = _Match(self, rules.rules[0], groups, rules.interchangeable)
                match.run(list(rules.steps), {}, (), {}, {})
            else:
                self._shared(rules, groups)

    def _shared(self, rules: RuleGroup, groups: Groups_) -> None:
        loops = _Match(self, rules.rules[0], groups, rules.interchangeable)

        def bodies(names: Names, waiting: Waiting, claims: Claims, taken: Taken,
                   rest: Groups_ | None) -> None:  # fmt: skip
            rest = loops.rest(taken) if rest is None else rest
            for rule in rules.rules:
                match = _Match(self, rule, groups, rules.interchangeable, rest)
                match.run(_checks(rule), names, waiting, claims, taken)

        loops.run(list(rules.steps), {}, (), {}, {}, bodies)

    def _pairs(self, rules: tuple[Rule, ...], groups: Groups_) -> None:
        write = self.build
        taken = rules[0].take[0]
        mine, held = groups[taken.kind], of_kind(taken.kind)
        size, j, i = (write.fresh(stem, PLACE) for stem in ("n", "j", "i"))
        low, high = write.fresh("a", held), write.fresh("b", held)
        first, last = write.fresh("r", PLACE), write.fresh("r", PLACE)
        rest_name = write.fresh("h", SEQ)

        def before(number: int) -> o.Value:
            return o.Index(mine, o.Arithmetic("-", j, o.Const(number)))

        write.add(o.Let(size, o.Length(mine)))
        with write.block(o.EachNumber, j, o.Const(1), size):
            write.add(o.Let(high, o.Index(mine, j)))
            # equal numbers stand side by side: only the first two of a run are a pair of equals
            previous = (o.Let(first, o.Arithmetic("-", j, o.Const(1))), o.Let(last, j))
            of_equals = o.Or((o.Equal(j, o.Const(1)), o.Not(o.Equal(before(2), high))))
            write.add(o.If(
                o.Not(o.Equal(before(1), high)),
                (o.Let(first, o.Const(0)), o.Let(last, j)),
                (o.If(of_equals, previous, (o.Continue(),)),),
            ))  # fmt: skip
            with write.block(o.EachNumber, i, first, last):
                write.add(o.Let(low, o.Index(mine, i)))
                with write.block(o.If, o.FirstOfRun(i, mine, low)):
                    write.add(o.Let(rest_name, o.Without(mine, (i, j), rising=True)))
                    rest: Groups_ = {taken.kind: rest_name}
                    for rule in rules:
                        match = _Match(self, rule, groups, (None, None), groups | rest)
                        self._pair(match, low, high)

    def _pair(self, match: _Match, low: o.Value, high: o.Value) -> None:
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
        if other is not None and interchangeable_takes(match.rule)[1] is None:
            with self.build.block(o.If, o.Not(o.Equal(low, high))):
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

    def __init__(
        self, owner: Rules, rule: Rule, groups: Groups_,
        interchangeable: tuple[int | None, ...], rest: Groups_ | None = None,
    ) -> None:  # fmt: skip
        self.owner, self.rule, self.groups, self.interchangeable = (
            owner,
            rule,
            groups,
            interchangeable,
        )
        self.conditions, self.build = owner.conditions, owner.build
        self.fixed_rest = rest
        self.take_places: dict[int, tuple[TermType, o.Value]] = {}

    def rest(self, taken: Taken) -> Groups_:
        """Write what is left of each group after `take`; return the registers."""
        if self.fixed_rest is not None:
            return self.fixed_rest
        rest = dict(self.groups)
        for term_type, places in taken.items():
            left = self.build.fresh("h", SEQ)
            self.build.add(
                o.Let(left, o.Without(self.groups[term_type], tuple(places), len(places) == 1))
            )
            rest[term_type] = left
        return rest

    def run(
        self,
        steps: list[Step],
        names: Names,
        waiting: Waiting,
        claims: Claims,
        taken: Taken,
        finish: Finish | None = None,
        rest: Groups_ | None = None,
    ) -> None:
        """Write the remaining steps, then what follows a match."""
        self.conditions.matching.missing = self.owner.count(o.MISSING, self.rule)
        if rest is None and not any(step.kind == "take" for step in steps):
            waits = self.conditions.program.waits
            if not finish or any(waits(self.rule, step) for step in steps):
                rest = self.rest(taken)
            for count in () if finish else self.owner.count(o.TRIED, self.rule):
                self.build.add(count)
        if not steps:
            if finish:
                finish(names, waiting, claims, taken, rest)
            else:
                assert rest is not None
                self._put(names, rest)
            return
        step, left = steps[0], steps[1:]
        part = getattr(self.rule, step.kind)[step.index]
        world = World(rest if rest is not None else self.groups)
        if step.kind in ("take", "keep"):
            self._look(step, left, part, names, waiting, claims, taken, finish, rest)
        elif step.kind == "let":
            self.conditions.world = world
            self.conditions.matching.let(
                part[0], part[1], names, waiting,
                lambda found, still: self.run(left, found, still, claims, taken, finish, rest),
            )  # fmt: skip
        elif step.kind == "when" and self._may_fail(part):
            self._counted_guard(part.expression, names, lambda: self.run(
                left, names, waiting, claims, taken, finish, rest))  # fmt: skip
        else:
            asked = self.conditions.test if step.kind == "when" else self.conditions.absent
            with self.build.block(o.If, asked(part, names, world)):
                self.run(left, names, waiting, claims, taken, finish, rest)

    @staticmethod
    def _may_fail(given: Any) -> bool:
        return (
            isinstance(given, Holds) and not sees_state(given) and may_lack_value(given.expression)
        )

    def _counted_guard(self, expression: Any, names: Names, then: Callable[[], None]) -> None:
        """Write a guard that may have no value: then the rule does not apply; that is counted."""
        conditions, holds = self.conditions, self.build.fresh("e", FLAG)
        test = conditions.expressions.test(expression, names)
        attempt = self.build.block(o.Attempt, holds, test, conditions.matching.missing)
        with attempt, self.build.block(o.If, o.IsTrue(holds, sure=True)):
            then()

    def _look(self, step: Step, left: list[Step], pattern: Any, names: Names, waiting: Waiting,
              claims: Claims, taken: Taken, finish: Finish | None,
              rest: Groups_ | None) -> None:  # fmt: skip
        conditions = self.conditions
        for term_type in conditions.program.candidates(pattern):
            mine = self.groups.get(term_type)
            if step.kind == "keep" and term_type in conditions.facts:
                world = World(rest if rest is not None else self.groups)
                pool = conditions.pool(term_type, world)
                assert pool is not None
            elif mine is not None:
                pool = group(mine)
            else:
                continue
            after = None
            if step.kind == "take" and self.interchangeable[step.index] is not None:
                partner = self.take_places.get(self.interchangeable[step.index] or 0)
                after = partner[1] if partner and partner[0] == term_type else None

            def found(more: Names, still: Waiting, claimed: Claims, _: o.Value,
                      term_type: TermType = term_type, name: str = pool.name) -> None:  # fmt: skip
                now = dict(taken)
                if step.kind == "take":
                    place = claimed[name][-1]
                    now[term_type] = [*now.get(term_type, []), place]
                    self.take_places[step.index] = (term_type, place)
                self.run(left, more, still, claimed, now, finish, rest)

            conditions.loops.look(
                pattern, term_type, pool, names, waiting, claims, found, after=after
            )

    def _put(self, names: Names, rest: Groups_) -> None:
        write, conditions, layout = self.build, self.conditions, self.owner.layout
        for count in self.owner.count(o.MATCHED, self.rule):
            write.add(count)
        templates = [*self.rule.put, self.rule.cost]

        def place(values: list[o.Value]) -> None:
            *put, cost = values
            groups, loose = dict(rest), []
            added: dict[TermType, list[o.Value]] = {}
            for template, value in zip(self.rule.put, put, strict=True):
                if deepens(self.rule, template):
                    value = self._bounded(template, value)
                term_types = term_types_of(template)
                if (
                    term_types is None or len(term_types) > 1
                ):  # where it goes is seen once it is there
                    loose.append(value)
                else:
                    added.setdefault(term_types[0], []).append(value)
            for term_type, group_values in added.items():
                groups[term_type] = self._insert(term_type, groups[term_type], group_values)
            ordered = tuple([groups[term_type] for term_type in layout.term_types])
            code = o.Placed(ordered, tuple(loose)) if loose else o.Groups(ordered)
            self.owner.emit(self.rule, code, cost)

        def evaluate(at: int, values: list[o.Value]) -> None:
            if at == len(templates):
                place(values)
                return
            if type(templates[at]) is int:
                evaluate(at + 1, [*values, o.Const(templates[at])])
                return
            conditions.world = World(rest)
            conditions.matching.compute(
                templates[at], names, lambda name: evaluate(at + 1, [*values, name])
            )

        evaluate(0, [])

    def _bounded(self, template: Any, value: o.Value) -> o.Reg:
        bounded = self.build.fresh("e", of_kind(kind_of(template)))
        self.build.add(o.Let(bounded, o.Builtin("bounded", (value, o.Const(MOST_LEVELS)))))
        return bounded

    def _insert(self, term_type: TermType, mine: o.Value, values: list[o.Value]) -> o.Reg:
        made: o.Reg = self.build.fresh("m", SEQ)
        plain = len(values) == 1 and term_type in PAIR_KINDS
        self.build.add(o.Let(made, o.Insert(mine, tuple(values), plain)))
        return made
