"""Code laid flat for the core: what registers, jumps, bits and constants become."""

from typing import Any

import pytest

from rewrite.compile.code import operations as o
from rewrite.compile.code.flat import Laid, Machine, Unlowered, laid_out
from rewrite.compile.code.types import SEQ

NAMES = (
    "Jump", "Move", "Equal", "Truthy", "FirstOfRun", "Return", "RangeInit", "RangeNext",
    "ItemsNext", "Slice", "Spread", "Len", "Insert", "Emit", "EmitWith", "Bits", "Index",
    "Call", "BitCount", "RunsNext", "Count",
)  # fmt: skip
MACHINE = Machine({name: number for number, name in enumerate(NAMES)}, {"text": 0})
G, X, Y, P = o.Reg("g0", SEQ), o.Reg("x0"), o.Reg("y0"), o.Reg("p0")
ZERO, ONE = o.Const(0), o.Const(1)


def laid(*body: Any) -> Laid:
    unit = o.Unit("expand", (o.Function("expand", (G,), True, body),))
    return laid_out(MACHINE, False, {"a": unit})


def listed(given: Laid) -> list[tuple[str, list[int]]]:
    words, at, found = given.code, 0, []
    while at < len(words):
        number, length = words[at] & 255, words[at] >> 8
        found.append((NAMES[number], words[at + 1 : at + 1 + length]))
        at += 1 + length
    return found


def test_a_sequence_that_each_turn_makes_is_not_laid_out_before() -> None:
    made, cut = o.Let(X, o.Index(G, P)), o.Let(Y, o.Slice(X, ZERO, P))
    turns = o.EachNumber(P, ZERO, ONE, (made, o.If(o.Equal(P, ONE), (cut,))))
    for before in ((), (o.Let(X, G),)):
        code = dict(listed(laid(*before, turns)))
        assert "Spread" not in code
        assert code["Slice"][1] == code["Index"][0]


def test_a_function_that_a_core_does_not_have_is_refused_by_name() -> None:
    with pytest.raises(Unlowered, match="it has no function hash"):
        laid(o.Return(o.Builtin("hash", (ONE,))))
