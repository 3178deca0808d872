"""A table of distances in the core: built from a ranking, queried state by state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rewrite.analysis.ranking import Ranking
from rewrite.compile.slots.keys import Unsuitable
from rewrite.native import core, word
from rewrite.native.engine import MOST_THREADS
from rewrite.native.trouble import Guarded, Reported, Unsupported


class RankedTable:
    """The distances of all ranked states, stored in the core.

    Raises MemoryError if the machine lacks the memory. `fill` raises Unsuitable if there are more
    levels than can be stored.

    folder  where the distances are a file without a name, mapped into memory. Raises OSError
    """

    def __init__(self, index: Ranking, folder: str | None = None) -> None:
        self.index, reported = index, Reported(core())
        parts = [
            (list(part.fields), list(part.values), part.permuted, part.mover,
             None if part.odd is None else list(part.odd))
            for part in index.parts
        ]  # fmt: skip
        moves = [
            (list(one.tests), list(one.misses), list(one.sets), list(one.copies))
            for one in index.transitions
        ]
        table = reported.call(
            core().Distances, list(index.held), parts, moves, index.modulus, folder
        )
        self._table = Guarded(table, reported)

    def fill(
        self,
        max_depth: int | None,
        max_states: int | None,
        seconds: float | None,
        threads: int,
        pulse: Callable[[int, int], bool],
    ) -> tuple[str, str]:
        """Search all levels; return why it ended: (status, limit)."""
        try:
            found: tuple[str, str] = self._table.fill(
                word(max_depth), word(max_states), seconds, min(threads, MOST_THREADS), pulse
            )
        except Unsupported as why:
            raise Unsuitable(str(why)) from None
        return found

    def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
        """Write what is new since the last save; see `checkpoints.checkpoint_writer.Savable`."""
        files: dict[str, int] = self._table.save(folder, epoch, number)
        return files

    def load(
        self, folder: str, files: dict[str, int], epoch: int, number: int, apart: bool = False
    ) -> None:
        self._table.load(folder, files, epoch, number)

    @property
    def levels(self) -> list[int]:
        return memoryview(self._table.levels()).cast("Q").tolist()

    def level(self, held: Sequence[int]) -> int | None:
        """Return the level of a state; None: it was not seen."""
        level: int | None = self._table.level(list(held))
        return level

    def before(self, held: Sequence[int]) -> Sequence[int]:
        """Return a state one level nearer to the start, if all steps are reversible."""
        before: Sequence[int] = self._table.before(list(held))
        return before

    def deepest(self) -> Iterator[list[int]] | None:
        """Yield the states of the deepest level; None if there are too many."""
        found = self._table.deepest()
        if found is None:
            return None
        width = len(self.index.held)
        if not width:
            return iter([[]])  # the only state has no fields
        return (list(found[at : at + width]) for at in range(0, len(found), width))
