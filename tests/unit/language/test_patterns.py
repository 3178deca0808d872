"""What holds of a pattern before any search: which variables it binds and which it needs."""

from typing import Any

from rewrite import ANY, Bag, bags, contains, count, ints, one_of, seqs, term
from rewrite.language.order import source
from rewrite.language.patterns import (
    binders,
    computed,
    contains_wildcard,
    mentioned,
    repeats_matches,
    variables,
)
from rewrite.language.terms import freeze


@term
class At:
    place: Any
    thing: Any


X, Y, Z = ints("X Y Z")
S = seqs("S")
B = bags("B")


def names(found: Any) -> list[str]:
    return [source(one) for one in found]


def test_a_pattern_binds_the_variables_that_stand_in_it_and_not_those_it_computes_with() -> None:
    assert names(binders(freeze((*S, At(X, Y + 1), [Z, *B])))) == ["S", "X", "B", "Z"]
    assert names(binders(X + Y)) == []
    assert names(binders(freeze((ANY, 3, "a")))) == []


def test_the_computed_parts_of_a_pattern_are_its_expressions() -> None:
    assert names(computed(freeze((X, At(Y + 1, [Z * 2]), *(S + S))))) == ["Y + 1", "Z * 2", "S + S"]
    assert names(computed(freeze((X, ANY, *S)))) == []


def test_an_expression_needs_all_its_variables_but_not_those_local_to_an_aggregate() -> None:
    assert names(variables(At(X, Y + X))) == ["X", "Y"]
    assert names(variables(Bag([X, count(At(Y, Z)) + X]))) == ["X"]
    assert names(mentioned(count(At(Y, Z), when=Y > X))) == ["Y", "Z", "X"]
    assert names(mentioned(contains(At(Y, X), absent=Z))) == ["Y", "X", "Z"]
    assert names(variables(one_of(X, (Y, 1)))) == ["X", "Y"]


def test_any_is_found_wherever_it_stands() -> None:
    assert contains_wildcard(freeze((1, [At(2, ANY)])))
    assert contains_wildcard(one_of(X, ANY))
    assert contains_wildcard(ANY + 1)
    assert contains_wildcard(freeze((*ANY, 1)))
    assert not contains_wildcard(freeze((X, 1)))


def test_any_matches_a_term_in_several_ways_in_a_bag_and_beside_a_splice_only() -> None:
    assert repeats_matches(freeze((*ANY, X, *S)))
    assert repeats_matches(At(X, Bag([ANY, Y])))
    assert not repeats_matches(freeze((ANY, "*", At("*", ANY))))
    assert not repeats_matches(freeze((*S, X, Bag([Y, *B]))))
