"""Code laid flat for the core: what registers, jumps, bits and constants become."""

from typing import Any

import pytest

from rewrite.code import operations as o
from rewrite.code.flat import Laid, Machine, Shape, Unlaid, laid_out
from rewrite.code.types import SEQ

NAMES = (
    "Jump", "Move", "Equal", "Truthy", "FirstOfRun", "Return", "RangeInit", "RangeNext",
    "ItemsNext", "Slice", "Spread", "Len", "Insert", "Emit", "EmitWith", "Bits", "Index",
    "Arithmetic", "Call", "BitCount", "ChoicesNext", "Count",
)  # fmt: skip
MACHINE = Machine({name: number for number, name in enumerate(NAMES)}, {"text": 0})
GROUPS = Shape(1)
G, X, Y, P = o.Reg("g0", SEQ), o.Reg("x0"), o.Reg("y0"), o.Reg("p0")
ZERO, ONE = o.Const(0), o.Const(1)


def laid(shape: Shape, *body: Any, more: tuple[o.Function, ...] = ()) -> Laid:
    parameters = (G,) if shape.groups else ()
    unit = o.Unit("expand", (o.Function("expand", parameters, True, body), *more))
    return laid_out(MACHINE, shape, {"a": unit})


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (o.Return(o.Negative(ONE)), "it has no instruction Neg"),
        (o.Return(o.Builtin("hash", (ONE,))), "it has no function hash"),
    ],
)
def test_what_a_core_does_not_have_is_refused_by_name(body: Any, text: str) -> None:
    with pytest.raises(Unlaid, match=text):
        laid(GROUPS, body)
