"""The engine for states kept as multisets: one generated module for a puzzle."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

from attrs import evolve

from rewrite.compiler.interning import Head, key_of
from rewrite.compiler.multisets.layout import heads_of
from rewrite.compiler.program import compile_groups
from rewrite.compiler.reason import Reason
from rewrite.engine import runtime
from rewrite.engine.condition_source import ConditionSource, World
from rewrite.engine.interface import Code, Counts, Task, by_name
from rewrite.engine.rule_source import RuleSource
from rewrite.engine.variants import variant
from rewrite.engine.writer import Writer, compiled
from rewrite.errors import SimplifyError
from rewrite.language.conditions import Condition
from rewrite.language.rules import Rule
from rewrite.language.states import State

SIMPLIFY_LIMIT = 10_000
COUNTERS = ("tried", "matched", "missing", "fired")


class GroupEngine:
    """Runs a puzzle whose states are groups of sorted values.

    watch   called in every turn of every loop (False) and for every successor (True), where a
            single state may take long
    """

    name = "python"

    def __init__(
        self,
        task: Task,
        more: tuple[Head, ...] = (),
        why: Reason | None = None,
        watch: Callable[[bool], None] | None = None,
    ) -> None:
        self.task, self.why, self.watch = task, why, watch
        self.program = compile_groups(task.puzzle, task.start, more)
        self.layout = self.program.layout
        heads = ", ".join(str(head) for head in self.layout.heads)
        self.encoding = f"a multiset in groups ({heads})" + (f": {why}" if why is not None else "")
        self.rules = task.puzzle.rules
        self._counts = [Counts() for _ in self.rules]
        values = range(len(task.values))
        self.values = [self._build(f"value{i}", partial(self._value, index=i)) for i in values]

    # -- the protocol ----------------------------------------------------------------------
    def encode(self, state: State) -> Code:
        return self.layout.encode(state)

    def decode(self, code: Code) -> State:
        return self.layout.decode(code)

    def value(self, index: int, code: Code) -> Any:
        return self.values[index](code)

    def counts(self) -> dict[str, Counts]:
        return by_name(self.rules, self._counts)

    # -- generated functions, each compiled when it is first asked for ---------------------
    @cached_property
    def successors(self) -> Callable[[Code], list[Code]]:
        watched = "watch(True); " if self.watch is not None else ""
        head = ("successors(s)", "out = []", f"{watched}out.append({{0}})", "return out")
        return self._build("successors", partial(self._entry, shape=head))

    @cached_property
    def weighted(self) -> Callable[[Code], list[tuple[int, Code]]]:
        head = ("weighted(s)", "out = []", "out.append(({1}, {0}))", "return out")
        return self._build("weighted", partial(self._entry, shape=head))

    @cached_property
    def grow(self) -> Callable[[list[Code], dict[Code, Code], list[Code]], None]:
        head = ("grow(states, seen, fresh)", "push = fresh.append", "", "")
        return self._build("grow", partial(self._entry, shape=head))

    @cached_property
    def goal(self) -> Callable[[Code], bool]:
        given = () if self.task.goal is None else (self.task.goal,)
        return self._build("goal", partial(self._condition, name="goal", given=given))

    @cached_property
    def forbidden(self) -> Callable[[Code], bool]:
        """Whether `never` forbids a state."""
        given = self.task.puzzle.never
        return self._build("forbidden", partial(self._condition, name="forbidden", given=given))

    @cached_property
    def normal(self) -> Callable[[Code], Code]:
        """The normal form of a state under `simplify`."""
        return self._build("normal", self._simplify)

    @cached_property
    def inverse(self) -> GroupEngine:
        """The engine that runs the rules backwards: its successors are predecessors.

        States and counts are those of this engine. A rule that takes a term of a type that no group
        is for leads from no state to any, so it has no inverse here. Raises NoInverse; while it
        runs, NewHead for terms of further types.
        """
        from rewrite.reasoning.inverse_rules import inverse_puzzle  # only few searches need it

        puzzle = self.task.puzzle
        backwards = inverse_puzzle(puzzle)
        live = [
            number
            for number, rule in enumerate(puzzle.rules)
            if all(
                heads is None or any(head in self.layout.index for head in heads)
                for heads in map(heads_of, rule.take)
            )
        ]
        return variant(
            self,
            task=Task(backwards, self.task.start, self.task.goal, self.task.values),
            program=evolve(self.program, puzzle=backwards),
            rules=tuple([backwards.rules[number] for number in live]),
            _counts=[self._counts[number] for number in live],
        )

    def _build(self, name: str, write: Callable[[ConditionSource], None]) -> Callable[..., Any]:
        """Write a module with one function and its helpers; return the function."""
        writer = self.writer = Writer("watch(False)" if self.watch is not None else "")
        writer.namespace["watch"] = self.watch
        write(ConditionSource(self.program, writer))
        space = writer.namespace | {"successors": lambda code: self.successors(code)}
        if self.task.puzzle.never and name != "forbidden":
            space["forbidden"] = self.forbidden
        if self.task.puzzle.simplify and name not in ("normal", "forbidden"):
            space["normal"] = self.normal
        return compiled(writer.source(), name, space)

    def _entry(self, conditions: ConditionSource, shape: tuple[str, str, str, str]) -> None:
        """Write one way to expand: listing successors, with costs, or growing a search."""
        head, first, record, last = shape
        write, puzzle = self.writer, self.task.puzzle
        grows = head.startswith("grow")
        names = {counter: f"n_{counter}" for counter in COUNTERS}

        def count(counter: str, rule: Rule) -> str:
            if counter == "matched" and not puzzle.never:
                return ""  # every match fires: counted once
            return f"{names[counter]}{self._number(rule)} += 1"

        def emit(rule: Rule, code: str, cost: str) -> None:
            if puzzle.simplify:
                write.line(f"x = normal({code})")
                code = "x"
            elif grows or puzzle.never:
                write.line(f"x = {code}")
                code = "x"
            if type(rule.cost) is not int:
                write.line(f"if {cost}.__class__ is not int or {cost} < 0: raise BadCost({cost})")
            if puzzle.never:
                with write.block(f"if not forbidden({code}):"):
                    write.line(f"n_fired{self._number(rule)} += 1")
                    self._record(code, cost, record, grows)
            else:
                write.line(f"n_fired{self._number(rule)} += 1")
                self._record(code, cost, record, grows)

        write.namespace["BadCost"] = runtime.EngineFailure
        write.namespace["COUNTS"] = self._counts
        source = RuleSource(conditions, self.layout, emit, count)
        with write.block(f"def {head}:"):
            write.line(first)
            zeros = [f"{names[c]}{i}" for c in COUNTERS for i in range(len(self.rules))]
            for at in range(0, len(zeros), 20):
                write.line(f"{' = '.join(zeros[at : at + 20])} = 0")
            if grows:
                with write.block("for s in states:"):
                    source.write(self.rules, self._unpack("s"))
            else:
                source.write(self.rules, self._unpack("s"))
            for index in range(len(self.rules)):
                write.line(f"c = COUNTS[{index}]")
                write.line(f"c.tried += n_tried{index}")
                matched = "matched" if puzzle.never else "fired"
                write.line(f"c.matched += n_{matched}{index}")
                write.line(f"c.fired += n_fired{index}")
                write.line(f"c.without += n_missing{index}")
            if last:
                write.line(last)
        conditions.flush()

    def _record(self, code: str, cost: str, record: str, grows: bool) -> None:
        if not grows:
            self.writer.line(record.format(code, cost))
            return
        with self.writer.block(f"if {code} not in seen:"):
            self.writer.line(f"seen[{code}] = s")
            self.writer.line(f"push({code})")

    def _number(self, rule: Rule) -> int:
        return next(index for index, other in enumerate(self.rules) if other is rule)

    def _unpack(self, code: str) -> dict[Head, str]:
        """Write the groups of a state into names; return them by head."""
        if self.layout.single:
            return {self.layout.heads[0]: code}
        names = [f"g{index}" for index in range(len(self.layout.heads))]
        self.writer.line(f"{', '.join(names)} = {code}")
        return dict(zip(self.layout.heads, names, strict=True))

    def _condition(
        self, conditions: ConditionSource, name: str, given: tuple[Condition, ...]
    ) -> None:
        """Write a function code -> bool: whether any of the conditions holds."""
        with self.writer.block(f"def {name}(s):"):
            world = World(self._unpack("s"))
            tests = [conditions.test(one, {}, world) for one in given] or ["False"]
            self.writer.line(f"return {' or '.join(tests)}")
        conditions.flush()

    def _value(self, conditions: ConditionSource, index: int) -> None:
        write, expression = self.writer, self.task.values[index]
        with write.block(f"def value{index}(s):"):
            conditions.world = World(self._unpack("s"))
            with write.block("try:"):
                write.line(f"return {conditions.expressions.value(expression, {})}")
            with write.block("except NO_VALUE:"):
                write.line("return None")
        conditions.flush()

    def _simplify(self, conditions: ConditionSource) -> None:
        """Write `normal(s)`: the first rule that applies is used, until none does."""
        write, rules = self.writer, self.task.puzzle.simplify
        for index, rule in enumerate(rules):
            source = RuleSource(
                conditions, self.layout, lambda _, code, __: write.line(f"out.add({code})"),
                lambda *_: "",
            )  # fmt: skip
            with write.block(f"def simplify{index}(s):"):
                write.line("out = set()")
                source.write([rule], self._unpack("s"))
                write.line("return out")
            conditions.flush()
        space = write.namespace
        space["SIMPLIFY_LIMIT"], space["first_state"] = SIMPLIFY_LIMIT, self._first_state
        space["endless"] = self._endless
        with write.block("def normal(s):"):
            write.line("fired = {}")
            with write.block("for _ in range(SIMPLIFY_LIMIT):"):
                for index in range(len(rules)):
                    write.line(f"out = simplify{index}(s)")
                    with write.block("if out:"):
                        write.line(f"fired[{index}] = fired.get({index}, 0) + 1")
                        write.line("s = out.pop() if len(out) == 1 else first_state(out)")
                        write.line("continue")
                write.line("return s")
            write.line("raise endless(s, fired)")

    def _first_state(self, codes: set[Code]) -> Code:
        """Return the code whose state comes first in canonical order."""

        def key(code: Code) -> Any:
            values = [value for group in self.layout.groups(code) for value in group]
            return sorted(key_of(value) for value in values)

        return min(codes, key=key)

    def _endless(self, code: Code, fired: dict[int, int]) -> SimplifyError:
        puzzle, state = self.task.puzzle, self.decode(code)
        names = [puzzle.simplify[i].name for i, n in fired.items() if n > SIMPLIFY_LIMIT // 100]
        return SimplifyError(
            f"{puzzle.name}: simplify does not end: after {SIMPLIFY_LIMIT:,} rounds "
            f"{', '.join(map(repr, names))} still fires, the last state is {state}. A simplify "
            "rule must bring the state nearer to a form in which no simplify rule applies",
            rules=tuple(names),
            state=state,
        )
