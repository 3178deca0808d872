"""A compiled puzzle on the core, with what it calls back and what its exceptions mean here."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rewrite.code.failure import EngineFailure
from rewrite.compiler.capacity import Capacity, NeedsCapacity
from rewrite.compiler.interning import TRUTH, term_type_of
from rewrite.compiler.slots.layout import TWICE
from rewrite.engine.counts import Counts, by_name
from rewrite.engine.interface import Engine
from rewrite.errors import CheckpointError
from rewrite.native import core
from rewrite.native.program import Program
from rewrite.native.trouble import Damaged, Failed, Unsupported, bug_in_the_core


class _Outside:
    """What the core calls back."""

    def __init__(self, machine: OnCore, estimate: Callable[[Any], Any] | None) -> None:
        # a plain reference would close a circle through the core, and no states were ever freed
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
        return float(found) if found.__class__ is Fraction else found


class OnCore:
    """What runs a program on the core. `engine` is the Python engine of the same task."""

    def __init__(
        self, engine: Engine, program: Program, estimate: Callable[[Any], Any] | None = None
    ) -> None:
        self.engine, self.encoding, self.program = engine, engine.encoding, program
        self.slots = engine.reasoning
        self.outside = _Outside(self, estimate)
        made = core()
        self._errors = (
            made.Changed, made.Failed, made.Unsupported, made.Damaged, made.Lost, made.Panicked,
        )  # fmt: skip
        with self._translated():
            self.machine = made.Machine(program.data, self.outside, TRUTH, EngineFailure)

    def _counted(self, counted: bytes) -> dict[str, Counts]:
        """Return what each rule did, from the numbers of the core."""
        numbers = memoryview(counted).cast("Q").tolist()
        each = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
        counts = []
        for tried, matched, without, fired in each:
            if not self.program.forbids:
                matched = fired
            if self.slots is not None:
                tried = matched
            counts.append(Counts(tried, matched, fired, without))
        return by_name(self.program.rules, counts)

    def learn(self) -> None:
        """Take over the values of slots that the core has given numbers."""
        if self.slots is None:
            return
        for number, slots in enumerate(self.slots.layout.slots.values()):
            if not slots.closed:
                for value in self.machine.slot_values(number, len(slots.values)):
                    slots.numbers[value] = len(slots.values)
                    slots.values.append(value)

    def _needed(self, what: str, detail: Any) -> Capacity:
        """Return the room that the core asks for."""
        if what == "term_type":
            return Capacity(term_types=[term_type_of(detail)])
        if what == "ctor":
            return Capacity(ctors=[detail])
        if what == "widen":
            assert self.slots is not None
            return Capacity(bits=2 * self.slots.program.bits)
        return Capacity(multiset=[TWICE if detail == TWICE.what else detail])

    def _translated(self) -> _Translated:
        return _Translated(self)

    def translated(self, error: BaseException) -> BaseException | None:
        """Return the exception of the project that one of the core's is; None: it is none."""
        changed, failed, unsupported, damaged, lost, panicked = self._errors
        if isinstance(error, changed):
            return NeedsCapacity(self._needed(*error.args))
        if isinstance(error, failed):
            return Failed(*error.args)
        if isinstance(error, unsupported):
            return Unsupported(*error.args)
        if isinstance(error, damaged):
            return Damaged(*error.args)
        if isinstance(error, lost):
            return CheckpointError(
                f"states of this search stand in files that cannot be read any more: {error}"
            )
        if isinstance(error, panicked):
            return bug_in_the_core(error)
        return None


class _Translated:
    """Turns the core's exceptions into those of the project."""

    def __init__(self, machine: OnCore) -> None:
        self.machine = machine

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is not None and (other := self.machine.translated(error)) is not None:
            raise other from error
