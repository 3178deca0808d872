"""The verifier of code says what is wrong; what the writers write is well-formed."""

from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite.code import operations as o
from rewrite.code.check import IllFormed, check
from rewrite.code.types import INT, SEQ, STR
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.slot_engine import SlotEngine
from tests.unit.code.units import units

G, X, Y = o.Reg("g0", SEQ), o.Reg("x0", INT), o.Reg("y0")
ONE, YES = o.Const(1), o.Flag(True)


@pytest.mark.parametrize("name", PUZZLES)
def test_the_code_of_every_puzzle_of_the_gallery_is_well_formed(name: str) -> None:
    puzzle = PUZZLES[name]()
    assert puzzle.start is not None
    engine = build(Task(puzzle, puzzle.start, puzzle.goal))
    assert isinstance(engine, (SlotEngine, MultisetEngine))
    checked = list(units(engine.code))
    for unit in checked:
        check(unit)
    assert len(checked) >= 2


WRONG: list[tuple[tuple[Any, ...], str]] = [
    ((o.Return(X),), "x0 is read before it is written"),
    ((o.If(YES, (o.Let(X, ONE),)), o.Return(X)), "x0 is read before it is written"),
    ((o.Each(None, Y, G, (o.Let(X, ONE),)), o.Return(X)), "x0 is read before it is written"),
    ((o.Attempt(X, ONE, (), ()), o.Return(X)), "x0 is read before it is written"),
    ((o.Each(None, Y, G, ()), o.Return(Y)), "y0 is read before it is written"),
    ((o.Push("values", ONE),), "the list values is not there"),
    ((o.Return(o.Fold("sum", "values")),), "the list values is not there"),
    ((o.Emit(0, ONE, o.NEXT),), "the next state is read before it is made"),
    ((o.If(o.IsForbidden(), ()),), "the next state is read before it is made"),
    ((o.Return(o.Invoke("other", ())),), "there is no function other"),
    ((o.Return(o.Invoke("helper", (G, G))),), "helper is called with other values than it takes"),
    ((o.Return(o.Invoke("helper", (), True)),), "helper is called with other values"),
    ((o.Continue(),), "no loop"),
    ((o.Return(ONE), o.Let(X, ONE)), "an operation that is never reached"),
    ((o.Let(o.Reg("z0", STR), ONE),), "for a register of Type"),
    ((o.Let(X, o.Arithmetic("-", G, ONE)),), "- of"),
]


@pytest.mark.parametrize(("body", "text"), WRONG)
def test_what_is_not_well_formed_is_found(body: tuple[Any, ...], text: str) -> None:
    helper = o.Function("helper", (G,), False, (o.Return(G),))
    with pytest.raises(IllFormed, match=text):
        check(o.Unit("wrong", (o.Function("wrong", (G,), True, body), helper)))


def test_what_both_ways_write_may_be_read_after_them() -> None:
    either = o.If(YES, (o.Let(X, ONE),), (o.Let(X, o.Const(2)),))
    ended = o.If(YES, (o.Let(Y, ONE),), (o.Return(ONE),))
    check(o.Unit("right", (o.Function("right", (G,), True, (either, ended, o.Return(X))),)))
