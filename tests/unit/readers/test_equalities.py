"""Conditions as patterns that are looked up: the same steps as before."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite import Puzzle, contains, divides, fn, ints, moves, rule, terms
from rewrite.language.patterns import mentioned
from rewrite.readers.equalities import looked_up

M, N = ints("M N")
K: Any = ints("K")
P, Q = terms("P Q")


@fn
def is_small(value: Any) -> bool:
    return type(value) is int and value < 3


TAKE = [("a", M), ("b", N), ("c", P), ("d", Q), ("d", K)]
CONDITIONS = [
    M == N + 1, N == M - 1, P == M + N, P == Q, Q == M // N, K == M * N, M == K, is_small(P),
    M >= N, divides(N, M), P == ("x", M), K == "t", Q == "t",
]  # fmt: skip
NUMBERS, VALUES = st.integers(0, 3), st.integers(0, 3) | st.just("t")
START = st.tuples(*[
    st.lists(st.tuples(st.just(tag), values), min_size=1, max_size=2)
    for tag, values in (("a", NUMBERS), ("b", NUMBERS), ("c", VALUES), ("d", VALUES))
]).map(lambda lists: [one for some in lists for one in some])  # fmt: skip


def steps(take: list[Any], put: list[Any], when: list[Any], start: list[Any]) -> Any:
    return {step.after for step in moves(Puzzle(rule("x", take, put, when=when)), start)}


@given(
    st.permutations(TAKE).map(lambda order: order[:3]),
    st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=3, unique_by=repr),
    START,
)
def test_there_are_the_same_steps(take: list[Any], when: list[Any], start: list[Any]) -> None:
    bound = {one for _, one in take}
    known = [one for one in when if {*mentioned(one)} <= bound]
    put = [("sum", *sorted(bound, key=repr))]
    assert steps(take, put, known, start) == steps(*looked_up(take, put, known), start)


def test_what_is_computed_takes_its_place() -> None:
    take, put, when = looked_up([("a", M), ("b", N)], [("c", N)], [N == M + 1])
    assert repr((take, put, when)) == "([('a', M), ('b', M + 1)], [('c', M + 1)], [])"


@pytest.mark.parametrize(
    "when",
    [
        [P == Q + 1],  # of any kind: another condition may say that it is a number
        [is_small(N) == M],
        [M == N, contains(M)],
        [K == M],  # nothing that is taken binds K
    ],
)
def test_others_stay_conditions(when: list[Any]) -> None:
    take = [("a", M), ("b", N), ("c", P), ("d", Q)]
    assert repr(looked_up(take, [], when)) == repr((take, [], when))
