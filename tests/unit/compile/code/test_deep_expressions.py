"""Expressions nested deeper than Python's parser goes are written in functions apart."""

from typing import Any

import pytest

from rewrite import Puzzle, contains, count, ints, rule, search, term
from rewrite.engine.build import build
from tests.engines import every_engine, task_of

N, M = ints("N M")


@term
class Box:
    n: int


@every_engine
@pytest.mark.parametrize("boxes", [True, False])
def test_what_looks_at_the_state_deep_in_an_expression_sees_it(engine: str, boxes: bool) -> None:
    """In slots, and in a multiset."""
    one: Any = Box if boxes else lambda value: value
    deep: Any = count(one(M))
    for _ in range(70):
        deep = deep + 1
    puzzle = Puzzle(
        rule("up", take=[one(N)], put=[one(N + 1)], when=[N < 3, *([] if boxes else [deep == 70])]),
        start=[one(1)], goal=contains(one(3)) & (deep == 71),
    )  # fmt: skip
    encoding = build(task_of(puzzle, puzzle.goal)).encoding
    assert encoding.startswith("1 slots" if boxes else "a multiset")
    found = search(puzzle, engine=engine)
    assert (found.status, len(found.paths[0])) == ("found", 2)
