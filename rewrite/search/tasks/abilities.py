"""What searches can do with a puzzle, in lines for people: both ends, and symmetry."""

from __future__ import annotations

from typing import Any

from rewrite.compiler.room import NeedsRoom
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.errors import SymmetryError
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.outcome.result import counted
from rewrite.reasoning.goals.assignments import NoGoalStates
from rewrite.reasoning.goals.goal_states import goal_codes
from rewrite.search.question import question
from rewrite.search.reduction import NONE_FOUND, Reduction, reduction_for

NO_RULES = "the definition itself runs them"
FOUND = "symmetries that can be found: a group of "


def abilities(puzzle: Puzzle, start: State, engine: Any) -> list[str]:
    """Return lines: whether rules can be run backwards, how many goal states there are, and which
    symmetries are declared and found. Takes as long as listing goals and finding symmetries does.
    """
    lines = [_backwards(engine), *_goals(engine)]
    if isinstance(engine, SlotEngine):
        lines += _symmetries(puzzle, start, engine)
    return lines


def _backwards(engine: Any) -> str:
    if not engine.task.puzzle.rules:
        return "there are no rules: a search looks at the start only"
    try:
        inverse = engine.inverse
    except (Unsuitable, AttributeError) as why:
        reason = why.reason.told if isinstance(why, Unsuitable) else NO_RULES
        return f"rules cannot be run backwards: {reason}"
    number = len(inverse.changes if isinstance(inverse, SlotEngine) else inverse.rules)
    return f"rules can be run backwards: {counted(number, 'inverse rule')}"


def _goals(engine: Any) -> list[str]:
    goal = engine.task.goal
    if goal is None:
        return []
    try:
        return [f"goal states: {len(goal_codes(engine, goal)):,}"]
    except NoGoalStates as why:
        return [f"goal states cannot be listed: the goal {why}"]
    except (NeedsRoom, AttributeError):
        return []


def _symmetries(puzzle: Puzzle, start: State, engine: Any) -> list[str]:
    """Return a line on the symmetries that are declared, and one on those that are found."""
    lines = []
    for how in ("declared", "find"):
        if how == "declared" and not puzzle.symmetry:
            continue
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
