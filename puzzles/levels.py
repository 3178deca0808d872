"""What the readers of level files share: a level, and how lines are told apart.

A puzzle of the gallery reads files where its module has a function `levels(text, *words)`, which
returns the levels of a text. The words are those that the player gave beside the file.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rewrite import Puzzle

COMMENT = re.compile(r"\s*(?:#|;|%|//|$)")


@dataclass(frozen=True)
class Level:
    """One board of a file. Its puzzle is made when it is asked for, and checked only then.

    title  what the file calls it; "" where it has no name
    line   where it begins in the file, from 1
    words  the words that make the same puzzle: `instance(*words)`
    make   the function `instance` of the puzzle
    """

    title: str
    line: int
    words: tuple[str, ...]
    make: Callable[..., Puzzle] = field(repr=False)

    def puzzle(self) -> Puzzle:
        """The puzzle of the board. Raises PuzzleError for a board that is wrong."""
        return self.make(*self.words)


def split(text: str) -> list[str]:
    """The lines of a text, whichever system it was written on."""
    return re.split(r"\r\n|\r|\n", text)


def boards(text: str) -> Iterator[tuple[int, str]]:
    """The number, from 1, and the text of each line that is neither empty nor a comment.

    A comment begins with #, ;, % or //.
    """
    for number, line in enumerate(split(text), 1):
        if not COMMENT.match(line):
            yield number, line
