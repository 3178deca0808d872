"""What the page is told of a position, as plain data: the one place that knows the field names."""

from __future__ import annotations

import time
from collections.abc import Container, Iterator, Sequence
from typing import Any

from rewrite.drawing.change import change
from rewrite.errors import RewriteError
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.outcome.explain import explain
from rewrite.views.pictures import drawn_or_told
from rewrite.web.game import Game, Move
from rewrite.web.goals import parts_of
from rewrite.web.pointing import handle_of
from rewrite.web.positions import Instance, Position

MOST_HANDLES, MOST_DRAWN = 300, 20_000
"""Moves that can be made by pointing, and marks that are drawn to find out where they lead; the
other moves are buttons alone."""
LONGEST_TEXT = 2_000
"""Characters of a state in words."""
MOST_PARTS = 100
"""Parts of a goal that are listed one by one."""
LONGEST = 1.0
"""Seconds after which the remaining rules are named without a reason."""


def facts_at(instance: Instance, game: Game, here: Position, why: bool) -> dict[str, Any]:
    """Return what the page shows of a position. One expansion, where it is new.

    why   whether to say why rules make no step here
    """
    with instance.lock:
        picture = here.picture
        facts: dict[str, Any] = {
            "digest": instance.digest,
            "changed": game.digest is not None and game.digest != instance.digest,
            "moves": [in_link(move) for move in game.moves[: here.number]],
            "lost": len(game.moves) - here.number,
            "number": here.number,
            "cost": here.cost if instance.has_costs else None,
            "label": here.step.label if here.step else "",
            "text": (picture.said or str(here.state))[:LONGEST_TEXT],
            "picture": str(picture.svg(style=False)),
            "travels": _travels(here),
            "dead": instance.is_dead(here),
            "left": _left(instance, here),
            "goal": _goal(instance, here),
            "fault": "",
            "steps": [],
            "idle": [],
        }
        try:
            facts["steps"] = _steps(instance, here)
            if why:
                active = {id(step.rule) for step in here.steps}
                facts["idle"] = list(idle_rules(here.puzzle, here.state, active))
        except RewriteError as error:
            facts["fault"] = error.message
        return facts


def in_link(move: Move) -> Any:
    """Return a move as it stands in a link: its label, with a number where several read so."""
    label, number = move
    return label if number == 1 else [label, number]


def _travels(here: Position) -> Sequence[tuple[int, int]]:
    if here.earlier is None or here.step is None:
        return ()
    step = here.step
    return change(here.earlier.drawing, here.drawing, step.taken, step.put).travels


def _left(instance: Instance, here: Position) -> dict[str, Any] | None:
    known = instance.known.get(here.state)
    return None if known is None else instance.told_left(known) | {"steps": known.left}


def _goal(instance: Instance, here: Position) -> dict[str, Any] | None:
    if instance.puzzle.goal is None:
        return None
    parts = parts_of(instance.puzzle, here.state, instance.puzzle.goal)
    return {
        "reached": instance.is_goal(here.state),
        "holding": sum(holds is True for _, holds in parts),
        "of": len(parts),
        "parts": [{"text": text, "holds": holds} for text, holds in parts[:MOST_PARTS]],
    }


def _steps(instance: Instance, here: Position) -> list[dict[str, Any]]:
    visited = {one.state for one in here.way()}
    lost = instance.is_dead(here)
    costs = instance.has_costs
    pieces = sum(bool(mark.terms) for mark in here.drawing.marks)  # none: the state is a text
    handles = min(MOST_HANDLES, MOST_DRAWN // len(here.drawing.marks)) if pieces else 0
    found = []
    for index, (step, move) in enumerate(zip(here.steps, here.moves(), strict=True)):
        facts: dict[str, Any] = {
            "label": step.label,
            "move": in_link(move),
            "cost": step.cost if costs else None,
            "visited": step.after in visited,
            "dead": lost or step.after in instance.dead,
            "marks": [],
            "goals": [],
            "way": "",
        }
        if index < handles:
            handle = handle_of(here.drawing, drawn_or_told(here.puzzle, step.after), step)
            facts |= {"marks": handle.marks, "goals": handle.goals, "way": handle.way}
        found.append(facts)
    return found


def idle_rules(puzzle: Puzzle, state: State, active: Container[int]) -> Iterator[dict[str, str]]:
    """Yield each rule that makes no step in a state, and the first condition nothing passes.

    active  the `id`s of the rules that make steps here
    """
    until = time.monotonic() + LONGEST
    for rule in puzzle.rules:
        if id(rule) not in active:
            late = "not looked into: the rules before it took long"
            yield {
                "rule": rule.name,
                "why": _why(puzzle, state, rule) if time.monotonic() < until else late,
            }


def _why(puzzle: Puzzle, state: State, rule: Rule) -> str:
    try:
        funnel = explain(puzzle, state, rule)
    except RewriteError as error:
        return error.message
    stage = next((stage for stage in funnel.stages if not stage.survived), None)
    if stage is None:
        return "nothing comes through"
    shown = stage.dropped and any(one.survived for one in funnel.stages)
    example = f"; e.g. {stage.example}" if stage.example and shown else ""
    return f"nothing comes through {stage.name}{example}"
