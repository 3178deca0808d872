"""Exit codes, each of one meaning, and the errors that lead to them."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Any

import click

from rewrite.cli.output import say
from rewrite.errors import CheckpointError, ReadError, ReplayError, RewriteError, SearchError

if TYPE_CHECKING:
    from rewrite.results.result import Result

FOUND, EXHAUSTED, USAGE, LIMIT, INTERRUPTED, ERROR = range(6)
KILLED, PIPE_CLOSED = 130, 141  # 128 + the signal number, as reported by shells

EXIT_CODES = """\b
Exit codes:
  0  found (all that were asked for, or all there are); for other commands: done
  1  no solution, the whole space was searched; replay: a step is not legal
  2  bad usage; a file that cannot be read, a folder that cannot be continued
  3  stopped by a limit before that, with the answers so far
  4  interrupted by Ctrl-C, with the answers so far (a second Ctrl-C: 130)
  5  an error in a puzzle or its file, output that cannot be written, or a bug in rewrite
"""
NO_ARGUMENTS = ("start", "show", "")
"""Options whose names also stand for parts of a puzzle; and arguments, which have none."""
SIGTERM = "With --checkpoint, SIGTERM saves the search and then ends the command: 143 in a shell.\n"


class Problem(click.ClickException):
    """Ends a run with `error: …` on stderr and this exit code."""

    def __init__(self, message: str, exit_code: int = USAGE) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]  # click calls it a class variable

    def show(self, file: IO[Any] | None = None) -> None:
        say(f"error: {self.message}", file=file, err=True)


def exit_code_of(result: Result) -> int:
    if result.status == "exhausted":
        return FOUND if result else EXHAUSTED
    return {"found": FOUND, "limit": LIMIT, "interrupted": INTERRUPTED}[result.status]


def as_options(error: RewriteError, command: click.Command) -> str:
    """Return the message of an error about arguments with the options of a command instead."""
    if not isinstance(error, (SearchError, CheckpointError)):
        return error.message
    names = [one.opts[0][2:].replace("-", "_") for one in command.params if one.opts]
    known = "|".join(name for name in names if name not in NO_ARGUMENTS)
    text = re.sub(r", or None( for no limit)?", "", error.message)
    return re.sub(
        rf"(?<![\w.])({known})=(?=([^\s,.:;)]?))",
        lambda found: f"--{found[1].replace('_', '-')}" + " " * bool(found[2]),
        text,
    )


def exit_code_for(error: RewriteError | Problem) -> int:
    if isinstance(error, Problem):
        return error.exit_code
    if isinstance(error, (SearchError, CheckpointError, ReadError)):
        return USAGE
    return EXHAUSTED if isinstance(error, ReplayError) else ERROR
