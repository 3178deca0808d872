"""The nearest state where no state is a goal: `minimize`."""

import pytest

from rewrite.errors import SearchError
from rewrite.language.conditions import lowest
from rewrite.language.states import State
from rewrite.search.api import search
from rewrite.search.strategies import Strategy
from tests.contract.graphs import LINE, RING, A, At, ask, complete, place


@complete
def test_minimize_gives_the_nearest_state_when_there_is_no_exact_one(strategy: Strategy) -> None:
    if strategy.name == "greedy":
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


def test_states_passed_by_are_no_goals_where_something_is_minimised() -> None:
    result = search(LINE, None, None, min_depth=2, minimize=lowest(A, At(A)))
    assert (result.limit, result.objective, result.optimal) == ("min_depth", 2, False)
    assert result.notes[0].startswith("1 state nearer than min_depth=2 was passed by")
