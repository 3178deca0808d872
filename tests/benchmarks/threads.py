"""One thread against two on the same space, by the clock on the wall, in turn."""

from tests.benchmarks.measure import in_fresh_process, race
from tests.benchmarks.rows import one_run
from tests.benchmarks.workloads import NATIVE, WORKLOADS

HEAD = ("space", "1 thread", "2 threads", "1 / 2 threads", "CPU of 1", "CPU of 2", "levels")
NAMES = ("8-puzzle", "sliding-5x2", "digitle-7")
ONE, TWO = "1 thread", "2 threads"


def row(name: str, runs: int) -> list[str]:
    """The wall seconds of a workload. Raises AssertionError where the levels differ."""
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
    return [
        name,
        *[f"{times.wall(each):.3f} s" for each in threads],
        f"{times.wall_ratio(ONE, TWO):.2f} ×",
        *[f"{times.median(each):.3f} s" for each in threads],
        "the same",
    ]
