"""What fails while a rule is applied is told with the rule, its values and the state."""

import re
from typing import Any

import pytest

from rewrite import (
    Puzzle,
    RuleError,
    SimplifyError,
    State,
    digits,
    fn,
    ints,
    number,
    one_of,
    rule,
    strs,
    terms,
)
from rewrite.language.meaning import successors

D, X, Z = ints("D X Z")
P = terms("P")
who, here = strs("who here")


@fn
def across(bank: str) -> str:
    return {"left": "right", "right": "left"}[bank]


def test_an_exception_in_a_function_is_an_error_with_the_rule_the_call_and_the_state() -> None:
    drop = rule(f"drop {D}", take=[D, (who, here)], put=[(who, across(here))])
    puzzle = Puzzle(drop)
    assert [way.put for way in successors(puzzle, State([1, ("a", "left")]))] == [(("a", "right"),)]
    text = (
        "rule 'drop {D}' failed in across('centre') with here='centre', in state "
        "[1, ('a', 'centre')]"
    )
    with pytest.raises(RuleError, match=re.escape(text)) as raised:
        successors(puzzle, State([1, ("a", "centre")]))
    error = raised.value
    assert isinstance(error.__cause__, KeyError)
    assert str(error).endswith(": KeyError: 'centre'")
    assert (error.rule, error.call) == ("drop {D}", "across('centre')")
    assert error.bindings == {"here": "centre"}
    assert error.state == State([1, ("a", "centre")])


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (
            {"when": across(here) == "right"},
            "rule 'x' failed in across('up') with here='up', in state ['up']: KeyError: 'up'",
        ),
        ({"put": [P], "let": {P: across(here)}}, "rule 'x' failed in across('up') with here='up'"),
        ({"cost": -number(digits(5))}, "failed in cost=-number(digits(5)), in state ['up']"),
        (
            {"let": {Z: 3}, "cost": Z - 5},
            "rule 'x' failed in cost=Z - 5 with Z=3, in state ['up']: ValueError: a cost is a "
            "whole number of 0 or more, found -2",
        ),
        ({"let": {P: here}, "put": [P * 2]}, "failed in P * 2 with P='up', in state ['up']"),
        ({"let": {P: here}, "put": [(*P,)]}, "failed in *P with P='up', in state ['up']"),
        ({"let": {P: here}, "when": [P]}, "failed in P with P='up', in state ['up']"),
        ({"let": {P: here, X: one_of(P)}}, "failed in one_of(P) with P='up', in state ['up']"),
        ({"when": lambda state: 1 // 0}, "ZeroDivisionError: integer division or modulo by zero"),
        ({"keep": [across(here)]}, "failed in across('up') with here='up', in state ['up']"),
        ({"absent": [across(here)]}, "rule 'x' failed in across('up') with here='up', in state"),
    ],
)  # fmt: skip
def test_what_fails_in_any_part_of_a_rule_is_told_with_its_values(
    part: dict[str, Any], text: str
) -> None:
    state = State(["up", "up"] if "keep" in part or "absent" in part else ["up"])
    text = text.replace("state ['up']", f"state {state}")
    with pytest.raises(RuleError, match=re.escape(text)):
        successors(Puzzle(rule("x", take=[here], **part)), state)


def test_a_simplify_that_never_ends_is_an_error_that_names_the_rules_that_keep_firing() -> None:
    swing = [rule("tick", take=["tick"], put=["tock"]), rule("tock", take=["tock"], put=["tick"])]
    puzzle = Puzzle(rule("go", take=[1], put=["tick"]), name="clock",
                    simplify=[rule("wind", take=["key"], put=["tick"]), *swing])  # fmt: skip
    text = (
        "clock: simplify does not end: after 10,000 rounds 'tick', 'tock' still fire, the last "
        "state is ['tick', 3]. A simplify rule must bring the state nearer to a form in which none "
        "applies"
    )
    with pytest.raises(SimplifyError) as raised:
        successors(puzzle, State([1, 3]))
    assert str(raised.value).replace("[3, 'tick']", "['tick', 3]") == text
    assert raised.value.rules == ("tick", "tock")
    assert isinstance(raised.value, RuntimeError)
