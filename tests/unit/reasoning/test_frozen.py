"""Pieces that block each other for ever, and what the proof rests on."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from rewrite.engine.slot_engine import SlotEngine
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.pieces import Frozen, Pieces, frozen_pieces
from tests.property.piece_puzzles import WIDTH, Box, Man, push, walk
from tests.unit.reasoning.test_pieces import engine_of, found

FLOOR = [row * WIDTH + column for row in range(4) for column in range(4)]


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


def frozen_among(boxes: Iterable[int]) -> set[int]:
    boxes = list(boxes)
    engine, _, cells, known = made(*boxes)
    held = numbers(engine.fields, engine.encode(engine.task.start))
    left = among(known, sum(1 << cells.index(box) for box in boxes), held)
    return {cell for at, cell in enumerate(cells) if left >> at & 1}


def test_four_in_a_square_are_frozen_and_three_are_not() -> None:
    square = [7, 8, 7 + WIDTH, 8 + WIDTH]
    assert frozen_among(square) == {*square}
    assert frozen_among(square[:3]) == set()
    assert frozen_among([*square, 20]) == {*square}
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
    square = [7, 8, 7 + WIDTH, 8 + WIDTH]
    engine, one, cells, known = made(*square)
    held = list(numbers(engine.fields, engine.encode(engine.task.start)))
    [man] = one.movers
    occupied = sum(1 << cells.index(box) for box in square)
    assert among(known, occupied, held)
    held[man] = [value[1] for value in engine.fields[man].values].index(7)
    assert among(known, occupied, held) == 0
