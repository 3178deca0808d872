"""Sums in `let=` see what is bound before them by the definition, whatever order a plan tries."""

from typing import Any

import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from rewrite import (
    ANY,
    Puzzle,
    Rule,
    RuleError,
    State,
    count,
    explore,
    ints,
    lowest,
    rule,
    total,
)
from rewrite.language import meaning
from tests.engines import ENGINES, quiet

A, B, C, K, N = ints("A B C K N")


@st.composite
def sums(draw: Any) -> Any:
    """A number from the state; variables that nothing binds before it mean "any"."""
    one, other = draw(st.sampled_from([A, B, C])), draw(st.sampled_from([A, B, C, K, K, N]))
    options = [
        count(("at", one)),
        count(("at", one), when=one > other),
        count(("at", one)) + other,
        lowest(one, ("at", one), when=one > N),
        total(one + K, ("at", one)),
        count(("way", ANY)),
    ]
    return draw(st.sampled_from(options))


@st.composite
def systems(draw: Any) -> tuple[Rule, State]:
    bound = draw(st.permutations([A, B, C]))[: draw(st.integers(2, 3))]
    let = {variable: draw(sums()) for variable in bound}
    keep = [(draw(st.sampled_from(["at", "way"])), K)]
    try:
        go = rule("go", take=[("n", N)], keep=keep, let=let, put=[("n", sum(bound))], when=N < 9)
    except RuleError:  # a variable that has no value
        assume(False)
    numbers = st.lists(st.integers(0, 3), min_size=1, max_size=3)
    places = [(name, one) for name in ("at", "way") for one in draw(numbers)]
    return go, State([("n", 0), *places])


@quiet
@pytest.mark.parametrize("engine", ENGINES)
@given(drawn=systems())
def test_a_step_is_what_the_definition_says(drawn: tuple[Rule, State], engine: str) -> None:
    go, start = drawn
    note(f"{go!r} {start}")
    puzzle = Puzzle(go)
    after = {one.after for one in meaning.ways(puzzle, go, start)}
    space = explore(puzzle, start, engine=engine, max_depth=1)
    assert {*space.states} == after | {start}
