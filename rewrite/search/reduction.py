"""Search up to symmetry: which group reduces a search, and how to get real paths back.

Each state represents all its images under the group. A path is found between canonical forms; the
real one is reconstructed from the real start, step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from attrs import define

from rewrite.budget import ticking
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine, Reasoning, Reducible
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.errors import RuleError, SymmetryError
from rewrite.language.bijections import Bijection, NoBijection, bijections
from rewrite.language.puzzles import Puzzle
from rewrite.language.symmetry import Interchangeable
from rewrite.outcome.symmetry_check import violation_in
from rewrite.reasoning.goals.assignments import NoGoalStates
from rewrite.reasoning.symmetry.actions import Action, Listed, action_of, closure, identity
from rewrite.reasoning.symmetry.exchanges import ExchangedTerms, Exchanges
from rewrite.reasoning.symmetry.found import found_group
from rewrite.reasoning.symmetry.proof import GOAL, Doubt, Proof
from rewrite.search.exchanging import (
    MOST_ELEMENTS,
    SOON_LISTED,
    TOO_LARGE,
    Proved,
    exchanged_terms,
    exchanged_values,
    keeping_counts,
    partly,
)
from rewrite.search.goal_states import goal_codes
from rewrite.search.question import Question

NONE_FOUND = "no symmetry was found"
FEW_GOALS, LISTED_GOALS = 1_000, 10_000
"""The most goal states to find symmetries with, and the most to list in order to count them: the
work of listing grows with their number."""


@define(eq=False)
class Reduction:
    """The group that reduces a search. `engine`: over all states, not only canonical ones."""

    engine: Reducible
    group: Listed | Exchanges | ExchangedTerms
    found: bool = False
    """Whether the group was found, not declared."""

    @property
    def order(self) -> int:
        """The number of elements of the group."""
        return self.group.order

    @property
    def note(self) -> str:
        """The note for the result."""
        how = "found" if self.found else "declared"
        return (
            f"states are counted up to symmetry: {self.order:,} {how} symmetries, the identity "
            "included"
        )

    @cached_property
    def canonical(self) -> Callable[[Code], Code]:
        """The function from a state to its representative."""
        return self.group.canonical

    @cached_property
    def reduced(self) -> Reducible:
        """The engine over canonical states."""
        return self.engine.reduced(self.canonical, stops=type(self.group) is not Listed)

    @cached_property
    def walker(self) -> Reducible:
        """The engine that reconstructs real paths; its work does not count for the search."""
        return self.engine.apart()

    def for_core(self) -> dict[str, Any]:
        """Return the group in the core's format."""
        return self.group.for_core()

    def real(self, codes: Sequence[Code]) -> list[Code]:
        """Return the path from the real start whose states have these canonical forms.

        Among successors with the same canonical form it takes the cheapest, then the first.
        """
        engine, canonical = self.walker, self.canonical
        path = [engine.encode(engine.task.start)]
        for wanted in codes[1:]:
            steps = engine.weighted(path[-1])
            fitting = [step for step in steps if canonical(step[1]) == wanted]
            path.append(min(fitting, key=lambda step: step[0])[1])
        return path


def reduction_for(
    asked: Question, engine: Engine, goals: Sequence[int] | None
) -> tuple[Reduction | None, list[str]]:
    """Return the reduction of a search, if any, and notes on what could not be used.

    goals   all goal states, if known

    Raises SymmetryError for a declared symmetry that does not hold.
    """
    puzzle = asked.puzzle
    if asked.symmetry == "none" or (asked.symmetry == "declared" and not puzzle.symmetry):
        return None, []
    if asked.minimize is not None:
        return None, [
            "no symmetry is used: minimize= may distinguish states that symmetry treats as one"
        ]
    if asked.distinct == "paths":
        return None, ["no symmetry is used: distinct='paths' asks for all paths"]
    rules = engine.reasoning
    exchanged = any(isinstance(one, Interchangeable) for one in puzzle.symmetry)
    if isinstance(engine, MultisetEngine) and asked.symmetry == "declared" and exchanged:
        terms, notes = exchanged_terms(asked, engine, _refuse)
        return None if terms is None else Reduction(engine, terms), notes
    if rules is None:
        out = f"; {engine.why.way_out}" if engine.why and engine.why.way_out else ""
        return None, [f"no symmetry is used: states are kept as {engine.encoding}{out}"]
    try:
        if asked.symmetry == "find":
            return _found(asked, rules, goals)
        return _declared(asked, rules, Proof(rules, asked.goal, goals))
    except Unsuitable as why:
        return None, [f"no symmetry is used: {why.reason.description}"]


def _found(
    asked: Question, engine: Reasoning, goals: Sequence[int] | None
) -> tuple[Reduction | None, list[str]]:
    if goals is None and asked.goal is not None:
        with suppress(NoGoalStates):  # known goal states allow more symmetries
            listed = goal_codes(engine, asked.goal, LISTED_GOALS)
            goals = listed if len(listed) <= FEW_GOALS else None
    group, order = found_group(Proof(engine, asked.goal, goals), MOST_ELEMENTS)
    group = _within_counts(engine, group)
    notes = []
    if order > len(group) > 1:
        notes = [f"of {order:,} symmetries that were found {len(group):,} are used"]
    return _used(engine, group, True), notes or [NONE_FOUND] * (len(group) < 2)


def _declared(
    asked: Question, engine: Reasoning, proof: Proof
) -> tuple[Reduction | None, list[str]]:
    puzzle = asked.puzzle
    other_goal = asked.goal is not puzzle.goal  # declared for one goal, asked for another
    start, notes = identity(engine.fields), list[str]()
    proved: list[Proved] = []
    for declared in puzzle.symmetry:
        for bijection in bijections(declared):
            try:
                action = action_of(bijection, engine.fields, engine.layout.static)
                doubt = proof.doubt(action)
            except NoBijection as wrong:
                raise SymmetryError(
                    f"{puzzle.name}: {declared!r} is not a symmetry: no bijection: {wrong}",
                    generator=declared,
                ) from None
            except Unsuitable as why:
                notes.append(f"{declared!r} is not used: {why.reason.description}")
                continue
            if doubt is not None and doubt.what == GOAL and other_goal:
                notes.append(f"{declared!r} is not used: it does not keep the goal of this search")
                continue
            if doubt is not None:
                _refuse(puzzle.replace(goal=asked.goal), engine, bijection, doubt)
            proved.append((declared, bijection, action))
    try:
        alone = all(one.swapped is not None for _, one, _ in proved)
        values = exchanged_values(engine, proved, SOON_LISTED if alone else MOST_ELEMENTS)
        more = ""
    except Unsuitable as why:
        values, more = None, f", and {why.reason.description}"
    group = None if values else closure([one for *_, one in proved], start, MOST_ELEMENTS)
    if group is None and values is None and not more:
        values = exchanged_values(engine, proved, 1)
    if values is not None:
        notes += values.notes
        found = None if values.used is None else Reduction(engine, values.used)
        return found, list(dict.fromkeys(notes))
    if group is None:
        group = _part(proved, start, notes, TOO_LARGE + more)
    within = _within_counts(engine, group)
    if len(within) < len(group):
        notes.append(partly(len(group) - len(within), len(group)))
    return _used(engine, within, False), list(dict.fromkeys(notes))


def _part(proved: Sequence[Proved], start: Action, notes: list[str], large: str) -> list[Action]:
    """Return a group generated by some of these; note which are left out."""
    generators: list[Action] = []
    group = [start]
    for declared, _, action in proved:
        larger = closure([*generators, action], start, MOST_ELEMENTS)
        if larger is None:
            notes.append(f"{declared!r} is not used: {large}")
            continue
        generators.append(action)
        group = larger
    return group


def _within_counts(engine: Reasoning, group: list[Action]) -> list[Action]:
    """Return the elements that preserve the start's counts of values of each kind.

    The listed goal states and the pattern databases assume these counts. If the values of all
    fields of a kind change alike, no other element maps a reachable state to a reachable one, so
    nothing is lost.
    """
    if len(group) == 1:
        return group
    keeps = keeping_counts(engine)
    return [one for one in ticking(group, 20) if keeps(one)]


def _used(engine: Reasoning, group: list[Action], found: bool) -> Reduction | None:
    if len(group) == 1:
        return None
    return Reduction(engine, Listed(engine.fields, group), found)


def _refuse(puzzle: Puzzle, engine: Engine, bijection: Bijection, doubt: Doubt) -> None:
    """Raise SymmetryError, with a counterexample state if one is found."""
    codes = [] if doubt.code is None else [doubt.code]
    for code in [*_reachable(engine), *codes]:
        shown = None
        with suppress(RuleError):  # it may be unreachable, and a user function may fail on it
            shown = violation_in(puzzle, bijection, engine.decode(code))
        if shown is not None:
            raise SymmetryError(
                f"{puzzle.name}: the proof of {bijection.declared!r} fails at {doubt.what}. "
                f"{shown}\n  Correct it, leave it out, or search with symmetry='none'",
                generator=bijection.declared, state=shown.state, image=shown.image,
            )  # fmt: skip
    raise SymmetryError(
        f"{puzzle.name}: {bijection.declared!r} is not proved to be a symmetry: {doubt.what} "
        "is not what it is mapped to, as far as can be seen. No state was found that shows it. "
        "Write the puzzle more alike, leave the declaration out, or search with symmetry='none'",
        generator=bijection.declared, state=None, image=None,
    )  # fmt: skip


SAMPLES = 60


def _reachable(engine: Engine) -> list[Code]:
    """Return the first states of breadth-first search."""
    start = engine.encode(engine.task.start)
    seen, level = {start: start}, [start]
    while level and len(seen) < SAMPLES:
        following: list[Code] = []
        engine.grow(level, seen, following)
        level = following
    return list(seen)[:SAMPLES]
