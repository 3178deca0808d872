"""scramble walks backwards and says how far away the state is."""

import pickle
from typing import Any

from puzzles import eight_puzzle, farmer, peg_solitaire, two_grids
from rewrite import Puzzle, Scrambled, State, contains, exactly, ints, rule, scramble, search
from tests.terms import At

M, N, C, V = ints("M N C V")
SOLVED = State([eight_puzzle.Tile(cell, (cell + 1) % 9) for cell in range(9)])


def steps_back(puzzle: Puzzle, board: State, end: State) -> int:
    """The least number of steps from a board to the end, by an ordinary search."""
    return len(search(puzzle, board, exactly(*end)).paths[0])


def test_where_the_space_ends_before_the_state_is_one_of_the_farthest() -> None:
    boards = {scramble(eight_puzzle.tiles, SOLVED, 99, seed) for seed in range(3)}
    assert {(board.distance, board.exact) for board in boards} == {(31, True)}
    assert len(boards) == 2  # there are two


def test_states_of_one_distance_are_drawn_alike() -> None:
    drawn = [scramble(eight_puzzle.tiles, SOLVED, 4, seed) for seed in range(160)]
    assert len({*drawn}) == 16
    assert all(4 < drawn.count(board) < 20 for board in drawn)  # 10 on average


def test_beyond_what_can_be_searched_the_distance_is_at_most_that() -> None:
    solved = State(two_grids.board("492294357753816618"))
    board = scramble(two_grids.two_grids, solved, 6, seed=1)
    assert (board.distance, board.exact) == (6, False)
    assert steps_back(two_grids.two_grids, board, solved) <= 6
    assert steps_back(two_grids.two_grids, board, solved) >= 4


def test_moves_that_cannot_be_undone_are_run_backwards() -> None:
    puzzle = peg_solitaire.instance()
    end = search(puzzle).paths[0].end
    board = scramble(puzzle, end, 7, seed=2)
    assert (board.distance, board.exact) == (7, True)
    assert steps_back(puzzle, board, end) == 7


def test_a_scramble_does_not_enter_what_never_forbids() -> None:
    puzzle = farmer.instance()
    end = State([farmer.On(who, "right") for who in ("farmer", "wolf", "goat", "cabbage")])
    board = scramble(puzzle, end, 99, seed=0)
    assert steps_back(puzzle, board, end) == board.distance
    lost = Puzzle(
        rule("up", take=[At(C, V)], put=[At(C, V + 1)], when=V < 3), start=[At(0, 0)],
        never=[contains(At(0, 2))], name="lost",
    )  # fmt: skip
    assert scramble(lost, [At(0, 3)], 3).distance == 0


def test_where_rules_have_no_inverse_the_walk_goes_forwards_and_promises_nothing() -> None:
    puzzle = Puzzle(rule(f"{M} + {N}", take=[M, N], put=[M + N]), start=[1, 2, 3], name="add")
    board = scramble(puzzle, steps=1, seed=1)
    assert (len(board), board.distance, board.exact) == (2, None, False)


def test_a_scrambled_state_is_the_state_it_is() -> None:
    board = scramble(eight_puzzle.tiles, SOLVED, 5, seed=0)
    plain = State(list(board))
    assert isinstance(board, Scrambled)
    assert board == plain
    assert plain == board
    assert hash(board) == hash(plain)
    assert (repr(board), str(board)) == (repr(plain), str(plain))
    again: Any = pickle.loads(pickle.dumps(board))
    assert (again, again.distance, again.exact) == (board, 5, True)
    assert search(eight_puzzle.tiles, board, max_depth=5)
