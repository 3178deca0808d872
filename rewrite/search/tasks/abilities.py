"""What searches can do with a puzzle, in lines for humans: both ends, and symmetry."""

from __future__ import annotations

from collections.abc import Iterable

from rewrite.compiler.capacity import NeedsCapacity
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.engine.interface import Engine
from rewrite.errors import SymmetryError
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.outcome.result import counted
from rewrite.reasoning.goals.assignments import NoGoalStates
from rewrite.search.arguments import question
from rewrite.search.goal_states import goal_codes, never_together
from rewrite.search.reduction import NONE_FOUND, Reduction, reduction_for

FOUND = "symmetries that can be found: a group of "


def abilities(puzzle: Puzzle, start: State, engine: Engine) -> list[str]:
    """Return lines on inverse rules, goal states and symmetries; takes as long as finding these."""
    lines = [_backwards(engine), *_goals(engine)]
    hows = ["declared"] * bool(puzzle.symmetry) + ["find"] * (engine.reasoning is not None)
    return lines + _symmetries(puzzle, start, engine, hows)


def _backwards(engine: Engine) -> str:
    if not engine.task.puzzle.rules:
        return "there are no rules: a search looks at the start only"
    try:
        inverse = engine.inverse
    except Unsuitable as why:
        return f"rules cannot be run backwards: {why.reason.description}"
    assert inverse.coded is not None
    return f"rules can be run backwards: {counted(inverse.coded.code.size, 'inverse rule')}"


def _goals(engine: Engine) -> list[str]:
    goal = engine.task.goal
    if goal is None:
        return []
    try:
        known = never_together(engine)
    except Unsuitable:
        known = None
    try:
        return [f"goal states: {len(goal_codes(engine, goal, known=known)):,}"]
    except NoGoalStates as why:
        return [f"goal states cannot be listed: the goal {why}"]
    except NeedsCapacity:
        return []


def _symmetries(puzzle: Puzzle, start: State, engine: Engine, hows: Iterable[str]) -> list[str]:
    """Return lines on the declared and on the found symmetries."""
    lines = []
    for how in hows:
        asked = question(puzzle, start, None, symmetry=how, goal_needed=False, function="explain")
        try:
            reduction, notes = reduction_for(asked, engine, None)
        except SymmetryError as error:
            lines.append(str(error))
            continue
        lines.append("; ".join([_group(reduction, how), *notes]))
    if lines[-1:] == [f"{FOUND}1; {NONE_FOUND}"]:
        lines[-1] = NONE_FOUND
    return lines


def _group(reduction: Reduction | None, how: str) -> str:
    order = 1 if reduction is None else reduction.order
    if how == "declared":
        return f"symmetries: those declared generate a group of {order:,}"
    return f"{FOUND}{order:,}"
