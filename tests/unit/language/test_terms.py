"""Terms: what may stand in a state, `@term`, and how Python values are frozen into terms."""

import enum
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from rewrite import ANY, Bag, ExpressionError, TermError, ints, seqs, term, terms
from rewrite.language.expressions import Call
from rewrite.language.order import term_key
from rewrite.language.terms import freeze, is_ground


@term
class Box:
    at: int


@term
class Lamp:
    on: Any


@term
class At:
    """Where a thing is."""

    place: int
    thing: str = "nothing"

    def moved(self) -> "At":
        return At(self.place + 1, self.thing)


@term
class Chain:
    cells: tuple[Any, ...]


@term
class Empty:
    pass


class Color(str, enum.Enum):  # noqa: UP042 (the old way to write it is what is tested)
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 7


class Pair(NamedTuple):
    x: int
    y: int


X, Y = ints("X Y")
S, T = seqs("S T")
ANY_AT: Any = At


@pytest.mark.parametrize("value", [0, -3, 10**40, "", "a", True, (), (1, ("a", False)), Box(3)])
def test_plain_terms_are_frozen_to_themselves(value: Any) -> None:
    assert freeze(value) is value or freeze(value) == value
    assert type(freeze(value)) is type(value)
    assert is_ground(freeze(value))


def test_a_list_inside_a_term_is_an_unordered_nested_bag() -> None:
    assert freeze(("a", [2, 1, 2])) == ("a", Bag([1, 2, 2]))
    assert freeze([[1], []]) == Bag([Bag(), Bag([1])])
    assert Chain(([1, 2],)) == Chain(([2, 1],))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0 cannot be a term: a float is not exact; use whole numbers"),
        (None, "None cannot be a term: None is not a term; leave the term out"),
        ({1}, "{1} cannot be a term: a set loses duplicates; use a list"),
        (frozenset({1}), "cannot be a term: a frozenset loses duplicates; use a list"),
        ({"a": 1}, "{'a': 1} cannot be a term: a dict has no order of its own"),
        (2j, "2j cannot be a term: a complex number has no order"),
        (b"a", "b'a' cannot be a term: bytes are not a term; use a str"),
        (Decimal(1), "Decimal('1') cannot be a term: terms are int, str, bool, tuples"),
        (Box, "Box is a constructor, not a term: write Box(at)"),
        ((1, [2, {"b": 1.5}]), "cannot be a term: a dict"),
        ((1, [2, 1.5]), "1.5 cannot be a term: a float is not exact"),
    ],
)
def test_what_is_no_term_is_refused_with_a_reason(value: Any, text: str) -> None:
    with pytest.raises(TermError, match=re.escape(text)) as raised:
        freeze(value)
    assert isinstance(raised.value, TypeError)
    with pytest.raises(TermError, match=re.escape(text)):
        Box(value)


def test_subclasses_of_plain_types_lose_their_class_but_not_their_value() -> None:
    for value, plain in [(Color.RED, "red"), (Level.HIGH, 7), (Pair(1, 2), (1, 2))]:
        assert freeze(value) == plain
        assert type(freeze(value)) is type(plain)


def test_true_and_one_are_never_equal_inside_terms() -> None:
    assert Lamp(True) != Lamp(1)
    assert Chain((True,)) != Chain((1,))
    assert freeze([True]) != freeze([1])
    assert len({Lamp(True), Lamp(1), Lamp(0), Lamp(False)}) == 4
    assert term_key((True,)) != term_key((1,))


def test_a_constructor_takes_its_fields_by_position_and_by_keyword() -> None:
    assert At(3, "box") == At(place=3, thing="box") == At(3, thing="box")
    assert At(3) == At(3, "nothing")
    assert repr(At(3, "box")) == "At(3, 'box')"
    assert (At(3, "box").place, At(3, "box").thing) == (3, "box")


def test_methods_and_docstrings_of_a_constructor_stay() -> None:
    assert At(3, "box").moved() == At(4, "box")
    assert At.__doc__ == "Where a thing is."


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: Box(), "Box(at) takes 1 value; found Box(), which gives 0"),  # type: ignore[call-arg]
        (lambda: At(1, "a", 2), "At(place, thing) takes 2 values; found At(1, 'a', 2)"),  # type: ignore[call-arg]
        (lambda: Box(att=1), "Box(at) has no field att (did you mean at?); found Box(att=1)"),  # type: ignore[call-arg]
        (lambda: At(1, ting=2), "has no field ting (did you mean thing?); found At(1, ting=2)"),  # type: ignore[call-arg]
        (lambda: At(place=1, plac=2), "has no field plac; found At(place=1, plac=2)"),  # type: ignore[call-arg]
        (lambda: Empty(at=1), "Empty() has no field at; found Empty(at=1)"),  # type: ignore[call-arg]
        (lambda: Box(1, at=2), "Box(at) takes 1 value; found Box(1, at=2), which gives at twice"),  # type: ignore[misc]
        (lambda: Empty(1), "Empty() takes 0 values; found Empty(1), which gives 1"),  # type: ignore[call-arg]
    ],
)
def test_a_wrong_number_of_values_is_refused_with_the_fields(
    wrong: Callable[[], Any], text: str
) -> None:
    with pytest.raises(TermError, match=re.escape(text)):
        wrong()


def test_a_term_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Box(3).at = 4  # type: ignore[misc]
    assert not hasattr(Box(3), "__dict__")


def test_a_field_may_hold_a_variable_or_an_expression_and_the_term_is_then_a_pattern() -> None:
    assert repr(At(X + 1, ANY)) == "At(X + 1, ANY)"
    assert not is_ground(At(X + 1, "a"))
    assert not is_ground(freeze((1, [Box(X)])))


def test_patterns_that_are_compared_are_an_expression() -> None:
    """Two terms are equal or not; whether what patterns stand for is, the search will know."""
    three: Any = 3
    box: Any = Box(3)
    compared = ((At(X, "a") == At(Y, "a"), "=="), (At(X, "a") != three, "!="), (box == X, "=="))
    for made, op in compared:
        assert isinstance(made, Call)
        assert (made.op, made.kind) == (op, "bool")
    assert repr(Box(X) == Box(3)) == "Box(X) == Box(3)"
    assert repr(freeze([X]) != freeze([1, 2])) == "[X] != [1, 2]"
    with pytest.raises(ExpressionError, match="only known during the search"):
        bool(Box(X) == Box(3))


def test_patterns_are_still_keys_and_members() -> None:
    known = {At(X, "a"): 1, At(Y, "a"): 2, freeze([X]): 3}
    assert (known[At(X, "a")], known[At(Y, "a")], known[freeze([X])]) == (1, 2, 3)
    assert len({Box(X), Box(X), Box(Y), Box(3)}) == 3
    assert Box(Y) not in known


def test_terms_have_an_order_and_patterns_have_none() -> None:
    number: Any = 3
    assert Box(1) < Box(2) <= Box(2)
    assert Box(3) > Box(2) >= Box(2)
    assert number < Box(1)
    with pytest.raises(ExpressionError, match="compare their values: M <= N"):
        Box(X) <= Box(2)


def test_a_term_with_one_tuple_field_is_spliced_into() -> None:
    assert Chain(*S, X) == Chain((*S, X))  # type: ignore[call-arg]
    assert repr(Chain(*S, X)) == "Chain((*S, X))"  # type: ignore[call-arg]
    assert Chain() == Chain(())  # type: ignore[call-arg]
    assert Chain(1, 2) == Chain((1, 2))  # type: ignore[call-arg,arg-type]
    assert Chain(3) == Chain((3,))  # type: ignore[arg-type]
    assert Chain(S).cells is S
    assert Chain(cells=(1,)) == Chain(1)  # type: ignore[arg-type]


def test_a_splice_is_refused_where_a_term_has_other_fields() -> None:
    text = "At(…): *S is a bare splice outside a tuple"
    with pytest.raises(TermError, match=re.escape(text)):
        ANY_AT(*S, "box")
    with pytest.raises(TermError, match=re.escape("Box(…): *S is a bare splice")):
        Box(*S)


def test_a_constructor_defined_again_makes_equal_terms() -> None:
    def cell() -> Any:  # what running a notebook cell twice does
        @term
        class Peg:
            at: int

        return Peg

    old, new = cell(), cell()
    assert old is not new
    assert old(1) == new(1)
    assert hash(old(1)) == hash(new(1))
    assert len({old(1), new(1)}) == 1
    assert terms("Q", old) is terms("Q", new)


def test_constructors_with_other_fields_or_of_another_place_are_different() -> None:
    def one() -> Any:
        @term
        class Peg:
            at: int

        return Peg

    def two() -> Any:
        @term
        class Peg:
            at: int

        return Peg

    def three() -> Any:
        @term
        class Peg:
            on: int

        return Peg

    assert one()(1) != two()(1)
    assert one().__qualname__.endswith("one.<locals>.Peg")
    assert one()(1) != three()(1)


def test_term_decorates_classes_only_and_constructors_do_not_inherit() -> None:
    with pytest.raises(TermError, match="@term decorates a class"):
        term(3)  # type: ignore[call-overload]
    with pytest.raises(TermError, match="Big inherits from a constructor; write its fields out"):

        @term
        class Big(Box):
            size: int
