"""How tables of figures are told: to a person at a terminal, and as Markdown for the docs."""

import datetime
import os
import platform
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

from rewrite.native import status

Lines = tuple[Sequence[str], list[list[str]]]
"""The head and the body of a table."""


def machine() -> str:
    return f"{platform.system()} {platform.machine()}, {processor()}, {os.cpu_count()} cores"


def processor() -> str:
    """The processor's name and speed, as far as Linux tells."""
    file = Path("/proc/cpuinfo")
    text = file.read_text() if file.exists() else ""
    name, speed = (
        re.search(rf"^{key}\s*: (.*)$", text, re.MULTILINE) for key in ("model name", "cpu MHz")
    )
    if name is None or speed is None:
        return platform.processor() or "processor unknown"
    return f"{name[1]}, {float(speed[1]) / 1000:.1f} GHz"


def markdown(tables: Sequence[Lines], notes: list[str]) -> str:
    texts = [
        "\n".join(
            f"| {' | '.join(line)} |"
            for line in [head, ("---", *["---:"] * (len(head) - 1)), *body]
        )
        for head, body in tables
    ]
    return "\n\n".join([*texts, *notes]) + "\n"


def show(
    tables: Sequence[Lines], notes: list[str], file: Path | None = None, width: int = 180
) -> None:
    """Print the tables, and write them to a file of Markdown too."""
    console = Console(width=None if sys.stdout.isatty() else width)
    for head, body in tables:
        table = Table(*head, box=box.SIMPLE)
        for column in table.columns[1:]:
            column.justify = "right"
        for line in body:
            table.add_row(*line)
        console.print(table)
    for note in notes:
        console.print(note, highlight=False)
    if file is not None:
        file.write_text(markdown(tables, notes), "utf-8")


def refuse_debug() -> None:
    if status().profile == "debug":
        raise click.ClickException(f"{status().reason}. The times of a debug build mean nothing")


def today(peer: str) -> str:
    """The date, and what ran."""
    return (
        f"{datetime.datetime.now().astimezone():%Y-%m-%d}, {platform.python_implementation()} "
        f"{platform.python_version()}, {peer}, {status().reason}"
    )


def rounds(default: int) -> Callable[[Any], Any]:
    return click.option(
        "--runs", type=click.IntRange(min=1), default=default, show_default=True, help="Rounds."
    )


to_file = click.option(
    "--markdown",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the tables to this file.",
)
