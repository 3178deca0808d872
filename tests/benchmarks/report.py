"""How tables of figures are told: to a person at a terminal, and as Markdown for the docs."""

import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

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


def show(console: Console, tables: Sequence[Lines], notes: list[str]) -> None:
    for head, body in tables:
        table = Table(*head, box=box.SIMPLE)
        for column in table.columns[1:]:
            column.justify = "right"
        for line in body:
            table.add_row(*line)
        console.print(table)
    for note in notes:
        console.print(note, highlight=False)
