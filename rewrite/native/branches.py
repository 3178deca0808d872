"""Lowering of the tests in generated source, as jumps; see `lower`."""

from __future__ import annotations

import ast

from rewrite.compiler.interning import TRUTH, Ctor
from rewrite.engine.tables import Filling
from rewrite.native.assembler import Label, Register
from rewrite.native.expressions import BUILTINS, TESTS, Expressions
from rewrite.native.forms import called, form, name_of
from rewrite.native.trouble import Unlowered

COMPARED = {ast.Lt: 0, ast.LtE: 1, ast.Gt: 2, ast.GtE: 3}
WORDS = {"<": 0, "<=": 1, ">": 2, ">=": 3}
KINDS = {"int": 0, "str": 1, "Truth": 2}


class Branches(Expressions):
    """Writes tests as jumps."""

    def is_test(self, node: ast.expr) -> bool:
        """Whether an expression is a Python bool rather than an encoded value."""
        if isinstance(node, (ast.Compare, ast.BoolOp)):
            return True
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.Not)
        if isinstance(node, ast.IfExp):
            return self.is_test(node.body) and self.is_test(node.orelse)
        if isinstance(node, ast.Constant):
            return isinstance(node.value, bool)
        return isinstance(node, ast.Call) and called(node) in TESTS

    def truth(self, node: ast.expr, into: Register | None = None) -> Register:
        """Write TRUE or FALSE into a register."""
        make, no, done = self.assembler, Label(), Label()
        target = self.fresh() if into is None else into
        if isinstance(node, ast.Constant):
            return self.value(node, target)
        self.branch(node, no, False)
        make.emit("Move", target, self.constant(TRUTH[1]))
        make.emit("Jump", done)
        make.put(no)
        make.emit("Move", target, self.constant(TRUTH[0]))
        make.put(done)
        return target

    def unless(self, node: ast.expr, to: Label) -> None:
        self.branch(node, to, False)

    def branch(self, node: ast.expr, to: Label, on: bool) -> None:
        """Write a jump to `to` where the test's outcome is `on`."""
        if isinstance(node, ast.BoolOp):
            self._junction(node, to, on)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.branch(node.operand, to, not on)
        elif isinstance(node, ast.Constant):
            if bool(node.value) == on:
                self.assembler.emit("Jump", to)
        elif isinstance(node, ast.Compare):
            self._compare(node, to, on)
        elif isinstance(node, ast.IfExp):
            self._chosen(node, to, on)
        elif isinstance(node, ast.Call):
            self._called(node, to, on)
        elif isinstance(node, ast.Subscript) and isinstance(
            self.space.get(ast.unparse(node.value)), Filling
        ):
            self.assembler.emit("TableAny", self.table(node), int(on), to)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            self.assembler.emit("Bits", int(not on), to, *self.bits(self.whole(node.right), 0))
        elif isinstance(node, ast.Name) and node.id in self.lists:
            self.assembler.emit("ListAny", self.lists[node.id], int(on), to)
        else:
            self.assembler.emit("Truthy", self.value(node), int(on), to)

    def _junction(self, node: ast.BoolOp, to: Label, on: bool) -> None:
        if self._first_of_run(node, to, on):
            return
        if isinstance(node.op, ast.And) == on:  # all of them decide: another outcome ends it
            skip = Label()
            for part in node.values[:-1]:
                self.branch(part, skip, not on)
            self.branch(node.values[-1], to, on)
            self.assembler.put(skip)
            return
        for part in node.values:
            self.branch(part, to, on)

    def _first_of_run(self, node: ast.BoolOp, to: Label, on: bool) -> bool:
        """`not p or g[p - 1] != v`, the commonest test of all, is one instruction."""
        if on or not isinstance(node.op, ast.Or) or len(node.values) != 2:
            return False
        first, second = node.values
        if not (isinstance(first, ast.UnaryOp) and isinstance(first.operand, ast.Name)):
            return False
        place = first.operand.id
        if not isinstance(second, ast.Compare) or not isinstance(second.left, ast.Subscript):
            return False
        group = ast.unparse(second.left.value)
        if ast.unparse(second) != f"{group}[{place} - 1] != {ast.unparse(second.comparators[0])}":
            return False
        value = self.value(second.comparators[0])
        self.assembler.emit("FirstOfRun", self.known(place), self.value(second.left.value), value,
                            to)  # fmt: skip
        return True

    def _chosen(self, node: ast.IfExp, to: Label, on: bool) -> None:
        otherwise, done = Label(), Label()
        self.branch(node.test, otherwise, False)
        self.branch(node.body, to, on)
        self.assembler.emit("Jump", done)
        self.assembler.put(otherwise)
        self.branch(node.orelse, to, on)
        self.assembler.put(done)

    def _compare(self, node: ast.Compare, to: Label, on: bool) -> None:
        make, op, right = self.assembler, node.ops[0], node.comparators[0]
        if len(node.ops) == 2:  # low <= x <= high
            low, x = self.value(node.left), self.value(right)
            high, skip = self.value(node.comparators[1]), Label()
            make.emit("Compare", 1, low, x, 0, skip if on else to)
            make.emit("Compare", 1, x, high, int(on), to)
            make.put(skip)
            return
        if isinstance(op, (ast.Is, ast.IsNot)):
            self._identity(node, to, on)
        elif isinstance(op, (ast.In, ast.NotIn)):
            self._membership(node, to, on == isinstance(op, ast.In))
        elif isinstance(op, (ast.Eq, ast.NotEq)):
            on = on == isinstance(op, ast.Eq)
            left = node.left
            if isinstance(left, ast.BinOp) and isinstance(left.op, ast.BitAnd):
                bits = self.bits(self.whole(left.right), self.whole(right))
                make.emit("Bits", int(on), to, *bits)
                return
            make.emit("Equal", self.value(left), self.value(right), int(on), to)
        else:
            if type(op) not in COMPARED:
                raise Unlowered(ast.unparse(node))
            values = self.value(node.left), self.value(right)
            make.emit("Compare", COMPARED[type(op)], *values, int(on), to)

    def _identity(self, node: ast.Compare, to: Label, on: bool) -> None:
        make, right = self.assembler, node.comparators[0]
        if isinstance(right, ast.Constant) and right.value is None:
            on = on == isinstance(node.ops[0], ast.Is)
            make.emit("Equal", self.value(node.left), self.constant(None), int(on), to)
            return
        kind = KINDS.get(name_of(right))
        if kind is None:
            raise Unlowered(ast.unparse(node))
        value = form(node.left, ast.Attribute, node).value
        make.emit("IsKind", self.value(value), kind, int(on), to)

    def _membership(self, node: ast.Compare, to: Label, on: bool) -> None:
        make, right = self.assembler, node.comparators[0]
        held = self.space.get(right.id) if isinstance(right, ast.Name) else None
        if isinstance(right, ast.Name) and right.id in self.lists:
            make.emit("ListHas", self.lists[right.id], self.value(node.left), int(on), to)
        elif isinstance(held, frozenset) and isinstance(right, ast.Name):
            if right.id.startswith("S"):
                number = make.pools.number(make.pools.states, held)
                code = [] if self.slots else self.code(node.left)
                make.emit("InStates", number, int(on), to, *code)
            else:
                number = make.pools.number(make.pools.sets, held)
                make.emit("InSet", self.value(node.left), number, int(on), to)
        else:
            make.emit("In", self.value(node.left), self.value(right), int(on), to)

    def _called(self, node: ast.Call, to: Label, on: bool) -> None:
        make, name, args = self.assembler, called(node), node.args
        if name == "bool":
            self.branch(args[0], to, on)
        elif name in ("rt_is_seq", "rt_is_bag"):
            make.emit("IsKind", self.value(args[0]), 3 + (name == "rt_is_bag"), int(on), to)
        elif name == "rt_has_ctor":
            ctor = self.held(name_of(args[1]))
            if not isinstance(ctor, Ctor):
                raise Unlowered(ast.unparse(node))
            make.emit("HasCtor", self.value(args[0]), make.constant(ctor), int(on), to)
        elif name == "rt_truth":
            make.emit("MustBeTruth", checked := self.value(args[0]))
            make.emit("Truthy", checked, int(on), to)
        elif name == "rt_compare":
            word = WORDS.get(str(form(args[0], ast.Constant, node).value))
            if word is None:
                raise Unlowered(ast.unparse(node))
            left, right = self.value(args[1]), self.value(args[2])
            make.emit("Compare", word, left, right, int(on), to)
        elif name in ("rt_divides", "rt_between", "rt_within"):
            made = self.fresh()
            arguments = [self.value(one) for one in args]
            make.emit("Builtin", made, BUILTINS.index(name[3:]), *arguments)
            make.emit("Truthy", made, int(on), to)
        else:
            make.emit("Truthy", self.value(node), int(on), to)
