"""The native engine gives the same answers as the Python engine, to the digit, and the same errors.

Random puzzles in both encodings are searched by every strategy under random limits.
"""

from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from rewrite.errors import RewriteError
from rewrite.language.conditions import count, total
from rewrite.language.expressions import ANY
from rewrite.language.puzzles import Puzzle
from rewrite.native import program, status
from rewrite.outcome.result import Result
from rewrite.search.api import search
from rewrite.search.tasks.explore import explore
from tests.property.board_puzzles import board_puzzles
from tests.property.strategies import aggregate, puzzles

pytestmark = [
    pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning"),
    pytest.mark.skipif(not status().usable, reason="the native engine is not there"),
]

FACTS = ("status", "limit", "limit_value", "optimal", "states", "expanded", "depth", "levels",
         "rules", "strategy", "objective")  # fmt: skip
HEURISTICS: list[Any] = [
    count(ANY), total(3, ANY), 2, lambda state: len(state) / 2, lambda state: len(str(state)) % 5,
    lambda state: float("inf") if len(state) > 3 else 1,
]  # fmt: skip


@st.composite
def asked(draw: st.DrawFn, puzzle: Puzzle) -> dict[str, Any]:
    """Arguments of a search that go together."""
    names = ["breadth_first", "uniform_cost", "astar", "greedy", "beam", "depth_first",
             "idastar", "paths"]  # fmt: skip
    name = draw(st.sampled_from(names))
    costly = any(type(rule.cost) is not int or rule.cost != 1 for rule in puzzle.rules)
    by_cost = name in ("uniform_cost", "astar", "greedy")
    given: dict[str, Any] = {"strategy": "breadth_first" if name == "paths" else name}
    if name == "paths":
        given["distinct"] = "paths"
    if name in ("astar", "greedy", "beam"):
        given["heuristic"] = draw(st.sampled_from(HEURISTICS))
    elif name == "idastar":
        given["heuristic"] = draw(st.sampled_from([None, *HEURISTICS]))
    if name in ("astar", "idastar"):
        given["weight"] = draw(st.sampled_from([1, 1, 1.5, 2]))
    if name == "beam":
        given["width"] = draw(st.integers(1, 5))
    if name == "depth_first":
        given["seed"] = draw(st.sampled_from([None, 0, 7, 2**70]))
    elif name not in ("greedy", "beam", "idastar", "paths") and draw(st.integers(0, 3)) == 0:
        assert puzzle.start is not None
        given["minimize"] = aggregate(draw, {}, list(puzzle.start.items))
    given["min_depth"] = 0 if name == "idastar" else draw(st.sampled_from([0, 0, 0, 1, 2]))
    # a cycle makes endlessly many paths of a few states, so `max_states` alone does not end them
    ends = name in ("idastar", "paths")
    if not (costly and by_cost) and (ends or draw(st.booleans())):
        given["max_depth"] = draw(st.sampled_from([1, 2, 3] if name == "idastar" else [3, 4, 5]))
    given["max_states"] = draw(st.sampled_from([3, 60, 200]))
    given["solutions"] = draw(st.sampled_from([1, 2, None]))
    return given


def outcome(puzzle: Puzzle, given: dict[str, Any], engine: str) -> Any:
    """What a search and its continuation say: facts and paths, or the error."""
    try:
        result = search(puzzle, engine=engine, **given)
        told = [facts(result)]
        if result.status == "limit" and result.limit in ("max_states", "max_depth"):
            more: dict[str, Any] = {"max_states": 400}
            if "max_depth" in given:
                more["max_depth"] = given["max_depth"] + 1
            told.append(facts(result.resume(**more)))
    except RewriteError as error:
        return type(error).__name__, str(error)
    return told


def facts(result: Result) -> Any:
    notes = [one for one in result.notes if not one.startswith("searched by the Python engine")]
    told = {name: getattr(result, name) for name in FACTS}
    return told | {"notes": notes, "paths": [(path.states, path.bindings) for path in result.paths]}


def agree(puzzle: Puzzle, given: dict[str, Any]) -> None:
    note(f"{puzzle.rules}, start={puzzle.start}, goal={puzzle.goal}, {given}")
    wanted, found = (outcome(puzzle, given, engine) for engine in ("python", "native"))
    assert found == wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "KERNELS", False)
        patch.setattr(program, "TABLES", {"split": 0})  # tables without numbers at once
        assert outcome(puzzle, given, "native") == wanted


@given(st.data())
def test_both_engines_say_the_same_of_any_rules(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles())
    agree(puzzle, data.draw(asked(puzzle)))


@given(st.data())
def test_both_engines_say_the_same_of_boards(data: st.DataObject) -> None:
    puzzle = data.draw(board_puzzles())
    agree(puzzle, data.draw(asked(puzzle)))


@given(puzzles() | board_puzzles())
def test_both_engines_explore_the_same_space(puzzle: Puzzle) -> None:
    def space(engine: str) -> Any:
        try:
            found = explore(puzzle, max_states=60, engine=engine)
        except RewriteError as error:
            return type(error).__name__, str(error)
        return found.states, found.level, found.edges, found.complete, found.limit

    assert space("native") == space("python")
