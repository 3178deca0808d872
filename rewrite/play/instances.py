"""Finds the instance of a game by name and words, and by steps and seed if scrambled."""

from __future__ import annotations

from threading import Lock

from rewrite.errors import SearchError
from rewrite.language.meaning import simplified
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.play.game import Game
from rewrite.play.positions import Instance
from rewrite.play.recent import Recent
from rewrite.play.source import Source
from rewrite.search.api import search
from rewrite.search.tasks.scramble import scramble

MOST_INSTANCES = 24
MOST_STATES = 300_000
"""The most states searched for a goal to scramble from. A count, so that a link means the same
everywhere."""
LONGEST, LARGEST = 20.0, 2_000_000_000
"""The most seconds to make an instance, and bytes by which the process may grow."""
Key = tuple[str, tuple[str, ...], tuple[int, int] | None]


class Instances:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._made: Recent[Key, Instance] = Recent(MOST_INSTANCES)
        self._goals: Recent[int, tuple[Puzzle, State]] = Recent(MOST_INSTANCES)
        self._scrambling = Lock()

    def of(self, game: Game) -> tuple[Instance, str]:
        """Return the instance of a game, and any error in its file. Raises RewriteError."""
        puzzle, trouble = self._source.playable(game.name, game.words)
        key = (game.name, game.words, game.scramble)
        known = self._made.get(key)
        if known is None or known.of is not puzzle:
            known = self._make(puzzle, game)
            self._made.keep(key, known)
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
        made = scramble(
            puzzle, self._goal(puzzle), steps, seed, max_seconds=LONGEST, max_memory=LARGEST
        )
        if made.distance is None:
            raise SearchError(
                f"{puzzle.name}: no other instance can be made by going back from a goal: its "
                "rules cannot be run backwards. Choose one by words"
            )
        if not made.distance:
            raise SearchError(
                f"{puzzle.name}: no other instance can be made by going back from a goal: no step "
                "leads there. Choose one by words"
            )
        return State(made)

    def _goal(self, puzzle: Puzzle) -> State:
        """Return a goal state to scramble from: the first one found from the start."""
        known = self._goals.get(id(puzzle))
        if known is not None and known[0] is puzzle:
            return known[1]
        if puzzle.goal is None:
            raise SearchError(
                f"{puzzle.name}: no other instance can be made by going back from a goal: it has "
                "none. Choose one by words"
            )
        found = search(puzzle, max_states=MOST_STATES, max_seconds=LONGEST, max_memory=LARGEST)
        if found.path is None:
            raise SearchError(
                f"{puzzle.name}: no other instance can be made by going back from a goal: none was "
                f"found ({found.summary()}). Choose one by words"
            )
        self._goals.keep(id(puzzle), (puzzle, found.path.end))
        return found.path.end
