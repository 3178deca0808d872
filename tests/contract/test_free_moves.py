"""Free moves: what is counted, what a result tells, and what is refused."""

import pathlib
import pickle
from typing import Any

import pytest

from puzzles import PUZZLES
from puzzles.sokoban import Box, Floor, Player, Target
from rewrite.budget import Budget, Stopped
from rewrite.errors import RuleError, SearchError
from rewrite.language.conditions import contains, lacks, terminal
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.symmetry import relabel
from rewrite.native import core_or_none
from rewrite.results.path import Path
from rewrite.results.result import Result
from rewrite.search.api import search, solutions
from rewrite.search.classes import NOTE
from tests.engines import ENGINES, natively

P, Q = ints("P Q")

LEVEL = PUZZLES["sokoban"]("pushes")
WALKED = PUZZLES["sokoban"]()
PUSHES = 8
"""The first level of Microban: the least number of pushes in all 639 states, by hand-written
breadth-first search."""

ICE = Puzzle(
    rule(f"slip {P}", take=[Player(P)], put=[Player(P + 1)], when=P < 5, free=True),
    rule("back", take=[Player(5)], put=[Player(0)]),
    start=[Player(0)],
    goal=contains(Player(9)),
    name="ice",
)
"""Nobody slips back."""


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_only_counted_steps_count(engine: str) -> None:
    result = search(LEVEL, engine=engine)
    path = result.paths[0]
    assert str(result).startswith("33 steps, cheapest, cost 8 (52 states, ")
    assert sum(label.isupper() for label in path.labels) == path.cost == result.depth == PUSHES
    assert [step.cost for step in path] == [int(label.isupper()) for label in path.labels]
    assert len(result.levels) == PUSHES  # the last one is not finished


def test_between_two_pushes_the_walk_is_a_shortest_one(engine: str) -> None:
    path = search(LEVEL, engine=engine).paths[0]
    walked = WALKED.replace(rules=[one for one in WALKED.rules if one.name == "walk"])
    begin = 0
    for at, step in enumerate(path):
        if step.label.isupper():
            there = search(walked, path.states[begin], [path.states[at]])
            assert len(there.paths[0]) == at - begin
            begin = at + 1


def test_max_depth_counts_counted_steps(engine: str) -> None:
    short = search(LEVEL, engine=engine, max_depth=PUSHES - 1)
    assert (short.status, short.limit, short.depth) == ("limit", "max_depth", PUSHES - 1)
    assert search(LEVEL, engine=engine, max_depth=PUSHES).paths[0].cost == PUSHES
    assert short.resume(max_depth=PUSHES).paths[0].cost == PUSHES


def told(result: Result) -> tuple[Any, ...]:
    return (result.paths[0].labels, result.states, result.expanded, result.rules)


def test_a_class_is_one_answer(engine: str) -> None:
    every = search(LEVEL, engine=engine, solutions=None)
    assert (every.status, every.states) == ("exhausted", 56)
    assert [path.cost for path in every.paths] == [PUSHES]
    assert [path.cost for path in solutions(LEVEL, engine=engine)] == [PUSHES]


def test_a_path_ends_in_a_state_that_meets_the_goal(engine: str) -> None:
    corner = lacks(Box(P), absent=Target(P)) & contains(Player(8))
    result = search(LEVEL, goal=corner, engine=engine)
    assert Player(8) in result.paths[0].end
    assert result.paths[0].cost == PUSHES
    found = search(LEVEL, goal=contains(Player(P), Box(P + 1), Box(P + 7)), engine=engine)
    end = found.paths[0].end
    assert found.bindings["P"] == next(one.cell for one in end if type(one) is Player)


def test_a_way_back_to_the_class_of_the_start(engine: str) -> None:
    again = search(LEVEL, goal=LEVEL.start, min_depth=1, engine=engine)
    path = again.paths[0]
    assert (path.cost, path.start, path.end) == (2, LEVEL.start, LEVEL.start)


def test_free_moves_count_as_often_as_they_can_be_made(engine: str) -> None:
    row = PUZZLES["sokoban"]("pushes", "######", "#@$ .#", "#    #", "######")
    result = search(row, engine=engine, strategy="breadth_first", max_depth=0)
    assert (result.states, result.expanded) == (1, 0)
    result = search(row, engine=engine, strategy="breadth_first", goal=lambda state: False)
    assert result.rules["walk"].fired > result.rules["push"].fired > 0


def test_a_move_without_a_way_back_is_refused(engine: str) -> None:
    with pytest.raises(RuleError) as caught:
        search(ICE, engine=engine)
    assert str(caught.value) == (
        "rule 'slip {P}': free moves can be taken back, but one leads from [Player(0)] to "
        "[Player(1)], and no free moves lead back from there. Add the rule that takes it back, or "
        "leave free=True out: cost=0 does not count either"
    )
    with pytest.raises(SearchError, match="it is not proved that there every free move"):
        search(ICE, strategy="bidirectional", engine=engine)


def test_it_is_refused_where_it_is_met_and_not_before(engine: str) -> None:
    trap = rule("trap", take=[Player(31)], put=[Player(8)], absent=[Box(31)], free=True)
    rules = [*LEVEL.rules, trap]
    assert search(LEVEL.replace(rules=rules), goal=LEVEL.start, engine=engine)
    deep = LEVEL.replace(rules=rules, start=[Player(8), Box(9), Box(31)])
    with pytest.raises(RuleError, match="rule 'trap'"):
        search(deep, goal=lambda state: False, engine=engine)


def test_what_cannot_go_by_classes_goes_by_cost(engine: str) -> None:
    never = LEVEL.replace(never=contains(Box(P), Player(P)))
    result = search(never, engine=engine)
    assert (result.strategy, result.paths[0].cost) == ("uniform_cost", PUSHES)
    assert result.notes[0] == "free moves are steps of cost 0: never= forbids states among them"
    with pytest.raises(SearchError, match=r"goes by the number of steps\. Use"):
        search(never, strategy="breadth_first", engine=engine)
    with pytest.raises(SearchError, match="max_depth=9 cannot tell them from counted ones"):
        search(never, max_depth=9, engine=engine)
    assert search(LEVEL, goal=terminal(), engine=engine).status == "exhausted"


def test_more_states_than_a_class_may_have_go_by_cost(engine: str) -> None:
    walkers = [Player(100 * number) for number in range(3)]
    step = rule("on", take=[Player(P)], put=[Player(P + 1)], when=P % 100 < 60, free=True)
    back = rule("back", take=[Player(P)], put=[Player(P - 1)], when=P % 100 > 0, free=True)
    many = Puzzle(step, back, start=walkers, goal=contains(Player(3), Player(101)), name="many")
    result = search(many, engine=engine)
    assert (result.paths[0].cost, len(result.paths[0])) == (0, 4)
    assert NOTE not in result.notes


def test_symmetry_joins_classes_too(engine: str) -> None:
    rows = ("#######", "#.   .#", "# $@$ #", "#     #", "#######")
    level = PUZZLES["sokoban"]("pushes", *rows)
    mirror = relabel(*[
        change
        for kind in (Player, Box)
        for change in (kind(P), kind(P // 8 * 8 + 6 - P % 8))
    ])  # fmt: skip
    plain = search(level, engine=engine, goal=lambda state: False)
    found = search(level, engine=engine, symmetry="find", strategy="breadth_first")
    assert found.paths[0].cost == search(level, engine=engine).paths[0].cost
    assert any("2 found symmetries" in note for note in found.notes)
    declared = search(level.replace(symmetry=[mirror]), engine=engine, strategy="breadth_first")
    assert declared.states == found.states < plain.states


N = ints("N")
ON = rule("on", take=[Player(N)], put=[Player((N + 1) % 5)], free=True)
BACK = rule("back", take=[Player(N)], put=[Player((N + 4) % 5)], free=True)
STAY = rule("stay", take=[Player(N)], put=[Player(N)], free=True)
REST = rule("rest", take=[Box(P)], put=[Box(P)], free=True)
LIFT = rule("lift", take=[Box(P)], put=[Box(P + 1)], when=P < 3)


@pytest.mark.parametrize("strategy", ["breadth_first", "bidirectional", "uniform_cost"])
def test_a_free_move_that_changes_nothing_is_counted(engine: str, strategy: str) -> None:
    alone = Puzzle(STAY, REST, LIFT, start=[Player(2), Box(0)], goal=contains(Box(3)))
    found = search(alone, engine=engine, strategy=strategy)
    assert (found.paths[0].cost, found.states, NOTE in found.notes) == (3, 4, True)
    beside = alone.replace(rules=[ON, BACK, *alone.rules], goal=contains(Box(9)))
    whole = search(beside, engine=engine, strategy="breadth_first")
    fired = {name: rule.fired for name, rule in whole.rules.items()}
    assert fired == {"on": 20, "back": 20, "stay": 20, "rest": 20, "lift": 15}
    assert (whole.status, whole.states) == ("exhausted", 4)


def test_a_step_that_counts_is_told_where_a_free_move_does_the_same(engine: str) -> None:
    hop = rule("hop", take=[Player(1)], put=[Player(2)])
    alike = rule("on", take=[Player(1)], put=[Player(2)])
    puzzle = Puzzle(ON, BACK, hop, start=[Player(1)], goal=contains(Player(2)))
    found = search(puzzle.replace(rules=[ON, BACK, alike]), engine=engine, min_depth=1)
    same_label = found.paths[0]
    assert Path.from_json(same_label.to_json(), same_label.puzzle).cost == same_label.cost == 1
    for strategy in ("auto", "breadth_first", "uniform_cost"):
        result = search(puzzle, engine=engine, strategy=strategy, min_depth=1)
        path = result.paths[0]
        travelled = pickle.loads(pickle.dumps(path))  # before anybody has looked at its steps
        assert (path.labels, path.cost, result.depth) == (["hop"], 1, 1)
        again = Path.from_json(path.to_json(), puzzle)
        assert [path.labels, path.cost] == [again.labels, again.cost]
        assert (travelled.labels, travelled.cost) == (["hop"], 1)
    around = search(puzzle, goal=contains(Player(4)), engine=engine, min_depth=1)
    assert around.paths[0].labels in (["hop", "on", "on"], ["hop", "back", "back", "back"])
    assert search(puzzle, engine=engine).paths[0].labels == ["on"]
    with pytest.raises(SearchError, match="min_depth=1 cannot tell them from counted ones"):
        search(puzzle.replace(never=contains(Player(3))), engine=engine, min_depth=1)


STAGES: tuple[dict[str, Any], ...] = (
    {"strategy": "breadth_first"},
    {"strategy": "bidirectional"},
    {"strategy": "uniform_cost"},
    {"strategy": "astar", "heuristic": 0},
    {"strategy": "greedy", "heuristic": 0},
)
CELLS = 61
LAMPS = Puzzle(
    rule("on", take=[Player(N)], put=[Player(N + 1)], when=N < CELLS - 1, free=True),
    rule("back", take=[Player(N)], put=[Player(N - 1)], when=N > 0, free=True),
    rule("double", keep=[Player(3)], take=[Box(P)], put=[Box(P * 2)], when=P < 16),
    rule("one more", keep=[Player(7)], take=[Box(P)], put=[Box(P + 1)], when=P < 30),
    start=[Player(0), Box(1)],
    goal=contains(Box(29), Player(30)),
)
"""Classes of 61 states, from each of which steps lead to two others."""


class Stops:
    """Stops each call after so many ticks, where it goes on with a search, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
        self.most, self.ticks, self.why = 10**9, 0, why
        self.budget: Budget | None = None
        self.left = 0
        monkeypatch.setattr(Budget, "tick", lambda budget, work: self.tick(budget))

    def tick(self, budget: Budget) -> None:
        if budget is not self.budget:
            self.budget, self.left = budget, self.most
        self.ticks += 1
        self.left -= 1
        if self.left < 0 and not budget.doing:
            raise Stopped(self.why)


@pytest.mark.parametrize("options", STAGES, ids=repr)
@pytest.mark.parametrize("why", ["max_seconds", "max_memory", "interrupted"])
def test_every_call_goes_on_where_the_one_before_was_stopped(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], why: str
) -> None:
    stops = Stops(monkeypatch, why)
    result = search(LAMPS, engine="python", max_states=1, **options)
    assert result.limit == "max_states"
    stops.ticks = 0
    whole = result.resume(max_states=None)
    whole_ticks = stops.ticks
    result = search(LAMPS, engine="python", max_states=1, **options)
    stops.most, calls = 4 * CELLS, 0
    while not result:
        result, calls = result.resume(max_states=None), calls + 1
        assert (calls - 2) * 2 * CELLS < whole_ticks  # two classes are flooded anew at most
    assert calls > 5
    assert told(result) == told(whole)


def test_bindings_that_were_being_found_are_found_by_the_next_call(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"strategy": "breadth_first", "solutions": None, "engine": engine}
    given["goal"] = contains(Player(N), Box(P), when=(N > 50) & (P > 27))
    whole = search(LAMPS, **given)
    result, calls = search(LAMPS, max_states=1, **given), 0
    Stops(monkeypatch, "max_seconds").most = 3 * CELLS
    while result.limit and calls < 100:
        result, calls = result.resume(max_states=None), calls + 1
    assert calls > 3
    assert [path.bindings for path in result.paths] == [
        {"N": 51, "P": value} for value in (28, 29, 30)
    ]
    assert told(result) == told(whole)


@natively
def test_a_search_over_classes_is_kept(tmp_path: pathlib.Path) -> None:
    assert search(LEVEL, max_states=20, checkpoint=tmp_path / "kept").limit == "max_states"
    again = search(LEVEL, checkpoint=tmp_path / "kept")
    assert told(again) == told(search(LEVEL))


def test_what_does_not_go_with_free_moves_is_refused() -> None:
    with pytest.raises(SearchError, match="free moves can be made in ever new ways"):
        search(LEVEL, distinct="paths")
    if core_or_none():
        with pytest.raises(SearchError, match="which does not join states by free moves"):
            search(LEVEL, engine="ray", partitions=2)
    with pytest.raises(RuleError, match="free=True and cost=3: free moves are not counted"):
        rule("walk", take=[Player(P)], put=[Player(P + 1)], free=True, cost=3)
    with pytest.raises(RuleError, match="free=1 must be True or False"):
        rule("walk", take=[Player(P)], put=[Player(P + 1)], free=1)  # type: ignore[arg-type]


def test_rules_that_differ_in_that_alone_are_two() -> None:
    parts: dict[str, Any] = {"keep": [Floor(P + 1)], "take": [Player(P)], "put": [Player(P + 1)]}
    free, costless = rule("on", **parts, free=True), rule("on", **parts, cost=0)
    assert free != costless
    assert "free=True" in repr(free)
    assert "cost" not in repr(free)
    assert pickle.loads(pickle.dumps(free)) == free


def test_a_goal_that_fails_in_a_state_of_a_class_is_told_by_the_definition(engine: str) -> None:
    def fails(state: Any) -> bool:
        if Player(2) in state:
            raise ValueError("boom")
        return False

    steps = [
        rule("on", take=[Player(P)], put=[Player(P + 1)], when=P < 3, free=True),
        rule("back", take=[Player(P)], put=[Player(P - 1)], when=P > 0, free=True),
        rule("lift", take=[Box(P)], put=[Box(P + 1)], when=P < 3),
    ]
    puzzle = Puzzle(*steps, start=[Player(0), Box(0)], goal=fails)
    with pytest.raises(RuleError, match=r"in state \[Box\(0\), Player\(2\)\]: ValueError: boom"):
        search(puzzle, engine=engine)
