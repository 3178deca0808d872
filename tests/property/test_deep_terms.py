"""Deep terms mean what shallow ones mean: their order, and what both engines find."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite import Puzzle, State, contains, rule, search, terms
from rewrite.language import meaning
from rewrite.language.bag import Bag
from rewrite.language.order import BAG, BOOL, CONSTRUCTOR, INT, SEQUENCE, STR, term_key
from rewrite.language.terms import Term
from rewrite.outcome.replay import replay
from tests.property.strategies import At, Box, Chain
from tests.property.strategies import terms as ground_terms

V = terms("V")
pytestmark = pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")


WRAPS: list[Any] = [
    Box,
    lambda one: (one,),
    lambda one: (0, one),
    lambda one: Bag([one, 1]),
    lambda one: At(one, "a"),
    lambda one: Chain((one, one if type(one) is int else 2)),
]


@st.composite
def deep_terms(draw: Any) -> Any:
    """A term inside up to 150 levels; runs of the same levels, so that many are alike."""
    made = draw(ground_terms())
    for wrap, number in draw(
        st.lists(st.tuples(st.sampled_from(WRAPS), st.sampled_from([1, 19, 20, 41])), max_size=4)
    ):
        for _ in range(number):
            made = wrap(made)
    return made


def nested_key(value: Any) -> tuple[Any, ...]:
    """The canonical key by its definition: a tuple nested as the term is."""
    if isinstance(value, bool):
        return (BOOL, value)
    if isinstance(value, int):
        return (INT, value)
    if isinstance(value, str):
        return (STR, value)
    if isinstance(value, tuple):
        return (SEQUENCE, tuple(map(nested_key, value)))
    if isinstance(value, Bag):
        return (BAG, tuple(map(nested_key, value.items)))
    assert isinstance(value, Term)
    arguments = tuple(map(nested_key, value.term_arguments()))
    return (CONSTRUCTOR, *value.term_identity(), arguments)


def order(left: Any, right: Any) -> tuple[bool, ...]:
    return (
        left < right, left <= right, left == right, left != right, left >= right, left > right
    )  # fmt: skip


@given(st.lists(deep_terms(), min_size=2, max_size=5))
def test_the_order_is_that_of_nested_tuples(given_terms: list[Any]) -> None:
    for left in given_terms:
        for right in given_terms:
            ours, naive = (term_key(left), term_key(right)), (nested_key(left), nested_key(right))
            assert order(*ours) == order(*naive)
            if ours[0] == ours[1]:
                assert hash(ours[0]) == hash(ours[1])
    by_naive = sorted(given_terms, key=nested_key)
    assert list(map(nested_key, Bag(given_terms).items)) == list(map(nested_key, by_naive))


@st.composite
def growing(draw: Any) -> Puzzle:
    """A puzzle that puts levels around a deep term and takes them off."""
    start = [("held", draw(deep_terms())) for _ in range(draw(st.integers(1, 2)))]
    wraps = draw(st.lists(st.sampled_from(WRAPS), min_size=1, max_size=3))
    made = []
    for number, wrap in enumerate(wraps):
        inner = V if number == 0 else wraps[number - 1](V)
        around = draw(st.booleans())
        take, put = (inner, wrap(inner)) if around else (wrap(inner), inner)
        made.append(rule(f"step {number}", take=[("held", take)], put=[("held", put)]))
    return Puzzle(*made, start=start)


@given(growing())
def test_both_engines_find_what_the_definition_says(puzzle: Puzzle) -> None:
    assert puzzle.start is not None
    levels = [{puzzle.start}]
    seen = {puzzle.start}
    for _ in range(3):
        reached = {way.after for state in levels[-1] for way in meaning.successors(puzzle, state)}
        levels.append(reached - seen)
        seen |= reached
    levels = [level for level in levels if level]
    for engine in ("python", "auto"):
        found = search(
            puzzle, goal=contains(V), solutions=None, min_depth=0, max_depth=3, engine=engine
        )
        assert {path.end for path in found.paths} == seen
        assert found.levels == [len(level) for level in levels]
        last = found.paths[-1]
        assert replay(puzzle, None, last) == last
        assert State(last.end.items) == last.end
