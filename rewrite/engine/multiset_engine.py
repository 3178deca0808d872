"""The engine for states encoded as multisets: one generated module per puzzle."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import evolve

from rewrite.compile.code.operations import Ask, Table
from rewrite.compile.code.puzzle_code import MultisetCode
from rewrite.compile.code.python import WAYS, Form, Printed, expansion, printed
from rewrite.compile.encoding import CompiledMultiset
from rewrite.compile.interning import key_of
from rewrite.compile.multisets.layout import term_types_of
from rewrite.compile.task import Task
from rewrite.engine.counts import Code, Counts
from rewrite.engine.generated import module
from rewrite.engine.interface import CodeEngine
from rewrite.engine.normal import normalizer
from rewrite.language.conditions import Predicate


class MultisetEngine(CodeEngine):
    def __init__(self, task: Task, compiled: CompiledMultiset) -> None:
        self.task, self.why = task, compiled.why
        self._from: CompiledMultiset | None = compiled
        self.program = compiled.program
        self.layout = self.program.layout
        self.rules = task.puzzle.rules
        groups = [f"g{place}" for place in range(len(self.layout.term_types))]
        self.taken_apart = f"{', '.join(groups)} = s"
        self._counts = [Counts() for _ in self.rules]

    @cached_property
    def code(self) -> MultisetCode:
        if self._from is not None:
            return self._from.code(self.task)
        return MultisetCode(self.program, self.rules, self.task)

    @property
    def encoding(self) -> str:
        groups = f"a multiset in groups ({', '.join(map(str, self.layout.term_types))})"
        return groups if self.why is None else f"{groups}: {self.why}"

    @cached_property
    def normal(self) -> Callable[[Code], Code]:
        source = printed(self.code.simplify, self.taken_apart, WAYS["simplify"])
        space = module(source, self.code.simplify.name, self.brought, self.names())
        return normalizer(self.task.puzzle, space, self._first_state, self.decode)

    @cached_property
    def inverse(self) -> MultisetEngine:
        """See `Engine`; it may raise NeedsCapacity for terms of further types while it runs."""
        from rewrite.analysis.inverse_rules import inverse_puzzle  # only few searches need it

        puzzle = self.task.puzzle
        backwards = inverse_puzzle(puzzle)
        # a rule that takes a term of a type that no group is for leads from no state to any
        live = [
            number
            for number, rule in enumerate(puzzle.rules)
            if all(
                term_types is None
                or any(term_type in self.layout.index for term_type in term_types)
                for term_types in map(term_types_of, rule.take)
            )
        ]
        return self.variant(
            _from=None,
            task=Task(backwards, self.task.start, self.task.goal, self.task.values),
            program=evolve(self.program, puzzle=backwards),
            rules=tuple([backwards.rules[number] for number in live]),
            _counts=[self._counts[number] for number in live],
        )

    def names(self) -> dict[str, Any]:
        return super().names() | {"rt_place": self.layout.place}

    def expansion(self, way: Form, canonical: bool) -> Printed:
        return expansion(self.code.expand, way, self.taken_apart, canonical)

    def brought(self, asked: Table | Ask) -> Any:
        assert isinstance(asked, Ask), asked
        assert isinstance(asked.given, Predicate), asked.given
        return self.verdict(asked.given)

    def _first_state(self, codes: set[Code]) -> Code:
        """Return the code whose state comes first in canonical order."""

        def key(code: Code) -> Any:
            values = [value for group in self.layout.groups(code) for value in group]
            return sorted(key_of(value) for value in values)

        return min(codes, key=key)
