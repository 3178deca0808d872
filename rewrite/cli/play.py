"""`rewrite play`: the page for playing a puzzle, and the puzzles that it may request."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Never, get_type_hints

import click
from attrs import define, evolve, field

from rewrite.cli.exits import Problem
from rewrite.cli.levels import say_level
from rewrite.cli.loading import (
    Loaded,
    check_complete,
    files_of,
    gallery_puzzle,
    is_of_maude,
    load,
)
from rewrite.cli.options import memory, puzzle_arguments, seconds
from rewrite.cli.output import say
from rewrite.errors import PuzzleError, RewriteError
from rewrite.language.cache import Cache
from rewrite.language.puzzles import Puzzle
from rewrite.play.play import PORT
from rewrite.play.server import Address, serve
from rewrite.play.source import Bounds, Choice, Level, Playable, Source
from rewrite.play.table import Table
from rewrite.play.worker import answer_lines

if TYPE_CHECKING:
    from puzzles.levels import Level as FileLevel

MOST_PUZZLES = 50
Words = tuple[str, ...]


def _puzzle(make: Callable[..., Loaded], target: str, words: Words, **options: bool) -> Puzzle:
    """Return a puzzle. Raises PuzzleError, since a mistake in a page must not end the command."""
    try:
        return make(target, words, **options).puzzle
    except Problem as problem:
        raise PuzzleError(problem.message) from problem


@define
class Gallery(Source):
    """`levels`: of the file of the first puzzle, if it is one of a collection."""

    name: str
    words: Words
    levels: Sequence[FileLevel] = ()
    _made: Cache[tuple[str, Words], Puzzle] = field(factory=lambda: Cache(MOST_PUZZLES))

    def first(self) -> tuple[str, Words]:
        return self.name, self.words

    def choices(self) -> Sequence[Choice]:
        from puzzles import PUZZLES
        from rewrite.cli.gallery import rows

        takes = {name: get_type_hints(make)["words"] is not Never for name, make in PUZZLES.items()}
        return [
            {"name": name, "about": about, "words": words * takes[name]}
            for name, about, words in rows()[1:]
        ]

    def level(self, name: str, words: Words) -> Level | None:
        every = [level.words for level in self.levels]
        if name != self.name or words not in every:
            return None
        at = every.index(words)
        return {
            "title": self.levels[at].title or f"level {at + 1:,}",
            "number": at + 1,
            "of": len(every),
            "previous": every[at - 1] if at else None,
            "next": every[at + 1] if at + 1 < len(every) else None,
        }

    def playable(self, name: str, words: Words) -> Playable:
        if files_of(name, ()):
            raise PuzzleError(f"play: {name!r} is a file; the page plays the gallery by name")
        # a request must not read files of levels
        make = partial(_puzzle, gallery_puzzle, name, words)
        return self._made.made((name, words), None, make), ""


@define
class File(Source):
    """One puzzle of a file, or of a domain and its problem, which is reloaded when they change.

    name    its name in a link, independent of the folder: jugs.py:jugs
    target  its location
    fixed   the first words, which are files: a request must not name any

    Files that it imports are not watched. While the file is broken, the previous puzzle stays in
    play, and the page shows the error.
    """

    name: str
    words: Words
    target: str
    files: tuple[Path, ...]
    fixed: Words = ()
    _made: dict[Words, Puzzle] = field(factory=dict)
    _seen: list[tuple[int, int]] | None = None
    _trouble: str = ""
    _lock: Lock = field(factory=Lock)

    def first(self) -> tuple[str, Words]:
        return self.name, self.words

    def choices(self) -> Sequence[Choice]:
        words = "" if self.fixed else "the words that its function takes, if it is one"
        if is_of_maude(self.target):
            words = "search N, or a whole command"
        return [{"name": self.name, "about": "", "words": words}]

    def playable(self, name: str, words: Words) -> Playable:
        if name != self.name:
            raise PuzzleError(f"play: {name!r} is not what is played here: {self.name}")
        with self._lock:
            self._look()
            if words not in self._made and not self._trouble:
                if len(self._made) >= MOST_PUZZLES:
                    self._made.clear()
                self._made[words] = self._load(words)
            if words not in self._made:
                raise PuzzleError(self._trouble)
            return self._made[words], self._trouble

    def _load(self, words: Words, anew: bool = False) -> Puzzle:
        return _puzzle(load, self.target, self.fixed + words, anew=anew)

    def _look(self) -> None:
        try:
            now = [(about.st_mtime_ns, about.st_size) for about in map(Path.stat, self.files)]
        except OSError as error:
            self._trouble, self._seen = f"{error.filename}: {error.strerror}", None
            return
        if self._seen == now:
            return
        first, self._seen = self._seen is None and not self._trouble, now
        try:
            made = {self.words: self._load(self.words, anew=not first)}
        except RewriteError as error:
            self._trouble = error.message
        else:
            self._made, self._trouble = made, ""


def source_of(target: str, words: Words, level: int | None = None) -> Source:
    """Return the page's source of puzzles, which identifies a level of a file by its words."""
    loaded = load(target, words, level, first=True)
    check_complete(loaded, goal_needed=False, start_option=False)
    say_level(loaded.level)
    file = _file(loaded.name, words)
    if file is None:
        return Gallery(loaded.name, loaded.words, loaded.levels)
    return evolve(file, name=" ".join(Path(one).name for one in (file.target, *file.fixed)))


def _file(target: str, words: Words, name: str = "") -> File | None:
    files = files_of(target, words)
    after = len(files) - 1  # of a planning task, its words are files
    return File(name, words[after:], target, files, words[:after]) if files else None


def worker_of(source: Source, target: str, words: Words, bounds: Bounds) -> list[str]:
    """Return the command of a process that answers for the page, with the same source."""
    given = source.target if isinstance(source, File) else target
    limits = [f"--max-seconds={bounds.max_seconds}", f"--max-memory={bounds.max_memory}"]
    python = [sys.executable, "-m", "rewrite", "play"]
    return [*python, f"--answers={source.first()[0]}", *limits, "--", given, *words]


@click.command("play", short_help="Play a puzzle on a page in the browser.")
@puzzle_arguments
@click.option("--port", type=int, metavar="NUMBER", default=PORT, show_default=True,
              help="Of the page; 0 for any that is free.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Print the link only.")
@click.option(
    "--allow-host", metavar="HOST", default="",
    help="Serve other machines too, under this name of this one. By default nobody else is served.",
)  # fmt: skip
@click.option("--answer-seconds", type=seconds, metavar="NUMBER", default=Bounds().answer,
              show_default=True, help="Of an answer; what takes longer is refused.")  # fmt: skip
@click.option("--answers", metavar="NAME", hidden=True)
@click.option("--max-seconds", type=seconds, metavar="NUMBER", default=Bounds().max_seconds,
              show_default=True, help="Of a search for a hint.")  # fmt: skip
@click.option("--max-memory", type=memory, metavar="SIZE", default="2GB",
              show_default=True, help="Of a search for a hint: 500MB, 2GiB.")  # fmt: skip
def play(
    puzzle: str, words: Words, level: int | None, port: int, no_browser: bool, allow_host: str,
    answer_seconds: float, answers: str | None, max_seconds: float, max_memory: int,
) -> None:  # fmt: skip
    """Play a puzzle on a page in the browser, with hints, until Ctrl-C.

    \b
      rewrite play sokoban
      rewrite play jugs.py:jugs
      rewrite play levels.xsb

    A puzzle is given as for `solve`. The page offers the whole gallery, or the puzzle of the file,
    which is read again when it was changed. The game lives in the address of the page.
    """
    bounds = Bounds(max_seconds, max_memory, answer_seconds)
    if answers is not None:
        file = _file(puzzle, words, answers)
        source: Source = file or Gallery(answers, ())
        with redirect_stdout(sys.stderr), suppress(Problem):  # a file of levels may be gone
            source = source if file else source_of(puzzle, words)
        answer_lines(Table(source, bounds))
        return
    source = source_of(puzzle, words, level)
    address, command = Address(port, allow_host), worker_of(source, puzzle, words, bounds)
    serve(source, address, bounds, say, browser=not no_browser, command=command)
