"""Runs contestants in turn on the same work, and says how their times compare.

In turn (A B C A B C …) because a machine gets slower and faster while one waits: neighbours in
time see the same machine, so a ratio is taken within each round, and the median over the rounds.
"""

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import attrs

Contestant = Callable[[], int]  # does the work, and returns how many states it found


class WrongCount(AssertionError):
    """A contestant did other work than was agreed; its time would mean nothing."""


@attrs.frozen
class Race:
    """The seconds that each contestant took, by name, in the order of the rounds."""

    seconds: Mapping[str, tuple[float, ...]]

    def median(self, name: str) -> float:
        """The median of one contestant's seconds."""
        return statistics.median(self.seconds[name])

    def ratio(self, name: str, peer: str) -> float:
        """How many times as long as its peer a contestant took: the median over the rounds."""
        pairs = zip(self.seconds[name], self.seconds[peer], strict=True)
        return statistics.median(mine / theirs for mine, theirs in pairs)

    def __add__(self, other: "Race") -> "Race":
        """The rounds of both, of the same contestants."""
        return Race({name: self.seconds[name] + other.seconds[name] for name in self.seconds})


@contextmanager
def collected_garbage() -> Iterator[None]:
    """Starts without garbage and with the collector on, as in a program that has just begun.

    What exists before is frozen: nobody pays for walking over the objects of this program. The
    collector is left as it was found.
    """
    was_enabled = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.enable()
    try:
        yield
    finally:
        gc.unfreeze()
        if not was_enabled:
            gc.disable()


def race(
    contestants: Mapping[str, Contestant],
    *,
    states: int,
    runs: int,
    clock: Callable[[], float] = time.process_time,
) -> Race:
    """The times of `runs` rounds. Warming up, where it is wanted, is left to the caller.

    The clock counts the CPU seconds of this process unless another is given.

    Raises WrongCount as soon as a contestant does not find `states` states.
    """

    def checked(name: str) -> float:
        with collected_garbage():
            begin = clock()
            found = contestants[name]()
            seconds = clock() - begin
        if found != states:
            raise WrongCount(f"{name} found {found:,} states; there are {states:,}")
        return seconds

    rounds = [{name: checked(name) for name in contestants} for _ in range(runs)]
    return Race({name: tuple(each[name] for each in rounds) for name in contestants})
