"""The engine over classes: states that free moves connect, with one state for each class.

A class is flooded: from a state on, free moves are made until no new state comes up. Counted rules
are then taken from every state of it. The state that stands for a class is the least, field by
field; with symmetries the least of all images of all its states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any

from attrs import frozen

from rewrite.analysis.fields import Field, as_bits, numbers
from rewrite.analysis.free_moves import FreeMoves
from rewrite.analysis.transitions import Transition
from rewrite.budget import Stopped, tick
from rewrite.engine.counts import Code, Counts
from rewrite.engine.interface import Engine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.errors import RuleError
from rewrite.language.conditions import Condition
from rewrite.language.states import State

MOST_KNOWN = 1 << 18
"""States whose classes are remembered: some tens of megabytes."""


@frozen
class Edge:
    """A free transition over bits: where it applies, the bits that it flips, and its rule."""

    mask: int
    value: int
    misses: tuple[tuple[int, int], ...]
    flip: int
    rule: int

    @classmethod
    def of(cls, one: Transition, fields: Sequence[Field]) -> Edge:
        """Return a transition that tests what it writes."""
        tests = dict(one.tests)
        mask = sum(fields[at].mask for at in tests)
        value = sum(number << fields[at].offset for at, number in tests.items())
        flip = sum((tests[at] ^ number) << fields[at].offset for at, number in one.sets)
        return cls(mask, value, as_bits(one.misses, fields), flip, one.rule)


class Flood:
    """Finds the states that free moves connect.

    images  from a state to the least of its images under symmetries; None where there are none
    """

    def __init__(
        self, moves: FreeMoves, engine: SlotEngine, images: Callable[[Code], Code] | None
    ) -> None:
        self.engine, self.images, self.checks = engine, images, moves.doubtful is not None
        self.fields = engine.fields
        self._known: dict[Code, Code] = {}
        """What stands for the classes that were flooded last, by each of their states.

        So a step that a limit stopped goes on where it was when it is taken again.
        """
        self.moved = [self.fields[at] for at in moves.moved]
        self.groups: list[dict[int, list[Edge]]] = [{} for _ in self.moved]
        """For each field that moves, by what it holds: the edges of which it is the first."""
        for one in moves.edges:
            first = min(one.written)
            group = self.groups[moves.moved.index(first)]
            group.setdefault(dict(one.tests)[first], []).append(Edge.of(one, self.fields))
        self.excluded_pairs = [as_bits(pair, self.fields) for pair in moves.excluded]

    def excluded(self, code: Code) -> bool:
        """Whether a state has two values that never hold together, as the proofs need."""
        return any(
            all(code & mask == value for mask, value in pair) for pair in self.excluded_pairs
        )

    def members(self, code: Code, counts: Sequence[Counts] | None = None) -> dict[Code, Code]:
        """Return all states of a class, each with the one that leads to it.

        Nearest first, of equally near ones the least by what they hold.
        counts  to which the moves are added. Raises RuleError for a move that has no way back.
        """
        found, level = {code: code}, [code]
        taken: list[tuple[Code, Code, Edge]] = []
        while level:
            following: dict[Code, Code] = {}
            for here in level:
                tick()
                for edge in self._edges(here):
                    if counts is not None:
                        counts[edge.rule].note()
                    there = here ^ edge.flip
                    if self.checks:
                        taken.append((here, there, edge))
                    if there not in found:
                        following.setdefault(there, here)
            level = sorted(following, key=self._held)
            found |= {there: following[there] for there in level}
        if self.checks:
            self._check(code, taken)
        return found

    def _held(self, code: Code) -> tuple[int, ...]:
        return numbers(self.moved, code)

    def _edges(self, code: Code) -> Iterable[Edge]:
        for field, group in zip(self.moved, self.groups, strict=True):
            for edge in group.get(field.number(code), ()):
                missed = all(code & mask != value for mask, value in edge.misses)
                if missed and code & edge.mask == edge.value:
                    yield edge

    def canonical(self, code: Code) -> Code:
        found = self._known.get(code)
        if found is None:
            members = self.members(code)
            found = self._least(members)
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known.update(dict.fromkeys(members, found))
        return found

    def _least(self, members: Iterable[Code]) -> Code:
        if self.images is None:
            return min(members, key=self._held)
        images = map(self.images, members)
        return min(images, key=lambda one: numbers(self.fields, one))

    def _check(self, code: Code, moves: Sequence[tuple[Code, Code, Edge]]) -> None:
        """Raise RuleError unless all states to which moves lead from the first lead back to it."""
        before: dict[Code, list[Code]] = {}
        for here, there, _ in moves:
            before.setdefault(there, []).append(here)
        back, waiting = {code}, [code]
        while waiting:
            for one in before.get(waiting.pop(), ()):
                if one not in back:
                    back.add(one)
                    waiting.append(one)
        for here, there, edge in moves:
            if here in back and there not in back:
                self._refuse(here, there, edge)

    def _refuse(self, here: Code, there: Code, edge: Edge) -> None:
        rule = self.engine.task.puzzle.rules[edge.rule]
        before, after = self.engine.decode(here), self.engine.decode(there)
        raise RuleError(
            f"rule {rule.name!r}: free moves can be taken back, but one leads from {before} to "
            f"{after}, and no free moves lead back from there. Add the rule that takes it back, "
            "or leave free=True out: cost=0 does not count either",
            rule=rule.label,
            state=before,
        )


class ClassEngine(Engine):
    """Runs counted rules, or these backwards, from every state of a class."""

    stops = True

    def __init__(self, counted: SlotEngine, flood: Flood, backwards: bool = False) -> None:
        self.task, self.counted, self.flood = counted.task, counted, flood
        self.backwards = backwards

    @property
    def encoding(self) -> str:
        return self.counted.encoding

    @property
    def inverse(self) -> ClassEngine:
        return ClassEngine(self.counted.inverse, self.flood, not self.backwards)

    def encode(self, state: State) -> Code:
        return self.counted.encode(state)

    def decode(self, code: Code) -> State:
        return self.counted.decode(code)

    def weighted(self, code: Code) -> list[tuple[int, Code]]:
        flood, found, counts = self.flood, [], self.counted._counts
        before = list(map(copy, counts))
        try:
            for member in flood.members(code, counts):
                for cost, made in self.counted.weighted(member):
                    if not (self.backwards and flood.excluded(made)):
                        found.append((cost, flood.canonical(made)))
        except Stopped:
            counts[:] = before
            raise
        return found

    def goal(self, code: Code) -> bool:
        return any(map(self.counted.goal, self.flood.members(code)))

    def forbidden(self, code: Code) -> bool:
        return self.counted.forbidden(code)

    def condition(self, given: Condition) -> Callable[[Code], bool]:
        return self.counted.condition(given)

    def value(self, index: int, code: Code) -> Any:
        return self.counted.value(index, code)

    def counts(self) -> dict[str, Counts]:
        return self.counted.counts()
