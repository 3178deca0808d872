"""What designers are told of a space is what the definition of the rules says, state by state."""

import random
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st

from rewrite import Hardest, Puzzle, Rating, State, hardest, ints, rate, rule, term
from rewrite.native import status
from rewrite.search.tasks import hardest as module
from tests.engines import ENGINES, natively, quiet
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import Twin, small
from tests.property.drawn import drawn
from tests.property.sliding_puzzles import sliding_puzzles
from tests.property.strategies import puzzles
from tests.property.symmetric_puzzles import ring_puzzles
from tests.property.tuple_puzzles import tuple_puzzles
from tests.property.walking_puzzles import walking_puzzles

pytestmark = quiet
WAYS = 300


@term
class At:
    node: int


@term
class Link:
    a: int
    b: int
    cost: int


A, B, C = ints("A B C")
GO = rule(f"{A} to {B}", take=[At(A)], keep=[Link(A, B, C)], put=[At(B)], cost=C)


@st.composite
def walks(draw: st.DrawFn) -> Puzzle:
    """Draw a walk on a random graph, whose links may lead both ways, to one node or several."""
    chance = random.Random(draw(st.integers(0, 10**6)))  # drawn alike, not the small ones first
    nodes = range(chance.randint(2, 24))
    onward = [(a, min(a + chance.choice([1, 1, 2, 3]), nodes[-1])) for a in 3 * [*nodes]]
    across = [(chance.choice(nodes), chance.choice(nodes)) for _ in range(len(nodes) // 2)]
    chosen = [pair for pair in onward + across if chance.random() < 0.8]
    links = [(a, b, chance.choice([1, 1, 1, 3])) for a, b in chosen]
    if draw(st.booleans()):
        links += [(b, a, cost) for a, b, cost in links]
    goals = chance.choices([*nodes, -1], k=draw(st.sampled_from([1, 1, 2, 3])))
    return Puzzle(
        GO, facts=[Link(*link) for link in links], start=[At(0)],
        goal=[State([At(goal)]) for goal in goals], name="walk",
    )  # fmt: skip


@st.composite
def aimed(draw: st.DrawFn) -> Puzzle:
    """Draw a puzzle whose goals, one or a few, are states that come up."""
    kinds = [board_puzzles(), puzzles(), sliding_puzzles(), ring_puzzles(), tuple_puzzles()]
    puzzle: Puzzle = draw(st.one_of(*kinds))
    space = small(puzzle.replace(goal=State([])))
    states = list(space.after)[::-1]  # the far ones first: these are drawn more often
    picked = draw(st.lists(st.sampled_from(states), min_size=1, max_size=2))
    return puzzle.replace(goal=picked, symmetry=[])


@cache
def any_puzzles() -> st.SearchStrategy[Puzzle]:
    """Puzzles of all kinds, each with a goal."""
    free = walking_puzzles(forbids=True)
    kinds = [board_puzzles(), puzzles(), sliding_puzzles(), ring_puzzles(), tuple_puzzles()]
    goals = st.one_of(*kinds, free)
    given_goal = goals.filter(lambda one: one.goal is not None)
    return st.one_of(walks(), aimed(), given_goal)


def agrees(found: Hardest, space: Twin) -> None:
    assert (found.complete, found.limit, found.states) == (True, None, len(space.after))
    assert list(found.levels) == space.levels
    assert found.solvable == len(space.left)
    assert found.hopeless == len(space.after) - len(space.left)
    last = max(space.left.values(), default=None)
    assert found.depth == last
    assert list(found.farthest) == sorted(s for s, steps in space.left.items() if steps == last)
    for state in [*found.farthest[:2], *list(space.left)[:3]]:
        path = found.path(state)
        assert (path.start, len(path.steps)) == (state, space.left[state])
        assert path.end in space.goals


@given(walks() | any_puzzles())
def test_the_hardest_states_are_those_of_the_definition_on_both_engines(puzzle: Puzzle) -> None:
    space = small(puzzle)
    for engine in ENGINES:
        found = hardest(puzzle, engine=engine, symmetry="none")
        note(f"{engine}: {found!r}")
        agrees(found, space)


@given(ring_puzzles() | any_puzzles())
def test_symmetry_counts_states_once_and_never_changes_the_distance(puzzle: Puzzle) -> None:
    assume(puzzle.goal is not None)
    puzzle = puzzle.replace(symmetry=[])
    space = small(puzzle)
    last = max(space.left.values(), default=None)
    for engine in ENGINES:
        found = hardest(puzzle, engine=engine, symmetry="find")
        event(f"up to symmetry: {'up to symmetry' in str(found.notes)}")
        assert found.complete
        assert found.depth == last
        assert len(found.levels) == len(space.levels)
        assert all(few <= all_ for few, all_ in zip(found.levels, space.levels, strict=True))
        assert found.states <= len(space.after)
        assert bool(found.hopeless) == (len(space.left) < len(space.after))
        for state in found.farthest:
            assert space.left[state] == last  # a real one, which the start can come to


@given(walks() | any_puzzles())
def test_a_rating_says_what_the_definition_says_on_both_engines(puzzle: Puzzle) -> None:
    space = small(puzzle)
    for engine in ENGINES:
        found = rate(puzzle, engine=engine)
        note(f"{engine}: {found}")
        assert (found.complete, found.limit, found.states) == (True, None, len(space.after))
        _space_agrees(found, space)
        _way_agrees(found, space)


def _space_agrees(found: Rating, space: Twin) -> None:
    after = space.after
    assert found.goals == len(space.goals)
    assert found.hopeless == len(after) - len(space.left)
    assert found.dead_ends == sum(not space.others(s) for s in after if s not in space.goals)
    moves = sum(len(space.others(state)) for state in after)
    assert found.space_branching == float(Fraction(moves, len(after)))
    assert found.farthest == max(space.left.values(), default=None)


def _way_agrees(found: Rating, space: Twin) -> None:
    start, left = found.start, space.left
    assert found.solvable == (start in left) == bool(found)
    assert found.length == left.get(start)
    assert found.cost == space.cheapest(start)
    if start not in left:
        none = (found.forced, found.branching, found.path, found.fatal, found.detour)
        assert none == (None,) * 5
        assert found.shortest_paths == 0
        return
    ways = [way for way, _ in zip(space.paths(start), range(WAYS + 1), strict=False)]
    assert found.path is not None
    assert (found.path.start, len(found.path.steps)) == (start, left[start])
    if len(ways) > WAYS:
        return
    assert list(found.path.states) in ways
    counted = found.engine != "python"
    assert counted or len(found.notes) == 1
    assert found.shortest_paths == (len(ways) if counted else None)
    on = {state for way in ways for state in way[:-1]}

    def only(state: State) -> bool:
        return sum(left.get(one) == left[state] - 1 for one in space.after[state]) == 1

    forced = [sum(map(only, way[:-1])) for way in ways]
    assert found.forced == ((min(forced), max(forced)) if counted else None)
    moves = [one for state in on for one in space.others(state)]
    assert found.branching == (float(Fraction(len(moves), len(on))) if on and counted else None)
    wrong = [(state, one) for state in on for one in space.others(state)]
    assert found.fatal == sum(one not in left for _, one in wrong)
    costs = [left[one] + 1 - left[state] for state, one in wrong if one in left]
    assert found.detour == max(costs, default=0)


@pytest.mark.skipif(not status().usable, reason="tables are of the native engine")
def test_many_of_these_puzzles_are_answered_from_the_goal_and_many_from_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways: list[bool] = []
    tried = module._from_goal
    monkeypatch.setattr(module, "_from_goal", lambda *a: _noted(tried(*a), ways))
    for puzzle in drawn(walks, 60):
        hardest(puzzle)
    assert ways.count(True) >= 5
    assert ways.count(False) >= 20


def _noted(found: Hardest | None, ways: list[bool]) -> Hardest | None:
    ways.append(found is not None)
    return found


@natively
def test_the_drawn_walks_have_dead_ends_detours_choices_and_goals_out_of_reach() -> None:
    found = [rate(one) for one in drawn(walks, 60)]
    for name, those in {
        "solved, with states that cannot be": [one for one in found if one and one.hopeless],
        "not solved": [one for one in found if not one],
        "long": [one for one in found if (one.length or 0) >= 3],
        "a move loses": [one for one in found if one.fatal],
        "a detour": [one for one in found if one.detour],
        "several solutions": [one for one in found if (one.shortest_paths or 0) > 1],
        "more or less forced": [one for one in found if one.forced and len({*one.forced}) > 1],
        "cheaper by another way": [one for one in found if one.cost != one.length],
        "no moves": [one for one in found if one.dead_ends],
    }.items():
        assert len(those) >= 3, f"{name}: {len(those)} of {len(found)}"
