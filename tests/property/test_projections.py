"""Projections of multisets against the definition: distances in them are never too high."""

import math
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from rewrite import Puzzle, contains, count, exactly, ints, lacks, rule, seqs, term, total
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.language.functions import one_of
from rewrite.search.heuristics import projection
from tests.engines import goal_of, over_multiset, quiet, start_of, task_of
from tests.property import strategies
from tests.property.by_definition import Twin, small
from tests.property.test_both_ends_agree import with_goals

pytestmark = quiet


@term
class Pile:
    cards: tuple[Any, ...]


@term
class Hand:
    card: int


@term
class Count:
    of: int
    number: int


@term
class Token:
    pass


X, Y, Z, N, D = ints("X Y Z N D")
S, T = seqs("S T")
RULES = [
    rule("play", take=[Pile((*S, X)), Count(Y, N)], put=[Pile(S), Count(Y, N + 1)], when=N < 3),
    rule("own", take=[Pile((*S, X)), Count(Y, X - 1)], put=[Pile(S), Count(Y, X)], cost=2),
    rule("draw", take=[Pile((*S, X))], put=[Pile(S), Hand(X)], when=count(Hand(Y)) < 2),
    rule("lay", take=[Hand(X), Pile(S)], put=[Pile((*S, X))], cost=X),
    rule("up", take=[Count(X, N), Hand(Y)], put=[Count(X, N + Y)], when=N + Y < 4, absent=Hand(N)),
    rule("down", take=[Count(X, N)], put=[Count(X, N - D)], let={D: one_of(1, 2)}, when=N > 1),
    rule("swap", take=[Count(X, N), Count(Y, Z)], put=[Count(X, Z), Count(Y, N)], cost=3),
    rule("jump", take=[Count(X, N)], keep=[Hand(N)], put=[Count(X, 2 * N)], when=N < 3, cost=N),
    rule("burn", take=[Token()], put=[], when=lacks(Count(X, 3))),
    rule("close", take=[Pile(()), Count(X, N)], put=[Token(), Count(X, N)], absent=Count(X, 0)),
    rule("all", take=[Count(X, N)], put=[Count(X, 3)], when=lacks(Hand(Y), when=Y > N), cost=4),
    rule("new", take=[Hand(X)], put=[Count(X, 0)], absent=[Count(X, N)]),
]  # fmt: skip
GOALS = [
    contains(Count(0, 3)), contains(Count(0, 3), Count(1, 3)),
    contains(Count(X, 3), absent=Token()),
    lacks(Count(X, N), when=N < 2), count(Count(X, 3)) > 1, contains(Token()), contains(Pile(())),
    total(N, Count(X, N)) == 5, ~contains(Count(X, 1)), ~exactly(Count(0, 1)),
    contains(Hand(X)) & lacks(Token()), contains(Count(0, N)) | contains(Hand(2)),
]  # fmt: skip
TERMS = [Pile((0, 1)), Pile((1, 2)), Pile(()), Hand(1), Hand(2), Count(0, 0), Count(1, 1), Token()]

systems = st.builds(
    lambda rules, start, goal, sets: Puzzle(*rules, start=start, goal=goal, sets=sets),
    st.lists(st.sampled_from(RULES), min_size=1, max_size=5, unique_by=lambda one: one.name),
    st.lists(st.sampled_from(TERMS), min_size=2, max_size=4),
    st.sampled_from(GOALS),
    st.booleans(),
)


def check(puzzle: Puzzle, space: Twin, engine: MultisetEngine, estimate: Any) -> None:
    left = space.least()
    guess = {state: estimate(engine.encode(state)) for state in space.after}
    event(f"says something: {any(guess.values())}")
    for state, value in guess.items():
        assert value <= left.get(state, math.inf), f"{state}: {value}, {left.get(state)}"
    for (state, after), cost in space.costs.items():
        assert guess[state] <= cost + guess[after], f"{state}, {after}"


@pytest.mark.parametrize("kind", [systems, with_goals(strategies.puzzles())])
@given(
    data=st.data(),
    bound=st.sampled_from(["MOST_EXPANDED", "MOST_PAIRS"]),
    most=st.sampled_from([1, 3, 10_000]),
)
def test_distances_in_a_projection_are_never_too_high(
    kind: Any, data: st.DataObject, bound: str, most: int
) -> None:
    puzzle = data.draw(kind)
    space = small(puzzle)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projection, bound, most)
        try:
            engine = over_multiset(task_of(puzzle, puzzle.goal))
            estimate = projection.projection(engine, puzzle.goal)
            check(puzzle, space, engine, estimate)
        except (Unsuitable, NeedsCapacity) as why:
            event(str(why)[:40])


def test_a_projection_of_sets_holds_no_term_twice() -> None:
    again = rule("again", take=[Hand(X)], put=[Count(0, 3), Count(1, 1)])
    start = [Hand(1), Count(0, 3)]
    puzzle = Puzzle(again, start=start, goal=total(N, Count(X, N)) == 4, sets=True)
    engine = over_multiset(task_of(puzzle, puzzle.goal))
    found = projection.projection(engine, goal_of(puzzle))
    assert found(engine.encode(start_of(puzzle))) == 1


def test_a_projection_whose_states_grow_is_explored_as_far_as_pairs_of_terms_allow() -> None:
    split = rule("split", take=[Token(), Hand(X)], put=[Token(), Token(), Hand(X - 1)], when=X > 0)
    goal = contains(Token(), Token())
    puzzle = Puzzle(split, start=[Token(), Hand(2)], goal=goal)
    found = projection.projection(over_multiset(task_of(puzzle, goal)), goal)
    assert found.note.startswith("least distances, as far as they were explored, in Token alone")
    last = len(found.table) - 1  # expanded: states of 1, 2, … terms
    assert sum(n * n for n in range(last)) <= projection.MOST_PAIRS
    assert sum(n * n for n in range(last + 1)) > projection.MOST_PAIRS
