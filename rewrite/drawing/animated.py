"""Drawings one after the other as one animated SVG: style sheets alone, no script.

Each mark is followed through all drawings. Where nothing moves (a reader who asked for less motion,
a program without CSS), the last drawing is seen. The same drawings give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen

from rewrite.drawing.change import Change
from rewrite.drawing.drawing import STYLE, Drawing, Look
from rewrite.drawing.sheet import Sheet, of_one_size
from rewrite.drawing.tags import Markup, number, tag

BEFORE, STEP, AFTER = 1.0, 0.25, 3.0  # seconds: at the start, for each step, at the end
Place = tuple[float, float]


@frozen(eq=False)
class Journey:
    """A mark, followed from drawing to drawing.

    look     what it looks like
    begin    the number of the first drawing that shows it
    places   where it is in that one and those that follow
    numbers  its numbers there: later marks lie above earlier ones
    """

    look: Look
    begin: int
    places: list[Place]
    numbers: list[int]

    @property
    def end(self) -> int:
        return self.begin + len(self.places) - 1


def journeys(drawings: Sequence[Drawing], changes: Sequence[Change]) -> list[Journey]:
    """Return the journeys of all marks, those first that lie below the others at their end."""
    found: list[Journey] = []

    def begun(at: int, mark: int) -> Journey:
        shown = drawings[at].marks[mark]
        found.append(Journey(shown.look, at, [(shown.x, shown.y)], [mark]))
        return found[-1]

    current = {mark: begun(0, mark) for mark in range(len(drawings[0].marks))}
    for at, change in enumerate(changes, 1):
        after = drawings[at].marks
        going = {b: current[a] for a, b in (*change.stays, *change.travels)}
        for mark, journey in going.items():
            journey.places.append((after[mark].x, after[mark].y))
            journey.numbers.append(mark)
        current = going | {mark: begun(at, mark) for mark in change.new}
    return sorted(found, key=lambda journey: (journey.numbers[-1], journey.begin))


def animated(drawings: Sequence[Drawing], changes: Sequence[Change], title: str) -> Markup:
    """Return the animated SVG of drawings.

    changes  how each drawing becomes the next: one fewer than there are drawings
    title    what is read out instead of the picture

    >>> from rewrite.drawing.change import change
    >>> from rewrite.drawing.drawing import Mark
    >>> dot = Look(tag("circle", r=5), 10, 10)
    >>> here, there = (Drawing(40, 20, [Mark(dot, x, 5)]) for x in (5, 25))
    >>> svg = animated([here, there], [change(here, there)], "a dot")
    >>> svg.count("@keyframes"), "translate(-20px,0px)" in svg
    (1, True)
    """
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
    """Return the second at which a drawing begins to become the next one."""
    return BEFORE + at * STEP


def _frame(time: float, seconds: float, what: str) -> str:
    return f"{number(100 * time / seconds)}%{{{what}}}"


def _moving(journey: Journey, seconds: float) -> list[str]:
    """Return keyframes that shift a mark from where it is at its end."""
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
    """Return keyframes that show a mark only from its beginning to its end."""
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
