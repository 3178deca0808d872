"""Which room of the house may import which.

The table below is the architecture; `python -m docs.rooms` draws it. Every import statement counts,
wherever it stands: at the top of a file, inside a function, under TYPE_CHECKING. Imports from
outside the project are not judged, except in puzzles/.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# A room is a folder or file directly under rewrite/. Its own files are always allowed.
MAY_IMPORT = {
    "errors": set[str](),
    "starting": set[str](),
    "budget": {"errors"},
    "language": {"errors"},
    "compile": {"errors", "budget", "language"},
    "analysis": {"errors", "budget", "language", "compile"},
    "engine": {"errors", "budget", "language", "compile", "analysis"},
    "native": {"errors", "language", "compile", "analysis", "engine"},
    "checkpoints": {"errors", "budget", "language", "compile", "native"},
    "results": {"errors", "language"},
    "certificates": {"errors", "language"},
    "search": {
        "errors",
        "budget",
        "language",
        "compile",
        "analysis",
        "engine",
        "native",
        "checkpoints",
        "results",
        "certificates",
        "readers",
    },
    "show": {"errors", "language", "results"},
    "play": {"errors", "budget", "language", "checkpoints", "results", "search", "show"},
    "export": {"errors", "language"},
    "readers": {"errors", "budget", "language"},
}
ROOMS = {*MAY_IMPORT, "cli"}
MAY_IMPORT["cli"] = {*ROOMS, "puzzles"}
MAY_IMPORT["__main__"] = {"cli"}
MAY_IMPORT["__init__"] = ROOMS - {"cli"}  # the public API


def imported(path: Path, source: str) -> Iterator[tuple[int, str, str | None]]:
    """Every import of a file: its line, the absolute module, and the name taken from the module.

    The name is None for `import module`.
    """
    package = path.with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, None
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, module, alias.name


def complaint_in_rewrite(path: Path, module: str, name: str | None) -> str | None:
    """What is wrong with one import in a file of rewrite/, or None."""
    room = path.with_suffix("").parts[1]
    if room not in MAY_IMPORT:
        return f"the room {room!r} is not in the table"
    top, *inside = module.split(".")
    if top not in {"rewrite", "puzzles"}:
        return None
    if top == "puzzles":
        target = top
    elif inside:
        target = inside[0]
    elif room == "__init__" and name:  # `from . import errors`, in the public package itself
        target = name
    else:
        return "nothing inside rewrite/ imports from the top of rewrite"
    if target == room or target in MAY_IMPORT[room]:
        return None
    return (
        f"{room} may import {', '.join(sorted(MAY_IMPORT[room])) or 'no other room'}; not {target}"
    )


SHARED_BY_PUZZLES = {"puzzles.levels", "puzzles.words"}  # how files and words are read
PARTS = {("sokoban.py", "puzzles.sokoban_files"), ("eight_puzzle.py", "puzzles.sliding_tiles")}


def complaint_in_puzzles(path: Path, module: str, name: str | None) -> str | None:
    """What is wrong with one import in a file of puzzles/, or None."""
    if module.split(".")[0] in sys.stdlib_module_names or (module == "rewrite" and name):
        return None
    if path.name == "__init__.py" and module.split(".")[0] == "puzzles":
        return None  # the registry names the puzzles
    if module in SHARED_BY_PUZZLES or (path.name, module) in PARTS:
        return None
    return "a puzzle imports by `from rewrite import …` only (and from the standard library)"


def complaints(path: Path, source: str) -> list[str]:
    """Every forbidden import of one file, as `file:line: import: reason`.

    The path is relative to the repository; the file need not exist.
    """
    judge = complaint_in_puzzles if path.parts[0] == "puzzles" else complaint_in_rewrite
    return [
        f"{path}:{line}: {module}{f' ({name})' if name else ''}: {reason}"
        for line, module, name in imported(path, source)
        if (reason := judge(path, module, name))
    ]


@pytest.mark.parametrize("folder", ["rewrite", "puzzles"])
def test_every_import_follows_the_table(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files, f"no Python file under {folder}/: nothing was checked"
    found = [c for f in files for c in complaints(f.relative_to(ROOT), f.read_text("utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("rewrite/errors.py", "from rewrite.language.terms import term"),
        ("rewrite/language/rules.py", "import rewrite.search"),
        ("rewrite/language/meaning.py", "from ..engine.store import Store"),
        (
            "rewrite/language/meaning.py",
            "def late():\n    from rewrite.search.limits import Limits",
        ),
        ("rewrite/language/__init__.py", "from ..compiler import plan"),
        ("rewrite/results/path.py", "if TYPE_CHECKING:\n    from rewrite.engine import store"),
        ("rewrite/search/loop.py", "from puzzles import PUZZLES"),
        ("rewrite/cli/main.py", "from rewrite import search"),
        ("rewrite/cli/main.py", "import rewrite"),
        ("rewrite/cli/main.py", "from .. import search"),
        ("rewrite/__init__.py", "from puzzles import PUZZLES"),
        ("rewrite/__init__.py", "from rewrite.cli.main import main"),
        ("rewrite/helpers.py", "import os"),
        ("puzzles/digitle.py", "import rewrite"),
        ("puzzles/digitle.py", "from rewrite.language.rules import rule"),
        ("puzzles/digitle.py", "from puzzles.digits import digits"),
        ("puzzles/digitle.py", "from puzzles.sliding_tiles import Tile"),
        ("puzzles/digitle.py", "import attrs"),
    ],
)
def test_the_checker_reports_a_wrong_import(path: str, source: str) -> None:
    assert len(complaints(Path(path), source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("rewrite/errors.py", "import os"),
        ("rewrite/language/rules.py", "from rewrite.errors import RuleError"),
        ("rewrite/language/rules.py", "from . import terms"),
        ("rewrite/language/__init__.py", "from .terms import term"),
        ("rewrite/results/replay.py", "from ..language.meaning import successors"),
        ("rewrite/cli/main.py", "from puzzles import PUZZLES"),
        ("rewrite/__init__.py", "from rewrite.search.loop import search"),
        ("rewrite/__init__.py", "from . import errors"),
        ("rewrite/__main__.py", "from rewrite.cli.main import main"),
        ("puzzles/digitle.py", "from rewrite import Puzzle, rule\nfrom itertools import product"),
        ("puzzles/__init__.py", "from puzzles.digitle import digitle"),
        ("puzzles/digitle.py", "from puzzles.words import named"),
        ("puzzles/eight_puzzle.py", "from puzzles.sliding_tiles import Tile"),
    ],
)
def test_the_checker_is_silent_on_a_right_import(path: str, source: str) -> None:
    assert complaints(Path(path), source) == []
