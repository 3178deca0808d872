"""Makers of variables, the built-in functions, and `@fn`."""

import copy
import pickle
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rewrite import (
    ANY,
    Bag,
    ExpressionError,
    RewriteWarning,
    State,
    TermError,
    bags,
    between,
    bools,
    digits,
    divides,
    fn,
    greatest,
    if_,
    ints,
    is_in,
    least,
    length,
    letters,
    lower,
    number,
    one_of,
    position,
    reverse,
    seqs,
    strs,
    term,
    terms,
    text,
    total,
    upper,
)
from rewrite.compile.interning import decode, encode
from rewrite.language.expressions import kind_of
from rewrite.language.functions import Function
from rewrite.language.matching import fits
from rewrite.language.order import source, term_key
from tests.terms import Box


@term
class Ring:
    size: int


X: Any
X, Y = ints("X Y")
S = seqs("S")
B = bags("B")
L = strs("L")
P = terms("P")

ANYTHING: Any = "a"


def as_any(value: Any) -> Any:
    return value


@pytest.mark.parametrize(
    ("maker", "kind"),
    [
        (ints, "int"),
        (strs, "str"),
        (bools, "bool"),
        (seqs, "seq"),
        (bags, "bag"),
        (terms, "term"),
    ],
)
def test_one_name_gives_the_variable_and_several_give_a_tuple(
    maker: Callable[[str], Any], kind: str
) -> None:
    assert source(maker("who")) == "who"
    assert kind_of(maker("who")) == kind
    assert repr(maker("M N")) == "(M, N)"
    assert repr(maker("M, N")) == "(M, N)"
    assert type(maker("M N")) is tuple


def test_a_range_of_names_gives_that_many_variables() -> None:
    d = ints("d0:18")
    assert len(d) == 18
    assert (repr(d[0]), repr(d[17])) == ("d0", "d17")
    assert len(ints("d3:4")) == 1
    assert repr(ints("a d1:3 b")) == "(a, d1, d2, b)"


def test_terms_with_a_constructor_are_of_that_constructor() -> None:
    assert kind_of(terms("Q", Box)) == "constructor"
    text = (
        "terms('Q', …): what follows the names are classes made by @term, one by one, as in "
        "terms('V', Box, Ring), and int, str, bool, tuple, list; found <class 'float'>"
    )
    with pytest.raises(ExpressionError, match=re.escape(text)):
        terms("Q", float)


def test_a_variable_may_be_of_constructors_and_kinds() -> None:
    some = terms("V", Box, int, Bag)
    assert some is terms("V", list, int, Box) is pickle.loads(pickle.dumps(some))
    matched = [Box(1), 7, Bag([1])]
    assert [fits(some, one) for one in (*matched, Ring(1), True, "a", (1,))] == [True] * 3 + [
        False
    ] * 4
    assert terms("V", int) is ints("V")
    assert kind_of(some) == "term"  # an operand of any kind


def test_a_union_is_the_same_variable_however_its_constructors_are_listed() -> None:
    either = terms("V", Box, Ring)
    assert either is terms("V", Ring, Box, Ring)
    assert either is pickle.loads(pickle.dumps(either)) is copy.deepcopy(either)
    assert repr(either) == "V"
    assert terms("V", Box) is not either
    assert either.constructors == (Box, Ring)
    assert terms("V W", Box, Ring) == (either, terms("W", Box, Ring))
    with pytest.raises(ExpressionError, match=re.escape("one by one, as in terms('V', Box, Ring)")):
        terms("V", as_any((Box, Ring)))


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("", "'' names no variable; write e.g. 'M N' or 'd0:18'"),
        ("M-N", "'M-N' cannot be a variable: use letters, digits and _"),
        ("in", "'in' cannot be a variable"),
        ("d:3", "'d:3' cannot be a variable"),
        (3, "variables are made from a text, e.g. 'M N'; found 3"),
    ],
)
def test_names_that_are_none_are_refused(names: Any, text: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(text)):
        ints(names)


@pytest.mark.parametrize(
    ("expression", "text", "kind"),
    [
        (divides(X, Y), "divides(X, Y)", "bool"),
        (between(0, X, 5), "between(0, X, 5)", "bool"),
        (is_in(X, (3, 1)), "is_in(X, (1, 3))", "bool"),
        (is_in(X, {3, 1}), "is_in(X, (1, 3))", "bool"),
        (is_in(X, range(2)), "is_in(X, (0, 1))", "bool"),
        (is_in(X, S), "is_in(X, S)", "bool"),
        (if_(X > Y, X, Y), "if_(X > Y, X, Y)", "int"),
        (if_(X > Y, "a", 1), "if_(X > Y, 'a', 1)", "term"),
        (least(X, Y, 3), "least(X, Y, 3)", "int"),
        (greatest(X, "a"), "greatest(X, 'a')", "term"),
        (digits(X), "digits(X)", "seq"),
        (number(S), "number(S)", "int"),
        (number((*S, 0)), "number((*S, 0))", "int"),
        (length(S), "length(S)", "int"),
        (length(B), "length(B)", "int"),
        (length(L), "length(L)", "int"),
        (total(S), "total(S)", "int"),
        (upper(L), "upper(L)", "str"),
        (lower(L), "lower(L)", "str"),
        (text(X), "text(X)", "str"),
        (text(("n", text(X))), "text(('n', text(X)))", "str"),
        (text(P), "text(P)", "str"),
        (letters(L), "letters(L)", "seq"),
        (reverse(S), "reverse(S)", "seq"),
        (reverse(L), "reverse(L)", "str"),
        (reverse(P), "reverse(P)", "term"),
        (S[::-1], "reverse(S)", "seq"),
        (L[::-1], "reverse(L)", "str"),
        (is_in("a", L), "is_in('a', L)", "bool"),
        (is_in(L, "ab"), "is_in(L, 'ab')", "bool"),
        (position(X, S), "position(X, S)", "int"),
        (position("a", L), "position('a', L)", "int"),
        (position(X, (1, Y)), "position(X, (1, Y))", "int"),
    ],
)
def test_every_built_in_function_shows_its_source_and_knows_its_kind(
    expression: Any, text: str, kind: str
) -> None:
    assert source(expression) == text
    assert kind_of(expression) == kind


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: divides(ANYTHING, X), "X % 'a': % needs whole numbers, but 'a' is of kind str"),
        (lambda: digits(as_any(S)), "digits(S): digits needs a whole number, but S is of kind seq"),
        (
            lambda: is_in(X, as_any(3)),
            "is_in(X, 3): the second argument is a collection; write (3,)",
        ),
        (
            lambda: is_in(X, "ab"),
            "is_in(X, 'ab'): a part of a text is a text, but X is of kind int. Write ('ab',) for a "
            "collection of one value",
        ),
        (lambda: is_in(3, L), "is_in(3, L): a part of a text is a text, but 3 is of kind int"),
        (
            lambda: text(as_any(B)),
            "text(B): text needs a whole number, a text or a sequence of texts, but B is of kind",
        ),
        (
            lambda: text(as_any((L, X))),
            "text((L, X)): text joins texts, but X is of kind int. Write text(X) for a number in",
        ),
        (lambda: letters(as_any(X)), "letters(X): letters needs a text, but X is of kind int"),
        (lambda: reverse(as_any(X)), "reverse(X): reverse needs a sequence or a text, but X is of"),
        (
            lambda: position(X, as_any(B)),
            "position(B): position needs a sequence or a text to look in, but B is of kind bag",
        ),
        (lambda: position(X, "ab"), "position(X, 'ab'): a part of a text is a text, but X is of"),
        (lambda: S[::2], "S[a:b:step]: a slice has no step here, but for S[::-1], which is"),
        (lambda: S[3::-1], "S[a:b:step]: a slice has no step here, but for S[::-1]"),
        (lambda: is_in(X, as_any(Y)), "is_in(X, Y): the second argument is a collection"),
        (lambda: length(X), "length(X): a number has no length"),
        (
            lambda: length(Box(X)),
            "length(Box(X)): length needs a sequence, a nested bag or a text, but Box(X) is of",
        ),
        (
            lambda: number(as_any(B)),
            "number(B): number needs a sequence of digits, but B is of kind bag",
        ),
        (lambda: total(X), "total(X) needs patterns: total(value, pattern, …, when=…)"),
        (lambda: one_of(), "one_of() has nothing to choose from; give at least one value"),
        (lambda: number(*S), "*S is a bare splice in number(...): a splice stands inside a"),
        (lambda: least(*S), "*S is a bare splice in least(...)"),
        (lambda: digits(*S), "*S is a bare splice in digits(...)"),
        (lambda: is_in(X, [1.5]), "1.5 cannot be a term: a float is not exact"),
    ],
)
def test_wrong_arguments_of_a_built_in_function_are_refused(
    wrong: Callable[[], Any], text: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(text)):
        wrong()


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (one_of(2, 1), "one_of(2, 1)"),
        (one_of([2, 1]), "one_of(2, 1)"),
        (one_of((2, 1)), "one_of(2, 1)"),
        (one_of({2, 1}), "one_of(1, 2)"),
        (one_of(range(2)), "one_of(0, 1)"),
        (one_of(Bag([2, 1])), "one_of(1, 2)"),
        (one_of(S), "one_of(S)"),
        (one_of(X, *S), "one_of((X, *S)[0:])"),
        (one_of((*S, 3)), "one_of((*S, 3)[0:])"),
        (one_of(X, Y + 1), "one_of(X, Y + 1)"),
        (one_of(7), "one_of(7)"),
        (one_of(("u", -1), ("d", 1)), "one_of(('u', -1), ('d', 1))"),
    ],
)
def test_one_of_takes_values_or_one_collection(made: Any, text: str) -> None:
    assert repr(made) == text


def across_plain(bank: str) -> str:
    return {"left": "right", "right": "left"}[bank]


across = fn(across_plain)


def test_a_function_is_called_at_once_when_every_argument_is_a_plain_value() -> None:
    assert across("left") == "right"
    assert across(bank="left") == "right"
    assert across.__name__ == "across_plain"
    with pytest.raises(KeyError):
        across("centre")


def test_a_function_of_a_variable_is_an_expression() -> None:
    assert source(across(L)) == "across_plain(L)"
    assert source(across(bank=L)) == "across_plain(L)"
    assert kind_of(across(L)) == "term"
    assert repr(across) == "across_plain"


def test_a_function_given_a_variable_inside_a_term_is_called_during_the_search() -> None:
    where = fn(lambda box: box)
    assert where(Box(1)) == Box(1)
    assert "Box(X)" in source(where(Box(X)))
    assert "[X]" in source(where([X]))


def test_a_function_refuses_a_bare_splice_and_a_float() -> None:
    text = "*S is a bare splice in across_plain(...): a splice stands inside a sequence; write S"
    with pytest.raises(ExpressionError, match=re.escape(text)):
        across(*S)
    with pytest.raises(TermError, match=re.escape("1.5 cannot be a term")):
        across(1.5)  # type: ignore[arg-type]


def declared(returns: Any) -> Callable[..., Any]:
    def rooms(n: int) -> Any:
        return n

    rooms.__annotations__["return"] = returns
    return rooms


@pytest.mark.parametrize("returns", [list, list[int], "list", "list[int]", "typing.List[int]"])
def test_a_function_declared_to_return_a_list_is_warned_of(returns: Any) -> None:
    text = r"@fn rooms is declared to return \S+: as a term a list is a nested bag, which has no "
    text += (
        r"order and is never equal to a sequence. Return a tuple, or for a nested bag a Bag, and"
    )
    with pytest.warns(RewriteWarning, match=text):
        assert fn(declared(returns))(3) == 3


@pytest.mark.parametrize(
    ("returns", "why"),
    [
        (float, "return float, which is no term: a float is not exact"),
        ("float", "return float, which is no term: a float is not exact"),
        (None, "return None, which is no term: None is not a term"),
        ("None", "return None, which is no term: None is not a term"),
        (dict[str, int], r"return dict\[str, int\], which is no term: a dict has no order"),
        ("set[int]", r"return set\[int\], which is no term: a set loses duplicates"),
    ],
)
def test_a_function_declared_to_return_no_term_is_refused(returns: Any, why: str) -> None:
    with pytest.raises(ExpressionError, match=f"^@fn rooms is declared to {why}"):
        fn(declared(returns))


@pytest.mark.parametrize(
    "returns",
    [int, "int", Bag, "Bag", tuple[list[int], ...], "int | list", list | tuple, Any, "no such"],
)
def test_other_declarations_of_a_function_pass_in_silence(returns: Any) -> None:
    assert fn(declared(returns))(3) == 3


def test_results_of_a_function_are_remembered_per_arguments_and_true_is_not_one() -> None:
    calls: list[Any] = []

    def seen(value: Any) -> Any:
        calls.append(value)
        return [value]

    function: Any = fn(seen)
    for value in (1, True, 1, True, State([1]), 1):
        function.value((value,))
    assert [repr(value) for value in calls] == ["1", "True", "State([1])"]
    assert function.value((1,)) == Bag([1])


def test_any_is_shown_by_its_name() -> None:
    assert source(ANY) == "ANY"


def test_keys_of_variables_are_what_folders_of_searches_know_them_by() -> None:
    plain, boxed = ints("M"), terms("V", Box)
    assert term_key(plain)[1:] == ("variable", "M", "int", ())
    assert term_key(boxed)[1:4] == ("variable", "V", "constructor")
    assert len(term_key(boxed)) == len(term_key(plain)) == 5
    assert term_key(terms("V", Box, int)) != term_key(terms("V", Box, str))


def test_results_are_remembered_by_terms_as_the_language_tells_them_apart() -> None:
    function = Function(lambda one: repr(one))
    terms = [1, True, "", (1,), (True,), ((1,),), ("", (1,)), (), ((),)]
    assert [function.value((one,)) for one in terms * 2] == [*map(repr, terms * 2)]
    assert function.memory is not None
    assert len(function.memory) == len(terms)


def test_a_board_in_one_tuple_is_not_walked_value_by_value() -> None:
    called = 0

    def profile(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal called
        called += event == "call"

    function = Function(lambda board: board[::-1])
    board = ((0, "x", 1, "y"),) * 100
    sys.setprofile(profile)
    found = decode(encode(function.value((board,))))
    sys.setprofile(None)
    assert found == board
    assert called < 40  # functions in Python; a hundred rows take some 800 one by one
