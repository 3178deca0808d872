"""What a puzzle allows a search, in lines: the same in `explain` and in the notes of a result."""

from __future__ import annotations

from contextlib import suppress

from attrs import frozen

from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.analysis.projected_rules import projected
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.interface import Engine
from rewrite.results.result import counted
from rewrite.search.goal_states import goal_codes, never_together


@frozen
class Ability:
    """What a search can do, or cannot (`missing`): a line with the reason."""

    line: str
    missing: bool = False


def abilities(engine: Engine, both_ends: Engine | None = None) -> list[Ability]:
    """Return what a puzzle allows and what not.

    both_ends  the engine of a search from both ends, if it is another one
    """
    ends = both_ends or engine
    return [_backwards(ends), *_goals(ends), *_projections(engine)]


def _backwards(engine: Engine) -> Ability:
    """Return whether rules can be run backwards, or why not."""
    if not engine.task.puzzle.rules:
        return Ability("there are no rules: a search looks at the start only")
    try:
        inverse = engine.inverse
    except Unsuitable as why:
        return Ability(f"rules cannot be run backwards: {why.reason.description}", missing=True)
    assert inverse.coded is not None
    number = counted(inverse.coded.code.size, "inverse rule")
    return Ability(f"rules can be run backwards: {number}")


def _goals(engine: Engine) -> list[Ability]:
    """Return how many goal states there are, or why they cannot be listed."""
    goal = engine.task.goal
    if goal is None:
        return []
    known = None
    with suppress(Unsuitable):
        # up to symmetry, a state may stand for images that mutexes exclude: see `search.ends`
        known = None if engine.task.puzzle.symmetry else never_together(engine)
    try:
        return [Ability(f"goal states: {len(goal_codes(engine, goal, known=known)):,}")]
    except NoGoalStates as why:
        return [Ability(f"goal states cannot be listed: the goal {why}", missing=True)]
    except NeedsCapacity:
        return []


def _projections(engine: Engine) -> list[Ability]:
    """Return what the states of a multiset can be projected on, or why they cannot."""
    goal = engine.task.goal
    if goal is None or engine.reasoning is not None:
        return []
    try:
        _, types = projected(engine.task.puzzle, engine.task.start, goal)
    except Unsuitable as why:
        line = f"no heuristic is made from the rules: {why.reason.description}"
        return [Ability(line, missing=True)]
    names = " and ".join(sorted(map(str, types)))
    return [Ability(f"heuristic from the rules: distances in {names} alone")]
