"""Lowering of the expressions in generated source; see `lower`."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from rewrite.compiler.interning import TRUTH
from rewrite.native.assembler import Label, Register
from rewrite.native.bits import Bits
from rewrite.native.forms import called, form, name_of
from rewrite.native.trouble import Unlowered

ARITHMETIC = {ast.Add: 0, ast.Sub: 1, ast.Mult: 2, ast.FloorDiv: 3, ast.Mod: 4}
BUILTINS = (
    "integer", "truth", "text", "elements", "sequence", "make_bag", "power", "concat", "item",
    "cut", "digits", "number", "length", "total", "least", "greatest", "divides", "between",
    "ordered", "upper", "lower", "min", "max", "within", "written", "letters", "reverse",
    "position",
)  # fmt: skip
"""Functions of `engine.runtime` and Python that the core has too, by number."""
TESTS = ("rt_is_seq", "rt_is_bag", "rt_has_ctor", "rt_truth", "rt_compare", "rt_divides",
         "rt_between", "rt_within", "bool")  # fmt: skip
ACROSS = {"forbidden": "forbidden.forbidden", "successors": "weighted.weighted"}
"""Functions that one generated module has from another."""


class Expressions(Bits, ABC):
    """Writes values into registers."""

    # -- what `branches` adds -----------------------------------------------------------------
    @abstractmethod
    def is_test(self, node: ast.expr) -> bool:
        """Whether an expression is a Python bool rather than an encoded value."""

    @abstractmethod
    def truth(self, node: ast.expr, into: Register | None = None) -> Register:
        """Write TRUE or FALSE into a register."""

    @abstractmethod
    def branch(self, node: ast.expr, to: Label, on: bool) -> None:
        """Write a jump to `to` where the test's outcome is `on`."""

    # -- values ----------------------------------------------------------------------------
    def value(self, node: ast.expr, into: Register | None = None) -> Register:
        """Write the value of an expression into a register and return that."""
        if isinstance(node, ast.Name):
            found = self.names.get(node.id)
            if found is None and node.id not in self.space:
                raise Unlowered(node.id)
            if found is None:
                found = self.constant(self.space[node.id])
            if into is None:
                return found
            self.assembler.emit("Move", into, found)
            return into
        if isinstance(node, ast.Constant):
            given = node.value
            if into is None:
                return self.constant(TRUTH[given] if isinstance(given, bool) else given)
            self.assembler.emit("Move", into, self.value(node))
            return into
        target = self.fresh() if into is None else into
        method = getattr(self, f"_value_{type(node).__name__}", None)
        if method is None:
            raise Unlowered(ast.unparse(node))
        method(node, target)
        return target

    def _value_Tuple(self, node: ast.Tuple, into: Register) -> None:
        parts: list[Register] = []
        for one in node.elts:
            star = isinstance(one, ast.Starred)
            parts += [int(star), self.value(one.value if isinstance(one, ast.Starred) else one)]
        self.assembler.emit("Tuple", into, *parts)

    def _value_UnaryOp(self, node: ast.UnaryOp, into: Register) -> None:
        if not isinstance(node.op, ast.USub):
            raise Unlowered(ast.unparse(node))
        self.assembler.emit("Neg", into, self.value(node.operand))

    def _value_BinOp(self, node: ast.BinOp, into: Register) -> None:
        op = ARITHMETIC.get(type(node.op))
        if op is None:
            raise Unlowered(ast.unparse(node))
        if op == 0 and self._slices(node, into):
            return
        self.assembler.emit("Arithmetic", op, into, self.value(node.left), self.value(node.right))

    def _slices(self, node: ast.BinOp, into: Register) -> bool:
        """`g[:p] + g[p + 1:]` leaves places out; `g[:k] + (v,) + g[k:]` puts a value in."""
        parts: list[ast.expr] = []
        rest: ast.expr = node
        while isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Add):
            parts.insert(0, rest.right)
            rest = rest.left
        parts.insert(0, rest)
        cuts = [one for one in parts if isinstance(one, ast.Subscript)
                and isinstance(one.slice, ast.Slice)]  # fmt: skip
        if len(cuts) < 2 or len({ast.unparse(one.value) for one in cuts}) > 1:
            return False
        group = self.value(cuts[0].value)
        ends = [one.slice.upper for one in cuts[:-1] if isinstance(one.slice, ast.Slice)]
        if len(cuts) == len(parts):
            places = [self.value(end) for end in ends if end is not None]
            self.assembler.emit("Without", into, group, *places)
            return True
        middle = parts[1]
        if len(parts) == 3 and isinstance(middle, ast.Tuple):
            # the place comes from rt_bisect: `Insert` looks for it itself
            self.assembler.emit("Insert", into, group, self.value(middle.elts[0]))
            return True
        return False

    def _value_IfExp(self, node: ast.IfExp, into: Register) -> None:
        make = self.assembler
        if isinstance(node.body, ast.Call) and called(node.body) == "rt_ordered":
            self._value_Call(node.body, into)  # … if the group is not empty: no matter here
            return
        otherwise, done = Label(), Label()
        self.branch(node.test, otherwise, False)
        self.value(node.body, into)
        make.emit("Jump", done)
        make.put(otherwise)
        self.value(node.orelse, into)
        make.put(done)

    def _value_Subscript(self, node: ast.Subscript, into: Register) -> None:
        make = self.assembler
        if isinstance(node.value, ast.Name) and node.value.id == "TRUTH":
            self.truth(node.slice, into)
            return
        values = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            begin = self.value(node.slice.lower) if node.slice.lower else self.constant(0)
            if node.slice.upper is None:
                make.emit("Slice", into, values, begin)
            else:
                make.emit("Slice", into, values, begin, self.value(node.slice.upper))
            return
        make.emit("Index", into, values, self.value(node.slice))

    def _value_Call(self, node: ast.Call, into: Register) -> None:
        make, name = self.assembler, called(node)
        if isinstance(node.func, ast.Attribute):
            self._method(node, into)
            return
        stem = name.removeprefix("rt_")
        if name == "rt_ordered" and isinstance(node.args[0], ast.Tuple):
            first, *rest = node.args[0].elts
            if isinstance(first, ast.Starred) and not any(
                isinstance(one, ast.Starred) for one in rest
            ):
                values = [self.value(one) for one in rest]
                make.emit("Insert", into, self.value(first.value), *values)
                return
        if name == "rt_bisect":
            return  # where a value is put in: `Insert` looks for the place itself
        if name == "len":
            make.emit("Len", into, self.value(node.args[0]))
        elif name == "abs":
            make.emit("Abs", into, self.value(node.args[0]))
        elif name == "rt_find":
            make.emit("Find", into, *map(self.value, node.args[:2]), *self._places(node.args[2]))
        elif name == "rt_without":
            make.emit("Without", into, self.value(node.args[0]), *self._places(node.args[1]))
        elif name in ("rt_least", "rt_greatest") and isinstance(node.args[0], ast.Starred):
            make.emit("ListFold", into, self.list("values"), int(name == "rt_greatest"))
        elif name == "sum":
            make.emit("ListFold", into, self.list("values"), 2)
        elif self.is_test(node):
            self.truth(node, into)
        elif stem in BUILTINS:
            arguments = [self.value(one) for one in node.args]
            make.emit("Builtin", into, BUILTINS.index(stem), *arguments)
        elif name in self.space and name not in ACROSS and name not in self.own:
            self._outside(node, into)
        else:
            self._inside(node, into)

    def _places(self, node: ast.expr) -> list[Register]:
        return [self.value(one) for one in form(node, ast.Tuple).elts]

    def _method(self, node: ast.Call, into: Register) -> None:
        method = form(node.func, ast.Attribute)
        make, values, name = self.assembler, method.value, method.attr
        if name == "index":
            make.emit("Find", into, self.value(values), self.value(node.args[0]))
        elif name in ("upper", "lower"):
            make.emit("Builtin", into, BUILTINS.index(name), self.value(values))
        elif name == "bit_count":
            make.emit("BitCount", into, *self.words(self.whole(form(values, ast.BinOp).right)))
        else:
            raise Unlowered(ast.unparse(node))

    def _outside(self, node: ast.Call, into: Register) -> None:
        """A person's function on values, or a condition on whole states."""
        make, function = self.assembler, self.space[called(node)]
        if called(node).startswith("fn"):
            number = make.pools.number(make.pools.functions, function)
            make.emit("Outside", into, number, *[self.value(one) for one in node.args])
            return
        number = make.pools.number(make.pools.tests, function)
        if self.slots:
            make.emit("OutsideSlots", into, number, int(name_of(node.args[0]) == "x"))
        else:
            make.emit("OutsideState", into, number, *self.code(node.args[0]))

    def _inside(self, node: ast.Call, into: Register) -> None:
        """A function of a generated module."""
        make, name = self.assembler, called(node)
        number = make.function(ACROSS.get(name) or self._named(name))
        first = node.args[0] if node.args else None
        if self.slots and isinstance(first, ast.Name) and first.id in ("s", "x"):
            if name == "successors":
                make.emit("AnySuccessor", into)
                return
            make.emit("Call", into, number, int(first.id == "x"))
            return
        if name == "successors":
            make.emit("AnySuccessor", into, *self.code(form(first, ast.expr, node)))
            return
        if name in ACROSS:
            arguments = self.code(form(first, ast.expr, node))
        else:
            arguments = [self.value(one) for one in node.args]
        make.emit("Call", into, number, 0, *arguments)

    def _registers(self, number: int) -> list[Register]:
        return [self.fresh() for _ in range(number)]

    def code(self, node: ast.expr) -> list[Register]:
        """Return the registers of the groups of a code."""
        make = self.assembler
        if isinstance(node, ast.Name) and node.id in self.codes:
            return self.codes[node.id]
        if isinstance(node, ast.Tuple) and make.groups > 1:
            return [self.value(one) for one in node.elts]
        if isinstance(node, ast.Call) and called(node) == "rt_place":
            groups, values = self._places(node.args[0]), self._places(node.args[1])
            made = self._registers(len(groups))
            make.emit("Place", len(groups), *made, *groups, *values)
            return made
        if isinstance(node, ast.Call) and called(node) == "normal":
            groups = self.code(node.args[0])
            made = self._registers(len(groups))
            make.emit("Normal", len(groups), *made, *groups)
            return made
        return [self.value(node)]
