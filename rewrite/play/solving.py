"""Searches for a path from a position to a goal, and remembers what they find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from rewrite.errors import SearchError
from rewrite.play.game import MOST_MOVES
from rewrite.play.positions import Instance, Position
from rewrite.play.source import Bounds
from rewrite.search.api import search
from rewrite.search.drivers.interface import Progress


def known_answer(
    instance: Instance, here: Position, most: int = MOST_MOVES
) -> dict[str, Any] | None:
    """`most`: how many of its moves are told: each costs some milliseconds."""
    end, left = instance.known_way(here, most), instance.told_left(here)
    if end is None or left is None:
        return None
    return {"status": "found", "moves": end.played(here.number)} | left


def solve(
    instance: Instance,
    here: Position,
    bounds: Bounds,
    progress: Callable[[Progress], None] | None = None,
    most: int = MOST_MOVES,
) -> dict[str, Any]:
    """Search from a position, remember what it proves, and return the answer."""
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
    status, text = result.status, evolve(result, resume=None).summary()
    text = text.replace("no solution:", "no solution from here:", 1)
    if result.path is not None and here.number + len(result.path) <= MOST_MOVES:
        instance.learn(result.path, result.optimal)
        found = known_answer(instance, here, most)
        assert found is not None
        return found
    if result.path is not None:
        status = "limit"
        text += f". A game has {MOST_MOVES:,} moves at most, so this way is not played"
    elif status == "exhausted":
        instance.dead.keep(here.state, True)
    return {"status": status, "text": text, "moves": []}
