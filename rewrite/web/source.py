"""What may be played, by name alone, never by a file; and what a search for a hint may use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen

from rewrite.errors import PuzzleError
from rewrite.language.puzzles import Puzzle


@frozen
class Bounds:
    """Seconds, and bytes by which the process may grow; None for no limit."""

    max_seconds: float | None = 60.0
    max_memory: int | None = 2_000_000_000


Choice = dict[str, str]
"""A puzzle that the page offers: its name, what it is about, and which words choose an instance."""
Playable = tuple[Puzzle, str]
"""A puzzle that was asked for, and the error of a changed file that keeps it from being newer."""


class Source(Protocol):
    """Finds puzzles; asked from several threads."""

    def first(self) -> tuple[str, tuple[str, ...]]:
        """Return name and words of the puzzle that the page opens with."""

    def choices(self) -> Sequence[Choice]:
        """Return what there is to choose from."""

    def playable(self, name: str, words: tuple[str, ...]) -> Playable:
        """Return the puzzle of a name, the same object while it is the same; or RewriteError."""


@frozen
class OnePuzzle:
    """The source of one puzzle, which is there already."""

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
