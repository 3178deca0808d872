"""`Picture`: what a view makes of a state, a text that can be drawn too."""

from __future__ import annotations

from typing import Any, Protocol

from rewrite.drawing.change import marked
from rewrite.drawing.drawing import Drawing, Look, Mark, within
from rewrite.drawing.tags import tag
from rewrite.errors import RewriteError
from rewrite.language.labels import one_line
from rewrite.language.order import term_key
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State

LINE, LETTER = 22, 9
MOST_MARKS, MOST_LETTERS = 4_000, 4_000
"""Beyond, a state is not drawn: its text is shown, and as much of it as a person reads."""


class TwoFaced(Protocol):
    """What knows how to draw a state."""

    def drawing(self, state: State) -> Drawing:
        """Return the drawing of a state. Raises ViewError."""


class Picture(str):
    """The text of a state that can be drawn too; a `str` in every other way.

    A function that is given as `show=` may return what a view made of a state, or of another one.
    """

    view: TwoFaced
    state: State

    @classmethod
    def of(cls, text: str, view: TwoFaced, state: State) -> Picture:
        """Return the picture of a state: its text, and the view that draws it when it is asked."""
        made = cls(text)
        made.view, made.state = view, state
        return made

    def drawing(self) -> Drawing:
        """Return the drawing. Raises ViewError."""
        return self.view.drawing(self.state)

    def __reduce__(self) -> Any:
        return Picture.of, (str(self), self.view, self.state)


def drawn(puzzle: Puzzle, state: State) -> Drawing:
    """Return the drawing of a state as the puzzle shows it. Raises ViewError.

    A view draws itself; the text of a function is shown as it stands; without `show=` the terms
    are drawn by constructor. What is too large to draw is shown as text.
    """
    if puzzle.show is None:
        return as_text(str(state))
    shown = puzzle.shown(state)
    made = shown.drawing() if isinstance(shown, Picture) else None
    if made is None or len(made.marks) > MOST_MARKS:
        return as_text(shown)
    return made


def drawn_or_told(puzzle: Puzzle, state: State) -> Drawing:
    """Return the drawing of a state, or where its view fails what went wrong, as text."""
    try:
        return drawn(puzzle, state)
    except RewriteError as error:
        return as_text(f"{error.message}\n\n{state}")


def after_step(puzzle: Puzzle, before: State, after: State, earlier: Drawing) -> Drawing:
    """Return the drawing of the state after a step, with what changed marked."""
    return marked(earlier, drawn(puzzle, after), fresh(before, after))


def fresh(before: State, after: State) -> list[Any]:
    """Return the terms of a state that were not in another one, as often as they are more."""
    had: dict[Any, int] = {}
    for term in before:
        had[term_key(term)] = had.get(term_key(term), 0) + 1
    found = []
    for term in after:
        key = term_key(term)
        if had.get(key, 0):
            had[key] -= 1
        else:
            found.append(term)
    return found


def as_text(text: str) -> Drawing:
    """Return a text as it stands, line by line, in letters of one width."""
    cut = text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…\n(too large to draw)"
    lines = [one_line(line) for line in cut.split("\n")]
    wide = max(map(len, lines)) * LETTER
    marks = [
        Mark(Look(_line(line), max(LETTER, len(line) * LETTER), LINE), 0, number * LINE)
        for number, line in enumerate(lines)
        if line.strip()
    ]
    return within(max(wide, LETTER), LINE * len(lines), marks, text)


def _line(text: str) -> Any:
    return tag("text", text, class_="rw-ink rw-mono", y=LINE - 6, font_size=15)
