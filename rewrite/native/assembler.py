"""Instructions of one program for the core: labels, registers, constants, as plain data.

An instruction is a tuple: its name, then whole numbers. The core checks every one of them when it
loads a program; the names and the meaning of the numbers stand in `core-crate/src/instr.rs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define, field

from rewrite.compiler.interning import constant_key

Instruction = tuple[Any, ...]


@define(eq=False)
class Label:
    """A place in the code; known once it has been put down."""

    at: int = -1


@define(eq=False)
class Constant:
    """The register of a constant; its number is known once its function has ended."""

    register: int = -1


Register = int | Constant


@define
class Function:
    """A function of the program: where its code begins, and how much it needs."""

    name: str
    number: int
    entry: Label = field(factory=Label)
    registers: int = 0
    """Registers of its own; those of its constants stand behind them."""
    constants: list[int] = field(factory=list)
    lists: int = 0


@define
class Pools:
    """What instructions refer to by number."""

    constants: list[Any] = field(factory=list)
    """Encoded values, as `compiler.interning` writes them."""
    sets: list[frozenset[Any]] = field(factory=list)
    """Sets of values."""
    states: list[frozenset[Any]] = field(factory=list)
    """Sets of codes of states."""
    indexes: list[dict[Any, list[Any]]] = field(factory=list)
    """From a tuple of values to (place, value) pairs."""
    functions: list[Callable[..., Any]] = field(factory=list)
    """Functions outside the core, on encoded values."""
    tests: list[Callable[[Any], bool]] = field(factory=list)
    """Conditions outside the core, on the code of a state."""
    tables: list[Any] = field(factory=list)
    """Look-up tables of ground rules: `engine.tables.Filling`."""
    _numbers: dict[Any, int] = field(factory=dict)

    def number(self, pool: list[Any], value: Any) -> int:
        """Return the number of a value in one of the pools; the same object gets the same one."""
        key = (id(pool), id(value))
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(pool)
            pool.append(value)
        return found


class Assembler:
    """Collects the code of all functions of a program."""

    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self.pools = Pools()
        self.functions: dict[str, Function] = {}
        self.handlers: list[tuple[int, int, Label]] = []
        """(from, to, where to go) for code whose arithmetic may have no value; inner ones first."""
        self.aliases: dict[str, str] = {}
        """Functions that do nothing but call another one."""
        self.labels: list[Label] = []
        """Those that were put down, in order: what stands before one may be jumped over."""
        self.groups = 1
        """How many groups a state has that is a multiset."""
        self.words = 0
        """How many machine words a state has that is slots and bits."""
        self.fields: list[tuple[int, int]] = []
        """(offset, bits) of every slot."""
        self._constants: dict[Any, int] = {}

    def emit(self, name: str, *operands: Any) -> None:
        self.code.append((name, *operands))

    def put(self, label: Label) -> None:
        label.at = len(self.code)
        self.labels.append(label)

    @contextmanager
    def handled(self, handler: Label) -> Iterator[None]:
        """What is written inside goes to `handler` where arithmetic has no value."""
        begin = len(self.code)
        yield
        self.handlers.append((begin, len(self.code), handler))

    def function(self, name: str) -> int:
        """Return the number of a function, which may be written later."""
        name = self.aliases.get(name, name)
        if name not in self.functions:
            self.functions[name] = Function(name, len(self.functions))
        return self.functions[name].number

    def constant(self, value: Any) -> int:
        """Return the number of a constant; equal ones are kept once."""
        key = constant_key(value)
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = len(self.pools.constants)
            self.pools.constants.append(value)
        return found

    def instructions(self) -> list[Instruction]:
        """Return the code with every label and register as a number."""
        return [tuple([_number(part) for part in one]) for one in self.code]


def _number(part: Any) -> Any:
    if part.__class__ is Label:
        return part.at
    return part.register if part.__class__ is Constant else part
