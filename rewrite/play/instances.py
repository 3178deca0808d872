"""Finds the instance of a game by name and words, and by steps and seed if scrambled."""

from __future__ import annotations

from threading import Lock
from typing import Any

from rewrite.errors import SearchError
from rewrite.language.cache import Cache
from rewrite.language.meaning import simplified
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.play.game import Game
from rewrite.play.positions import Instance
from rewrite.play.source import Source
from rewrite.search.api import search
from rewrite.search.goal_states import listed_goal
from rewrite.search.tasks.scramble import scramble

MOST_INSTANCES = 24
FEW_STATES, MOST_STATES = 30_000, 300_000
"""The most states searched for a goal to scramble from, before the goal is asked to name one and
after. Counts, so that a link means the same everywhere."""
BOUNDS: dict[str, Any] = {"max_seconds": 0.6, "max_memory": 1_000_000_000}
"""Of each search to make an instance."""
Key = tuple[str, tuple[str, ...], tuple[int, int] | None]


class Instances:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._made: Cache[Key, Instance] = Cache(MOST_INSTANCES)
        self._goals: Cache[int, State] = Cache(MOST_INSTANCES)
        self._scrambling = Lock()

    def of(self, game: Game) -> tuple[Instance, str]:
        puzzle, trouble = self._source.playable(game.name, game.words)
        key = (game.name, game.words, game.scramble)
        known = self._made.get(key)
        if known is None or known.of is not puzzle:
            made = self._make(puzzle, game)
            if known is not None:
                made.former, known.former = known, None
            known = self._made.keep(key, made)
        return known, trouble

    def _make(self, of: Puzzle, game: Game) -> Instance:
        puzzle = of
        if puzzle.start is None:
            raise SearchError(
                f"{game.name} has no start, so there is nothing to play yet. Give it words that "
                "choose an instance; or Puzzle(…, start=[…]); or rewrite.play(puzzle, [terms…])"
            )
        if game.scramble is not None:
            with self._scrambling:
                puzzle = puzzle.replace(start=self._scrambled(puzzle, *game.scramble))
        assert puzzle.start is not None
        return Instance(puzzle, simplified(puzzle, puzzle.start), of)

    def _scrambled(self, puzzle: Puzzle, steps: int, seed: int) -> State:
        made = scramble(puzzle, self._goal(puzzle), steps, seed, **BOUNDS)
        if made.distance is None:
            raise _impossible(puzzle, "its rules cannot be run backwards")
        if not made.distance:
            raise _impossible(puzzle, "no step leads there")
        return State(made)

    def _goal(self, puzzle: Puzzle) -> State:
        """Return a goal state to scramble from: the first found from the start, or one listed."""
        known = self._goals.get(id(puzzle))
        if known is not None:
            return known
        if puzzle.goal is None:
            raise _impossible(puzzle, "it has none")
        found = search(
            puzzle, strategy="breadth_first", symmetry="none", max_states=FEW_STATES, **BOUNDS
        )
        goal = found.path.end if found.path else None
        if found.limit == "max_states":  # and never for lack of time, which differs by machine
            goal = listed_goal(puzzle, simplified(puzzle, State(puzzle.start)))
            if goal is None:
                found = search(puzzle, max_states=MOST_STATES, best=False, **BOUNDS)
                goal = found.path.end if found.path else None
        if goal is None:
            raise _impossible(puzzle, f"none was found soon ({found.summary()})")
        return self._goals.keep(id(puzzle), goal, puzzle)


def _impossible(puzzle: Puzzle, why: str) -> SearchError:
    return SearchError(
        f"{puzzle.name}: no other instance can be made by going back from a goal: {why}. "
        "Choose one by words"
    )
