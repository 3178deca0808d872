"""Puzzles with `simplify` and puzzles without rules, asked of every public function."""

import subprocess
import sys
from typing import Any

import pytest

from rewrite import (
    ANY,
    STRATEGIES,
    Path,
    Puzzle,
    ReplayError,
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
    term,
    to_maude,
)
from tests.engines import ENGINES, able, helped


@term
class Tile:
    place: int
    number: int


@term
class Turn:
    whose: int


M, N, T, X = ints("M N T X")
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


MATCH = Puzzle(start=[5, 3, 3], goal=contains(M, N, when=M > N), name="match")


def asked(strategy: str, **options: Any) -> Result:
    return search(MATCH, **helped(strategy, count(M)), **options)


@able(STRATEGIES)
def test_a_search_looks_at_the_start_only(strategy: str, engine: str) -> None:
    found = asked(strategy, engine=engine)
    assert (found.status, found.states, found.rules) == ("found", 1, {})
    assert found.paths[0].states == (State([3, 3, 5]),)
    assert found.bindings == {"M": 5, "N": 3}
    absent = asked(strategy, engine=engine, goal=contains(M, N, when=M > N + 2))
    assert (absent.status, absent.states, absent.paths) == ("exhausted", 1, ())


def test_a_forgotten_start_or_goal_is_told_as_ever() -> None:
    with pytest.raises(Exception, match="puzzle: where to start\\? Give search"):
        search(Puzzle())
    with pytest.raises(Exception, match="puzzle: what to look for\\? Give search"):
        search(Puzzle(start=[1]))


def test_every_public_function_copes() -> None:
    start = State([3, 3, 5])
    assert [path.bindings for path in solutions(MATCH)] == [{"M": 5, "N": 3}]
    space = explore(MATCH)
    assert (space.states, space.edges, space.complete) == ([start], [], True)
    assert (distances(MATCH).levels, distances(MATCH).farthest()) == ([1], [start])
    assert moves(MATCH, start) == []
    assert replay(MATCH, None, []) == Path(MATCH, [start])
    with pytest.raises(ReplayError, match=r"'go', in state .3, 3, 5. with 0 legal moves"):
        replay(MATCH, None, ["go"])
    assert "there are no rules: a search looks at the start only" in str(explain(MATCH))
    assert str(explain(MATCH, start)) == "match in state [3, 3, 5]\n  there are no rules"
    with pytest.raises(Exception, match=r"match has no rule 'go'. Its rules: none at all"):
        explain(MATCH, start, "go")
    assert all(result.status == "found" for result in compare(MATCH))
    assert (scramble(MATCH, None, 3), scramble(MATCH, None, 3).distance) == (start, 0)
    assert check_symmetry(MATCH)
    assert "eq start = { 3 ; 3 ; 5 } ." in to_maude(MATCH)
    assert Result.from_json(search(MATCH).to_json(), MATCH).path == Path(MATCH, [start])


def test_the_command_line_copes(tmp_path: Any) -> None:
    file = tmp_path / "hand.py"
    file.write_text(
        "from rewrite import Puzzle, contains, ints\nM = ints('M')\n"
        "hand = Puzzle(start=[3, 7, 7], goal=contains(M, M))\n"
        "none = Puzzle(start=[3, 7], goal=contains(M, M))\n"
    )
    for words, code, text in (
        (["solve", f"{file}:hand"], 0, "0 steps, the start is a goal"),
        (["solve", f"{file}:none"], 1, "no solution: all 1 state seen"),
        (["compare", f"{file}:hand"], 0, "found"),
        (["explain", f"{file}:hand"], 0, "there are no rules"),
        (["moves", f"{file}:hand"], 0, "no moves"),
    ):
        done = subprocess.run([sys.executable, "-m", "rewrite", *words], capture_output=True)
        assert (done.returncode, text in done.stdout.decode()) == (code, True), done.stderr


def test_a_never_that_lacks_any_term_is_asked_without_rules_too() -> None:
    alone = Puzzle(start=[0], goal=State([0]), never=contains(0, absent=ANY))
    for engine in ENGINES:
        assert search(alone, engine=engine).status == "found"


def test_a_scramble_of_a_state_that_its_start_cannot_reach_is_by_the_rules() -> None:
    """In slots the blank is known to stand once, so nothing asks whether a tile beside it is one;
    where all is blank there is no move.
    """
    swap = rule(
        "swap", take=[Tile(M, X), Tile(N, 0), Turn(T)], put=[Tile(M, 0), Tile(N, X), Turn(1 - T)],
        when=X > 0,
    )  # fmt: skip
    puzzle = Puzzle(swap, start=[Tile(0, 0), Tile(1, 1), Tile(2, 2), Turn(0)])
    assert scramble(puzzle, steps=1).distance == 1
    blank = [Tile(0, 0), Tile(1, 0), Tile(2, 0), Turn(0)]
    assert scramble(puzzle, blank, 1) == State(blank)
