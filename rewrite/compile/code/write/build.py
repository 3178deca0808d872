"""Builder: collects operations region by region, and functions one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.compile.code import operations as o
from rewrite.compile.code.types import ANY, Type

MOST_LOOPS, MOST_BLOCKS = 18, 90
"""Python refuses more than 20 nested loops, or 100 nested blocks."""


TOO_DEEP = Capacity(definition=["a rule or condition has too many patterns for generated code"])


class Builder:
    """Collects the functions of one unit; open regions are nested."""

    def __init__(self) -> None:
        self.functions: list[o.Function] = []
        self.loops = 0
        self._bodies: list[list[o.Op]] = []
        self._numbers: dict[str, int] = {}
        self._later: list[Callable[[], None]] = []

    def add(self, *ops: o.Op) -> None:
        self._bodies[-1] += ops

    @contextmanager
    def _region(self) -> Iterator[list[o.Op]]:
        body: list[o.Op] = []
        self._bodies.append(body)
        if len(self._bodies) > MOST_BLOCKS:
            raise NeedsCapacity(TOO_DEEP)
        yield body
        self._bodies.pop()

    @contextmanager
    def block(self, kind: Callable[..., o.Op], *fields: Any) -> Iterator[None]:
        """Write an operation whose last field is its body: what is written inside."""
        loop = kind in o.LOOPS
        self.loops += loop
        if self.loops > MOST_LOOPS:
            raise NeedsCapacity(TOO_DEEP)
        with self._region() as body:
            yield
        self.loops -= loop
        self.add(kind(*fields, tuple(body)))

    @contextmanager
    def when(self, *tests: o.Test | None) -> Iterator[None]:
        """Write what is done where all tests hold; None is no test."""
        asked = [one for one in tests if one is not None]
        if not asked:
            yield
            return
        with self.block(o.If, asked[0] if len(asked) == 1 else o.And(tuple(asked))):
            yield

    @contextmanager
    def function(
        self, name: str, parameters: tuple[o.Reg, ...] = (), on_state: bool = False
    ) -> Iterator[None]:
        with self._region() as body:
            yield
        self.functions.append(o.Function(name, parameters, on_state, tuple(body)))

    def name(self, stem: str) -> str:
        number = self._numbers[stem] = self._numbers.get(stem, -1) + 1
        return f"{stem}{number}"

    def fresh(self, stem: str, held: Type = ANY) -> o.Reg:
        return o.Reg(self.name(stem), held)

    def let(self, stem: str, value: o.Value | o.Test, held: Type = ANY) -> o.Reg:
        """Write a value into a register that was not used before; return that."""
        into = self.fresh(stem, held)
        self.add(o.Let(into, value))
        return into

    def later(self, write: Callable[[], None]) -> None:
        """Put off writing a function until the current one has ended."""
        self._later.append(write)

    def flush(self) -> None:
        """Write the functions put off with `later`; call with no region open."""
        assert not self._bodies
        while self._later:
            writes, self._later = self._later, []
            for write in writes:
                write()

    def unit(self, name: str) -> o.Unit:
        self.flush()
        return o.Unit(name, tuple(self.functions))
