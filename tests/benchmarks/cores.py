"""`python -m tests.benchmarks.cores`: the core alone, on whole spaces; and IDA* on a 15-puzzle.

Compared with an earlier state (--before FOLDER: a checkout with its core in `rewrite/native`), and
with programs written by hand for one puzzle each (--limits FOLDER: their sources, compiled here).
CPU seconds of the search itself in our process, of the whole process for a program written by hand;
each run in a process of its own, in turn. All must find the same number of states. Of IDA* the
states are boards made, again and again; the program written by hand, `idastar.c` beside this file,
does not make those that take a move back, but follows cycles otherwise.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import click

from tests.benchmarks.measure import Found, Measured, Race, in_fresh_process, race
from tests.benchmarks.moments import one_process
from tests.benchmarks.report import machine, rounds, show
from tests.benchmarks.workloads import NATIVE, WORKLOADS, Workload

BEFORE, BY_HAND = "before", "by hand"
HEAD = (
    "space", "states", "now", "before", "by hand", "before / now", "now / by hand",
    "million states/s",
)  # fmt: skip
ROOT = Path(__file__).parents[2]
INSIDE = Path(__file__).with_name("inside.py")


@attrs.frozen
class Limit:
    """A program written for one puzzle: its source, its arguments, what it prints of the states."""

    source: str
    words: tuple[str, ...]
    states: int
    pattern: str = r"states=(\d+)"
    ours: bool = False  # its source stands beside this file


BOARD = "5 12 11 2 6 1 7 14 0 3 4 10 13 8 9 15"  # the fourth of `strategies`
IDASTAR = Workload(
    "idastar",
    "eight_puzzle",
    tuple(BOARD.split()),
    24_664_209,
    "8,003,916 are expanded; 548 more by the program by hand, which follows cycles",
    answers=48,
)
RACES: Mapping[str, Workload] = {**WORKLOADS, IDASTAR.name: IDASTAR}
LIMITS: Mapping[str, Limit] = {
    "digitle-6": Limit("digitle.cpp", ("pool", "0", "75,4,7,9,8,2"), 29_459),
    "digitle-7": Limit("digitle.cpp", ("pool", "0", "75,4,7,9,8,2,25"), 400_193),
    # without the state before a set is dealt, and the ring's first number
    "hyperjump": Limit("hyperjump.cpp", ("sweep",), 612_153),
    "power-strike": Limit("powerstrike.cpp", ("41", "7", "14"), 291_504),
    "8-puzzle": Limit("sliding.rs", ("prefetch", "3", "3"), 181_440, r"states (\d+)"),
    "sliding-5x2": Limit("sliding.rs", ("prefetch", "5", "2"), 1_814_400, r"states (\d+)"),
    "idastar": Limit(
        "idastar.c", ("last", *IDASTAR.words), 8_004_464, r"moves=48 expanded=(\d+)", ours=True
    ),
}
COMPILERS = {
    ".c": ("cc", "-O2"),
    ".cpp": ("g++", "-O2"),
    ".rs": ("rustc", "-C", "opt-level=3", "-C", "target-cpu=native"),
}


def inside(name: str, folder: Path) -> Measured:
    """The CPU seconds that one search of a whole space spends in the core of a checkout."""
    words = IDASTAR.words if name == IDASTAR.name else ()
    told = subprocess.run(
        [sys.executable, "-P", str(INSIDE), name, *words],
        env=os.environ | {"PYTHONPATH": str(folder)}, cwd=folder,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    states, answers, cpu, wall = told.stdout.split()
    return Measured(Found(int(states), int(answers)), float(cpu), float(wall), peak=None)


def by_hand(program: str, limit: Limit, found: Found) -> Measured:
    """The CPU seconds of a program written by hand, told as having found the same as we."""
    wall, cpu, said = one_process([program, *limit.words])
    states = re.search(limit.pattern, said)
    counted = int(states[1]) if states else 0
    assert counted == limit.states, f"{limit.source}: {counted:,} states, not {limit.states:,}"
    return Measured(found, cpu, wall, peak=None)


def compiled(source: Path, folder: Path) -> str | None:
    """The program of a source; None where there is no source or no compiler for it."""
    program, (compiler, *options) = folder / source.stem, COMPILERS[source.suffix]
    if not source.exists() or shutil.which(compiler) is None:
        return None
    if not program.exists():
        subprocess.run([compiler, *options, "-o", str(program), str(source)], check=True)
    return str(program)


def run(name: str, before: Path | None, program: str | None, runs: int) -> Race:
    workload, limit = RACES[name], LIMITS.get(name)
    same = Found(workload.states, workload.answers)
    ways = {NATIVE: partial(inside, name, ROOT)}
    if before is not None:
        ways[BEFORE] = partial(inside, name, before)
    if program is not None and limit is not None:
        ways[BY_HAND] = partial(in_fresh_process, by_hand, program, limit, same)
    return race(
        list(ways), lambda one: ways[one](), states=same.states, answers=same.answers, runs=runs
    )


def line(name: str, found: Race) -> list[str]:
    def seconds(one: str) -> str:
        return f"{1000 * found.median(one):,.1f} ms" if one in found.runs else "–"

    def ratio(one: str, other: str) -> str:
        return f"{found.ratio(one, other):.2f} ×" if {one, other} <= found.runs.keys() else "–"

    states = RACES[name].states
    return [
        name, f"{states:,}", seconds(NATIVE), seconds(BEFORE), seconds(BY_HAND),
        ratio(BEFORE, NATIVE), ratio(NATIVE, BY_HAND), f"{states / found.median(NATIVE) / 1e6:.1f}",
    ]  # fmt: skip


@click.command(help=__doc__)
@click.option("--workload", "names", type=click.Choice(list(RACES)), multiple=True)
@click.option("--before", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--limits", type=click.Path(exists=True, file_okay=False, path_type=Path))
@rounds(5)
def main(names: Sequence[str], before: Path | None, limits: Path | None, runs: int) -> None:
    daily = [name for name, workload in RACES.items() if not workload.by_hand]
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names or daily:
            click.echo(f"{name} …", err=True)
            limit, program = LIMITS.get(name), None
            source = Path(__file__).parent if limit is not None and limit.ours else limits
            if source is not None and limit is not None:
                program = compiled(source / limit.source, Path(folder))
            lines.append(line(name, run(name, before, program, runs)))
            click.echo("  ".join(lines[-1]), err=True)
    notes = [f"Medians of {runs} rounds in turn; CPU seconds.", machine()]
    show([(HEAD, lines)], notes)


if __name__ == "__main__":
    main()
