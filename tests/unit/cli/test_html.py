"""`rewrite solve --html FILE`: the page of a result, whatever else is printed."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run


def test_the_page_is_written_and_said_on_stderr(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "jugs.html"
    result = run("solve", "water_jugs", "--html", str(file))
    assert result.exit_code == 0
    assert result.stdout.startswith("6 steps, shortest (14 states, ")
    assert result.stderr == f"page written to {file}\n"
    page = file.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<figcaption>") == 7


def test_what_was_not_found_has_a_page_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "none.html"
    result = run("solve", "water_jugs", "4", "3", "6", "--html", str(file))
    assert result.exit_code == 1
    assert "no solution: all 6 states seen" in file.read_text("utf-8")


def test_the_page_goes_along_with_json_and_with_nothing_at_all(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "jugs.html"
    result = run("solve", "water_jugs", "--json", "--html", str(file))
    assert json.loads(result.stdout)["status"] == "found"
    assert file.exists()
    file.unlink()
    result = run("solve", "water_jugs", "--quiet", "--html", str(file))
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)
    assert file.exists()


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("no/x.html", "there is no folder 'no'"),
        (".", "'.' is a directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_search(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("solve", "no_such_puzzle", "--html", file)  # it is never looked for
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / file).is_file()


def test_a_disk_that_is_full_ends_with_the_code_of_output_that_is_lost(run: Run) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here, which is full")
    result = run("solve", "water_jugs", "--html", "/dev/full")
    assert result.exit_code == 5
    assert result.stdout.startswith("6 steps, shortest")
    assert "to_html('/dev/full'): the file cannot be written: No space left" in result.stderr
