"""The data about a position sent to the page; only this module knows the field names."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import asdict

from rewrite.errors import RewriteError
from rewrite.language.labels import one_line
from rewrite.play.game import Game, in_link
from rewrite.play.pointing import Handle, handle_of
from rewrite.play.positions import Instance, Position
from rewrite.results.result import counted
from rewrite.results.sentences import LATE, told_goal, told_stop
from rewrite.show.drawing.change import change

MOST_HANDLES, MOST_DRAWN = 300, 20_000
"""The most moves that can be made by pointing, and marks drawn to find their destinations; other
moves are only buttons."""
LONGEST_TEXT = 2_000
"""The most characters of a state as text."""
MOST_AHEAD, MARKS_AHEAD, LONGEST_AHEAD = 40, 4_000, 0.1
"""The most moves to draw pictures ahead of, their marks in all, and the seconds it may take."""
LONGEST = 1.0
"""Seconds after which the remaining rules are listed without a reason."""


def facts_at(instance: Instance, game: Game, here: Position) -> dict[str, Any]:
    with instance.lock:
        picture, goal, fault = here.picture, _goal(instance, here), instance.fault
        steps: list[dict[str, Any]] = []
        try:
            steps = _steps(instance, here)
        except RewriteError as error:
            fault = error.message
        label = here.step.label if here.step else ""
        ended = goal is not None and not (steps or fault or goal["reached"])
        said = f"{label}; {counted(len(steps), 'move')}".lstrip("; ")
        return {
            "digest": instance.digest,
            "changed": game.digest is not None and game.digest != instance.digest,
            "moves": here.played(),
            "lost": len(game.moves) - here.number,
            "number": here.number,
            "cost": here.cost if instance.has_costs else None,
            "label": label,
            "said": said if here.step else "",
            "text": (picture.said or str(here.state))[:LONGEST_TEXT],
            "picture": str(picture.svg(style=False)),
            "travels": _travels(here),
            "dead": instance.is_dead(here),
            "left": instance.told_left(here),
            "goal": goal,
            "fault": fault,
            "end": "No move leads on: a dead end." if ended else "",
            "steps": steps,
        }


def pictures_after(
    instance: Instance, here: Position, stops: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """`stops`: whether to draw no more, because the game has gone on."""
    until = time.monotonic() + LONGEST_AHEAD
    with instance.lock:
        most = min(MOST_AHEAD, MARKS_AHEAD // max(1, len(here.drawing.marks)))
        moves = list(here.moves().items())[:most]
    for move, step in moves:
        if stops() or time.monotonic() > until:
            return
        with instance.lock:
            after = here.beyond(move, step)
            picture, travels = str(after.picture.svg(style=False)), _travels(after)
        yield {"move": in_link(move), "picture": picture, "travels": travels}


def _travels(here: Position) -> Sequence[tuple[int, int]]:
    if here.earlier is None or here.step is None:
        return ()
    step = here.step
    return change(here.earlier.drawing, here.drawing, step.taken, step.put).travels


def _goal(instance: Instance, here: Position) -> dict[str, Any] | None:
    if instance.puzzle.goal is None:
        return None
    told = told_goal(instance.puzzle, here.state)
    parts = [{"text": text, "holds": holds, "raw": raw} for text, holds, raw in told]
    return {"reached": instance.is_goal(here.state), "parts": parts}


def _steps(instance: Instance, here: Position) -> list[dict[str, Any]]:
    visited = {one.state for one in here.way()}
    lost = instance.is_dead(here)
    costs = instance.has_costs
    pieces = sum(bool(mark.terms) for mark in here.drawing.marks)  # 0: the state is shown as text
    handles = min(MOST_HANDLES, MOST_DRAWN // len(here.drawing.marks)) if pieces else 0
    found = []
    for index, (move, step) in enumerate(here.moves().items()):
        handle = Handle()
        if index < handles:
            handle = handle_of(here.drawing, here.beyond(move, step).drawing, step)
        found.append({
            "label": step.label,
            "move": in_link(move),
            "cost": step.cost if costs else None,
            "visited": step.after in visited,
            "dead": lost or step.after in instance.dead,
            **asdict(handle, recurse=False),
        })  # fmt: skip
    return found


def idle_rules(
    here: Position, stops: Callable[[], bool] = lambda: False
) -> Iterator[dict[str, str]]:
    """`stops`: whether to look no further, because the game has gone on."""
    until, active = time.monotonic() + LONGEST, {step.rule for step in here.steps}
    for rule in here.puzzle.rules:
        if rule not in active:
            late = stops() or time.monotonic() > until
            why, raw = (LATE, "") if late else told_stop(here.puzzle, here.state, rule)
            yield {"rule": one_line(rule.name), "why": why, "raw": raw}
