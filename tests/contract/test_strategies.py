"""What every strategy of the registry keeps to; a new one is picked up from it.

The spaces are graphs given as facts, so that what is right can be found without a search: distances
by repeated relaxation over the definition of the rules (`meaning.successors`).
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from rewrite.errors import RewriteError, SearchError
from rewrite.language import meaning
from rewrite.language.conditions import (
    Condition,
    contains,
    count,
    exactly,
    lacks,
    lowest,
    terminal,
)
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.outcome.replay import replay
from rewrite.outcome.result import Result
from rewrite.search import run
from rewrite.search.api import search, solutions
from rewrite.search.strategies import STRATEGIES, Strategy

A, B, W, M, N = ints("A B W M N")


@term
class At:
    place: int


@term
class Edge:
    start: int
    end: int
    cost: int


Edges = list[tuple[int, int, int]]


def graph(edges: Edges, start: int = 0) -> Puzzle:
    """A walk on a directed graph with a cost on each edge."""
    return Puzzle(
        rule(f"{A} to {B}", take=[At(A)], keep=[Edge(A, B, W)], put=[At(B)], cost=W),
        start=[At(start)],
        facts=[Edge(*edge) for edge in edges],
        name="graph",
    )


def plain(*pairs: tuple[int, int]) -> Puzzle:
    """A walk on a graph whose steps all cost 1."""
    return graph([(a, b, 1) for a, b in pairs]).replace(
        rules=rule(f"{A} to {B}", take=[At(A)], keep=[Edge(A, B, 1)], put=[At(B)])
    )


def random_graph(seed: int, places: int = 12, weights: int = 1) -> Edges:
    chance = random.Random(seed)
    pairs = [(a, b) for a in range(places) for b in range(places) if a != b]
    return [(a, b, chance.randint(0, weights)) for a, b in chance.sample(pairs, places * 2)]


def distances(puzzle: Puzzle) -> dict[State, tuple[int, int]]:
    """State -> (fewest steps, lowest cost) from the start, by relaxation until nothing changes."""
    assert puzzle.start is not None
    known = {puzzle.start: (0, 0)}
    changed = True
    while changed:
        changed = False
        for state, (steps, cost) in list(known.items()):
            for way in meaning.successors(puzzle, state):
                old = known.get(way.after, (10**9, 10**9))
                new = (min(old[0], steps + 1), min(old[1], cost + way.cost))
                if new != old:
                    known[way.after], changed = new, True
    return known


every = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
complete = pytest.mark.parametrize(
    "strategy",
    [entry for entry in STRATEGIES.values() if entry.complete],
    ids=[entry.name for entry in STRATEGIES.values() if entry.complete],
)


remembering = pytest.mark.parametrize(
    "strategy",
    [entry for entry in STRATEGIES.values() if entry.remembers],
    ids=[entry.name for entry in STRATEGIES.values() if entry.remembers],
)
"""Strategies that keep the states that they have seen: others count and promise less."""
forgetful = pytest.mark.parametrize(
    "strategy",
    [entry for entry in STRATEGIES.values() if not entry.remembers],
    ids=[entry.name for entry in STRATEGIES.values() if not entry.remembers],
)


def ask(strategy: Strategy, puzzle: Puzzle, goal: Any, **options: Any) -> Result:
    """Search with a heuristic that is always right and says nothing, where one is needed."""
    if strategy.needs_heuristic:
        options.setdefault("heuristic", 0)
    return search(puzzle, None, goal, strategy=strategy.name, **options)


def place(number: int) -> Condition:
    return contains(At(number))


RING = plain(*[(n, (n + 1) % 8) for n in range(8)], *[(n, (n + 3) % 8) for n in range(8)])
LINE = plain(*[(n, n + 1) for n in range(5)])
NOWHERE = place(99)


# -- answers -----------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("seed", range(12))
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
            assert result.states == len(known) or not strategy.remembers
            continue
        assert result.path is not None
        assert result.status == "found"
        assert replay(puzzle, puzzle.start, result.path).end == State([At(number)])
        assert len(result.path) >= steps[0]
        if strategy.shortest or strategy.cheapest:
            assert len(result.path) == steps[0]
        assert result.optimal == (strategy.shortest or strategy.cheapest)
        assert result.depth == len(result.path)
        assert 1 <= result.states <= len(known)


@every
@pytest.mark.parametrize("seed", range(12))
def test_the_cheapest_answer_is_found_where_it_is_promised(strategy: Strategy, seed: int) -> None:
    puzzle = graph(random_graph(seed, weights=9))
    for state, (steps, cost) in distances(puzzle).items():
        result = ask(strategy, puzzle, state)
        assert result.path is not None
        assert result.path.cost >= cost
        if strategy.cheapest:
            assert result.path.cost == cost
            assert result.optimal
        else:
            assert not result.optimal
        if strategy.shortest:
            assert len(result.path) == steps


@complete
@pytest.mark.parametrize("seed", range(6))
def test_exhausted_is_said_only_after_every_reachable_state_was_expanded(
    strategy: Strategy, seed: int
) -> None:
    puzzle = plain(*[(a, b) for a, b, _ in random_graph(seed)])
    known = distances(puzzle)
    result = ask(strategy, puzzle, NOWHERE)
    assert result.status == "exhausted"
    assert result.expanded >= len(known)
    if strategy.remembers:
        assert result.states == len(known)
        assert f"no solution: all {len(known)} state" in result.summary()
    else:
        longest = f"no solution: all paths followed (the longest through {result.states} state"
        assert result.states <= len(known)
        assert longest in result.summary()


@every
def test_the_start_is_tested_first(strategy: Strategy) -> None:
    result = ask(strategy, RING, place(0))
    assert result.path is not None
    assert (result.status, len(result.path), result.states) == ("found", 0, 1)
    assert "0 steps, the start is a goal" in str(result)


@every
def test_a_space_of_one_state_is_exhausted_at_once(strategy: Strategy) -> None:
    puzzle = LINE.replace(start=[At(77)])
    result = ask(strategy, puzzle, NOWHERE)
    assert (result.status, result.states, result.levels) == ("exhausted", 1, [1])
    all_of_it = "all 1 state seen" if strategy.remembers else "all paths followed (the longest thr"
    assert f"no solution: {all_of_it}" in result.summary()


# -- depth -------------------------------------------------------------------------------------


@every
def test_max_depth_is_inclusive(strategy: Strategy) -> None:
    assert ask(strategy, LINE, place(3), max_depth=3).status == "found"
    short = ask(strategy, LINE, place(3), max_depth=2)
    assert (short.status, short.limit, short.limit_value) == ("limit", "max_depth", 2)
    assert short.summary().startswith("stopped by max_depth=2: not found yet (3 states, depth 2, ")
    assert short.summary().endswith("; .resume() goes on")
    assert ask(strategy, LINE, place(0), max_depth=0).status == "found"


@every
@pytest.mark.parametrize("seed", range(8))
def test_max_depth_finds_what_is_within_it_and_nothing_else(strategy: Strategy, seed: int) -> None:
    puzzle = plain(*[(a, b) for a, b, _ in random_graph(seed)])
    for state, (steps, _) in distances(puzzle).items():
        for bound in range(5):
            result = ask(strategy, puzzle, state, max_depth=bound)
            assert bool(result) == (steps <= bound), (state, steps, bound)
            if result.path is not None:
                assert len(result.path) <= bound
            else:
                assert result.limit == "max_depth"


@remembering
def test_a_bound_beyond_which_nothing_lies_ends_as_exhausted(strategy: Strategy) -> None:
    for puzzle, depth in ((LINE, 5), (RING, 4)):
        deepest = max(steps for steps, _ in distances(puzzle).values())
        assert deepest == depth - (puzzle is RING)
        assert ask(strategy, puzzle, NOWHERE, max_depth=deepest).status == "exhausted"
        assert ask(strategy, puzzle, NOWHERE, max_depth=deepest - 1).limit == "max_depth"


@every
def test_terminal_states_at_the_bound_are_recognised_and_others_there_are_not_terminal(
    strategy: Strategy,
) -> None:
    assert ask(strategy, LINE, terminal(), max_depth=5).status == "found"
    assert ask(strategy, LINE, terminal(), max_depth=4).limit == "max_depth"


@remembering
def test_looking_for_dead_ends_and_looking_beyond_a_bound_leave_the_counts_alone(
    strategy: Strategy,
) -> None:
    told = ask(strategy, RING, NOWHERE)
    for other in (
        ask(strategy, RING, terminal()),
        ask(strategy, RING, NOWHERE, max_depth=3),
        ask(strategy, RING, terminal(), max_depth=2).resume(),
    ):
        assert (other.status, other.states) == ("exhausted", 8)
        if strategy.name not in ("depth_first", "iterative_deepening"):  # these go other ways
            assert other.rules == told.rules


@remembering
def test_min_depth_1_accepts_the_start_only_through_a_cycle(strategy: Strategy) -> None:
    result = ask(strategy, RING, place(0), min_depth=1)
    assert result.path is not None
    assert len(result.path) >= 4  # 3 + 3 + 1 + 1
    if strategy.shortest or strategy.cheapest:
        assert len(result.path) == 4
    assert result.path.start == result.path.end == RING.start
    assert replay(RING, RING.start, result.path).end == RING.start
    gone = ask(strategy, LINE, place(0), min_depth=1)
    assert (gone.status, gone.states) == ("exhausted", 6)


@remembering
def test_min_depth_1_changes_nothing_for_other_goals_and_no_count(strategy: Strategy) -> None:
    for number in range(1, 8):
        result = ask(strategy, RING, place(number), min_depth=1)
        other = ask(strategy, RING, place(number))
        assert result.path == other.path
    everything = ask(strategy, RING, NOWHERE, min_depth=1)
    told = ask(strategy, RING, NOWHERE)
    assert (everything.status, everything.states) == ("exhausted", 8)
    assert everything.levels == told.levels
    assert everything.rules == told.rules


@remembering
def test_a_cycle_beyond_the_bound_is_a_limit_and_found_after_resuming(strategy: Strategy) -> None:
    ring = plain(*[(n, (n + 1) % 4) for n in range(4)])
    short = ask(strategy, ring, place(0), min_depth=1, max_depth=3)
    assert (short.status, short.limit, short.states) == ("limit", "max_depth", 4)
    whole = short.resume(max_depth=4)
    assert whole.path is not None
    assert (whole.status, len(whole.path)) == ("found", 4)


@every
def test_goals_passed_by_because_they_are_too_near_are_told(strategy: Strategy) -> None:
    if strategy.needs_heuristic or strategy.name == "depth_first":
        return
    result = ask(strategy, RING, place(1), min_depth=2)
    assert (result.status, result.limit, result.limit_value) == ("limit", "min_depth", 2)
    assert result.summary().startswith("min_depth=2 passed nearer answers by: not found (8 states,")
    assert result.notes == (
        "1 goal nearer than min_depth=2 was passed by; longer ways to it were not looked for",
    )
    with pytest.raises(SearchError, match=r"what it left out \(min_depth\) takes a new one"):
        result.resume()
    two = ask(strategy, RING, place(1) | place(3) | place(4), min_depth=2, solutions=None)
    assert (two.status, two.limit, len(two.paths)) == ("limit", "min_depth", 1)
    assert two.summary().startswith("2 steps; min_depth=2 passed nearer answers by (8 states")
    assert "2 goals nearer than min_depth=2 were passed by; longer ways to them" in two.notes[0]
    found = search(RING, None, place(1), min_depth=2, distinct="paths")
    assert found.path is not None
    assert len(found.path) == 3


# -- the other limits --------------------------------------------------------------------------

GROWING = Puzzle(
    rule(f"grow {M}", take=[M], put=[M + 1]),
    rule(f"shrink {M}", take=[M], put=[M - 2]),
    start=[0],
    name="growing",
)


def slow(state: State) -> bool:
    return state == State([37])


@every
def test_max_states_stops_says_so_and_goes_on(strategy: Strategy) -> None:
    if strategy.name == "depth_first":
        puzzle, goal = RING, place(4)
    else:
        puzzle, goal = GROWING, contains(9)
    options: dict[str, Any] = {"heuristic": 0} if strategy.needs_heuristic else {}
    if strategy.name == "beam":
        options["width"] = 10**6
    whole = search(puzzle, None, goal, strategy=strategy.name, **options)
    for bound in (1, 2, 3, 5, 7):
        if bound >= whole.states:
            continue
        result = search(puzzle, None, goal, strategy=strategy.name, max_states=bound, **options)
        assert (result.status, result.limit, result.limit_value) == ("limit", "max_states", bound)
        assert bound <= result.states <= bound + 1
        assert f"stopped by max_states={bound}: not found yet (" in str(result)
        again = result.resume()
        assert (again.status, again.path) == (whole.status, whole.path)
        assert again.states == whole.states


@complete
@pytest.mark.parametrize(
    ("name", "value"), [("max_states", 3), ("max_seconds", 0), ("max_memory", 1), ("max_depth", 1)]
)
def test_a_search_that_was_stopped_and_resumed_counts_as_one_that_was_not(
    strategy: Strategy, name: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(run, "memory_in_use", lambda: next(held))
    whole = ask(strategy, RING, NOWHERE)
    result = ask(strategy, RING, NOWHERE, **{name: value})
    assert (result.status, result.limit, result.limit_value) == ("limit", name, value)
    assert not result
    assert f"stopped by {name}={value}: not found yet" in result.summary()
    again = result.resume()
    assert again.status == "exhausted"
    assert (again.states, again.levels) == (whole.states, whole.levels)
    begins_again = strategy.name == "depth_first" or not strategy.remembers
    if not (begins_again and name == "max_depth"):
        assert (again.expanded, again.rules) == (whole.expanded, whole.rules)


@every
def test_the_start_is_tested_under_any_limit(strategy: Strategy) -> None:
    assert ask(strategy, RING, place(0), max_states=1).status == "found"
    assert ask(strategy, RING, place(0), max_seconds=0).status == "found"
    assert ask(strategy, RING, place(0), max_memory=1).status == "found"


@every
def test_resuming_with_another_limit_keeps_the_rest(strategy: Strategy) -> None:
    result = ask(strategy, LINE, NOWHERE, max_states=2)
    again = result.resume(max_states=4)
    assert (again.limit, again.limit_value, again.states) == ("max_states", 4, 4)
    third = again.resume(max_depth=4)
    assert (third.limit, third.limit_value) == ("max_depth", 4)
    fourth = third.resume()
    assert (fourth.status, fourth.states) == ("exhausted", 6)
    with pytest.raises(SearchError, match="nothing to resume: the whole space was searched"):
        fourth.resume()
    with pytest.raises(SearchError, match=r"\.resume\(max_dept=…\): the limits .* \(did you mean"):
        result.resume(max_dept=3)
    with pytest.raises(SearchError, match=r"\.resume\(min_depth=…\): the limits that can be"):
        result.resume(min_depth=3)


@every
@pytest.mark.filterwarnings("ignore:.*was reached in one way only")
def test_an_infinite_space_ends_by_its_limit_and_says_which(strategy: Strategy) -> None:
    puzzle = Puzzle(rule("grow", take=[M], put=[M + 1]), start=[0])
    for name, value in (("max_depth", 50), ("max_states", 50), ("max_seconds", 0.05)):
        options: dict[str, Any] = {name: value}
        result = ask(strategy, puzzle, contains(-1), **options)
        assert (result.status, result.limit, result.limit_value) == ("limit", name, value)
        assert f"stopped by {name}={value}: not found yet" in str(result)


# -- strategies that keep nothing but their path -----------------------------------------------


@forgetful
def test_a_strategy_without_memory_holds_no_more_than_its_path(strategy: Strategy) -> None:
    for number, steps in ((4, 2), (5, 3)):
        result = ask(strategy, RING, place(number))
        assert result.path is not None
        assert (len(result.path), result.optimal) == (steps, True)
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
    assert resumed.path is not None
    assert resumed.path.cost == 6


@forgetful
def test_a_strategy_without_memory_refuses_what_asks_for_it(strategy: Strategy) -> None:
    with pytest.raises(SearchError, match=rf"min_depth=1: strategy='{strategy.name}' does not "
                       r"remember the states that it has seen, so it cannot tell cycles from ways "
                       r"already tried; use strategy='astar'"):  # fmt: skip
        ask(strategy, RING, place(0), min_depth=1)
    with pytest.raises(SearchError, match="minimize= looks at the whole space"):
        ask(strategy, RING, None, minimize=lowest(A, At(A)))


# -- several answers ---------------------------------------------------------------------------


@complete
def test_as_many_answers_as_asked_for(strategy: Strategy) -> None:
    far = contains(At(A), when=A >= 4)
    three = ask(strategy, RING, far, solutions=3)
    assert (three.status, len(three.paths)) == ("found", 3)
    everything = ask(strategy, RING, far, solutions=None)
    assert (everything.status, len(everything.paths)) == ("exhausted", 4)
    assert sorted(path.bindings["A"] for path in everything.paths) == [4, 5, 6, 7]
    assert everything.paths[:3] == three.paths
    nine = ask(strategy, RING, far, solutions=9)
    assert (nine.status, len(nine.paths)) == ("exhausted", 4)
    assert "4 answers" in nine.summary()
    all_of_it = "all 8 states seen" if strategy.remembers else "all paths followed"
    assert f"no other: {all_of_it}" in nine.summary()
    assert ask(strategy, RING, place(5), solutions=2).unique
    assert three.unique is False


@complete
def test_a_resumed_search_keeps_the_answers_it_had(strategy: Strategy) -> None:
    far = contains(At(A), when=A >= 1)
    first = ask(strategy, RING, far, solutions=None, max_states=5)
    assert first.status == "limit"
    assert "so far, stopped by max_states=5" in first.summary() or not first
    assert len(first.resume().paths) == 7


@complete
def test_lazy_solutions_are_those_of_the_search(strategy: Strategy) -> None:
    far = contains(At(A), when=A >= 4)
    heuristic = 0 if strategy.needs_heuristic else None
    lazy = solutions(RING, None, far, strategy=strategy.name, heuristic=heuristic)
    expected = ask(strategy, RING, far, solutions=None).paths
    assert next(lazy) == expected[0]
    assert tuple(lazy) == expected[1:]
    limited = solutions(RING, None, far, strategy=strategy.name, heuristic=heuristic, max_states=6)
    assert len(list(limited)) < 4 or not strategy.remembers


def test_lazy_solutions_go_on_only_when_asked() -> None:
    looked: list[State] = []

    def goal(state: State) -> bool:
        looked.append(state)
        return True

    lazy = solutions(GROWING, None, goal)
    assert not looked
    assert next(lazy).end == State([0])
    assert len(looked) == 1
    assert [next(lazy).end for _ in range(3)] == [State([1]), State([-2]), State([2])]
    assert len(looked) < 100


@complete
def test_every_match_of_the_goal_is_an_answer(strategy: Strategy) -> None:
    pairs = Puzzle(rule("make", take=[At(0)], put=[1, 2, 2]), start=[At(0)])
    result = ask(strategy, pairs, contains(M), solutions=None)
    assert [path.bindings for path in result.paths] == [{"M": 1}, {"M": 2}]
    both = ask(strategy, pairs, contains(M, N, when=M < N) & terminal(), solutions=None)
    assert [path.bindings for path in both.paths] == [{"M": 1, "N": 2}]
    again = ask(strategy, pairs, lacks(At(0)), solutions=None)
    assert [path.bindings for path in again.paths] == [{}]


@every
@pytest.mark.parametrize(
    ("goal", "numbers"),
    [
        (place(3), {3}),
        (count(At(3)) == 1, {3}),
        (lambda state: state == State([At(3)]), {3}),
        (State([At(3)]), {3}),
        ([State([At(3)]), State([At(5)])], {3, 5}),
        (exactly(At(3)), {3}),
        (~terminal() & contains(At(A), when=A > 5), {6, 7}),
        (place(6) | place(2), {2, 6}),
        (~contains(At(A), when=A != 2), {2}),
        ([contains(At(A), when=A > 5), contains(At(A), when=A < 7)], {6}),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, set) else "",
)
def test_every_kind_of_goal(strategy: Strategy, goal: Any, numbers: set[int]) -> None:
    result = ask(strategy, RING, goal, solutions=None)
    assert {path.end for path in result.paths} == {State([At(n)]) for n in numbers}
    assert ask(strategy, LINE.replace(goal=terminal()), None).path is not None


def test_distinct_paths_lists_every_sequence_of_states_once_shortest_first() -> None:
    diamond = plain((0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (0, 4), (4, 0))
    by_states = search(diamond, None, place(4), solutions=None)
    assert len(by_states.paths) == 1
    result = search(diamond, None, place(4), solutions=None, distinct="paths")
    walks = [[next(iter(state)).place for state in path.states] for path in result.paths]
    assert walks == [[0, 4], [0, 1, 3, 4], [0, 2, 3, 4]]
    assert (result.status, result.states) == ("exhausted", 5)
    cycles = search(diamond, None, place(0), solutions=None, distinct="paths", min_depth=1)
    walks = [[next(iter(state)).place for state in path.states] for path in cycles.paths]
    assert walks == [[0, 4, 0], [0, 1, 3, 4, 0], [0, 2, 3, 4, 0]]
    two = search(diamond, None, place(4), solutions=2, distinct="paths")
    assert (two.status, len(two.paths)) == ("found", 2)
    assert 1 <= two.states <= 5
    short = search(diamond, None, place(4), solutions=None, distinct="paths", max_depth=2)
    assert (short.limit, len(short.paths), len(short.resume().paths)) == ("max_depth", 1, 3)
    whole = search(diamond, None, place(4), solutions=None, distinct="paths", max_depth=3)
    assert (whole.status, len(whole.paths)) == ("exhausted", 3)


def test_two_ways_to_make_the_same_step_are_one_path() -> None:
    twice = Puzzle(
        rule("a", take=[1], put=[2]), rule("b", take=[1], put=[2]), start=[1], goal=contains(2)
    )
    assert len(search(twice, solutions=None, distinct="paths").paths) == 1


# -- minimize ----------------------------------------------------------------------------------


@complete
def test_minimize_gives_the_nearest_state_when_there_is_no_exact_one(strategy: Strategy) -> None:
    if strategy.name == "greedy" or not strategy.remembers:
        with pytest.raises(SearchError, match="minimize= looks at the whole space"):
            ask(strategy, RING, None, minimize=lowest(abs(A - 5), At(A)))
        return
    result = ask(strategy, LINE, place(9), minimize=lowest(abs(A - 9), At(A)))
    assert result.path is not None
    assert (result.status, result.objective, result.optimal) == ("exhausted", 4, True)
    assert result.path.end == State([At(5)])
    assert "5 steps to the lowest value 4: all 6 states seen" in result.summary()
    exact = ask(strategy, LINE, place(3), minimize=lowest(abs(A - 3), At(A)))
    assert (exact.status, exact.objective) == ("found", 0)
    short = ask(strategy, LINE, place(9), minimize=lowest(abs(A - 9), At(A)), max_states=3)
    assert (short.status, short.objective, short.optimal) == ("limit", 7, False)
    assert short.resume().objective == 4
    alone = ask(strategy, LINE, None, minimize=lowest(abs(A - 2), At(A)))
    assert (alone.status, alone.objective, alone.states) == ("exhausted", 0, 6)


# -- heuristics --------------------------------------------------------------------------------


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


@pytest.mark.parametrize("seed", range(15))
def test_a_star_finds_what_uniform_cost_finds_also_with_an_inconsistent_heuristic(
    seed: int,
) -> None:
    puzzle = graph(random_graph(seed, places=9, weights=9))
    for goal, (_, cost) in distances(puzzle).items():
        costs = true_costs(puzzle, goal)
        for name, heuristic in estimates(costs, seed).items():
            result = search(puzzle, None, goal, heuristic=heuristic)
            assert result.path is not None, name
            assert (result.path.cost, result.optimal, result.strategy) == (cost, True, "astar")


def test_a_state_reached_cheaper_after_it_was_expanded_is_opened_again() -> None:
    puzzle = graph([(0, 1, 1), (1, 2, 1), (0, 2, 4), (2, 3, 10)])
    wrong = {0: 0, 1: 8, 2: 0, 3: 0}
    result = search(puzzle, None, place(3), heuristic=lambda state: wrong[next(iter(state)).place])
    assert result.path is not None
    assert result.path.cost == 12


def test_a_heavier_weight_is_not_called_optimal() -> None:
    puzzle = graph(random_graph(3, weights=9))
    for goal in distances(puzzle):
        result = search(puzzle, None, goal, heuristic=0, weight=2)
        assert result
        assert not result.optimal


def test_a_goal_passed_by_may_have_a_way_of_min_depth_so_nothing_is_called_shortest() -> None:
    puzzle = plain((0, 1), (0, 2), (2, 1), (1, 3), (3, 4))
    result = search(puzzle, None, place(1) | place(4), min_depth=2)
    assert result.path is not None
    assert (result.status, len(result.path), result.optimal) == ("found", 3, False)
    by_path = search(puzzle, None, place(1) | place(4), min_depth=2, distinct="paths")
    assert by_path.path is not None
    assert (len(by_path.path), by_path.optimal) == (2, True)


def test_states_passed_by_are_no_goals_where_something_is_minimised() -> None:
    result = search(LINE, None, None, min_depth=2, minimize=lowest(A, At(A)))
    assert (result.limit, result.objective, result.optimal) == ("min_depth", 2, False)
    assert result.notes[0].startswith("1 state nearer than min_depth=2 was passed by")


def test_a_state_that_is_reached_twice_counts_once_among_those_ruled_out() -> None:
    puzzle = graph([(0, 2, 9), (0, 1, 1), (1, 2, 1)])
    result = search(
        puzzle, None, place(9), strategy="astar",
        heuristic=lambda state: float("inf") if state == State([At(2)]) else 0,
    )  # fmt: skip
    assert (result.limit, result.limit_value) == ("heuristic", 1)


def test_states_that_the_heuristic_rules_out_are_told() -> None:
    gate = plain((0, 1), (1, 2))
    for name in ("astar", "greedy", "beam"):
        result = search(
            gate, None, place(2), strategy=name,
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


def test_a_beam_that_dropped_states_never_says_exhausted() -> None:
    wide = search(RING, None, NOWHERE, strategy="beam", heuristic=0, width=100)
    assert wide.status == "exhausted"
    thin = search(RING, None, NOWHERE, strategy="beam", heuristic=0, width=1)
    assert (thin.status, thin.limit, thin.limit_value) == ("limit", "width", 1)
    assert "stopped by width=1: not found yet" in str(thin)
    assert "a wider one may find more" in str(thin)
    with pytest.raises(SearchError, match="nothing to resume"):
        thin.resume()


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
    assert found.path is not None
    assert len(found.path) == 4


@every
def test_an_error_in_the_middle_of_a_search_is_an_error_of_this_library(
    strategy: Strategy,
) -> None:
    def goal(state: State) -> bool:
        return bool(1 // (3 - next(iter(state)).place)) and False

    with pytest.raises(RewriteError, match=r"ZeroDivisionError|division") as caught:
        ask(strategy, LINE, goal)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
