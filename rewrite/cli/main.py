"""The command `rewrite`: joins the commands, and turns what goes wrong into a text and a code."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from typing import Any, TextIO

import click

from rewrite.cli.blame import PRINTED, blamed
from rewrite.cli.doctor import doctor, version_of
from rewrite.cli.exits import ERROR, EXIT_CODES, KILLED, PIPE_CLOSED, Problem, exit_code_for
from rewrite.cli.gallery import gallery
from rewrite.cli.inspect import explain_command, moves_command, replay_command
from rewrite.cli.options import traceback_option
from rewrite.cli.solve import compare_command, solve
from rewrite.errors import RewriteError, RewriteWarning
from rewrite.starting import ready


class Commands(click.Group):
    """The group of commands, with one place for what goes wrong in any of them.

    Nothing ends with 1 but a space that was searched: Python's own code for a traceback, and
    click's for Ctrl-C, are never left to stand.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; every exception becomes a text on stderr and its exit code."""
        try:
            ready()
            with warnings.catch_warnings():
                warnings.simplefilter("always", RewriteWarning)
                warnings.showwarning = _warned
                return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except click.ClickException as error:
            if isinstance(error, Problem):
                _trace(ctx, error)
            raise
        except RewriteError as error:
            _trace(ctx, error)
            bug = type(error) is RewriteError  # the base is raised for nothing a person did
            told = f"{error.message} and {PRINTED}" if bug else error.message
            if "function" in error.facts and isinstance(error.__cause__, Exception):
                told = blamed(error.__cause__)  # it names the line of the file
            raise Problem(told, exit_code_for(error)) from error
        except (KeyboardInterrupt, click.Abort):
            click.echo("interrupted", err=True)
            raise click.exceptions.Exit(KILLED) from None
        except BrokenPipeError:  # `rewrite … | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(PIPE_CLOSED) from None
        except Exception as error:
            _trace(ctx, error)
            raise Problem(blamed(error), ERROR) from error


def _trace(ctx: click.Context, error: BaseException) -> None:
    if ctx.meta.get("rewrite.traceback"):
        shown = error.__cause__ if isinstance(error, Problem) and error.__cause__ else error
        click.echo("".join(traceback.format_exception(shown)), err=True, nl=False)


def _warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning of this library without the place in it, which says nothing to a person."""
    if issubclass(category, RewriteWarning):
        click.echo(f"warning: {message}", err=True)
    else:
        click.echo(warnings.formatwarning(message, category, filename, lineno, line), err=True)


@click.group(
    cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(version_of("rewrite") or "(not installed)", prog_name="rewrite")
@traceback_option
def rewrite() -> None:
    """Declare a puzzle as rules on a bag of terms, search it, and replay the path that was found.

    `rewrite gallery` lists puzzles to start with. Colours are off where NO_COLOR is set; progress
    is shown after a second where stderr is a terminal.
    """


for command in (solve, gallery, explain_command, moves_command, replay_command, compare_command,
                doctor):  # fmt: skip
    if command in (solve, compare_command, replay_command):
        command.epilog = EXIT_CODES
    rewrite.add_command(command)


def main() -> None:
    """Run the command with the arguments of this process, and exit."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # → and × must not stop a run where text is ASCII
            stream.reconfigure(errors="backslashreplace")
    rewrite(prog_name="rewrite")
