"""The code of the gallery reads only what was written, and what does not is found."""

from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite.code import operations as o
from rewrite.code.types import INT, SEQ
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.slot_engine import SlotEngine
from tests.unit.code.well_formed import check, units

G, X, Y = o.Reg("g0", SEQ), o.Reg("x0", INT), o.Reg("y0")
ONE, YES = o.Const(1), o.Flag(True)


@pytest.mark.parametrize("name", PUZZLES)
def test_the_code_of_every_puzzle_of_the_gallery_reads_what_was_written(name: str) -> None:
    puzzle = PUZZLES[name]()
    assert puzzle.start is not None
    engine = build(Task(puzzle, puzzle.start, puzzle.goal))
    assert isinstance(engine, (SlotEngine, MultisetEngine))
    checked = list(units(engine.code))
    for unit in checked:
        check(unit)
    assert len(checked) >= 2


@pytest.mark.parametrize(
    ("body", "early"),
    [
        ((o.Return(X),), "x0"),
        ((o.If(YES, (o.Let(X, ONE),)), o.Return(X)), "x0"),
        ((o.Each(None, Y, G, (o.Let(X, ONE),)), o.Return(X)), "x0"),
        ((o.Attempt(X, ONE, (), ()), o.Return(X)), "x0"),
        ((o.Attempt(X, ONE, (o.Return(X),), ()),), "x0"),
        ((o.Each(None, Y, G, ()), o.Return(Y)), "y0"),
        ((o.Push("values", ONE),), "list values"),
        ((o.Return(o.Fold("sum", "values")),), "list values"),
        ((o.Emit(0, ONE, o.NEXT),), "the next state"),
        ((o.If(o.IsForbidden(), ()),), "the next state"),
    ],
)
def test_what_is_read_too_early_is_found(body: tuple[Any, ...], early: str) -> None:
    with pytest.raises(AssertionError, match=f"{early} may not be written yet"):
        check(o.Unit("wrong", (o.Function("wrong", (G,), True, body),)))


def test_what_both_ways_write_may_be_read_after_them() -> None:
    either = o.If(YES, (o.Let(X, ONE),), (o.Let(X, o.Const(2)),))
    ended = o.If(YES, (o.Let(Y, ONE),), (o.Return(ONE),))
    check(o.Unit("right", (o.Function("right", (G,), True, (either, ended, o.Return(X))),)))
