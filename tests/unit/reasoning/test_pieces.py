"""What counts as interchangeable pieces, and what is known to move them."""

from collections.abc import Sequence
from typing import Any

from rewrite import Puzzle, Rule, contains, ints, one_of, rule
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.engine.slot_engine import SlotEngine
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.pieces import A_PIECE, Pieces, followed, pieces
from tests.property.piece_puzzles import WIDTH, Box, Cell, Crate, Gate, Man, push, walk

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
    assert puzzle.start is not None
    engine = build(Task(puzzle, puzzle.start, puzzle.goal))
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


def test_what_every_rule_moves_by_one_at_most_are_pieces() -> None:
    assert told(engine_of([SHIFT], Box(0), Box(1))) == [("Box", 2, 5, [])]


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


def test_movers_that_hold_too_much_together_are_left_out_the_most_used_stay() -> None:
    drop = rule("drop", take=[Box(C)], keep=[Gate(True), Cell(C - 1)], absent=[Box(C - 1)],
                put=[Box(C - 1)])  # fmt: skip
    unlock = rule("unlock", take=[Gate(False)], keep=[Man(0)], put=[Gate(True)])
    rules = [push(Man, Box, 1, [Box]), walk(Man, 1, [Box]), drop, unlock]
    engine = engine_of(rules, Man(0), Box(1), Box(3), Gate(False))
    [one] = found(engine)
    assert len(one.movers) == 2
    sizes = [len(engine.fields[field].values) for field in one.movers]
    assert sizes[0] == len(ROW)
    assert one.within(5 * sizes[1], engine.fields) == one
    assert one.within(5, engine.fields).movers == one.movers[:1]
    assert one.within(sizes[1], engine.fields).movers == one.movers[1:]
    assert one.within(1, engine.fields).movers == ()


def test_a_projection_follows_so_many_pieces_and_what_moves_them() -> None:
    rules = [push(Man, Box, 7, [Box]), walk(Man, 1, [Box])]
    engine = engine_of(rules, Man(0), Box(1), Box(3))
    [one] = found(engine)
    alone = followed(one, engine.fields, 1, range(5))
    assert (alone.sizes, alone.counted) == ((5, 5), 1)
    assert alone.variables == (A_PIECE, *one.movers)
    pushes = [step for step in alone.steps if step.cost == 7]
    men = [value[1] for value in engine.fields[one.movers[0]].values]
    boxes = [engine.fields[field].values[number][1] for field, number in one.places]
    before = [(boxes[box], men[man]) for (_, box), (_, man) in [step.sets for step in pushes]]
    assert sorted(before) == [
        (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 4)
    ]  # fmt: skip
    two = followed(one, engine.fields, 2, [0, 2, 3])
    assert (two.sizes, two.counted) == ((3, 3, 5), 0)
    assert len(ROW) < WIDTH  # no way leads around
