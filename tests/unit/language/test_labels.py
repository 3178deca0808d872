"""Labels: templates, filled in from bindings, never evaluated as Python."""

import re
from typing import Any

import pytest

from rewrite import (
    ANY,
    Puzzle,
    State,
    UnboundVariable,
    contains,
    count,
    digits,
    exactly,
    fn,
    if_,
    ints,
    lacks,
    moves,
    number,
    rule,
    search,
    seqs,
    strs,
    terms,
    upper,
)

M: Any
N: Any
M, N = ints("M N")
S = seqs("S")
L = strs("L")
P = terms("P")


def filled(label: str, **values: Any) -> str:
    """The label of a rule that takes M, N, S, L and P, where they have these values."""
    variables = {"M": M, "N": N, "S": S, "L": L, "P": P}
    given = {"M": 7, "N": 2, "S": (1, 2), "L": "up", "P": ("x", 1)} | values
    made = rule(label, take=[M, N, S, L, P])
    return made.template.fill({variables[name]: given[name] for name in given})


@pytest.mark.parametrize(
    ("label", "text"),
    [
        (f"{M} + {N} → {M + N}", "7 + 2 → 9"),
        (f"{M} ÷ {N} → {M // N}", "7 ÷ 2 → 3"),
        (f"{(M + N) * 2}", "18"),
        (f"{upper(L)} {L}", "UP up"),
        (f"{if_(M > N, L, 'down')}", "up"),
        (f"{number((*S, M))}", "127"),
        (f"{digits(M)[0]} {S[1:]}", "7 (2,)"),
        (f"{S}", "(1, 2)"),
        (f"{P} {P == 'a'}", "('x', 1) False"),
        ("{M} + {N}", "7 + 2"),
        ("no field", "no field"),
        ("", ""),
        (f"{M:03} {L:>4}|", "007   up|"),
        (f"{M + N:02}", "09"),
        ("{M:03}", "007"),
        ("{{M}} is {M}", "{M} is 7"),
        (f"{{{{M}}}} is {M}", "{M} is 7"),
        (f"set {{ {M} }}", "set { 7 }"),
        (f"{M:wrong} {M:>99999999999999}", "7 7"),
        (f"{M - 9:c} {M * 10**400:.1f}", f"-2 {7 * 10**400}"),
        (f"{M // (N - 2)}", "?"),
    ],
)
def test_a_label_is_filled_in_from_the_values_of_a_step(label: str, text: str) -> None:
    assert filled(label) == text


def test_a_label_is_never_evaluated_as_python() -> None:
    for label in ("{__import__('os')}", "{M.real}", "{M!r}", "{0}", "{}"):
        with pytest.raises(UnboundVariable, match="but nothing binds it"):
            rule(label, take=[M])


@pytest.mark.parametrize(
    ("label", "text"),
    [
        (
            f"{M} {N}",
            "rule '{M} {N}': the label uses N, but nothing binds it. Bound by take=, keep= or "
            "let=: M",
        ),
        ("{MM}", "rule '{MM}': the label uses MM, but nothing binds it (did you mean M?)"),
        (f"{M + N * 2}", "rule '{M + N * 2}': the label uses N, but nothing binds it"),
        ("{M + 123456}", "A label that computes is written as an f-string"),
        ("{M} {x}", "braces that are meant as text are doubled: {{"),
    ],
)
def test_a_variable_in_a_label_that_nothing_binds_is_refused(label: str, text: str) -> None:
    with pytest.raises(UnboundVariable, match=re.escape(text)) as raised:
        rule(label, take=[M])
    assert raised.value.bound == ("M",)
    assert isinstance(raised.value, ValueError)


def test_two_variables_of_one_name_and_different_kinds_are_told_apart_in_labels() -> None:
    number_m: Any = ints("ZZ")
    text_m = strs("ZZ")
    label = f"{number_m} {upper(text_m)}"
    assert rule(f"{text_m}", take=[text_m]).template.fill({text_m: "a"}) == "a"
    with pytest.raises(UnboundVariable):
        rule(label, take=[number_m])
    assert rule(f"{upper(text_m)}", take=[text_m]).template.fill({text_m: "a"}) == "A"


def test_a_function_defined_again_in_a_notebook_replaces_the_old_one_in_labels() -> None:
    def cell(word: str) -> Any:
        @fn
        def says(m: int) -> str:
            return word

        return rule(f"it says {says(M)}", take=[M])

    first, second = cell("old"), cell("new")
    assert first.template.fill({M: 1}) == "it says old"
    assert second.template.fill({M: 1}) == "it says new"


def test_a_function_that_fails_in_a_label_leaves_a_question_mark() -> None:
    @fn
    def fails(m: int) -> str:
        raise KeyError(m)

    assert rule(f"at {fails(M)}", take=[M]).template.fill({M: 1}) == "at ?"


def test_any_in_a_label_is_refused() -> None:
    with pytest.raises(UnboundVariable, match="the label uses ANY, but nothing binds it"):
        rule(f"{ANY}", take=[ANY])


@pytest.mark.parametrize("text", ["{x}", "{", "}}", "{{", "{X:>3}", "\\{", "\"{'", "{\\x7b}"])
def test_braces_of_a_text_in_an_expression_do_not_end_the_field(text: str) -> None:
    made = rule(f"say {L + text}!", take=[L], put=[L + text])
    [step] = moves(Puzzle(made), ["a"])
    assert step.label == f"say a{text}!"


@pytest.mark.parametrize("text", ["{x}", "{", "}}", "{M:>3}", "\\", "'\"", "\n", "\0", "\u202e"])
@pytest.mark.parametrize("engine", ["python", "auto"])
def test_texts_with_braces_stand_in_conditions(text: str, engine: str) -> None:
    go = rule("go", take=["a"], put=[text])
    there = [contains(text), count(text) == 1, exactly(text), ~lacks(L, when=text == L)]
    for goal in (*there, lacks("a")):
        result = search(Puzzle(go), ["a"], goal, engine=engine)
        assert [path.end for path in result.paths] == [State([text])], goal
        again = search(Puzzle(go, never=goal), ["a"], contains(text), engine=engine)
        assert again.status == "exhausted", goal
        assert not again, goal


def test_a_label_is_one_line_that_can_be_printed() -> None:
    text = "a\n\x1b[31m\x07\u202e\x9b naïve → 🙂\t\\"
    [step] = moves(Puzzle(rule(f"see {L}\n!", take=[L])), [text])
    assert step.label == r"see a\n\x1b[31m\x07\u202e\x9b naïve → 🙂\t" + "\\" + r"\n!"
