"""Nothing settles at the top of the repository unplanned."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
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


def top_level() -> set[str]:
    """The names at the top: those that git tracks, or in an unpacked archive, those not hidden."""
    if (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "ls-files", "-z"]
        listing = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
        return {name.split("/")[0] for name in listing.split("\0") if name}
    built = {"build", "dist", "rewrite.egg-info"}
    return {entry.name for entry in ROOT.iterdir() if not entry.name.startswith(".")} - built


def test_the_top_of_the_repository_holds_only_what_was_planned() -> None:
    names = top_level()
    assert names, "nothing is tracked: nothing was checked"
    assert names - TOP_LEVEL == set()
