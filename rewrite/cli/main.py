"""The command `rewrite`: loads commands lazily, and turns errors into messages and exit codes."""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn, TextIO

import click

from rewrite.cli.exits import (
    ERROR,
    EXIT_CODES,
    KILLED,
    PIPE_CLOSED,
    Problem,
    as_options,
    exit_code_for,
)
from rewrite.cli.options import traceback_option
from rewrite.cli.output import drop_the_rest, lost, say
from rewrite.errors import RewriteError, RewriteWarning
from rewrite.starting import ready

COMMANDS = {
    "solve": ("solve", "solve"),
    "gallery": ("gallery", "gallery"),
    "explain": ("inspect", "explain_command"),
    "moves": ("inspect", "moves_command"),
    "replay": ("inspect", "replay_command"),
    "compare": ("solve", "compare_command"),
    "hardest": ("designing", "hardest_command"),
    "rate": ("designing", "rate_command"),
    "play": ("play", "play"),
    "doctor": ("doctor", "doctor"),
    "checkpoint": ("checkpoint", "checkpoint"),
    "verify": ("verify", "verify_command"),
}
"""The location of each command: its file in this folder, and its name there."""


class Commands(click.Group):
    """The group of commands, which handles the errors of all of them.

    Exit code 1 always means an exhausted search: Python uses it for a traceback and click for
    Ctrl-C, and both are replaced.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        file, name = COMMANDS[cmd_name]
        found: click.Command = getattr(import_module(f"rewrite.cli.{file}"), name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command named by the arguments; once it is loaded, Ctrl-C raises again."""
        found = super().resolve_command(ctx, args)
        ready()
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; every exception becomes a message on stderr and an exit code."""
        try:
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
            # imported only for errors
            from rewrite.cli.error_source import PRINTED, source_of_error

            _trace(ctx, error)
            bug = type(error) is RewriteError  # never raised for a user's mistake
            command = self.get_command(ctx, ctx.invoked_subcommand or "") or self
            told = f"{error.message} and {PRINTED}" if bug else as_options(error, command)
            cause = error.__cause__
            if cause is not None and ("function" in error.facts or isinstance(cause, SystemExit)):
                told = source_of_error(cause)  # this names the line in the file
            raise Problem(told, exit_code_for(error)) from error
        except (KeyboardInterrupt, click.Abort):
            say("interrupted", err=True)
            raise click.exceptions.Exit(KILLED) from None
        except BrokenPipeError:  # `rewrite … | head`
            raise click.exceptions.Exit(PIPE_CLOSED) from None
        except BaseException as error:  # a puzzle's SystemExit must not set our exit code
            if lost(error):
                raise  # `main` reports it
            from rewrite.cli.error_source import source_of_error

            _trace(ctx, error)
            raise Problem(source_of_error(error), ERROR) from error

    def main(self, *args: Any, **options: Any) -> NoReturn:
        try:
            code: Any = super().main(*args, **(options | {"standalone_mode": False}))
        except click.ClickException as error:
            code = error.exit_code
            with suppress(OSError):
                error.show()
        except click.Abort:
            code = KILLED
            with suppress(OSError):
                say("interrupted", err=True)
        except SystemExit:  # only if click itself finds the pipe closed: `rewrite --help | head`
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
        import traceback

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
    """Print a warning of this library without its place in the code, which does not help."""
    if issubclass(category, RewriteWarning):
        say(f"warning: {message}", err=True)
    else:
        say(warnings.formatwarning(message, category, filename, lineno, line), err=True)


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from rewrite.cli.doctor import version_of  # reading the metadata takes a while

        say(f"rewrite, version {version_of('rewrite') or '(not installed)'}")
        ctx.exit()


@click.group(
    cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version,
    help="Show the version and exit.",
)  # fmt: skip
@traceback_option
def rewrite() -> None:
    """Declare a puzzle as rules on a bag of terms, search it, and replay the path that was found.

    `rewrite gallery` lists puzzles to start with. Colours are off where NO_COLOR is set; progress
    is shown after a second where stderr is a terminal.
    """


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # → and × must not stop a run in an ASCII terminal
            stream.reconfigure(errors="backslashreplace")
    rewrite(prog_name="rewrite")
