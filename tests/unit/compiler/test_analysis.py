"""Which variables a rule treats alike, and which constructors have a key: table by table."""

from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import divides, greatest, ints, rule, term
from rewrite.compiler.analysis import alike_takes
from rewrite.compiler.slots.keys import Unsuitable, find

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
