"""A pattern or an expression for any argument of any public function: taken, or refused by name.

The library itself never asks one for its truth: that ends in an error about code that the author
did not write.
"""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import rewrite
from rewrite import (
    ANY,
    Bag,
    Puzzle,
    RewriteError,
    State,
    contains,
    explore,
    ints,
    rule,
    search,
    seqs,
    strs,
    total,
)
from tests.engines import quiet
from tests.terms import Box

pytestmark = quiet


M, N = ints("M N")
S, W = seqs("S"), strs("W")
STEP = rule("step", take=[Box(M)], put=[Box(M + 1)], when=M < 3)
WALK = Puzzle(STEP, start=[Box(0)], goal=contains(Box(3)))
FOUND = search(WALK)
PATTERNS: dict[str, Any] = {
    "a variable": M, "an expression": M + 1, "a comparison": M > 1, "a term": Box(M),
    "a sequence": S, "a tuple": (M, N), "a list": [M], "a nested bag": Bag([M]), "ANY": ANY,
    "a splice": next(iter(S)), "an aggregate": total(M, Box(M)), "a condition": contains(M),
    "a text": W, "a dict": {M: 1}, "a set": {M, N}, "a constructor": Box, "a rule": STEP,
}  # fmt: skip
NEEDED: dict[str, Any] = {
    "puzzle": WALK, "start": [Box(0)], "state": [Box(0)], "label": "step", "names": "M",
    "path": FOUND.path,
}  # fmt: skip
"""What stands for other arguments that have no default; 1 for any other."""
EXTRA: dict[str, Callable[..., Any]] = {
    "resume": FOUND.resume, "replace": WALK.replace, "Puzzle": Puzzle, "State": State, "Bag": Bag,
    "State.count": State([1]).count, "Space.dead_ends": explore(WALK).dead_ends,
}  # fmt: skip
FUNCTIONS = EXTRA | {
    name: getattr(rewrite, name)
    for name in sorted(rewrite.__all__)
    if inspect.isroutine(getattr(rewrite, name)) and name != "play"  # it would wait for requests
}


def calls(function: Callable[..., Any]) -> dict[str, Callable[[Any], Any]]:
    every = inspect.signature(function).parameters
    needed = {
        name: NEEDED.get(name, 1)
        for name, one in every.items()
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }

    def call(name: str, value: Any) -> Any:
        kind = every[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            return function(*needed.values(), value)
        if kind is inspect.Parameter.POSITIONAL_ONLY:
            return function(value)
        named = {name: value} if kind is not inspect.Parameter.VAR_KEYWORD else {"start": value}
        return function(**(needed | named))

    return {name: partial(call, name) for name in every}


def told(call: Callable[[Any], Any], value: Any) -> str:
    """The text of the error that a call ends in; "" where it ends in none."""
    try:
        found = call(value)
        if inspect.isgenerator(found):
            list(found)
    except RewriteError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_is_taken_or_refused_by_name(name: str) -> None:
    for argument, call in calls(FUNCTIONS[name]).items():
        for what, value in PATTERNS.items():
            text = told(call, value)
            assert "Python needs" not in text, (argument, what)
            assert "None cannot be a term" not in text, (argument, what)


def test_many_arguments_are_tried() -> None:
    assert sum(len(calls(one)) for one in FUNCTIONS.values()) > 150
