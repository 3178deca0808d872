"""Shared by the readers of level files: `Level`, and splitting a text into lines.

A puzzle of the gallery reads files if its module has a function `levels(text, *words)`, which
returns the levels of a text. The words are those that the player gave besides the file.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rewrite import Puzzle

COMMENT = re.compile(r"\s*(?:#|;|%|//|$)")


@dataclass(frozen=True)
class Level:
    """One board of a file. Its puzzle is made and checked on demand.

    title  its name in the file, or ""
    line   its first line in the file, from 1
    words  the words that make the same puzzle: `instance(*words)`
    make   the function `instance` of the puzzle
    """

    title: str
    line: int
    words: tuple[str, ...]
    make: Callable[..., Puzzle] = field(repr=False)

    def puzzle(self) -> Puzzle:
        """The puzzle of the board. Raises PuzzleError for an invalid board."""
        return self.make(*self.words)


def split(text: str) -> list[str]:
    """The lines of a text with any line endings."""
    return re.split(r"\r\n|\r|\n", text)


def boards(text: str) -> Iterator[tuple[int, str]]:
    """The number, from 1, and the text of each line that is neither empty nor a comment.

    A comment begins with #, ;, % or //.
    """
    for number, line in enumerate(split(text), 1):
        if not COMMENT.match(line):
            yield number, line
