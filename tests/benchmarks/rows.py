"""One row of the table: we, Maude and plain Python on the same workload, in turn."""

import attrs

from puzzles import PUZZLES
from rewrite import contains, search
from tests.benchmarks import peers_maude, peers_python
from tests.benchmarks.measure import Contestant, Race, race
from tests.benchmarks.workloads import Workload

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


def one_round(workload: Workload, with_maude: bool) -> Race:
    """The times of one round, to be called in a fresh process.

    In an old process Maude is slower than it need be (see peers_maude). Warming up is what anybody
    does once: we are imported, Maude has read its module.
    """
    contestants: dict[str, Contestant] = {
        "ours": lambda: full_space(workload),
        "plain Python": lambda: peers_python.full_space(workload),
    }
    full_space(workload)
    if with_maude:
        peers_maude.loaded(workload)
        contestants = {"Maude": lambda: peers_maude.full_space(workload), **contestants}
    return race(contestants, states=workload.states, runs=1)


def row(workload: Workload, times: Race) -> Row:
    """The row of one workload from all its rounds."""
    with_maude = "Maude" in times.seconds
    return Row(
        workload,
        ours=times.median("ours"),
        maude=times.median("Maude") if with_maude else None,
        python=times.median("plain Python"),
        to_maude=times.ratio("ours", "Maude") if with_maude else None,
        to_python=times.ratio("ours", "plain Python"),
    )
