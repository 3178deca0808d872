"""What only the native engine has: refused with one text without it, or left out with a note."""

from collections.abc import Callable
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import (
    Puzzle,
    SearchError,
    State,
    contains,
    count,
    fn,
    ints,
    rule,
    search,
    solutions,
)
from rewrite.errors import RewriteError
from rewrite.native import core
from rewrite.search.drivers.python import function_of
from rewrite.search.heuristics import HEURISTICS
from rewrite.search.strategies import STRATEGIES
from tests.contract.graphs import At
from tests.engines import natively

M, N = ints("M N")
JUGS = PUZZLES["water_jugs"]()
FUNCTION = "give an expression such as total(…) or a function State -> number"
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("strategy='depth_first'", {}, "use strategy='breadth_first' or 'uniform_cost'"),
    ("strategy='beam'", {"heuristic": 0}, "use strategy='astar' or 'greedy'"),
    ("strategy='idastar'", {"heuristic": "auto"}, "use strategy='astar' or 'greedy'"),
    ("distinct='paths'", {}, "leave distinct= out"),
    ("shortest=True", {"distinct": "paths"}, "leave shortest= and distinct= out"),
    *[(f"heuristic={name!r}", {}, FUNCTION) for name in HEURISTICS if name != "auto"],
]
every_feature = pytest.mark.parametrize(
    ("feature", "options", "instead"), REFUSED, ids=[one for one, *_ in REFUSED]
)


def asked(feature: str, options: dict[str, Any]) -> dict[str, Any]:
    name, _, value = feature.partition("=")
    return options | {name: eval(value)}


@pytest.fixture
def off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REWRITE_NATIVE", "off")


@natively
@every_feature
def test_the_python_engine_refuses_it(feature: str, options: dict[str, Any], instead: str) -> None:
    text = f"{feature} needs the native engine; found engine='python'. Leave engine= out, or "
    with pytest.raises(SearchError) as raised:
        search(JUGS, engine="python", **asked(feature, options))
    assert str(raised.value) == text + instead
    with pytest.raises(SearchError) as raised:
        next(solutions(JUGS, engine="python", **asked(feature, options)))
    assert str(raised.value) == text + instead
    assert raised.value.feature == feature


@every_feature
def test_without_a_core_the_error_says_how_to_get_one(
    feature: str, options: dict[str, Any], instead: str, off: None
) -> None:
    for engine in ("auto", "python"):
        with pytest.raises(SearchError) as raised:
            search(JUGS, engine=engine, **asked(feature, options))
        assert str(raised.value) == (
            f"{feature} needs the native engine: switched off by REWRITE_NATIVE=off; unset it to "
            f"use the core (see `rewrite doctor`). {instead[0].upper()}{instead[1:]}"
        )


def test_what_is_kept_is_refused_in_the_same_words(off: None, tmp_path: Any) -> None:
    with pytest.raises(RewriteError, match=r"= ?.* needs the native engine: switched off by "):
        search(JUGS, checkpoint=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_auto_goes_on_without_estimates_and_says_so(off: None) -> None:
    for options in ({}, {"strategy": "greedy"}, {"weight": 2}):
        found = search(JUGS, heuristic="auto", **options)
        assert (found.status, found.engine) == ("found", "python")
        assert found.notes == (
            "heuristic='auto' needs the native engine: switched off by REWRITE_NATIVE=off; unset "
            "it to use the core (see `rewrite doctor`). The search goes on without estimates",
        )
    plain = search(JUGS, strategy="uniform_cost")
    found = search(JUGS, heuristic="auto")
    assert (found.strategy, found.optimal, len(found.paths[0])) == ("astar", True, 6)
    assert len(plain.paths[0]) == 6


@natively
def test_rows_say_where_a_strategy_lives() -> None:
    known = set(core().strategies())
    for name, one in STRATEGIES.items():
        assert name in known
        if not one.core_only:
            assert callable(function_of(one))
        else:
            with pytest.raises((ImportError, AttributeError)):
                function_of(one)


@fn
def after(place: int) -> int:
    return (place + 1) % 7


def holds(end: Any) -> Callable[[State], bool]:
    return lambda state: end in state


@natively
@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "depth_first"},
        {"strategy": "beam", "heuristic": lambda state: 0},
        {"strategy": "idastar", "heuristic": lambda state: 0.5 * (state.count(At(5)) == 0)},
        {"strategy": "idastar", "heuristic": count(At(0)), "weight": 3},
        {"strategy": "astar", "weight": 2, "heuristic": lambda state: len(state) / 4},
        {"distinct": "paths"},
        {"distinct": "paths", "shortest": True},
    ],
    ids=lambda options: " ".join(options),
)
def test_functions_in_python_are_no_obstacle(options: dict[str, Any]) -> None:
    """The core calls them: rules in slots and in multisets, goals and heuristics."""
    for wrap in (At, lambda place: place):
        puzzle = Puzzle(rule("on", take=[wrap(M)], put=[wrap(after(M))]), start=[wrap(0)])
        for goal in (contains(wrap(5)), holds(wrap(5))):
            found = search(puzzle, None, goal, **options)
            assert (found.engine, len(found.paths), len(found.paths[0])) == ("native", 1, 5)
            assert not any("Python engine" in note for note in found.notes)
