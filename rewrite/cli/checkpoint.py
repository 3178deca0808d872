"""`rewrite checkpoint`: shows the contents of a checkpoint folder."""

from __future__ import annotations

import click

from rewrite.checkpoints.overview import overview
from rewrite.cli.options import traceback_option
from rewrite.cli.output import say


@click.command("checkpoint", short_help="Show how far a search is that is kept in a folder.")
@click.argument("folder", metavar="DIR")
@traceback_option
def checkpoint(folder: str) -> None:
    """Show what is kept in a folder that `solve --checkpoint DIR` or `checkpoint=` filled.

    Nothing is changed. Contents of data files are only checked when the search goes on.
    """
    for name, text in overview(folder):
        say(f"{name + ':':<11}{text}")
