"""Runs contestants in turn on the same work, each time in a fresh process; compares their times.

In turn (A B C A B C …) because a machine gets slower and faster while one waits: neighbours in
time see the same machine, so a ratio is taken within each round, and the median over the rounds.
In a fresh process because only there one knows whose the memory is, and nobody finds the machine
as another has left it (Maude's second search in a process is slower than its first).
"""

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import attrs

Value = TypeVar("Value")


LEAST_PEAK = 2 * 2**20
"""Below this, a peak says little: what compiling has freed before is used again, about 1 MiB."""


class WrongCount(AssertionError):
    """A contestant did other work than was agreed; its time would mean nothing."""


@attrs.frozen
class Found:
    """What a contestant found: different states, answers where all were asked for, levels."""

    states: int
    answers: int = 0
    levels: tuple[int, ...] = ()


@attrs.frozen
class Measured:
    """One run: CPU and wall seconds, bytes at the peak above those before; None: not known."""

    found: Found
    cpu: float
    wall: float
    peak: int | None


@attrs.frozen
class Race:
    """The runs of each contestant, by name, in the order of the rounds."""

    runs: Mapping[str, tuple[Measured, ...]]

    def median(self, name: str) -> float:
        """The median of one contestant's CPU seconds."""
        return statistics.median(run.cpu for run in self.runs[name])

    def ratio(self, name: str, peer: str) -> float:
        """How many times as long as its peer a contestant took: the median over the rounds."""
        pairs = zip(self.runs[name], self.runs[peer], strict=True)
        return statistics.median(mine.cpu / theirs.cpu for mine, theirs in pairs)

    def wall_ratio(self, name: str, peer: str) -> float:
        """The same by the clock on the wall."""
        pairs = zip(self.runs[name], self.runs[peer], strict=True)
        return statistics.median(mine.wall / theirs.wall for mine, theirs in pairs)

    def wall(self, name: str) -> float:
        return statistics.median(run.wall for run in self.runs[name])

    def bytes_per_state(self, name: str) -> float | None:
        """The median of the peak, by state; None where it is not known or too small to tell."""
        runs = self.runs[name]
        known = [(run.peak, run.found.states) for run in runs if run.peak is not None]
        if not known or statistics.median(peak for peak, _ in known) < LEAST_PEAK:
            return None
        return statistics.median(peak / states for peak, states in known)


def in_fresh_process(function: Callable[..., Value], *arguments: object) -> Value:
    """What the function gives, called in a Python process of its own."""
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as processes:
        return processes.submit(function, *arguments).result()


def measured(work: Callable[[], Found]) -> Measured:
    """One run in this process, with the garbage collector as in a program that has just begun.

    What exists before is frozen: nobody pays for walking over the objects of this program.
    """
    gc.collect()
    gc.freeze()
    before = memory("VmRSS")
    forget_the_peak()
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = memory("VmHWM")
    known = None if before is None or peak is None else peak - before
    return Measured(found, cpu, wall, known)


def memory(field: str) -> int | None:
    """Bytes in use (VmRSS) or the most that there were (VmHWM), as Linux tells; else None."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines[field].split()[0]) * 1024


def forget_the_peak() -> None:
    """Lets VmHWM begin again at what is in use now (proc(5), clear_refs)."""
    file = Path("/proc/self/clear_refs")
    if file.exists():
        file.write_text("5")


def race(
    names: Iterable[str], run: Callable[[str], Measured], *, states: int, answers: int, runs: int
) -> Race:
    """The runs of so many rounds, in turn.

    Raises WrongCount as soon as a contestant finds another number of states or answers.
    """
    listed = list(names)

    def checked(name: str) -> Measured:
        one = run(name)
        if (one.found.states, one.found.answers) != (states, answers):
            raise WrongCount(
                f"{name} found {one.found.states:,} states and {one.found.answers:,} answers; "
                f"there are {states:,} and {answers:,}"
            )
        return one

    rounds = [{name: checked(name) for name in listed} for _ in range(runs)]
    return Race({name: tuple(each[name] for each in rounds) for name in listed})
