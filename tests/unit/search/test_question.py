"""What a search refuses, and in which words."""

from typing import Any

import pytest

from rewrite.errors import HeuristicError, SearchError, SimplifyError, StateError, UnboundVariable
from rewrite.language.conditions import contains, count, highest
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.search.api import search, solutions
from rewrite.search.tasks.compare import compare
from rewrite.search.tasks.explore import explore
from rewrite.search.tasks.scramble import scramble

M, N = ints("M N")
add = Puzzle(
    rule(f"{M} + {N}", take=[M, N], put=[M + N]), start=[1, 2, 3], goal=contains(6), name="add"
)
bare = add.replace(start=None, goal=None)
costly = add.replace(rules=rule("add", take=[M, N], put=[M + N], cost=M))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"strategy": "bredth_first"},
            r"strategy='bredth_first' is unknown \(did you mean breadth_first\?\); known: auto, "
            r"breadth_first, bidirectional, uniform_cost, astar, greedy, lazy_greedy, beam, "
            "depth_first, idastar",
        ),
        ({"strategy": "BFS"}, r"strategy='BFS' is unknown \(did you mean breadth_first\?\); known"),
        ({"strategy": "Breadth First"}, r"\(did you mean breadth_first\?\)"),
        ({"strategy": "A*"}, r"strategy='A\*' is unknown \(did you mean astar\?\); known"),
        ({"strategy": "Dijkstra"}, r"\(did you mean uniform_cost\?\)"),
        ({"strategy": "zzz"}, r"strategy='zzz' is unknown; known: auto, "),
        ({"strategy": ["astar"]}, r"strategy=\['astar'\] is unknown"),
        ({"strategy": None}, "strategy=None is unknown"),
        ({"strategy": "iterative_deepening"}, r"\(did you mean idastar\?\)"),
        (
            {"strategy": "astar"},
            r"strategy='astar' needs heuristic=…: an expression such as total\(…\) or a function "
            "State -> number that says how far a state is from the goal",
        ),
        (
            {"strategy": "breadth_first", "heuristic": 0},
            r"strategy='breadth_first' uses no heuristic; use strategy='astar' \(shortest\), "
            "'greedy' or 'beam'",
        ),
        (
            {"heuristic": "hmx"},
            r"heuristic='hmx' is unknown \(did you mean hmax\?\); known: goal_count, hmax, ff, "
            r"lmcut, pattern_databases, pieces, auto; or give an expression such as total\(…\), or "
            "a function State -> number",
        ),
        ({"heuristic": "LMCut"}, r"heuristic='LMCut' is unknown \(did you mean lmcut\?\)"),
        (
            {"heuristic": -1},
            r"heuristic=-1 must be an expression such as total\(…\), a function State -> number, "
            "or one of 'goal_count', 'hmax', 'ff', 'lmcut', 'pattern_databases', 'pieces', 'auto'",
        ),
        ({"heuristic": lambda: 3}, "heuristic=<function .*> must take one argument, the State"),
        ({"engine": "pyton"}, r"engine='pyton' is unknown \(did you mean python\?\); known: auto,"),
        ({"distinct": "path"}, r"distinct='path' is unknown \(did you mean paths\?\); known: stat"),
        (
            {"distinct": "paths", "strategy": "depth_first"},
            "distinct='paths' lists paths by length and goes with strategy='breadth_first'; found "
            "strategy='depth_first'",
        ),
        (
            {"seed": 3},
            "seed=3 goes with strategy='depth_first' only; found strategy='breadth_first'",
        ),
        ({"seed": "x", "strategy": "depth_first"}, "seed='x' must be a whole number"),
        ({"solutions": 0}, "solutions=0 must be a whole number of 1 or more, or None"),
        ({"solutions": True}, "solutions=True must be a whole number"),
        ({"threads": 0}, "threads=0 must be a whole number of 1 or more, or None"),
        ({"width": 3}, "^width=3 goes with strategy='beam' only; found strategy='breadth_first'$"),
        (
            {"weight": 2},
            "^weight=2 goes with strategy='astar' or 'idastar' only; found "
            "strategy='breadth_first'$",
        ),
        ({"width": 0}, "width=0 must be a whole number of 1 or more$"),
        ({"width": None}, "width=None must be a whole number of 1 or more$"),
        ({"weight": 0.5}, "weight=0.5 must be a finite number of 1 or more"),
        ({"weight": "2"}, "weight='2' must be a finite number of 1 or more"),
        ({"weight": float("inf")}, "weight=inf must be a finite number of 1 or more"),
        ({"weight": float("nan")}, "weight=nan must be a finite number of 1 or more"),
        ({"max_depth": -1}, "max_depth=-1 must be a whole number of 0 or more, or None for no"),
        ({"max_depth": 1.5}, "max_depth=1.5 must be a whole number"),
        ({"min_depth": True}, "min_depth=True must be a whole number"),
        ({"max_states": 0}, "max_states=0 must be a whole number of 1 or more, or None for no lim"),
        ({"max_seconds": -1}, "max_seconds=-1 must be a number of 0 or more, or None"),
        ({"max_seconds": float("nan")}, "max_seconds=nan must be a number"),
        ({"max_seconds": "1"}, "max_seconds='1' must be a number"),
        (
            {"min_depth": 3, "max_depth": 2},
            "min_depth=3 is more than max_depth=2: nothing can be found",
        ),
        ({"minimize": 3}, r"minimize=3 must be an expression over the state, such as lowest\(abs"),
        ({"minimize": len}, "minimize=len is a function of the state: only an expression can be"),
        (
            {"minimize": count(M), "strategy": "greedy", "heuristic": 0},
            "minimize= looks at the whole space; use strategy='breadth_first', found "
            "strategy='greedy'",
        ),
        ({"progress": 3}, "progress=3 must be a function that takes a Progress"),
    ],
    ids=lambda value: repr(value).partition(" at 0x")[0],  # names hold no addresses
)
def test_arguments_that_make_no_sense_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(SearchError, match=text):
        search(add, **options)


@pytest.mark.parametrize("strategy", ["uniform_cost", "astar", "greedy"])
def test_max_depth_does_not_go_with_strategies_that_go_by_cost(strategy: str) -> None:
    heuristic = None if strategy == "uniform_cost" else 0
    text = f"max_depth counts steps, but strategy='{strategy}' keeps the cheapest way to a state"
    with pytest.raises(SearchError, match=text):
        search(costly, strategy=strategy, heuristic=heuristic, max_depth=3)
    assert search(costly, strategy="breadth_first", max_depth=3)
    assert search(add, strategy=strategy, heuristic=heuristic, max_depth=3)


def test_start_and_goal_are_asked_for_in_the_words_of_the_call() -> None:
    with pytest.raises(
        SearchError, match=r"^add: where to start\? Give search\(puzzle, start, …\)"
    ):
        search(bare)
    with pytest.raises(SearchError, match=r"where to start\? Give explore\(puzzle, start, …\) or"):
        explore(bare)
    with pytest.raises(SearchError, match=r"where to start\? Give scramble\(puzzle, state, …\) or"):
        scramble(bare)
    with pytest.raises(SearchError, match=r"^add: what to look for\? Give search\(puzzle, start, "):
        search(bare, [1])
    with pytest.raises(SearchError, match=r"search\(\[1\], …\): the first argument is a Puzzle"):
        search([1])  # type: ignore[arg-type]
    with pytest.raises(StateError, match="a set loses duplicates; use a list"):
        search(add, {1, 2})
    with pytest.raises(SearchError, match=r"give a list of names: \['astar', …\]"):
        compare(add, "astar")
    with pytest.raises(SearchError, match="steps is a whole number of 0 or more"):
        scramble(add, steps=-1)
    with pytest.raises(SearchError, match="seed is a whole number"):
        scramble(add, seed="x")  # type: ignore[arg-type]


def test_arguments_are_checked_at_once_and_unknown_ones_are_told_with_what_was_meant() -> None:
    with pytest.raises(SearchError, match="strategy='x' is unknown"):
        solutions(add, strategy="x")
    told = (
        r"solutions\(…, max_dept=…\): there is no max_dept \(did you mean max_depth\?\); solutions "
        r"takes puzzle, start, goal, strategy, "
    )
    with pytest.raises(SearchError, match=told) as caught:
        solutions(add, max_dept=1)  # type: ignore[call-arg]
    assert caught.value.argument == "max_dept"
    told = r"search\(…, max_steps=…\): there is no max_steps \(did you mean max_states\?\); search"
    with pytest.raises(SearchError, match=told):
        search(add, max_steps=3)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("heuristic", "text"),
    [
        (lambda state: "far", "the heuristic gave 'far' in state"),
        (lambda state: -2, "the heuristic gave -2 in state"),
        (lambda state: None, "the heuristic gave no value"),
        (lambda state: True, "the heuristic gave True in state"),
        (lambda state: float("nan"), "the heuristic gave nan in state"),
        (lambda state: 1 // 0, r"the heuristic failed in state .*: ZeroDivisionError: integer div"),
        (count(M) - 9, "the heuristic gave -6 in state"),
        (highest(M, M, when=M > 9), r"the heuristic gave no value \(nothing matched, or a"),
        (
            lambda state: None,
            r"the heuristic gave .* \(<lambda> returned None: is a return missing",
        ),
    ],
)
def test_a_heuristic_must_give_a_number_that_is_not_negative(heuristic: Any, text: str) -> None:
    with pytest.raises(HeuristicError, match=text) as caught:
        search(add, heuristic=heuristic)
    assert caught.value.facts["state"] == State([1, 2, 3])
    if "failed" in text:
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
    else:
        assert "it must give a number of 0 or more: an estimate" in str(caught.value)


def test_a_simplify_that_never_ends_is_a_clear_error() -> None:
    endless = Puzzle(
        rule("go", take=[1], put=[2]), simplify=rule("spin", take=[M], put=[M + 1]), start=[1],
        goal=contains(0), name="endless",
    )  # fmt: skip
    with pytest.raises(
        SimplifyError, match=r"endless: simplify does not end: .* 'spin' still fire"
    ):
        search(endless)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"heuristic": abs(M - 3)},
            "add: heuristic: abs(M - 3) uses M, but nothing binds it. A pattern gives a variable "
            "its value: write lowest(abs(M - 3), M)",
        ),
        (
            {"minimize": M},
            "add: minimize: M uses M, but nothing binds it. A pattern gives a variable its value: "
            "write lowest(M, M)",
        ),
        (
            {"goal": M == 3},
            "add: goal=M == 3: M == 3 uses M, but nothing binds it. A pattern gives a variable its "
            "value: write contains(M, when=M == 3)",
        ),
        (
            {"minimize": highest(N, M)},
            "add: minimize: highest(N, M) uses N, but nothing binds it. Bound by its patterns: M; "
            "add one that holds N",
        ),
    ],
)
def test_a_variable_of_a_value_or_a_goal_needs_a_pattern(options: Any, text: str) -> None:
    with pytest.raises(UnboundVariable) as caught:
        search(add, **options)
    assert str(caught.value) == text
