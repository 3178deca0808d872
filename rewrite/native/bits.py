"""Lowering of what generated source does with slots and bits; see `lower`."""

from __future__ import annotations

import ast

from rewrite.engine.tables import Filling
from rewrite.native.forms import form, name_of
from rewrite.native.registers import Registers
from rewrite.native.trouble import Unlowered


class Bits(Registers):
    """Takes whole numbers apart into words of 64 bits."""

    def whole(self, node: ast.expr) -> int:
        value = form(node, ast.Constant).value
        if not isinstance(value, int):
            raise Unlowered(ast.unparse(node))
        return value

    def words(self, mask: int) -> list[int]:
        """Return a mask as (word, bits) pairs, one after the other."""
        found, word = [], 0
        while mask:
            if mask & (1 << 64) - 1:
                found += [word, mask & (1 << 64) - 1]
            mask, word = mask >> 64, word + 1
        return found

    def bits(self, mask: int, value: int) -> list[int]:
        """Return a test of bits as (word, bits, wanted) triples, one after the other."""
        found = []
        pairs = self.words(mask)
        for word, part in zip(pairs[::2], pairs[1::2], strict=True):
            found += [word, part, value >> 64 * word & (1 << 64) - 1]
        return found

    def table(self, node: ast.expr) -> int:
        """Return the number of the table that is looked up."""
        held = self.held(name_of(form(node, ast.Subscript).value))
        if not isinstance(held, Filling):
            raise Unlowered(ast.unparse(node))
        return self.assembler.pools.number(self.assembler.pools.tables, held)

    def slot_code(self, node: ast.expr) -> None:
        """Write the successor: the state with some bits kept, flipped, and fields moved."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return  # s + d: the table's instruction has done it
        keep = every = (1 << 64 * self.assembler.words) - 1
        flip, moves = 0, []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            flip = self.whole(node.right)
        elif not isinstance(node, ast.Name):
            first, *rest = _joined(node)
            keep = self.whole(form(first, ast.BinOp, node).right)
            for part in rest:
                if isinstance(part, ast.Constant):
                    flip = self.whole(part)  # those bits were cleared: to set is to flip
                    continue
                moved = form(part, ast.BinOp, node)
                field = form(moved.left, ast.BinOp, node)
                shift = self.whole(moved.right)
                if isinstance(moved.op, ast.RShift):
                    shift = -shift
                moves += self._moves(self.whole(field.right), shift)
        changed = []
        for word in range(self.assembler.words):
            one = (1 << 64) - 1 << 64 * word
            if keep & one != every & one or flip & one:
                changed += [word, (keep & one) >> 64 * word, (flip & one) >> 64 * word]
        self.assembler.emit("Make", len(changed) // 3, *changed, *moves)

    def _moves(self, mask: int, shift: int) -> list[int]:
        """Return moves of whole fields as (from word, to word, bits, shift to the left)."""
        found: dict[tuple[int, int, int], int] = {}
        for offset, bits in self.assembler.fields:
            field = (1 << bits) - 1 << offset
            if mask & field:
                source, target = offset // 64, (offset + shift) // 64
                inside = (offset + shift) % 64 - offset % 64
                key = (source, target, inside)
                found[key] = found.get(key, 0) | field >> 64 * source
        return [part for (source, target, inside), bits in found.items()
                for part in (source, target, bits, inside)]  # fmt: skip


def _joined(node: ast.expr) -> list[ast.expr]:
    """Return the parts of a | b | c."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_joined(node.left), node.right]
    return [node]
