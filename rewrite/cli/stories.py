"""The text of an answer: the puzzle's own question and text, or the form that suits its terms.

A module of the gallery may define `QUESTION`, keyword arguments for `search`; and `told(result,
story)`, which returns the text below the summary in place of `story`. Both apply only if the player
does not ask another question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rewrite.cli.loading import Loaded
from rewrite.language.conditions import Patterned
from rewrite.language.expressions import Variable
from rewrite.results.path import Path
from rewrite.results.result import Result
from rewrite.show.views.stories import (
    chain_story,
    expression_story,
    frames,
    ring_story,
    steps_story,
)

WITH_STORY = (
    "digitle",
    "digits",
    "pancakes",
    "power_strike",
    "twenty_four",
    "two_grids",
    "water_jugs",
)
"""Puzzles whose story is printed by default."""
OTHERS = ("solutions", "distinct", "min_depth", "strategy", "heuristic", "start")
"""Options that change the question."""
Story = Callable[[Result, str], str]


def story(path: Path, width: int) -> str:
    """Return the text of an answer that suits the puzzle's `show` and the kind of its terms."""
    view = path.puzzle.show
    numbers = all(type(term) is int for state in (path.start, path.end) for term in state)
    if view is None:
        if numbers and len(path.end):
            return expression_story(path, _target(path))
        return steps_story(path)
    from rewrite.show.views.grid import Grid  # not imported for puzzles without a view
    from rewrite.show.views.lines import Chain, Ring

    if isinstance(view, Ring):
        return ring_story(path, view.pattern)
    if isinstance(view, Chain) and view.formula is not None:
        return expression_story(path, _target(path), dict(view.formula), view.atom)
    if isinstance(view, Chain):
        return chain_story(path, view.pattern)
    if isinstance(view, Grid):
        return frames(path, width=width)
    return steps_story(path)


def _target(path: Path) -> Any:
    """Return the number that the goal asks for, or None for the last one computed."""
    goal = path.puzzle.goal
    if not isinstance(goal, Patterned) or len(goal.patterns) != 1:
        return None
    wanted = goal.patterns[0]
    if isinstance(wanted, Variable):
        wanted = path.bindings.get(wanted.name)
    return wanted if type(wanted) is int and wanted in path.end.items else None


def question(loaded: Loaded, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the puzzle's own question, overridden by the given ones."""
    own = {} if _other(loaded, options) else getattr(loaded.module, "QUESTION", {})
    return {**own, **loaded.asked, **options}


def answer(loaded: Loaded, options: Mapping[str, Any], result: Result, width: int) -> str | None:
    """Players who gave no words, or a file of levels, have not seen the board: show it first."""
    if not result or _other(loaded, options):
        return None
    made: Story | None = getattr(loaded.module, "told", None)
    if made is not None:
        text = made(result, story(result.paths[0], width))
        return "\n\n".join([result.summary(), text, *(f"note: {note}" for note in result.notes)])
    seen = loaded.words and not loaded.level
    if seen or loaded.puzzle.name in WITH_STORY or loaded.puzzle.show is None:
        return None
    return f"{loaded.puzzle.show(result.paths[0].start)}\n\n{result}"


def _other(loaded: Loaded, options: Mapping[str, Any]) -> bool:
    return not loaded.gallery or any(name in options for name in OTHERS)
