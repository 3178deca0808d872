"""Values that are sums of what each field of a state adds, found out from their code.

A field is a slot or a single bit. Where a value is such a sum, what one field adds can be learnt by
itself, and after a step only the fields that changed need to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rewrite.compile.code import operations as o

Fields = frozenset[tuple[int, int]]
"""(offset, bits) of each field that is looked at."""


def summed(unit: o.Unit, fields: Sequence[tuple[int, int]]) -> Fields | None:
    """Return the fields of which the value of a unit over slots is a sum; None where it is none.

    fields   the slots of a state. The unit calls nothing outside: it may be asked about states
             that are unreachable
    """
    if any(isinstance(part, (o.Apply, o.Ask)) for part in _parts(unit)):
        return None
    functions = {one.name: one for one in unit.functions}
    last = functions[unit.name].body[-1]
    if len(functions[unit.name].body) != 1 or not isinstance(last, o.ReturnOr):
        return None
    return _Reading(functions, fields).value(last.value)


def _parts(whole: Any) -> Iterator[Any]:
    stack = [whole]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, o.Residual):
            stack.append(part.unit)
        elif isinstance(part, tuple):
            stack += part


class _Reading:
    def __init__(self, functions: dict[str, o.Function], fields: Sequence[tuple[int, int]]) -> None:
        self.functions, self.fields = functions, fields

    def value(self, given: Any) -> Fields | None:
        match given:
            case o.Const(int()):
                return frozenset()
            case o.Arithmetic("+" | "-", left, right):
                both = self.value(left), self.value(right)
                return None if both[0] is None or both[1] is None else both[0] | both[1]
            case o.Arithmetic("*", o.Const(int()), other) | o.Arithmetic(
                "*", other, o.Const(int())
            ):
                return self.value(other)
            case o.Negative(inner):
                return self.value(inner)
            case o.Invoke(name, (), True):
                return self._total(self.functions[name].body)
        return None

    def _total(self, body: o.Body) -> Fields | None:
        """Return the fields that are read where a list is filled and its sum returned."""
        match body:
            case (o.NewList(name), *ops, o.Return(o.Fold("sum", folded))) if name == folded:
                found: set[tuple[int, int]] = set()
                for op in ops:
                    read = self._addend(op, name)
                    if read is None or len(read) > 1:
                        return None
                    found |= read
                return frozenset(found)
        return None

    def _addend(self, op: o.Op, name: str) -> Fields | None:
        match op:
            case o.Push(to, o.Const(int())) if to == name:
                return frozenset()
            case o.If(test, (inner,), ()):
                outer, read = self._test(test), self._addend(inner, name)
                return None if outer is None or read is None else outer | read
            case o.EachEntry(cost, table, (o.Push(to, pushed),)) if to == name and (
                pushed == cost or isinstance(pushed, o.Const)
            ):
                return self._fields(table.reads)
        return None

    def _test(self, test: o.Test) -> Fields | None:
        match test:
            case o.Bits(mask, _):
                return self._fields(mask)
            case o.TableAny(table):
                return self._fields(table.reads)
            case o.Not(inner):
                return self._test(inner)
            case o.And(parts) | o.Or(parts):
                found = [self._test(part) for part in parts]
                known = [one for one in found if one is not None]
                return frozenset().union(*known) if len(known) == len(found) else None
        return None

    def _fields(self, mask: int) -> Fields:
        found = set()
        for offset, bits in self.fields:
            field = ((1 << bits) - 1) << offset
            if mask & field:
                found.add((offset, bits))
                mask &= ~field
        while mask:
            offset = (mask & -mask).bit_length() - 1
            found.add((offset, 1))
            mask &= mask - 1
        return frozenset(found)
