"""How a multiset is encoded: one sorted group of values for each type or constructor.

A state with one group is that tuple itself; with several, a tuple of groups in canonical order of
their types. Which groups there are follows from the start and from what the rules put.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any

from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.compile.interning import (
    Ctor,
    TermType,
    decode,
    encode,
    ordered,
    term_type_key,
    term_type_of,
)
from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable, kind_of
from rewrite.language.functions import FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import Term

KIND_HEADS = {"int", "str", "bool", "seq", "bag"}


def term_types_of(pattern: Any) -> list[TermType] | None:
    """Return the term types of the values a pattern can match or make; None where it is open."""
    if isinstance(pattern, Variable) and pattern.is_narrow:
        return [*map(Ctor.of, pattern.constructors), *pattern.kinds]
    if isinstance(pattern, Expression):
        kind = kind_of(pattern)
        return [kind] if kind in KIND_HEADS else None
    if isinstance(pattern, tuple):
        return ["seq"]
    if isinstance(pattern, Bag):
        return ["bag"]
    if isinstance(pattern, Term):
        return [Ctor.of(type(pattern))]
    return [term_type_of(encode(pattern))]


def _inside(value: Any) -> set[TermType]:
    """Return the term types of a template and of everything inside it."""
    found: set[TermType] = set()
    for part in everywhere(value, inside):
        if not isinstance(part, Splice):
            found.update(term_types_of(part) or ())
    return found


class Layout:
    def __init__(self, puzzle: Puzzle, start: State, more: Iterable[TermType] = ()) -> None:
        term_types: set[TermType] = {term_type_of(encode(term)) for term in start} | set(more)
        for rule in (*puzzle.rules, *puzzle.simplify):
            for template in rule.put:
                known = term_types_of(template)
                term_types |= set(known or ())
                if isinstance(template, FunctionCall):  # of any type; likely of one that it takes
                    for other in rule.take:
                        term_types |= set(term_types_of(other) or ())
                elif known is None:
                    for other in (*start, *puzzle.facts, *rule.put, *rule.take):
                        term_types |= _inside(other)
        self.term_types: list[TermType] = sorted(term_types, key=term_type_key) or ["int"]
        self.index = {term_type: place for place, term_type in enumerate(self.term_types)}
        self.single = len(self.term_types) == 1

    def encode(self, state: State) -> Any:
        groups: list[list[Any]] = [[] for _ in self.term_types]
        for term in state.items:
            value = encode(term)
            groups[self._group_of(value)].append(value)
        made = tuple([ordered(group) for group in groups])
        return made[0] if self.single else made

    def _group_of(self, value: Any) -> int:
        term_type = term_type_of(value)
        if term_type not in self.index:
            raise NeedsCapacity(Capacity(term_types=[term_type]))
        return self.index[term_type]

    def groups(self, code: Any) -> tuple[tuple[Any, ...], ...]:
        return (code,) if self.single else code

    def decode(self, code: Any) -> State:
        return State.of([decode(value) for group in self.groups(code) for value in group])

    def place(self, groups: Sequence[tuple[Any, ...]], values: Iterable[Any]) -> Any:
        """Return the code of `groups` with `values` added, whatever their types."""
        out = list(groups)
        for value in values:
            place = self._group_of(value)
            out[place] = ordered((*out[place], value))
        return out[0] if self.single else tuple(out)


def ground_facts(puzzle: Puzzle) -> dict[TermType, tuple[Any, ...]]:
    """Return the facts by type, each group sorted."""
    groups: dict[TermType, list[Any]] = {}
    for kind, (alike, fields) in puzzle.facts.columns.items():
        if issubclass(kind, Term) and all({*map(type, one)} <= {int, str} for one in fields):
            marks = repeat(Ctor.of(kind), len(alike))
            groups.setdefault(Ctor.of(kind), []).extend(zip(marks, *fields, strict=True))
            continue
        for term in alike:
            value = encode(term)
            groups.setdefault(term_type_of(value), []).append(value)
    return {term_type: ordered(values) for term_type, values in groups.items()}
