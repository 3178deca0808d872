"""`simplify` gives the normal form of every state: of the start and of states as goals too."""

from typing import Any

import pytest

from rewrite import (
    ANY,
    STRATEGIES,
    Path,
    Puzzle,
    Result,
    SimplifyError,
    State,
    check_symmetry,
    compare,
    contains,
    count,
    distances,
    explain,
    explore,
    ints,
    lacks,
    moves,
    replay,
    rule,
    scramble,
    search,
    solutions,
)
from tests.engines import able, helped

M, N = ints("M N")
PURSE = Puzzle(
    rule("earn", take=[], put=[1], absent=[("note", 3)]),
    simplify=[
        rule("change", take=[1, 1], put=[("note", 1)]),
        rule("merge", take=[("note", M), ("note", N)], put=[("note", M + N)]),
    ],
    start=[1, 1, 1],
    name="purse",
)
START = State([1, ("note", 1)])
END = State([("note", 3)])
GOALS = [
    State([1] * 6),
    [State([7]), State([1] * 6)],
    State([1] * 6) & contains(("note", 3)),
    contains(7) | State([("note", 2), 1, 1]),
    ~(lacks(("note", ANY)) | ~(State([1] * 6) & contains(("note", 3)))),
]


@able(name for name, one in STRATEGIES.items() if not one.needs_inverse)
def test_a_search_begins_and_ends_in_normal_forms(strategy: str, engine: str) -> None:
    for goal in GOALS:
        result = search(PURSE, None, goal, engine=engine, **helped(strategy, count(1)))
        assert result.path is not None, (strategy, goal)
        assert result.path.states == (START, State([("note", 2)]), State([1, ("note", 2)]), END)
        assert result.path.labels == ["earn"] * 3
        again = Result.from_json(result.to_json(), PURSE).path
        assert again == result.path
        assert again is not None
        assert again.states[0] == START


def test_every_other_function_begins_in_the_normal_form() -> None:
    assert next(solutions(PURSE, None, GOALS[0])).start == START
    assert (explore(PURSE).states[0], len(explore(PURSE))) == (START, 4)
    far = distances(PURSE)
    assert (far.start, far.levels, far.farthest()) == (START, [1, 1, 1, 1], [END])
    assert far.distance([1] * 6) == far.distance(END) == 3
    assert far.path([1] * 6).states[0] == START
    [step] = moves(PURSE, [1, 1, 1])
    assert (step.before, step.after) == (START, State([("note", 2)]))
    walked = replay(PURSE, None, ["earn"])
    assert walked.states == (START, State([("note", 2)]))
    assert replay(PURSE, [1, 1, 1], [State([1, 1, 1, 1])]) == walked
    assert replay(PURSE, None, Path(PURSE, [State([1, 1, 1]), State([1, 1, 1, 1])])) == walked
    assert all(
        result.path and result.path.start == START for result in compare(PURSE, goal=GOALS[0])
    )
    assert scramble(PURSE, [1, 1, 1], 0) == START
    assert str(explain(PURSE, [1, 1, 1])).startswith("purse in state [1, ('note', 1)]")
    assert explain(PURSE, [1, 1, 1], "earn").state == START
    assert "the normal form of the start: [1, ('note', 1)]" in str(explain(PURSE))
    assert check_symmetry(PURSE)


def test_a_rule_of_simplify_is_explained_in_the_state_as_it_is() -> None:
    assert explain(PURSE, [1, 1, 1], "change").steps == 1
    assert explain(PURSE, START, "change").steps == 0


def test_a_start_or_goal_without_a_normal_form_is_an_error() -> None:
    endless = PURSE.replace(simplify=rule("up", take=[M], put=[M + 1]))
    text = "purse: simplify does not end: after 10,000 rounds 'up' still fires"
    asked: list[dict[str, Any]] = [{"start": [1]}, {"start": [], "goal": State([1])}]
    for given in asked:
        with pytest.raises(SimplifyError, match=text):
            search(endless, **({"goal": contains(7)} | given))
    for function in (explore, distances, moves, replay, scramble):
        with pytest.raises(SimplifyError, match=text):
            function(endless, [1])
