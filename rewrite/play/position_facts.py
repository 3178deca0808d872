"""The data about a position sent to the page; only this module knows the field names."""

from __future__ import annotations

import time
from collections.abc import Container, Iterator, Sequence
from typing import Any

from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.conditions import Both, Condition, Contains, OneOfStates
from rewrite.language.order import source
from rewrite.language.patterns import mentioned
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.terms import is_ground
from rewrite.play.game import Game, Move
from rewrite.play.pointing import handle_of
from rewrite.play.positions import Instance, Position
from rewrite.results.explain import explain
from rewrite.show.drawing.change import change
from rewrite.show.views.pictures import drawn_or_told

MOST_HANDLES, MOST_DRAWN = 300, 20_000
"""The most moves that can be made by pointing, and marks drawn to find their destinations; other
moves are only buttons."""
LONGEST_TEXT = 2_000
"""The most characters of a state as text."""
MOST_PARTS = 100
"""The most parts of a goal to list."""
LONGEST = 1.0
"""Seconds after which the remaining rules are listed without a reason."""
Part = tuple[str, bool | None]
"""A part of a goal as text, and whether it holds; None if testing it failed."""


def facts_at(instance: Instance, game: Game, here: Position, why: bool) -> dict[str, Any]:
    """Return what the page shows of a position; with `why`, the reasons why rules are idle."""
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
    """Return a move as written in a link: its label, with a number if not the first with it."""
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
    pieces = sum(bool(mark.terms) for mark in here.drawing.marks)  # 0: the state is shown as text
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
    """Yield each rule whose id is not active, and the first condition that no match passes."""
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
    stage = funnel.stop
    if stage is None:
        return "nothing comes through"
    shown = stage.dropped and any(one.survived for one in funnel.stages)
    return funnel.stopped + (f"; e.g. {stage.example}" if stage.example and shown else "")


def parts_of(puzzle: Puzzle, state: State, goal: Condition) -> list[Part]:
    """Return the parts of a goal that can be tested separately, each tested in the state."""
    return list(_judged(puzzle, state, meaning.normal_goal(puzzle, goal)))


def _judged(puzzle: Puzzle, state: State, goal: Condition) -> Iterator[Part]:
    if isinstance(goal, Both) and not set(mentioned(goal.left)) & set(mentioned(goal.right)):
        yield from _judged(puzzle, state, goal.left)
        yield from _judged(puzzle, state, goal.right)
    elif isinstance(goal, OneOfStates) and len(goal.states) == 1:
        [wanted] = goal.states
        yield from _terms(state, wanted)
        yield ("nothing else", len(state) == len(wanted))
    elif _separable(goal):
        assert isinstance(goal, Contains)
        everything = State.of([*state.items, *puzzle.facts.items])
        if all(map(is_ground, goal.patterns)):
            yield from _terms(everything, State(goal.patterns))
        else:
            for pattern in goal.patterns:
                alone = Contains((pattern,), (), ())
                yield (source(pattern), _holds(puzzle, state, alone))
    else:
        yield (repr(goal), _holds(puzzle, state, goal))


def _separable(goal: Condition) -> bool:
    """Whether each pattern can be tested separately: no variables, or only one pattern."""
    if not isinstance(goal, Contains) or goal.when or goal.absent or goal.rest is not None:
        return False
    return len(goal.patterns) == 1 or not any(map(mentioned, goal.patterns))


def _terms(state: State, wanted: State) -> Iterator[Part]:
    for term, number in wanted.distinct():
        times = f" × {number}" if number > 1 else ""
        yield (f"{source(term)}{times}", state.count(term) >= number)


def _holds(puzzle: Puzzle, state: State, goal: Condition) -> bool | None:
    try:
        return meaning.is_goal(puzzle, state, goal)
    except RewriteError:
        return None
