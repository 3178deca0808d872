"""Printing: no terminal control sequences, and no write failure unnoticed.

Texts of a puzzle (labels, names, its own pictures) may contain anything. In labels and cells,
`Template.fill` and `show.views.shown` escape newlines too.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import IO, Any

import click

from rewrite.language.labels import one_line

LINES = re.compile(r"([\n\t]+)")
WRITERS = ("click", "rich")
"""Packages that write for us: if the innermost frame is theirs, writing failed."""


def say(text: object, err: bool = False, file: IO[Any] | None = None, nl: bool = True) -> None:
    """Print a text on stdout or stderr. Raises OSError if it cannot be written."""
    if sys.stdout is None and not err:
        raise OSError("standard output is closed")
    click.echo(visible(str(text)), err=err, file=file, nl=nl)


def visible(text: str) -> str:
    """Return a text without control characters, except newlines and tabs."""
    if text.isprintable():
        return text
    return "".join(part if LINES.fullmatch(part) else one_line(part) for part in LINES.split(text))


def say_json(text: str) -> None:
    """Print JSON, with control characters as JSON escapes, which keeps the meaning."""
    say("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text))


def lost(error: BaseException) -> str | None:
    """Return why the output could not be written, or None for any other error."""
    if not isinstance(error, OSError):
        return None
    import traceback
    from pathlib import Path

    frames = [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]
    if not frames or not (frames[-1] == Path(__file__) or {*WRITERS} & {*frames[-1].parts}):
        return None
    return f"the output cannot be written: {error.strerror or error}"


def drop_the_rest() -> None:
    """Discard unwritten output: otherwise Python would fail on it at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            if stream is not None and not stream.closed:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)
