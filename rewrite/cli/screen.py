"""The terminal: tables, and the line that shows a search. `rich` is loaded when it is needed."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rewrite.cli.output import say, visible
from rewrite.search.drivers.interface import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live


GAP = 2  # blanks between two columns
COLUMNS = 80


def width() -> int:
    """Return the columns of the terminal: COLUMNS, else what it says, else 80."""
    try:
        asked = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        asked = 0
    if asked > 0:
        return asked
    if sys.__stdout__ is None:
        return COLUMNS
    try:  # as shutil does it, which loads every way to compress files first
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or COLUMNS
    except (ValueError, OSError):  # it is closed; it is no terminal
        return COLUMNS


def console(stderr: bool = False) -> Console:
    """Return a console that neither colours nor emphasises where NO_COLOR is set."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the process with 1; `main` has a code for it

    plain = bool(os.environ.get("NO_COLOR"))
    return Screen(stderr=stderr, highlight=False, color_system=None if plain else "auto")


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Print a table, the headings first. Nothing is cut off: what is too wide goes on below.

    Where the screen is too narrow even for the words, each row is printed as a list.

    right  the columns whose texts end at the right, as numbers do
    """
    words = [max(len(word) for row in rows for word in row[i].split()) for i in range(len(rows[0]))]
    if sum(words) + GAP * (len(words) - 1) > width():
        say("\n\n".join(_record(rows[0], row) for row in rows[1:]))
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for column, name in enumerate(rows[0]):
        made.add_column(Text(name), justify="right" if column in right else "left", overflow="fold")
    for row in rows[1:]:
        made.add_row(*[Text(visible(text)) for text in row])
    console().print(made, width=width())


def _record(names: Sequence[str], row: Sequence[str]) -> str:
    return "\n".join(f"{name}: {text}" for name, text in zip(names, row, strict=True))


@contextmanager
def progress(wanted: bool = True) -> Iterator[Callable[[Progress], None] | None]:
    """Give what `search(progress=…)` calls to draw a line; None where stderr is not a terminal."""
    if not (wanted and sys.stderr.isatty()):
        yield None
        return
    live: Live | None = None
    held: list[tuple[Any, ...]] = []  # warnings: they would be written into the line
    show_warning = warnings.showwarning

    def show(now: Progress) -> None:
        nonlocal live
        from rich.live import Live
        from rich.text import Text

        if live is None:
            live = Live(
                console=console(stderr=True), auto_refresh=False, transient=True,
                redirect_stdout=False, redirect_stderr=False,
            )  # fmt: skip
            live.start()
        live.update(Text(progress_text(now), overflow="fold"), refresh=True)

    warnings.showwarning = lambda *given: held.append(given)
    try:
        yield show
    finally:
        if live is not None:
            live.stop()
        warnings.showwarning = show_warning
        for given in held:
            show_warning(*given)


def progress_text(now: Progress) -> str:
    """Return the line that shows a search.

    >>> progress_text(Progress(states=41200, depth=7, waiting=900, seconds=2.0, memory=52 * 10**6))
    '41,200 states, 20,600 a second, depth 7, 900 waiting, 52 MB'
    """
    return (
        f"{now.states:,} states, {now.rate:,.0f} a second, depth {now.depth:,}, "
        f"{now.waiting:,} waiting, {now.memory / 10**6:,.0f} MB"
    )
