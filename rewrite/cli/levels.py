"""Files named by the user, and the choice of a board in one: NAME FILE --level NUMBER.

A puzzle of the gallery reads files if its module has a function `levels(text, *words)`; its return
type is in puzzles/levels.py.
"""

from __future__ import annotations

import inspect
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from attrs import frozen

from rewrite.cli.exits import Problem
from rewrite.cli.output import say
from rewrite.errors import PuzzleError, RewriteError
from rewrite.language.labels import cut

if TYPE_CHECKING:
    from puzzles.levels import Level

LARGEST = 20_000_000  # bytes of a text: hundreds of thousands of boards
LISTED = 20  # levels, if none was chosen
NEAREST = 3  # levels, if the chosen one does not exist
LONGEST = 61  # characters of a name or a line to show, with the sign that it goes on


def bytes_of(file: Path, most: int) -> bytes:
    try:
        if file.is_dir():
            raise Problem(f"{file} is a folder; name a file in it")
        with file.open("rb") as opened:
            return opened.read(most)
    except FileNotFoundError:
        raise Problem(f"{file}: no such file") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Problem(f"{file} cannot be read: {why}") from error


def text_of(file: Path) -> str:
    data = bytes_of(file, LARGEST + 1)
    if len(data) > LARGEST:
        raise Problem(
            f"{file} is larger than {LARGEST // 1_000_000} MB; cut out the boards that you want"
        )
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if (place := data.find(0)) >= 0:
        raise Problem(f"{file} is not a text file: byte {place + 1:,} is 0")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


@frozen
class Chosen:
    """A level of a file: `heading`, its number and name; `where`: the same with file and line."""

    words: tuple[str, ...]
    levels: Sequence[Level]
    heading: str
    where: str


def chosen(
    name: str, module: ModuleType, words: tuple[str, ...], number: int | None, first: bool = False
) -> Chosen | None:
    """Return the level that words and --level choose; None if they name no file. Raises Problem.

    first  whether the first of several levels is meant if none is chosen
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
        what = summary(read) or "reads none such"
        raise Problem(f"{file} {_nothing_in(text)}; {name} {what[:1].lower() + what[1:]}")
    index = _index(file, found, 1 if first and number is None else number)
    level = found[index]
    heading = f"level {index + 1:,} of {len(found):,}{_called(level)}"
    return Chosen(level.words, found, heading, f"{file}, line {level.line:,}, {heading}")


def say_level(heading: str) -> None:
    if heading:
        say(heading)


def reader_of(file: str) -> str | None:
    """Return the puzzle of the gallery that reads a file of levels, if the word is one."""
    from puzzles import PUZZLES

    if file.replace("-", "_") in PUZZLES or not _is_file(file):
        return None
    text = text_of(Path(file))
    for name, make in PUZZLES.items():
        read = getattr(sys.modules[make.__module__], "levels", None)
        with suppress(RewriteError):
            if read is not None and (found := read(text)):
                found[0].puzzle()
                return name
    raise Problem(f"{file} {_nothing_in(text)}, so none of {readers()} reads it")


def _is_file(word: str) -> bool:
    with suppress(OSError, ValueError):  # a word that cannot be a file name
        return Path(word).exists() and not Path(word).is_dir()
    return False


def readers() -> str:
    from puzzles import PUZZLES

    modules = {name: sys.modules[make.__module__] for name, make in PUZZLES.items()}
    return ", ".join(name for name, module in modules.items() if hasattr(module, "levels"))


def _index(file: str, found: Sequence[Level], number: int | None) -> int:
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
    return f', "{cut(level.title, LONGEST)}"' if level.title else ""


def _nothing_in(text: str) -> str:
    for number, line in enumerate(text.splitlines(), 1):
        if said := line.strip():
            place = f"line {number:,}, column {len(line) - len(line.lstrip()) + 1}"
            return f"has no level in it: {place} begins {cut(said, LONGEST)!r}"
    return "is empty"


def summary(documented: object) -> str:
    text = inspect.getdoc(documented) or ""
    return " ".join(text.split("\n\n")[0].split())
