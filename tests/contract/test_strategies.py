"""What every strategy of the registry keeps to; a new one is picked up from it."""

import json
from typing import Any

import pytest

from rewrite.errors import RewriteError, SearchError
from rewrite.language.conditions import contains, lowest, total
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.results.replay import replay
from rewrite.results.result import Result
from rewrite.search.api import search
from rewrite.search.strategies import Strategy
from tests.contract.graphs import (
    LINE,
    NOWHERE,
    RING,
    A,
    At,
    M,
    ask,
    complete,
    distances,
    every,
    forgetful,
    graph,
    place,
    plain,
    random_graph,
    seeds,
)
from tests.engines import every_engine, natively


@every
@seeds(4, 12)
def test_an_answer_is_found_wherever_there_is_one_and_it_replays(
    strategy: Strategy, seed: int
) -> None:
    puzzle = plain(*[(a, b) for a, b, _ in random_graph(seed)])
    known = distances(puzzle)
    for number in range(12):
        result = ask(strategy, puzzle, place(number))
        steps = known.get(State([At(number)]))
        assert bool(result) == (steps is not None)
        if steps is None:
            assert result.status == "exhausted"
            assert result.states == len(known)
            assert f"no solution: all {len(known)} state" in result.summary()
            assert result.expanded >= len(known) or not strategy.complete
            continue
        assert result.status == "found"
        assert replay(puzzle, puzzle.start, result.paths[0]).end == State([At(number)])
        assert len(result.paths[0]) >= steps[0]
        if strategy.shortest or strategy.cheapest:
            assert len(result.paths[0]) == steps[0]
        assert result.optimal == (strategy.shortest or strategy.cheapest)
        assert result.depth == len(result.paths[0])
        assert 1 <= result.states <= len(known)


@every
@seeds(4, 12)
def test_the_cheapest_answer_is_found_where_it_is_promised(strategy: Strategy, seed: int) -> None:
    puzzle = graph(random_graph(seed, weights=9))
    for state, (steps, cost) in distances(puzzle).items():
        result = ask(strategy, puzzle, state)
        assert result.paths[0].cost >= cost
        if strategy.cheapest:
            assert result.paths[0].cost == cost
            assert result.optimal
        else:
            assert not result.optimal
        if strategy.shortest:
            assert len(result.paths[0]) == steps


@every
def test_the_start_is_tested_first(strategy: Strategy) -> None:
    result = ask(strategy, RING, place(0))
    assert (result.status, len(result.paths[0]), result.states) == ("found", 0, 1)
    assert "0 steps, the start is a goal" in str(result)


@every
def test_a_space_of_one_state_is_exhausted_at_once(strategy: Strategy) -> None:
    puzzle = LINE.replace(start=[At(77)])
    result = ask(strategy, puzzle, NOWHERE)
    assert (result.status, result.states, result.levels) == ("exhausted", 1, [1])
    assert "no solution: all 1 state seen" in result.summary()


@natively
def test_the_seed_of_a_depth_first_search_fixes_its_way() -> None:
    def walk(seed: int) -> Any:
        return search(RING, None, place(4), strategy="depth_first", seed=seed).path

    assert [walk(seed) for seed in range(10)] == [walk(seed) for seed in range(10)]
    assert len({walk(seed).states for seed in range(10)}) > 1


@every
def test_the_same_search_gives_the_same_answer_and_the_same_counts(strategy: Strategy) -> None:
    one, two = (ask(strategy, RING, place(5), solutions=None) for _ in range(2))
    assert (one.paths, one.states, one.expanded, one.levels, one.rules) == (
        two.paths, two.states, two.expanded, two.levels, two.rules,
    )  # fmt: skip
    assert one.paths[0].states == two.paths[0].states


@every
def test_terms_of_a_type_that_first_come_up_deep_in_the_search_are_no_trouble(
    strategy: Strategy,
) -> None:
    from rewrite.language.functions import fn

    @fn
    def label(number: int) -> Any:
        return At(number) if number == 3 else ("x", number) if number == 4 else number

    puzzle = Puzzle(
        rule("step", take=[M], put=[label(M + 1)]),
        rule("back", take=[At(M)], put=[label(M + 1), True]),
        start=[0],
    )
    result = ask(strategy, puzzle, NOWHERE)
    assert (result.status, result.states) == ("exhausted", 5)
    found = ask(strategy, puzzle, contains(("x", 4), True))
    assert len(found.paths[0]) == 4


@every
def test_an_error_in_the_middle_of_a_search_is_an_error_of_this_library(
    strategy: Strategy,
) -> None:
    def goal(state: State) -> bool:
        return bool(1 // (3 - next(iter(state)).place)) and False

    with pytest.raises(RewriteError, match=r"ZeroDivisionError|division") as caught:
        ask(strategy, LINE, goal)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@forgetful
@pytest.mark.parametrize("seed", range(8))
def test_the_cheapest_answer_is_found_or_none_is_proved(strategy: Strategy, seed: int) -> None:
    puzzle = graph(random_graph(seed, places=7, weights=5))
    known = distances(puzzle)
    for number in range(7):
        result = ask(strategy, puzzle, place(number))
        costs = [cost for state, (_, cost) in known.items() if state.count(At(number))]
        assert ([result.path.cost] if result.path else []) == costs
        assert result.optimal == bool(costs)
        if not costs:
            assert result.status == "exhausted"
            assert "no solution: all paths followed (the longest through " in result.summary()


@forgetful
def test_a_strategy_without_memory_holds_no_more_than_its_path(strategy: Strategy) -> None:
    for number, steps in ((4, 2), (5, 3)):
        result = ask(strategy, RING, place(number))
        assert (len(result.paths[0]), result.optimal) == (steps, True)
        assert result.states <= steps + 2
    everything = ask(strategy, RING, NOWHERE)
    assert everything.expanded > everything.states


@forgetful
def test_a_strategy_without_memory_finds_the_cheapest_within_max_depth(strategy: Strategy) -> None:
    puzzle = graph([(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 9), (1, 3, 5)])
    found = [ask(strategy, puzzle, place(3), max_depth=bound) for bound in (1, 2, 3)]
    assert [one.path.cost for one in found if one.path] == [9, 6, 3]
    nothing = ask(strategy, puzzle, place(3), max_depth=0)
    assert (nothing.status, nothing.limit) == ("limit", "max_depth")
    resumed = nothing.resume(max_depth=2)
    assert resumed.paths[0].cost == 6


@forgetful
def test_a_strategy_without_memory_refuses_what_asks_for_it(strategy: Strategy) -> None:
    with pytest.raises(SearchError, match=rf"min_depth=1: strategy='{strategy.name}' does not "
                       r"remember the states that it has seen, so it cannot tell cycles from ways "
                       r"already tried; use strategy='astar'"):  # fmt: skip
        ask(strategy, RING, place(0), min_depth=1)
    with pytest.raises(SearchError, match="minimize= looks at the whole space"):
        ask(strategy, RING, None, minimize=lowest(A, At(A)))


@complete
def test_minimize_gives_the_nearest_state_when_there_is_no_exact_one(strategy: Strategy) -> None:
    if not strategy.minimizes:
        with pytest.raises(SearchError, match="minimize= looks at the whole space"):
            ask(strategy, RING, None, minimize=lowest(abs(A - 5), At(A)))
        return
    result = ask(strategy, LINE, place(9), minimize=lowest(abs(A - 9), At(A)))
    assert (result.status, result.objective, result.optimal) == ("exhausted", 4, True)
    assert result.paths[0].end == State([At(5)])
    assert "5 steps to the lowest value 4: all 6 states seen" in result.summary()
    exact = ask(strategy, LINE, place(3), minimize=lowest(abs(A - 3), At(A)))
    assert (exact.status, exact.objective) == ("found", 0)
    short = ask(strategy, LINE, place(9), minimize=lowest(abs(A - 9), At(A)), max_states=3)
    assert (short.status, short.objective, short.optimal) == ("limit", 7, False)
    assert short.resume().objective == 4
    alone = ask(strategy, LINE, None, minimize=lowest(abs(A - 2), At(A)))
    assert (alone.status, alone.objective, alone.states) == ("exhausted", 0, 6)


GOALS = contains(At(A), when=A > 1)


@every_engine
@pytest.mark.parametrize(
    ("options", "objective", "first_line"),
    [
        ({"solutions": None}, 2, "4 answers, shortest first, no other: all 6 states seen ("),
        ({"solutions": 2}, 2, "2 answers, shortest first (4 states, "),
        ({"minimize": -total(A, At(A))}, -2, "2 steps, shortest (3 states, "),
        (
            {"solutions": None, "max_states": 4},
            2,
            "2 answers, shortest first so far, stopped by max_states=4 (4 states, ",
        ),
    ],
)
def test_a_goal_is_an_answer_like_any_other_where_something_is_minimised(
    engine: str, options: dict[str, Any], objective: int, first_line: str
) -> None:
    found = search(LINE, None, GOALS, engine=engine, **{"minimize": total(A, At(A))} | options)
    assert found.summary().startswith(first_line)
    assert (found.objective, found.nearest) == (objective, False)
    assert found.paths[0].end == State([At(2)])
    if found.status == "limit":
        assert found.resume().summary().startswith("4 answers, shortest first, no other: all 6")


@every_engine
def test_a_text_keeps_whether_a_goal_was_found_where_something_is_minimised(engine: str) -> None:
    for goal, nearest in ((place(5), False), (place(9), True)):
        found = search(
            LINE, None, goal, engine=engine, solutions=None, minimize=lowest(abs(A - 9), At(A))
        )
        assert (found.objective, found.nearest) == (4, nearest)
        again = Result.from_json(found.to_json(), LINE)
        assert (again.nearest, again.summary()) == (nearest, found.summary())
        older = json.loads(found.to_json())
        del older["nearest"]
        # without it, the state with the lowest value was meant
        text = Result.from_json(json.dumps(older), LINE).summary()
        assert text.startswith("5 steps to the lowest value 4: all 6 states seen (")


def test_states_passed_by_are_no_goals_where_something_is_minimised() -> None:
    result = search(LINE, None, None, min_depth=2, minimize=lowest(A, At(A)))
    assert (result.limit, result.objective, result.optimal) == ("min_depth", 2, False)
    assert result.notes[0].startswith("1 state nearer than min_depth=2 was passed by")
