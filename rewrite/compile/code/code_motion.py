"""Code motion: moves work out of loops, and into the branches that need it.

Matches, counts and successors stay the same: only values and tests without side effects move, and
only to where they always have a value.

    out of a loop     what none of its turns changes
    into a branch     what only that branch asks for
"""

from __future__ import annotations

from typing import Any

from rewrite.compile.code import operations as o
from rewrite.compile.code.types import INT

_CHEAP = {o.Arithmetic, o.Length}
"""Cheap enough to compute once too often."""
_PUT_OFF = {o.Index, o.Slice, o.Without}
"""What is written where a match begins, and may be needed only once much else was tested."""
_LOOPS = frozenset(o.LOOPS)


def placed(unit: o.Unit) -> o.Unit:
    """Return a unit with each computation where it runs least often."""
    return o.Unit(unit.name, tuple([
        o.Function(one.name, one.parameters, one.on_state, _Placing(one).body(one.body))
        for one in unit.functions
    ]))  # fmt: skip


def _is_sure(value: Any) -> bool:
    """Whether a value can be computed unconditionally, as the types of its registers promise."""
    kind = type(value)
    if kind is o.Arithmetic:
        if value.op in ("//", "%") and (type(value.right) is not o.Const or value.right.value == 0):
            return False
        return _is_int(value.left) and _is_int(value.right)
    return kind is o.Length and type(value.value) is o.Reg and value.value.type.kind == "seq"


def _is_int(value: Any) -> bool:
    kind = type(value)
    if kind is o.Const:
        return type(value.value) is int
    if kind is o.Reg:
        return bool(value.type.kind == "int")
    return _is_sure(value)


class _Placing:
    def __init__(self, function: o.Function) -> None:
        self._seen: dict[int, tuple[Any, frozenset[str], frozenset[str]]] = {}
        self._often = _often_written(function.body)
        self._made = 0

    def body(self, ops: o.Body) -> o.Body:
        return self._put_off([one for op in ops for one in self._op(op)])

    def _op(self, op: Any) -> list[Any]:
        kind = type(op)
        if kind is o.If:
            return [o.If(op.test, self.body(op.body), self.body(op.otherwise))]
        if kind is o.Attempt:
            return [op._replace(body=self.body(op.body), missing=self.body(op.missing))]
        if kind in _LOOPS:
            return self._around(op._replace(body=self.body(op.body)))
        return [op]

    # -- out of loops ----------------------------------------------------------------------
    def _around(self, loop: Any) -> list[Any]:
        """Return a loop behind what its turns need not do."""
        first: dict[Any, o.Reg] = {}
        body = self._lifted(loop.body, first, self._sets(loop)[1])
        return [*[o.Let(into, value) for value, into in first.items()], loop._replace(body=body)]

    def _lifted(self, given: Any, first: dict[Any, o.Reg], changed: frozenset[str]) -> Any:
        """Return what is done in a loop, without what `first` is to do before; that grows."""
        kind = type(given)
        if kind is o.Reg or kind is o.Const or not isinstance(given, tuple):
            return given
        if kind in _CHEAP and not self._sets(given)[0] & changed and _is_sure(given):
            found = first.get(given)
            if found is None:
                found = first[given] = o.Reg(f"same{self._made}", INT)
                self._made += 1
            return found
        if kind in (o.Table, o.Rows):
            return given
        parts = [self._lifted(part, first, changed) for part in given]
        if all(new is old for new, old in zip(parts, given, strict=True)):
            return given
        return kind(*parts) if kind is not tuple else tuple(parts)

    # -- into branches ---------------------------------------------------------------------
    def _put_off(self, ops: list[Any]) -> o.Body:
        """Return a region whose values are made in the branches that ask for them."""
        for place in range(len(ops) - 1, -1, -1):
            op = ops[place]
            if (
                type(op) is o.Let
                and type(op.value) in _PUT_OFF
                and op.into.name not in self._often
                and not self._sets(op.value)[0] & self._often
            ):
                ops[place:] = self._later(op, ops[place + 1 :])
        return tuple(ops)

    def _later(self, let: o.Let, ops: list[Any]) -> list[Any]:
        """Return operations with one before them done where it is needed."""
        name = let.into.name
        asking = [place for place, op in enumerate(ops) if name in self._sets(op)[0]]
        if not asking:
            return ops
        at, op = asking[0], ops[asking[0]]
        changed = self._sets(let.value)[0] & self._sets(op)[1]
        if len(asking) == 1 and self._only_inside(op, name) and not changed:
            ops[at] = op._replace(body=tuple(self._later(let, [*op.body])))
            return ops
        return [*ops[:at], let, *ops[at:]]

    def _only_inside(self, op: Any, name: str) -> bool:
        """Whether an operation needs a value only on one of the ways to go on from it."""
        if type(op) is o.If:
            others: tuple[Any, ...] = (op.test, *op.otherwise)
        elif type(op) is o.Attempt:
            others = (op.value, *op.missing)
        else:
            return False
        return not any(name in self._sets(one)[0] for one in others)

    # -- what is read and written ----------------------------------------------------------
    def _sets(self, given: Any) -> tuple[frozenset[str], frozenset[str]]:
        """Return the registers that stand in some code, and those of them that it writes to."""
        known = self._seen.get(id(given))
        if known is not None:
            return known[1:]
        kind, names, written = type(given), frozenset[str](), frozenset[str]()
        if kind is o.Reg:
            names = frozenset([given.name])
        elif isinstance(given, tuple) and kind not in (o.Const, o.Table, o.Rows):
            for part in given:
                if isinstance(part, tuple):
                    more, too = self._sets(part)
                    names, written = names | more, written | too
            written |= frozenset(o.written(given))
        self._seen[id(given)] = given, names, written
        return names, written


def _often_written(body: o.Body) -> frozenset[str]:
    once: set[str] = set()
    often: set[str] = set()
    for name in o.all_written(body):
        (often if name in once else once).add(name)
    return frozenset(often)
