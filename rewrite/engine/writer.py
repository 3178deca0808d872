"""Writes Python source: lines with indentation, fresh names, constants kept in a namespace."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from attrs import frozen

from rewrite.compiler.interning import constant_key
from rewrite.compiler.multisets.layout import NewHead

_MODULES = count(1)


MOST_LOOPS, MOST_BLOCKS = 18, 90
"""Python refuses more than 20 loops, or 100 blocks, one inside the other."""


@frozen
class ByDefinition:
    """Asks for the engine that runs the definition itself, and says why."""

    why: str


class TooDeep(NewHead):
    """The code of a rule or condition would be nested deeper than Python allows."""

    def __init__(self) -> None:
        super().__init__(
            ByDefinition("a rule or condition has too many patterns for generated code")
        )


class Writer:
    """Collects the source of one generated module and the constants it refers to.

    each_turn   a statement that every turn of every loop begins with; "" for none
    """

    def __init__(self, each_turn: str = "") -> None:
        self.each_turn = each_turn
        self.lines: list[str] = []
        self.depth = self.loops = 0
        self.namespace: dict[str, Any] = {}
        self._scopes: list[set[str]] = [set()]
        self._numbers: dict[str, int] = {}
        self._constants: dict[Any, str] = {}
        self._apart: list[tuple[str, Callable[[], str]]] = []

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, opening: str) -> Iterator[None]:
        """Write an indented block; an empty one gets a `pass`."""
        self.line(opening)
        loop = opening.startswith("for ")
        self.depth += 1
        self.loops += loop
        if self.loops > MOST_LOOPS or self.depth > MOST_BLOCKS:
            raise TooDeep
        self._scopes.append(set())
        before = len(self.lines)
        if loop and self.each_turn:
            self.line(self.each_turn)
        yield
        self._scopes.pop()
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1
        self.loops -= loop

    def once(self, name: str, source: str) -> None:
        """Write an assignment, unless a block that is still open has it already."""
        if not any(name in scope for scope in self._scopes):
            self._scopes[-1].add(name)
            self.line(f"{name} = {source}")

    def fresh(self, stem: str) -> str:
        """Return a name that was not used before."""
        self._numbers[stem] = self._numbers.get(stem, -1) + 1
        return f"{stem}{self._numbers[stem]}"

    def constant(self, value: Any, stem: str = "K") -> str:
        """Return the source of a constant: small ints and texts as they are, the rest by name."""
        if isinstance(value, str) or (value.__class__ is int and abs(value) < 2**62):
            return repr(value)
        return self._kept(value, stem)

    def _kept(self, value: Any, stem: str = "K") -> str:
        identity = constant_key(value)
        name = self._constants.get(identity)
        if name is None:
            name = self._constants[identity] = self.fresh(stem)
            self.namespace[name] = value
        return name

    def apart(self, parameters: list[str], value: Callable[[], str]) -> str:
        """Return the name of a function of its own for a value, written at the end of the module.

        What nests deeper than Python's parser goes is written in several functions.
        """
        name = self.fresh("apart")
        self._apart.append((f"def {name}({', '.join(parameters)}):", value))
        return name

    def source(self) -> str:
        """Return the source of the module."""
        while self._apart:
            opening, value = self._apart.pop()
            with self.block(opening):
                self.line(f"return {value()}")
        return "\n".join(self.lines) + "\n"


def compiled(source: str, name: str, space: dict[str, Any]) -> Callable[..., Any]:
    """Return the function `name` of a generated module; tracebacks show its source."""
    title = f"<generated {name} {next(_MODULES)}>"
    exec(compile(source, title, "exec"), space)
    linecache.cache[title] = (len(source), None, source.splitlines(True), title)
    made: Callable[..., Any] = space[name]
    return made


def generated(function: Callable[..., Any]) -> tuple[str, dict[str, Any]]:
    """Return the source of the module of a generated function, and its namespace."""
    source = "".join(linecache.getlines(function.__code__.co_filename))
    return source, function.__globals__
