"""Many drawings in one document, with each look drawn only once; or one animated SVG of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from zlib import crc32

from attrs import evolve, frozen

from rewrite.show.drawing.change import Change
from rewrite.show.drawing.drawing import STYLE, XMLNS, Drawing, Look, Mark, outlined
from rewrite.show.drawing.tags import Markup, number, tag

BEFORE, STEP, AFTER = 1.0, 0.25, 3.0  # seconds: at the start, for each step, at the end
Place = tuple[float, float]


def of_one_size(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return drawings on panels of equal size, so that nothing jumps between frames."""
    width = max(drawing.width for drawing in drawings)
    height = max(drawing.height for drawing in drawings)
    return [evolve(drawing, width=width, height=height) for drawing in drawings]


class Sheet:
    """Each look once, and frames that use it; named by hashes, so that sheets can share a page."""

    def __init__(self, drawings: Sequence[Drawing]) -> None:
        self.drawings = drawings
        looks = dict.fromkeys(mark.look for drawing in drawings for mark in drawing.marks)
        self._names = {look: f"l{number}" for number, look in enumerate(looks)}
        drawn = "".join(str(look.svg) for look in looks).encode("utf-8", "backslashreplace")
        sizes = f"{[(d.width, d.height) for d in drawings[:1]]}".encode()
        self.prefix = f"r{crc32(sizes, crc32(drawn)):x}"

    def name(self, look: Look) -> str:
        return f"{self.prefix}{self._names[look]}"

    def looks(self) -> Markup:
        return Markup("").join(tag("g", look.svg, id=self.name(look)) for look in self._names)

    def svg(self) -> Markup:
        """Return the sheet with no size; `display: none` would hide its uses in browsers."""
        return tag(
            "svg", tag("defs", self.looks()),
            xmlns=XMLNS, class_="rw rw-sheet", width=0, height=0, aria_hidden="true",
            **{"xml:space": "preserve"},
        )  # fmt: skip

    def frame(self, at: int) -> Markup:
        """Return an `<svg>` whose marks are `use[data-mark]`, or `g[data-mark]` if changed."""
        return self.drawings[at].framed(self.inside(at))

    def inside(self, at: int) -> Markup:
        return Markup("").join(self.mark(*pair) for pair in enumerate(self.drawings[at].marks))

    def mark(self, at: int, mark: Mark) -> Markup:
        href = f"#{self.name(mark.look)}"
        if not mark.changed:
            x, y = mark.x or None, mark.y or None
            return tag("use", href=href, x=x, y=y, data_mark=at)
        where = f"translate({number(mark.x)} {number(mark.y)})"
        content = tag("use", href=href), outlined(mark.look)
        return tag("g", *content, data_mark=at, transform=where)


@frozen(eq=False)
class Journey:
    """A mark, followed by its places from the drawing with the number `begin` on."""

    look: Look
    begin: int
    places: list[Place]

    @property
    def end(self) -> int:
        return self.begin + len(self.places) - 1


def journeys(drawings: Sequence[Drawing], changes: Sequence[Change]) -> list[Journey]:
    def begun(at: int, mark: int) -> Journey:
        shown = drawings[at].marks[mark]
        return Journey(shown.look, at, [(shown.x, shown.y)])

    shown = [{mark: begun(0, mark) for mark in range(len(drawings[0].marks))}]
    for at, change in enumerate(changes, 1):
        after = drawings[at].marks
        going = {b: shown[-1][a] for a, b in (*change.stays, *change.travels)}
        for mark, journey in going.items():
            journey.places.append((after[mark].x, after[mark].y))
        shown.append(going | {mark: begun(at, mark) for mark in change.new})
    return _stacked(shown)


def _stacked(shown: Sequence[dict[int, Journey]]) -> list[Journey]:
    """Return journeys from the bottom up, given those in each drawing by their mark.

    Each is above all that it was drawn on in its last drawing. Numbers of marks say this of one
    drawing only: another has more or fewer.
    """
    ranks = {journey: (number_, 0) for number_, journey in shown[-1].items()}
    for drawing in reversed(shown):
        top = (0, 0)
        for _, journey in sorted(drawing.items(), key=lambda item: item[0]):
            top = max(top, ranks.setdefault(journey, (top[0], len(ranks))))
    return sorted(ranks, key=ranks.__getitem__)


def animated(drawings: Sequence[Drawing], changes: Sequence[Change], title: str) -> Markup:
    """`changes`: how each drawing becomes the next: one fewer than the drawings."""
    drawings = of_one_size(drawings)
    last = len(drawings) - 1
    seconds = BEFORE + STEP * last + AFTER
    sheet = Sheet(drawings)
    rules: list[str] = []
    marks = []
    for journey in journeys(drawings, changes):
        frames = _fading(journey, last, seconds) + _moving(journey, seconds)
        name = None
        if frames:
            name = f"{sheet.prefix}j{len(rules)}"
            rules.append(
                f".{name}{{animation:{name} {number(seconds)}s ease-in-out infinite}}"
                f"@keyframes {name}{{{''.join(frames)}}}"
            )
        x, y = journey.places[-1]
        hidden = 0 if journey.end < last else None
        href = f"#{sheet.name(journey.look)}"
        marks.append(tag("use", href=href, x=x or None, y=y or None, class_=name, opacity=hidden))
    moving = f"@media (prefers-reduced-motion:no-preference){{{''.join(rules)}}}" if rules else ""
    return drawings[-1].framed(
        tag("title", title), tag("defs", sheet.looks()), *marks, style=STYLE + moving
    )


def _at(at: int) -> float:
    return BEFORE + at * STEP


def _frame(time: float, seconds: float, what: str) -> str:
    return f"{number(100 * time / seconds)}%{{{what}}}"


def _moving(journey: Journey, seconds: float) -> list[str]:
    lastx, lasty = journey.places[-1]

    def frame(time: float, place: Place) -> str:
        x, y = number(place[0] - lastx), number(place[1] - lasty)
        return _frame(time, seconds, f"transform:translate({x}px,{y}px)")

    if len({*journey.places}) == 1:
        return []
    frames = [frame(0, journey.places[0])]
    for at, (here, there) in enumerate(pairwise(journey.places), journey.begin):
        if here != there:
            frames += [frame(_at(at), here), frame(_at(at + 1), there)]
    return [*frames, frame(seconds, journey.places[-1])]


def _fading(journey: Journey, last: int, seconds: float) -> list[str]:
    points: list[tuple[float, int]] = []
    if journey.begin:
        begin = _at(journey.begin - 1)
        points += [(0, 0), (begin, 0), (begin + STEP, 1)]
    elif journey.end < last:
        points.append((0, 1))
    if journey.end < last:
        end = _at(journey.end)
        points += [(end, 1), (end + STEP, 0), (seconds, 0)]
    elif journey.begin:
        points.append((seconds, 1))
    return [_frame(time, seconds, f"opacity:{seen}") for time, seen in points]
