"""Which variables a rule treats alike, and which constructors have a key: table by table."""

from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import Puzzle, contains, divides, greatest, ints, lacks, rule, term
from rewrite.compiler.analysis import alike_takes
from rewrite.compiler.slots.keys import Unsuitable, find
from rewrite.language.states import State

M, N, K, X = ints("M N K X")


@term
class Pair:
    a: int
    b: int


@pytest.mark.parametrize(
    ("take", "put", "when", "alike"),
    [
        ([M, N], [M + N], [], (None, 0)),
        ([M, N], [M * N + 1], [M + N > 3], (None, 0)),
        ([M, N], [M - N], [], (None, None)),
        ([M, N], [abs(M - N)], [], (None, 0)),
        ([M, N], [M + N], [M >= N], (None, None)),
        ([M, N], [greatest(M, N)], [M != N], (None, 0)),
        ([M, N], [M // N], [divides(N, M)], (None, None)),
        ([M, N, K], [M + N + K], [], (None, 0, 1)),
        ([M, N, K], [M * N + K], [], (None, 0, None)),
        ([Pair(1, M), Pair(1, N)], [Pair(2, M + N)], [], (None, 0)),
        ([Pair(1, M), Pair(2, N)], [Pair(2, M + N)], [], (None, None)),
        ([M, N], [N, M], [], (None, 0)),
    ],
)
def test_patterns_that_can_be_exchanged_are_found(
    take: list[Any], put: list[Any], when: list[Any], alike: tuple[int | None, ...]
) -> None:
    assert alike_takes(rule("r", take=take, put=put, when=when)) == alike


@pytest.mark.parametrize(
    ("name", "constructor", "key"),
    [
        ("eight_puzzle", "Tile", (0,)),
        ("water_jugs", "Jug", (0,)),
        ("hanoi", "Peg", (0,)),
        ("two_grids", "At", (0,)),
        ("klotski", "At", (0,)),
    ],
)
def test_the_key_of_a_constructor_is_found(name: str, constructor: str, key: Any) -> None:
    puzzle = PUZZLES[name]()
    assert puzzle.start is not None
    families = find(puzzle, puzzle.start).families.values()
    assert [(f.constructor.__name__, f.key) for f in families] == [(constructor, key)]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("digitle", "has the pattern M, which has no key"),
        ("hyperjump", "which has no key"),
        ("missionaries", "the start holds On('cannibal', 'left') 3 times"),
    ],
)
def test_what_has_no_key_is_named_with_the_reason(name: str, why: str) -> None:
    puzzle = PUZZLES[name]()
    assert puzzle.start is not None
    with pytest.raises(Unsuitable) as raised:
        find(puzzle, puzzle.start)
    assert why in str(raised.value)


def test_a_key_that_two_terms_of_the_start_share_is_no_key() -> None:
    puzzle = Puzzle(rule("r", take=[Pair(M, N)], put=[Pair(M, N + 1)]), goal=contains(1))
    one = find(puzzle, State([Pair(1, 1), Pair(2, 1)])).families
    two = find(puzzle, State([Pair(1, 1), Pair(1, 2)])).families
    assert [family.key for family in one.values()] == [(0,)]
    assert two == {}


def test_variables_that_only_a_condition_inside_a_condition_tells_apart_are_not_alike() -> None:
    for told in (lacks(X, when=M >= 2), ~contains(X, when=[M >= 2])):
        assert alike_takes(rule("shrink", take=[M, N], put=[0], when=told)) == (None, None)
    assert alike_takes(rule("shrink", take=[M, N], put=[0], when=lacks(X, when=X > 2))) == (None, 0)
