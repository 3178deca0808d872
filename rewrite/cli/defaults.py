"""What a puzzle of the gallery asks, and shows, where its player says nothing else.

A module of the gallery may hold `QUESTION`, keyword arguments of `search`; and `told(result,
story)`, which returns what is printed under the summary, given what would be. Both count only while
the player asks for no other answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rewrite.cli.loading import Loaded
from rewrite.cli.stories import WITH_STORY, story
from rewrite.outcome.result import Result

OTHERS = ("solutions", "distinct", "min_depth", "strategy", "heuristic", "start")
"""Options that make it another question."""
Story = Callable[[Result, str], str]


def question(loaded: Loaded, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the puzzle's own question; those that are given come on top."""
    own = {} if _other(loaded, options) else getattr(loaded.module, "QUESTION", {})
    return {**own, **options}


def answer(loaded: Loaded, options: Mapping[str, Any], result: Result, width: int) -> str | None:
    """Return the text of an answer to the puzzle's own question; None: it has none of its own.

    A player who gave no words, or a file of levels, has not seen the board: it is shown first.
    """
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
