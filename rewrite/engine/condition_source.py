"""Source of conditions and aggregates over the groups of a state.

Each condition that loops becomes a helper function of the generated module; it is given the groups
and the values of the outer variables that it mentions, and returns at the first match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from rewrite.compiler.analysis import sees_state
from rewrite.compiler.interning import Head, ordered
from rewrite.compiler.multisets.layout import Layout, NewHead
from rewrite.compiler.plan import plan_patterns
from rewrite.compiler.program import GroupProgram
from rewrite.engine import runtime
from rewrite.engine.expression_source import ExpressionSource, Names, may_lack_value
from rewrite.engine.loops import Claims, Loops, Pool
from rewrite.engine.match_source import MatchSource, Waiting
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
    Predicate,
    Terminal,
)
from rewrite.language.patterns import contains_wildcard, mentioned


@frozen
class World:
    """Where patterns look: the source of each group of the state, and whether facts count."""

    groups: dict[Head, str]
    with_facts: bool = True


class ConditionSource:
    """Writes conditions and aggregates of one puzzle."""

    def __init__(self, program: GroupProgram, writer: Writer) -> None:
        self.program, self.layout, self.writer = program, program.layout, writer
        self.facts = program.facts
        self.expressions = ExpressionSource(writer, self._aggregate)
        self.matching = MatchSource(writer, self.expressions)
        self.loops = Loops(writer, self.matching)
        self.world = World({})
        """The world that aggregates inside expressions look at while these are written."""
        self._later: list[Callable[[], None]] = []
        writer.namespace["rt_ordered"] = ordered

    # -- pools -----------------------------------------------------------------------------
    def facts_pool(self, head: Head) -> Pool:
        """Return the pool of the facts with this head."""
        facts = self.facts[head]
        return Pool(self.writer.constant(facts, "W"), facts)

    def pool(self, head: Head, world: World) -> Pool | None:
        """Return the pool of a head in a world: the state's group, the facts, or both together."""
        group = world.groups.get(head)
        if not (world.with_facts and head in self.facts):
            return None if group is None else Pool(group)
        if group is None:
            return self.facts_pool(head)
        name = f"w_{group}"  # the same name for the same pool: claims are kept by it
        self.writer.once(name, f"rt_ordered({group} + {self.facts_pool(head).name})")
        return Pool(name)

    # -- conditions ------------------------------------------------------------------------
    def test(self, given: Condition, names: Names, world: World) -> str:
        """Return source for whether a condition holds."""
        if isinstance(given, Holds):
            if sees_state(given) or may_lack_value(given.expression):
                return self._call(given, names, world, self._holds)
            return self.expressions.test(given.expression, names)
        if isinstance(given, Both) and self._bound_inside(given, names):
            return self._call(given, names, world, self._joined)
        if isinstance(given, (Both, Either)):
            word = "and" if isinstance(given, Both) else "or"
            left, right = (self.test(side, names, world) for side in (given.left, given.right))
            return f"({left} {word} {right})"
        if isinstance(given, Not):
            return f"(not {self.test(given.inner, names, world)})"
        if isinstance(given, Lacks):
            inner = Contains(given.written, list(given.when), list(given.absent))
            return f"(not {self.test(inner, names, world)})"
        if isinstance(given, (Contains, Exactly)):
            return self._call(given, names, world, self._contains)
        return self._opaque(given, world)

    def _opaque(self, given: Condition, world: World) -> str:
        """Conditions on the state as one value; they see the state without the facts."""
        groups = [world.groups[head] for head in self.layout.heads]
        code = groups[0] if self.layout.single else f"({', '.join(groups)})"
        if isinstance(given, OneOfStates):
            codes = set()
            for state in given.states:
                try:
                    codes.add(self.layout.encode(state))
                except NewHead:  # holds a term of a type that never comes up
                    continue
            return f"({code} in {self.writer.constant(frozenset(codes), 'S')})"
        if isinstance(given, Predicate):
            return f"{self.writer.constant(_predicate(given, self.layout), 'P')}({code})"
        assert isinstance(given, Terminal), given
        return f"(not successors({code}))"

    def absent(self, pattern: Any, names: Names, world: World) -> str:
        """Return source for: the pattern matches nowhere."""
        return f"(not {self.test(Contains((pattern,), [], []), names, world)})"

    def _bound_inside(self, given: Both, names: Names) -> bool:
        local = all_variables(given.left) - set(names)
        return bool(local & all_variables(given.right))

    def _call(
        self, given: Any, names: Names, world: World, body: Callable[[Any, Names, World], None]
    ) -> str:
        """Return a call of a helper function that is written after the current one."""
        used = [variable for variable in names if variable in all_variables(given)]
        name = self.writer.fresh("test")
        parameters = [f"g{index}" for index in range(len(self.layout.heads))]
        inner = {variable: f"o{index}" for index, variable in enumerate(used)}
        inside = World(dict(zip(self.layout.heads, parameters, strict=True)), world.with_facts)

        def write() -> None:
            with self.writer.block(f"def {name}({', '.join([*parameters, *inner.values()])}):"):
                body(given, inner, inside)

        self._later.append(write)
        arguments = [world.groups[head] for head in self.layout.heads]
        return f"{name}({', '.join([*arguments, *(names[variable] for variable in used)])})"

    def flush(self) -> None:
        """Write the helper functions that have been asked for; call with nothing open."""
        assert self.writer.depth == 0
        self.matching.missing = "pass"
        while self._later:
            writes, self._later = self._later, []
            for write in writes:
                write()

    def _holds(self, given: Holds, names: Names, world: World) -> None:
        self.world = world
        with self.writer.block("try:"):
            self.writer.line(f"return {self.expressions.test(given.expression, names)}")
        with self.writer.block("except NO_VALUE:"):
            self.writer.line("return False")

    def _contains(self, given: Any, names: Names, world: World) -> None:
        self._matches(given, names, world, lambda found, _: self.writer.line("return True"))
        self.writer.line("return False")

    def _joined(self, given: Both, names: Names, world: World) -> None:
        """`contains(X) & something about X`: the right side sees what the left one bound."""
        left, right, write = given.left, given.right, self.writer
        if isinstance(left, Both):  # (a & b) & c is a & (b & c)
            self._joined(Both(left.left, Both(left.right, right)), names, world)
            return
        if isinstance(left, Either):  # (a | b) & c is (a & c) | (b & c)
            both = Either(Both(left.left, right), Both(left.right, right))
            write.line(f"return {self.test(both, names, world)}")
            return

        def rest(found: Names, _: Claims) -> None:
            with write.block(f"if {self.test(right, found, world)}:"):
                write.line("return True")

        if isinstance(left, (Contains, Exactly)):
            self._matches(left, names, world, rest)
        else:
            with write.block(f"if {self.test(left, names, world)}:"):
                rest(names, {})
        write.line("return False")

    def _matches(
        self,
        given: Any,
        names: Names,
        world: World,
        then: Callable[[Names, Claims], None],
        every: bool = False,
    ) -> None:
        """Write loops over the matches of a condition's or aggregate's patterns."""
        order = plan_patterns(given.patterns, set(names), self.program.size)
        looking = World(world.groups, world.with_facts and not isinstance(given, Exactly))
        pools: dict[Head, Pool | None] = {}
        for pattern in given.patterns:
            for head in self.program.candidates(pattern):
                if head not in pools:
                    pools[head] = self.pool(head, looking)

        def checked(found: Names, claims: Claims) -> None:
            tests = [self.test(one, found, world) for one in given.when]
            tests += [self.absent(one, found, world) for one in getattr(given, "absent", ())]
            if tests:
                with self.writer.block(f"if {' and '.join(tests)}:"):
                    then(found, claims)
            else:
                then(found, claims)

        def step(index: int, found: Names, waiting: Waiting, claims: Claims) -> None:
            if index == len(order):
                if getattr(given, "rest", None) is None:
                    checked(found, claims)
                    return
                self.matching.match(
                    given.rest, self._rest(world, claims), found, waiting,
                    lambda more, _: checked(more, claims), typed=True,
                )  # fmt: skip
                return
            pattern = given.patterns[order[index]]
            for head in self.program.candidates(pattern):
                pool = pools[head]
                if pool is not None:
                    self.loops.look(
                        pattern, head, pool, found, waiting, claims,
                        lambda more, still, claimed, _: step(index + 1, more, still, claimed),
                        every=every,
                    )  # fmt: skip

        if isinstance(given, Exactly):
            sizes = " + ".join(f"len({group})" for group in world.groups.values())
            compared = "==" if given.rest is None else ">="
            with self.writer.block(f"if {sizes} {compared} {len(given.patterns)}:"):
                step(0, names, (), {})
        else:
            step(0, names, (), {})

    def _rest(self, world: World, claims: Claims) -> str:
        """Write what a match leaves of the state as a nested bag; return its name.

        What was found among state and facts together is looked for in the state: of equal terms
        those of the state count first.
        """
        write, left = self.writer, []
        for group in world.groups.values():
            places = list(claims.get(group, ()))
            both = f"w_{group}"
            for place in claims.get(both, ()):
                found = write.fresh("q")
                used = f"({', '.join(places)}{',' * (len(places) == 1)})"
                write.line(f"{found} = rt_find({group}, {both}[{place}], {used})")
                with write.block(f"if {found} < 0:"):
                    write.line(f"{found} = len({group})")  # it was a fact
                places.append(found)
            if places:
                name = write.fresh("h")
                used = f"({', '.join(places)}{',' * (len(places) == 1)})"
                write.line(f"{name} = rt_without({group}, {used})")
                group = name
            left.append(f"*{group}")
        bag = write.fresh("b")
        write.line(f"{bag} = rt_make_bag(({', '.join(left)}{',' * (len(left) == 1)}))")
        return bag

    # -- aggregates ------------------------------------------------------------------------
    def _aggregate(self, given: Aggregate, names: Names) -> str:
        return self._call(given, names, self.world, self._fold)

    def _fold(self, given: Aggregate, names: Names, world: World) -> None:
        write = self.writer
        summing = given.name in ("count", "total")
        write.line("result = 0" if summing else "values = []")
        ambiguous = any(contains_wildcard(pattern) for pattern in given.patterns)
        if ambiguous:
            write.line("seen = set()")

        def add(found: Names) -> None:
            self.world = world
            if summing:
                write.line(f"result += {self.expressions.number(given.value, found)}")
            else:
                write.line(f"values.append({self.expressions.value(given.value, found)})")

        def once(found: Names, claims: Claims) -> None:
            if not ambiguous:
                add(found)
                return
            # ANY may match one occurrence in several ways that bind the same: they count once
            places = [
                f"({pool!r}, {place})" for pool, claimed in claims.items() for place in claimed
            ]
            local = [found[variable] for variable in found if variable not in names]
            write.line(f"way = ({', '.join([*places, *local])},)")
            with write.block("if way not in seen:"):
                write.line("seen.add(way)")
                add(found)

        self._matches(given, names, world, once, every=True)
        if summing:
            write.line("return result")
            return
        with write.block("if not values:"):
            write.line("raise NO_VALUE[0]")
        write.line(f"return rt_{'least' if given.name == 'lowest' else 'greatest'}(*values)")


def all_variables(given: Any) -> set[Any]:
    """Return every variable that occurs anywhere in a condition or expression."""
    return set(mentioned(given))


def _predicate(given: Predicate, layout: Layout) -> Callable[[Any], bool]:
    def holds(code: Any) -> bool:
        try:
            return given.judged(layout.decode(code))
        except Exception as cause:
            raise runtime.EngineFailure(f"{given!r} failed: {cause}") from cause

    return holds
