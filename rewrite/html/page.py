"""The page of a path or a result: one file, which plays, prints, and fetches nothing."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path as File
from typing import Any

from attrs import frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rewrite.drawing.drawing import STYLE
from rewrite.drawing.sheet import Sheet
from rewrite.drawing.tags import Markup, tag
from rewrite.html.chart import STYLE_OF_CHARTS, chart
from rewrite.html.film import Film, film_of
from rewrite.html.tables import rules_tried
from rewrite.language.labels import one_line
from rewrite.outcome.path import Path
from rewrite.outcome.result import Result

HERE = File(__file__).parent
MOST_ANSWERS = 20
"""So many answers of a result are played; the page says how many there are."""


@frozen
class Frame:
    """One picture of the strip, in which the reader's browser finds what it plays."""

    svg: Markup
    caption: str
    travels: str


@frozen
class Player:
    """A path, as the page plays it.

    wide   of its pictures, in pixels
    alone  what is said of a path without steps
    """

    title: str
    frames: Sequence[Frame]
    wide: int
    alone: str


def page_of(value: Path | Result) -> str:
    """Return the page of a path or a result. Raises ReplayError for a path that is none."""
    return path_page(value) if isinstance(value, Path) else result_page(value)


def path_page(path: Path) -> str:
    """Return the page that plays a path."""
    sheet, players = _players([film_of(path)], [""])
    return _page(path.puzzle.name, _length(path), sheet, players)


def result_page(result: Result) -> str:
    """Return the page of a result: what was found, and what it cost."""
    shown = result.paths[:MOST_ANSWERS]
    titles = [f"{number}: {_length(path)}{_where(path)}" for number, path in enumerate(shown, 1)]
    sheet, players = _players([film_of(path) for path in shown], titles)
    notes = list(result.notes)
    if len(shown) < len(result.paths):
        notes.insert(0, f"the first {len(shown)} of {len(result.paths):,} answers are played here")
    more = []
    if len(result.levels) > 1:
        bars = tag("figure", chart(result.levels, style=False))
        more += [tag("h2", "States of each level"), bars]
    if result.rules:
        table = tag("div", rules_tried(result), class_="wide")
        more.append(tag("details", tag("summary", "What became of each rule"), table))
    summary = result.summary().removesuffix("; .resume() goes on")
    return _page(result.puzzle.name, summary, sheet, players, notes, Markup("\n").join(more))


def _players(films: list[Film], titles: list[str]) -> tuple[Markup, list[Player]]:
    """Return the looks of all films, and the players that use them."""
    every = [film.marked() for film in films]
    sheet = Sheet([drawing for drawings in every for drawing in drawings])
    players, first = [], 0
    for film, drawings, title in zip(films, every, titles, strict=True):
        svgs = [sheet.frame(number) for number in range(first, first + len(drawings))]
        first += len(drawings)
        rows = zip(svgs, film.captions(), film.travels(), strict=True)
        frames = [Frame(*row) for row in rows]
        alone = "Solved at the start" if title else "No steps: the start is the end"
        players.append(Player(title, frames, round(drawings[0].width), alone))
    return sheet.svg() if films else Markup(""), players


def _length(path: Path) -> str:
    cost = f", cost {path.cost:,}" if path.cost != len(path) else ""
    return f"{len(path):,} step{'s' * (len(path) != 1)}{cost}"


def _where(path: Path) -> str:
    where = ", ".join(f"{name} = {value!r}" for name, value in path.bindings.items())
    return f", where {where}" if where else ""


def _page(
    title: str,
    summary: str,
    sheet: Markup,
    players: list[Player],
    notes: Sequence[str] = (),
    more: object = "",
) -> str:
    text = script()
    made: str = _template().render(
        title=title,
        summary=summary,
        notes=notes,
        sheet=sheet,
        players=players,
        more=more,
        style=Markup(STYLE + STYLE_OF_CHARTS + _read("page.css")),
        script=Markup(text),
        script_hash=Markup(hash_of(text)),
    )
    return made


def script() -> str:
    """Return the script of a page: what shows a picture, and what plays."""
    return _read("stage.js") + _read("player.js")


def hash_of(text: str) -> str:
    """Return the hash by which a content security policy allows a script that a page holds.

    >>> hash_of("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _read(name: str) -> str:
    return (HERE / name).read_text("utf-8")


@cache
def _template() -> Any:
    """Return the template. Whatever it is given is escaped, and holds nothing but what is seen."""
    made = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) else one_line(str(value)),
    )
    return made.get_template("page.html")
