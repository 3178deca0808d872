"""Variables and operators, their source text, and what Python asks too early.

The texts are the table in section 8 of the language page.
"""

import operator
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite import ANY, ExpressionError, bags, bools, contains, ints, seqs, strs, terms
from rewrite.language.expressions import Variable, kind_of
from rewrite.language.order import source, term_key

M: Any
N: Any
X: Any
M, N, X = ints("M N X")
S: Any
T: Any
S, T = seqs("S T")
P = terms("P")
PAIR = (1, 2)
L = strs("L")
B = bags("B")
F = bools("F")

TOO_EARLY = "Python needs True or False now, but '{}' is only known during the search. {}"
ANY_WAY = (
    "Write a & b instead of a and b (or a list: when=[a, b]); between(0, X, 5) instead of "
    "0 <= X <= 5; is_in(X, values) instead of X in values. If this happened inside a function of "
    "your own, decorate it with @fn"
)
"""What is said where nothing is known of the code that asked."""


def choose() -> int:
    if M:
        return 1
    return 2


def half(n: Any) -> Any:
    if n % 2:
        return 0
    return n // 2


def inside(n: Any, *, size: Any = 5) -> Any:
    return 0 <= n < size


def largest(n: Any) -> Any:
    return [number for number in (1, 2) if n > number]


ROOMS = ["hall", "attic"]


@pytest.mark.parametrize(
    ("early", "asked", "instead"),
    [
        (lambda: M > 1 and N > 1, "M > 1",
         "Instead of M > 1 and N > 1 write (M > 1) & (N > 1)."),
        (lambda: M > 1 or N, "M > 1", "Instead of M > 1 or N write (M > 1) | N."),
        (lambda: not M, "M", "Instead of not M write ~M."),
        (lambda: 0 < M <= 5, "M > 0", "Instead of 0 < M <= 5 write (0 < M) & (M <= 5)."),
        (lambda: M in (1, 2), "M == 1", "Instead of M in (1, 2) write is_in(M, (1, 2))."),
        (lambda: M not in [1], "M == 1", "Instead of M not in [1] write ~is_in(M, [1])."),
        (lambda: (M, N) == (1, 2), "M == 1",
         "Instead of (M, N) == (1, 2) write (M == 1) & (N == 2)."),
        (lambda: (M, N) != (N, 1), "M == N",
         "Instead of (M, N) != (N, 1) write (M != N) | (N != 1)."),
        (lambda: min(M, N), "N < M", "Instead of min(M, N) write least(M, N)."),
        (lambda: max(M, N, 7), "N > M", "Instead of max(M, N, 7) write greatest(M, N, 7)."),
        (lambda: ROOMS.index(L), "L == 'hall'",
         "Instead of ROOMS.index(L) write position(L, tuple(ROOMS))."),
        (lambda: half(M), "M % 2", "If half(…) is to run during the search, decorate it with @fn"),
        (lambda: inside(M), "M >= 0", "Instead of 0 <= n < size write (0 <= n) & (n < size). Or, "
         "if inside(…) is to run during the search, decorate it with @fn and call it as now."),
        (lambda: largest(M), "M > 1", "If largest(…) is to run during the search, decorate it"),
        (choose, "M", ANY_WAY),
        (lambda: 1 if M >= N else 2, "M >= N", ANY_WAY),
        (lambda: bool(M + N), "M + N", ANY_WAY),
        (lambda: sorted([M, N]), "N < M", ANY_WAY),
        (lambda: all([M > 1]), "M > 1", ANY_WAY),
        (lambda: eval("M and N"), "M", ANY_WAY),  # no source can be read
    ],
)  # fmt: skip
def test_python_asking_for_the_truth_of_an_expression_is_told_what_to_write(
    early: Callable[[], Any], asked: str, instead: str
) -> None:
    text = re.escape(TOO_EARLY.format(asked, instead))
    with pytest.raises(ExpressionError, match=text) as raised:
        early()
    assert isinstance(raised.value, TypeError)


def test_what_is_written_over_several_lines_is_told_in_one() -> None:
    with pytest.raises(ExpressionError, match=r"Instead of min\(M, N \+ 1\) write least\(M, N "):
        min(
            M,
            N + 1,  # é日
        )


@pytest.mark.parametrize(
    "hint",
    [
        "a | b instead of a or b",
        "~a instead of not a",
        "least(a, b) instead of min(a, b)",
        "if_(c, a, b) instead of a if c else b",
    ],
)
def test_the_truth_of_an_expression_comes_with_further_hints(hint: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(hint)):
        bool(M)


def test_the_truth_of_a_condition_is_told_in_the_same_words() -> None:
    text = (
        "Python needs True or False now, but 'contains(M)' is only known for a state. Write a & b "
        "instead of a and b (or a list), a | b instead of a or b, ~a instead of not a"
    )
    with pytest.raises(ExpressionError, match=re.escape(text)):
        contains(M) and contains(N)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: X & N > 3, "& binds tighter than >: write (a > 1) & (b > 1), or a list"),
        (lambda: X > 1 & N, "& binds tighter than >: write (a > 1) & (b > 1), or a list"),
        (lambda: X | N > 3, "| binds tighter than >: write (a > 1) | (b > 1), or a list"),
        (lambda: (X > 3) & 5, "X > 3 & 5: & joins conditions, but 5 is of kind int"),
        (lambda: X & N, "X & N: & joins conditions, but X is of kind int"),
        (lambda: (M > 1) & L, "& joins conditions, but L is of kind str"),
        (lambda: ~M, "~M: ~ means 'not' and needs a condition, found a value of kind int"),
        (lambda: M / N, "M / N: whole numbers only. Write M // N with when=divides(N, M)"),
        (lambda: 1 / N, "1 / N: whole numbers only. Write 1 // N with when=divides(N, 1)"),
        (lambda: len(S), "len(S): Python needs a number now, but it is only known during the"),
        (lambda: len(S), "Write length(S)"),
        (lambda: range(M), "range(M) or a similar use: Python needs a number now, but 'M' is only"),
        (lambda: range(M), "Write one_of(...) in let= for a choice, or decorate a function with"),
        (lambda: int(M), "Python needs a number now, but 'M' is only known during the search"),
        (lambda: [1, 2][M], "Python needs a number now, but 'M' is only known during the search"),
        (lambda: [1, 2][M], "def look_up(key): return [1, 2][key], and write look_up(M)"),
        (lambda: "abc"[M:], "Write one_of(...) in let= for a choice, or decorate a function with"),
        (lambda: pow(M, 2, 7), "pow(M, 2, 7): Python needs numbers now. Write pow(M, 2) % 7"),
        (lambda: S + B, "Elements are joined by splices: (*S, X) is a sequence, [X, *B] a nested"),
        (lambda: B - [M], "To take an element out, match it: (*S, X, *T), or Bag([X, *B]) in let="),
        (lambda: 3 in S, "3 in S: Python needs True or False now. Write is_in(3, S)"),
        (lambda: list(M), "*M: only a sequence or a nested bag can be spliced, and M is of kind"),
        (lambda: [*L], "*L: only a sequence or a nested bag can be spliced, and L is of kind str"),
        (lambda: M + "a", "'a' is of kind str"),
        (lambda: L * 2, "L * 2: * needs whole numbers, but L is of kind str"),
        (lambda: -S, "-S: - needs whole numbers, but S is of kind seq"),
        (lambda: F + 1, "F + 1: + needs whole numbers, but F is of kind bool"),
        (lambda: M + True, "M + True: + needs whole numbers, but True is of kind bool"),
        (lambda: S + 1, "S + 1: + needs whole numbers, but S is of kind seq"),
        (lambda: M[0], "M[...]: only a sequence has places; M is of kind int"),
        (lambda: B[0], "B[...]: only a sequence has places; B is of kind bag"),
        (lambda: S[1:2:3], "S[a:b:step]: a slice has no step here"),
        (lambda: M + 1.5, "1.5 cannot be a term: a float is not exact"),
        (lambda: M == None, "None cannot be a term"),  # noqa: E711
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_is_written(
    wrong: Callable[[], Any], text: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(text)):
        wrong()


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        (M + 1, "int"), (2 - M, "int"), (M * N, "int"), (7 // M, "int"), (M % 2, "int"),
        (M**2, "int"), (-M, "int"), (abs(M), "int"), (P + 1, "int"),
        (M > N, "bool"), (M == N, "bool"), (M != 3, "bool"), (P == "a", "bool"),
        ((M > 1) & (N > 1), "bool"), ((M > 1) | F, "bool"), (F & (M == 1), "bool"),
        (S + T, "seq"), (PAIR + S, "seq"), (S + PAIR, "seq"), (L + "a", "str"), (P + "a", "str"),
        (S[0], "term"), (S[M], "term"), (S[1:], "seq"), (S[:2], "seq"), (L[0], "str"),
    ],
)  # fmt: skip
def test_an_expression_knows_the_kind_of_its_value(expression: Any, kind: str) -> None:
    assert kind_of(expression) == kind


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (M - (N - 1), "M - (N - 1)"), (M - N - 1, "M - N - 1"), ((M + N) * 2, "(M + N) * 2"),
        (M + N * 2, "M + N * 2"), (-(M + 1), "-(M + 1)"), ((-M) ** 2, "(-M) ** 2"),
        (-(M**2), "-M ** 2"), (2**M**N, "2 ** M ** N"), ((M**N) ** 2, "(M ** N) ** 2"),
        (M - -3, "M - -3"), (abs(M - N), "abs(M - N)"), (10 - M, "10 - M"),
        ((M > 1) & (N > 1), "(M > 1) & (N > 1)"), (~(M > 1), "~(M > 1)"),
        (((M > 1) | (N > 1)) & F, "((M > 1) | (N > 1)) & F"), ((M > 1) == F, "(M > 1) == F"),
        (S + T, "S + T"), ((S + T)[0], "(S + T)[0]"), (L + "!", "L + '!'"), (S[1:], "S[1:]"),
        (S[M - 1], "S[M - 1]"), (S[0:2], "S[0:2]"), (M == "a", "M == 'a'"), (ANY, "ANY"),
        ((-3) ** M, "(-3) ** M"),
    ],
)  # fmt: skip
def test_an_expression_shows_its_source_with_as_few_brackets_as_needed(
    expression: Any, text: str
) -> None:
    assert source(expression) == repr(expression) == str(expression) == text
    names = {"M": M, "N": N, "S": S, "T": T, "F": F, "L": L, "ANY": ANY}
    assert term_key(eval(text, names)) == term_key(expression)


BINARY: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow,
]  # fmt: skip
UNARY: list[Callable[[Any], Any]] = [operator.neg, abs]


def symbolic() -> st.SearchStrategy[Any]:
    """Expressions in which every operator has a variable below it, so that Python folds nothing."""

    def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        other = inner | st.integers(-9, 9)
        return (
            st.builds(lambda op, a, b: op(a, b), st.sampled_from(BINARY), inner, other)
            | st.builds(lambda op, a, b: op(b, a), st.sampled_from(BINARY), inner, other)
            | st.builds(lambda op, a: op(a), st.sampled_from(UNARY), inner)
        )

    return st.recursive(st.sampled_from([M, N, P]), grown, max_leaves=8)


@given(symbolic())
def test_the_source_of_an_expression_read_by_python_is_the_expression_again(made: Any) -> None:
    read = eval(source(made), {"M": M, "N": N, "P": P, "abs": abs})
    assert term_key(read) == term_key(made)


def test_variables_are_interned_by_name_and_kind() -> None:
    assert ints("M") is M
    assert terms("M") is not M
    assert pickle.loads(pickle.dumps(M)) is M
    assert isinstance(M, Variable)


def test_expressions_compare_by_their_keys_never_by_python_equality() -> None:
    assert term_key(M + 1) == term_key(M + 1)
    assert term_key(M + 1) != term_key(M + 2)
    assert term_key(M + 1) != term_key(1 + M)
    assert term_key(P == 1) != term_key(P == True)  # noqa: E712
    assert len({M: 1, N: 2}) == 2


def test_plus_before_an_expression_changes_nothing() -> None:
    assert +M is M
