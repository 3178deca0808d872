"""rate: the figures of an instance, those of a part of its space, and what cannot be rated."""

import copy
import json
import pickle
from typing import Any

import pytest

from rewrite import Rating, RewriteWarning, SearchError, rate
from rewrite.language.conditions import contains, exactly
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.results.spaces import SPACE, WAY
from rewrite.search.tasks import rate as module
from tests.contract.graphs import At, graph, place, plain
from tests.engines import every_engine, natively

N = ints("N")
MAZE = plain(
    (0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5),  # two ways over 1 and 2, then one
    (4, 6), (6, 7), (7, 4),  # a detour of three steps
    (3, 8), (8, 8), (2, 9),  # two ways into the dark, of which one goes on for ever
    (5, 0),
).replace(goal=place(5), name="maze")  # fmt: skip
ENDLESS = Puzzle(
    rule(f"to {N + 1}", take=[N], put=[N + 1]),
    rule(f"to {2 * N}", take=[N], put=[2 * N]),
    start=[1], goal=exactly(6), name="endless",
)  # fmt: skip


@natively
def test_all_figures_of_a_small_maze() -> None:
    found = rate(MAZE)
    assert (found.length, found.cost, found.shortest_paths, found.solvable) == (4, 4, 2, True)
    assert found.forced == (3, 3)  # at 0 there is a choice
    assert found.branching == (2 + 1 + 2 + 2 + 2) / 5  # of 0, 1, 2, 3 and 4
    assert (found.states, found.goals, found.hopeless, found.dead_ends) == (10, 1, 2, 2)
    assert found.space_branching == 12 / 10  # the step from 8 to itself is none
    assert (found.farthest, found.fatal, found.detour) == (4, 2, 3)
    assert (found.complete, found.limit, found.engine) == (True, None, "native")
    assert found.path is not None
    assert found.path.labels[1:] == [f"{found.path.labels[0][-1]} to 3", "3 to 4", "4 to 5"]


def test_the_python_engine_knows_the_space_and_says_what_it_does_not_count() -> None:
    found = rate(MAZE, engine="python")
    whole = {"length": 4, "cost": 4, "goals": 1, "hopeless": 2, "dead_ends": 2, "farthest": 4,
             "space_branching": 1.2, "fatal": 2, "detour": 3}  # fmt: skip
    known = {name: getattr(found, name) for name in (*WAY, *SPACE)}
    assert {name: value for name, value in known.items() if value is not None} == whole
    assert (found.complete, found.engine) == (True, "python")
    assert found.path is not None
    assert len(found.path) == 4
    [note] = found.notes
    assert note.startswith("counting shortest paths needs the native engine")
    assert str(found).startswith("4 steps, shortest; all 10 states seen (")
    priced = graph([(0, 1, 9), (0, 2, 1), (2, 3, 1), (3, 1, 1)]).replace(goal=place(1))
    found = rate(priced, engine="python")
    assert (found.length, found.cost, found.solvable) == (1, 3, True)


@natively
def test_the_text_has_every_figure() -> None:
    lines = str(rate(MAZE)).splitlines()
    assert lines[0].startswith("4 steps, shortest; all 10 states seen (")
    assert [" ".join(line.split()) for line in lines[1:]] == [
        "shortest solutions 2",
        "forced steps 3 of 4",
        "moves on the way 1.80 on average",
        "fatal moves on the way 2",
        "worst detour on the way 3 steps",
        "moves anywhere 1.20 on average",
        "goal states 1",
        "states without a way to a goal 2",
        "states without moves, no goals 2",
        "farthest from a goal 4 steps",
    ]
    assert repr(rate(MAZE)).startswith("<Rating of maze: 4 steps, shortest; all 10 states seen (")


@every_engine
def test_no_solution_is_proved_and_no_error(engine: str) -> None:
    found = rate(MAZE, goal=place(11), engine=engine)
    assert (found.solvable, found.length, found.shortest_paths) == (False, None, 0)
    assert not found
    assert (found.goals, found.hopeless, found.farthest, found.fatal) == (0, 10, None, None)
    assert str(found).startswith("no solution: all 10 states seen (")
    assert "shortest solutions" not in str(found)
    with pytest.warns(RewriteWarning, match="nothing makes"):
        rate(MAZE, goal=contains("x"), engine=engine)


@natively
def test_an_endless_space_is_rated_as_far_as_a_limit_lets_it() -> None:
    found = rate(ENDLESS, max_states=200)
    assert (found.length, found.shortest_paths, found.forced) == (3, 1, (3, 3))
    assert found.solvable
    assert {name: getattr(found, name) for name in SPACE} == dict.fromkeys(SPACE)
    assert (found.complete, found.limit) == (False, "max_states=200")
    assert found.states >= 200
    assert "seen, stopped by max_states=200 (" in found.summary()


@every_engine
@pytest.mark.parametrize("limit", [{"max_states": 2}, {"max_seconds": 0}, {"max_memory": 1}])
def test_with_a_limit_that_comes_too_early_nothing_is_claimed(
    engine: str, limit: dict[str, Any]
) -> None:
    found = rate(ENDLESS, goal=exactly(-1), engine=engine, **limit)
    ((name, value),) = limit.items()
    assert (found.complete, found.limit, found.solvable) == (False, f"{name}={value}", None)
    assert {one: getattr(found, one) for one in (*WAY, *SPACE)} == dict.fromkeys((*WAY, *SPACE))
    assert str(found).startswith(f"stopped by {name}={value}: no shortest solution is known yet (")
    assert not found


@natively
@pytest.mark.parametrize(
    ("stage", "known"),
    [("_branching", ("length", "forced")), ("_with_cost", WAY)],
)
def test_ctrl_c_between_two_parts_keeps_what_is_known(
    monkeypatch: pytest.MonkeyPatch, stage: str, known: tuple[str, ...]
) -> None:
    real = getattr(module, stage)

    def stopped(*given: Any) -> Any:
        given[-1].stop()  # the budget: as Ctrl-C does
        return real(*given)

    monkeypatch.setattr(module, stage, stopped)
    priced = graph([(0, 1, 2), (1, 2, 2)]).replace(goal=place(2))
    found = rate(priced)
    assert (found.complete, found.limit) == (False, "Ctrl-C")
    there = {name for name in WAY if getattr(found, name) is not None}
    assert there - {"cost"} == {*known, "shortest_paths"} - {"cost"}  # it may be known at once


def test_what_is_missing_is_named() -> None:
    with pytest.raises(SearchError, match=r"maze: how far from what\? Give rate\(puzzle, st"):
        rate(MAZE.replace(goal=None))
    with pytest.raises(SearchError, match=r"maze: where to start\? Give rate\(puzzle, start"):
        rate(MAZE.replace(start=None))
    with pytest.raises(SearchError, match=r"rate\(…, symmetry=…\): there is no symmetry"):
        rate(MAZE, symmetry="find")  # type: ignore[call-arg]


@natively
def test_it_travels_and_is_written() -> None:
    found = rate(MAZE)
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert isinstance(other, Rating)
        assert str(other) == str(found)
        assert (other.path, other.start) == (found.path, State([At(0)]))
    told = json.loads(found.to_json())
    assert (told["rewrite"], told["puzzle"]) == ("rating", "maze")
    assert {name: told[name] for name in (*WAY, *SPACE)} == {
        "length": 4, "cost": 4, "shortest_paths": 2, "forced": [3, 3], "branching": 1.8,
        "goals": 1, "hopeless": 2, "dead_ends": 2, "space_branching": 1.2, "farthest": 4,
        "fatal": 2, "detour": 3,
    }  # fmt: skip
    assert len(told["path"]["states"]) == 5
    part = json.loads(rate(ENDLESS, goal=exactly(-1), max_states=3).to_json())
    assert (part["path"], part["cost"], part["limit"]) == (None, None, "max_states=3")
