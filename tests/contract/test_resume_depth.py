"""A depth that is changed when a search goes on: raised, lifted, and not lowered."""

from typing import Any

import pytest

from rewrite import (
    STRATEGIES,
    Puzzle,
    Result,
    SearchError,
    State,
    contains,
    ints,
    lowest,
    rule,
    search,
)
from tests.engines import able, helped

M = ints("M")
STEPS = Puzzle(
    rule("one", take=[M], put=[(M + 1) % 37]),
    rule("twice", take=[M], put=[(M * 2) % 37]),
    rule("thrice", take=[M], put=[(M * 3 + 1) % 37]),
    start=[0],
    goal=contains(5),
)


def by(strategy: str, engine: str, **options: Any) -> Result:
    return search(STEPS, engine=engine, **helped(strategy, lowest(M % 3, M)), **options)


one_end = able([name for name, one in STRATEGIES.items() if not one.needs_inverse])


@one_end
def test_a_depth_below_what_was_seen_is_refused(strategy: str, engine: str) -> None:
    result = by(strategy, engine, goal=contains(99), max_depth=3)
    with pytest.raises(SearchError, match=r"the search has come to states 3 steps away") as told:
        result.resume(max_depth=1)
    assert str(told.value) == (
        ".resume(max_depth=1): the search has come to states 3 steps away already, and does not "
        "take that back. Give max_depth=3 or more, or None; or search anew with max_depth=1"
    )
    assert (told.value.max_depth, told.value.reached) == (1, 3)
    same = result.resume(max_depth=3)
    assert (same.status, same.limit, same.depth) == ("limit", "max_depth", 3)
    # stopped amid a level, states of the next have been seen
    halted = by(strategy, engine, goal=contains(99), max_states=12)
    if halted.status == "limit":
        with pytest.raises(SearchError, match=rf"has come to states {halted.depth + 1} step"):
            halted.resume(max_depth=halted.depth)
        assert halted.resume(max_depth=halted.depth + 1).status in ("limit", "exhausted")


@one_end
@pytest.mark.parametrize("depth", [2, 3, 5])
def test_a_goal_state_comes_once_also_after_a_depth_was_raised(
    strategy: str, engine: str, depth: int
) -> None:
    result = by(strategy, engine, solutions=None, max_depth=depth)
    while result.status == "limit" and (result.limit_value or 0) < 9:
        result = result.resume(max_depth=int(result.limit_value or 0) + 1)
    assert [path.end for path in result.paths] == [State([5])]
