"""Files with a board a line, and the words that choose a board of Rush Hour and sliding tiles."""

import re

import pytest

from puzzles import hyperjump, rush_hour, sliding_tiles
from puzzles.levels import Level
from rewrite import PuzzleError
from rewrite.show.drawing.drawing import Drawing
from rewrite.show.views.pictures import drawn
from tests.engines import start_of

CARD = "".join(rush_hour.CARD_1.split())
JAM = "oooBoo" "oooBoo" "AAoBoo" "oooooo" "ooCCxo" "oooooo"  # fmt: skip
TWO_RED = "oooooo" "oooooo" "AAoBBo" "oooooo" "oooooo" "oooooo"  # fmt: skip


def red_of(text: str, *words: str) -> str:
    puzzle = rush_hour.instance(text, *words)
    [car] = puzzle.goal.patterns  # type: ignore[union-attr]
    name: str = car.name
    return name


def told(levels: list[Level]) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(level.title, level.line, level.words) for level in levels]


# -- Rush Hour ------------------------------------------------------------------------------------


def test_a_board_of_36_signs_is_the_board_of_its_six_rows() -> None:
    assert rush_hour.instance(CARD) == rush_hour.instance()
    assert rush_hour.instance(CARD.replace(".", "o")) == rush_hour.instance()


def test_the_red_car_is_the_only_one_along_the_third_row_whatever_its_letter() -> None:
    assert [red_of(JAM.replace("A", letter)) for letter in "AXRZ"] == ["A", "X", "R", "Z"]
    upright = JAM.replace("B", "X")  # an X that stands upright is a car as any other
    assert red_of(upright) == "A"


def test_of_several_along_the_third_row_x_is_red_or_the_one_that_is_named() -> None:
    assert red_of(TWO_RED.replace("B", "X")) == "X"
    assert red_of(TWO_RED.replace("B", "X"), "red=A") == "A"
    assert red_of(TWO_RED, "red=B") == "B"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([TWO_RED], "two red cars: A and B lie along the third row, where the exit is; say which "
         "one is red, e.g. red=A"),
        ([JAM, "red=B"], "red=B: the red car must lie along the third row, .*; the cars there: A"),
        ([JAM.replace("AA", "oo")], "the red car .* must lie along the third row, .*; no car does"),
        ([JAM.replace("C", "c")], "line 5, column 3 of the board is 'c'; .* and x "),
        ([JAM[1:]], "a board is 6 lines of 6 signs, or 36 signs in one; found"),
    ],
)  # fmt: skip
def test_what_is_no_board_of_rush_hour_is_refused(words: list[str], text: str) -> None:
    with pytest.raises(PuzzleError, match=f"^rush_hour: {text}"):
        rush_hour.instance(*words)


def test_a_wall_is_shown_and_drawn_as_one_and_the_red_car_is_red() -> None:
    puzzle = rush_hour.instance(JAM)
    assert "".join(puzzle.shown(start_of(puzzle)).split()) == JAM.replace("o", ".")
    drawing: Drawing = drawn(puzzle, start_of(puzzle))
    assert "rw-wall" in drawing.svg(style=False)
    free = rush_hour.instance(JAM.replace("x", "o"))
    assert "rw-wall" not in drawn(free, start_of(free)).svg(style=False)


def test_a_line_may_say_more_than_its_board() -> None:
    comments = f"; {CARD}\n// {CARD}\n% {CARD}\nno board here\n"
    text = f"# boards\n\n2 {JAM} 14\n{CARD}\n{comments}hard: {JAM[:-1]}\n"
    found = rush_hour.levels(text, "red=A")
    assert told(found) == [
        ("2 14", 3, ("red=A", JAM)), ("", 4, ("red=A", CARD)), ("hard:", 9, ("red=A", JAM[:-1])),
    ]  # fmt: skip
    assert found[0].puzzle() == rush_hour.instance(JAM)
    with pytest.raises(PuzzleError, match="36 signs in one"):
        found[2].puzzle()


# -- sliding tiles --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["4x2", "1 2 3 4 5 6 0 7"],
        ["4×2", "1", "2", "3", "4", "5", "6", "0", "7"],
        ["1,2,3,4", "5,6,0,7"],
        ["1 2 3 4 5 6 0 7", "blank=last", "4x2"],
    ],
)
def test_a_board_is_written_with_its_size_or_as_rows(words: list[str]) -> None:
    puzzle = sliding_tiles.instance(*words)
    assert puzzle.shown(start_of(puzzle)) == "1 2 3 4\n5 6 0 7"
    assert puzzle.name == "sliding_4x2"


def test_the_goal_begins_with_the_empty_cell_where_that_is_asked_for() -> None:
    goals = [sliding_tiles.instance("0 1 2 3", *words).goal for words in ([], ["blank=first"])]
    assert [repr(goal) for goal in goals] == [
        "contains(Tile(0, 1), Tile(1, 2), Tile(2, 3), Tile(3, 0))",
        "contains(Tile(0, 0), Tile(1, 1), Tile(2, 2), Tile(3, 3))",
    ]
    assert sliding_tiles.instance("blank=first").start == sliding_tiles.instance().start


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ["1 2 3 4 5 6 7 0"],
            r"the numbers \(8\) make no square, .* e.g. 4x3 8 2 7 .* found '1 2 3",
        ),
        (["3x3", "1 2 3"], "a board of 3×3 needs each of 0 to 8 once, row by row"),
        (["0 1 1 3"], "a board of 2×2 needs each of 0 to 3 once"),
        (["1,2", "3"], "the numbers .3. make no square, nor rows of one length"),
        (["hello"], "a board of 1×1 needs"),
        (["0"], "a board of 1×1 needs"),
        (["1 2 3 99999999999999999999"], "found '1 2 3 99999"),
        (["blank=middle"], "blank=middle: the empty cell belongs first or last"),
    ],
)
def test_what_is_no_board_of_sliding_tiles_is_refused(words: list[str], text: str) -> None:
    with pytest.raises(PuzzleError, match=f"^sliding_tiles: .*{text}"):
        sliding_tiles.instance(*words)


def test_lines_of_sliding_tiles_with_spaces_commas_sizes_and_remarks() -> None:
    text = (
        "instance,moves,tiles\n"
        "1,2,1 2 0 3\n"
        "# 3 1 2 0\n"
        "3x2 1 2 3 4 0 5\n"
        "3 0 1 2 3\n"  # its number comes first
        "0 2 1 3 17 moves\n"
        "2 boards of 1985\n"
        "1 2 2 3\n"
    )
    found = sliding_tiles.levels(text, "blank=first")
    assert told(found) == [
        ("1 2", 2, ("blank=first", "1 2 0 3")),
        ("", 4, ("blank=first", "3x2", "1 2 3 4 0 5")),
        ("3", 5, ("blank=first", "0 1 2 3")),
        ("17 moves", 6, ("blank=first", "0 2 1 3")),
        ("", 8, ("blank=first", "1 2 2 3")),
    ]
    assert found[1].puzzle() == sliding_tiles.instance("3x2", "1 2 3 4 0 5", "blank=first")
    with pytest.raises(PuzzleError, match="2×2 needs each of 0 to 3 once"):
        found[4].puzzle()


def test_a_size_beside_the_file_is_that_of_every_line_that_says_none() -> None:
    found = sliding_tiles.levels("7 1 2 3 4 0 5\n2x3 1 2 3 4 0 5\n", "3x2")
    assert told(found) == [("7", 1, ("3x2", "1 2 3 4 0 5")), ("", 2, ("3x2", "2x3", "1 2 3 4 0 5"))]
    assert [level.puzzle().name for level in found] == ["sliding_3x2", "sliding_2x3"]


def test_a_very_long_line_is_read_once() -> None:
    found = sliding_tiles.levels(" ".join(["7"] * 200_000))
    with pytest.raises(PuzzleError, match=re.escape("the numbers (200000) make no square")):
        found[0].puzzle()


# -- Hyperjump ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["last=12"], "last=12 is not a digit; needs 0 to 9, e.g. last=7"),
        (["last="], "last= is not a digit"),
        (["last=7", "1", "7"], "needs digits from 1 to 9 but 7 (the 7 at the end comes by itself)"),
        (["last=0", "10"], "needs digits from 1 to 9 (the 0 at the end comes by itself)"),
        (["19"], "needs digits from 1 to 8 (the 9 at the end comes by itself)"),
    ],
)
def test_digits_that_hyperjump_cannot_have_are_refused(words: list[str], text: str) -> None:
    with pytest.raises(PuzzleError, match=f"^hyperjump: {re.escape(text)}"):
        hyperjump.instance(*words)


def test_hyperjump_ends_in_another_digit_without_further_words_too() -> None:
    assert hyperjump.instance("last=7").start == hyperjump.instance(*"44931185", "last=7").start
