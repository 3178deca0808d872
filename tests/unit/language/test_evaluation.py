"""What an expression is worth."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from rewrite import (
    Bag,
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
    position,
    reverse,
    seqs,
    strs,
    terms,
    text,
    total,
    upper,
)
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.order import term_key
from rewrite.language.terms import freeze
from tests.property.strategies import At

X, Y = ints("X Y")
S, T = seqs("S T")
B = bags("B")
L = strs("L")
F = bools("F")
P = terms("P")
BIG = 10**40


def worth(expression: Any, **values: Any) -> Any:
    """The value where the named variables have these values (X=-7, Y=2 and so on by default)."""
    names = {"X": X, "Y": Y, "S": S, "T": T, "B": B, "L": L, "F": F, "P": P}
    given = {"X": -7, "Y": 2, "S": (4, 0, 7), "T": (), "B": Bag([3, 3]), "L": "aB", "F": False}
    given |= {"P": "box"} | values
    return evaluate(freeze(expression), {names[name]: freeze(given[name]) for name in given})


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (X + Y, -5), (X - Y, -9), (X * Y, -14), (-X, 7), (abs(X), 7), (Y**10, 1024), (Y**0, 1),
        (X // Y, -4), (X % Y, 1), (X // -2, 3), (X % -2, -1), (7 // -Y, -4), (7 % -Y, -1),
        (Y * BIG, 2 * BIG), (X - BIG * BIG, -7 - BIG * BIG),
        (X > Y, False), (X < Y, True), (X <= -7, True), (X >= -7, True), (X == -7, True),
        (X != -7, False), (F == 0, False), (P == "box", True), (P > 5, True), (F < X, True),
        ((X > 0) & (Y > 0), False), ((X > 0) | (Y > 0), True), (~(X > 0), True), (~F, True),
        (divides(2, X), False), (divides(7, X), True), (divides(0, X), False),
        (divides(X, 0), True),
        (between(-7, X, 2), True), (between(-6, X, 2), False), (between(0, P, 5), False),
        (is_in(X, (1, -7)), True), (is_in(F, (0,)), False), (is_in(4, S), True),
        (is_in(3, B), True), (is_in(X, ()), False),
        (if_(X > 0, X, Y), 2), (if_(X < 0, X, X // 0), -7),
        (least(X, Y), -7), (greatest(X, Y, 1), 2), (greatest(X, "a"), "a"), (least(1, F), False),
        (digits(407), (4, 0, 7)), (digits(Y - 2), (0,)), (digits(Y * BIG)[0], 2),
        (number(S), 407), (number((0, *S)), 407), (number(S + S), 407407),
        (length(S), 3), (length(B), 2), (length(L), 2), (total(S), 11), (total(B), 6),
        (total(T), 0),
        (S[0], 4), (S[-1], 7), (S[Y], 7), (S[1:], (0, 7)), (S[:2], (4, 0)), (S[1:2], (0,)),
        (S[5:], ()), (L[0], "a"), (S + T + (1,), (4, 0, 7, 1)), (L + "!", "aB!"),
        (upper(L), "AB"), (lower(L), "ab"),
        (text(X), "-7"), (text(0), "0"), (text(-(10**5000)), "-1" + "0" * 5000), (text(L), "aB"),
        (text((L, "é", text(Y))), "aBé2"), (text(T), ""), (text(letters(L)), "aB"),
        (letters("a日é"), ("a", "日", "é")), (letters(""), ()), (reverse(L), "Ba"),
        (reverse("日é"), "é日"), (reverse(S), (7, 0, 4)), (S[::-1], (7, 0, 4)), (L[::-1], "Ba"),
        (reverse(T), ()), (reverse(P), "xob"),
        (is_in("B", L), True), (is_in("", L), True), (is_in(L, "xaBx"), True),
        (is_in("b", L), False),
        (is_in("日本", "x日本y"), True), (is_in("o", P), True),
        (position(0, S), 1), (position(3, (1, 3, 3)), 1), (position("é", "日é日é"), 1),
        (position("", L), 0), (position(True, (1, True)), 1), (position("ox", P), 1),
        (position((X,), ((1,), (X, *T))), 1),
        ((*S, (X, *T)), (4, 0, 7, (-7,))), ([X, *B], Bag([-7, 3, 3])), ((*B,), (3, 3)),
        (At(X + 1, [Y]), At(-6, [2])), (3, 3),
    ],
)  # fmt: skip
def test_an_expression_has_the_value_that_python_would_give(expression: Any, value: Any) -> None:
    assert term_key(worth(expression)) == term_key(freeze(value))


@pytest.mark.parametrize(
    "expression",
    [
        X // 0, X % 0, X // (Y - 2), Y**-1, number(()), number(T), number((1, 12)),
        number((1, "a")), number((-1, 2)), S[3], S[-4], T[0], digits(X), S[X // 0],
        position(5, S), position(X, T), position("x", L), position(True, (1,)),
        if_(X < 0, X // 0, 1), (1, [X // 0]), At(1, number(T)), (X // 0 > 1) & F,
    ],
)  # fmt: skip
def test_arithmetic_without_a_value_says_so(expression: Any) -> None:
    with pytest.raises(NoValue):
        worth(expression)


def test_and_or_and_if_go_no_further_than_needed() -> None:
    assert worth((X > 0) & (X // 0 > 1)) is False
    assert worth((X < 0) | (X // 0 > 1)) is True
    assert worth(if_(X < 0, 1, X // 0)) == 1


@pytest.mark.parametrize(
    ("wrong", "call", "cause"),
    [
        (lambda: P + 1, "P + 1", "needs a whole number, found 'box'"),
        (lambda: P[0] + 1, "P[0] + 1", "needs a whole number, found 'b'"),
        (lambda: (P == "box") & P, "(P == 'box') & P", "needs True or False, found 'box'"),
        (lambda: if_(P, 1, 2), "if_(P, 1, 2)", "needs True or False, found 'box'"),
        (lambda: (1, *P), "*P", "needs a sequence or a nested bag, found 'box'"),
        (lambda: total((1, "a")), "total((1, 'a'))", "needs a whole number, found 'a'"),
        (lambda: number(if_(F, S, B)), "number(if_", "needs a sequence of digits, found [3, 3]"),
        (lambda: 10 ** (Y * BIG), "10 ** (Y * ", "has more than 10,000,000 bits"),
        (lambda: is_in(1, P), "is_in(1, P)", "needs a text, found 1"),
        (lambda: is_in(1, if_(F, S, F)), "is_in(1, if_", "needs a sequence or a nested bag"),
        (
            lambda: text(if_(F, S, F)),
            "text(if_(F, S, F))",
            "needs a whole number, a text or a sequence of texts, found False",
        ),
        (lambda: text(S), "text(S)", "needs a text, found 4"),
        (lambda: letters(if_(F, L, S)), "letters(if_", "needs a text, found (4, 0, 7)"),
        (lambda: reverse(if_(F, S, B)), "reverse(if_", "needs a sequence or a text, found [3, 3]"),
        (lambda: position(1, P), "position(1, P)", "needs a text, found 1"),
        (lambda: position(1, if_(F, S, B)), "position(1, if_", "needs a sequence or a text, found"),
    ],
)
def test_a_value_of_the_wrong_type_is_an_error_that_names_the_call(
    wrong: Callable[[], Any], call: str, cause: str
) -> None:
    with pytest.raises(Failed, match=re.escape(cause)) as raised:
        worth(wrong())
    assert raised.value.call.startswith(call)
    assert raised.value.__cause__ is raised.value.cause


def test_a_function_that_raises_is_an_error_with_its_values() -> None:
    def drop(bank: str, times: int) -> str:
        return {"left": "right"}[bank] * times

    with pytest.raises(Failed) as raised:
        worth(fn(drop)(L, X + 1))
    assert raised.value.call == "drop('aB', -6)"
    assert raised.value.bindings == {"L": "aB", "X": -7}
    assert isinstance(raised.value.cause, KeyError)


def test_a_function_that_returns_what_is_no_term_is_an_error() -> None:
    with pytest.raises(Failed, match=re.escape("0.5 cannot be a term: a float is not exact")):
        worth(fn(lambda x: 0.5)(X))
    with pytest.raises(Failed, match=re.escape("<lambda> returned None; it must return a term")):
        worth(fn(lambda x: None)(X))
    for made in (X, X + 1, At(X, 1), (1, [X])):
        with pytest.raises(
            Failed, match=r"has no value here.*must return a term without variables"
        ):
            worth(fn(lambda x, made=made: made)(Y))
