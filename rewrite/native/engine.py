"""One search inside the core: the core runs it, this side builds it and reads its results.

The core receives the program that `native.program` lowers from the Python engine of the same task.
A *code* here is the number of a state, in order of discovery.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from attrs import asdict

from rewrite.compile.interning import Ctor
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine
from rewrite.engine.shortest_path_layers import Layer
from rewrite.native import word
from rewrite.native.machine import OnCore
from rewrite.native.program import lowered

Pulse = Callable[[int, int, int, int], bool]
"""Takes states, depth, states waiting and bytes in use; returns whether to stop."""
MOST_THREADS = 64
"""The number of threads is capped at this: states are in sixteen parts, each filled by one."""
Stopped = tuple[str, str]


class NativeSearch(OnCore):
    """A search in progress in the core. `engine` is the Python engine of the same task.

    inverse, canon, free   see `native.program.lowered`; with `canon` or `free`, the start is in
                           canonical form
    asked                  the query, by name; "goals" are in the form of `native.program.state_key`
    """

    name = "native"

    def __init__(
        self, engine: Engine, start: Code, asked: dict[str, Any], threads: int,
        estimate: Callable[[Any], Any] | None = None, *,
        objective: int | None = None, heuristic: int | None = None,
        ctors: frozenset[Ctor] = frozenset(), inverse: Engine | None = None,
        canon: dict[str, Any] | None = None, free: dict[str, Any] | None = None,
        from_rules: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        program = lowered(
            engine, start, asked["goal"], objective, heuristic, ctors, inverse=inverse,
            canon=canon, free=free, estimate=from_rules,
        )  # fmt: skip
        super().__init__(engine, program, estimate)
        self.asked = asked
        told = asked | {"min_depth": word(asked["min_depth"])}
        self.running = self.run("Search", program.start, told, min(threads, MOST_THREADS))

    def advance(
        self, wanted: int | None, limits: Any, seconds: float | None, pulse: Pulse,
        stop: Callable[[], bool], apart: bool = False,
    ) -> Stopped:  # fmt: skip
        """Return (status, limit). `apart`: stop with "crowded" from time to time, for `spill`."""
        self.outside.stop = stop
        whole = {
            name: word(value) for name, value in asdict(limits).items() if isinstance(value, int)
        }
        found: Stopped = self.running.advance(word(wanted), whole, seconds, pulse, apart)
        return found

    def answers(self) -> list[tuple[Sequence[int], int, Any]]:
        """Return the answers since the last call: (codes, order, encoded value)."""
        new = self.running.answers()
        # copied, since an array that was read from bytes is longer than it needs to be
        return [(array("I", trail)[:], order, value) for trail, order, value in new]

    def nearest(self) -> tuple[Sequence[int], int, Any] | None:
        found = self.running.nearest()
        return None if found is None else (array("I", found[0]), *found[1:])

    def spill(self, folder: str, epoch: int, scarce: bool) -> int:
        """Write new states; return the bytes released: all that can be read again, if scarce."""
        return int(self.running.spill(folder, epoch, scarce))

    def load(
        self, folder: str, files: dict[str, int], epoch: int, number: int, apart: bool = False
    ) -> None:
        """`apart`: finished states stay in the files, as `spill` would have left them."""
        self.running.load(folder, files, epoch, number, apart)

    def codes(self) -> list[Code]:
        self.learn()
        return [*map(self.running.code, range(self.running.facts()["states"]))]

    def successors(self, code: int) -> list[int | None]:
        """Return the distinct successors of a state; None stands for unseen ones."""
        return list(dict.fromkeys(self.running.successors(code)))

    def shortest(
        self, goals: list[int], levels: int, stop: Callable[[], bool]
    ) -> list[Layer] | None:
        """Return a layer for each level up to that of these goals; None if `stop` said so."""
        found = self.running.shortest(goals, levels, stop)
        if found is None:
            return None
        return [Layer(*(memoryview(part).cast("I") for part in one)) for one in found]

    def packed(self, states: range, parts: int) -> list[bytes]:
        """Return states as parcels for the parts of a search; see `cluster.parts`."""
        found: list[bytes] = self.running.packed(states.start, states.stop, parts)
        return found

    def facts(self) -> dict[str, Any]:
        found: dict[str, Any] = self.running.facts()
        found["levels"] = memoryview(found["levels"]).cast("Q").tolist()
        if found["overestimate"] is not None:
            state, estimate, left = found["overestimate"]
            if isinstance(estimate, float) and math.isfinite(estimate):
                from fractions import Fraction  # few searches need it

                estimate = Fraction(estimate)  # the form of estimates everywhere
            found["overestimate"] = state, estimate, left
        return found

    def parents(self) -> memoryview[int]:
        return memoryview(self.running.parents()).cast("I")
