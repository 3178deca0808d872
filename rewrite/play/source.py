"""The puzzles that may be played, by name only, never by file; and the limits of a hint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import frozen

from rewrite.errors import PuzzleError
from rewrite.language.puzzles import Puzzle


@frozen
class Bounds:
    """What a search for a hint may use (bytes by which the process may grow), and an answer."""

    max_seconds: float | None = 60.0
    max_memory: int | None = 2_000_000_000
    answer: float = 2.0


Choice = dict[str, str]
"""A puzzle that the page offers: its name, its subject, and the words that choose an instance."""
Level = dict[str, Any]
"""A level of a collection: title, number, of (how many); words of the previous and the next."""
Playable = tuple[Puzzle, str]
"""A requested puzzle, and the error that kept a changed file from being reloaded."""


class Source(Protocol):
    """Finds puzzles; asked from several threads."""

    def first(self) -> tuple[str, tuple[str, ...]]:
        """Return the name and words of the puzzle that the page opens with."""

    def choices(self) -> Sequence[Choice]:
        """Return the available puzzles."""

    def playable(self, name: str, words: tuple[str, ...]) -> Playable:
        """Return the named puzzle, the same object until it changes. Raises RewriteError."""

    def level(self, name: str, words: tuple[str, ...]) -> Level | None:
        """Return which level of a collection it is; None where there is no collection."""
        return None


@frozen
class OnePuzzle(Source):
    puzzle: Puzzle

    def first(self) -> tuple[str, tuple[str, ...]]:
        return self.puzzle.name, ()

    def choices(self) -> Sequence[Choice]:
        return [{"name": self.puzzle.name, "about": "", "words": ""}]

    def playable(self, name: str, words: tuple[str, ...]) -> Playable:
        if name != self.puzzle.name:
            raise PuzzleError(
                f"play: {name!r} is not the puzzle that is played here, which is "
                f"{self.puzzle.name!r}; open the page without a game in its address"
            )
        if words:
            raise PuzzleError(
                f"play: {name} takes no words; found {' '.join(words)!r}. Leave the field of the "
                "words empty"
            )
        return self.puzzle, ""
