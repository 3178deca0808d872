"""Code motion: moves work out of loops, and into the branches that need it.

Matches, counts and successors stay the same: only values and tests without side effects move, and
only to where they always have a value.

    out of a loop     what none of its turns changes
    into a branch     what only that branch asks for
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from typing import Any, NamedTuple

from rewrite.compile.code import operations as o
from rewrite.compile.code.types import ANY, INT

_CHEAP = {o.Arithmetic, o.Length, o.Index}
"""Cheap enough to compute once too often."""
_PUT_OFF = {o.Length, o.Index, o.Slice, o.Without}
"""What is written where a match begins, and may be needed only once much else was tested."""
_LOOPS = frozenset(o.LOOPS)


def placed(unit: o.Unit) -> o.Unit:
    """Return a unit with each computation where it runs least often."""
    return o.Unit(unit.name, tuple([
        o.Function(
            one.name, one.parameters, one.on_state, _Placing(one).body(one.body, _UNKNOWN)
        )
        for one in unit.functions
    ]))  # fmt: skip


class _Known(NamedTuple):
    """What the tests on the way to a place say about registers, by name.

    sizes   the least length of sequences
    """

    ints: frozenset[str]
    nonzero: frozenset[str]
    sizes: dict[str, int]

    def after(self, test: Any) -> _Known:
        """Return what is known where a test holds."""
        match test:
            case o.And(parts):
                return reduce(_Known.after, parts, self)
            case o.IsKind(o.Reg(name), "int"):
                return self._replace(ints=self.ints | {name})
            case o.Not(o.Equal(o.Reg(name), o.Const(0))):
                return self._replace(nonzero=self.nonzero | {name})
            case o.Equal(o.Length(o.Reg(name)), o.Const(int(size))) | o.Compare(
                ">=", o.Length(o.Reg(name)), o.Const(int(size))
            ):
                return self._replace(sizes=self.sizes | {name: size})
        return self

    def without(self, names: frozenset[str]) -> _Known:
        """Return what still holds after these registers are written."""
        sizes = {name: size for name, size in self.sizes.items() if name not in names}
        return _Known(self.ints - names, self.nonzero - names, sizes)

    def sure(self, value: Any) -> bool:
        """Whether a value can be computed unconditionally."""
        kind = type(value)
        if kind is o.Arithmetic:
            if value.op in ("//", "%") and not self._is_not_zero(value.right):
                return False
            return self._is_int(value.left) and self._is_int(value.right)
        if kind is o.Length:
            return self._size(value.value) is not None
        if kind is o.Index:
            size, at = self._size(value.values), value.at
            return size is not None and type(at) is o.Const and -size <= at.value < size
        return kind is o.Reg or kind is o.Const

    def _is_not_zero(self, value: Any) -> bool:
        if type(value) is o.Const:
            return type(value.value) is int and value.value != 0
        return type(value) is o.Reg and value.name in self.nonzero

    def _is_int(self, value: Any) -> bool:
        kind = type(value)
        if kind is o.Const:
            return type(value.value) is int
        if kind is o.Reg:
            return value.type.kind == "int" or value.name in self.ints
        return kind in (o.Arithmetic, o.Length) and self.sure(value)

    def _size(self, value: Any) -> int | None:
        if type(value) is not o.Reg:
            return None
        return self.sizes.get(value.name, 0 if value.type.kind == "seq" else None)


_UNKNOWN = _Known(frozenset(), frozenset(), {})


class _Placing:
    def __init__(self, function: o.Function) -> None:
        self._seen: dict[int, tuple[Any, frozenset[str], frozenset[str]]] = {}
        writes = Counter(o.all_written(function.body))
        self._often = frozenset([name for name, number in writes.items() if number > 1])
        self._made = 0

    def body(self, ops: o.Body, known: _Known) -> o.Body:
        made: list[Any] = []
        for op in ops:
            made += self._op(op, known)
            written = self._sets(op)[1]
            if written:
                known = known.without(written)
        return self._put_off(made)

    def _op(self, op: Any, known: _Known) -> list[Any]:
        kind = type(op)
        if kind is o.If:
            body = self.body(op.body, known.after(op.test))
            return [o.If(op.test, body, self.body(op.otherwise, known))]
        if kind is o.Attempt:
            inside = known.without(frozenset([op.into.name]))
            if o.held(op) is not None:  # what is in the body is behind the test
                inside = inside.after(op.value)
            return [op._replace(body=self.body(op.body, inside),
                                missing=self.body(op.missing, known))]  # fmt: skip
        if kind in _LOOPS:
            written = self._sets(op)[1]
            loop = op._replace(body=self.body(op.body, known.without(written)))
            return self._around(loop, known)
        return [op]

    # -- out of loops ----------------------------------------------------------------------
    def _around(self, loop: Any, known: _Known) -> list[Any]:
        """Return a loop behind what its turns need not do."""
        first: dict[Any, o.Reg] = {}
        body = self._lifted(loop.body, first, self._sets(loop)[1], known)
        return [*[o.Let(into, value) for value, into in first.items()], loop._replace(body=body)]

    def _lifted(self, given: Any, first: dict[Any, o.Reg], changed: frozenset[str],
                known: _Known) -> Any:  # fmt: skip
        """Return what is done in a loop, without what `first` is to do before; that grows."""
        kind = type(given)
        if kind is o.Reg or kind is o.Const or not isinstance(given, tuple):
            return given
        if kind in _CHEAP and not self._sets(given)[0] & changed and known.sure(given):
            found = first.get(given)
            if found is None:
                found = first[given] = o.Reg(
                    f"same{self._made}", INT if kind in (o.Arithmetic, o.Length) else ANY
                )
                self._made += 1
            return found
        if kind in (o.Table, o.Rows):
            return given
        parts = [self._lifted(part, first, changed, known) for part in given]
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
        made_of = self._sets(let.value)[0]
        inside = [
            place for place in asking
            if self._only_inside(ops[place], name) and not made_of & self._sets(ops[place])[1]
        ]  # fmt: skip
        rarely = all(
            type(ops[place].test) is o.Equal for place in inside if type(ops[place]) is o.If
        )
        if inside == asking and (len(asking) == 1 or rarely):
            for place in asking:
                op = ops[place]
                ops[place] = op._replace(body=tuple(self._later(let, [*op.body])))
            return ops
        at = asking[0] if asking else len(ops)
        return [*ops[:at], let, *ops[at:]] if asking else ops

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
