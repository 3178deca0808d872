"""Searches for a path from a position to a goal, and remembers what they find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewrite.errors import SearchError
from rewrite.play.game import MOST_MOVES
from rewrite.play.position_facts import in_link
from rewrite.play.positions import Instance, Position
from rewrite.play.source import Bounds
from rewrite.results.result import Result, counted
from rewrite.search.api import search
from rewrite.search.drivers.interface import Progress


def known_answer(
    instance: Instance, here: Position, most: int = MOST_MOVES
) -> dict[str, Any] | None:
    """Return the answer for a position with a known path to a goal, or None.

    most  how many of its moves are told: each costs some milliseconds
    """
    moves, first = instance.known_way(here, most), instance.known.get(here.state)
    if moves is None or first is None:
        return None
    left = instance.told_left(first)
    proved = f", {left['word']}" if left["word"] else ""
    cost = "" if left["cost"] is None else f", cost {left['cost']:,}"
    text = f"{counted(first.left, 'step')}{proved}{cost}"
    return {"status": "found", "text": text, "moves": [in_link(move) for move in moves]} | left


def solve(
    instance: Instance,
    here: Position,
    bounds: Bounds,
    progress: Callable[[Progress], None] | None = None,
    most: int = MOST_MOVES,
) -> dict[str, Any]:
    """Search from a position, remember what it proves, and return the answer. Raises RewriteError.

    status   found, exhausted, limit or interrupted
    text     what the page says
    moves    the path to a goal, `most` of them; left, cost, optimal, word: see `Instance.told_left`
    """
    puzzle = instance.puzzle
    if puzzle.goal is None:
        raise SearchError(
            f"{puzzle.name} has no goal, so there is nothing to search for; "
            "Puzzle(…, goal=contains(…)) gives it one"
        )
    result = search(
        puzzle,
        here.state,
        max_seconds=bounds.max_seconds,
        max_memory=bounds.max_memory,
        progress=progress,
    )
    text = _summary(result)
    if result.path is not None:
        if here.number + len(result.path) > MOST_MOVES:
            text += f". A game has {MOST_MOVES:,} moves at most, so this way is not played"
            return {"status": "limit", "text": text, "moves": []}
        instance.learn(result.path, result.optimal)
        found = known_answer(instance, here, most)
        assert found is not None
        return found | {"text": text}
    if result.status == "exhausted":
        instance.dead.keep(here.state, True)
    return {"status": result.status, "text": text, "moves": []}


def _summary(result: Result) -> str:
    """Return the summary of a result, worded for a search from this position."""
    text = result.summary().replace("; .resume() goes on", "")
    return text.replace("no solution:", "no solution from here:", 1)
