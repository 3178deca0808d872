"""A puzzle without rules asks about its start alone, of every public function."""

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
    State,
    check_symmetry,
    compare,
    contains,
    count,
    distances,
    explain,
    explore,
    ints,
    moves,
    replay,
    scramble,
    search,
    solutions,
    to_maude,
)
from tests.engines import ENGINES, able, helped

M, N = ints("M N")
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
