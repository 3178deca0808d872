"""Which variables a rule treats alike."""

from typing import Any

import pytest

from rewrite import Puzzle, contains, divides, explore, greatest, ints, lacks, rule, seqs, term
from rewrite.compile.rule_properties import interchangeable_takes
from tests.engines import every_engine

S, R = seqs("S R")
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
        ([M, N], [0], lacks(X, when=M >= 2), (None, None)),
        ([M, N], [0], ~contains(X, when=[M >= 2]), (None, None)),
        ([M, N], [0], lacks(X, when=X > 2), (None, 0)),
        ([M, N], [0], (M > 1) | (N > 1), (None, 0)),
        ([M, N], [0], (6 // M > 1) | (6 // N > 1), (None, None)),  # if M is 0 it does not hold
        ([M, N], [0], ~((6 // M > 1) & (6 // N > 1)), (None, None)),
    ],
)
def test_patterns_that_can_be_exchanged_are_found(
    take: list[Any], put: list[Any], when: Any, alike: tuple[int | None, ...]
) -> None:
    assert interchangeable_takes(rule("r", take=take, put=put, when=when)) == alike


@every_engine
@pytest.mark.parametrize(
    "when", [(S[0] > 3) | (R[0] > 3), ~((S[0] > 6) & (R[0] > 6))], ids=["or", "not and"]
)
def test_both_orders_are_tried_where_only_the_first_operand_must_have_a_value(
    when: Any, engine: str
) -> None:
    """By the definition `S[0] > 3` may be without a value only on the right of the other."""
    both = Puzzle(rule("r", take=[S, R], put=["met"], when=when), start=[(), (5,)])
    assert explore(both, engine=engine).levels == [1, 1]


def test_a_function_of_the_state_tells_no_variables_apart() -> None:
    small = Puzzle(rule("add", take=[M, N], put=[M + N], when=lambda state: len(state) < 4))
    assert interchangeable_takes(small.rules[0]) == (None, 0)
    assert len(explore(small, [1, 2, 3])) == 5
