"""Walks: chains of steps in which one piece goes and everything else stays."""

from __future__ import annotations

import math
import time
from heapq import heappop, heappush
from itertools import count
from typing import Any

from rewrite.errors import SearchError
from rewrite.play.pointing import Point, middle_of
from rewrite.play.positions import Instance, Position
from rewrite.results.moves import Step
from rewrite.show.drawing.change import change
from rewrite.show.drawing.drawing import Drawing, Mark
from rewrite.show.drawing.looks import SIDE

LONGEST = 1.2
"""Seconds after which a walk is given up."""


def walk(instance: Instance, here: Position, mark: int, to: Point) -> list[Any]:
    """Best-first by the steps made and the cells still to go: short, mostly shortest."""
    with instance.lock:
        marks, until, order = here.drawing.marks, time.monotonic() + LONGEST, count()
        if not (0 <= mark < len(marks) and marks[mark].terms):
            raise SearchError("There is no piece to go there.")
        todo, seen = [(0.0, next(order), here, mark)], {here.state}
        while todo:
            _, _, place, number = heappop(todo)
            if _covers(place.drawing.marks[number], to):
                return place.played(here.number)
            if time.monotonic() > until:
                raise SearchError("This is too far to find a way there soon.")
            for move, step in place.moves().items():
                following = None if step.after in seen else instance.after(place, move)
                if following is None:
                    continue
                arrived = _alone(place.drawing, following.drawing, step, number)
                if arrived is not None:
                    seen.add(step.after)
                    middle = middle_of(following.drawing.marks[arrived])
                    far = following.number - here.number + math.dist(middle, to) / SIDE
                    heappush(todo, (far, next(order), following, arrived))
    raise SearchError("This piece cannot go there by itself.")


def _covers(mark: Mark, to: Point) -> bool:
    (x, y), look = middle_of(mark), mark.look
    return abs(x - to[0]) <= look.width / 2 and abs(y - to[1]) <= look.height / 2


def _alone(before: Drawing, after: Drawing, step: Step, mark: int) -> int | None:
    changed = change(before, after, step.taken, step.put)
    travels = [(one, other) for one, other in changed.travels if before.marks[one].terms]
    return travels[0][1] if len(travels) == 1 and travels[0][0] == mark else None
