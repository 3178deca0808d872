"""Which answers a search gives, how many of them, and in which order."""

from typing import Any

import pytest

from rewrite.language.conditions import contains, count, exactly, lacks, terminal
from rewrite.language.functions import terms
from rewrite.language.meaning import successors
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.search.api import search, solutions
from rewrite.search.strategies import Strategy
from tests.contract.graphs import (
    GROWING,
    LINE,
    RING,
    A,
    At,
    M,
    N,
    ask,
    complete,
    every,
    place,
    plain,
)
from tests.engines import every_engine, natively, quiet

V, W = terms("V W")


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
    assert "no other: all 8 states seen" in nine.summary()
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
    assert len(list(limited)) < 4


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


@natively
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


@natively
def test_two_ways_to_make_the_same_step_are_one_path() -> None:
    twice = Puzzle(
        rule("a", take=[1], put=[2]), rule("b", take=[1], put=[2]), start=[1], goal=contains(2)
    )
    assert len(search(twice, solutions=None, distinct="paths").paths) == 1


@every_engine
@quiet  # nothing makes the goal
@pytest.mark.parametrize(
    ("take", "when"),
    [
        ([V], V == ("box", 1)),
        ([V], V == "a"),
        ([V], V == 2),
        ([V, W], V == ("box", 1)),
        ([V, W], V == W),
    ],
)
def test_what_a_condition_says_of_a_whole_term_is_found(
    engine: str, take: list[Any], when: Any
) -> None:
    puzzle = Puzzle(rule("x", take=take, put=[("put", V)], when=when))
    start = [("box", 1), ("box", 1), "a", "a", 2]
    seen, left = {State(start)}, [State(start)]
    for state in left:  # by the definition
        after = {way.after for way in successors(puzzle, state)} - seen
        seen |= after
        left += sorted(after, key=str)
    assert len(seen) > 1
    result = search(puzzle, start, contains("nothing"), engine=engine)
    assert (result.status, result.states) == ("exhausted", len(seen))
