"""What a puzzle allows a search, in lines: the same in `explain` and in the notes of a result."""

from __future__ import annotations

from contextlib import suppress

from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.analysis.projected_rules import projected
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.interface import Engine
from rewrite.results.result import counted
from rewrite.search.goal_states import goal_codes, never_together


def backwards(engine: Engine) -> str:
    """Return whether rules can be run backwards, or why not."""
    if not engine.task.puzzle.rules:
        return "there are no rules: a search looks at the start only"
    try:
        inverse = engine.inverse
    except Unsuitable as why:
        return f"rules cannot be run backwards: {why.reason.description}"
    assert inverse.coded is not None
    return f"rules can be run backwards: {counted(inverse.coded.code.size, 'inverse rule')}"


def goals(engine: Engine) -> list[str]:
    """Return how many goal states there are, or why they cannot be listed."""
    goal = engine.task.goal
    if goal is None:
        return []
    known = None
    with suppress(Unsuitable):
        # up to symmetry, a state may stand for images that mutexes exclude: see `search.ends`
        known = None if engine.task.puzzle.symmetry else never_together(engine)
    try:
        return [f"goal states: {len(goal_codes(engine, goal, known=known)):,}"]
    except NoGoalStates as why:
        return [f"goal states cannot be listed: the goal {why}"]
    except NeedsCapacity:
        return []


def projections(engine: Engine) -> list[str]:
    """Return what the states of a multiset can be projected on, or why they cannot."""
    goal = engine.task.goal
    if goal is None or engine.reasoning is not None:
        return []
    try:
        _, types = projected(engine.task.puzzle, engine.task.start, goal)
    except Unsuitable as why:
        return [f"no heuristic is made from the rules: {why.reason.description}"]
    return [f"heuristic from the rules: distances in {' and '.join(sorted(map(str, types)))} alone"]


def obstacles(engine: Engine) -> str:
    """Return the lines on what a multiset does not allow."""
    lines = [backwards(engine), *goals(engine), *projections(engine)]
    return "; ".join([one for one in lines if "cannot" in one or one.startswith("no ")])
