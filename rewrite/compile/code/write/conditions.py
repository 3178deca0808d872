"""Conditions and aggregates over the groups of a state.

Each condition that loops becomes a function of its own; it is given the groups and the values of
the outer variables that it mentions, and returns at the first match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial, reduce
from typing import Any

from attrs import frozen

from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code import operations as o
from rewrite.compile.code.types import BAG, INT, SEQ, of_kind
from rewrite.compile.code.write.build import TOO_DEEP, Builder
from rewrite.compile.code.write.expressions import Carried, Expressions, Names
from rewrite.compile.code.write.loops import Loops, Pool, group, may_match
from rewrite.compile.code.write.matching import Match, Matching, Then
from rewrite.compile.inlining import may_lack_value
from rewrite.compile.interning import TermType
from rewrite.compile.join_order import plan_patterns
from rewrite.compile.program import MultisetProgram
from rewrite.compile.rule_properties import sees_state
from rewrite.language import conditions as c
from rewrite.language.expressions import Expression
from rewrite.language.patterns import mentioned, repeats_matches

MOST_SHARED = 6
"""See `check_shared`."""
YES, NO = o.Return(o.Flag(True)), o.Return(o.Flag(False))


@frozen
class World:
    """Where patterns look: each group of the state, and whether facts count."""

    groups: dict[TermType, o.Value]
    with_facts: bool = True


class Conditions:
    def __init__(self, program: MultisetProgram, write: Builder) -> None:
        self.program, self.layout, self.write = program, program.layout, write
        self.facts = program.facts
        self.expressions = Expressions(write, self._aggregate, self._carried)
        self.matching = Matching(write, self.expressions)
        self.loops = Loops(write, self.matching)
        self._functions: dict[Any, tuple[str, Any]] = {}
        self._derivations: dict[int, tuple[Any, c.Condition]] = {}
        """Both by `id`; the object is kept beside its value, so that the id is not used again."""
        self._facts_pools: dict[TermType, Pool] = {}
        self.world = World({})
        """The world that aggregates inside expressions look at while these are written."""

    def state(self) -> dict[TermType, o.Reg]:
        return {
            term_type: o.Reg(f"g{place}", SEQ)
            for place, term_type in enumerate(self.layout.term_types)
        }

    def code(self, world: World) -> tuple[o.Value, ...]:
        return tuple([world.groups[term_type] for term_type in self.layout.term_types])

    # -- pools -----------------------------------------------------------------------------
    def facts_pool(self, term_type: TermType) -> Pool:
        if term_type not in self._facts_pools:
            facts = self.facts.get(term_type, ())
            pool = Pool(f"facts {term_type}", o.Const(facts), facts, frozenset(facts))
            self._facts_pools[term_type] = pool
        return self._facts_pools[term_type]

    def pools(self, pattern: Any, term_type: TermType, world: World) -> list[Pool]:
        """Return where a pattern may find terms of a type: the facts, the state's group."""
        found = []
        if world.with_facts and may_match(pattern, self.facts.get(term_type, ())):
            found.append(self.facts_pool(term_type))
        if (mine := world.groups.get(term_type)) is not None:
            found.append(group(mine))
        return found

    def check_shared(self, patterns: Sequence[Any], world: World) -> None:
        """Raise NeedsCapacity if too many patterns look among the facts and in the state: what
        follows such a pattern is written twice, so each doubles the code.
        """
        found = [self.pools(one, of, world) for one in patterns
                 for of in self.program.candidates(one)]  # fmt: skip
        if sum(len(pools) > 1 for pools in found) > MOST_SHARED:
            raise NeedsCapacity(TOO_DEEP)

    # -- conditions ------------------------------------------------------------------------
    def test(self, given: c.Condition, names: Names, world: World) -> o.Test:
        if isinstance(given, c.Holds):
            if sees_state(given) or may_lack_value(given.expression):
                return self._asked(given, names, world, self._holds)
            return self.expressions.test(given.expression, names)
        if isinstance(given, c.Both) and self._bound_inside(given, names):
            return self._asked(given, names, world, self._joined)
        if isinstance(given, (c.Both, c.Either)):
            both = (self.test(given.left, names, world), self.test(given.right, names, world))
            return o.And(both) if isinstance(given, c.Both) else o.Or(both)
        if isinstance(given, c.Not):
            return o.Not(self.test(given.inner, names, world))
        if isinstance(given, c.Lacks):
            make = partial(c.Contains, given.written, list(given.when), list(given.absent))
            return o.Not(self.test(self._derived(given, make), names, world))
        if isinstance(given, (c.Contains, c.Exactly)):
            return self._asked(given, names, world, self._contains)
        return self._opaque(given, world)

    def _opaque(self, given: c.Condition, world: World) -> o.Test:
        """Conditions on the state as one value; they see the state without the facts."""
        code = self.code(world)
        if isinstance(given, c.OneOfStates):
            codes = set()
            for state in given.states:
                with suppress(NeedsCapacity):  # it holds a term of a type that no state has
                    codes.add(self.layout.encode(state))
            return o.InStates(frozenset(codes), code)
        if isinstance(given, c.Predicate):
            return o.Ask(given, code)
        assert isinstance(given, c.Terminal), given
        return o.Not(o.HasSuccessor(code))

    def absent(self, pattern: Any, names: Names, world: World) -> o.Test:
        there = self._derived(pattern, lambda: c.Contains((pattern,), [], []))
        return o.Not(self.test(there, names, world))

    def _derived(self, given: Any, make: Callable[[], c.Condition]) -> c.Condition:
        """Return what is made of a part of the puzzle, the same each time; see `_call`."""
        if id(given) not in self._derivations:
            self._derivations[id(given)] = given, make()
        return self._derivations[id(given)][1]

    def _bound_inside(self, given: c.Both, names: Names) -> bool:
        local = mentioned(given.left).keys() - names.keys()
        return bool(local & mentioned(given.right).keys())

    def _asked(self, given: Any, names: Names, world: World,
               body: Callable[[Any, Names, World], None]) -> o.Test:  # fmt: skip
        return o.IsTrue(self._call(given, names, world, body), sure=True)

    def _call(
        self, given: Any, names: Names, world: World, body: Callable[[Any, Names, World], None]
    ) -> o.Value:
        """Return a call of a function of its own that is written after the current one, once."""
        within = mentioned(given)
        used = [variable for variable in names if variable in within]
        code = (*self.code(world), *[names[variable] for variable in used])
        key = (id(given), tuple(used), world.with_facts)
        if key in self._functions:
            return o.Invoke(self._functions[key][0], code)
        name = self.write.name("test")
        self._functions[key] = name, given
        groups = self.state()
        inner = {one: o.Reg(f"o{place}", of_kind(one.kind)) for place, one in enumerate(used)}
        inside = World({**groups}, world.with_facts)

        def written() -> None:
            self.matching.missing, self.world = (), inside
            with self.write.function(name, (*groups.values(), *inner.values())):
                body(given, {**inner}, inside)

        self.write.later(written)
        return o.Invoke(name, code)

    def _holds(self, given: c.Holds, names: Names, _: World) -> None:
        self.write.add(o.ReturnOr(self.expressions.test(given.expression, names), o.Flag(False)))

    def _contains(self, given: Any, names: Names, world: World) -> None:
        self._matches(given, names, world, lambda _: self.write.add(YES))
        self.write.add(NO)

    def _joined(self, given: c.Both, names: Names, world: World) -> None:
        """`contains(X) & something about X`: the right side sees what the left one bound."""
        left, right, write = given.left, given.right, self.write
        if isinstance(left, c.Both):  # (a & b) & c is a & (b & c)
            self._joined(c.Both(left.left, c.Both(left.right, right)), names, world)
            return
        if isinstance(left, c.Either):  # (a | b) & c is (a & c) | (b & c)
            both = c.Either(c.Both(left.left, right), c.Both(left.right, right))
            write.add(o.Return(self.test(both, names, world)))
            return

        def rest(found: Match) -> None:
            with write.when(self.test(right, found.names, world)):
                write.add(YES)

        if isinstance(left, (c.Contains, c.Exactly)):
            self._matches(left, names, world, rest)
        else:
            with write.when(self.test(left, names, world)):
                rest(Match.of(names))
        write.add(NO)

    def _matches(
        self, given: c.Patterned, names: Names, world: World, then: Then, every: bool = False
    ) -> None:
        order, _ = plan_patterns(given.patterns, set(names), self.program.size)
        exact = isinstance(given, c.Exactly)
        looking = World(world.groups, world.with_facts and not exact)
        self.check_shared(given.patterns, looking)

        def checked(found: Match) -> None:
            tests = [self.test(one, found.names, world) for one in given.when]
            tests += [self.absent(one, found.names, world) for one in given.absent]
            with self.write.when(*tests):
                then(found)

        def step(place: int, found: Match) -> None:
            if place == len(order):
                if given.rest is None:
                    checked(found)
                else:
                    rest = self._rest(world, found)
                    self.matching.match(given.rest, rest, found, checked, typed=True)
                return
            pattern = given.patterns[order[place]]
            for term_type in self.program.candidates(pattern):
                for pool in self.pools(pattern, term_type, looking):
                    self.loops.look(
                        pattern, term_type, pool, found, lambda more: step(place + 1, more),
                        every=every,
                    )  # fmt: skip

        fits: o.Test | None = None
        if exact:
            sizes: list[o.Value] = [o.Length(one) for one in world.groups.values()]
            size = reduce(partial(o.Arithmetic, "+"), sizes)
            wanted = o.Const(len(given.patterns))
            fits = o.Equal(size, wanted)
            if given.rest is not None:
                fits = o.Compare(">=", size, wanted, True)
        with self.write.when(fits):
            step(0, Match.of(names))

    def _rest(self, world: World, found: Match) -> o.Value:
        """Write what a match leaves of the state as a nested bag.

        A fact that also stands in the state counts as the state's.
        """
        write = self.write
        left: list[o.Spliced] = []
        for term_type, mine in world.groups.items():
            assert isinstance(mine, o.Reg)
            places = list(found.claims.get(mine.name, ()))
            facts = self.facts_pool(term_type)
            for place in found.claims.get(facts.name, ()):
                index = o.Find(mine, o.Index(facts.source, place), tuple(places))
                places.append(at := write.let("q", index, INT))
                with write.when(o.Compare("<", at, o.Const(0), True)):
                    write.add(o.Let(at, o.Length(mine)))  # it is a fact only
            rest = write.let("h", o.Without(mine, tuple(places)), SEQ) if places else mine
            left.append(o.Spliced(rest))
        return write.let("b", o.Builtin("make_bag", (o.Tuple(tuple(left)),)), BAG)

    # -- aggregates ------------------------------------------------------------------------
    def _aggregate(self, given: c.Aggregate, names: Names) -> o.Value:
        return self._call(given, names, self.world, self._fold)

    def _carried(self) -> Carried:
        """Return what a function takes whose value depends on the world of now."""
        world, state = self.world, self.state()

        def begin() -> None:
            self.world = World({**state}, world.with_facts)

        return Carried(tuple(state.values()), self.code(world), False, begin)

    def _fold(self, given: c.Aggregate, names: Names, world: World) -> None:
        write = self.write
        summing = given.name in ("count", "total")
        result, way, seen, values = o.Reg("result", INT), o.Reg("way", SEQ), "seen", "values"
        write.add(o.Let(result, o.Const(0)) if summing else o.NewList(values))
        ambiguous = any(map(repeats_matches, given.patterns))
        if ambiguous:
            write.add(o.NewList(seen, unique=True))

        def add(found: Names) -> None:
            if summing:
                added = self.expressions.number(given.value, found)
                write.add(o.Let(result, o.Arithmetic("+", result, added)))
            else:
                write.add(o.Push(values, self.expressions.value(given.value, found)))

        def once(found: Match) -> None:
            if not ambiguous:
                add(found.names)
                return
            # ANY may match one occurrence in several ways that bind the same: they count once
            places: list[o.Value] = [
                o.Tuple((o.Const(pool), place))
                for pool, claimed in found.claims.items()
                for place in claimed
            ]
            local = [value for variable, value in found.names.items() if variable not in names]
            write.add(o.Let(way, o.Tuple((*places, *local))))
            with write.when(o.Not(o.ListHas(seen, way))):
                write.add(o.Push(seen, way, unique=True))
                add(found.names)

        self._matches(given, names, world, once, every=True)
        if summing:
            write.add(o.Return(result))
            return
        write.add(o.If(o.Not(o.ListAny(values)), (o.NoValue(),)))
        write.add(o.Return(o.Fold("least" if given.name == "lowest" else "greatest", values)))


def condition(program: MultisetProgram, name: str, given: Sequence[c.Condition]) -> o.Unit:
    """Return the unit that says whether one of the conditions holds in a state."""

    def last(conditions: Conditions, world: World) -> o.Op:
        return o.Return(o.any_of([conditions.test(one, {}, world) for one in given]))

    return _unit(program, name, last)


def value(program: MultisetProgram, name: str, given: Expression) -> o.Unit:
    """Return the unit that gives the value of an expression in a state, None where it has none."""

    def last(conditions: Conditions, world: World) -> o.Op:
        conditions.world = world
        return o.ReturnOr(conditions.expressions.value(given, {}), o.Const(None))

    return _unit(program, name, last)


def _unit(program: MultisetProgram, name: str, last: Callable[[Conditions, World], o.Op]) -> o.Unit:
    conditions = Conditions(program, Builder())
    state = conditions.state()
    with conditions.write.function(name, tuple(state.values()), on_state=True):
        conditions.write.add(last(conditions, World({**state})))
    return conditions.write.unit(name)
