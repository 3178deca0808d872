"""From the source that the Python engine generates to instructions for the core.

The generated modules are a small language: loops over groups, tests, values, successors. Python
runs them as they are; here their syntax tree is read, statement by statement, and written again as
instructions. So both engines have one generator: the order of matches, the counts and the numbers
of states are the same because the program is the same.

A form that is not known here is refused (Unlowered); the tests hold every form against the core.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rewrite.native.assembler import Assembler, Label, Register
from rewrite.native.branches import Branches
from rewrite.native.forms import called, form, name_of, sliced
from rewrite.native.trouble import Unlowered

COUNTERS = ("tried", "matched", "missing", "fired")
NOTHING = 0xFFFF
"""Stands for no counter."""
SLOT_COUNTERS = {"n": "fired", "m": "matched"}


class Lowering(Branches):
    """Writes the functions of one generated module."""

    def __init__(
        self, assembler: Assembler, space: dict[str, Any], prefix: str, slots: bool
    ) -> None:
        super().__init__(assembler, space, prefix, slots)
        self.loops: list[Label] = []

    def module(self, source: str, leave_out: tuple[str, ...] = ()) -> None:
        """Write every function of a module but some."""
        functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        self.own = {node.name for node in functions}
        for node in functions:
            if node.name not in leave_out:
                self._function(node)

    def _function(self, node: ast.FunctionDef) -> None:
        make, full = self.assembler, self._named(node.name)
        function = make.functions[full]
        self.loops.clear()
        given = [one.arg for one in node.args.args]
        only = node.body[0]
        if isinstance(only, ast.Return) and isinstance(only.value, ast.Call):
            call = only.value
            if called(call) == "bool" and isinstance(call.args[0], ast.Call):
                call = call.args[0]
            same = [ast.unparse(one) for one in call.args] == given
            if same and called(call) in self.own and (self.slots or make.groups == 1):
                make.aliases[full] = self._named(called(call))  # it calls another, and that is all
        self.open(function, given)
        make.put(function.entry)
        self._block(node.body)
        make.emit("Return", self.constant(None))
        self.close()

    # -- statements ------------------------------------------------------------------------
    def _block(self, body: list[ast.stmt]) -> None:
        for node in body:
            method = getattr(self, f"_on_{type(node).__name__}", None)
            if method is None:
                raise Unlowered(ast.unparse(node))
            method(node)

    def _on_Pass(self, node: ast.Pass) -> None:
        pass

    def _on_Continue(self, node: ast.Continue) -> None:
        self.assembler.emit("Jump", self.loops[-1])

    def _on_Return(self, node: ast.Return) -> None:
        value = form(node.value, ast.expr, node)
        if isinstance(value, ast.Name) and value.id == "out":
            return  # what was made has been handed out already
        if self.is_test(value):
            self.assembler.emit("Return", self.truth(value))
        else:
            self.assembler.emit("Return", self.value(value))

    def _on_Raise(self, node: ast.Raise) -> None:
        text = ast.unparse(node)
        if text == "raise NO_VALUE[0]":
            self.assembler.emit("NoValue")
        elif "can stand twice" in text:
            self.assembler.emit("Twice")
        else:
            raise Unlowered(text)

    def _on_Expr(self, node: ast.Expr) -> None:
        make, call = self.assembler, node.value
        if not isinstance(call, ast.Call):
            raise Unlowered(ast.unparse(node))
        target = ast.unparse(call.func)
        if target == "out.append":
            pair = form(call.args[0], ast.Tuple, node)
            cost = self.value(pair.elts[0])
            if self.function.name.endswith("residual"):
                make.emit("Put", cost, self.value(pair.elts[1]))
            elif self.slots:
                self._emit_slots(cost)
            else:
                self._emit(cost, self.code(pair.elts[1]))
        elif target == "out.add":
            self._emit(self.constant(0), self.code(call.args[0]))
        elif target.endswith(".append"):
            make.emit("ListPush", self.list(target[:-7]), self.value(call.args[0]))
        elif target.endswith(".add"):
            make.emit("ListPush", self.list(target[:-4]), self.value(call.args[0]))
        else:
            raise Unlowered(ast.unparse(node))

    def _emit(self, cost: Register, groups: list[Register]) -> None:
        """Hand out a successor, and count it.

        A group of its own that was made just now by putting a value in is not made at all: the
        value is put in on the way out.
        """
        make, counter = self.assembler, self._counted_last()
        last = make.code[-1] if make.code else ("",)
        if len(groups) == 1 and last[0] == "Insert" and last[1] == groups[0] and len(last) == 4:
            make.code.pop()
            make.emit("EmitWith", cost, counter, last[2], last[3])
        else:
            make.emit("Emit", cost, counter, *groups)

    def _emit_slots(self, cost: Register) -> None:
        make, counter = self.assembler, self._counted_last()
        last = make.code[-1] if make.code else ("",)
        if last[0] == "Make":
            make.code[-1] = ("MakeOut", cost, counter, *last[1:])
        else:
            make.emit("EmitX", cost, counter)

    def _counted_last(self) -> int:
        """Take back the counting that was written last and return its counter, else NOTHING."""
        code = self.assembler.code
        labels = self.assembler.labels
        jumped = bool(labels) and labels[-1].at == len(code)
        if code and code[-1][0] == "Count" and not jumped:
            return int(code.pop()[1])
        return NOTHING

    def _on_AugAssign(self, node: ast.AugAssign) -> None:
        make, target = self.assembler, ast.unparse(node.target)
        if target.startswith("c."):
            return  # adds the counts up at the end; the core counts where they arise
        if self._is_counter(target):
            counter = self._counter(target)
            if counter is not None:
                make.emit("Count", counter)
        elif target == "values":
            self._more_values(node.value)
        else:
            register = self.known(target)
            make.emit("Arithmetic", 0, register, register, self.value(node.value))

    def _is_counter(self, name: str) -> bool:
        """Whether a variable of the generated code counts."""
        if self.slots:
            return name[:1] in SLOT_COUNTERS and name[1:].isdigit() and name not in self.names
        return name.startswith("n_")

    def _counter(self, name: str) -> int | None:
        """Return the number of the counter that a variable of the generated code stands for.

        None where there is nothing to count: if no state is forbidden, every match fires.
        """
        stem = name.rstrip("0123456789")
        number = name[len(stem) :]
        stem = SLOT_COUNTERS[stem] if self.slots else stem[2:]
        if stem == "matched" and not self.slots and not self.never:
            return None
        if stem not in COUNTERS or not number:
            raise Unlowered(f"{name}, which counts nothing known")
        return int(number) * len(COUNTERS) + COUNTERS.index(stem)

    def _more_values(self, given: ast.expr) -> None:
        """`values += [… for value in table]`, or a constant list."""
        make, into = self.assembler, self.list("values")
        if isinstance(given, ast.Name):
            for value in self.held(given.id):
                make.emit("ListPush", into, self.constant(value))
            return
        listed = form(given, ast.ListComp)
        table = self.table(listed.generators[0].iter)
        with self.loop() as (again, done):
            cost = self.fresh()
            make.emit("TableInit", row := self.fresh(), table)
            make.put(again)
            make.emit("TableNext", row, cost, table, 0, done)
            value = cost if isinstance(listed.elt, ast.Name) else self.value(listed.elt)
            make.emit("ListPush", into, value)

    def _on_Assign(self, node: ast.Assign) -> None:
        make, target, value = self.assembler, node.targets[0], node.value
        names = [ast.unparse(one) for one in node.targets]
        if any(name.startswith("n_") for name in names) or names == ["c"] or names == ["out"]:
            return
        if self.slots and self._is_counter(names[0]):
            return  # the zeros of the counters
        if (isinstance(value, ast.List) and not value.elts) or (
            isinstance(value, ast.Call) and called(value) == "set"
        ):
            make.emit("ListNew", self.list(names[0]))
        elif isinstance(target, ast.Tuple):
            self._unpack(target, value)
        elif isinstance(value, ast.Call) and called(value) == "range":
            self.ranges[names[0]] = self.range(value, self.ranges.get(names[0]))
        elif names[0] == "x":
            self._successor(value)
        elif isinstance(value, ast.Attribute):
            return  # push = fresh.append
        elif self.is_test(value):
            self.truth(value, self.register(names[0]))
        else:
            self.value(value, self.register(names[0]))

    def _successor(self, value: ast.expr) -> None:
        if self.slots:
            self.slot_code(value)
        else:
            self.codes["x"] = self.code(value)

    def _unpack(self, target: ast.Tuple, value: ast.expr) -> None:
        names = [ast.unparse(one) for one in target.elts]
        if isinstance(value, ast.Name) and value.id == "s" and not self.slots:
            for place, name in enumerate(names):
                self.names[name] = place
            return
        registers = [self.register(name) for name in names]
        self.assembler.emit("Unpack", self.value(value), *registers)

    def _on_If(self, node: ast.If) -> None:
        make = self.assembler
        if isinstance(node.test, ast.Constant) and node.test.value is True:
            self._block(node.body)
            return
        if isinstance(node.body[0], ast.Raise) and "BadCost" in ast.unparse(node.body[0]):
            compared = form(form(node.test, ast.BoolOp).values[1], ast.Compare, node.test)
            make.emit("CheckCost", self.value(compared.left))
            return
        if self._skips_equals(node):
            return
        otherwise, done = Label(), Label()
        self.unless(node.test, otherwise)
        self._block(node.body)
        if node.orelse:
            make.emit("Jump", done)
        make.put(otherwise)
        self._block(node.orelse)
        make.put(done)

    @contextmanager
    def _spread(self, node: ast.For, ranges: bool) -> Iterator[None]:
        """Lay out a sequence that a loop cuts in all places: then cutting costs nothing.

        Its name stands for what was laid out inside the loop only: elsewhere it may not be there.
        """
        cut = sliced(node.body[0]) if ranges else None
        if cut is None:
            yield
            return
        whole, before = self.value(cut), self.names.get(cut.id)
        self.names[cut.id] = laid = self.fresh()
        self.assembler.emit("Spread", laid, whole)
        yield
        del self.names[cut.id]
        if before is not None:  # else it is a constant
            self.names[cut.id] = before

    def _skips_equals(self, node: ast.If) -> bool:
        """`if i and g[i - 1] == v: continue` is one instruction."""
        test = node.test
        if not (isinstance(node.body[0], ast.Continue) and isinstance(test, ast.BoolOp)):
            return False
        first, second = test.values[0], test.values[-1]
        if not (isinstance(first, ast.Name) and isinstance(second, ast.Compare)):
            return False
        before, value = second.left, second.comparators[0]
        if not isinstance(before, ast.Subscript) or node.orelse:
            return False
        group = ast.unparse(before.value)
        if ast.unparse(second) != f"{group}[{first.id} - 1] == {ast.unparse(value)}":
            return False
        self.assembler.emit("FirstOfRun", self.known(first.id), self.value(before.value),
                            self.value(value), self.loops[-1])  # fmt: skip
        return True

    def _on_Try(self, node: ast.Try) -> None:
        make, handler, done = self.assembler, Label(), Label()
        with make.handled(handler):
            self._block(node.body)
        self._block(node.orelse)
        make.emit("Jump", done)
        make.put(handler)
        self._block(node.handlers[0].body)
        make.put(done)

    # -- loops -----------------------------------------------------------------------------
    def _on_For(self, node: ast.For) -> None:
        given, targets = node.iter, node.target
        names = [ast.unparse(one) for one in
                 (targets.elts if isinstance(targets, ast.Tuple) else [targets])]  # fmt: skip
        head = called(given) if isinstance(given, ast.Call) else ""
        ranges = head == "range" or (isinstance(given, ast.Name) and given.id in self.ranges)
        make = self.assembler
        with self._spread(node, ranges), self.loop() as (again, done):
            if isinstance(given, ast.Subscript):
                self._table_loop(given, names, again, done)
            elif ranges:
                begin, end = (self.range(given) if isinstance(given, ast.Call)
                              else self.ranges[name_of(given)])  # fmt: skip
                index = self.register(names[0])
                make.emit("RangeInit", index, begin, mark := self.fresh())
                make.put(again)
                make.emit("RangeNext", index, end, mark, done)
            elif head == "rt_splits":
                self._splits(given, names, again, done)
            elif isinstance(given, ast.Call) and ast.unparse(given.func).endswith(".get"):
                index = self.held(ast.unparse(given.func)[:-4])
                key = form(given.args[0], ast.Tuple, given)
                number = make.pools.number(make.pools.indexes, index)
                parts = [self.value(one) for one in key.elts]
                make.emit("RowInit", row := self.fresh(), mark := self.fresh(), number, *parts)
                make.put(again)
                place, value = self._two(given, names)
                make.emit("RowNext", row, place, value, number, mark, done)
            else:
                self._group_loop(given, head, names, again, done)
            self.loops.append(again)
            self._block(node.body)
            self.loops.pop()

    def range(
        self, node: ast.Call, ends: tuple[Register, Register] | None = None
    ) -> tuple[Register, Register]:
        """Return the registers of both ends of a range; `ends`: those to write them to."""
        first, last = node.args if len(node.args) == 2 else (ast.Constant(0), node.args[0])
        begin, end = ends or (self.fresh(), self.fresh())
        return self.value(first, begin), self.value(last, end)

    def _group_loop(
        self, given: ast.expr, head: str, names: list[str], again: Label, done: Label
    ) -> None:
        make, used = self.assembler, []
        if head in ("enumerate", "rt_choices"):
            call = form(given, ast.Call)
            pool = self.value(call.args[0])
            if head == "rt_choices":
                used = self._places(call.args[1])
            index, value = self._two(given, names)
        else:
            pool = self.value(given)
            index, value = self.fresh(), self.register(names[0])
        make.emit("RangeInit", index, self.constant(0), mark := self.fresh())
        make.put(again)
        if head == "rt_choices":
            make.emit("ChoicesNext", index, value, pool, mark, done, *used)
        else:
            make.emit("ItemsNext", index, value, pool, mark, done)

    def _two(self, given: ast.expr, names: list[str]) -> list[Register]:
        if len(names) != 2:
            raise Unlowered(f"{', '.join(names)} in {ast.unparse(given)}")
        return [self.register(name) for name in names]

    def _splits(self, given: ast.expr, names: list[str], again: Label, done: Label) -> None:
        call = form(given, ast.Call)
        make, parts = self.assembler, [one for one in names if one]
        number = form(call.args[1], ast.Constant, given)
        ways = self.list(f"splits{len(self.lists)}")
        make.emit("Splits", ways, self.value(call.args[0]), number.value)
        index, mark = self.fresh(), self.fresh()
        make.emit("RangeInit", index, self.constant(0), mark)
        make.put(again)
        make.emit("SplitsNext", index, ways, mark, done, *map(self.register, parts))

    def _table_loop(
        self, given: ast.Subscript, names: list[str], again: Label, done: Label
    ) -> None:
        make, cost = self.assembler, self.register(names[0] if len(names) == 2 else "cost")
        table = self.table(given)
        make.emit("TableInit", row := self.fresh(), table)
        make.put(again)
        # the difference is added to the state at once: `x = s + d` has nothing left to do
        make.emit("TableNext", row, cost, table, 1, done)
