"""Every way in which a pattern matches a term."""

from typing import Any

import pytest

from rewrite import ANY, Bag, bags, bools, ints, seqs, strs, terms
from rewrite.language import matching
from rewrite.language.matching import match
from rewrite.language.terms import freeze
from tests.property.strategies import At, Box

X: Any
Y: Any
X, Y = ints("X Y")
L = strs("L")
F = bools("F")
S, T = seqs("S T")
B, C = bags("B C")
P = terms("P")
Q = terms("Q", Box)
EITHER = terms("either", At, Box)


def ways(pattern: Any, value: Any) -> list[str]:
    """All matches as texts such as 'X=1 S=(2,)', equations as '3==X + 1'."""
    found = []
    for env, pending in match(freeze(pattern), freeze(value), {}):
        texts = [f"{variable!r}={given!r}" for variable, given in env.items()]
        found.append(" ".join([*texts, *(f"{given!r}=={asked!r}" for asked, given in pending)]))
    return sorted(found)


@pytest.mark.parametrize(
    ("variable", "fitting"),
    [
        (X, "int"), (L, "str"), (F, "bool"), (S, "seq"), (B, "bag"), (Q, "box"), (EITHER, "box at"),
        (P, "int str bool seq bag box at"), (ANY, "int str bool seq bag box at"),
    ],
)  # fmt: skip
def test_the_kind_of_a_variable_is_a_guard(variable: Any, fitting: str) -> None:
    values = {
        "int": 1, "str": "a", "bool": True, "seq": (1,), "bag": [1], "box": Box(1), "at": At(1, 2),
    }  # fmt: skip
    assert [name for name, value in values.items() if ways(variable, value)] == [
        name for name in values if name in fitting.split()
    ]


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        (1, 1, [""]), (1, True, []), (True, 1, []), ("1", 1, []), (Box(1), Box(True), []),
        (X, -(10**30), [f"X={-(10**30)}"]),
        ((X, Y), (1, 2), ["X=1 Y=2"]), ((X, Y), (1, 2, 3), []), ((X, X), (1, 1), ["X=1"]),
        ((X, X), (1, 2), []), ((P, P), (1, True), []), ((), (), [""]), ((), (1,), []),
        ((X, Y), [1, 2], []), ([X, Y], (1, 2), []),
        (At(X, P), At(1, ("a",)), ["X=1 P=('a',)"]), (At(X, P), Box(1), []),
        (At(X, X + 1), At(2, 3), ["X=2 3==X + 1"]), (X + 1, "a", ["'a'==X + 1"]),
        (ANY, 3, [""]), ((ANY, ANY), (1, 2), [""]),
        # splices in a sequence: in every possible way
        ((*S,), (), ["S=()"]),
        ((*S, X), (1, 2), ["S=(1,) X=2"]),
        ((*S, X), (), []),
        ((X, *S), (1,), ["X=1 S=()"]),
        ((*S, *T), (1, 2), ["S=() T=(1, 2)", "S=(1, 2) T=()", "S=(1,) T=(2,)"]),
        ((*S, 0, *T), (0, 1, 0), ["S=() T=(1, 0)", "S=(0, 1) T=()"]),
        ((*S, *S), (1, 1), ["S=(1,)"]),
        ((*S, *S), (1, 2), []),
        ((*S, X, *T), (1, "a", 2), ["S=() X=1 T=('a', 2)", "S=(1, 'a') X=2 T=()"]),
        ((*ANY, 0, *ANY), (1, 0, 2), [""]),
        (((*S,), *T), ((1,), 2), ["S=(1,) T=(2,)"]),
        ((*P, 1), (2, 1), ["P=(2,)"]),
        # a nested bag: in any order, and equal elements once
        ([], [], [""]),
        ([], [1], []),
        ([X], [1, 2], []),
        ([X, *B], [2, 1], ["X=1 B=[2]", "X=2 B=[1]"]),
        ([X, *B], [1, 1, 1], ["X=1 B=[1, 1]"]),
        ([X, Y], [1, 2], ["X=1 Y=2", "X=2 Y=1"]),
        ([X, Y, *B], [1, 1], ["X=1 Y=1 B=[]"]),
        ([X, X, *B], [1, 2, 2], ["X=2 B=[1]"]),
        (
            [X, Y, X, *B],
            [1, 1, 2, 2, 3],
            ["X=1 Y=2 B=[2, 3]", "X=1 Y=3 B=[2, 2]", "X=2 Y=1 B=[1, 3]", "X=2 Y=3 B=[1, 1]"],
        ),
        ([P, P], [1, True], []),
        ([ANY, ANY], [1, 2], ["", ""]),
        (
            [*B, *C],
            [1, 1, 2],
            [
                "B=[1, 1, 2] C=[]",
                "B=[1, 1] C=[2]",
                "B=[1, 2] C=[1]",
                "B=[1] C=[1, 2]",
                "B=[2] C=[1, 1]",
                "B=[] C=[1, 1, 2]",
            ],
        ),
        ([1, *ANY], [2, 1], [""]),
        ([[X, *B], *C], [[1], 2], ["X=1 B=[] C=[2]"]),
        ([(X, *S), *B], [(1, 2), 3], ["X=1 S=(2,) B=[3]"]),
    ],
)  # fmt: skip
def test_a_pattern_matches_in_every_way_in_which_it_looks_like_a_term(
    pattern: Any, value: Any, expected: list[str]
) -> None:
    assert ways(pattern, value) == expected


def test_a_variable_that_stands_twice_in_a_bag_is_not_tried_with_single_elements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = []

    def counted(*given: Any) -> Any:
        tried.append(given)
        return match(*given)

    monkeypatch.setattr(matching, "match", counted)
    assert list(match(freeze([X, X, *B]), freeze(list(range(100))), {})) == []
    assert tried == []
    assert len(list(match(freeze([X, X, *B]), freeze([*range(100), 7]), {}))) == 1
    assert len(tried) == 102  # X by 7, then by each of the 100 that are left, and B


def test_a_variable_that_has_a_value_keeps_it() -> None:
    assert [env for env, _ in match((X, Y), (1, 2), {X: 1})] == [{X: 1, Y: 2}]
    assert list(match((X, Y), (1, 2), {X: 2})) == []
    assert list(match(P, True, {P: 1})) == []
    assert [env for env, _ in match(P, Bag([1]), {P: Bag([1])})] == [{P: Bag([1])}]
