"""How a state is kept as a multiset: one sorted group of values for each type or constructor.

A state with one group is that tuple itself; with several, a tuple of groups in canonical order of
their heads. Which groups there are follows from the start and from what the rules put.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rewrite.compiler.capacity import Capacity, NeedsCapacity
from rewrite.compiler.interning import Ctor, Head, decode_state, encode, head_key, head_of, ordered
from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable, kind_of
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import Term, is_ground

KIND_HEADS = {"int", "str", "bool", "seq", "bag"}


def heads_of(pattern: Any) -> list[Head] | None:
    """Return the heads of the values a pattern can match or make; None where it is open."""
    if isinstance(pattern, Variable) and pattern.kind == "constructor":
        return [Ctor.of(one) for one in pattern.constructors]
    if isinstance(pattern, Expression):
        kind = kind_of(pattern)
        return [kind] if kind in KIND_HEADS else None
    if isinstance(pattern, tuple):
        return ["seq"]
    if isinstance(pattern, Bag):
        return ["bag"]
    if isinstance(pattern, Term):
        return [Ctor.of(type(pattern))]
    return [head_of(encode(pattern))]


def _inside(value: Any) -> set[Head]:
    """Return the heads of a template and of everything inside it."""
    found: set[Head] = set()
    for part in everywhere(value, inside):
        if not isinstance(part, Splice):
            found.update(heads_of(part) or ())
    return found


class Layout:
    """The groups of a puzzle's states."""

    def __init__(self, puzzle: Puzzle, start: State, more: Iterable[Head] = ()) -> None:
        heads: set[Head] = {head_of(encode(term)) for term in start} | set(more)
        for rule in (*puzzle.rules, *puzzle.simplify):
            for template in rule.put:
                known = heads_of(template)
                heads |= set(known or ())
                if known is None:
                    for other in (*start, *puzzle.facts, *rule.put, *rule.take):
                        heads |= _inside(other)
        self.heads: list[Head] = sorted(heads, key=head_key) or ["int"]
        self.index = {head: place for place, head in enumerate(self.heads)}
        self.single = len(self.heads) == 1

    def encode(self, state: State) -> Any:
        """Return the code of a state. Raises NeedsCapacity for a term of a type without a group."""
        groups: list[list[Any]] = [[] for _ in self.heads]
        for term in state.items:
            value = encode(term)
            head = head_of(value)
            if head not in self.index:
                raise NeedsCapacity(Capacity(heads=[head]))
            groups[self.index[head]].append(value)
        made = tuple([ordered(group) for group in groups])
        return made[0] if self.single else made

    def groups(self, code: Any) -> tuple[tuple[Any, ...], ...]:
        """Return the groups of a code."""
        return (code,) if self.single else code

    def decode(self, code: Any) -> State:
        """Return the state of a code."""
        return decode_state(value for group in self.groups(code) for value in group)

    def place(self, groups: Sequence[tuple[Any, ...]], values: Iterable[Any]) -> Any:
        """Return the code of `groups` with `values` added, whatever their heads."""
        out = list(groups)
        for value in values:
            head = head_of(value)
            if head not in self.index:
                raise NeedsCapacity(Capacity(heads=[head]))
            place = self.index[head]
            out[place] = ordered((*out[place], value))
        return out[0] if self.single else tuple(out)


def ground_facts(puzzle: Puzzle) -> dict[Head, tuple[Any, ...]]:
    """Return the facts by head, each group sorted."""
    groups: dict[Head, list[Any]] = {}
    for term in puzzle.facts:
        assert is_ground(term)
        value = encode(term)
        groups.setdefault(head_of(value), []).append(value)
    return {head: ordered(values) for head, values in groups.items()}
