"""One row of the tables: the native engine and its peers on the same workload, in turn."""

import warnings
from functools import partial
from typing import Any

import attrs

from rewrite import RewriteWarning, search
from tests.benchmarks import peers_maude, peers_python
from tests.benchmarks.measure import Found, Measured, Race, in_fresh_process, measured, race
from tests.benchmarks.spaces import declared, nothing
from tests.benchmarks.workloads import GENERATED, MAUDE, NATIVE, PLAIN, Target, Workload

TIMES = (
    "space", "states", "native", "generated Python", "Maude", "plain Python",
    "Maude / native", "plain / native", "Maude / generated",
)  # fmt: skip
COSTS = (
    "space", "native, million states/s", "native, B/state", "generated Python, B/state",
    "Maude, B/state", "plain Python, B/state", "target", "reached",
)  # fmt: skip
ENGINES = {NATIVE: "auto", GENERATED: "python"}


def full_space(
    workload: Workload, engine: str, *, threads: int | None = None, max_states: int | None = None
) -> Found:
    """What `rewrite.search` finds, the compilation of the puzzle included.

    Raises AssertionError unless the search saw the whole space (or `max_states` ended it), or when
    it ran in another engine than was asked for.
    """
    puzzle = declared(workload.puzzle, workload.words)
    every: dict[str, Any] = {"goal": nothing(), "strategy": "breadth_first", "symmetry": "none"}
    if workload.answers:
        every = {"solutions": None, "distinct": "paths"}
    result = search(puzzle, engine=engine, threads=threads, max_states=max_states, **every)
    if result.status != "exhausted" and max_states is None:
        raise AssertionError(f"{workload.name}: the search ended as {result.status!r}: {result}")
    if result.engine != {"auto": "native", "python": "python"}[engine]:
        raise AssertionError(f"{workload.name}: ran in {result.engine!r}: {result.notes}")
    return Found(result.states, len(result.paths), tuple(result.levels))


def one_run(workload: Workload, name: str, threads: int | None = None) -> Measured:
    """One contestant's run in this process, which is a fresh one.

    What anybody does once comes before: we are imported, Maude has read its module.
    """
    warnings.simplefilter("ignore", RewriteWarning)  # that steps are kept in the state, e.g.
    if name == MAUDE:
        peers_maude.loaded(workload)
        return measured(lambda: Found(peers_maude.full_space(workload)))
    if name == PLAIN:
        return measured(lambda: Found(*peers_python.full_space(workload)))
    engine = ENGINES[name]
    full_space(workload, engine, max_states=2)
    return measured(lambda: full_space(workload, engine, threads=threads))


@attrs.frozen
class Row:
    workload: Workload
    race: Race

    def times(self) -> list[str]:
        return [
            self.workload.name,
            f"{self.workload.states:,}",
            *[self._seconds(name) for name in (NATIVE, GENERATED, MAUDE, PLAIN)],
            *[
                number(self.ratio(slow, quick), "×")
                for slow, quick in [(MAUDE, NATIVE), (PLAIN, NATIVE), (MAUDE, GENERATED)]
            ],
        ]

    def costs(self) -> list[str]:
        verdicts = self.verdicts() if NATIVE in self.race.runs else []
        return [
            self.workload.name,
            number(self.speed(), ""),
            *[
                number(self.race.bytes_per_state(name), "", 0) if name in self.race.runs else "–"
                for name in (NATIVE, GENERATED, MAUDE, PLAIN)
            ],
            "; ".join(wanted for wanted, _ in verdicts) or "–",
            "; ".join(verdict for _, verdict in verdicts) or "–",
        ]

    def ratio(self, slow: str, quick: str) -> float | None:
        """How many times as long the one took; None where one of them did not run."""
        return self.race.ratio(slow, quick) if {slow, quick} <= self.race.runs.keys() else None

    def speed(self) -> float | None:
        """Million states that the native engine finds in a CPU second."""
        if NATIVE not in self.race.runs:
            return None
        return self.workload.states / self.race.median(NATIVE) / 1e6

    def verdicts(self) -> list[tuple[str, str]]:
        """Each target as text, and whether it was reached."""
        target: Target = self.workload.target
        at_least = [
            ("× Maude", target.over_maude, self.ratio(MAUDE, NATIVE)),
            ("× plain", target.over_plain, self.ratio(PLAIN, NATIVE)),
            (" M/s", target.million_per_second, self.speed()),
        ]
        texts = [
            (f"≥ {wanted:g}{unit}", "yes" if found >= wanted else f"no: {found / wanted:.0%}")
            for unit, wanted, found in at_least
            if wanted is not None and found is not None
        ]
        wanted, found = target.bytes_per_state, self.race.bytes_per_state(NATIVE)
        if wanted is not None and found is not None:
            verdict = "yes" if round(found) <= wanted else f"no: {found:.0f} B"
            texts.append((f"≤ {wanted:g} B", verdict))
        return texts

    def _seconds(self, name: str) -> str:
        if name not in self.race.runs:
            return "–"
        seconds = self.race.median(name)
        return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.2f} s"


def number(value: float | None, unit: str, places: int = 1) -> str:
    return "–" if value is None else f"{value:,.{places}f}{unit and ' ' + unit}"


def row(workload: Workload, *, runs: int, without: frozenset[str] = frozenset()) -> Row:
    """The row of one workload: so many rounds, each contestant in a fresh process each time."""
    names = [name for name in workload.contestants if name not in without]
    found = race(
        names,
        partial(in_fresh_process, one_run, workload),
        states=workload.states,
        answers=workload.answers,
        runs=runs,
    )
    return Row(workload, found)
