"""Rules over the groups of a multiset.

Order of the successors: rules as declared; the matches of a rule as its join plan nests them,
values in canonical order. Consecutive rules with the same `take` and `keep` share their loops,
match by match. What a match means is defined in `language.meaning`; this has to be fast and agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rewrite.compile.code import operations as o
from rewrite.compile.code.code_motion import placed
from rewrite.compile.code.types import FLAG, INT, SEQ, of_kind
from rewrite.compile.code.write.build import Builder
from rewrite.compile.code.write.conditions import Conditions, World
from rewrite.compile.code.write.expressions import Names
from rewrite.compile.code.write.loops import Pool, group
from rewrite.compile.code.write.matching import Match, Then
from rewrite.compile.inlining import may_lack_value
from rewrite.compile.interning import TermType
from rewrite.compile.join_order import Step
from rewrite.compile.multisets.layout import term_types_of
from rewrite.compile.program import PAIR_KINDS, MultisetProgram, RuleGroup
from rewrite.compile.rule_properties import deepens, interchangeable_takes, sees_state
from rewrite.language.conditions import Holds
from rewrite.language.expressions import Call, Variable, kind_of
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.rules import Rule

Groups = dict[TermType, o.Value]
Finish = Callable[[Match, Groups | None], None]
"""Continues where shared loops found something; the last is what `take` left, if it was asked."""


def expansion(program: MultisetProgram, rules: Sequence[Rule]) -> o.Unit:
    """Return the unit that generates all successors of a state."""
    return _unit(program, "expand", {"expand": rules}, simplifying=False)


def simplification(program: MultisetProgram) -> o.Unit:
    """Return the unit with one function for each rule of `simplify`: what it leads to."""
    each = {f"simplify{place}": [rule] for place, rule in enumerate(program.puzzle.simplify)}
    return _unit(program, "normal", each, simplifying=True)


def _unit(
    program: MultisetProgram, name: str, functions: Mapping[str, Sequence[Rule]], simplifying: bool
) -> o.Unit:
    write = Builder()
    conditions = Conditions(program, write)
    state = conditions.state()
    for function, rules in functions.items():
        with write.function(function, tuple(state.values()), on_state=True):
            Rules(conditions, rules, simplifying).write({**state})
    return placed(write.unit(name))


class Rules:
    def __init__(self, conditions: Conditions, rules: Sequence[Rule], simplifying: bool) -> None:
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

    def write(self, groups: Groups) -> None:
        """Write all rules for a state whose groups are in the given registers."""
        for rules in self.conditions.program.plan(tuple(self.rules)):
            if rules.pair:
                if rules.rules[0].take[0].kind in self.layout.index:
                    self._pairs(rules.rules, groups)
            elif len(rules.rules) == 1:
                match = _Rule(self, rules.rules[0], groups, rules.interchangeable)
                match.run(list(rules.steps), Match.of({}))
            else:
                self._shared(rules, groups)

    def _shared(self, rules: RuleGroup, groups: Groups) -> None:
        loops = _Rule(self, rules.rules[0], groups, rules.interchangeable)

        def bodies(at: Match, rest: Groups | None) -> None:
            rest = loops.rest(at) if rest is None else rest
            for rule in rules.rules:
                _Rule(self, rule, groups, rules.interchangeable, rest).run(_checks(rule), at)

        loops.run(list(rules.steps), Match.of({}), bodies)

    def _pairs(self, rules: tuple[Rule, ...], groups: Groups) -> None:
        write = self.build
        taken = rules[0].take[0]
        mine, held = groups[taken.kind], of_kind(taken.kind)
        size, j, i = (write.fresh(stem, INT) for stem in ("n", "j", "i"))
        low, high = write.fresh("a", held), write.fresh("b", held)
        first, last = write.fresh("r", INT), write.fresh("r", INT)
        left = write.fresh("h", SEQ)

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
                with write.when(o.FirstOfRun(i, mine, low)):
                    write.add(o.Let(left, o.Without(mine, (i, j), rising=True)))
                    rest: Groups = groups | {taken.kind: left}
                    for rule in rules:
                        match = _Rule(self, rule, groups, (None, None), rest)
                        self._pair(match, low, high)

    def _pair(self, match: _Rule, low: o.Value, high: o.Value) -> None:
        """Write a rule for the two ways in which it can take the pair low <= high."""
        first, second = match.rule.take
        for lesser, greater in ((second, first), (first, second)):
            # where a guard allows one order only, the other one is not tried at all
            either = _useful_guards(match.rule, lesser, greater, strict=False)
            other = _useful_guards(match.rule, greater, lesser, strict=True)
            if either is not None and other is None:
                match.run(either, Match.of({lesser: low, greater: high}))
                return
        either = _useful_guards(match.rule, second, first, strict=False)
        if either is not None:
            match.run(either, Match.of({second: low, first: high}))
        other = _useful_guards(match.rule, first, second, strict=True)
        if other is not None and interchangeable_takes(match.rule)[1] is None:
            with self.build.when(o.Not(o.Equal(low, high))):
                match.run(other, Match.of({first: low, second: high}))


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


class _Rule:
    """Writes the steps of one rule's match, one inside the other."""

    def __init__(
        self, owner: Rules, rule: Rule, groups: Groups,
        interchangeable: tuple[int | None, ...], rest: Groups | None = None,
    ) -> None:  # fmt: skip
        self.owner, self.rule, self.groups = owner, rule, groups
        self.interchangeable, self.fixed_rest = interchangeable, rest
        self.conditions, self.build = owner.conditions, owner.build
        self.take_places: dict[int, tuple[TermType, o.Value]] = {}

    def rest(self, at: Match) -> Groups:
        """Write what is left of each group after `take`; return the registers."""
        if self.fixed_rest is not None:
            return self.fixed_rest
        rest = dict(self.groups)
        for term_type, places in at.taken.items():
            left = o.Without(self.groups[term_type], places, len(places) == 1)
            rest[term_type] = self.build.let("h", left, SEQ)
        return rest

    def run(
        self, steps: list[Step], at: Match, finish: Finish | None = None,
        rest: Groups | None = None,
    ) -> None:  # fmt: skip
        """Write the remaining steps, then what follows a match."""
        self.conditions.matching.missing = self.owner.count(o.MISSING, self.rule)
        if rest is None and not any(step.kind == "take" for step in steps):
            waits = self.conditions.program.waits
            if not finish or any(waits(self.rule, step) for step in steps):
                rest = self.rest(at)
            for count in () if finish else self.owner.count(o.TRIED, self.rule):
                self.build.add(count)
        if not steps:
            if finish:
                finish(at, rest)
            else:
                assert rest is not None
                self._put(at.names, rest)
            return
        step, *left = steps
        part = getattr(self.rule, step.kind)[step.index]
        conditions, world = self.conditions, World(self.groups if rest is None else rest)

        def then(more: Match) -> None:
            self.run(left, more, finish, rest)

        if step.kind in ("take", "keep"):
            self._look(step, part, world, at, then)
        elif step.kind == "let":
            conditions.world = world
            conditions.matching.let(part[0], part[1], at, then)
        elif step.kind == "absent":
            with self.build.when(conditions.absent(part, at.names, world)):
                then(at)
        elif isinstance(part, Holds) and not sees_state(part) and may_lack_value(part.expression):
            # a guard without a value: then the rule does not apply; that is counted
            holds = self.build.fresh("e", FLAG)
            test = conditions.expressions.test(part.expression, at.names)
            attempt = self.build.block(o.Attempt, holds, test, conditions.matching.missing)
            with attempt, self.build.when(o.IsTrue(holds, sure=True)):
                then(at)
        else:
            with self.build.when(conditions.test(part, at.names, world)):
                then(at)

    def _look(self, step: Step, pattern: Any, world: World, at: Match, then: Then) -> None:
        conditions = self.conditions
        for term_type in conditions.program.candidates(pattern):
            pool: Pool | None
            if step.kind == "keep" and term_type in conditions.facts:
                pool = conditions.pool(term_type, world)
                assert pool is not None
            elif (mine := self.groups.get(term_type)) is not None:
                pool = group(mine)
            else:
                continue
            after = None
            if step.kind == "take" and self.interchangeable[step.index] is not None:
                partner = self.take_places.get(self.interchangeable[step.index] or 0)
                after = partner[1] if partner and partner[0] == term_type else None

            def found(more: Match, term_type: TermType = term_type, name: str = pool.name) -> None:
                if step.kind == "take":
                    place = more.claims[name][-1]
                    places = (*more.taken.get(term_type, ()), place)
                    more = more._replace(taken=more.taken | {term_type: places})
                    self.take_places[step.index] = (term_type, place)
                then(more)

            conditions.loops.look(pattern, term_type, pool, at, found, after=after)

    def _put(self, names: Names, rest: Groups) -> None:
        conditions = self.conditions
        for count in self.owner.count(o.MATCHED, self.rule):
            self.build.add(count)
        templates = [*self.rule.put, self.rule.cost]

        def evaluate(values: list[o.Value]) -> None:
            if len(values) == len(templates):
                self._made(values[:-1], values[-1], rest)
                return
            template = templates[len(values)]
            if type(template) is int:
                evaluate([*values, o.Const(template)])
                return
            conditions.world = World(rest)
            conditions.matching.compute(template, names, lambda name: evaluate([*values, name]))

        evaluate([])

    def _made(self, put: list[o.Value], cost: o.Value, rest: Groups) -> None:
        """Write the successor, of the values that are put."""
        groups, loose = dict(rest), []
        added: dict[TermType, list[o.Value]] = {}
        for template, value in zip(self.rule.put, put, strict=True):
            if deepens(self.rule, template):
                bounded = o.Builtin("bounded", (value, o.Const(MOST_LEVELS)))
                value = self.build.let("e", bounded, of_kind(kind_of(template)))
            term_types = term_types_of(template)
            if term_types is None or len(term_types) > 1:
                loose.append(value)  # its group is known only once it is computed
            else:
                added.setdefault(term_types[0], []).append(value)
        for term_type, values in added.items():
            plain = len(values) == 1 and term_type in PAIR_KINDS
            more = o.Insert(groups[term_type], tuple(values), plain)
            groups[term_type] = self.build.let("m", more, SEQ)
        ordered = tuple([groups[one] for one in self.owner.layout.term_types])
        code = o.Placed(ordered, tuple(loose)) if loose else o.Groups(ordered)
        self.owner.emit(self.rule, code, cost)
