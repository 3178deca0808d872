"""Rules that exchange values between terms of several constructors, and slots of several kinds."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rewrite import Puzzle, explore, ints, rule, term
from tests.engines import ENGINES
from tests.property.by_definition import first_states


@term
class Place:
    key: int
    value: int


@term
class Hand:
    value: int


@term
class Pair:
    left: int
    right: int


VARIABLES = ints("A B C D")
HOLDERS = [(Place, (0,)), (Place, (1,)), (Place, (2,)), (Hand, ()), (Pair, ())]
"""What holds values after its key: two values in a pair, one elsewhere."""


def holding(holder: tuple[Any, tuple[int, ...]], values: list[Any]) -> Any:
    """The term of a holder with the next of these values, which are used up."""
    made, key = holder
    return made(*key, *[values.pop() for _ in range(2 if made is Pair else 1)])


@st.composite
def exchanging_puzzles(draw: st.DrawFn) -> Puzzle:
    """Puzzles whose rules put the values of two holders back in another order, or copy one."""
    rules = []
    for number in range(draw(st.integers(1, 2))):
        few = draw(st.lists(st.sampled_from(HOLDERS), min_size=2, max_size=2, unique=True))
        size = sum(2 if made is Pair else 1 for made, _ in few)
        before = [draw(st.sampled_from([one, one, VARIABLES[0]])) for one in VARIABLES[:size]]
        after = [*draw(st.permutations(before))]
        take, put = ([holding(one, values) for one in few] for values in (before, after))
        rules.append(rule(f"rule {number}", take=take, put=put))
    start = [
        holding(one, [draw(st.integers(0, 3)) for _ in range(2)])
        for one in HOLDERS if one[0] is not Pair or draw(st.booleans())
    ]  # fmt: skip
    return Puzzle(*rules, start=start, name="exchanging")


@given(exchanging_puzzles())
def test_both_engines_reach_the_states_of_the_definition(puzzle: Puzzle) -> None:
    ways = first_states(puzzle, 800)
    for engine in ENGINES:
        assert {*explore(puzzle, engine=engine, max_states=800).states} == ways.keys()
