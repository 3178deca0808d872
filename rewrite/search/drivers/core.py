"""The search in the core: it runs by itself; its results are collected here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rewrite.budget import Budget
from rewrite.compile.interning import Ctor
from rewrite.engine.counts import Code, Counts
from rewrite.language.expressions import Expression
from rewrite.language.states import State
from rewrite.native import status
from rewrite.native.engine import NativeSearch
from rewrite.native.program import state_key
from rewrite.native.trouble import DiskFull
from rewrite.search.drivers.interface import (
    Counted,
    Driver,
    GoalHit,
    StepResult,
    Watch,
    overestimated,
)
from rewrite.search.estimates import term_of
from rewrite.search.heuristics.heuristic import Heuristic

if TYPE_CHECKING:
    from rewrite.search.setup import Setup

status()  # loads the core now, if it is there, and not in the first search

ANSWERS = 1_000
"""The most answers to fetch at a time …"""
STEPS = 1 << 20
"""… and the most steps of all of them: Python needs more memory for them than the core."""

SMALL = 4 << 20
"""Uncounted bytes for the core's allocator and Python."""
COUNTS = (
    "states", "depth", "waiting", "levels", "expanded", "dropped", "reopened", "inconsistent",
    "came_back", "too_near",
)  # fmt: skip
"""The counts of `Counted` that have the same name in the core."""


def _beside(budget: Budget, held: int) -> int:
    """Return the bytes that count in addition to those the core knows of."""
    return max(0, budget.memory - held - SMALL)


def _hit(codes: Sequence[int], order: int, value: Any) -> GoalHit:
    return GoalHit(codes, order, term_of(value))


class CoreRecord(Counted):
    """The counts of the core; `refresh` rereads them."""

    states: int = 1

    def __init__(self, core: NativeSearch) -> None:
        self.core = core
        self.refresh()

    def refresh(self) -> dict[str, Any]:
        """Reread all counts, and return them."""
        facts = self.core.facts()
        for name in COUNTS:
            setattr(self, name, facts[name])
        self.hopeless: int = facts["ruled_out"]
        self.bytes: int = facts["bytes"]
        return facts

    @property
    def parents(self) -> memoryview[int]:
        return self.core.parents()

    def counts(self) -> dict[str, Counts]:
        return self.core.counts()


class CoreDriver(Driver):
    """Runs the core. The constructor raises Unlowered or Unsupported if the core cannot search.

    eager   check for Ctrl-C after every batch: Python is called anyway
    """

    name = NativeSearch.name
    record: CoreRecord

    def __init__(self, setup: Setup, ctors: frozenset[Ctor], eager: bool = False) -> None:
        asked, python, estimate, ends = setup.asked, setup.engine, setup.estimate, setup.ends
        reduction, classes = setup.reduction, setup.classes
        told = asked.for_core(eager)
        inverse = None
        if ends is not None:
            inverse = ends.inverse
            told["goals"] = [state_key(python, code) for code in ends.goals]
            told["weighted"] = ends.weighted
        self.engine = python if classes is None else classes.counted
        self.core = NativeSearch(
            self.engine, setup.start, told, asked.threads or 1, estimate,
            objective=None if asked.minimize is None else 0,
            heuristic=len(asked.values) - 1 if isinstance(asked.heuristic, Expression) else None,
            ctors=ctors, inverse=inverse,
            canon=None if reduction is None else reduction.group.for_core(),
            free=None if classes is None else classes.for_core(),
            from_rules=estimate.for_core() if isinstance(estimate, Heuristic) else None,
        )  # fmt: skip
        self.record = CoreRecord(self.core)
        self.spill: Callable[[bool], int] | None = None
        """Spills finished states, if memory is limited and there is a folder.

        Given whether memory is scarce; returns the bytes freed. Raises DiskFull."""

    def step(self, more: int | None, watch: Watch) -> StepResult:
        core, budget, most = self.core, watch.budget, watch.limits.max_memory
        paused = full = False
        spill = self.spill if most is not None else None

        def pulse(states: int, depth: int, waiting: int, memory: int) -> bool:
            nonlocal paused, full
            watch.report(states, depth, waiting, lambda: memory)
            paused = watch.pauses(states)
            full = most is not None and memory + _beside(budget, memory) >= most
            return paused or full or budget.asked

        # with bindings, a state may be several answers, or none; others may be repeated
        at_once = max(1, min(ANSWERS, STEPS // (self.record.depth + 1)))
        wanted = at_once if more is None else min(more, at_once)
        while True:
            limits = watch.limits
            if most is not None and (beside := _beside(budget, self.record.bytes)):
                limits = evolve(limits, max_memory=max(1, most - beside))
            why, limit = core.advance(
                wanted, limits, budget.left, pulse, lambda: budget.asked, spill is not None
            )
            if why == "interrupted" and full and not budget.asked:
                why, limit = "limit", "max_memory"
            scarce = limit == "max_memory"
            if spill is None or not (scarce or why == "crowded"):
                break
            try:
                if not spill(scarce) and scarce:
                    break
            except DiskFull:
                why, limit = "limit", "disk_full"
                break
            self.record.refresh()
        goals = tuple([_hit(*one) for one in core.answers()])
        best, record, facts = core.nearest(), self.record, self.record.refresh()
        record.nearest = None if best is None else _hit(*best)
        if facts["overestimate"] is not None:
            code, guessed, left = facts["overestimate"]
            record.overestimate = overestimated(core.decode(code), guessed, left)
        if why == "interrupted" and paused and not budget.asked:
            why = "paused"
        return StepResult("" if why == "found" else why, limit, goals, facts["out_of_memory"])

    @property
    def savable(self) -> NativeSearch:
        return self.core

    @cached_property
    def decode(self) -> Callable[[Code], State]:
        return self.core.decode

    def plain(self, code: Code) -> Code:
        return self.core.plain(code)

    def expand(self, code: Code) -> list[Code]:
        return list(self.core.successors(code))  # None stands for unseen ones
