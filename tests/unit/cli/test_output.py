"""What is written: nothing that a terminal obeys, and an error where writing fails."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run

COMMAND = [sys.executable, "-m", "rewrite"]
NASTY = "\x1b[31mred\x07\n\u202etxet\u202c\x9b2J\r"
SHOWN = r"\x1b[31mred\x07\n\u202etxet\u202c\x9b2J\r"
SOURCE = f"""
from rewrite import *

nasty = {NASTY!r}
T = strs("T")
go = rule(f"say {{T}} naïve → 🙂", take=[T], put=[T + "!"])
p = Puzzle(go, start=[nasty], goal=contains(nasty + "!"), name=nasty)
pictured = p.replace(show=lambda state: "a\\tb\\n" + nasty, name="pictured")
chained = Puzzle(rule("on", take=[(T,)], put=[(T, T)]), start=[(nasty,)],
                 goal=contains((nasty, nasty)), show=chain())
silent = p.replace(goal=contains("never"))
warned = Puzzle(go, rule(nasty, take=["absent"], put=[1]), start=[nasty], goal=p.goal)


def raises() -> Puzzle:
    raise ValueError(nasty)
"""


@pytest.fixture
def nasty(tmp_path: Path, run: Run) -> None:
    (tmp_path / "nasty.py").write_text(SOURCE, "utf-8")


def plain(text: str) -> bool:
    return all(c.isprintable() or c in "\n\t" for c in text)


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "nasty.py:p"],
        ["solve", "nasty.py:p", "--show"],
        ["solve", "nasty.py:p", "--story"],
        ["solve", "nasty.py:pictured", "--show"],
        ["solve", "nasty.py:chained", "--story"],
        ["solve", "nasty.py:warned"],
        ["solve", "nasty.py:raises"],
        ["solve", NASTY],
        ["solve", f"{NASTY}.py"],
        ["solve", "nasty.py:p", "--start", NASTY],
        ["explain", "nasty.py:p"],
        ["explain", "nasty.py:warned"],
        ["explain", "nasty.py:p", "--rule", "1"],
        ["moves", "nasty.py:p"],
        ["replay", "nasty.py:p", "nothing"],
        ["replay", "nasty.py:p", NASTY],
        ["solve", "nasty.py:raises", "--traceback"],
    ],
    ids=lambda words: " ".join(words).encode("ascii", "backslashreplace").decode(),
)
def test_no_command_writes_what_a_terminal_obeys(run: Run, nasty: None, words: list[str]) -> None:
    result = run(*words)
    assert plain(result.stdout + result.stderr)
    assert "red" in result.stdout + result.stderr


def test_a_label_is_one_line_that_can_be_given_back(run: Run, nasty: None) -> None:
    result = run("solve", "nasty.py:p")
    assert result.stdout.endswith(f"\n  1. say {SHOWN} naïve → 🙂\n")
    assert run("replay", "nasty.py:p", f"say {SHOWN} naïve → 🙂").exit_code == 0
    assert run("moves", "nasty.py:p").stdout.splitlines()[1].startswith(f"  1. say {SHOWN} naïve")


def test_pictures_keep_their_lines_and_tabs(run: Run, nasty: None) -> None:
    picture = "a\tb\n" + SHOWN.replace(r"\n", "\n")
    assert f"start\n{picture}\n" in run("solve", "nasty.py:pictured", "--show").stdout


def test_json_says_the_same_with_nothing_that_a_terminal_obeys(run: Run, nasty: None) -> None:
    result = run("solve", "nasty.py:p", "--json")
    assert plain(result.stdout)
    assert NASTY in json.dumps(json.loads(result.stdout), ensure_ascii=False).replace(
        r"\u001b", "\x1b"
    ).replace(r"\u0007", "\x07").replace(r"\n", "\n").replace(r"\r", "\r")
    assert "naïve → 🙂" in result.stdout
    assert run("replay", "nasty.py:p", "-", stdin=result.stdout).exit_code == 0


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words",
    [["solve", "digitle"], ["solve", "digitle", "--json"], ["gallery"], ["--help"], ["doctor"],
     ["solve", "--help"], ["--version"], ["solve", "water_jugs", "4", "3", "6"],
     ["compare", "water_jugs"], ["moves", "digitle"]],
    ids=" ".join,
)  # fmt: skip
def test_a_full_disk_is_an_error_and_no_bug(words: list[str]) -> None:
    with FULL.open("w") as full:
        ended = subprocess.run(
            [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=60
        )
    why = "error: the output cannot be written: No space left on device\n"
    assert (ended.stderr, ended.returncode) == (why, 5)


def test_closed_output_is_an_error_where_something_is_to_be_written() -> None:
    def ended(words: str) -> "subprocess.CompletedProcess[str]":
        line = f"exec {sys.executable} -m rewrite {words} >&-"
        return subprocess.run(["sh", "-c", line], capture_output=True, encoding="utf-8", timeout=60)

    found = ended("solve water_jugs")
    why = "error: the output cannot be written: standard output is closed\n"
    assert (found.stderr, found.returncode) == (why, 5)
    found = ended("compare water_jugs --strategy breadth_first")
    assert (found.stderr, found.returncode) == (why, 5)
    found = ended("solve water_jugs --quiet")
    assert (found.stderr, found.returncode) == ("", 0)


def test_what_is_printed_does_not_depend_on_stderr(tmp_path: Path) -> None:
    module = "mod M is sort S . ops a b : -> S [ctor] . rl a => b . endm\nsearch a =>! b .\n"
    (tmp_path / "m.maude").write_text(module)
    maude = ["solve m.maude"] * bool(find_spec("maude"))
    for words in ("solve farmer --certificate c --json", "verify c", "rate farmer", *maude):
        line = f"exec {sys.executable} -m rewrite {words} 2>&-"
        ended = subprocess.run(["sh", "-c", line], capture_output=True, cwd=tmp_path, timeout=60)
        assert ended.returncode == 0, words
        assert ended.stdout, words


def test_a_reader_of_the_help_that_goes_away_is_no_failed_search() -> None:
    for words in (
        ["--help"],
        ["solve", "--help"],
        ["--version"],
        ["gallery"],
        ["solve", "digitle"],
    ):
        reading, writing = os.pipe()
        os.close(reading)
        ended = subprocess.run(
            [*COMMAND, *words], stdout=writing, stderr=subprocess.PIPE, encoding="utf-8", timeout=60
        )
        os.close(writing)
        assert (ended.stderr, ended.returncode) == ("", 141), words
