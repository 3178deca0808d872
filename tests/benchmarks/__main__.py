"""`python -m tests.benchmarks`: whole spaces by both engines, by Maude, and by plain Python."""

from collections.abc import Sequence
from pathlib import Path

import click

from tests.benchmarks import moments, peers_maude, rows, threads
from tests.benchmarks.report import Lines, machine, refuse_debug, rounds, show, to_file, today
from tests.benchmarks.workloads import CONTESTANTS, MAUDE, WORKLOADS

PARTS = ("spaces", "threads", "moments", "install")
BY_HAND = ("install",)
"""Parts that take minutes, and are run only when they are asked for."""


def spaces(names: Sequence[str], runs: int, without: frozenset[str]) -> list[Lines]:
    """The two tables of the workloads: times with ratios; speed, memory and targets."""
    found = []
    for name in names:
        click.echo(f"{name} …", err=True)
        found.append(rows.row(WORKLOADS[name], runs=runs, without=without))
        click.echo("  ".join(found[-1].times() + found[-1].costs()[1:]), err=True)
    return [
        (rows.TIMES, [each.times() for each in found]),
        (rows.COSTS, [each.costs() for each in found]),
    ]


def circumstances(runs: int, maude: str | None) -> list[str]:
    """What one must know to read the figures: how they were taken, when, and on what."""
    peer = f"Maude {maude}" if maude else "Maude is not installed (pip install maude): not compared"
    return [
        f"Medians of {runs} rounds in turn, each run in a fresh process; CPU seconds, peaks of "
        "memory above the process before; a ratio above 1 means that the second is faster.",
        today(peer),
        machine(),
    ]


@click.command(help=__doc__)
@click.option(
    "--workload",
    "names",
    type=click.Choice(list(WORKLOADS)),
    multiple=True,
    help="Only this one; may be repeated. Without it, all but those that take minutes.",
)
@click.option(
    "--without",
    type=click.Choice(CONTESTANTS),
    multiple=True,
    help="Without this contestant; may be repeated.",
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    help="Only this part of the report; may be repeated.",
)
@rounds(3)
@to_file
def main(
    names: tuple[str, ...],
    without: tuple[str, ...],
    parts: tuple[str, ...],
    runs: int,
    file: Path | None,
) -> None:
    refuse_debug()
    maude = peers_maude.version()
    daily_parts = tuple(part for part in PARTS if part not in BY_HAND)
    chosen = parts or (("spaces",) if names else daily_parts)
    tables: list[Lines] = []
    if "spaces" in chosen:
        daily = [name for name, workload in WORKLOADS.items() if not workload.by_hand]
        absent = frozenset(without) | (frozenset() if maude else {MAUDE})
        tables += spaces(names or daily, runs, absent)
    if "threads" in chosen:
        click.echo("threads …", err=True)
        tables.append((threads.HEAD, [threads.row(name, runs) for name in threads.NAMES]))
    if "moments" in chosen:
        click.echo("moments …", err=True)
        found = [*moments.whole_processes(5 * runs), *moments.calls(5 * runs)]
        tables.append((moments.HEAD, [each.cells() for each in found]))
    if "install" in chosen:
        click.echo("install …", err=True)
        tables.append((moments.HEAD, [each.cells() for each in moments.install(runs)]))
    notes = circumstances(runs, maude)
    show(tables, notes, file)


if __name__ == "__main__":
    main()
