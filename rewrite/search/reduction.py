"""Search up to symmetry: which group reduces a search, and real paths back from reduced ones.

Each state stands for all its images under the group. A path that was found goes from canonical form
to canonical form; the real one is found again from the real start, step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from attrs import define

from rewrite.budget import ticking
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.engine.interface import Code, Engine, Reasoning
from rewrite.errors import RuleError, SymmetryError
from rewrite.language.bijections import Bijection, NoBijection, bijections
from rewrite.language.puzzles import Puzzle
from rewrite.outcome.symmetry_check import violation_in
from rewrite.reasoning.conserved import conserved, keeps_counts
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.goals.assignments import NoGoalStates
from rewrite.reasoning.symmetry.actions import Action, action_of, closure, identity
from rewrite.reasoning.symmetry.canonical import canonical
from rewrite.reasoning.symmetry.found import found_group
from rewrite.reasoning.symmetry.proof import GOAL, Doubt, Proof
from rewrite.search.goal_states import goal_codes
from rewrite.search.question import Question

NONE_FOUND = "no symmetry was found"
FEW_GOALS, LISTED_GOALS = 1_000, 10_000
"""Goal states with which symmetries are found, and which are listed to know whether they are few:
what is tried to list them grows with their number."""
MOST_ELEMENTS = 5_040
"""The largest group that is used: all ways to exchange seven values."""


@define(eq=False)
class Reduction:
    """The group that reduces a search. `engine`: of all states, not only of canonical ones."""

    engine: Reasoning
    elements: list[Action]
    found: bool = False
    """Whether the group was found, not declared."""

    @property
    def order(self) -> int:
        """The number of elements of the group."""
        return len(self.elements)

    @property
    def note(self) -> str:
        """What is told with the result."""
        how = "found" if self.found else "declared"
        return (
            f"states are counted up to symmetry: {self.order:,} {how} symmetries, the identity "
            "included"
        )

    @cached_property
    def canonical(self) -> Callable[[Code], Code]:
        """The function from a state to the one that stands for it."""
        return canonical(self.engine.fields, self.elements)

    @cached_property
    def reduced(self) -> Reasoning:
        """The engine that knows canonical states only."""
        return self.engine.reduced(self.canonical)

    @cached_property
    def walker(self) -> Reasoning:
        """The engine that finds real paths again; the search does not count what it does."""
        return self.engine.apart()

    def for_core(self) -> dict[str, Any]:
        """Return the group as the core takes it."""
        return {
            "fields": [(one.offset, one.bits) for one in self.engine.fields],
            "elements": [
                (list(one.sources), [list(table) for table in one.maps]) for one in self.elements
            ],
        }

    def real(self, codes: Sequence[Code]) -> list[Code]:
        """Return the path from the real start whose states have these canonical forms.

        Of several successors with one canonical form the cheapest counts, then the first.
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

    goals   all goal states, where they are known

    Raises SymmetryError for a declared symmetry that is none.
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
    if rules is None:
        out = f"; {engine.why.way_out}" if engine.why and engine.why.way_out else ""
        return None, [f"no symmetry is used: states are kept as {engine.encoding}{out}"]
    try:
        if asked.symmetry == "find":
            return _found(asked, rules, goals)
        return _declared(asked, rules, Proof(rules, asked.goal, goals))
    except Unsuitable as why:
        return None, [f"no symmetry is used: {why.reason.told}"]


def _found(
    asked: Question, engine: Reasoning, goals: Sequence[int] | None
) -> tuple[Reduction | None, list[str]]:
    if goals is None and asked.goal is not None:
        with suppress(NoGoalStates):  # more is symmetric where the goal states are known
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
    generators: list[Action] = []
    group = [start]
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
                notes.append(f"{declared!r} is not used: {why.reason.told}")
                continue
            if doubt is not None and doubt.what == GOAL and other_goal:
                notes.append(f"{declared!r} is not used: it does not keep the goal of this search")
                continue
            if doubt is not None:
                _refuse(puzzle.replace(goal=asked.goal), engine, bijection, doubt)
            larger = closure([*generators, action], start, MOST_ELEMENTS)
            if larger is None:
                notes.append(
                    f"{declared!r} is not used: the group would have more than {MOST_ELEMENTS:,} "
                    "elements"
                )
                continue
            generators.append(action)
            group = larger
    within = _within_counts(engine, group)
    if len(within) < len(group):
        notes.append(
            f"{len(group) - len(within):,} of {len(group):,} declared symmetries, the identity "
            "included, are not used: they may lead to states that this start cannot reach"
        )
    return _used(engine, within, False), list(dict.fromkeys(notes))


def _within_counts(engine: Reasoning, group: list[Action]) -> list[Action]:
    """Return the elements that lead to states with as many values of each kind as the start has.

    The listed goal states and the estimates of pattern databases are those of such states. Where
    the values of all fields of a kind change alike, no other element maps a state that comes up to
    one that does, so nothing is lost.
    """
    if len(group) == 1:
        return group
    kept = engine.known("conserved", lambda: conserved(engine.transitions, engine.fields))
    held = numbers(engine.fields, engine.encode(engine.task.start))
    each = ticking(group, 20)
    return [one for one in each if keeps_counts(one, kept, engine.fields, held)]


def _used(engine: Reasoning, group: list[Action], found: bool) -> Reduction | None:
    return Reduction(engine, group, found) if len(group) > 1 else None


def _refuse(puzzle: Puzzle, engine: Reasoning, bijection: Bijection, doubt: Doubt) -> None:
    """Raise SymmetryError, with a state that shows it where one is found."""
    codes = [] if doubt.code is None else [doubt.code]
    for code in [*_reachable(engine), *codes]:
        shown = None
        with suppress(RuleError):  # it may never come up, and a user function not know it
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


def _reachable(engine: Reasoning) -> list[Code]:
    """Return the first states that breadth-first search meets."""
    start = engine.encode(engine.task.start)
    seen, level = {start: start}, [start]
    while level and len(seen) < SAMPLES:
        following: list[Code] = []
        engine.grow(level, seen, following)
        level = following
    return list(seen)[:SAMPLES]
