"""The puzzles of the gallery look like themselves, and what moves in a step is what travels."""

import re
from xml.etree import ElementTree

import pytest

from docs import pictures
from puzzles import NAMES, PUZZLES
from rewrite import Puzzle, Step, moves
from rewrite.show.drawing.change import Change, change
from rewrite.show.drawing.drawing import Drawing, Mark
from rewrite.show.drawing.palette import NAMED
from rewrite.show.views.cells import Picture
from rewrite.show.views.pictures import drawn
from tests.engines import start_of

WORDS = {"sliding_blocks": ("klotski",), "peg_solitaire": ("english",)}


def first_steps(puzzle: Puzzle) -> list[tuple[Step, Drawing, Drawing, Change]]:
    """Each step from the start, the drawings before and after it, and what changed."""
    found = []
    for step in moves(puzzle, start_of(puzzle)):
        before, after = drawn(puzzle, step.before), drawn(puzzle, step.after)
        found.append((step, before, after, change(before, after, step.taken, step.put)))
    assert found
    return found


@pytest.mark.parametrize(("name", "words"), [*((n, ()) for n in NAMES), *WORDS.items()])
def test_every_puzzle_of_the_gallery_is_a_small_well_formed_picture(
    name: str, words: tuple[str, ...]
) -> None:
    puzzle = PUZZLES[name](*words)
    drawing = drawn(puzzle, start_of(puzzle))
    assert ElementTree.fromstring(drawing.svg()).get("role") == "img"
    assert len(drawing.svg(style=False)) < 20_000
    assert len(drawing.marks) <= 70
    assert any(mark.terms for mark in drawing.marks)
    if puzzle.show:
        assert isinstance(puzzle.shown(start_of(puzzle)), Picture)


def test_every_puzzle_of_the_gallery_has_one_picture_in_the_docs() -> None:
    rows = (*pictures.GALLERY, *pictures.PUZZLES_TOO)
    assert sorted(name for row in rows for name in row) == sorted(NAMES)


def test_a_picture_of_the_8_puzzle_has_a_mark_for_each_tile_and_one_for_the_board() -> None:
    puzzle = PUZZLES["eight_puzzle"]()
    assert len(drawn(puzzle, start_of(puzzle)).marks) == 9


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("eight_puzzle", ()),
        ("eight_tuple", ()),
        ("sliding_tiles", ("4x3", "1 2 3 4 5 6 7 8 9 10 0 11")),
        ("rush_hour", ()),
        ("klotski", ()),
        ("sliding_blocks", ()),
        ("sliding_blocks", ("klotski",)),
        ("hanoi", ()),
        ("sokoban", ()),
    ],
)
def test_one_piece_travels_in_a_step_and_nothing_comes_or_goes(
    name: str, words: tuple[str, ...]
) -> None:
    for step, before, after, found in first_steps(PUZZLES[name](*words)):
        assert (found.gone, found.new) == ((), ()), step.label
        [(start, end)] = found.travels
        taken = {term for term in step.taken if term in before.marks[start].terms}
        put = {term for term in step.put if term in after.marks[end].terms}
        assert taken, step.label
        assert put, step.label


def test_a_push_in_sokoban_moves_the_player_and_the_box() -> None:
    puzzle = PUZZLES["sokoban"]("######", "#@$ .#", "######")
    [(_, before, after, found)] = first_steps(puzzle)
    assert (found.gone, found.new) == ((), ())
    assert len(found.travels) == 2
    for start, end in found.travels:
        assert after.marks[end].x - before.marks[start].x == 40
        assert type(after.marks[end].terms[0]) is type(before.marks[start].terms[0])


def place(mark: Mark) -> tuple[float, float]:
    return mark.x, mark.y


@pytest.mark.parametrize("words", [(), ("english",)])
def test_in_peg_solitaire_the_jumping_peg_travels_and_the_one_below_is_gone(
    words: tuple[str, ...],
) -> None:
    for step, before, after, found in first_steps(PUZZLES["peg_solitaire"](*words)):
        jumps, over, _ = step.taken
        [(start, end)] = found.travels
        [gone] = found.gone
        assert not found.new
        assert before.marks[start].terms == (jumps,)
        assert before.marks[gone].terms == (over,)
        assert after.marks[end].terms == (step.put[2],)
        middle = [(a + b) / 2 for a, b in zip(
            place(before.marks[start]), place(after.marks[end]), strict=True
        )]  # fmt: skip
        assert [*place(before.marks[gone])] == middle


def test_a_turn_of_the_solved_cube_changes_eight_stickers_and_four_stay_in_their_face() -> None:
    puzzle = PUZZLES["pocket_cube"]("U", "U'")
    for step, before, after, found in first_steps(puzzle):
        assert len(found.travels) + len(found.gone) == 8, step.label
        assert len(found.gone) == len(found.new)
        assert len(before.marks) == len(after.marks) == 25  # 24 stickers and the cube


def test_a_sticker_that_comes_or_goes_is_one_that_the_turn_moves() -> None:
    for step, before, after, found in first_steps(PUZZLES["pocket_cube"]()):
        assert found.gone, step.label
        assert {term for n in found.gone for term in before.marks[n].terms} <= {*step.taken}
        assert {term for n in found.new for term in after.marks[n].terms} <= {*step.put}


def test_who_crosses_the_river_travels_with_the_boat_and_nobody_else_moves() -> None:
    for name in ("farmer", "missionaries"):
        for step, before, after, found in first_steps(PUZZLES[name]()):
            assert (found.gone, found.new) == ((), ()), step.label
            boat = name == "farmer"  # it is where the farmer is, and no term of its own
            assert len(found.travels) == len(step.taken) + boat, step.label
            for start, end in found.travels:
                assert before.marks[start].terms[0] in step.taken
                assert after.marks[end].y == before.marks[start].y


def test_lamps_go_on_and_out_and_never_travel() -> None:
    for step, _, _, found in first_steps(PUZZLES["lights_out"]("3")):
        assert not found.travels
        assert len(found.gone) == len(found.new) == len(step.taken)


def test_a_flip_moves_the_pancakes_that_it_turns() -> None:
    for number, (_, _, _, found) in enumerate(first_steps(PUZZLES["pancakes"]()), 2):
        assert (found.gone, found.new) == ((), ())
        assert len(found.travels) == number - number % 2  # one in the middle stays


def test_filling_a_jug_changes_its_water_and_no_glass() -> None:
    for _, before, _, found in first_steps(PUZZLES["water_jugs"]()):
        assert not found.travels
        assert len(found.gone) == len(found.new) == 1
        assert len(found.stays) == len(before.marks) - 1


def test_the_red_car_has_a_colour_that_no_other_car_has() -> None:
    puzzle = PUZZLES["rush_hour"]()
    marks = drawn(puzzle, start_of(puzzle)).marks
    red = [mark for mark in marks if mark.terms and NAMED["red"] in mark.look.svg]
    assert [str(mark.terms[0]) for mark in red] == ["Car('X', 15, 1, 2)"]


def test_the_pieces_of_klotski_are_ten_blocks() -> None:
    puzzle = PUZZLES["klotski"]()
    marks = [mark for mark in drawn(puzzle, start_of(puzzle)).marks if mark.terms]
    assert sorted(len(mark.terms) for mark in marks) == [1, 1, 1, 1, 2, 2, 2, 2, 2, 4]
    fills = {re.findall('fill="(#[^"]+)"', mark.look.svg)[0] for mark in marks}
    assert len(fills) == 4  # a colour for each shape
