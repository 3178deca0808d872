"""The canonical order: by type, then by value, arguments left to right."""

import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest

from rewrite import State, term
from rewrite.language.order import term_key
from rewrite.language.terms import freeze


@term
class Ape:
    at: int
    on: int


@term
class Bee:
    at: Any


IN_ORDER: list[Any] = [
    False, True,
    -(10**30), -1, 0, 1, 2, 10, 10**30,
    "", "A", "B", "a", "ab", "b",
    (), (True,), (0,), (0, 5), (1,), ("a",), ((),), ([],),
    [], [True], [1], [1, 1], [1, 2], [2], [[]],
    Ape(1, 2), Ape(1, 3), Ape(2, 0), Bee(True), Bee(1), Bee("a"), Bee((1,)), Bee([1]), Bee(Bee(0)),
]  # fmt: skip


def test_terms_are_ordered_by_type_then_by_value_then_left_to_right() -> None:
    keys = [term_key(freeze(value)) for value in IN_ORDER]
    assert all(a < b for a, b in pairwise(keys))


def test_a_state_iterates_in_canonical_order_whatever_order_it_was_given_in() -> None:
    frozen = [freeze(value) for value in IN_ORDER]
    keys = [term_key(value) for value in State(IN_ORDER[::-1])]
    assert keys == [term_key(value) for value in frozen]


@pytest.mark.parametrize("seed", ["0", "1", "77"])
def test_the_order_does_not_depend_on_the_seed_of_hashes(seed: str) -> None:
    program = "from rewrite import State; print(State(['b', 'a', (2, 'x'), (2, 'c'), True, 1, 0]))"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(path for path in sys.path if path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert run.stdout == "[True, 0, 1, 'a', 'b', (2, 'c'), (2, 'x')]\n"
