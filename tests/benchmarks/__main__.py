"""`python -m tests.benchmarks`: whole spaces by us, by Maude, and by plain Python, in turn."""

import datetime
import os
import platform
from pathlib import Path

import attrs
import click
from rich import box
from rich.console import Console
from rich.table import Table

from puzzles import PUZZLES
from rewrite import contains, search
from tests.benchmarks import peers_maude, peers_python
from tests.benchmarks.measure import Contestant, race
from tests.benchmarks.workloads import WORKLOADS, Workload

HEAD = ("space", "states", "ours", "Maude", "plain Python", "ours / Maude", "ours / Python")


def full_space(workload: Workload) -> int:
    """The number of states that `rewrite.search` finds on its way to a goal that never holds.

    Raises AssertionError unless the search says that it has seen the whole space.
    """
    puzzle = PUZZLES[workload.puzzle](*workload.words)
    result = search(puzzle, puzzle.start, contains("no such term"))
    if result.status != "exhausted":
        raise AssertionError(f"{workload.name}: the search ended as {result.status!r}: {result}")
    return result.states


@attrs.frozen
class Row:
    """One measured workload: median CPU seconds, and ratios; None where Maude is missing."""

    workload: Workload
    ours: float
    maude: float | None
    python: float
    to_maude: float | None
    to_python: float

    def cells(self) -> list[str]:
        """The texts of the row, under HEAD."""

        def text(number: float | None, unit: str) -> str:
            return "" if number is None else f"{number:.2f} {unit}"

        return [
            self.workload.name,
            f"{self.workload.states:,}",
            *[text(seconds, "s") for seconds in (self.ours, self.maude, self.python)],
            *[text(ratio, "×") for ratio in (self.to_maude, self.to_python)],
        ]


def measured(workload: Workload, runs: int, with_maude: bool) -> Row:
    """The row of one workload, from `runs` rounds."""
    contestants: dict[str, Contestant] = {
        "ours": lambda: full_space(workload),
        "plain Python": lambda: peers_python.full_space(workload),
    }
    if with_maude:
        contestants["Maude"] = lambda: peers_maude.full_space(workload)
    times = race(contestants, states=workload.states, runs=runs)
    return Row(
        workload,
        ours=times.median("ours"),
        maude=times.median("Maude") if with_maude else None,
        python=times.median("plain Python"),
        to_maude=times.ratio("ours", "Maude") if with_maude else None,
        to_python=times.ratio("ours", "plain Python"),
    )


def circumstances(runs: int, maude: str | None) -> list[str]:
    """What one must know to read the figures: how they were taken, when, and on what."""
    return [
        f"Medians of {runs} rounds, in turn, CPU seconds; a ratio below 1 means that ours is faster.",
        f"{datetime.datetime.now().astimezone():%Y-%m-%d}, {platform.python_implementation()} "
        f"{platform.python_version()}, "
        + (f"Maude {maude}" if maude else "Maude is not installed (pip install maude): not compared"),
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    ]


def markdown(rows: list[Row], notes: list[str]) -> str:
    """The table and its circumstances as a Markdown text."""
    lines = [HEAD, ("---", *["---:"] * (len(HEAD) - 1)), *[row.cells() for row in rows]]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join([table, *notes]) + "\n"


@click.command(help=__doc__)
@click.option(
    "--workload",
    "names",
    type=click.Choice(list(WORKLOADS)),
    multiple=True,
    help="Only this one; may be repeated.",
)
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True, help="Rounds.")
@click.option(
    "--markdown",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the table to this file.",
)
def main(names: tuple[str, ...], runs: int, file: Path | None) -> None:
    maude = peers_maude.version()
    rows = []
    for name in names or WORKLOADS:
        click.echo(f"{name} …", err=True)
        rows.append(measured(WORKLOADS[name], runs, maude is not None))
    notes = circumstances(runs, maude)
    table = Table(*HEAD, box=box.SIMPLE)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(*row.cells())
    console = Console()
    console.print(table)
    for note in notes:
        console.print(note, highlight=False)
    if file is not None:
        file.write_text(markdown(rows, notes), "utf-8")


if __name__ == "__main__":
    main()
