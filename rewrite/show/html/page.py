"""The page of a path or a result: one self-contained file that plays and prints."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path as File
from typing import Any

from attrs import evolve
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rewrite.language.labels import one_line
from rewrite.language.states import beyond
from rewrite.results.path import Path
from rewrite.results.result import Result, counted, exact, where
from rewrite.show.drawing.change import Change, change, marked
from rewrite.show.drawing.drawing import STYLE, Drawing
from rewrite.show.drawing.sheet import Sheet, animated, of_one_size
from rewrite.show.drawing.tags import Markup, tag
from rewrite.show.html.tables import STYLE_OF_CHARTS, chart, rules_tried
from rewrite.show.views.pictures import film

HERE = File(__file__).parent
MOST_ANSWERS = 20
"""The most answers that are played; the page says how many there are."""


def _film(path: Path) -> tuple[list[Drawing], list[Change]]:
    drawings = of_one_size(film(path))
    pairs = zip(pairwise(drawings), path.steps, strict=True)
    return drawings, [change(*pair, step.taken, step.put) for pair, step in pairs]


def animation(path: Path) -> str:
    title = f"{one_line(path.puzzle.name)}, {counted(len(path), 'step')}"
    return str(animated(*_film(path), title)) + "\n"


def page_of(value: Path | Result) -> str:
    return path_page(value) if isinstance(value, Path) else result_page(value)


def path_page(path: Path) -> str:
    sheet, players = _players([path], [""])
    return _page(path.puzzle.name, _length(path), sheet, players)


def result_page(result: Result) -> str:
    shown = result.paths[:MOST_ANSWERS]
    titles = [f"{number}: {_length(path)}{where(path)}" for number, path in enumerate(shown, 1)]
    sheet, players = _players(shown, titles)
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
    summary = evolve(result, resume=None).summary()  # which would offer .resume()
    return _page(result.puzzle.name, summary, sheet, players, notes, Markup("\n").join(more))


def _players(paths: Sequence[Path], titles: Sequence[str]) -> tuple[Markup, list[dict[str, Any]]]:
    films = [_film(path) for path in paths]
    every: list[Drawing] = []
    for path, (drawings, _) in zip(paths, films, strict=True):
        every.append(drawings[0])
        for pair, step in zip(pairwise(drawings), path.steps, strict=True):
            every.append(marked(*pair, beyond(step.after, step.before)))
    sheet = Sheet(every)
    players, first = [], 0
    for path, title, (drawings, changes) in zip(paths, titles, films, strict=True):
        labels = [one_line(step.label) for step in path.steps]
        captions = ["start", *(f"{number}. {label}" for number, label in enumerate(labels, 1))]
        travels = ["", *(" ".join(f"{a}-{b}" for a, b in one.travels) for one in changes)]
        frames = [
            {"svg": sheet.frame(first + at), "caption": caption, "travels": travels[at]}
            for at, caption in enumerate(captions)
        ]
        first += len(frames)
        alone = "Solved at the start" if title else "No steps: the start is the end"
        wide = round(drawings[0].width)
        players.append({"title": title, "frames": frames, "wide": wide, "alone": alone})
    return sheet.svg() if paths else Markup(""), players


def _length(path: Path) -> str:
    cost = f", cost {exact(path.cost)}" if path.cost != len(path) else ""
    return counted(len(path), "step") + cost


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
        script_hash=Markup(f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"),
    )
    return made


def script() -> str:
    return _read("stage.js") + _read("player.js")


@cache
def _read(name: str) -> str:
    return (HERE / name).read_text("utf-8")


@cache
def _template() -> Any:
    """Return the template. All values are escaped, including invisible characters."""
    made = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) else one_line(str(value)),
    )
    return made.get_template("page.html")
