"""Ground rules as the core takes them: words kept and flipped, fields moved."""

from typing import Any

from rewrite import Puzzle, State, contains, ints, rule, term
from rewrite.code.puzzle_code import SlotCode
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.native.ground import ground_rules


@term
class Lamp:
    at: int
    on: int


@term
class Tile:
    at: int
    number: int


P, Q, M, N = ints("P Q M N")


def rules_of(puzzle: Puzzle) -> list[Any]:
    engine = build(Task(puzzle, puzzle.start or State([]), puzzle.goal))
    assert engine.coded is not None
    code = engine.coded.code
    assert isinstance(code, SlotCode)
    found: list[Any] = ground_rules(code, [])["rules"]
    return found


def test_a_change_of_known_values_tests_and_flips_bits() -> None:
    switch = rule("on", take=[Lamp(P, 0)], put=[Lamp(P, 1)])
    lamps = Puzzle(switch, start=[Lamp(at, 0) for at in range(70)], goal=contains(Lamp(3, 1)))
    rules = rules_of(lamps)
    assert len(rules) == 70
    places = set()
    for matched, fired, tests, misses, guard, cost, (changes, moves) in rules:
        ((word, mask, wanted),) = tests
        ((changed, keep, flip),) = changes
        assert (matched, fired, misses, guard, cost, moves) == (1, 3, [], [], 1, [])
        assert mask.bit_count() == 1
        assert changed == word
        assert (wanted & keep ^ flip) & mask == mask ^ wanted
        assert flip | mask == mask
        places.add((word, mask))
    assert len(places) == 70


def test_a_value_that_is_only_copied_is_a_field_that_moves() -> None:
    swap = rule("swap", take=[Tile(0, M), Tile(1, N)], put=[Tile(0, N), Tile(1, M)])
    tiles = Puzzle(swap, start=[Tile(0, 5), Tile(1, 6)], goal=contains(Tile(0, 6)))
    ((_, _, tests, _, _, _, (changes, moves)),) = rules_of(tiles)
    assert tests == []
    ((word, keep, flip),) = changes
    assert (word, flip) == (0, 0)
    assert sorted(moves) == [(0, 0, 1, 1), (0, 0, 2, -1)]
    assert keep == (1 << 64) - 1 & ~3
