"""Values travel: pickle, copy, and searches in a pool of processes."""

import copy
import multiprocessing
import pickle
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path as FilePath
from typing import Any

import pytest

from rewrite import (
    ANY,
    Puzzle,
    State,
    compare,
    contains,
    distances,
    explore,
    fn,
    interchangeable,
    ints,
    moves,
    replay,
    rule,
    scramble,
    search,
)
from rewrite.errors import ReplayError, RewriteError, RuleError, SearchError
from rewrite.language.conditions import condition
from rewrite.language.expressions import FORMATTED, Splice, Variable
from tests.terms import Box
from tests.unit.travellers import WALK, M, N, S, V, doubled, is_far

ROOT = FilePath(__file__).parents[2]


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


FOUND = search(WALK)
VALUES = [
    State([Box(1), "x", (1, (2, True)), [1, 2]]),
    Box(3),
    WALK,
    WALK.rules[0],
    WALK.goal,
    WALK.never[0] | ~contains(1) & condition(is_far),
    FOUND.path,
    replay(WALK, None, FOUND.path.labels if FOUND.path else []),
    FOUND.path.steps[0] if FOUND.path else None,
    WALK.replace(symmetry=interchangeable("a", "b")),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_that_was_pickled_or_copied_is_the_same(value: Any) -> None:
    for other in (again(value), copy.copy(value), copy.deepcopy(value)):
        assert other == value
        assert type(other) is type(value)
        assert hash(other) == hash(value)
        assert repr(other) == repr(value)


def test_expressions_travel_and_variables_stay_the_same_objects() -> None:
    assert again(M) is M
    assert again(V) is V
    assert again(ANY) is ANY
    assert copy.deepcopy(ANY) is ANY
    for given in (M + N * 2, doubled(M), (Box(M), Splice(Variable("S", "seq"))), S):
        assert again(given).__repr__() == repr(given)
    assert again(doubled) is doubled


def test_a_result_travels_and_says_what_it_loses() -> None:
    stopped = search(WALK, goal=contains(Box(8), ("row", *S)), max_states=3)
    assert stopped.status == "limit"
    other = again(stopped)
    assert (other.states, other.levels, other.rules) == (
        stopped.states, stopped.levels, stopped.rules,
    )  # fmt: skip
    assert "this result was pickled, and the search it could resume stayed" in str(other)
    with pytest.raises(
        SearchError, match=r"nothing to resume: this result was pickled.*Search aga"
    ):
        other.resume()
    assert again(other).notes == other.notes
    copied = copy.deepcopy(stopped)
    copied.levels.append(7)
    assert copied.levels != stopped.levels
    assert copied.resume().status == "found"
    assert again(FOUND).paths == FOUND.paths
    assert str(again(FOUND)) == str(FOUND)


@pytest.mark.parametrize("engine", ["python", "auto"])
def test_distances_and_spaces_travel(engine: str) -> None:
    known = distances(WALK, max_depth=3, engine=engine)
    for other in (again(known), copy.copy(known), copy.deepcopy(known)):
        assert str(other) == str(known)
        assert other.farthest() == known.farthest()
        end = known.farthest()[0]
        assert other.distance(end) == 3
        assert other.path(end) == known.path(end)
    space = explore(WALK, max_depth=3)
    for other in (again(space), copy.deepcopy(space)):
        assert (other.states, other.edges, other.levels) == (
            space.states, space.edges, space.levels,
        )  # fmt: skip
    mixed = scramble(WALK, steps=3, seed=1)
    assert (again(mixed), again(mixed).distance) == (mixed, mixed.distance)
    compared = compare(WALK, strategies=["breadth_first", "uniform_cost"])
    assert str(again(compared)) == str(compared)


def test_errors_travel_with_their_facts() -> None:
    with pytest.raises(ReplayError) as raised:
        replay(WALK, None, ["no such step"])
    for other in (again(raised.value), copy.copy(raised.value)):
        assert str(other) == str(raised.value)
        assert (other.step, other.moves) == (raised.value.step, raised.value.moves)


def local(n: int) -> Any:
    @fn
    def inner(m: int) -> int:
        return m + n

    return inner


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            lambda: WALK.replace(goal=lambda state: True),
            "the condition <lambda> cannot be sent to another process",
        ),
        (lambda: local(1)(M), "the @fn function inner cannot be sent to another process"),
        (
            lambda: WALK.replace(show=lambda state: ""),
            "walk: the view show= cannot be sent to another process",
        ),
    ],
)
def test_what_cannot_travel_says_why(value: Any, text: str) -> None:
    with pytest.raises(RuleError, match=f"{re.escape(text)}.*at the top level of a module"):
        pickle.dumps(value())


def solved(puzzle: Puzzle, start: State) -> Any:
    found = search(puzzle, start)
    return found, [str(step) for step in found.path or ()], str(puzzle.rules[0])


def test_searches_run_in_a_pool_of_processes() -> None:
    starts = [State([Box(at), ("row", 1)]) for at in range(3)]
    here = [search(WALK, start) for start in starts]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        there = list(pool.map(solved, [WALK] * 3, starts))
    assert [str(found.path) for found, _, _ in there] == [str(one.path) for one in here]
    assert [labels for _, labels, _ in there] == [one.path.labels for one in here if one.path]


def test_a_goal_that_cannot_travel_fails_with_our_error_in_a_pool() -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        job = pool.submit(solved, WALK.replace(goal=lambda state: True), State([Box(1)]))
        with pytest.raises(RewriteError, match="cannot be sent to another process"):
            job.result()


def test_labels_are_filled_in_by_a_process_that_never_saw_them_written(tmp_path: Any) -> None:
    x, y = ints("x y")
    puzzle = Puzzle(rule(f"{x} and {y} make {x * y:>3}", take=[x, y], put=[x * y]), start=[2, 3])
    file = tmp_path / "puzzle"
    file.write_bytes(pickle.dumps(puzzle))
    code = (
        "import pickle, sys; from rewrite import *\n"
        "puzzle = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print([step.label for step in moves(puzzle, puzzle.start)])\n"
        "print([step.label for step in moves(puzzle.replace(never=contains(1)), puzzle.start)])\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, cwd=ROOT
    )
    expected = str([step.label for step in moves(puzzle, puzzle.start)])
    assert told.stdout.splitlines() == [expected, expected], told.stderr
    assert FORMATTED
