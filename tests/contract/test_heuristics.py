"""What a heuristic may and may not change; what a beam leaves out."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzles import sliding_tiles
from rewrite.analysis.patterns.projections import Pattern
from rewrite.errors import SearchError
from rewrite.language.conditions import contains
from rewrite.language.functions import fn, ints, seqs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.results.result import Result
from rewrite.search.api import search, solutions
from rewrite.search.heuristics import HEURISTICS, pattern_databases
from rewrite.search.strategies import STRATEGIES
from rewrite.search.tasks.compare import compare
from tests.contract.graphs import (
    NOWHERE,
    RING,
    At,
    Edges,
    distances,
    graph,
    place,
    plain,
    random_graph,
    seeds,
)
from tests.engines import ENGINES, engines_for, every_engine, natively


@fn
def backwards(values: tuple[Any, ...]) -> Any:
    return values[::-1]


def true_costs(puzzle: Puzzle, goal: State) -> dict[State, int]:
    states = list(distances(puzzle))
    out = {}
    for state in states:
        there = distances(puzzle.replace(start=state)).get(goal)
        if there is not None:
            out[state] = there[1]
    return out


def estimates(costs: dict[State, int], seed: int) -> dict[str, Callable[[State], float]]:
    """Heuristics that never overestimate; the last two are not consistent."""
    chance = random.Random(seed)
    wild = {state: chance.randint(0, cost) for state, cost in costs.items()}
    some = {state: cost if chance.random() < 0.5 else 0 for state, cost in costs.items()}
    return {
        "perfect": lambda state: costs.get(state, float("inf")),
        "half": lambda state: costs.get(state, 0) / 2,
        "wild": lambda state: wild.get(state, 0),
        "some": lambda state: some.get(state, 0),
    }


@seeds(4, 15)
def test_a_star_finds_what_uniform_cost_finds_also_with_an_inconsistent_heuristic(
    seed: int,
) -> None:
    puzzle = graph(random_graph(seed, places=9, weights=9))
    for goal, (_, cost) in distances(puzzle).items():
        costs = true_costs(puzzle, goal)
        for heuristic in estimates(costs, seed).values():
            result = search(puzzle, None, goal, heuristic=heuristic)
            assert (result.paths[0].cost, result.optimal, result.strategy) == (cost, True, "astar")


def test_a_state_that_is_reached_twice_counts_once_among_those_ruled_out() -> None:
    puzzle = graph([(0, 2, 9), (0, 1, 1), (1, 2, 1)])
    result = search(
        puzzle, None, place(9), strategy="astar",
        heuristic=lambda state: float("inf") if state == State([At(2)]) else 0,
    )  # fmt: skip
    assert (result.limit, result.limit_value) == ("heuristic", 1)


def test_states_that_the_heuristic_rules_out_are_told() -> None:
    gate = plain((0, 1), (1, 2))
    asked = [(one, by) for one in ("astar", "greedy", "beam") for by in engines_for(strategy=one)]
    for name, engine in asked:
        result = search(
            gate, None, place(2), strategy=name, engine=engine,
            heuristic=lambda state: float("inf") if state == State([At(1)]) else 0,
        )  # fmt: skip
        assert (result.status, result.limit, result.limit_value) == ("limit", "heuristic", 1)
        assert result.summary().startswith("the heuristic ruled out 1 state: not found (2 states, ")
        assert result.notes == (
            "the heuristic gave infinity for 1 state: nothing beyond it was looked at",
        )
        with pytest.raises(SearchError, match=r"what it left out \(heuristic\) takes a new one"):
            result.resume()
    some = search(
        gate, None, place(0), solutions=None,
        heuristic=lambda state: 0 if state == State([At(0)]) else float("inf"),
    )  # fmt: skip
    assert some.summary().startswith("0 steps, the start is a goal; the heuristic ruled out 1 sta")


@natively
def test_a_beam_that_dropped_states_never_says_exhausted() -> None:
    wide = search(RING, None, NOWHERE, strategy="beam", heuristic=0, width=100)
    assert wide.status == "exhausted"
    thin = search(RING, None, NOWHERE, strategy="beam", heuristic=0, width=1)
    assert (thin.status, thin.limit, thin.limit_value) == ("limit", "width", 1)
    assert "stopped by width=1: not found yet" in str(thin)
    assert "a wider one may find more" in str(thin)
    with pytest.raises(SearchError, match="nothing to resume"):
        thin.resume()


@term
class Rung:
    height: int


@term
class Nail:
    size: int


@term
class Crate:
    height: int


X = ints("X")
HAMMER = rule("hammer", keep=[Rung(X)], put=[Nail(1)])
CLIMB = rule("climb", take=[Rung(X)], put=[Rung(X + 1)], when=X < 4)
LEAP = rule("leap", take=[Nail(1), Nail(1), Rung(X)], put=[Rung(4)])


NAILS = Puzzle(HAMMER, CLIMB, start=[Rung(0)], goal=contains(Nail(1), Nail(1)), name="nails")
LADDER = Puzzle(HAMMER, CLIMB, LEAP, start=[Rung(0)], goal=contains(Rung(4)), name="ladder")


@natively
@pytest.mark.parametrize(("puzzle", "depth"), [(NAILS, 2), (LADDER, 3)])
@pytest.mark.parametrize("heuristic", [one for one in HEURISTICS if one not in ("pieces", "auto")])
@pytest.mark.parametrize("strategy", ["astar", "idastar", "greedy"])
def test_no_heuristic_says_exhausted_or_shortest_where_ways_lead_through_equal_terms(
    puzzle: Puzzle, depth: int, heuristic: str, strategy: str
) -> None:
    """Bits hold one nail at most: so estimates from the rules know of no state with two."""
    with pytest.raises(SearchError, match=r"not stored in slots .*a term can stand twice"):
        search(puzzle, strategy=strategy, heuristic=heuristic)
    assert search(puzzle).depth == depth
    projected = search(puzzle, heuristic="auto")
    assert (projected.depth, projected.optimal) == (depth, True)
    explored = "exact distances in Rung" if depth == 3 else "least distances, as far as they were "
    assert projected.notes[0].startswith(f"heuristic: {explored}")


@natively
@pytest.mark.parametrize("strategy", ["astar", "greedy", "idastar", "beam"])
def test_an_automatic_heuristic_is_left_out_once_states_outgrew_their_slots(
    strategy: str, tmp_path: Path
) -> None:
    """Both climbers may stand on one rung: then states are multisets, and no part of them is less
    than what the goal asks for."""
    up = rule("up", take=[Rung(X)], put=[Rung(X + 1)], when=X < 6)
    down = rule("down", take=[Rung(X)], put=[Rung(X - 1)], when=X > 0)
    puzzle = Puzzle(up, down, start=[Rung(0), Rung(3)], goal=contains(Rung(6), Rung(5)))
    asked: dict[str, Any] = {"heuristic": "auto", "strategy": strategy}
    whole = search(puzzle, **asked)
    assert whole.depth == 8
    assert whole.notes[0].startswith("the search goes on without estimates: ")
    assert "a term can stand twice" in whole.notes[0]
    kept: list[dict[str, Any]] = [{"checkpoint": tmp_path}] * STRATEGIES[strategy].kept
    for folder in ({}, *kept):
        result = search(puzzle, max_states=2, **asked, **folder)
        while result.status == "limit":
            more: dict[str, Any] = {"max_states": result.states + 2}
            again = search(puzzle, **asked, **folder, **more) if folder else result.resume(**more)
            assert again.states > result.states
            result = again
        assert (result.path, result.states, result.notes) == (whole.path, whole.states, whole.notes)


def test_a_value_of_a_function_that_keeps_states_from_being_projected_is_shown() -> None:
    whole = seqs("S")
    reverse = rule("reverse", take=[whole], put=[backwards(whole)])
    puzzle = Puzzle(reverse, start=[(2, 1)], goal=contains((1, 2)))
    message = r"projected: rule 'reverse' has backwards\(S\), which may be a term of any type"
    with pytest.raises(SearchError, match=message):
        search(puzzle, heuristic="auto")


@natively
@pytest.mark.parametrize("nails", [1, 2])
def test_pieces_say_nothing_where_ways_lead_through_equal_terms(nails: int) -> None:
    """Two nails lift a crate for nothing, and bits hold one: so the crates must not be counted."""
    lift = rule("lift", take=[Nail(1)] * nails + [Crate(0)], put=[Crate(4)], absent=[Crate(4)])
    drag = rule("drag", take=[Crate(X)], put=[Crate(X + 1)], absent=[Crate(X + 1)], when=X < 4,
                cost=9)  # fmt: skip
    goal = contains(Crate(4))
    puzzle = Puzzle(HAMMER, lift, drag, start=[Rung(0), Crate(0), Crate(1)], goal=goal, name="yard")
    with pytest.raises(SearchError, match=r"pieces|a term can stand twice"):
        search(puzzle, heuristic="pieces")
    assert search(puzzle).paths[0].cost == nails + 1


DEAR = Puzzle(
    rule("climb", take=[Rung(X)], put=[Rung(X + 1)], when=X < 4, cost=10**20),
    start=[Rung(0)], goal=contains(Rung(4)), name="dear ladder",
)  # fmt: skip


@every_engine
def test_a_step_may_cost_more_than_a_machine_word_holds(engine: str) -> None:
    for strategy, heuristic in (("uniform_cost", None), ("astar", 0), ("astar", "auto")):
        result = search(DEAR, strategy=strategy, heuristic=heuristic, engine=engine)
        assert (result.paths[0].cost, result.optimal) == (4 * 10**20, True)


@natively
@pytest.mark.parametrize("heuristic", ["pattern_databases", "hmax", "lmcut", "ff"])
def test_what_only_the_core_has_is_refused_where_a_cost_is_beyond_it(heuristic: str) -> None:
    with pytest.raises(SearchError) as raised:
        search(DEAR, heuristic=heuristic)
    assert str(raised.value) == (
        f"heuristic={heuristic!r} needs the native engine, which cannot run this: a cost beyond 64 "
        "bits. Give an expression such as total(…) or a function State -> number"
    )
    found = search(DEAR, heuristic="auto")
    assert [note.partition(":")[0] for note in found.notes] == [
        "searched by the Python engine, because the native one cannot",
        "heuristic='auto' needs the native engine, which cannot run this",
    ]
    assert found.notes[1].endswith("a cost beyond 64 bits. The search goes on without estimates")


@natively
def test_tables_are_the_same_whoever_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, made = (
        sliding_tiles.instance(
            "4x3", *["8", "2", "7", "1", "9", "5", "4", "3", "10", "11", "6", "0"]
        ),
        pattern_databases.table,
    )
    tables: dict[int, list[bytes]] = {}
    found = []
    for threads in (1, 3, 10**30):
        tables[threads] = []

        def told(pattern: Pattern, kept: list[bytes] = tables[threads]) -> bytes:
            kept.append(made(pattern))
            return kept[-1]

        monkeypatch.setattr(pattern_databases, "table", told)
        asked = search(puzzle, strategy="astar", heuristic="pattern_databases", threads=threads)
        found.append((asked.expanded, asked.states, asked.path))
    assert tables[1] == tables[3] == tables[10**30]
    # some levels hold thousands of entries, which are shared
    assert max(one.count(distance) for one in tables[1] for distance in range(30)) > 10_000
    assert found[1:] == found[:1] * 2


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
@pytest.mark.parametrize(
    ("options", "optimal", "note"),
    [
        (
            {},
            True,
            "1 state was reached cheaper after being expanded; it was opened again, which "
            "costs time and no answer",
        ),
        (
            {"weight": 1.5},
            False,
            "it falls by more than a step costs. So 1 state that was reached "
            "cheaper after being expanded was opened again: without, the answer might be more than "
            "weight=1.5 times too dear",
        ),
    ],
)
def test_a_state_reached_cheaper_after_it_was_expanded_is_opened_again(
    engine: str, options: dict[str, Any], optimal: bool, note: str
) -> None:
    found = ask(DETOUR, 3, {0: 0, 1: 8, 2: 0, 3: 0}, engine=engine, **options)
    assert (found.paths[0].cost, found.optimal) == (12, optimal)
    assert found.notes == (f"the heuristic is not consistent: {note}",)


@seeds(5, 20)
def test_a_weight_keeps_its_promise_whatever_the_heuristic(seed: int) -> None:
    puzzle = graph(random_graph(seed, places=9, weights=9))
    for goal, (_, cost) in distances(puzzle).items():
        for name, heuristic in estimates(true_costs(puzzle, goal), seed).items():
            for weight in (1.5, 3):
                for engine in ENGINES:
                    asked: dict[str, Any] = {"weight": weight, "engine": engine}
                    found = search(puzzle, None, goal, heuristic=heuristic, **asked)
                    assert cost <= found.paths[0].cost <= weight * cost, name
                    assert not found.optimal


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
