"""The command `rewrite`: joins the commands, and turns what goes wrong into a text and a code."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TextIO

import click

from rewrite.cli.blame import PRINTED, blamed
from rewrite.cli.doctor import doctor, version_of
from rewrite.cli.exits import ERROR, EXIT_CODES, KILLED, PIPE_CLOSED, Problem, exit_code_for
from rewrite.cli.gallery import gallery
from rewrite.cli.inspect import explain_command, moves_command, replay_command
from rewrite.cli.options import traceback_option
from rewrite.cli.output import drop_the_rest, lost, say
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
            bug = type(error) is RewriteError  # never raised for a mistake of the user
            told = f"{error.message} and {PRINTED}" if bug else error.message
            if "function" in error.facts and isinstance(error.__cause__, Exception):
                told = blamed(error.__cause__)  # it names the line of the file
            raise Problem(told, exit_code_for(error)) from error
        except (KeyboardInterrupt, click.Abort):
            say("interrupted", err=True)
            raise click.exceptions.Exit(KILLED) from None
        except BrokenPipeError:  # `rewrite … | head`
            raise click.exceptions.Exit(PIPE_CLOSED) from None
        except BaseException as error:  # a puzzle's SystemExit must not end the run with its code
            if lost(error):
                raise  # `main` says so
            _trace(ctx, error)
            raise Problem(blamed(error), ERROR) from error

    def main(  # type: ignore[override]  # click says Never and Any by the value of the flag
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        standalone_mode: bool = True,
        **more: Any,
    ) -> Any:
        """Run the command of these arguments, and exit with its code."""
        if not standalone_mode:
            return super().main(args, prog_name, standalone_mode=False, **more)
        try:
            code: Any = super().main(args, prog_name, standalone_mode=False, **more)
        except click.ClickException as error:
            code = error.exit_code
            with suppress(OSError):
                error.show()
        except click.Abort:
            code = KILLED
            with suppress(OSError):
                say("interrupted", err=True)
        except SystemExit:  # only where click itself finds the pipe closed: `rewrite --help | head`
            code = PIPE_CLOSED
        except OSError as error:
            why = lost(error)
            if why is None:
                raise
            code = ERROR
            with suppress(OSError):
                say(f"error: {why}", err=True)
        drop_the_rest()
        sys.exit(code if isinstance(code, int) else 0)


def _trace(ctx: click.Context, error: BaseException) -> None:
    if ctx.meta.get("rewrite.traceback"):
        shown = error.__cause__ if isinstance(error, Problem) and error.__cause__ else error
        say("".join(traceback.format_exception(shown)), err=True, nl=False)


def _warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning of this library without the place in the code, which does not help."""
    if issubclass(category, RewriteWarning):
        say(f"warning: {message}", err=True)
    else:
        say(warnings.formatwarning(message, category, filename, lineno, line), err=True)


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
