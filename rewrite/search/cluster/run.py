"""A search over parts: starts like any other, and returns to the last save if a part is lost."""

from __future__ import annotations

from rewrite.budget import doing
from rewrite.errors import SearchError
from rewrite.search.checkpointing import PARTS
from rewrite.search.cluster.driver import ClusterDriver
from rewrite.search.cluster.parts import Lost, Parts, Work, engine_for
from rewrite.search.drivers.interface import Watch
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.setup import Setup, reduce_by_symmetry

MOST_LOSSES = 5
"""Most consecutive returns to the last save without a newer one."""


class ClusterRun(Run):
    """A running search over `partitions=` parts."""

    form = PARTS

    def __init__(self, asked: Question, parts: type[Parts]) -> None:
        super().__init__(asked)
        self.parts = parts
        self.losses: list[str] = []
        self._reached, self._lost_in_a_row = -1, 0

    @property
    def engine_name(self) -> str:
        return self.parts.name

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *self.losses]

    def _set_up(self) -> Setup:
        asked = self.given
        doing("compiling the rules")
        engine = engine_for(asked.puzzle, asked.start, asked.goal, self.capacity)
        setup = Setup(asked, engine, engine.encode(asked.start))
        reduce_by_symmetry(setup)
        if setup.reduction is not None:
            setup.start = setup.reduction.canonical(setup.start)
        return setup

    def _made(self, setup: Setup) -> ClusterDriver:
        asked, reduction = setup.asked, setup.reduction
        assert asked.partitions is not None
        canon = None if reduction is None else reduction.group.for_core()
        work = Work(
            asked.puzzle, asked.start, asked.goal, self.capacity, asked.partitions, setup.start,
            canon,
        )  # fmt: skip
        return ClusterDriver(setup, work, self.parts)

    def _go_python(self, why: Exception) -> None:
        raise SearchError(
            f"{self.asked.puzzle.name}: engine='ray' is for what the native engine can search, and "
            f"this it cannot: {why}. Leave partitions= and engine= out"
        )

    def end(self) -> None:
        if self.driver is not None:
            self.driver.end()

    # -- losses ------------------------------------------------------------------------------
    def _loop(self, wanted: int | None, watch: Watch) -> str:
        while True:
            try:
                return super()._loop(wanted, watch)
            except Lost as lost:
                self._go_back(lost)

    def _go_back(self, lost: Lost) -> None:
        """Restart the search from the last save. Raises SearchError if there is none."""
        name, states = self.asked.puzzle.name, self.record.states
        if self.checkpointer is None:
            raise SearchError(
                f"{name}: a part of the search is lost, and the states that were at home there "
                f"with it ({states:,} were known in all): {lost}. Give checkpoint=, a folder that "
                "all machines see: then the search goes on from what was saved last"
            ) from lost
        self.end()
        saved = self.checkpointer.writer.go_back()
        self._lost_in_a_row = 1 if saved > self._reached else self._lost_in_a_row + 1
        self._reached = saved
        if self._lost_in_a_row > MOST_LOSSES:
            raise SearchError(
                f"{name}: parts of the search were lost {MOST_LOSSES} times without getting any "
                f"further than the {saved:,} states that are saved: {lost}. Search again when the "
                "cluster is well; it goes on from there"
            ) from lost
        self.losses.append(
            f"a part of the search was lost when {states:,} states were known ({lost}); it went "
            f"on from the {saved:,} that were saved"
        )
        self._forget()
