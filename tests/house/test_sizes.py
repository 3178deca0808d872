"""No file outgrows its reader, and nothing settles at the top of the repository unplanned."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = 400
TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "LICENSE",
    "README.md",
    "docs",
    "puzzles",
    "pyproject.toml",
    "rewrite",
    "tests",
}


def too_long(files: list[Path]) -> dict[str, int]:
    """The files over MOST_LINES, with their number of lines."""
    lengths = {str(file): len(file.read_text("utf-8").splitlines()) for file in files}
    return {file: lines for file, lines in lengths.items() if lines > MOST_LINES}


def top_level() -> set[str]:
    """The names at the top: those that git tracks, or in an unpacked archive, those not hidden."""
    if (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "ls-files", "-z"]
        listing = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
        return {name.split("/")[0] for name in listing.split("\0") if name}
    built = {"build", "dist", "rewrite.egg-info"}
    return {entry.name for entry in ROOT.iterdir() if not entry.name.startswith(".")} - built


@pytest.mark.parametrize(
    ("folder", "ending"), [("rewrite", "py"), ("rewrite", "rs"), ("puzzles", "py"), ("tests", "py")]
)
def test_no_file_is_over_400_lines(folder: str, ending: str) -> None:
    every = (ROOT / folder).rglob(f"*.{ending}")
    files = sorted(file for file in every if "target" not in file.relative_to(ROOT).parts)
    assert files, f"no .{ending} file under {folder}/: nothing was checked"
    assert too_long(files) == {}


def test_a_file_of_401_lines_is_reported_and_one_of_400_is_not(tmp_path: Path) -> None:
    (tmp_path / "full.py").write_text("pass\n" * 400, "utf-8")
    (tmp_path / "over.py").write_text("pass\n" * 401, "utf-8")
    found = too_long(sorted(tmp_path.iterdir()))
    assert found == {str(tmp_path / "over.py"): 401}


def test_the_top_of_the_repository_holds_only_what_was_planned() -> None:
    names = top_level()
    assert names, "nothing is tracked: nothing was checked"
    assert names - TOP_LEVEL == set()
