"""The benchmark of strategies cannot rot: tiny instances, no peers but their texts."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from rewrite import State, search
from rewrite.native import status
from tests.benchmarks import peers_planner, peers_sat, strategies
from tests.benchmarks.contests import Contest, Contestant, Ran, WrongAnswer
from tests.benchmarks.ours import DISTANCES, WHOLE, Call, made, ours
from tests.benchmarks.spaces import declared
from tests.benchmarks.strategies import PARTS, PEERS, Wishes, invited
from tests.engines import natively

TWO_MOVES = "123405786"
TWO_TURNS = "928344571593816672"  # of the two grids
PLANNED = """Translator peak memory: 28768 KB
[t=0.020819s, 10964 KB] f = 30, 17 evaluated, 9 expanded
[t=0.020819s, 10964 KB] Plan length: 31 step(s).
[t=0.020819s, 10964 KB] Expanded 6755 state(s).
[t=0.020819s, 10964 KB] Number of registered states: 10032
[t=0.020819s, 10964 KB] Search time: 0.011477s
[t=0.020819s, 10964 KB] Total time: 0.020819s
Peak memory: 10964 KB
"""


def here(name: str, **options: object) -> Contestant:
    """A contestant that needs no process of its own."""
    call = Call("eight_puzzle", (TWO_MOVES,), options)
    return Contestant(name, lambda: made(call, 60))


def fixed(*runs: Ran) -> Contestant:
    """A contestant whose runs are known."""
    left = list(runs)
    return Contestant("fixed", lambda: left.pop(0))


def numbers(state: State) -> list[int]:
    """The digits of the two grids, cell by cell."""
    return [term.number for term in sorted(state, key=lambda term: term.cell)]


def propagated(clauses: list[list[int]], chosen: Sequence[int]) -> set[int] | None:
    """Every literal that follows from these by unit propagation; None: a contradiction."""
    true = set(chosen)
    while True:
        before = len(true)
        for clause in clauses:
            if true.isdisjoint(clause):
                left = [literal for literal in clause if -literal not in true]
                if not left:
                    return None
                if len(left) == 1:
                    true.add(left[0])
        if len(true) == before:
            return true


def test_a_call_of_ours_runs_in_a_process_of_its_own() -> None:
    ran = ours("ours", Call("eight_puzzle", (TWO_MOVES,), {}), 60).run()
    assert (ran.moves, ran.reached) == (2, "stopped after 60 s")
    assert ran.peak is not None
    assert ran.peak > 2**20
    assert ran.search is not None
    assert 0 < ran.search < ran.call


@pytest.mark.parametrize("strategy", [WHOLE, DISTANCES])
def test_a_whole_space_has_the_known_states_and_the_distance_of_the_farthest(strategy: str) -> None:
    ran = made(Call("sliding", ("3", "2"), {"strategy": strategy}), None)
    assert (ran.moves, ran.states) == (21, 360)


def test_an_answer_that_nothing_proves_is_refused() -> None:
    call = Call("eight_puzzle", (TWO_MOVES,), {"strategy": "greedy", "heuristic": "auto"})
    with pytest.raises(AssertionError, match="'greedy' proves nothing"):
        made(call, None)


def test_another_length_and_another_number_of_states_end_the_contest() -> None:
    with pytest.raises(WrongAnswer, match="fixed proved 3 moves to be the least; the least is 2"):
        Contest("board", 2, [fixed(Ran(3, 1, 1, None))]).held(1)
    with pytest.raises(WrongAnswer, match="fixed counted 5 states; there are 6"):
        Contest("space", 2, [fixed(Ran(2, 1, 1, None, states=5))], states=6).held(1)


def test_every_part_names_its_contestants_apart_and_does_without_peers() -> None:
    for part in PARTS.values():
        for contest in part(Wishes(slow=True, large=True)):
            names = [each.name for each in contest.contestants]
            assert len({*names}) == len(names)
            alone = invited(contest, frozenset(PEERS))
            assert [each.name for each in alone.contestants] == [
                name for name in names if not name.startswith(tuple(PEERS.values()))
            ]
            assert alone.contestants


@natively
def test_the_clauses_hold_for_the_plans_that_a_search_finds_and_for_no_others() -> None:
    board, moves = [int(digit) for digit in TWO_TURNS], peers_sat.MOVES
    puzzle = declared("two_grids", [TWO_TURNS])
    paths = search(puzzle, solutions=None, distinct="paths", shortest=True).paths
    assert {len(path) for path in paths} == {2}
    pairs = [*product(range(len(moves)), repeat=2)]
    plans = [plan for plan in pairs if peers_sat.solves(board, plan)]
    between = {tuple(board[cell] for cell in moves[first]) for first, _ in plans}
    assert between == {tuple(numbers(path.states[1])) for path in paths}
    clauses, moved = peers_sat.encoding(board, 2)
    for plan in [*plans, *pairs[::29]]:
        chosen = [at[move] for at, move in zip(moved, plan, strict=True)]
        allowed = plan in plans and plan not in peers_sat.NEEDLESS
        assert (propagated(clauses, chosen) is not None) == allowed, plan
    assert not {*plans} <= {*peers_sat.NEEDLESS}


def test_what_the_planner_printed_is_read_and_how_far_it_came() -> None:
    ran = peers_planner.read(PLANNED, 0, took=0.2, limit=60)
    assert (ran.moves, ran.search, ran.call, ran.peak) == (31, 0.011477, 0.2, 28768 * 1024)
    assert (ran.states, ran.expanded) == (10032, 6755)
    stopped = peers_planner.read("\n".join(PLANNED.splitlines()[:2]), 23, took=61, limit=60)
    assert (stopped.moves, stopped.reached) == (None, "at least 30, stopped after 60 s")
    assert peers_planner.read("", 22, took=9, limit=60).reached == "stopped at 4 GiB"


def test_the_planner_is_given_every_tile_every_neighbour_and_the_goal() -> None:
    text = peers_planner.problem([int(digit) for digit in TWO_MOVES])
    assert text.count("(next ") == 24
    assert text.count("(tile ") == 8
    start, goal = text.split("(:goal")
    assert "(at t5 c5) (at t7 c6) (at t8 c7) (at t6 c8)" in start
    assert "(empty c4)" in start
    assert all(f"(at t{tile} c{tile - 1})" in goal for tile in range(1, 9))
    assert text.count("(") == text.count(")")


@pytest.mark.parametrize("file", ["table.md"])
def test_the_program_tells_its_table_and_writes_it(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if status().profile == "debug":
        pytest.skip("it refuses a debug build of the core")
    contest = Contest("8-puzzle", 2, [here("levels", strategy="breadth_first")])
    monkeypatch.setitem(strategies.PARTS, "spaces", lambda wishes: [contest])
    asked = ["--part", "spaces", "--runs", "1", "--markdown", str(tmp_path / file)]
    done = CliRunner().invoke(strategies.main, asked, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "| 8-puzzle | levels | 2 |" in (tmp_path / file).read_text("utf-8")
