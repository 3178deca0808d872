"""What only the native engine has, against a naive search over the definition of the rules."""

from typing import Any

from hypothesis import assume, event, given
from hypothesis import strategies as st

from rewrite import Puzzle, Result, SearchError, State, replay
from rewrite.language import meaning
from rewrite.search.heuristics import HEURISTICS
from tests.engines import goal_of, natively, quiet, searched_by_core
from tests.property.by_definition import Twin, small
from tests.property.piece_puzzles import piece_puzzles
from tests.property.strategies import puzzles as any_puzzles
from tests.property.test_heuristics_are_right import exchanges
from tests.property.test_heuristics_are_right import puzzles as board_puzzles

pytestmark = [natively, quiet]

WAYS = 3_000
NEVER = float("inf")


def defined(puzzle: Puzzle) -> Twin:
    """The space of a puzzle; one without goal, too large or faulty is set aside."""
    assume(puzzle.goal is not None)
    return small(puzzle.replace(goal=meaning.normal_goal(puzzle, goal_of(puzzle))))


def cheapest(space: Twin, most: int) -> int | None:
    """The least cost of a way of so many steps at most to a goal."""
    reached = {space.start: 0}
    for _ in range(most):
        for state, cost in list(reached.items()):
            for after in space.after[state]:
                through = cost + space.costs[state, after]
                reached[after] = min(through, reached.get(after, through))
    return min([cost for state, cost in reached.items() if state in space.goals], default=None)


def simple_paths(space: Twin, most: int) -> set[tuple[State, ...]]:
    """All ways of so many steps at most to goals that never come back to a state."""
    level: set[tuple[State, ...]] = {(space.start,)}
    found: set[tuple[State, ...]] = set()
    for _ in range(most + 1):
        found |= {path for path in level if path[-1] in space.goals}
        level = {
            (*path, after) for path in level for after in space.after[path[-1]] if after not in path
        }
        assume(len(level) <= WAYS)
    return found


def check(puzzle: Puzzle, result: Result, space: Twin) -> None:
    """Every path that was found is one, and a goal is found where one can be reached."""
    assert result.engine == "native"
    for path in result.paths:
        assert replay(puzzle, space.start, path).states == path.states
        assert path.end in space.goals
    if result.status == "exhausted" and not result:
        assert not space.goals


@given(any_puzzles() | board_puzzles, st.sampled_from([None, 0, 7, 2**70]), st.booleans())
def test_depth_first_finds_every_goal_state(puzzle: Puzzle, seed: int | None, one: bool) -> None:
    space = defined(puzzle)
    given: dict[str, Any] = {"strategy": "depth_first", "seed": seed}
    result = searched_by_core(puzzle, solutions=1 if one else None, **given)
    check(puzzle, result, space)
    assert bool(result) == bool(space.goals)
    if not one or not result:
        assert (result.status, result.states) == ("exhausted", len(space.after))
        assert {path.end for path in result.paths} == space.goals


@given(any_puzzles() | board_puzzles, st.integers(1, 4) | st.just(10**6), st.integers(0, 4))
def test_a_beam_finds_what_it_did_not_drop(puzzle: Puzzle, width: int, modulo: int) -> None:
    space = defined(puzzle)
    result = searched_by_core(
        puzzle, strategy="beam", width=width,
        heuristic=lambda state: len(str(state)) % (modulo + 1),
    )  # fmt: skip
    check(puzzle, result, space)
    event(f"{result.status} {result.limit}")
    if width > len(space.after):
        assert bool(result) == bool(space.goals)
    if not result:
        assert (result.status, result.limit) in (("exhausted", None), ("limit", "width"))


@given(
    any_puzzles() | board_puzzles, st.sampled_from([0, 0.3, 0.5, 1]),
    st.sampled_from([1, 1.5, 2, 3]), st.integers(1, 5),
)  # fmt: skip
def test_idastar_finds_the_cheapest_way_or_one_that_is_weight_times_dearer_at_most(
    puzzle: Puzzle, part: float, weight: float, most: int
) -> None:
    space = defined(puzzle)
    left = space.least()
    result = searched_by_core(
        puzzle, strategy="idastar", weight=weight, max_depth=most,
        heuristic=lambda state: part * left.get(state, NEVER) if part else 0,
    )  # fmt: skip
    check(puzzle, result, space)
    least = cheapest(space, most)
    event(f"{result.status}, {least is None}")
    assert bool(result) == (least is not None)
    if result.path is not None:
        assert least is not None
        assert least <= result.path.cost <= weight * least
        assert len(result.path) <= most


@given(any_puzzles() | board_puzzles, st.integers(1, 4))
def test_distinct_paths_are_all_that_do_not_come_back_to_a_state(puzzle: Puzzle, most: int) -> None:
    space = defined(puzzle)
    wanted = simple_paths(space, most)
    result = searched_by_core(puzzle, solutions=None, distinct="paths", max_depth=most,
                    strategy="breadth_first")  # fmt: skip
    check(puzzle, result, space)
    found = [path.states for path in {path.states: path for path in result.paths}.values()]
    event(f"{len(found) > 1}")
    assert {*found} == wanted
    assert [len(path) for path in found] == sorted(map(len, wanted))


@given(
    board_puzzles | exchanges() | piece_puzzles(), st.sampled_from([*HEURISTICS]),
    st.sampled_from(["astar", "greedy", "beam"]), st.sampled_from(["none", "find"]),
)  # fmt: skip
def test_searches_by_heuristics_from_the_rules(
    puzzle: Puzzle, heuristic: str, strategy: str, symmetry: str
) -> None:
    space = defined(puzzle)
    try:
        result = searched_by_core(puzzle, strategy=strategy, heuristic=heuristic, symmetry=symmetry)
    except SearchError:  # it is not made for every puzzle
        assume(False)
    check(puzzle, result, space)
    event(f"{strategy} by {heuristic}: {result.status}")
    assert bool(result) == bool(space.goals) or result.limit == "width"
    if result.optimal:
        assert result.paths[0].cost == space.cheapest(space.start)
