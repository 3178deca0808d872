"""Both engines answer what the definition says, and the native one the same whatever its tables.

Random puzzles in both encodings are searched by every strategy under random limits. What only the
native engine has it does alike with and without its fast paths.
"""

from typing import Any

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st

from rewrite import ANY, Puzzle, Result, RewriteError, SearchError, count, explore, search, total
from rewrite.native import program
from tests.answers import facts
from tests.engines import engines_for, natively, quiet, start_of
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import Twin, judge, small, twin
from tests.property.set_puzzles import set_puzzles
from tests.property.strategies import aggregate, puzzles

pytestmark = [natively, quiet]

HEURISTICS: list[Any] = [
    count(ANY), total(3, ANY), 2, lambda state: len(state) / 2, lambda state: len(str(state)) % 5,
    lambda state: float("inf") if len(state) > 3 else 1,
]  # fmt: skip


@st.composite
def asked(draw: st.DrawFn, puzzle: Puzzle) -> dict[str, Any]:
    names = ["breadth_first", "uniform_cost", "astar", "greedy", "beam", "depth_first",
             "idastar", "paths"]  # fmt: skip
    name = draw(st.sampled_from(names))
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
        given["minimize"] = aggregate(draw, {}, list(start_of(puzzle).items))
    given["min_depth"] = 0 if name == "idastar" else draw(st.sampled_from([0, 0, 0, 1, 2]))
    # a cycle makes endlessly many paths of a few states, so `max_states` alone does not end them
    ends = name in ("idastar", "paths")
    if not (costly(puzzle) and by_cost) and (ends or draw(st.booleans())):
        given["max_depth"] = draw(st.sampled_from([1, 2, 3] if name == "idastar" else [3, 4, 5]))
    given["max_states"] = draw(st.sampled_from([3, 60, 200]))
    given["solutions"] = draw(st.sampled_from([1, 2, None]))
    return given


def outcome(puzzle: Puzzle, given: dict[str, Any], engine: str) -> list[Result] | RewriteError:
    """Return a search and its continuation, or the error."""
    try:
        results = [search(puzzle, engine=engine, **given)]
        if results[0].status == "limit" and results[0].limit in ("max_states", "max_depth"):
            more: dict[str, Any] = {"max_states": 400}
            if "max_depth" in given:
                more["max_depth"] = given["max_depth"] + 1
            results.append(results[0].resume(**more))
    except RewriteError as error:
        return error
    return results


def told(found: list[Result] | RewriteError) -> Any:
    if isinstance(found, RewriteError):
        return type(found), str(found)
    return list(map(facts, found))


def costly(puzzle: Puzzle) -> bool:
    return any(type(rule.cost) is not int or rule.cost != 1 for rule in puzzle.rules)


def defined(puzzle: Puzzle) -> Twin | None:
    """Return the space by the definition; None where it is large, or something in it fails."""
    try:
        return twin(puzzle, 60)
    except RewriteError:
        return None


def agree(puzzle: Puzzle, given: dict[str, Any]) -> None:
    """Hold the search of either engine against the definition, and the native one to itself."""
    note(f"{puzzle.rules}, start={puzzle.start}, goal={puzzle.goal}, {given}")
    space = defined(puzzle)
    by_engine = [outcome(puzzle, given, engine) for engine in engines_for(**given)]
    native = by_engine[-1]
    for found in by_engine:
        if isinstance(found, SearchError):  # of what was asked, before anything was searched
            assert told(found) == told(native)
        elif isinstance(found, RewriteError):
            assert space is None
        elif space is not None:
            for result in found:
                event(f"{result.status}, {'an answer' if result else 'none'}")
                judge(result, space, given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "TABLES", {"split": 0})  # tables without numbers at once
        assert told(outcome(puzzle, given, "native")) == told(native)


@pytest.mark.parametrize("kind", [puzzles(), board_puzzles(), set_puzzles()])
@given(data=st.data())
def test_both_engines_answer_as_defined(kind: Any, data: st.DataObject) -> None:
    puzzle = data.draw(kind)
    agree(puzzle, data.draw(asked(puzzle)))


@given(puzzles() | board_puzzles() | set_puzzles(), st.sampled_from(["python", "native"]))
def test_the_space_is_that_of_the_definition(puzzle: Puzzle, engine: str) -> None:
    space = small(puzzle, 60)
    found = explore(puzzle, engine=engine)
    assert (found.complete, len(found.states)) == (True, len(space.after))
    assert {(found.states[a], found.states[b]) for a, b in found.edges} == space.costs.keys()
