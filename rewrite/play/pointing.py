"""What a pointer and the arrow keys do: the marks by which to grab a move, and their goals."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable

from attrs import frozen

from rewrite.language.order import Key, term_key
from rewrite.results.moves import Step
from rewrite.show.drawing.change import change
from rewrite.show.drawing.drawing import Drawing, Mark

WAYS = {"up": "up", "u": "up", "↑": "up", "down": "down", "d": "down", "↓": "down"}
WAYS |= {"left": "left", "l": "left", "←": "left", "right": "right", "r": "right", "→": "right"}
"""The last words of labels that name a direction; a letter or arrow only as the whole label."""
Point = tuple[float, float]


@frozen
class Handle:
    """How a user grabs a move.

    marks    the numbers of the marks in the current picture that stand for it
    goals    the destination of each mark's middle; empty if the marks do not travel
    way      the arrow key for it: up, down, left, right; "" for none
    """

    marks: tuple[int, ...] = ()
    goals: tuple[Point, ...] = ()
    way: str = ""


def handle_of(before: Drawing, after: Drawing, step: Step) -> Handle:
    """Return where a user grabs the step between two pictures.

    Prefer marks that travel; else marks that disappear; among those, the middle one. Marks that
    only make room for others do not count.
    """
    changed = change(before, after, step.taken, step.put)
    taken, put = (frozenset(map(term_key, terms)) for terms in (step.taken, step.put))
    travels = [
        (one, other)
        for one, other in changed.travels
        if _shows(before.marks[one], taken) and _shows(after.marks[other], put)
    ]
    if not travels:
        gone = [number for number in changed.gone if _shows(before.marks[number], taken)]
        same = [one for one, _ in changed.stays if _shows(before.marks[one], taken)]
        return Handle(_middle(before, gone) or (*gone, *same), (), _said(step.label))
    moved = [(before.marks[one], after.marks[other]) for one, other in travels]
    goals = tuple(middle_of(after) for _, after in moved)
    marks = tuple(one for one, _ in travels)
    return Handle(marks, goals, _said(step.label) or _seen(moved))


def _shows(mark: Mark, terms: Container[Key]) -> bool:
    return any(term_key(term) in terms for term in mark.terms)


def middle_of(mark: Mark) -> Point:
    return mark.x + mark.look.width / 2, mark.y + mark.look.height / 2


def _middle(drawing: Drawing, numbers: list[int]) -> tuple[int, ...]:
    if len(numbers) < 3:
        return ()
    places = {number: middle_of(drawing.marks[number]) for number in numbers}
    centre = tuple(sum(axis) / len(numbers) for axis in zip(*places.values(), strict=True))
    far = {number: math.dist(place, centre) for number, place in places.items()}
    near = [number for number in numbers if far[number] < min(far.values()) + 1]
    return tuple(near) if len(near) == 1 else ()


def _said(label: str) -> str:
    words = label.lower().split()
    last = words[-1] if words else ""
    return WAYS.get(last, "") if len(words) == 1 or len(last) > 1 else ""


def _seen(moved: Iterable[tuple[Mark, Mark]]) -> str:
    found = {_direction(after.x - before.x, after.y - before.y) for before, after in moved}
    return found.pop() if len(found) == 1 else ""


def _direction(right: float, down: float) -> str:
    if abs(right) < 1 < abs(down):
        return "down" if down > 0 else "up"
    if abs(down) < 1 < abs(right):
        return "right" if right > 0 else "left"
    return ""
