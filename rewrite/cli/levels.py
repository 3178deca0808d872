"""Which board of a file is meant: NAME FILE --level NUMBER.

A puzzle of the gallery reads files where its module has a function `levels(text, *words)`; what it
returns is in puzzles/levels.py.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from attrs import frozen

from rewrite.cli.exits import Problem
from rewrite.cli.files import text_of
from rewrite.cli.output import say
from rewrite.errors import PuzzleError

if TYPE_CHECKING:
    from puzzles.levels import Level

LISTED = 20  # levels, where none was chosen
NEAREST = 3  # levels, where one was chosen that is not there
LONGEST = 60  # signs of a name or a line that are shown


@frozen
class Chosen:
    """A level of a file.

    words    of the puzzle, which make the same board
    heading  which one it is, in a line
    where    the same for errors: the file and the line too
    """

    words: tuple[str, ...]
    heading: str
    where: str


def chosen(
    name: str, module: ModuleType, words: tuple[str, ...], number: int | None
) -> Chosen | None:
    """Return the level that words and --level choose; None where no file is meant. Raises Problem.

    Without --level the first word is a file if there is one of that name.
    """
    read = getattr(module, "levels", None)
    if number is None and (read is None or not words or not _is_file(words[0])):
        return None
    if read is None:
        raise Problem(f"--level {number}: {name} reads no files; those that do: {readers()}")
    if not words:
        raise Problem(f"--level {number}: of which file? Write {name} FILE --level {number}")
    file, *more = words
    text = text_of(Path(file))
    try:
        found: Sequence[Level] = read(text, *more)
    except PuzzleError as error:
        raise Problem(error.message) from error
    if not found:
        raise Problem(f"{file} {_nothing_in(text)}; {name} {_what(read.__doc__)}")
    index = _index(file, found, number)
    level = found[index]
    heading = f"level {index + 1:,} of {len(found):,}{_called(level)}"
    return Chosen(level.words, heading, f"{file}, line {level.line:,}, {heading}")


def say_level(heading: str) -> None:
    """Print which level of a file is meant; nothing where there is no file."""
    if heading:
        say(heading)


def _is_file(word: str) -> bool:
    with suppress(OSError, ValueError):  # a word that no file can be called
        return Path(word).exists() and not Path(word).is_dir()
    return False


def readers() -> str:
    """Return the names of the puzzles that read files."""
    from puzzles import PUZZLES

    modules = {name: sys.modules[make.__module__] for name, make in PUZZLES.items()}
    return ", ".join(name for name, module in modules.items() if hasattr(module, "levels"))


def _index(file: str, found: Sequence[Level], number: int | None) -> int:
    """Return the place of the level of this number in the list. Raises Problem."""
    last = len(found)
    if number is None:
        if last == 1:
            return 0
        more = f"\n… and {last - LISTED:,} more" * (last > LISTED)
        raise Problem(
            f"{file} has {last:,} levels; choose one with --level NUMBER:\n"
            f"{_list(found, range(min(last, LISTED)))}{more}"
        )
    if not 1 <= number <= last:
        near = range(last)[-NEAREST:] if number > last else range(last)[:NEAREST]
        raise Problem(
            f"--level {number}: {file} has {last:,} level{'s' * (last > 1)}, numbered from 1; the "
            f"nearest:\n{_list(found, near)}"
        )
    return number - 1


def _list(found: Sequence[Level], places: range) -> str:
    return "\n".join(f"  level {place + 1:,}{_called(found[place])}" for place in places)


def _called(level: Level) -> str:
    return f', "{_short(level.title)}"' if level.title else ""


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _nothing_in(text: str) -> str:
    """Return why a text is no file of levels, with the place where it begins."""
    for number, line in enumerate(text.splitlines(), 1):
        if said := line.strip():
            column = len(line) - len(line.lstrip()) + 1
            return f"has no level in it: line {number:,}, column {column} begins {_short(said)!r}"
    return "is empty"


def _what(documented: str | None) -> str:
    """Return what a reader reads: the first paragraph of its docstring, as in "Reads a board"."""
    text = " ".join((documented or "reads none such").split("\n\n")[0].split())
    return text[:1].lower() + text[1:]
