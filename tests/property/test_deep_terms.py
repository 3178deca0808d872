"""Deep terms mean what shallow ones mean: their order, and what both engines find."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite import Bag, Puzzle, Result, RuleError, State, contains, replay, rule, search, terms
from rewrite.compile.interning import decode, encode
from rewrite.language.order import (
    BAG,
    BOOL,
    CONSTRUCTOR,
    INT,
    SEQUENCE,
    STR,
    inside,
    levels_of,
    term_key,
)
from rewrite.language.terms import Term
from tests.engines import quiet
from tests.property.by_definition import levels
from tests.property.strategies import At, Box, Chain
from tests.property.strategies import terms as ground_terms

V = terms("V")
pytestmark = quiet


WRAPS: list[Any] = [
    Box,
    lambda one: (one,),
    lambda one: (0, one),
    lambda one: Bag([one, 1]),
    lambda one: At(one, "a"),
    lambda one: Chain((one, one if type(one) is int else 2)),
]


@st.composite
def deep_terms(draw: Any, most: int = 150) -> Any:
    """A term inside up to so many levels; runs of the same levels, so that many are alike."""
    made = draw(ground_terms())
    runs = st.tuples(st.sampled_from(WRAPS), st.sampled_from([1, 19, 20, 41, most]))
    for wrap, number in draw(st.lists(runs, max_size=4)):
        for _ in range(number):
            made = wrap(made) if levels_of(made) + 2 <= most else made
    return made


def defined_key(value: Any) -> tuple[Any, ...]:
    """The canonical key by its definition: a tuple nested as the term is."""
    if isinstance(value, bool):
        return (BOOL, value)
    if isinstance(value, int):
        return (INT, value)
    if isinstance(value, str):
        return (STR, value)
    if isinstance(value, tuple):
        return (SEQUENCE, *map(defined_key, value))
    if isinstance(value, Bag):
        return (BAG, *map(defined_key, value.items))
    assert isinstance(value, Term)
    return (CONSTRUCTOR, *value.term_identity(), *map(defined_key, value.term_arguments()))


def defined_levels(value: Any) -> int:
    if not isinstance(value, (tuple, Bag, Term)):
        return 0
    return 1 + max([defined_levels(part) for part in inside(value)], default=0)


def order(left: Any, right: Any) -> tuple[bool, ...]:
    return (
        left < right, left <= right, left == right, left != right, left >= right, left > right
    )  # fmt: skip


@given(st.lists(deep_terms(), min_size=2, max_size=5))
def test_the_order_is_that_of_nested_tuples(given_terms: list[Any]) -> None:
    for left in given_terms:
        for right in given_terms:
            ours, naive = (term_key(left), term_key(right)), (defined_key(left), defined_key(right))
            assert order(*ours) == order(*naive)
            if ours[0] == ours[1]:
                assert hash(ours[0]) == hash(ours[1])
        assert levels_of(left) == levels_of(decode(encode(left))) == defined_levels(left)
    by_naive = sorted(given_terms, key=defined_key)
    assert list(map(defined_key, Bag(given_terms).items)) == list(map(defined_key, by_naive))


@st.composite
def growing(draw: Any) -> Puzzle:
    """A puzzle that puts levels around a deep term and takes them off."""
    start = [("held", draw(deep_terms(most=499))) for _ in range(draw(st.integers(1, 2)))]
    wraps = draw(st.lists(st.sampled_from(WRAPS), min_size=1, max_size=3))
    made = []
    for number, wrap in enumerate(wraps):
        inner = V if number == 0 else wraps[number - 1](V)
        around = draw(st.booleans())
        take, put = (inner, wrap(inner)) if around else (wrap(inner), inner)
        if draw(st.booleans()):  # the term alone, or in a slot
            made.append(rule(f"step {number}", take=[("held", take)], put=[("held", put)]))
        else:
            made.append(rule(f"step {number}", take=[("held", take)], put=[At(0, put)]))
            made.append(rule(f"back {number}", take=[At(0, V)], put=[("held", V)]))
    return Puzzle(*made, start=start)


@given(growing())
def test_both_engines_find_what_the_definition_says(puzzle: Puzzle) -> None:
    """Also where that is an error, because a term would have more than 500 levels."""
    try:
        defined, refused = levels(puzzle, 3), None
    except RuleError as error:
        defined, refused = [], error
    for engine in ("python", "auto"):

        def ask(engine: str = engine) -> Result:
            return search(
                puzzle, goal=contains(V), solutions=None, min_depth=0, max_depth=3, engine=engine
            )

        if refused is not None:
            with pytest.raises(RuleError, match="levels deep; at most 500 are possible"):
                ask()
            continue
        found = ask()
        assert {path.end for path in found.paths} == {one for level in defined for one in level}
        assert found.levels == [len(level) for level in defined]
        last = found.paths[-1]
        assert replay(puzzle, None, last) == last
        assert State(last.end.items) == last.end
