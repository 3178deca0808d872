"""Which text form suits an answer: its expression, its chain, its ring, its boards side by side."""

from __future__ import annotations

from typing import Any

from rewrite.language.conditions import Patterned
from rewrite.language.expressions import Variable
from rewrite.outcome.path import Path
from rewrite.views.stories import chain_story, expression_story, ring_story, steps_story

WITH_STORY = ("digitle", "digits", "pancakes", "power_strike", "two_grids", "water_jugs")
"""Puzzles whose story is printed without being asked for."""


def story(path: Path, width: int) -> str:
    """Return the text form of an answer, chosen by the puzzle's `show` and the kind of its terms.

    width  of the screen, for boards side by side
    """
    view = path.puzzle.show
    numbers = all(type(term) is int for state in (path.start, path.end) for term in state)
    if view is None:
        if numbers and len(path.end):
            return expression_story(path, _target(path))
        return steps_story(path)
    from rewrite.views.frames import frames  # who has no picture does not wait for them
    from rewrite.views.grid import Grid
    from rewrite.views.lines import Chain, Ring

    if isinstance(view, Ring):
        return ring_story(path, view.pattern)
    if isinstance(view, Chain):
        return chain_story(path, view.pattern)
    if isinstance(view, Grid):
        return frames(path, width=width)
    return steps_story(path)


def _target(path: Path) -> Any:
    """Return the number that the goal asks for, else None: the last one made will do."""
    goal = path.puzzle.goal
    if not isinstance(goal, Patterned) or len(goal.patterns) != 1:
        return None
    wanted = goal.patterns[0]
    if isinstance(wanted, Variable):
        wanted = path.bindings.get(wanted.name)
    return wanted if type(wanted) is int and wanted in path.end.items else None
