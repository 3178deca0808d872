"""`python -m tests.benchmarks`: whole spaces by us, by Maude, and by plain Python, in turn."""

import datetime
import os
import platform
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table

from rewrite.native import status
from tests.benchmarks import peers_maude
from tests.benchmarks.rows import HEAD, Row, one_round, row
from tests.benchmarks.workloads import WORKLOADS


def rows(names: Sequence[str], runs: int, with_maude: bool) -> Iterator[Row]:
    """The rows of these workloads one after the other, each round in a process of its own."""
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as processes:
        for name in names:
            click.echo(f"{name} …", err=True)
            workload = WORKLOADS[name]
            rounds = [processes.submit(one_round, workload, with_maude) for _ in range(runs)]
            first, *others = [each.result() for each in rounds]
            yield row(workload, sum(others, start=first))


def circumstances(runs: int, maude: str | None) -> list[str]:
    """What one must know to read the figures: how they were taken, when, and on what."""
    peer = f"Maude {maude}" if maude else "Maude is not installed (pip install maude): not compared"
    return [
        f"Medians of {runs} rounds in turn, CPU seconds; ratios below 1 mean that ours is faster.",
        f"{datetime.datetime.now().astimezone():%Y-%m-%d}, {platform.python_implementation()} "
        f"{platform.python_version()}, {peer}",
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    ]


def markdown(table: Sequence[Row], notes: list[str]) -> str:
    """The table and its circumstances as a Markdown text."""
    lines = [HEAD, ("---", *["---:"] * (len(HEAD) - 1)), *[each.cells() for each in table]]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join([text, *notes]) + "\n"


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
    if status().profile == "debug":
        raise click.ClickException(f"{status().reason}. The times of a debug build mean nothing")
    maude = peers_maude.version()
    measured_rows = list(rows(names or list(WORKLOADS), runs, maude is not None))
    notes = circumstances(runs, maude)
    console = Console()
    table = Table(*HEAD, box=box.SIMPLE)
    for column in table.columns[1:]:
        column.justify = "right"
    for measured in measured_rows:
        table.add_row(*measured.cells())
    console.print(table)
    for note in notes:
        console.print(note, highlight=False)
    if file is not None:
        file.write_text(markdown(measured_rows, notes), "utf-8")


if __name__ == "__main__":
    main()
