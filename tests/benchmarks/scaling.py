"""`python -m tests.benchmarks.scaling`: what a state costs as spaces grow from 10^5 to 10^8.

Measures the native engine on sliding tiles, one space after the other, each in a fresh process, and
writes a line a space to `scaling.csv`; `plot` draws them. The two spaces of 239,500,800 states take
minutes and 5 GB each, and run with `--large` only; a line that is there already is replaced.
"""

import csv
import datetime
from pathlib import Path

import attrs
import click

from tests.benchmarks.measure import Measured, in_fresh_process, measured
from tests.benchmarks.report import refuse_debug
from tests.benchmarks.rows import full_space
from tests.benchmarks.workloads import Workload

FILE = Path(__file__).with_name("scaling.csv")


def is_true(text: object) -> bool:
    return str(text) == "True"


@attrs.frozen
class Point:
    """One measured space, or the first so many states of it."""

    board: str  # columns x rows
    states: int = attrs.field(converter=int)
    whole: bool = attrs.field(converter=is_true)
    cpu: float = attrs.field(converter=float)
    wall: float = attrs.field(converter=float)
    peak: int = attrs.field(converter=int)
    date: str

    @property
    def nanoseconds(self) -> float:
        return self.cpu / self.states * 1e9

    @property
    def bytes(self) -> float:
        return self.peak / self.states


SMALL = [("3x3", None), ("5x2", None), ("4x3", 10**6), ("4x3", 10**7), ("4x3", 10**8)]
LARGE = [("6x2", None), ("4x3", None)]
SIZES = {"3x3": 181_440, "5x2": 1_814_400, "6x2": 239_500_800, "4x3": 239_500_800}


def one(board: str, most: int | None) -> Measured:
    space = Workload(board, "sliding", tuple(board.split("x")), SIZES[board], "n! / 2")
    full_space(space, "auto", max_states=2)
    return measured(lambda: full_space(space, "auto", max_states=most))


def point(board: str, most: int | None) -> Point:
    """One measured point.

    Raises AssertionError where a whole space has another number of states than it must have.
    """
    run = in_fresh_process(one, board, most)
    if most is None and run.found.states != SIZES[board]:
        raise AssertionError(f"{board}: {run.found.states:,} states, not {SIZES[board]:,}")
    if run.peak is None:
        raise AssertionError("the peak of memory is known on Linux only")
    today = datetime.date.today().isoformat()
    return Point(board, run.found.states, most is None, run.cpu, run.wall, run.peak, today)


def read() -> list[Point]:
    """The points that were measured, by size."""
    if not FILE.exists():
        return []
    with FILE.open(encoding="utf-8", newline="") as file:
        points = [Point(**line) for line in csv.DictReader(file)]
    return sorted(points, key=lambda each: (each.states, each.board))


def write(points: list[Point]) -> None:
    with FILE.open("w", encoding="utf-8", newline="") as file:
        names = [field.name for field in attrs.fields(Point)]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        for each in sorted(points, key=lambda each: (each.states, each.board)):
            line = attrs.asdict(each)
            writer.writerow(line | {"cpu": f"{each.cpu:.3f}", "wall": f"{each.wall:.3f}"})


@click.command(help=__doc__)
@click.option("--large", is_flag=True, help="The spaces of 239,500,800 states only.")
@click.option("--board", help="Only this one of them.")
def main(large: bool, board: str | None) -> None:
    refuse_debug()
    for name, most in LARGE if large else SMALL:
        if board in (None, name):
            new = point(name, most)
            rest = [
                old
                for old in read()
                if (old.board, old.states // 1000) != (name, new.states // 1000)
            ]
            write([*rest, new])
            click.echo(f"{new}: {new.nanoseconds:.0f} ns, {new.bytes:.1f} B a state")


if __name__ == "__main__":
    main()
