"""`python -m tests.benchmarks.by_hand`: what takes minutes, each by its name.

    hyperjump-each   6,435 searches, one a set of digits: what compiling costs, against one search
    countdown        which targets each of the 13,243 selections of Countdown makes
    rings            the 19,440 rings of Power Strike, and the time to read the states of all
    english          all positions of English peg solitaire up to symmetry
    sliding-4x3      how far each of the 239,500,800 boards of 4×3 sliding tiles is

The spaces of hundreds of millions of states are workloads: `python -m tests.benchmarks --workload
sliding-4x3 --runs 1`, and `peg-solitaire`.
"""

import resource
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import click

from puzzles import peg_solitaire
from rewrite import RewriteWarning, contains, distances, search
from rewrite.native import status
from tests.benchmarks.spaces import countdown, declared, hyperjump_of, nothing, selections, sliding
from tests.benchmarks.spaces import sets_of_digits as sets

TARGETS = 899  # 101 to 999
SOLVABLE = 10_858_746


def hyperjump_each() -> str:
    """All chains of all sets, a search each."""
    begin = time.process_time()
    results = [search(hyperjump_of(digits), goal=nothing()) for digits in sets()]
    seconds = time.process_time() - begin
    states = sum(result.states for result in results)
    inside = sum(result.seconds for result in results)
    assert states == 612_153, states
    return (
        f"{len(results):,} searches, {states:,} states: {seconds:.1f} s CPU, "
        f"{1000 * seconds / len(results):.2f} ms a search; {inside:.1f} s inside the searches"
    )


def solvable(numbers: tuple[int, ...]) -> tuple[int, int]:
    """How many targets these numbers make, and how many states were searched for it."""
    result = search(countdown, list(numbers), solutions=None)
    assert result.status == "exhausted", result
    return len(result.paths), result.states


def every_countdown(workers: int) -> str:
    """Every target of every selection, on so many processes."""
    begin = time.perf_counter()
    context = get_context("spawn")
    with ProcessPoolExecutor(
        workers,
        mp_context=context,
        initializer=quiet,
        max_tasks_per_child=1,  # new processes: what a search leaves behind does not add up
    ) as processes:
        found = list(processes.map(solvable, selections(), chunksize=200))
    seconds = time.perf_counter() - begin
    targets, states = sum(each for each, _ in found), sum(each for _, each in found)
    assert targets == SOLVABLE, f"{targets:,} solvable, not {SOLVABLE:,}"
    return (
        f"{len(found):,} selections, {targets:,} of {TARGETS * len(found):,} targets, {states:,} "
        f"states: {seconds:.0f} s on {workers} processes"
    )


def rings() -> str:
    """All rings of Power Strike, with and without their states."""
    puzzle = declared("power_strike", ("41", "×7", "14"))
    begin = time.process_time()
    result = search(puzzle, solutions=None, distinct="paths")
    searched = time.process_time()
    length = sum(len(path.states) for path in result.paths)
    read = time.process_time()
    return (
        f"{len(result.paths):,} rings in {searched - begin:.2f} s CPU; reading the states of all, "
        f"{length:,}: {read - searched:.2f} s"
    )


def english() -> str:
    """All positions on the English board, up to its eight symmetries."""
    begin = time.process_time()
    nowhere = contains(peg_solitaire.Hole(24, 7))
    puzzle = peg_solitaire.instance("english")
    result = search(puzzle, goal=nowhere, strategy="breadth_first")
    seconds = time.process_time() - begin
    assert result.states == 23_475_688, result
    return f"{result.states:,} positions up to symmetry: {seconds:.1f} s CPU, {peak()} MiB"


def sliding_4x3() -> str:
    """The distances of all boards of 4×3 sliding tiles, over a perfect index."""
    begin = time.process_time()
    table = distances(sliding("4", "3"))
    seconds = time.process_time() - begin
    assert (table.states, table.depth) == (239_500_800, 53), table
    return f"{table.states:,} states, depth {table.depth}: {seconds:.1f} s CPU, {peak()} MiB"


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def quiet() -> None:
    """No warnings about rules that small searches never needed."""
    warnings.simplefilter("ignore", RewriteWarning)


RUNS = {
    "hyperjump-each": hyperjump_each, "rings": rings, "english": english,
    "sliding-4x3": sliding_4x3,
}  # fmt: skip


@click.command(help=__doc__)
@click.argument("name", type=click.Choice(["countdown", *RUNS]))
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True)
def main(name: str, workers: int) -> None:
    if status().profile == "debug":
        raise click.ClickException(f"{status().reason}. The times of a debug build mean nothing")
    quiet()
    if name == "countdown":
        click.echo(every_countdown(workers))
    else:
        click.echo(RUNS[name]())


if __name__ == "__main__":
    main()
