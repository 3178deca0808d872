"""replay and moves: by the definition, and clear where a step is not legal."""

from typing import Any

import pytest

from rewrite import ANY, Path, Puzzle, PuzzleError, ReplayError, State, ints, moves, replay, rule

M, N = ints("M N")
PLUS = Puzzle(
    rule(f"{M} + {N} → {M + N}", take=[M, N], put=[M + N], when=M >= N),
    rule(f"{M} - {N} → {M - N}", take=[M, N], put=[M - N], when=M > N),
    name="plus",
)
VAGUE = Puzzle(
    rule("up", take=[N], put=[N + 1]),
    rule("up", take=[N], put=[N + 10], name="up much"),
    rule(f"stop at {N}", take=[N], put=[(N,)]),
    start=[0],
)


def test_moves_are_in_canonical_order_and_the_same_choice_comes_once() -> None:
    assert [step.label for step in moves(PLUS, [2, 2, 3])] == [
        "2 + 2 → 4",
        "3 + 2 → 5",
        "3 - 2 → 1",
    ]
    loose = Puzzle(rule("keep", take=[M], keep=[ANY], put=[M + 1]))
    assert len(moves(loose, [1, "a", "b"])) == 1


def test_replay_accepts_labels_steps_states_and_paths() -> None:
    path = replay(PLUS, [1, 2, 4], ["4 + 2 → 6", "6 - 1 → 5"])
    assert path.end == State([5])
    assert replay(PLUS, [1, 2, 4], path.steps) == path
    assert replay(PLUS, [1, 2, 4], list(path.states[1:])) == path
    assert replay(PLUS, None, path) == path
    assert replay(PLUS, [1, 2, 4], Path(PLUS, path.states, {"X": 1})).bindings == {"X": 1}


def test_a_path_replays_by_its_steps_from_another_start() -> None:
    path = replay(PLUS, [1, 2], ["2 + 1 → 3"])
    assert replay(PLUS, [1, 2, 50], path).end == State([3, 50])


def test_no_steps_are_a_path_of_the_start_alone() -> None:
    assert replay(PLUS, [1], []).states == (State([1]),)


def test_the_first_illegal_step_lists_the_legal_ones() -> None:
    with pytest.raises(ReplayError) as raised:
        replay(PLUS, [1, 2, 4], ["4 + 2 → 6", "6 × 1 → 6"])
    error: Any = raised.value
    assert str(error) == (
        "step 2 is not legal: asked for '6 × 1 → 6', in state [1, 6] with 2 legal moves:\n"
        "  6 + 1 → 7\n  6 - 1 → 5"
    )
    assert (error.step, error.asked, error.state) == (2, "6 × 1 → 6", State([1, 6]))
    assert [step.label for step in error.moves] == ["6 + 1 → 7", "6 - 1 → 5"]


def test_a_state_that_no_step_enters_is_illegal() -> None:
    with pytest.raises(ReplayError, match=r"step 1 is not legal: asked to enter \[4\], in st"):
        replay(PLUS, None, Path(PLUS, [State([1, 2]), State([4])]))


def test_in_a_dead_end_there_are_no_legal_moves() -> None:
    with pytest.raises(ReplayError, match=r"in state \[1\] with 0 legal moves$"):
        replay(PLUS, [1], ["1 + 1 → 2"])


def test_a_label_that_fits_several_states_is_settled_by_what_follows() -> None:
    path = replay(VAGUE, None, ["up", "up", "stop at 20"])
    assert [str(state) for state in path.states] == ["[0]", "[10]", "[20]", "[(20,)]"]


def test_a_label_that_stays_open_is_an_error_that_lists_what_it_may_mean() -> None:
    with pytest.raises(ReplayError) as raised:
        replay(VAGUE, None, ["up"])
    error: Any = raised.value
    assert str(error) == (
        "step 1 is ambiguous: 'up' fits several moves in state [0], and the steps after it are "
        "legal after each; give the Step or State that you mean:\n  up, to [1]\n  up, to [10]"
    )
    assert len(error.moves) == 2
    assert replay(VAGUE, None, [error.moves[1]]).end == State([10])
    with pytest.raises(ReplayError, match="step 1 is ambiguous"):
        replay(VAGUE, None, ["up", "up", "stop at 11"])


def test_an_illegal_step_after_an_open_label_names_every_state() -> None:
    with pytest.raises(ReplayError) as raised:
        replay(VAGUE, None, ["up", "down"])
    assert "in state [1] with 3 legal moves" in str(raised.value)
    assert "or in state [10] with 3 legal moves" in str(raised.value)


def test_replay_obeys_never_and_simplify() -> None:
    puzzle = PLUS.replace(never=[lambda state: 6 in state], simplify=rule("drop", take=[0], put=[]))
    with pytest.raises(ReplayError, match="step 1 is not legal"):
        replay(puzzle, [4, 2], ["4 + 2 → 6"])
    assert replay(puzzle, [4, 2, 0], ["4 - 2 → 2"]).end == State([2])


def test_a_missing_start_is_an_error() -> None:
    with pytest.raises(PuzzleError, match="replay: plus has no start; give one"):
        replay(PLUS, None, ["2 + 1 → 3"])


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("2 + 1 → 3", "is one step; give a Path or a list of steps"),
        (["2 + 1 → 3", 7], "step 2 is 7; a step is a label"),
    ],
)
def test_what_is_no_list_of_steps_is_refused(steps: Any, message: str) -> None:
    with pytest.raises(ReplayError, match=message):
        replay(PLUS, [1, 2], steps)


def test_steps_that_do_not_follow_from_each_other_are_no_path() -> None:
    steps = moves(PLUS, [1, 2])
    with pytest.raises(ReplayError, match=r"step 2 \(2 - 1 → 1\) begins in \[1, 2\], but the one"):
        Path.of_steps(PLUS, steps[0].before, steps)
