"""The benchmark of boards cannot rot: drawn levels, and tables of made-up rows."""

from pathlib import Path

import pytest

from puzzles import sokoban
from rewrite import contains, search
from rewrite.native import core_or_none
from tests.benchmarks import boards
from tests.benchmarks.boards import Board, Row, figures, solve, worst
from tests.benchmarks.drawn_levels import level


def test_drawn_levels_can_be_solved_and_are_the_same_each_time() -> None:
    for seed in range(5):
        rows = level(seed, 8, 7, 2)
        assert rows == level(seed, 8, 7, 2)
        assert "".join(rows).count("$") + "".join(rows).count("*") == 2
        assert search(sokoban.instance("pushes", *rows))
    assert level(0, 8, 7, 2) != level(1, 8, 7, 2)


@pytest.mark.skipif(core_or_none() is None, reason="boards are for the native engine")
def test_a_board_is_judged_by_the_length_that_is_known() -> None:
    puzzle = sokoban.instance()
    row = solve(Board("1", puzzle, 33), "auto")
    assert (row.board, row.problem, row.states > 1) == ("1", "", True)
    assert solve(Board("1", puzzle, 31), "astar").problem == "33 steps, 31 expected"
    corner = contains(sokoban.Box(8))
    nothing = sokoban.instance("#######", "# @$ .#", "#######").replace(goal=corner)
    assert "no solution" in solve(Board("1", nothing, None), "breadth_first").problem


def row(seconds: float, problem: str = "") -> Row:
    return Row("1", problem, seconds, seconds, 40.0, 7, "astar")


def test_tables_tell_the_median_and_how_auto_compares() -> None:
    line = figures("drawn", "auto", [row(1.0), row(2.0), row(9.0), row(0.0, "no")])
    assert line == ("| drawn | auto | 3 of 4 | 2.000 s | 9.000 s | 2.000 s | 9.000 s | 40 MB | 7 |")
    by_choice = {"auto": [row(4.0)], "astar": [row(1.0)], "breadth_first": [row(0.0, "no")]}
    call, _, memory = worst("drawn", by_choice)
    assert call == "| drawn | call | 3.8 | 1 (astar) | 1 of 1 |"
    assert memory.split(" | ")[2] == "0.6"


def test_sets_that_need_no_files_are_there() -> None:
    names = [board.name for board in boards.SETS["drawn"](Path("nowhere"))]
    assert (len(names), names[0], names[-1]) == (16, "8 boxes, 0", "16 boxes, 3")
