"""Whether code is well-formed: what the tests hold the writers to.

The core checks what it is given once more, in its own terms; here the code is judged as it was
written, with its registers, lists, types and regions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rewrite.code import operations as o
from rewrite.code.types import ANY, BOOL, FLAG, INT, PLACE, SEQ, Type, agree, of_value

_ENDS = (o.Return, o.ReturnOr, o.NoValue, o.Continue)
_BOUND: dict[Any, tuple[str, ...]] = {
    o.Each: ("place", "value"), o.EachFree: ("place", "value"), o.EachNumber: ("number",),
    o.EachRow: ("place", "value"), o.EachSplit: ("shares",), o.EachEntry: ("cost",),
}  # fmt: skip
"""The fields of a loop that its turns write to."""
_TYPES = {
    o.Length: PLACE, o.Find: INT, o.PlaceOf: PLACE, o.BitCount: PLACE, o.Slice: ANY, o.Without: SEQ,
    o.Insert: SEQ, o.Negative: INT, o.Absolute: INT, o.TruthOf: BOOL,
}  # fmt: skip
_NEXT = "the next state"


class IllFormed(Exception):
    """What is wrong with code, and where."""


def check(unit: o.Unit) -> None:
    """Raise IllFormed where a unit is not well-formed.

    A register is written before it is read, on every way; so are lists and the next state. Calls
    are of functions of the unit, with as many values as these take. A register of a known type is
    given values of that type only. Loops are gone on with inside of loops.
    """
    functions = {function.name: function for function in unit.functions}
    for function in unit.functions:
        _Checking(functions, function).run()


def type_of(given: Any) -> Type:
    """Return the type of a value, as far as it is known; of a test, FLAG.

    >>> type_of(o.Arithmetic("+", o.Const(1), o.Length(o.Reg("g0", SEQ)))) == INT
    True
    """
    kind = type(given)
    if kind is o.Reg:
        held: Type = given.type
        return held
    if kind is o.Const:
        return of_value(given.value)
    if kind is o.Arithmetic:
        left = type_of(given.left)
        return INT if given.op != "+" or left.kind == "int" else ANY
    return _TYPES.get(kind, ANY)


class _Checking:
    def __init__(self, functions: dict[str, o.Function], function: o.Function) -> None:
        self.functions, self.function = functions, function
        self.loops = 0

    def wrong(self, why: str, op: Any) -> IllFormed:
        return IllFormed(f"function {self.function.name}: {why} in {op!r:.300}")

    def run(self) -> None:
        known = {one.name for one in self.function.parameters}
        if len(known) < len(self.function.parameters):
            raise self.wrong("two parameters of one name", self.function.parameters)
        self.body(self.function.body, known)

    def body(self, ops: Iterable[Any], known: set[str]) -> bool:
        """Check a region; `known` grows by what it writes. Return whether it ends there."""
        ended = False
        for op in ops:
            if ended and type(op) is not o.Return:  # what matches anything needs no way out
                raise self.wrong("an operation that is never reached", op)
            ended = self.op(op, known)
        return ended

    def op(self, op: Any, known: set[str]) -> bool:
        kind = type(op)
        if kind is o.If:
            self.read(op.test, op, known)
            return self._either(known, (op.body, set(known)), (op.otherwise, set(known)))
        if kind is o.Attempt:
            self.read(op.value, op, known)
            self._held(op.into, op.value, op)
            return self._either(known, (op.body, known | {op.into.name}), (op.missing, set(known)))
        if kind in _BOUND:
            self._loop(op, set(known))
            return False
        if kind is o.Let:
            self.read(op.value, op, known)
            self._held(op.into, op.value, op)
            known.add(op.into.name)
        elif kind is o.Unpack:
            self.read(op.value, op, known)
            known.update(one.name for one in op.into if one is not None)
        elif kind is o.NewList:
            known.add(f"list {op.values}")
        elif kind is o.Continue and not self.loops:
            raise self.wrong("no loop", op)
        else:
            self.read(op, op, known)
            if kind is o.Make:
                known.add(_NEXT)
        return kind in _ENDS

    def _either(self, known: set[str], *ways: tuple[o.Body, set[str]]) -> bool:
        """Check both ways to go on; what both have written is known afterwards."""
        after = [found for body, found in ways if not self.body(body, found)]
        if after:
            known.update(set.intersection(*after))
        return not after

    def _loop(self, op: Any, known: set[str]) -> None:
        bound = _BOUND[type(op)]
        for field, given in zip(op._fields, op, strict=True):
            if field not in (*bound, "body"):
                self.read(given, op, known)
        for field in bound:
            given = getattr(op, field)
            known.update(one.name for one in (given if field == "shares" else [given]) if one)
        if type(op) is o.EachEntry and op.moves:
            known.add(_NEXT)
        self.loops += 1
        self.body(op.body, known)
        self.loops -= 1

    def _held(self, into: o.Reg, value: Any, op: Any) -> None:
        found = type_of(value)
        if into.type is not FLAG and not agree(into.type, found):
            raise self.wrong(f"{found} for a register of {into.type}", op)

    def read(self, given: Any, op: Any, known: set[str]) -> None:
        """Check what is read, in a value, a test, a state, or an operation without a body."""
        kind = type(given)
        if kind is o.Reg:
            if given.name not in known:
                raise self.wrong(f"{given.name} is read before it is written", op)
            return
        if kind in (o.Const, o.Table, o.Rows):
            return
        if kind in (o.Push, o.ListAny, o.ListHas, o.Fold) and f"list {given.values}" not in known:
            raise self.wrong(f"the list {given.values} is not there", op)
        if kind in (o.Next, o.IsForbidden) and _NEXT not in known:
            raise self.wrong("the next state is read before it is made", op)
        if kind is o.Invoke:
            self._call(given, op)
        if kind is o.Arithmetic:
            ends = (type_of(given.left), type_of(given.right))
            wanted = ("int", "any") if given.op != "+" else ("int", "any", "seq", "str")
            if any(one.kind not in wanted for one in ends):
                raise self.wrong(f"{given.op} of {ends}", op)
        if isinstance(given, tuple):
            for part in given:
                if isinstance(part, tuple):
                    self.read(part, op, known)

    def _call(self, given: o.Invoke, op: Any) -> None:
        called = self.functions.get(given.name)
        if called is None:
            raise self.wrong(f"there is no function {given.name}", op)
        wanted = 0 if given.on_state else len(called.parameters)
        if called.on_state != given.on_state or len(given.args) != wanted:
            raise self.wrong(f"{given.name} is called with other values than it takes", op)
