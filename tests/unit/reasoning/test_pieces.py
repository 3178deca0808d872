"""What counts as interchangeable pieces, and what is known to move them."""

from collections.abc import Sequence
from typing import Any

from rewrite import Puzzle, Rule, contains, ints, one_of, rule
from rewrite.engine.build import build
from rewrite.engine.slot_engine import SlotEngine
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.pieces import Pieces, pieces
from tests.engines import task_of
from tests.property.piece_puzzles import Box, Cell, Crate, Man, push, walk

C, D = ints("C D")
ROW = list(range(5))
SHIFT = rule("shift", let={D: one_of(-1, 1)}, keep=[Cell(C + D)], absent=[Box(C + D)],
             take=[Box(C)], put=[Box(C + D)])  # fmt: skip
BOTH = rule("both", take=[Box(C), Box(C + 1)], keep=[Cell(C + 2), Cell(C + 3)],
            absent=[Box(C + 2), Box(C + 3)], put=[Box(C + 2), Box(C + 3)])  # fmt: skip
LOSE = rule("lose", take=[Box(3)], put=[])


def engine_of(rules: Sequence[Rule], *start: Any, cells: Sequence[int] = ROW) -> SlotEngine:
    puzzle = Puzzle(
        rules, start=list(start), facts=[Cell(cell) for cell in cells], goal=contains(Box(4)),
        name="board",
    )  # fmt: skip
    engine = build(task_of(puzzle, puzzle.goal))
    assert isinstance(engine, SlotEngine)
    return engine


def found(engine: SlotEngine) -> list[Pieces]:
    start = numbers(engine.fields, engine.encode(engine.task.start))
    return pieces(engine.transitions, engine.fields, start, range(len(engine.fields)))


def told(engine: SlotEngine) -> list[tuple[str, int, int, list[str]]]:
    """Name, count, places, and the names of what moves them."""

    def names(one: Pieces) -> list[str]:
        values = [engine.fields[field].values[-1] for field in one.movers]
        return [value[0].cls.__name__ for value in values]

    return [(one.name, one.count, len(one.places), names(one)) for one in found(engine)]


def test_who_pushes_them_moves_them() -> None:
    rules = [push(Man, Box, 1, [Box]), walk(Man, 1, [Box])]
    assert told(engine_of(rules, Man(0), Box(1), Box(3))) == [("Box", 2, 5, ["Man"])]


def test_where_a_rule_moves_two_or_loses_one_there_are_none() -> None:
    assert told(engine_of([SHIFT, BOTH], Box(0), Box(1))) == []
    assert told(engine_of([SHIFT, LOSE], Box(0), Box(1))) == []


def test_of_two_kinds_that_one_rule_moves_together_only_the_first_are_pieces() -> None:
    crates = rule("crates", take=[Crate(C)], keep=[Cell(C + 1)], absent=[Crate(C + 1)],
                  put=[Crate(C + 1)])  # fmt: skip
    swap = rule("swap", take=[Crate(C), Box(C + 1)], put=[Crate(C + 1), Box(C)],
                absent=[Crate(C + 1), Box(C)])  # fmt: skip
    start = [Box(0), Box(1), Crate(0), Crate(2)]
    assert [name for name, *_ in told(engine_of([SHIFT, crates], *start))] == ["Box", "Crate"]
    assert [name for name, *_ in told(engine_of([SHIFT, crates, swap], *start))] == ["Box"]
