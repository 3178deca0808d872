"""The drawing of a state as its puzzle shows it, and the changes from one state to the next."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial, reduce
from typing import Any

from rewrite.errors import FAILURES, RewriteError, ViewError, described
from rewrite.language.labels import one_line
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.moves import Step
from rewrite.results.path import Path
from rewrite.show.drawing.chips import bag_drawing
from rewrite.show.drawing.drawing import MOST_MARKS, Drawing, Look, Mark, TooLarge, within
from rewrite.show.drawing.tags import columns, tag
from rewrite.show.views.cells import Picture, View

LINE, LETTER, WIDEST = 22, 9, 120
MOST_LETTERS = 4_000
"""Longer texts are cut: nobody reads more."""


def drawn(puzzle: Puzzle, state: State, past: Any = None) -> Drawing:
    """Return the drawing of a state as the puzzle shows it. Raises ViewError.

    A view draws itself; the text of a function is shown as is; without `show=` the terms are drawn
    by constructor. States too large to draw are shown as text.
    """
    shown = puzzle.shown(state)
    try:
        if puzzle.show is None:
            return bag_drawing(state, shown)
        if isinstance(shown, Picture) and len(state) <= MOST_MARKS:
            return shown.drawing(past)
    except TooLarge:
        pass
    except RewriteError:
        raise
    except FAILURES as cause:  # as for the text, see `Puzzle.shown`
        raise ViewError(
            f"{puzzle.name}: the drawing of state {state} failed: {described(cause)}; "
            "its text can be shown: puzzle.shown(state)",
            state=state,
        ) from cause
    return as_text(shown)


def drawn_or_told(puzzle: Puzzle, state: State, past: Any = None) -> Drawing:
    try:
        return drawn(puzzle, state, past)
    except RewriteError as error:
        return as_text(f"{error.message}\n\n{state}")


def film(path: Path) -> list[Drawing]:
    found, past = [drawn_or_told(path.puzzle, path.start)], None
    for step in path:
        past = remembered(path.puzzle, past, step)
        found.append(drawn_or_told(path.puzzle, step.after, past))
    return found


def drawn_after(puzzle: Puzzle, state: State, steps: Iterable[Step]) -> Drawing:
    return drawn_or_told(puzzle, state, reduce(partial(remembered, puzzle), steps, None))


def remembered(puzzle: Puzzle, past: Any, step: Step) -> Any:
    try:
        return puzzle.show.remembered(past, step) if isinstance(puzzle.show, View) else None
    except Exception:  # the picture of the state before tells it
        return past


def as_text(text: str) -> Drawing:
    cut = text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…\n(too large to draw)"
    lines = [part for line in cut.split("\n") for part in wrapped(one_line(line.expandtabs()))]
    wide = max(map(columns, lines)) * LETTER
    marks = []
    for number, line in enumerate(lines):
        if line.strip():
            drawn = tag("text", line, class_="rw-ink rw-mono", y=LINE - 6, font_size=15)
            look = Look(drawn, max(LETTER, columns(line) * LETTER), LINE)
            marks.append(Mark(look, 0, number * LINE))
    return within(max(wide, LETTER), LINE * len(lines), marks, cut)


def wrapped(line: str) -> list[str]:
    parts, wide = [""], 0
    for letter in line:
        wide += columns(letter)
        if wide > WIDEST:
            parts.append("")
            wide = columns(letter)
        parts[-1] += letter
    return parts
