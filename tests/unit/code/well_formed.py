"""Whether code reads only what was written: a register that was not holds what it held before."""

from collections.abc import Iterator
from typing import Any

from rewrite.code import operations as o
from rewrite.code.puzzle_code import MultisetCode, SlotCode

_ENDS = (o.Return, o.ReturnOr, o.NoValue, o.Continue)
_WRITTEN = {"into", "body", "otherwise", "missing"}
_BOUND = {"place", "value", "number", "shares", "cost", "body"}
"""The fields of an operation, and of a loop, that are no values it reads."""
_OF_LISTS = (o.Push, o.ListAny, o.ListHas, o.Fold)
_NEXT = "the next state"


def units(code: MultisetCode | SlotCode) -> Iterator[o.Unit]:
    """Yield every unit of a puzzle's code, and of what is left of its rules."""
    own = [code.expand, code.goal, code.forbidden, *code.values]
    if isinstance(code, MultisetCode):
        own.append(code.simplify)
    yield from own
    for table in tables(own):
        yield table.residual.unit


def tables(given: object) -> Iterator[o.Table]:
    """Yield the tables that stand anywhere in operations."""
    if isinstance(given, o.Table):
        yield given
    elif isinstance(given, (tuple, list)):
        for part in given:
            yield from tables(part)


def check(unit: o.Unit) -> None:
    """Fail where a register, a list or the next state is read before it is written on every way."""
    for function in unit.functions:
        _region(function.body, {one.name for one in function.parameters})


def _region(ops: o.Body, known: set[str]) -> bool:
    """Check a region; `known` grows by what it writes. Return whether it ends there."""
    ended = False
    for op in ops:
        is_loop = isinstance(op, o.LOOPS)
        for field, part in zip(op._fields, op, strict=True):
            if field not in (_BOUND if is_loop else _WRITTEN):
                _read(part, op, known)
        if type(op) in _OF_LISTS:
            _read(op, op, known)
        after = [found for region, own in _inside(op) if not _region(region, found := known | own)]
        if isinstance(op, (o.If, o.Attempt)):
            ended = not after
            known |= set.intersection(*after) if after else set()
        else:
            ended = type(op) in _ENDS
            known |= set() if is_loop else _writes(op)
    return ended


def _inside(op: Any) -> Iterator[tuple[o.Body, set[str]]]:
    """Yield the regions of an operation, each with what is written when it begins."""
    for number, region in enumerate(o.regions(op)):
        yield region, set() if type(op) is o.Attempt and number else _writes(op)


def _writes(op: Any) -> set[str]:
    own = set(o.written(op))
    if type(op) is o.NewList:
        own.add(f"list {op.values}")
    if type(op) is o.Make or (type(op) is o.EachEntry and op.moves):
        own.add(_NEXT)
    return own


def _read(given: Any, op: Any, known: set[str]) -> None:
    kind, name = type(given), ""
    if kind in (o.Const, o.Table, o.Rows):
        return
    if kind is o.Reg:
        name = given.name
    elif kind in _OF_LISTS:
        name = f"list {given.values}"
    elif kind in (o.Next, o.IsForbidden):
        name = _NEXT
    assert not name or name in known, f"{name} may not be written yet in {op!r:.300}"
    if isinstance(given, tuple) and kind is not o.Reg:
        for part in given:
            _read(part, op, known)
