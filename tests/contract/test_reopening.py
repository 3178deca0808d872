"""Which states are expanded again, and what a weight then promises."""

from typing import Any

import pytest

from rewrite.errors import SearchError
from rewrite.language.states import State
from rewrite.outcome.result import Result
from rewrite.search.api import search, solutions
from rewrite.search.tasks.compare import compare
from tests.contract.graphs import Edges, distances, graph, place, plain, random_graph, seeds
from tests.contract.test_heuristics import estimates, true_costs
from tests.engines import ENGINES, every_engine

DETOUR: Edges = [(0, 1, 1), (1, 2, 1), (0, 2, 4), (2, 3, 10)]
"""To 2 there is a dear step and a cheap detour by 1; the goal 3 is far."""


def at(state: State) -> int:
    return next(iter(state)).place  # type: ignore[no-any-return]


def ask(edges: Edges, goal: int, by_place: dict[int, int], **options: Any) -> Result:
    return search(graph(edges), None, place(goal), heuristic=lambda s: by_place[at(s)], **options)


@every_engine
def test_greedy_search_expands_no_state_again(engine: str) -> None:
    edges = [*DETOUR, (2, 4, 1), (4, 5, 1)]
    far = {0: 9, 1: 3, 2: 2, 3: 9, 4: 4, 5: 9}
    found = ask(edges, 99, far, strategy="greedy", engine=engine)
    assert (found.status, found.states, found.expanded) == ("exhausted", 6, 6)


@every_engine
def test_the_way_to_a_state_that_is_not_expanded_again_is_the_cheaper_one(engine: str) -> None:
    edges = [*DETOUR, (2, 4, 1), (4, 5, 1)]
    far = {0: 9, 1: 3, 2: 2, 3: 9, 4: 4, 5: 0}  # 2, then 1 which finds the cheap way to 2
    found = ask(edges, 5, far, strategy="greedy", engine=engine)
    assert found.paths[0].cost == 4
    assert [at(state) for state in found.paths[0].states] == [0, 1, 2, 4, 5]


@every_engine
def test_a_limit_of_depth_misses_no_goal_that_lies_within(engine: str) -> None:
    """3 is reached by 1 and 2 first; its successor the goal is too deep then."""
    puzzle = plain((0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (3, 5))
    far = {0: 9, 1: 1, 2: 1, 3: 1, 4: 5, 5: 0}
    found = search(
        puzzle, None, place(5), strategy="greedy", engine=engine, max_depth=3,
        heuristic=lambda state: far[at(state)],
    )  # fmt: skip
    assert len(found.paths[0]) == 3


@every_engine
def test_a_heuristic_that_is_seen_to_be_inconsistent_opens_states_again(engine: str) -> None:
    wrong = {0: 0, 1: 8, 2: 0, 3: 0}
    found = ask(DETOUR, 3, wrong, weight=1.5, engine=engine)
    assert found.paths[0].cost == 12
    assert found.notes == (
        "the heuristic is not consistent: it falls by more than a step costs. So 1 state that was "
        "reached cheaper after being expanded was opened again: without, the answer might be more "
        "than weight=1.5 times too dear",
    )


@seeds(5, 20)
def test_a_weight_keeps_its_promise_whatever_the_heuristic(seed: int) -> None:
    puzzle = graph(random_graph(seed, places=9, weights=9))
    for goal, (_, cost) in distances(puzzle).items():
        for name, heuristic in estimates(true_costs(puzzle, goal), seed).items():
            for weight in (1.5, 3):
                told = [
                    search(puzzle, None, goal, heuristic=heuristic, weight=weight, engine=engine)
                    for engine in ENGINES
                ]
                found = told[0]
                assert cost <= found.paths[0].cost <= weight * cost, name
                assert not found.optimal
                assert (
                    len({(one.expanded, tuple(one.path.states)) for one in told if one.path}) == 1
                )


@pytest.mark.parametrize("function", [search, solutions, compare])
def test_asking_for_it_is_refused_with_what_to_write_instead(function: Any) -> None:
    called = "solutions" if function is solutions else "search"
    with pytest.raises(SearchError) as raised:
        function(graph(DETOUR), reopen=True)
    assert str(raised.value) == (
        f"{called}(…, reopen=…): reopen= was removed; leave it out: states are expanded again "
        "where a promise needs it, and a lower weight gives shorter answers"
    )
    assert raised.value.argument == "reopen"
