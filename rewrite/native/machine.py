"""A compiled puzzle on the core, with its callbacks and the translation of its exceptions."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from rewrite.compile.capacity import Capacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.interning import TRUTH, term_type_of
from rewrite.compile.slots.layout import TWICE
from rewrite.engine.counts import Code, Counts, by_name
from rewrite.engine.interface import Engine
from rewrite.language.states import State
from rewrite.native import core
from rewrite.native.program import Program
from rewrite.native.trouble import Guarded, Reported


class _Outside:
    def __init__(self, machine: OnCore, estimate: Callable[[Any], Any] | None) -> None:
        # a strong reference would form a cycle through the core, and no states would be freed
        self.machine: OnCore = weakref.proxy(machine)
        self.given_estimate = estimate
        self.functions = machine.program.functions
        self.stop: Callable[[], bool] = lambda: False

    def state(self, test: int, code: Any) -> Any:
        self.machine.learn()
        return self.machine.program.tests[test](code)

    def estimate(self, code: Any) -> Any:
        self.machine.learn()
        assert self.given_estimate is not None
        found = self.given_estimate(code)
        return found if isinstance(found, (int, float)) else float(found)


class OnCore:
    """A state is identified by its number; `running` is a `Search` or `Partition` of the core."""

    running: Any

    def __init__(
        self, engine: Engine, program: Program, estimate: Callable[[Any], Any] | None = None
    ) -> None:
        self.engine, self.encoding, self.program = engine, engine.encoding, program
        self.slots = engine.reasoning
        self.outside = _Outside(self, estimate)
        # not a bound method, which would form a cycle too
        widened = 0 if self.slots is None else 2 * self.slots.program.bits
        self._reported = Reported(core(), lambda what, detail: _needed(what, detail, widened))
        self.machine = self._reported.call(
            core().Machine, program.data, self.outside, TRUTH, EngineFailure
        )

    def run(self, kind: str, *given: Any) -> Guarded:
        made = getattr(core(), kind)
        return Guarded(self._reported.call(made, self.machine, *given), self._reported)

    def learn(self) -> None:
        """Learn the values of slots that the core has numbered."""
        if self.slots is None:
            return
        for number, slots in enumerate(self.slots.layout.slots.values()):
            if not slots.closed:
                for value in self.machine.slot_values(number, len(slots.values)):
                    slots.numbers[value] = len(slots.values)
                    slots.values.append(value)

    def plain(self, number: int) -> Code:
        self._reported.call(self.learn)
        return self.running.code(number)

    def decode(self, number: int) -> State:
        return self.engine.decode(self.plain(number))

    def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
        """Write what is new since the last save; see `checkpoints.checkpoint_writer.Savable`."""
        files: dict[str, int] = self.running.save(folder, epoch, number)
        return files

    def counts(self) -> dict[str, Counts]:
        numbers = memoryview(self.running.counts()).cast("Q").tolist()
        counts = []
        for at in range(0, len(numbers), 4):
            tried, matched, without, fired = numbers[at : at + 4]
            if not self.program.forbids:
                matched = fired
            if self.slots is not None:
                tried = matched
            counts.append(Counts(tried, matched, fired, without))
        return by_name(self.program.rules, counts)


def _needed(what: str, detail: Any, widened: int) -> Capacity:
    """Return the capacity the core asks for; `widened`: bits of a slot, if those are too few."""
    if what == "term_type":
        return Capacity(term_types=[term_type_of(detail)])
    if what == "ctor":
        return Capacity(ctors=[detail])
    if what == "widen":
        return Capacity(bits=widened)
    return Capacity(multiset=[TWICE if detail == TWICE.what else detail])
