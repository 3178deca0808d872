"""hardest: what is said of whole spaces, of parts, and of what cannot be."""

import copy
import json
import pickle
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import (
    ANY,
    Hardest,
    RewriteWarning,
    SearchError,
    hardest,
    interchangeable,
    rate,
)
from rewrite.errors import RuleError, StateError
from rewrite.language.conditions import contains, exactly, terminal
from rewrite.language.functions import fn, ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.search.tasks import hardest as module
from rewrite.search.tasks import reach
from tests.contract.graphs import At, place, plain
from tests.engines import every_engine, natively

M, N = ints("M N")
FORK = plain((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 5), (5, 4)).replace(goal=place(3))
"""A ring of 0 to 3 with a way out of it to 4 and 5, from where none leads back."""
COUNT = Puzzle(
    rule(f"to {N + 1}", take=[N], put=[N + 1], when=N < 9), start=[0], goal=exactly(9), name="count"
)
ENDLESS = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1]), start=[0], goal=exactly(9))


@every_engine
def test_distances_lead_to_the_goal_and_not_from_the_start(engine: str) -> None:
    found = hardest(FORK, engine=engine)
    assert (found.states, found.levels, found.depth, found.number) == (6, (1, 1, 1, 1), 3, 1)
    assert (found.solvable, found.hopeless) == (4, 2)
    assert found.farthest == (State([At(0)]),)
    assert (found.complete, found.limit, found.engine) == (True, None, engine)
    assert found.path().labels == ["0 to 1", "1 to 2", "2 to 3"]
    assert found.path([At(2)]).labels == ["2 to 3"]
    with pytest.raises(SearchError, match=r"graph: no path from \[At\(4\)\] to a goal"):
        found.path([At(4)])


@every_engine
@pytest.mark.parametrize("puzzle", [FORK, plain((0, 1), (1, 0)).replace(goal=place(1))])
def test_as_many_states_as_one_likes_may_be_asked_for(engine: str, puzzle: Puzzle) -> None:
    found = hardest(puzzle, engine=engine, most=10**40)
    assert found.farthest == (State([At(0)]),)


@every_engine
def test_there_may_be_several_goals_and_the_start_may_be_one(engine: str) -> None:
    found = hardest(FORK, [At(3)], place(3) | place(5), engine=engine)
    assert (found.levels, found.hopeless) == ((2, 2, 2), 0)
    assert found.farthest == (State([At(0)]), State([At(1)]))
    assert hardest(FORK, [At(4)], terminal() | place(4), engine=engine).levels == (1, 1)


@every_engine
def test_a_goal_that_never_comes_up_is_told_and_is_no_error(engine: str) -> None:
    found = hardest(FORK, goal=place(9), engine=engine)
    assert not found
    assert (found.levels, found.farthest, found.depth, found.number) == ((), (), None, 0)
    assert (found.complete, found.solvable, found.hopeless) == (True, 0, 6)
    assert str(found).startswith("no goal can be reached: all 6 states seen (")
    with pytest.raises(SearchError, match=r"graph: no goal can be reached.*give path\(state\)"):
        found.path()
    with pytest.warns(RewriteWarning, match="nothing makes"):
        hardest(FORK, goal=contains("x"), engine=engine)


@every_engine
@pytest.mark.parametrize("limit", [{"max_states": 5}, {"max_seconds": 0}, {"max_memory": 1}])
def test_with_a_limit_nothing_is_claimed(engine: str, limit: dict[str, Any]) -> None:
    endless = hardest(ENDLESS, engine=engine, **limit)
    ((name, value),) = limit.items()
    assert (endless.complete, endless.limit) == (False, f"{name}={value}")
    assert (endless.levels, endless.farthest, endless.depth) == ((), (), None)
    assert (endless.solvable, endless.hopeless) == (None, None)
    assert not endless
    assert str(endless).startswith(f"stopped by {name}={value}: nothing is known before all are")
    with pytest.raises(SearchError, match=r"stopped by"):
        endless.path()


@natively
@pytest.mark.parametrize("limit", [{"max_states": 500}, {"max_seconds": 0}])
def test_with_a_limit_nothing_is_claimed_from_the_goal_either(limit: dict[str, Any]) -> None:
    found = hardest(PUZZLES["eight_puzzle"](), **limit)
    assert (found.complete, found.levels, found.farthest) == (False, (), ())
    ((name, value),) = limit.items()
    assert found.limit == f"{name}={value}"


def test_a_limit_while_the_edges_are_read_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "BETWEEN_LOOKS", 2)
    real, asked = reach.Numbered.successors, list[object]()

    def slow(self: Any, run: Any, code: object) -> list[int]:
        asked.append(code)
        if len(asked) == 4:
            run.watch.budget.stop()  # as Ctrl-C does
        return real(self, run, code)

    monkeypatch.setattr(reach.Numbered, "successors", slow)
    found = hardest(COUNT)
    assert (found.complete, found.limit, found.states) == (False, "Ctrl-C", 10)
    assert len(asked) == 4


@natively
def test_one_goal_and_moves_that_can_be_undone_need_no_graph(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    eight = PUZZLES["eight_puzzle"]()
    slow = hardest(eight, engine="python")
    monkeypatch.setattr(module, "Reach", None)
    fast = hardest(eight)
    assert (fast.levels, fast.farthest, fast.states) == (slow.levels, slow.farthest, 181_440)
    assert fast.path().states != ()
    assert fast.path().bindings == slow.path().bindings
    assert len(fast.path().labels) == len(slow.path().labels) == 31
    assert hardest(eight, most=0).farthest == ()


def test_states_that_are_alike_count_once_and_are_real_ones() -> None:
    lights = PUZZLES["lights_out"]("3")
    all_of_them = hardest(lights, symmetry="none")
    once = hardest(lights, symmetry="find")
    assert once.depth == all_of_them.depth
    assert once.states < all_of_them.states
    assert {*once.farthest} <= {*all_of_them.farthest}
    assert once.notes[0].startswith("states are counted up to symmetry: ")
    assert f"note: {once.notes[0]}" in str(once)
    assert len(once.path().labels) == once.depth


@every_engine
def test_a_path_uses_no_symmetry_that_was_not_to_be_used(engine: str) -> None:
    """`up` names one of two texts that are declared interchangeable: refused where it is used."""
    up = rule(f"up {N}", take=[("a", N)], put=[("a", N + 1)], when=N < 2)
    puzzle = Puzzle(up, start=[("a", 0), ("b", 0)], symmetry=interchangeable("a", "b"))
    found = hardest(puzzle, goal=contains((ANY, 2)), engine=engine, symmetry="none")
    assert found.levels == (1, 1, 1)
    assert len(found.path()) == 2


def test_no_more_states_are_given_than_were_asked_for() -> None:
    hanoi = PUZZLES["hanoi"]("3", "3")
    few = hardest(hanoi, most=2)
    assert (len(few.farthest), few.number) == (2, 8)
    assert "… 6 more" in str(few).splitlines()
    assert len([*few.lines(1)]) == 4
    assert [*few.farthest] == sorted(few.farthest)
    assert len(hardest(hanoi).farthest) == 8
    many = hardest(PUZZLES["hanoi"]("3", "4"))
    assert (len(many.farthest), len(str(many).splitlines())) == (16, 2 + 10 + 1)


@pytest.mark.parametrize("most", [-1, True, "3", None])
def test_most_is_a_number(most: Any) -> None:
    with pytest.raises(SearchError, match=r"hardest\(…, most=.*\): most is a whole number of 0 or"):
        hardest(COUNT, most=most)


def test_what_is_missing_or_wrong_is_named() -> None:
    with pytest.raises(SearchError, match=r"count: how far from what\? Give hardest\(puzzle, "):
        hardest(COUNT.replace(goal=None))
    with pytest.raises(SearchError, match=r"count: where to start\? Give hardest\(puzzle, start"):
        hardest(COUNT.replace(start=None))
    with pytest.raises(SearchError, match=r"hardest\(…, max_depth=…\): there is no max_depth"):
        hardest(COUNT, max_depth=3)  # type: ignore[call-arg]
    with pytest.raises(StateError, match=r"Are start and goal swapped\?"):
        hardest(COUNT, exactly(9), [0])
    with pytest.raises(SearchError, match=r"engine='rust' is unknown"):
        hardest(COUNT, engine="rust")
    with pytest.raises(SearchError, match=r"symmetry='all' is unknown"):
        hardest(COUNT, symmetry="all")


@every_engine
def test_a_user_function_that_fails_is_named_with_the_state(engine: str) -> None:
    def judge(state: State) -> bool:
        if 4 in state:
            raise KeyError("four")
        return 9 in state

    with pytest.raises(RuleError, match=r"failed in .*judge.*\[4\].*KeyError: 'four'"):
        hardest(COUNT, goal=judge, engine=engine)

    @fn
    def half(number: int) -> int:
        return {0: 1, 1: 2, 2: 3}[number]

    failing = Puzzle(rule("on", take=[N], put=[half(N)]), start=[0], goal=exactly(9))
    with pytest.raises(RuleError, match=r"rule 'on' failed in half\(3\) .*in state \[3\]: Key"):
        hardest(failing, engine=engine)
    with pytest.raises(RuleError, match=r"rule 'on' failed in half\(3\) .*in state \[3\]: Key"):
        rate(failing, engine=engine)


@every_engine
def test_a_start_that_never_forbids_is_no_state_that_steps_lead_to(engine: str) -> None:
    ring = plain((0, 1), (1, 2), (2, 0), (2, 3)).replace(goal=place(3), never=place(0))
    found = hardest(ring, engine=engine)
    assert (found.levels, found.hopeless) == ((1, 1, 1, 1), 0)
    assert hardest(ring, goal=place(0), engine=engine).levels == (1,)


def test_it_travels_and_is_written() -> None:
    for puzzle in (PUZZLES["eight_puzzle"](), FORK):
        found = hardest(puzzle)
        for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
            assert isinstance(other, Hardest)
            assert str(other) == str(found)
            assert len(other.path()) == found.depth
    found = hardest(FORK)
    assert found.to_csv() == "distance,states\r\n0,1\r\n1,1\r\n2,1\r\n3,1\r\n"
    told = json.loads(found.to_json())
    assert (told["rewrite"], told["levels"], told["hopeless"]) == ("hardest", [1, 1, 1, 1], 2)
    assert told["farthest"] == [[[{"term": 0}, 0]]]
    assert repr(found).startswith("<Hardest of graph: 3 steps to a goal at most: 1 of 6 states, al")
    assert str(found).splitlines()[1:] == ["levels: 1, 1, 1, 1", "[At(0)]"]
