"""What it costs to spread a search over processes: CPU time, memory and parcels a state.

    python -m tests.benchmarks.cluster [--states N] [--partitions 1 2 4] [--board 4x3]

Searches sliding tiles with the native engine in one thread, and then over so many actors of Ray on
this machine. Levels, and states where the space is exhausted, must be the same. CPU time is that of
this process and all of Ray's, without their start; memory is what all of them hold for themselves
at the end.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rewrite import search
from rewrite.results.result import Result
from rewrite.search.arguments import question
from rewrite.search.cluster.on_ray import OnRay, partitions_for
from rewrite.search.cluster.parts import Work
from rewrite.search.cluster.run import ClusterRun
from rewrite.search.results import result_of
from tests.benchmarks.spaces import nothing, sliding

TICKS = os.sysconf("SC_CLK_TCK")


def family(root: int) -> Iterator[int]:
    """Yield the numbers of a process and of all below it, and of what Ray has started apart."""
    parents: dict[int, int] = {}
    for one in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(one.name)] = int((one / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    todo = [root]
    while todo:
        pid = todo.pop()
        yield pid
        todo += [child for child, parent in parents.items() if parent == pid]


def seconds(pids: Sequence[int]) -> float:
    total = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def anonymous(pids: Sequence[int]) -> int:
    """Return the bytes that processes hold for themselves, and what they share in memory, once."""
    own = shared = 0
    for pid in pids:
        try:
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    own += int(line.split()[1]) << 10
                elif line.startswith("RssShmem:"):
                    shared = max(shared, int(line.split()[1]) << 10)
        except OSError:
            continue
    return own + shared


class Measured(OnRay):
    """Parts that know what they cost."""

    last: Measured | None = None

    def __init__(self, work: Work) -> None:
        super().__init__(work)
        self.objects = self.rounds = self.memory = 0
        self.began, self.before = time.perf_counter(), seconds(list(family(os.getpid())))
        self.took = self.cpu = 0.0
        Measured.last = self

    def expand(self, part: int, at: int, most: int) -> tuple[Any, Sequence[Any]]:
        self.objects += self.count + 1
        self.rounds += part == 0
        return super().expand(part, at, most)

    def end(self) -> None:
        if not self.took and hasattr(self, "began"):
            pids = list(family(os.getpid()))
            self.took = time.perf_counter() - self.began
            self.cpu = seconds(pids) - self.before
            self.memory = anonymous(pids)
        super().end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--board", default="4x3")
    parser.add_argument("--states", type=int, default=20_000_000, help="0: the whole space")
    parser.add_argument("--partitions", type=int, nargs="+", default=[1, 2, 4])
    given = parser.parse_args()
    puzzle = sliding(*given.board.split("x")).replace(goal=nothing())
    limits: dict[str, Any] = {"max_states": given.states or None}
    began, cpu = time.perf_counter(), time.process_time()
    wanted = search(puzzle, engine="native", strategy="breadth_first", **limits)
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    base = cpu / wanted.states
    print("| partitions | states | wall s | CPU µs a state | / native | GB | objects | rounds |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    print(f"| native | {wanted.states:,} | {took:.1f} | {base * 1e6:.3f} | 1.00 | | | |")
    for parts in given.partitions:
        found, measured = spread(puzzle, parts, limits)
        same = min(len(found.levels), len(wanted.levels)) - 1
        assert same > 10
        assert list(found.levels)[:same] == list(wanted.levels)[:same]
        assert found.status != "exhausted" or found.states == wanted.states
        each = measured.cpu / found.states
        print(
            f"| {parts} | {found.states:,} | {measured.took:.1f} | {each * 1e6:.3f} "
            f"| {each / base:.2f} | {measured.memory / 1e9:.2f} | {measured.objects:,} "
            f"| {measured.rounds:,} |"
        )


def spread(puzzle: Any, parts: int, limits: dict[str, Any]) -> tuple[Result, Measured]:
    partitions_for(parts)
    asked = question(puzzle, None, None, engine="ray", partitions=parts,
                     strategy="breadth_first", **limits)  # fmt: skip
    run = ClusterRun(asked, Measured)
    found = result_of(run, asked.limits)
    assert Measured.last is not None
    assert run.driver is not None
    run.driver.end()
    return found, Measured.last


if __name__ == "__main__":
    main()
