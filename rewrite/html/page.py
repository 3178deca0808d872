"""The page of a path or a result: one file, which plays, prints, and fetches nothing; its film."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path as File
from typing import Any

from attrs import frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rewrite.drawing.animated import animated
from rewrite.drawing.change import Change, change, marked
from rewrite.drawing.drawing import STYLE, Drawing
from rewrite.drawing.sheet import Sheet, of_one_size
from rewrite.drawing.tags import Markup, tag
from rewrite.html.tables import STYLE_OF_CHARTS, chart, rules_tried
from rewrite.language.labels import one_line
from rewrite.outcome.moves import Step
from rewrite.outcome.path import Path
from rewrite.outcome.result import Result, counted
from rewrite.views.pictures import drawn_or_told, fresh

HERE = File(__file__).parent
MOST_ANSWERS = 20
"""So many answers of a result are played; the page says how many there are."""


@frozen(eq=False)
class Film:
    """The pictures of a path.

    drawings  of every state, on panels of one size
    changes   how each becomes the next
    steps     the steps between them
    """

    drawings: Sequence[Drawing]
    changes: Sequence[Change]
    steps: Sequence[Step]

    def marked(self) -> list[Drawing]:
        """Return the drawings, in each of which what the last step put there is marked."""
        later = [
            marked(before, after, fresh(step.before, step.after))
            for (before, after), step in zip(pairwise(self.drawings), self.steps, strict=True)
        ]
        return [self.drawings[0], *later]

    def captions(self) -> list[str]:
        labels = [one_line(step.label) for step in self.steps]
        return ["start", *(f"{number}. {label}" for number, label in enumerate(labels, 1))]

    def travels(self) -> list[str]:
        """Return for each picture which marks of the one before travelled there: "3-4 5-6"."""
        return ["", *(" ".join(f"{a}-{b}" for a, b in one.travels) for one in self.changes)]


def film_of(path: Path) -> Film:
    """Return the film of a path. Raises ReplayError; a view that fails is told in its picture."""
    drawings = of_one_size([drawn_or_told(path.puzzle, state) for state in path.states])
    changes = [
        change(before, after, step.taken, step.put)
        for (before, after), step in zip(pairwise(drawings), path.steps, strict=True)
    ]
    return Film(drawings, changes, path.steps)


def animation(path: Path) -> str:
    """Return the path as an animated SVG."""
    film = film_of(path)
    title = f"{one_line(path.puzzle.name)}, {counted(len(path), 'step')}"
    return str(animated(film.drawings, film.changes, title)) + "\n"


def page_of(value: Path | Result) -> str:
    """Return the page of a path or a result. Raises ReplayError for a path that is none."""
    return path_page(value) if isinstance(value, Path) else result_page(value)


def path_page(path: Path) -> str:
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


def _players(films: list[Film], titles: list[str]) -> tuple[Markup, list[dict[str, Any]]]:
    """Return the looks of all films, and what the template knows of their players."""
    every = [film.marked() for film in films]
    sheet = Sheet([drawing for drawings in every for drawing in drawings])
    players, first = [], 0
    for film, drawings, title in zip(films, every, titles, strict=True):
        svgs = [sheet.frame(number) for number in range(first, first + len(drawings))]
        first += len(drawings)
        rows = zip(svgs, film.captions(), film.travels(), strict=True)
        players.append(
            {
                "title": title,
                "frames": [
                    {"svg": svg, "caption": said, "travels": text} for svg, said, text in rows
                ],
                "wide": round(drawings[0].width),
                "alone": "Solved at the start" if title else "No steps: the start is the end",
            }
        )
    return sheet.svg() if films else Markup(""), players


def _length(path: Path) -> str:
    cost = f", cost {path.cost:,}" if path.cost != len(path) else ""
    return counted(len(path), "step") + cost


def _where(path: Path) -> str:
    where = ", ".join(f"{name} = {value!r}" for name, value in path.bindings.items())
    return f", where {where}" if where else ""


def _page(
    title: str,
    summary: str,
    sheet: Markup,
    players: list[dict[str, Any]],
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
