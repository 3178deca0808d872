"""Functions in Python that are written out as expressions give what Python gives."""

import linecache
import warnings
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from rewrite import Puzzle, RewriteWarning, contains, fn, ints, rule, search
from rewrite.compile.inlining import inlined
from rewrite.language.evaluation import evaluate
from tests.engines import ENGINES
from tests.property.by_definition import levels

M, N = ints("M N")
NUMBER = count()


def made(source: str, name: str = "found") -> Any:
    """The @fn function of a source that `inspect` finds."""
    file = f"<made {next(NUMBER)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"SEVEN": 7, "lookup": {1: 2}}
    exec(compile(source, file, "exec"), names)
    return fn(names[name])


def number(draw: st.DrawFn, names: str, depth: int = 3) -> str:
    """An expression with a whole number as its value."""

    def inner() -> str:
        return number(draw, names, depth - 1)

    match draw(st.integers(0, 6)) if depth else 0:
        case 1:
            return f"({inner()} {draw(st.sampled_from('+-*'))} {inner()})"
        case 2:
            return f"({inner()} {draw(st.sampled_from(['// 3', '% 5', '// -2', '% SEVEN']))})"
        case 3:
            return f"{draw(st.sampled_from(['-', 'abs']))}({inner()})"
        case 4:
            return f"{draw(st.sampled_from(['min', 'max']))}({inner()}, {inner()})"
        case 5:
            return f"({inner()} if {truth(draw, names, depth - 1)} else {inner()})"
        case _:
            return str(draw(st.sampled_from([*names, "0", "1", "-3", "SEVEN"])))


def truth(draw: st.DrawFn, names: str, depth: int = 2) -> str:
    """An expression with a truth value."""
    a, b, c = [number(draw, names, min(depth, 1)) for _ in range(3)]
    match draw(st.integers(0, 4)) if depth else 0:
        case 1:
            return f"({a} < {b} <= {c})"
        case 2:
            return f"(not {truth(draw, names, depth - 1)})"
        case 3:
            both = [truth(draw, names, depth - 1) for _ in range(2)]
            return f"({draw(st.sampled_from([' and ', ' or '])).join(both)})"
        case _:
            return f"({a} {draw(st.sampled_from(['<', '<=', '>', '>=', '==', '!=']))} {b})"


@st.composite
def bodies(draw: st.DrawFn, kind: Callable[..., str]) -> str:
    """A function with a local name, an early return, and a return at the end."""
    return (
        "def found(a, b):\n"
        f"    c = {number(draw, 'ab')}\n"
        f"    if {truth(draw, 'abc')}:\n"
        f"        return {kind(draw, 'abc')}\n"
        f"    return {kind(draw, 'abc')}\n"
    )


@given(st.one_of(bodies(number), bodies(truth)), st.integers(-9, 9), st.integers(-9, 9))
def test_what_is_written_out_has_the_value_that_python_returns(source: str, a: int, b: int) -> None:
    function = made(source)
    call = function(M, N)
    body = inlined(call)
    note(f"{source}\n{body}")
    assert body is not None
    env: Any = {M: a, N: b}
    found = evaluate(body, env)
    assert (type(found), found) == (type(function(a, b)), function(a, b))


@given(bodies(number), bodies(truth), st.lists(st.integers(-4, 9), min_size=2, max_size=4))
def test_searches_by_both_engines_are_those_by_the_definition(
    value: str, test: str, start: list[int]
) -> None:
    apply, holds = made(value), made(test)
    puzzle = Puzzle(
        rule("apply", take=[M, N], put=[apply(M, N)], when=holds(N, M)),
        start=start, goal=contains("none"), name="written",
    )  # fmt: skip
    expected = [len(level) for level in levels(puzzle, 9)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RewriteWarning)
        for engine in ENGINES:
            found = search(puzzle, strategy="breadth_first", engine=engine, goal=contains("none"))
            assert found.levels == expected, engine
            assert not found.python_calls


@pytest.mark.parametrize(
    "source",
    [
        "def found(a, b):\n    return a // b",  # may fail
        "def found(a, b):\n    return lookup[a] + b",
        "def found(a, b):\n    if a > b:\n        return a",  # returns None
        "def found(a, b):\n    while a > b:\n        a -= b\n    return a",
        "def found(a, b):\n    return a and b",  # no truth values
        "def found(a, b):\n    return a == (b == 1)",
        "def found(a, b, c=3):\n    return a + b",
        "def found(a, *b):\n    return a",
        "def found(a, b):\n    return print(a)",
        "def found(a, b):\n    if a > b:\n        SEVEN = 1\n    return SEVEN",  # a name of its own
        "def found(a, b):\n    " + "\n    ".join(["if a > b: b = b + 1"] * 9) + "\n    return b",
    ],
)
def test_anything_else_is_called(source: str) -> None:
    assert inlined(made(source)(M, N)) is None


def test_a_source_that_has_changed_since_is_not_believed() -> None:
    function = made("def found(a, b):\n    return a + b")
    (file,) = {function.__wrapped__.__code__.co_filename}
    text = "def found(a, b):\n    return a - b"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    assert inlined(function(M, N)) is None


def test_what_an_argument_lacks_is_lacking() -> None:
    function = made("def found(a, b):\n    return 5 if a > 0 else b")
    assert inlined(function(M, N // M)) is None
