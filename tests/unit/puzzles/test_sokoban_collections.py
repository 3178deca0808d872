"""What is read as a level of Sokoban, and what it is called."""

import pytest

from puzzles import sokoban
from rewrite import PuzzleError

ONE = "####\n#@.#\n#$ #\n####"
TWO = "#####\n#@$.#\n#####"
THREE = "######\n#.$ @#\n######"


def named(text: str) -> list[str]:
    return [level.title for level in sokoban.levels(text)]


def boards(text: str) -> list[tuple[str, ...]]:
    return [level.words for level in sokoban.levels(text)]


def rows(*levels: str) -> list[tuple[str, ...]]:
    return [tuple(level.split("\n")) for level in levels]


def test_levels_are_found_among_notes_with_the_line_where_each_begins() -> None:
    text = f"My levels\nby me\n\n; 1\n\n{ONE}\n\n\n; 2\n{TWO}\nThe end"
    assert boards(text) == rows(ONE, TWO)
    assert [level.line for level in sokoban.levels(text)] == [6, 13]
    assert [level.puzzle() for level in sokoban.levels(text)] == [
        sokoban.level(ONE), sokoban.level(TWO),
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(end: str) -> None:
    assert boards(f"A{end}{ONE.replace(chr(10), end)}{end}") == rows(ONE)


@pytest.mark.parametrize(
    "text",
    [
        f"First\n{ONE}\n\nSecond\n{TWO}\n",
        f"; First\n\n{ONE}\n\n; 'Second'\n\n{TWO}",
        f"{ONE}\nTitle: First\nAuthor: Ada\n\n{TWO}\nAuthor: Ada\ntitle: Second\n",
        f"Title: First\n{ONE}\n\nTitle: Second\n{TWO}\n",
        f"{ONE}\nFirst\n\n{TWO}\nSecond\n",
        f"Ten\nlevels\n\nFirst\n{ONE}\n:: a remark\nAuthor: Ada\n\nSecond\n\n{TWO}\nAuthor: Bo\n",
        f"Title: Mine\n\n{ONE}\nTitle: First\nSolution\nullD\n\n{TWO}\nTitle: Second\n",
    ],
)
def test_a_name_stands_where_collections_have_it(text: str) -> None:
    assert named(text) == ["First", "Second"]
    assert boards(text) == rows(ONE, TWO)


@pytest.mark.parametrize(
    "between",
    [
        "",
        "Author: Ada\n",
        "Author: Ada\nA hard one\n",
        "Solution\nullDD\n",
        "Solution\n\nullDD\n",
        ":: remark\n",
    ],
)
def test_notes_are_no_name(between: str) -> None:
    assert named(f"First\n{ONE}\n{between}\n{TWO}\n") == ["First", ""]


def test_levels_that_follow_one_another_without_a_name_are_told_apart_by_an_empty_line() -> None:
    assert boards(f"{ONE}\n\n{TWO}\n \n{THREE}") == rows(ONE, TWO, THREE)
    assert named(f"{ONE}\n\n{TWO}") == ["", ""]


@pytest.mark.parametrize(
    "text",
    ["4#|#@.#|#$-#|4#", "4#|#@.#\n#$_#\n4#", "####\n#@.#\n#$-#\n2#2#", "#2##\n#@.#\n#1$ #\n4#"],
)
def test_run_lengths_line_ends_and_other_floors_are_the_same_level(text: str) -> None:
    [level] = sokoban.levels(f"; {text[:0]}name\n\n{text}\n\n")
    assert level.puzzle() == sokoban.level(ONE) == sokoban.instance(*text.split("\n"))


def test_tabs_are_as_wide_as_they_look() -> None:
    assert sokoban.level("\t####\n\t#@.#\n \t#$ #\n\t####") == sokoban.level(
        "\n".join(" " * 8 + row for row in ONE.split("\n"))
    )


def test_a_row_of_floor_alone_belongs_to_the_level_around_it() -> None:
    level = "#####\n#@$.#\n#####\n-\n__\n ##\n"
    assert boards(level) == [("#####", "#@$.#", "#####", "-", "__", " ##")]
    assert boards(f"-----\n{TWO}\n-----\n") == rows(TWO)


def test_a_first_and_a_last_row_without_walls_are_shown() -> None:
    puzzle = sokoban.instance(" @", "$.", "  ")
    assert puzzle.start is not None
    assert puzzle.shown(puzzle.start).split("\n") == [" @ ", "$. ", "   "]


def test_a_frame_around_a_title_is_no_level() -> None:
    text = f"##########\n# Levels #\n##########\n\n{TWO}\n\n##########\n#        #\n##########\n"
    assert boards(text) == rows(TWO)


def test_a_row_with_a_slip_keeps_its_level_together_and_the_numbers_of_the_others() -> None:
    found = sokoban.levels(f"{ONE}\n\n####\n#@?#\n#$.#\n####\n\n{TWO}")
    assert len(found) == 3
    assert found[2].puzzle() == sokoban.level(TWO)
    with pytest.raises(PuzzleError, match=r"line 2, column 3 of the level is '\?'"):
        found[1].puzzle()


def test_nothing_is_a_level_in_what_is_no_collection() -> None:
    for text in ("", "\n\n", "Dear Ada,\nhow are you? # 1 of 3\n", "#!/bin/sh\necho # hi\n"):
        assert sokoban.levels(text) == []


def test_a_run_that_no_row_can_have_is_refused_before_it_is_written_out() -> None:
    with pytest.raises(PuzzleError, match=r"9999 times '#' is more than a row can have"):
        sokoban.level("9999#|#@#")
    with pytest.raises(PuzzleError, match=r"line 1, column 4 of the level is '3'"):
        sokoban.level("#@#3")


def test_many_lines_of_floor_take_no_longer_than_many_lines() -> None:
    text = f"{TWO}\n" + "-\n" * 100_000
    assert boards(text) == rows(TWO)
