"""What the tests of the command line share: running it, and puzzle files to run it on."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rewrite.cli.main import rewrite

FILE = """
from rewrite import Puzzle, contains, ints, rule, term, total


@term
class Box:
    at: int


N = ints("N")
endless = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1]), start=[0], goal=contains(-1))
bare = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1]))
boxes = Puzzle(
    rule(f"push {N}", take=[Box(N)], put=[Box(N + 1)], when=N < 3),
    start=[Box(0)], goal=contains(Box(3)), name="the boxes",
)
left = total(abs(3 - N), Box(N))


def count(first: int, word: str = "x") -> Puzzle:
    return endless.replace(start=[first], goal=contains(first + 2))


def broken() -> Puzzle:
    return Puzzle(rule("a", take=[N], put=[N / 2]))


def nothing():
    return 7
"""

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in a folder that holds own.py (FILE)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "own.py").write_text(FILE, "utf-8")

    def run(*words: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(rewrite, words, input=stdin)

    return run


def timeless(text: str) -> str:
    """The text without its seconds, which differ from run to run."""
    return re.sub(r"\d+\.\d+ s", "… s", text)
