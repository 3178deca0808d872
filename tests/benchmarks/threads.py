"""One thread against two on the same space, by the clock on the wall, in turn."""

import attrs

from tests.benchmarks.measure import Race, in_fresh_process, race
from tests.benchmarks.rows import one_run
from tests.benchmarks.workloads import NATIVE, WORKLOADS, Workload

HEAD = ("space", "1 thread", "2 threads", "1 / 2 threads", "CPU of 1", "CPU of 2", "levels")
NAMES = ("8-puzzle", "sliding-5x2", "digitle-7")
ONE, TWO = "1 thread", "2 threads"


@attrs.frozen
class Row:
    """The wall seconds of one workload. The levels are the same, or there is no row."""

    workload: Workload
    race: Race

    def cells(self) -> list[str]:
        return [
            self.workload.name,
            f"{self.race.wall(ONE):.3f} s",
            f"{self.race.wall(TWO):.3f} s",
            f"{self.race.wall_ratio(ONE, TWO):.2f} ×",
            f"{self.race.median(ONE):.3f} s",
            f"{self.race.median(TWO):.3f} s",
            "the same",
        ]


def row(name: str, runs: int) -> Row:
    """One workload. Raises AssertionError where two threads find other levels than one."""
    workload = WORKLOADS[name]
    threads = {ONE: 1, TWO: 2}
    times = race(
        threads,
        lambda each: in_fresh_process(one_run, workload, NATIVE, threads[each]),
        states=workload.states,
        answers=workload.answers,
        runs=runs,
    )
    if len({run.found.levels for each in threads for run in times.runs[each]}) != 1:
        raise AssertionError(f"{name}: the levels differ between one thread and two")
    return Row(workload, times)
