"""Rules over the groups of a multiset.

Order of the successors: rules as declared; the matches of a rule as its join plan nests them,
values in canonical order. Consecutive rules whose plans begin with the same steps do these
together, match by match. What a match means is defined in `language.meaning`; this has to be fast
and agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from attrs import evolve, frozen

from rewrite.compile.capacity import Capacity, NeedsCapacity
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
from rewrite.compile.program import PAIR_KINDS, MultisetProgram, pair_key
from rewrite.compile.rule_properties import MIRRORED, deepens, interchangeable_takes, sees_state
from rewrite.language.conditions import Holds
from rewrite.language.expressions import Call, Variable, kind_of
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.order import term_key
from rewrite.language.rules import Rule

Groups = dict[TermType, o.Value]
MOST_LOOSE = 5
"""Each value that a set may hold already, in whatever group, doubles the code of its rule."""
TOO_LOOSE = Capacity(definition=[f"a rule puts more than {MOST_LOOSE} values of any type in a set"])


@frozen
class Way:
    """A rule that has matched so far.

    steps     what is left of its join plan
    partners  for each `take` pattern the earlier one it can be exchanged with, or None
    """

    rule: Rule
    steps: tuple[Step, ...]
    partners: tuple[int | None, ...]

    @property
    def takes(self) -> bool:
        """Whether any of `take` is left."""
        return any(step.kind == "take" for step in self.steps)

    def key(self) -> Any:
        """Return what says that the next step of two rules is the same."""
        if not self.steps:
            return id(self.rule)
        step = self.steps[0]
        part = term_key(getattr(self.rule, step.kind)[step.index])
        partner = self.partners[step.index] if step.kind == "take" else None
        return self.takes, step, part, partner

    def after(self) -> Way:
        return evolve(self, steps=self.steps[1:])


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
        self.never, self.sets = bool(puzzle.never) and not simplifying, puzzle.sets
        self.simplify = bool(puzzle.simplify) and not simplifying
        self._numbers = {id(rule): number for number, rule in reversed([*enumerate(rules)])}

    def counts(self, counter: int, *rules: Rule) -> o.Body:
        """Return what counts rules. If nothing is forbidden every match fires: counted once."""
        if self.simplifying or (counter == o.MATCHED and not self.never):
            return ()
        return tuple([o.Count(counter, self._numbers[id(rule)]) for rule in rules])

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
        self.groups = groups
        for key, run in groupby(self.rules, key=pair_key):
            rules = [*run]
            if key is None:
                for one in rules:
                    self.conditions.check_shared(one.keep, World(self.groups))
                plan = self.conditions.program.plan
                ways = [Way(one, plan(one), interchangeable_takes(one)) for one in rules]
                self._follow(ways, Match.of({}))
            elif rules[0].take[0].kind in self.layout.index:
                self._pairs(rules)

    def _pairs(self, rules: Sequence[Rule]) -> None:
        write = self.build
        taken = rules[0].take[0]
        mine, held = self.groups[taken.kind], of_kind(taken.kind)
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
                    for rule in rules:
                        self._pair(rule, low, high, self.groups | {taken.kind: left})

    def _pair(self, rule: Rule, low: o.Value, high: o.Value, rest: Groups) -> None:
        """Write a rule for the two ways in which it can take the pair low <= high."""
        write, (first, second) = self.build, rule.take

        def run(steps: Sequence[Step], names: Names) -> None:
            write.add(*self.counts(o.TRIED, rule))
            self._follow([Way(rule, tuple(steps), (None, None))], Match.of(names), rest)

        for lesser, greater in ((second, first), (first, second)):
            # where a guard allows one order only, the other one is not tried at all
            either = _useful_guards(rule, lesser, greater, strict=False)
            other = _useful_guards(rule, greater, lesser, strict=True)
            if either is not None and other is None:
                run(either, {lesser: low, greater: high})
                return
        either = _useful_guards(rule, second, first, strict=False)
        if either is not None:
            run(either, {second: low, first: high})
        other = _useful_guards(rule, first, second, strict=True)
        if other is not None and interchangeable_takes(rule)[1] is None:
            with write.when(o.Not(o.Equal(low, high))):
                run(other, {first: low, second: high})

    # -- matches ---------------------------------------------------------------------------
    def _follow(self, ways: Sequence[Way], at: Match, rest: Groups | None = None) -> None:
        """Write the remaining steps of rules that have matched so far, then their successors.

        rest   what is left of each group, where all of `take` is taken
        """
        left = rest
        for _, run in groupby(ways, key=Way.key):
            same = [*run]
            if same[0].takes:
                self._step(same, at, None)
                continue
            if left is None:
                left = self._rest(at)
            if rest is None:
                self.build.add(*self.counts(o.TRIED, *[one.rule for one in same]))
            self._step(same, at, left)

    def _step(self, ways: Sequence[Way], at: Match, rest: Groups | None) -> None:
        """Write the next step, which is the same for all these, and what follows it."""
        conditions, rule = self.conditions, ways[0].rule
        missing = self.counts(o.MISSING, *[one.rule for one in ways])
        conditions.matching.missing = missing
        if not ways[0].steps:
            assert rest is not None
            self._put(rule, at.names, rest)
            return
        step, following = ways[0].steps[0], [one.after() for one in ways]
        part = getattr(rule, step.kind)[step.index]
        world = World(self.groups if rest is None else rest)

        def then(more: Match) -> None:
            self._follow(following, more, rest)
            conditions.matching.missing = missing

        if step.kind in ("take", "keep"):
            self._look(ways[0], part, world, at, then)
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
            attempt = self.build.block(o.Attempt, holds, test, missing)
            with attempt, self.build.when(o.IsTrue(holds, sure=True)):
                then(at)
        else:
            with self.build.when(conditions.test(part, at.names, world)):
                then(at)

    def _look(self, way: Way, pattern: Any, world: World, at: Match, then: Then) -> None:
        conditions, step = self.conditions, way.steps[0]
        for term_type in conditions.program.candidates(pattern):
            if step.kind == "keep" and term_type in conditions.facts:
                pools = conditions.pools(pattern, term_type, world)
            elif (mine := self.groups.get(term_type)) is not None:
                pools = [group(mine)]
            else:
                continue
            number = way.partners[step.index] if step.kind == "take" else None
            partner = None if number is None else at.taken.get(number)
            after = partner[1] if partner and partner[0] == term_type else None
            for pool in pools:
                again = pool.facts is None and len(pools) > 1

                def found(
                    more: Match, pool: Pool = pool, again: bool = again, held: TermType = term_type
                ) -> None:
                    if step.kind == "take":
                        taken = {step.index: (held, more.claims[pool.name][-1])}
                        more = more._replace(taken=more.taken | taken)
                    with self.build.when(self._is_no_fact(pool, held, more) if again else None):
                        then(more)

                conditions.loops.look(pattern, term_type, pool, at, found, after=after)

    def _is_no_fact(self, pool: Pool, term_type: TermType, at: Match) -> o.Test:
        """Return whether what was last found in the state was not found among the facts before."""
        facts = self.conditions.facts_pool(term_type)
        value = o.Index(pool.source, at.claims[pool.name][-1])
        claimed = at.claims.get(facts.name, ())
        new = o.Not(o.InSet(value, facts.held))
        if not claimed:
            return new
        return o.Or((new, o.Compare("<", o.Find(facts.source, value, claimed), o.Const(0), True)))

    def _rest(self, at: Match) -> Groups:
        """Write what is left of each group after `take`; return the registers."""
        rest, places = dict(self.groups), dict[TermType, list[o.Value]]()
        for term_type, place in at.taken.values():
            places.setdefault(term_type, []).append(place)
        for term_type, gone in places.items():
            left = o.Without(self.groups[term_type], tuple(gone), len(gone) == 1)
            rest[term_type] = self.build.let("h", left, SEQ)
        return rest

    def _put(self, rule: Rule, names: Names, rest: Groups) -> None:
        conditions = self.conditions
        self.build.add(*self.counts(o.MATCHED, rule))
        templates = [*rule.put, rule.cost]

        def evaluate(values: list[o.Value]) -> None:
            if len(values) == len(templates):
                self._made(rule, values[:-1], values[-1], rest)
                return
            template = templates[len(values)]
            if type(template) is int:
                evaluate([*values, o.Const(template)])
                return
            conditions.world = World(rest)
            conditions.matching.compute(template, names, lambda name: evaluate([*values, name]))

        evaluate([])

    def _made(self, rule: Rule, put: list[o.Value], cost: o.Value, rest: Groups) -> None:
        """Write the successor, of the values that are put."""
        groups, loose = dict(rest), []
        added: dict[TermType, list[o.Value]] = {}
        for template, value in zip(rule.put, put, strict=True):
            if deepens(rule, template):
                bounded = o.Builtin("bounded", (value, o.Const(MOST_LEVELS)))
                value = self.build.let("e", bounded, of_kind(kind_of(template)))
            term_types = term_types_of(template)
            if term_types is None or len(term_types) > 1:
                loose.append(value)  # its group is known only once it is computed
            else:
                added.setdefault(term_types[0], []).append(value)
        if self.sets and len(loose) > MOST_LOOSE:
            raise NeedsCapacity(TOO_LOOSE)
        for term_type, values in added.items():
            for part in [(one,) for one in values] if self.sets else [tuple(values)]:
                groups[term_type] = self._with(groups[term_type], part, term_type)
        self._placed(rule, tuple([groups[one] for one in self.layout.term_types]), loose, cost)

    def _with(self, group: o.Value, values: tuple[o.Value, ...], held: TermType) -> o.Value:
        """Write a group with values put in; a set, with one that it may hold already."""
        into = self.build.fresh("m", SEQ)
        more = o.Let(into, o.Insert(group, values, len(values) == 1 and held in PAIR_KINDS))
        same = o.Let(into, group)
        self.build.add(o.If(o.In(values[0], group), (same,), (more,)) if self.sets else more)
        return into

    def _placed(
        self, rule: Rule, groups: tuple[o.Value, ...], loose: list[o.Value], cost: o.Value,
        new: tuple[o.Value, ...] = (),
    ) -> None:  # fmt: skip
        """Write the successor of groups with loose values; `new`: those that a set lacks."""
        if not self.sets or not loose:
            new = (*new, *loose)
            self.emit(rule, o.Placed(groups, new) if new else o.Groups(groups), cost)
            return
        value, *others = loose
        there = [o.In(value, group) for group in groups] + [o.Equal(value, one) for one in new]
        found = self.build.let("e", o.any_of(there), FLAG)
        held = o.IsTrue(found, sure=True)
        with self.build.when(held):
            self._placed(rule, groups, others, cost, new)
        with self.build.when(o.Not(held)):
            self._placed(rule, groups, others, cost, (*new, value))


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
        if isinstance(call, Call) and call.op in MIRRORED:
            a, b = call.args
            if {id(a), id(b)} == {id(small), id(large)}:
                op = call.op if a is small else MIRRORED[call.op]
                if op == "<=" or (op == "<" and strict):
                    continue
                if op == ">" or (op == ">=" and strict):
                    return None
        left.append(step)
    return left
