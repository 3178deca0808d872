"""The terminal: tables, and the progress line of a search. `rich` is loaded lazily."""

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


def width() -> int:
    """Return the columns of the terminal: COLUMNS, else as it reports, else 80."""
    import shutil  # it imports every compression module

    return shutil.get_terminal_size().columns


def console(stderr: bool = False) -> Console:
    """Return a console without colours and emphasis if NO_COLOR is set."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would exit with 1; `main` has its own code

    plain = bool(os.environ.get("NO_COLOR"))
    return Screen(stderr=stderr, highlight=False, color_system=None if plain else "auto")


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Print a table, the headings first. Nothing is cut off: wide cells are wrapped.

    If the screen is too narrow even for single words, each row is printed as a list.
    """
    words = [max(len(word) for row in rows for word in row[i].split()) for i in range(len(rows[0]))]
    if sum(words) + GAP * (len(words) - 1) > width():
        records = [zip(rows[0], row, strict=True) for row in rows[1:]]
        say("\n\n".join("\n".join(map(": ".join, record)) for record in records))
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for column, name in enumerate(rows[0]):
        made.add_column(Text(name), justify="right" if column in right else "left", overflow="fold")
    for row in rows[1:]:
        made.add_row(*[Text(visible(text)) for text in row])
    say("", nl=False)  # rich writes nowhere if stdout is closed
    console().print(made, width=width())


def watched() -> bool:
    """Return whether somebody sees stderr: it may be closed, too."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def progress(wanted: bool = True) -> Iterator[Callable[[Progress], None] | None]:
    """Yield the callback for `search(progress=…)`, or None if stderr is not a terminal."""
    if not (wanted and watched()):
        yield None
        return
    live: Live | None = None
    held: list[tuple[Any, ...]] = []  # warnings, which would garble the line
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
    """Return the progress line of a search.

    >>> progress_text(Progress(states=41200, depth=7, waiting=900, seconds=2.0, memory=52 * 10**6))
    '41,200 states, 20,600 a second, depth 7, 900 waiting, 52 MB'
    """
    return (
        f"{now.states:,} states, {now.rate:,.0f} a second, depth {now.depth:,}, "
        f"{now.waiting:,} waiting, {now.memory / 10**6:,.0f} MB"
    )
