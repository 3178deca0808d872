"""Registers, constants and lists of the function that is being lowered; see `lower`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rewrite.native.assembler import Assembler, Constant, Function, Label, Register
from rewrite.native.trouble import Unlowered


class Registers:
    """Where the names of generated source stand in the core."""

    def __init__(
        self, assembler: Assembler, space: dict[str, Any], prefix: str, slots: bool
    ) -> None:
        self.assembler, self.space, self.prefix, self.slots = assembler, space, prefix, slots
        self.never = "forbidden" in space
        self.own: set[str] = set()
        """The functions of the module itself."""
        self.names: dict[str, Register] = {}
        self.codes: dict[str, list[Register]] = {}
        self.lists: dict[str, int] = {}
        self.ranges: dict[str, tuple[Register, Register]] = {}
        self.loaded: dict[int, Constant] = {}

    # -- functions and registers -----------------------------------------------------------
    def _named(self, name: str) -> str:
        full = f"{self.prefix}.{name}"
        self.assembler.function(full)
        return full

    def open(self, function: Function, parameters: list[str]) -> None:
        """Begin a function: its parameters come in the first registers."""
        self.function = function
        self.names, self.codes, self.lists, self.ranges, self.loaded = {}, {}, {}, {}, {}
        if parameters == ["s"]:
            function.registers = 0 if self.slots else self.assembler.groups
            if function.registers == 1:
                self.names["s"] = 0
            self.codes["s"] = list(range(function.registers))
        else:
            function.registers = len(parameters)
            self.names.update({name: place for place, name in enumerate(parameters)})

    def close(self) -> None:
        """End a function: its constants get the registers behind all others."""
        function = self.function
        function.lists = len(self.lists)
        function.constants = list(self.loaded)
        for place, constant in enumerate(self.loaded.values()):
            constant.register = function.registers + place

    def fresh(self) -> int:
        self.function.registers += 1
        return self.function.registers - 1

    def register(self, name: str) -> Register:
        """Return the register of a variable."""
        if name not in self.names:
            self.names[name] = self.fresh()
        return self.names[name]

    def known(self, name: str) -> Register:
        """Return the register of a variable that has a value. Raises Unlowered if none has."""
        if name not in self.names:
            raise Unlowered(f"{name}, which nothing has set")
        return self.names[name]

    def held(self, name: str) -> Any:
        """Return what a name of the module stands for. Raises Unlowered for an unknown one."""
        if name not in self.space:
            raise Unlowered(f"{name}, which the module does not have")
        return self.space[name]

    def constant(self, value: Any) -> Constant:
        """Return the register that holds a constant; its number is known when the function ends."""
        return self.loaded.setdefault(self.assembler.constant(value), Constant())

    def list(self, name: str) -> int:
        return self.lists.setdefault(name, len(self.lists))

    @contextmanager
    def loop(self) -> Iterator[tuple[Label, Label]]:
        """Give the labels (again, done) of a loop; jumps back at the end of what is inside."""
        again, done = Label(), Label()
        yield again, done
        self.assembler.emit("Jump", again)
        self.assembler.put(done)
