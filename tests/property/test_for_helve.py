"""Certificates of "none" in the format of helve, checked by a reader of our own."""

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from puzzles.water_jugs import instance
from rewrite import ExportError, Puzzle, contains, explore, lacks
from rewrite.search.for_helve import for_helve
from tests.engines import quiet
from tests.helve import proves, task_of
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import small
from tests.property.piece_puzzles import piece_puzzles
from tests.property.symmetric_puzzles import ring_puzzles

pytestmark = quiet


@given(st.one_of(board_puzzles(), ring_puzzles(), piece_puzzles()))
def test_no_way_is_shown_to_helve_and_a_way_never_is(puzzle: Puzzle) -> None:
    space = small(puzzle, 60)
    assume(puzzle.goal is not None)
    try:
        task, proof = for_helve(puzzle, [*space.after])
    except ExportError as error:
        event(str(error).partition("helve: ")[2][:40])
        return
    read = task_of(task)
    event(f"there is a way: {bool(space.goals)}, {min(len(read.actions), 3)} actions")
    assert proves(read, proof) is not bool(space.goals)


def test_what_is_left_out_or_reaches_the_goal_is_no_proof() -> None:
    jugs = instance("3", "4", "6")
    states = explore(jugs).states
    task, proof = for_helve(jugs, states)
    assert proves(task_of(task), proof)
    for left_out in (0, len(states) // 2):
        task, fewer = for_helve(jugs, states[:left_out] + states[left_out + 1 :])
        assert not proves(task_of(task), fewer)
    with pytest.raises(ExportError, match="a listed state is a goal, by its terms"):
        for_helve(instance("2", "4", "6"), states)  # one of them is a goal


def test_what_is_no_task_is_refused() -> None:
    jugs = instance("3", "4", "6")
    with pytest.raises(ExportError, match="`never` forbids states"):
        for_helve(jugs.replace(never=contains(7)), [])
    pool = Puzzle(jugs.rules[0], start=[1, 1], goal=lacks(1))
    with pytest.raises(ExportError, match="is no task for helve: "):
        for_helve(pool, [])
