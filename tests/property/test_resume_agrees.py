"""A search that is stopped and resumed ends as one that was not stopped: on both engines.

Where it was stopped by anything but `max_depth`, that is true to the digit. A depth that was raised
later leads strategies that do not go level by level elsewhere first: there only answers are the
same.
"""

from typing import Any

from attrs import evolve
from hypothesis import assume, given, note
from hypothesis import strategies as st

from rewrite import ANY, Puzzle, Result, RewriteError, count, search
from tests.answers import facts
from tests.engines import ENGINES, engines_for, quiet
from tests.property.board_puzzles import board_puzzles
from tests.property.strategies import puzzles

pytestmark = quiet
DEPTH, STATES = 4, 500
BY_LEVEL = ["breadth_first", "paths", "beam"]
BOTH_HAVE = ["breadth_first", "uniform_cost", "astar", "greedy"]
STRATEGIES = [*BY_LEVEL, "uniform_cost", "astar", "greedy", "depth_first", "idastar"]
HEURISTICS: list[Any] = [count(ANY), 2, lambda state: len(str(state)) % 5]


@st.composite
def asked(draw: st.DrawFn) -> tuple[Puzzle, dict[str, Any]]:
    """A puzzle whose steps cost 1, and arguments of a search for all its goals within a depth."""
    puzzle = draw(st.one_of(puzzles(), board_puzzles()))
    assume(puzzle.goal is not None)
    name = draw(st.sampled_from(STRATEGIES if "native" in ENGINES else BOTH_HAVE))
    given: dict[str, Any] = {"strategy": name, "solutions": None, "max_depth": DEPTH}
    if name == "paths":
        given |= {"strategy": "breadth_first", "distinct": "paths"}
    if name in ("astar", "greedy", "beam"):
        given["heuristic"] = draw(st.sampled_from(HEURISTICS))
    elif name == "idastar":
        given["heuristic"] = draw(st.sampled_from([None, *HEURISTICS]))
    if name == "beam":
        given["width"] = draw(st.integers(1, 5))
    given["engine"] = draw(st.sampled_from(engines_for(**given)))
    rules = tuple(evolve(rule, cost=1) for rule in puzzle.rules)
    return puzzle.replace(rules=rules), given


def searched(puzzle: Puzzle, **given: Any) -> Result:
    note(f"{puzzle.rules}, start={puzzle.start}, goal={puzzle.goal}, {given}")
    try:
        return search(puzzle, **given)
    except RewriteError:
        assume(False)
        raise


@given(asked(), st.lists(st.integers(1, 60), min_size=1, max_size=3))
def test_a_search_that_max_states_stopped_ends_as_if_it_had_not(
    question: tuple[Puzzle, dict[str, Any]], stops: list[int]
) -> None:
    puzzle, given = question
    whole = searched(puzzle, **given, max_states=STATES)
    assume(whole.limit != "max_states")
    result = searched(puzzle, **given, max_states=min(stops))
    for more in sorted(stops)[1:]:
        if result.limit == "max_states":
            result = result.resume(max_states=more)
    if result.limit == "max_states":
        result = result.resume(max_states=STATES)
    assert facts(result) == facts(whole)


@given(asked(), st.integers(0, DEPTH - 1))
def test_a_search_whose_max_depth_is_raised_gives_every_answer_once(
    question: tuple[Puzzle, dict[str, Any]], depth: int
) -> None:
    puzzle, given = question
    whole = searched(puzzle, **given, max_states=STATES)
    assume(whole.limit != "max_states")
    result = searched(puzzle, **given | {"max_depth": depth}, max_states=STATES)
    resumed = result.limit == "max_depth"
    if resumed:
        result = result.resume(max_depth=DEPTH)
    if resumed and given["strategy"] in BY_LEVEL:  # "paths" goes by the name of breadth_first
        assert facts(result) == facts(whole)
        return
    wanted, found = (sorted((path.end, str(path.bindings)) for path in one.paths)
                     for one in (whole, result))  # fmt: skip
    assert found == wanted
    assert (result.status, result.limit) == (whole.status, whole.limit)
    if given["strategy"] != "idastar":
        assert result.states == whole.states
