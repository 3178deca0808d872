"""How each value looks in a notebook: HTML without widgets, or text if HTML is stripped.

A picture includes its own style sheet, since a notebook has none. A value that cannot be drawn is
shown as the text of the error, so that the notebook goes on.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from markupsafe import escape

from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.path import Path
from rewrite.results.result import Comparison, Result, counted
from rewrite.results.spaces import Distances, Hardest, Rating, Space
from rewrite.show.drawing.graph import Graph
from rewrite.show.drawing.tags import Markup, tag
from rewrite.show.html.page import animation as animated
from rewrite.show.html.page import page_of as page
from rewrite.show.html.page import path_page
from rewrite.show.html.tables import chart, rules_declared, table
from rewrite.show.views.pictures import MOST_LETTERS, drawn_after, drawn_or_told

__all__ = ["animated", "notebook", "page"]

MOST_NODES = 100
"""A larger space is shown as a table of its levels."""
MOST_STEPS = 1_000
"""A longer path is not played in a notebook, which would grow by megabytes."""
ROUND_THE_STAGE, TALLEST = 290, 640
"""Pixels above and below the picture in the player, and the player's greatest height."""
WIDE = "overflow-x:auto"
BARE = Puzzle()
"""A state knows no puzzle, so it is drawn as by a puzzle without `show=`."""


def notebook(value: Any) -> str:
    try:
        return str(tag("div", face(value)))
    except RewriteError as error:
        return str(tag("div", _lines(f"{type(error).__name__}: {error.message}")))


@singledispatch
def face(value: Any) -> Markup:
    return _lines(str(value))


@face.register
def _(state: State) -> Markup:
    return tag("div", drawn_or_told(BARE, state).svg(), style=WIDE) + _code(str(state))


@face.register
def _(puzzle: Puzzle) -> Markup:
    parts = [
        _head(puzzle, counted(len(puzzle.rules), "rule")),
        tag("div", rules_declared(puzzle), style=WIDE),
    ]
    if len(puzzle.facts):
        parts.append(tag("p", "facts: ", _code(str(puzzle.facts))))
    parts += [tag("p", "never: ", _code(repr(given))) for given in puzzle.never]
    if puzzle.goal is not None:
        parts.append(tag("p", "goal: ", _code(repr(puzzle.goal))))
    if puzzle.start is not None:
        parts += [tag("p", "start:"), drawn_or_told(puzzle, puzzle.start).svg()]
    return Markup("").join(parts)


@face.register
def _(path: Path) -> Markup:
    steps = counted(len(path), "step")
    played = len(path) <= MOST_STEPS
    end = drawn_after(path.puzzle, path.end, path if played else ())
    height = min(2 * end.height + ROUND_THE_STAGE, TALLEST)
    if not played:
        told = f"{path.puzzle.name}: {steps}, too many for a notebook; to_html(file) plays them."
        return tag("p", told) + end.svg()
    content, title = escape(path_page(path)), f"{path.puzzle.name}, {steps}"
    player = tag(
        "iframe", sandbox="allow-scripts", srcdoc=content, title=title, loading="lazy",
        width="100%", height=int(height), style="border:0;max-width:66rem",
    )  # fmt: skip
    moves = _lines("\n".join(path.lines()))
    beside = tag("div", end.svg(), moves, style="display:flex;flex-wrap:wrap;gap:1em")
    return player + tag("details", tag("summary", f"the end, and the {steps} as text"), beside)


@face.register
def _(result: Result) -> Markup:
    parts = [_head(result.puzzle, result.summary())]
    if len(result.levels) > 1:
        parts += [tag("p", "states of each level:"), chart(result.levels)]
    parts.append(_notes(result.notes))
    if result.path is not None:
        if len(result.paths) > 1:
            others = f"The first of {len(result.paths):,} answers; to_html() plays the others."
            parts.append(tag("p", others))
        parts.append(face(result.path))
    return Markup("").join(parts)


@face.register
def _(space: Space) -> Markup:
    size = f"{counted(len(space), 'state')}, {counted(len(space.edges), 'step')}"
    head = _head(space.puzzle, f"{size}, depth {space.depth:,} ({space.end})")
    if len(space) > MOST_NODES:
        return head + _levels(space.levels)
    return head + tag("div", graph_of(space).svg(), style=WIDE)


def graph_of(space: Space) -> Graph:
    puzzle, goal = space.puzzle, space.puzzle.goal
    dead = set(space.dead_ends())
    goals = () if goal is None else (meaning.is_goal(puzzle, one, goal) for one in space.states)
    return Graph(
        depths=space.level,
        links=space.edges,
        said=[str(state) for state in space.states],
        pictures=[drawn_or_told(puzzle, state) for state in space.states],
        goals={at for at, met in enumerate(goals) if met},
        dead={at for at, state in enumerate(space.states) if state in dead},
    )


@face.register
def _(found: Distances) -> Markup:
    text = f"{counted(found.states, 'state')}, depth {found.depth:,} ({found.end})"
    return _head(found.puzzle, text) + _levels(found.levels)


@face.register
def _(found: Hardest) -> Markup:
    parts = [_head(found.puzzle, found.summary()), _notes(found.notes)]
    if found.levels:
        parts += [tag("p", "states by how far they are from a goal:"), _levels([*found.levels])]
    if found.farthest:
        first = drawn_or_told(found.puzzle, found.farthest[0])
        parts += [tag("p", f"the first of {found.number:,} that are farthest:"), first.svg()]
    return Markup("").join(parts)


@face.register
def _(rating: Rating) -> Markup:
    drawn = drawn_or_told(rating.puzzle, rating.start).svg()
    figures = table(["figure", "value"], rating.rows(), left=(0,))
    beside = tag("div", drawn, figures, style="display:flex;flex-wrap:wrap;gap:1em")
    return _head(rating.puzzle, rating.summary()) + beside + _notes(rating.notes)


@face.register
def _(comparison: Comparison) -> Markup:
    head, *rows = comparison.rows()
    return tag("div", table(head, rows, left=(0, 1, 4)), style=WIDE)


def _head(puzzle: Puzzle, text: str) -> Markup:
    return tag("p", tag("b", puzzle.name), f": {text}")


def _notes(notes: tuple[str, ...]) -> Markup:
    return tag("ul", *(tag("li", note) for note in notes)) if notes else Markup("")


def _levels(levels: list[int]) -> Markup:
    rows = [[f"{depth:,}", f"{size:,}"] for depth, size in enumerate(levels)]
    shown = tag("details", tag("summary", "as a table"), table(["depth", "states"], rows, left=()))
    return chart(levels) + shown


def _lines(text: str) -> Markup:
    made = Markup("\n").join(tag("span", line) for line in text.split("\n"))
    return tag("pre", made)


def _code(text: str) -> Markup:
    cut = text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"
    return tag("code", cut, style="overflow-wrap:anywhere")
