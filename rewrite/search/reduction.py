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

from rewrite.analysis.conserved import keeping_counts
from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.analysis.symmetry.actions import Action, Listed, action_of, closure, identity
from rewrite.analysis.symmetry.exchanges import ExchangedTerms, Exchanges, exchanges, joined
from rewrite.analysis.symmetry.interchangeable import Interchange
from rewrite.analysis.symmetry.proof import GOAL, Doubt, Proof
from rewrite.budget import ticking
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.counts import Code
from rewrite.engine.interface import CodeEngine, Engine, Reasoning
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.errors import RuleError, SymmetryError
from rewrite.language.symmetry import (
    Bijection,
    Interchangeable,
    NoBijection,
    Relabel,
    bijections,
)
from rewrite.search.goal_states import goal_codes
from rewrite.search.question import Question

NONE_FOUND = "no symmetry was found"
MOST_ELEMENTS = 5_040
"""The largest group that is listed: all permutations of seven values."""
SOON_LISTED = 120
"""All permutations of five values: listed up to here, as that is faster per state."""
TOO_LARGE = f"the group would have more than {MOST_ELEMENTS:,} elements"
FEW_GOALS, LISTED_GOALS = 1_000, 10_000
"""The most goal states to find symmetries with, and the most to list in order to count them: the
work of listing grows with their number."""
SAMPLES = 60
"""States tried as counterexamples."""
Proved = tuple[Any, Bijection, Action]
"""A declaration, one of its bijections that is a symmetry, and its action on states."""
Reduced = tuple["Reduction | None", list[str]]
"""The reduction of a search, if any, and notes on what could not be used."""


@define(eq=False)
class Reduction:
    """The group that reduces a search. `engine`: over all states, not only canonical ones."""

    engine: CodeEngine
    group: Listed | Exchanges | ExchangedTerms
    found: bool = False

    @property
    def note(self) -> str:
        number = f"{self.group.order:,} {'found' if self.found else 'declared'} symmetries"
        return f"states are counted up to symmetry: {number}, the identity included"

    @cached_property
    def canonical(self) -> Callable[[Code], Code]:
        return self.group.canonical

    @cached_property
    def reduced(self) -> CodeEngine:
        return self.engine.reduced(self.canonical, stops=type(self.group) is not Listed)

    @cached_property
    def walker(self) -> CodeEngine:
        """The engine that reconstructs real paths; its work does not count for the search."""
        return self.engine.apart()

    def real(self, codes: Sequence[Code]) -> list[Code]:
        """Return the path from the real start through these canonical forms, by cheapest steps."""
        engine, canonical = self.walker, self.canonical
        path = [engine.encode(engine.task.start)]
        for wanted in codes[1:]:
            steps = engine.weighted(path[-1])
            fitting = [step for step in steps if canonical(step[1]) == wanted]
            path.append(min(fitting, key=lambda step: step[0])[1])
        return path


def reduction_for(asked: Question, engine: Engine, goals: Sequence[int] | None) -> Reduced:
    """Return the reduction of a search, and notes.

    goals   all goal states, if known

    Raises SymmetryError for a declared symmetry that does not hold.
    """
    puzzle = asked.puzzle
    if not asked.reduces:
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
        return _exchanged_terms(asked, engine)
    if rules is None:
        out = f"; {engine.why.way_out}" if engine.why and engine.why.way_out else ""
        return None, [f"no symmetry is used: states are stored as {engine.encoding}{out}"]
    try:
        if asked.symmetry == "find":
            return _found(asked, rules, goals)
        return _declared(asked, rules, Proof(rules, asked.goal, goals))
    except Unsuitable as why:
        return None, [f"no symmetry is used: {why.reason.description}"]


def _found(asked: Question, engine: Reasoning, goals: Sequence[int] | None) -> Reduced:
    if goals is None and asked.goal is not None:
        with suppress(NoGoalStates):  # known goal states allow more symmetries
            listed = goal_codes(engine, asked.goal, LISTED_GOALS)
            goals = listed if len(listed) <= FEW_GOALS else None
    from rewrite.analysis.symmetry.found import found_group  # not for those that are declared

    group, order = found_group(Proof(engine, asked.goal, goals), MOST_ELEMENTS)
    group = _within_counts(engine, group)
    notes = []
    if order > len(group) > 1:
        notes = [f"of {order:,} symmetries that were found {len(group):,} are used"]
    return _used(engine, group, True), notes or [NONE_FOUND] * (len(group) < 2)


def _declared(asked: Question, engine: Reasoning, proof: Proof) -> Reduced:
    puzzle, notes, proved = asked.puzzle, list[str](), list[Proved]()
    for declared in puzzle.symmetry:
        for bijection in bijections(declared):
            try:
                action = action_of(bijection, engine.fields, engine.layout.static)
                doubt = proof.doubt(action)
                _check(asked, engine, bijection, doubt)
            except NoBijection as wrong:
                raise SymmetryError(
                    f"{puzzle.name}: {declared!r} is not a symmetry: no bijection: {wrong}",
                    generator=declared,
                ) from None
            except Unsuitable as why:
                notes.append(f"{declared!r} is not used: {why.reason.description}")
                continue
            proved.append((declared, bijection, action))
    try:
        alone = all(one.swapped is not None for _, one, _ in proved)
        used = _exchanged_values(engine, proved, SOON_LISTED if alone else MOST_ELEMENTS)
        more = ""
    except Unsuitable as why:
        used, more = None, f", and {why.reason.description}"
    start = identity(engine.fields)
    group = None if used else closure([one for *_, one in proved], start, MOST_ELEMENTS)
    if group is None and used is None and not more:
        used = _exchanged_values(engine, proved, 1)
    if used is not None:
        return used[0], list(dict.fromkeys(notes + used[1]))
    if group is None:
        group = _part(proved, start, notes, TOO_LARGE + more)
    within = _within_counts(engine, group)
    if len(within) < len(group):
        notes.append(_partly(len(group) - len(within), len(group)))
    return _used(engine, within, False), list(dict.fromkeys(notes))


def _exchanged_values(engine: Reasoning, proved: Sequence[Proved], listed: int) -> Reduced | None:
    """Return the exchanges of values that reduce a search over slots, and notes on the unused.

    listed   the order of the largest group that is better listed: then None

    Raises Unsuitable if a list is required.
    """
    pairs = [(one.swapped, action) for _, one, action in proved if one.swapped is not None]
    every = exchanges(engine.fields, pairs, lambda action: True)
    if every is None or every.order <= listed:
        return None
    used = exchanges(engine.fields, pairs, keeping_counts(engine))
    others = [declared for declared, one, _ in proved if one.swapped is None]
    notes = [f"{declared!r} is not used: {TOO_LARGE}" for declared in others]
    order = 1 if used is None else used.order
    if order < every.order:
        notes.append(_partly(every.order - order, every.order))
    return None if used is None else Reduction(engine, used), notes


def _exchanged_terms(asked: Question, engine: MultisetEngine) -> Reduced:
    """Return the exchanges of values that reduce a search over multisets. Raises SymmetryError."""
    puzzle, notes = asked.puzzle, list[str]()
    pairs: list[tuple[tuple[Any, Any], None]] = []
    exchanged = [one for one in puzzle.symmetry if isinstance(one, Interchangeable)]
    every = [value for one in exchanged for value in one.values]
    for declared in puzzle.symmetry:
        try:
            if isinstance(declared, Relabel):
                raise Unsuitable(f"states are stored as {engine.encoding}")
            interchangeable = Interchange(puzzle, asked.goal, declared.values, every)
            for bijection in bijections(declared):
                assert bijection.swapped is not None
                doubt = interchangeable.doubt(bijection.swapped)
                _check(asked, engine, bijection, None if doubt is None else Doubt(doubt))
                pairs.append((bijection.swapped, None))
        except Unsuitable as why:
            notes.append(f"{declared!r} is not used: {why.reason.description}")
    sets = [[value for value, _ in one.values()] for one in joined(pairs)]
    return Reduction(engine, ExchangedTerms(engine.layout, sets)) if sets else None, notes


def _partly(unused: int, order: int) -> str:
    return (
        f"{unused:,} of {order:,} declared symmetries, the identity included, are not used: they "
        "may lead to states that this start cannot reach"
    )


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


def _check(asked: Question, engine: Engine, bijection: Bijection, doubt: Doubt | None) -> None:
    """Raise SymmetryError for a doubtful bijection, with a counterexample if one is found; raise
    Unsuitable if it was declared for one goal, and the search has another.
    """
    if doubt is None:
        return
    if doubt.what == GOAL and asked.goal is not asked.puzzle.goal:
        raise Unsuitable("it does not keep the goal of this search")
    from rewrite.results.symmetry_check import violation_in  # only for this error

    puzzle = asked.puzzle.replace(goal=asked.goal)
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


def _reachable(engine: Engine) -> list[Code]:
    """Return the first states of breadth-first search."""
    start = engine.encode(engine.task.start)
    seen, level = {start: start}, [start]
    while level and len(seen) < SAMPLES:
        following: list[Code] = []
        engine.grow(level, seen, following)
        level = following
    return list(seen)[:SAMPLES]
