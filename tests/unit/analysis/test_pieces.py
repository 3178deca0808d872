"""What counts as interchangeable pieces, what moves them, and which are frozen."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from rewrite import Puzzle, Rule, contains, ints, one_of, rule
from rewrite.analysis.fields import numbers
from rewrite.analysis.pieces import Frozen, Pieces, frozen_pieces, pieces
from rewrite.engine.slot_engine import SlotEngine
from tests.engines import over_slots, task_of
from tests.property.piece_puzzles import WIDTH, Box, Cell, Crate, Man, push, walk

C, D = ints("C D")
FLOOR = [row * WIDTH + column for row in range(4) for column in range(4)]
SQUARE = [7, 8, 7 + WIDTH, 8 + WIDTH]
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
    return over_slots(task_of(puzzle, puzzle.goal))


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


# -- pieces that block each other for ever ------------------------------------------------------


def made(*boxes: int) -> tuple[SlotEngine, Pieces, list[int], Frozen]:
    rules = [push(Man, Box, 1, [Box]), walk(Man, 1, [Box])]
    engine = engine_of(rules, Man(0), *map(Box, boxes), cells=FLOOR)
    [one] = found(engine)
    cells = [engine.fields[field].values[number][1] for field, number in one.places]
    start = numbers(engine.fields, engine.encode(engine.task.start))
    every = {place: place for place in range(len(cells))}
    return engine, one, cells, frozen_pieces(one, engine.fields, start, every)


def among(known: Frozen, occupied: int, held: Sequence[int]) -> int:
    """The places of frozen pieces, by what is told of them."""
    if any(empty[held[field]] & occupied for field, empty in known.apart):
        return 0
    left = occupied
    while movable := [
        place
        for place, moves in enumerate(known.moves)
        if left >> place & 1 and any(not need & left for need in moves)
    ]:
        left -= 1 << movable[0]
    return left


def frozen_among(boxes: Sequence[int]) -> set[int]:
    engine, _, cells, known = made(*boxes)
    held = numbers(engine.fields, engine.encode(engine.task.start))
    left = among(known, sum(1 << cells.index(box) for box in boxes), held)
    return {cell for at, cell in enumerate(cells) if left >> at & 1}


def test_four_in_a_square_are_frozen_and_three_are_not() -> None:
    assert frozen_among(SQUARE) == {*SQUARE}
    assert frozen_among(SQUARE[:3]) == set()
    assert frozen_among([*SQUARE, 20]) == {*SQUARE}
    assert frozen_among([7, 21]) == {21}  # in a corner


def test_a_frozen_piece_is_never_moved_in_any_state_that_is_reached() -> None:
    tried = 0
    for boxes in list(combinations([1, 2, 7, 8, 9, 13, 14], 4))[::5]:
        engine, one, _, known = made(*boxes)
        for code, steps in few(engine).items():
            held = numbers(engine.fields, code)
            left = among(known, places(one, held), held)
            tried += left.bit_count()
            for _, after in steps:
                assert not left & ~places(one, numbers(engine.fields, after))
    assert tried > 100


def few(engine: SlotEngine, most: int = 300) -> dict[int, list[tuple[int, int]]]:
    """The first states of a space with their steps."""
    states: dict[int, list[tuple[int, int]]] = {}
    waiting = [engine.encode(engine.task.start)]
    for code in waiting:
        if code not in states and len(states) < most:
            states[code] = engine.weighted(code)
            waiting += [after for _, after in states[code]]
    return states


def places(one: Pieces, held: tuple[int, ...]) -> int:
    return sum(1 << at for at, (field, number) in enumerate(one.places) if held[field] == number)


def test_nobody_stands_where_a_piece_is() -> None:
    engine, one, cells, known = made(7, 8)
    [(field, empty)] = known.apart
    assert field in one.movers
    men = [value[1] for value in engine.fields[field].values]
    for number, places_kept in enumerate(empty):
        kept = {cell for at, cell in enumerate(cells) if places_kept >> at & 1}
        assert men[number] not in cells or men[number] in kept


def test_in_a_state_that_does_not_keep_the_invariant_nothing_is_said() -> None:
    engine, one, cells, known = made(*SQUARE)
    held = list(numbers(engine.fields, engine.encode(engine.task.start)))
    [man] = one.movers
    occupied = sum(1 << cells.index(box) for box in SQUARE)
    assert among(known, occupied, held)
    held[man] = [value[1] for value in engine.fields[man].values].index(7)
    assert among(known, occupied, held) == 0
