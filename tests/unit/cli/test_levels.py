"""Files of levels: NAME FILE --level NUMBER, in every command; and what is wrong with some."""

import json
from pathlib import Path

import pytest

from rewrite import PuzzleError
from rewrite.cli.exits import Problem
from rewrite.cli.play import source_of
from tests.unit.cli.conftest import Run, timeless

SOKOBAN = """; One
#####
#@$.#
#####

; Two
######
#@ $.#
######

######
#.$ @#
######
"""
JAM = "oooBoooooBooAAoBooooooooooCCxooooooo"


@pytest.fixture(autouse=True)
def files(run: Run, tmp_path: Path) -> Path:
    """The folder, in which the command runs, with two files."""
    (tmp_path / "levels.xsb").write_text(SOKOBAN, "utf-8")
    (tmp_path / "boards.txt").write_text(f"2 {JAM} 99\n", "utf-8")
    return tmp_path


def test_a_level_of_a_file_is_solved_and_named(run: Run) -> None:
    result = run("solve", "sokoban", "levels.xsb", "--level", "2")
    assert timeless(result.stdout) == (
        'level 2 of 3, "Two"\n2 steps, shortest (3 states, … s)\n\n'
        "###### \n#@ $.# \n###### \n\nrR\n"
    )
    assert result.exit_code == 0


def test_a_level_without_a_name_is_called_by_its_number(run: Run) -> None:
    assert run("moves", "sokoban", "levels.xsb", "--level", "3").stdout.startswith(
        "level 3 of 3\n1 move out of "
    )


def test_the_only_level_of_a_file_needs_no_number_and_is_shown_first(run: Run) -> None:
    result = run("solve", "rush_hour", "boards.txt")
    assert result.stdout.startswith(
        'level 1 of 1, "2 99"\n...B..\n...B..\nAA.B..\n......\n..CCx.\n......\n\n3 steps, shortest'
    )


def test_words_beside_the_file_go_to_each_board(run: Run) -> None:
    assert run("solve", "rush_hour", "boards.txt", "red=A").exit_code == 0
    wrong = run("solve", "rush_hour", "boards.txt", "red=C", "--level", "1")
    assert wrong.stderr == (
        'error: boards.txt, line 1, level 1 of 1, "2 99": rush_hour: red=C: the red car must lie '
        "along the third row, where the exit is; the cars there: A\n"
    )
    assert wrong.exit_code == 2


def test_every_command_takes_a_level(run: Run) -> None:
    chosen = ("sokoban", "levels.xsb", "--level", "1")
    head = 'level 1 of 3, "One"\n'
    assert run("explain", *chosen).stdout.startswith(f"{head}sokoban: 2 rules\n")
    assert run("compare", *chosen, "--strategy", "breadth_first").stdout.startswith(head)
    for command in ("rate", "hardest"):
        assert run(command, *chosen).stdout.startswith(head)
        assert json.loads(run(command, *chosen, "--json").stdout)["complete"]
        Path("one.xsb").write_text("#####\n#@$.#\n#####\n", "utf-8")
        assert run(command, "one.xsb", "--level", "1").exit_code == 0
    replayed = run("replay", "sokoban", "R", "--words", "levels.xsb", "--level", "1")
    assert replayed.stdout.startswith(head)
    assert "every step is legal" in replayed.stdout


def test_json_and_quiet_print_nothing_but_that(run: Run) -> None:
    chosen = ("solve", "sokoban", "levels.xsb", "--level", "1")
    assert json.loads(run(*chosen, "--json").stdout)["rewrite"] == "result"
    assert run(*chosen, "--quiet").output == ""


def test_a_page_plays_a_level_by_its_words_and_reads_no_file_itself(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = source_of("sokoban", (str(files / "levels.xsb"),), 1)
    assert source.first() == ("sokoban", ("#####", "#@$.#", "#####"))
    assert capsys.readouterr().out == 'level 1 of 3, "One"\n'
    one = files / "one.xsb"
    one.write_text("#####\n#@$.#\n#####\n", "utf-8")
    with pytest.raises(PuzzleError, match="column 1 of the level is") as found:
        source.playable("sokoban", (str(one),))
    assert not isinstance(found.value, Problem)
    assert source.playable(*source.first())[0].name == "sokoban"


def test_a_page_plays_a_collection_level_by_level(files: Path) -> None:
    source = source_of(str(files / "levels.xsb"), ())
    name, words = source.first()
    first = source.level(name, words)
    assert first is not None
    assert (first["title"], first["number"], first["of"], first["previous"]) == ("One", 1, 3, None)
    second = source.level(name, first["next"])
    assert second is not None
    assert (second["number"], second["previous"]) == (2, words)
    last = source.level(name, second["next"])
    assert last is not None
    assert (last["title"], last["next"]) == ("level 3", None)
    assert source.level(name, ("#####",)) is None
    assert source.level("hanoi", words) is None


def test_the_puzzle_that_reads_a_file_of_levels_need_not_be_named(run: Run, files: Path) -> None:
    named = run("solve", "sokoban", "levels.xsb", "--level", "2").stdout
    assert timeless(run("solve", "levels.xsb", "--level", "2").stdout) == timeless(named)
    assert "3 steps, shortest" in run("solve", "boards.txt").stdout
    (files / "notes.txt").write_text("no board\n", "utf-8")
    nothing = run("solve", "notes.txt")
    assert "has no level in it: line 1, column 1 begins 'no board'" in nothing.stderr
    assert "so none of sliding_tiles, sokoban, rush_hour reads it" in nothing.stderr
    assert nothing.exit_code == 2


def test_a_file_that_is_called_like_a_puzzle_does_not_hide_it(run: Run, files: Path) -> None:
    (files / "hanoi").write_text("no board\n", "utf-8")
    assert run("solve", "hanoi", "3", "2").exit_code == 0


MANY = "\n\n".join(f"; Level {n}\n#####\n#@$.#\n#####" for n in range(1, 1_235))


NEAREST = '\n  level 1, "One"\n  level 2, "Two"\n  level 3'
READS = (
    "sokoban reads collections of levels: rows of # @ + $ * . and space, - or _ for the floor; run "
    "lengths such as 3# and | for the end of a row; names and notes between the levels."
)
WRONG = [
    (SOKOBAN, "4", f"--level 4: f.xsb has 3 levels, numbered from 1; the nearest:{NEAREST}"),
    (SOKOBAN, "0", f"--level 0: f.xsb has 3 levels, numbered from 1; the nearest:{NEAREST}"),
    (SOKOBAN, "", f"f.xsb has 3 levels; choose one with --level NUMBER:{NEAREST}"),
    (
        MANY,
        "2000",
        "--level 2000: f.xsb has 1,234 levels, numbered from 1; the nearest:\n"
        '  level 1,232, "Level 1232"\n  level 1,233, "Level 1233"\n  level 1,234, "Level 1234"',
    ),
    (
        "\n  Dear Ada\n",
        "1",
        f"f.xsb has no level in it: line 2, column 3 begins 'Dear Ada'; {READS}",
    ),
    (" \n", "", f"f.xsb is empty; {READS}"),
    (
        "\n#####\n#@?.#\n#####\n",
        "",
        "f.xsb, line 2, level 1 of 1: sokoban: line 2, column 3 of the level is '?'; a level is "
        "made of # @ + $ * . and spaces (or - or _)",
    ),
    (
        "#####\n#$$.#\n#####\n",
        "",
        "f.xsb, line 1, level 1 of 1: sokoban: a level has one player (@ or +) and a target (. + "
        "*) for every box ($ or *); this one has 0 players, 2 boxes, 1 targets",
    ),
]


@pytest.mark.parametrize(("text", "number", "said"), WRONG)
def test_what_is_wrong_with_a_file_is_said_with_its_place(
    run: Run, files: Path, text: str, number: str, said: str
) -> None:
    (files / "f.xsb").write_text(text, "utf-8")
    result = run("solve", "sokoban", "f.xsb", *(["--level", number] if number else []))
    assert (result.stderr, result.exit_code) == (f"error: {said}\n", 2)


def test_of_many_levels_the_first_are_listed(run: Run, files: Path) -> None:
    (files / "f.xsb").write_text(MANY, "utf-8")
    lines = run("solve", "sokoban", "f.xsb").stderr.splitlines()
    assert lines[0] == "error: f.xsb has 1,234 levels; choose one with --level NUMBER:"
    assert (len(lines), lines[-2], lines[-1]) == (22, '  level 20, "Level 20"', "… and 1,214 more")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["klotski", "--level", "1"],
         "--level 1: klotski reads no files; those that do: sliding_tiles, sokoban, rush_hour"),
        (["sokoban", "--level", "1"], "--level 1: of which file? Write sokoban FILE --level 1"),
        (["sokoban", "none.xsb", "--level", "1"], "none.xsb: no such file"),
        (["sokoban", ".", "--level", "1"], ". is a folder; name a file in it"),
        (["sokoban", "\0", "--level", "1"], "\\x00 cannot be read: embedded null byte"),
        (["sokoban", "x" * 300, "--level", "1"], f"{'x' * 300} cannot be read: File name too long"),
        (["own.py:boxes", "--level", "1"],
         "--level 1 is for puzzles of the gallery; own.py:boxes takes words alone"),
        (["sliding_tiles", "boards.txt", "blank=no"],
         "sliding_tiles: blank=no: the empty cell belongs first or last"),
        (["sokoban", "none.xsb"],
         "sokoban: line 1, column 1 of the level is 'n'; a level is made of # @ + $ * . and spaces "
         "(or - or _). There is no file 'none.xsb' either"),
        (["sokoban", "#@$#"],
         "sokoban: a level has one player (@ or +) and a target (. + *) for every box ($ or *); "
         "this one has 1 players, 1 boxes, 0 targets"),
    ],
)  # fmt: skip
def test_a_level_that_cannot_be_meant_is_refused(run: Run, words: list[str], said: str) -> None:
    result = run("solve", *words)
    assert (result.stderr, result.exit_code) == (f"error: {said}\n", 2)


def test_a_file_may_be_in_an_old_code_with_a_mark_or_in_utf_16(run: Run, files: Path) -> None:
    text = "; Café “à”\r\n#####\r\n#@$.#\r\n#####\r\n"
    for code in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        (files / "f.xsb").write_bytes(text.encode(code))
        assert run("solve", "sokoban", "f.xsb").stdout.startswith(
            'level 1 of 1, "Café “à”"\n1 step'
        )


def test_a_file_that_is_no_text_or_too_large_is_refused(
    run: Run, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "f.xsb").write_bytes(b"\x7fELF\0\0")
    assert run("solve", "sokoban", "f.xsb").stderr == (
        "error: f.xsb is not a text file: byte 5 is 0\n"
    )
    monkeypatch.setattr("rewrite.cli.levels.LARGEST", 1_000_000)
    (files / "f.xsb").write_text(SOKOBAN + "; note\n" * 200_000, "utf-8")
    assert run("solve", "sokoban", "f.xsb", "--level", "1").stderr == (
        "error: f.xsb is larger than 1 MB; cut out the boards that you want\n"
    )


def test_a_name_that_a_terminal_would_obey_is_shown_escaped_and_a_long_one_cut(
    run: Run, files: Path
) -> None:
    (files / "f.xsb").write_text(f"\x1b[2J{'a' * 100}\n#####\n#@$.#\n#####\n", "utf-8")
    head = run("solve", "sokoban", "f.xsb").stdout.splitlines()[0]
    assert head == f'level 1 of 1, "\\x1b[2J{"a" * 56}…"'


def test_a_row_of_a_level_that_is_also_a_file_is_that_file(run: Run, files: Path) -> None:
    (files / "#@$.#").write_text(SOKOBAN, "utf-8")
    assert "has 3 levels" in run("solve", "sokoban", "#@$.#").stderr
    assert run("solve", "sokoban", "#####", "#@$.#", "#####").exit_code == 0


def test_the_gallery_says_which_puzzles_read_files(run: Run) -> None:
    assert run("gallery").stdout.splitlines()[-2] == (
        "rewrite solve NAME FILE --level 7 takes a board of a file: sliding_tiles, sokoban, "
        "rush_hour;"
    )
