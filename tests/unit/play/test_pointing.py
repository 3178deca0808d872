"""By which marks moves are meant, and which arrow they follow."""

import pytest

from puzzles import PUZZLES
from rewrite.play.pointing import Handle, handle_of, middle_of
from rewrite.results.moves import moves
from rewrite.show.views.pictures import drawn_or_told
from tests.engines import start_of


def handles(name: str, *words: str) -> dict[str, Handle]:
    puzzle = PUZZLES[name](*words)
    here = drawn_or_told(puzzle, start_of(puzzle))
    return {
        step.label: handle_of(here, drawn_or_told(puzzle, step.after), step)
        for step in moves(puzzle, start_of(puzzle))
    }


def test_a_walk_and_a_push_follow_their_arrows() -> None:
    found = handles("sokoban", "#####", "#.$@#", "#   #", "#####")
    assert {label: handle.way for label, handle in found.items()} == {"d": "down", "L": "left"}
    assert len(found["d"].marks) == 1
    assert len(found["L"].marks) == 2


def test_a_tile_is_meant_by_itself_alone_and_goes_to_the_gap() -> None:
    found = handles("eight_puzzle", "123406758")
    assert {handle.way for handle in found.values()} == {"up", "down", "left", "right"}
    assert all(len(handle.marks) == 1 for handle in found.values())
    assert len({handle.goals for handle in found.values()}) == 1
    assert len({handle.marks for handle in found.values()}) == 4


def test_a_lamp_is_meant_by_the_middle_of_what_changes() -> None:
    puzzle = PUZZLES["lights_out"]("4")
    drawing = drawn_or_told(puzzle, start_of(puzzle))
    found = handles("lights_out", "4")
    assert len(found) == 16
    for label, handle in found.items():
        [mark] = [drawing.marks[number] for number in handle.marks]
        row, column = (int(word.strip(",")) for word in label.split() if word.strip(",").isdigit())
        assert [term.cell for term in mark.terms] == [4 * (row - 1) + column - 1]
        assert handle.goals == ()


def test_numbers_are_meant_by_both_of_them_and_not_by_what_makes_room() -> None:
    found = handles("digitle")
    assert {len(handle.marks) for handle in found.values()} == {2}
    assert len({handle.marks for handle in found.values()}) == 15


def test_a_car_may_be_dragged_to_each_place_that_it_can_reach() -> None:
    puzzle = PUZZLES["rush_hour"]()
    drawing = drawn_or_told(puzzle, start_of(puzzle))
    found = handles("rush_hour")
    ends = {label: handle.goals[0] for label, handle in found.items() if label.startswith("A")}
    assert len(set(ends.values())) == len(ends) > 1
    [car] = {handle.marks for label, handle in found.items() if label.startswith("A")}
    x, y = middle_of(drawing.marks[car[0]])
    assert all(there[1] == y and there[0] > x for there in ends.values())


@pytest.mark.parametrize("name", sorted(PUZZLES))
def test_every_move_of_the_gallery_can_be_made_by_pointing(name: str) -> None:
    wrong = [label for label, handle in handles(name).items() if not handle.marks]
    allowed = {"farmer", "missionaries", "power_strike", "hyperjump", "twenty_four"}
    assert not wrong or name in allowed
