"""`rewrite gallery`: the puzzles that come with rewrite."""

from __future__ import annotations

import sys

import click

from rewrite.cli import screen
from rewrite.cli.levels import readers, summary
from rewrite.cli.options import traceback_option
from rewrite.cli.output import say


def rows() -> list[tuple[str, str, str]]:
    from puzzles import PUZZLES

    made = [("name", "puzzle", "words")]
    for name, instance in PUZZLES.items():
        about = summary(sys.modules[instance.__module__]).rstrip(".")
        made.append((name, about, summary(instance).rstrip(".")))
    return made


@click.command("gallery", short_help="List the puzzles that come with rewrite.")
@traceback_option
def gallery() -> None:
    """List the puzzles that come with rewrite, and the words each takes."""
    screen.table(rows())
    say("\nrewrite solve NAME runs one as it is, rewrite solve NAME WORDS another instance;")
    say(f"rewrite solve NAME FILE --level 7 takes a board of a file: {readers()};")
    say("e.g. rewrite solve digitle 793 75 4 7 9 8 2")
