"""Writes Python source: lines with indentation, fresh names, constants kept in a namespace."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from types import CodeType
from typing import Any

from attrs import frozen

from rewrite.compiler.interning import constant_key
from rewrite.compiler.multisets.layout import NewHead

_MODULES = count(1)
_CODE: dict[tuple[str, str], CodeType] = {}
MOST_KEPT = 100
SOURCE = "__source__"
"""Under this name a generated module keeps its source."""

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
    exec(_code(source, name), space)
    space[SOURCE] = source
    made: Callable[..., Any] = space[name]
    return made


def _code(source: str, name: str) -> CodeType:
    """Return the code of a module; that of the last ones is kept.

    To compile takes a good part of a small search, and the next one mostly has the same rules.
    """
    code = _CODE.pop((source, name), None)
    if code is None:
        title = f"<generated {name} {next(_MODULES)}>"
        code = compile(source, title, "exec")
        linecache.cache[title] = (len(source), None, source.splitlines(True), title)
    _CODE[source, name] = code
    for oldest in list(_CODE)[:-MOST_KEPT]:  # a list: other threads may compile meanwhile
        gone = _CODE.pop(oldest, None)
        if gone is not None:
            linecache.cache.pop(gone.co_filename, None)
    return code


def generated(function: Callable[..., Any]) -> tuple[str, dict[str, Any]]:
    """Return the source of the module of a generated function, and its namespace."""
    space = function.__globals__
    return space[SOURCE], space
