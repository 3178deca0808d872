"""Rules inside terms: `subterms`, `replaced`, and `rule(…, inside=True)`."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite import (
    Bag,
    Puzzle,
    RuleError,
    bags,
    contains,
    ints,
    lacks,
    moves,
    replaced,
    rule,
    search,
    seqs,
    subterms,
    term,
    terms,
)
from rewrite.compile.interning import encode
from rewrite.engine.runtime import ON_VALUES, remembered
from rewrite.language.functions import Function
from rewrite.language.order import term_key


@term
class Or:
    left: Any
    right: Any


P, Q = terms("P Q")
M = ints("M")
PLAIN = st.integers(0, 2) | st.sampled_from(["a", "b"]) | st.booleans()
NESTED = st.recursive(
    PLAIN,
    lambda inner: (
        st.builds(Or, inner, inner)
        | st.lists(inner, max_size=3).map(tuple)
        | st.lists(inner, max_size=3).map(Bag)
    ),
    max_leaves=8,
)


def after(value: Any, found: Any, put: Any) -> set[Any]:
    """All values with one term that is equal to `found` replaced: by recursion, of all parts."""
    made = {put} if type(value) is type(found) and value == found else set()
    if isinstance(value, Or):
        made |= {Or(one, value.right) for one in after(value.left, found, put)}
        made |= {Or(value.left, one) for one in after(value.right, found, put)}
    if isinstance(value, (tuple, Bag)):
        items = [*value]
        for at, item in enumerate(items):
            for one in after(item, found, put):
                made.add(type(value)([*items[:at], one, *items[at + 1 :]]))
    return made


@given(NESTED, PLAIN)
def test_a_rule_inside_terms_applies_wherever_its_term_stands(value: Any, found: Any) -> None:
    puzzle = Puzzle(rule("x", take=[found], put=["new"], inside=True))
    assert {step.after.items for step in moves(puzzle, [value])} == {
        (one,) for one in after(value, found, "new")
    }


@given(NESTED)
def test_each_place_holds_its_term_and_another_one_once_it_is_replaced(value: Any) -> None:
    places = subterms(value)
    assert places[0] == ((), value)
    assert len({term_key(place) for place, _ in places}) == len(places)  # True is not 1
    for place, one in places:
        assert replaced(value, place, one) == value
        assert ("?",) in [part for _, part in subterms(replaced(value, place, ("?",)))]


def test_equal_members_of_a_bag_are_one_place() -> None:
    assert subterms(Bag([1, 1, True])) == (((), Bag([1, 1, True])), ((True,), True), ((1,), 1))
    assert replaced(Bag([1, 1, True]), (1,), 2) == Bag([1, 2, True])


def test_no_such_place_is_said() -> None:
    with pytest.raises(RuleError, match="has no place 2"):
        replaced((1, 2), (2,), 0)


def test_the_place_is_told_and_conditions_see_the_state() -> None:
    whole, place, rest = terms("whole_"), seqs("place_"), bags("rest")
    join = rule(
        f"join at {place} of {whole}", take=[[M, "plus", *rest]], put=[[M + 1, *rest]], inside=True,
        when=[M < 2, lacks("stop")],
    )  # fmt: skip
    start = [("x", [0, "plus", "plus"])]
    path = search(Puzzle(join), start, contains(("x", [2]))).paths[0]
    assert path.labels[0] == "join at (1,) of ('x', [0, 'plus', 'plus'])"
    assert not moves(Puzzle(join), [*start, "stop"])


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"take": [P, Q], "put": [P]}, "2 in take= and 1 in put="),
        ({"take": [P]}, "1 in take= and 0 in put="),
        ({"take": [P], "put": [P], "inside": 1}, "inside=1 must be True or False"),
    ],
)
def test_one_term_comes_in_the_place_of_one(wrong: dict[str, Any], text: str) -> None:
    with pytest.raises(RuleError, match=text):
        rule("x", **{"inside": True, **wrong})


def test_what_they_gave_is_not_remembered() -> None:
    puzzle = Puzzle(rule("x", take=[1], put=[2], inside=True))
    assert moves(puzzle, [(1, (1, 1))])
    for function in (subterms, replaced):
        assert isinstance(function, Function)
        assert function.memory is None


@given(NESTED, NESTED)
def test_engines_compute_them_on_values_as_on_terms(whole: Any, new: Any) -> None:
    places = remembered(subterms)
    changed = remembered(replaced)
    assert places(encode(whole)) == encode(subterms(whole))
    for place, _ in subterms(whole):
        made = changed(encode(whole), encode(place), encode(new))
        assert made == encode(replaced(whole, place, new))
    assert ON_VALUES.keys() == {subterms, replaced}


def test_a_place_that_makes_a_term_too_deep_is_an_error() -> None:
    deep: Any = "a"
    for _ in range(490):
        deep = (deep,)
    wider = rule("wrap", take=["a"], put=[((((("a",),),),),)], inside=True)
    for engine in ("python", "auto"):
        with pytest.raises(RuleError, match="500 levels"):
            search(Puzzle(wider), [deep], contains("b"), engine=engine)
