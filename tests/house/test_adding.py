"""A strategy, a heuristic and a built-in function are added by what `docs/contributing.md` says.

Each is added to a copy of the package, and used there in a process of its own. Nothing is added in
Rust: a strategy and a function then run in Python, with a note; a heuristic, which only the core
values, is one that it has already.
"""

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from rewrite.native import status
from tests.engines import natively

ROOT = Path(__file__).parents[2]


@attrs.frozen
class Addition:
    """What is written, and a program that uses it.

    files    how many files of the package it takes
    edits    (file, what stands behind the text, the text); nothing stands behind that of a new file
    lacking  what the core has not got; "" where it has all
    prints   what the program prints, before the notes of its search, `found`
    """

    files: int
    edits: tuple[tuple[str, str, str], ...]
    program: str
    prints: str
    lacking: str = ""


def jugs_by(option: str) -> str:
    """A program that searches a puzzle by what was added."""
    return f"""
from puzzles import PUZZLES
from rewrite import search
found = search(PUZZLES["water_jugs"](), {option})
print(found.strategy, len(found.path), found.optimal)
"""


STRATEGY = Addition(
    2,
    (
        ("search/strategies/last_first.py", "", """\
def last_first(record):
    level = [record.start]
    while level:
        yield record.test(level)
        record.depth += 1
        record.expanded += len(level)
        following = []
        for code in reversed(level):
            for successor in record.engine.successors(code):
                if successor not in record.parents:
                    record.parents[successor] = code
                    following.append(successor)
        level = following
"""),
        ("search/strategies/__init__.py", '        Strategy(name="depth_first"',
         '        Strategy(name="last_first", shortest=True),\n'),
    ),
    jugs_by('strategy="last_first"'),
    "last_first 6 True",
    'strategy "last_first"',
)  # fmt: skip
HEURISTIC = Addition(
    2,
    (
        ("search/heuristics/blind.py", "", """\
from rewrite.search.heuristics.heuristic import Heuristic


def blind(engine, goal):
    return Heuristic(engine.fields, {"kind": "goal_count", "goals": [[]]})
"""),
        ("search/heuristics/__init__.py", '        FromRules("ff"',
         '        FromRules("blind", admissible=True),\n'),
    ),
    jugs_by('heuristic="blind"'),
    "astar 6 True",
)  # fmt: skip
FUNCTION = Addition(
    4,
    (
        ("language/builtins.py", '        Builtin("reverse"',
         '        Builtin("half", (INT,), "int", lacks=True, twin=False),\n'),
        ("language/builtins.py", "def reverse(",
         "def half(n: int) -> int:\n    return _call('half', n)\n\n\n"),
        ("language/evaluation.py", "FUNCTIONS: ", """\
def _half(n):
    if _int(n) % 2:
        raise NoValue
    return n // 2


"""),
        ("language/evaluation.py", '    "reverse":', '    "half": _half,\n'),
        ("engine/runtime.py", "def reverse(", """\
def half(n):
    if integer(n) % 2:
        raise NoValue
    return n // 2


"""),
        ("__init__.py", "    from rewrite.language.builtins import if_ ",
         "    from rewrite.language.builtins import half as half\n"),
        ("__init__.py", '        "between digits', '        "half "\n'),
    ),
    """
from rewrite import ExpressionError, Puzzle, State, contains, half, ints, rule, search
N = ints("N")
halve = rule("halve", take=[N], put=[half(N)])
found = search(Puzzle(halve, start=[12]), goal=contains(3))
print(*found.path.states, search(Puzzle(halve, start=[12]), goal=contains(1)).status)
try:
    half("a")
except ExpressionError as error:
    print(error)
""",
    "[12] [6] [3] exhausted\nhalf('a'): half needs a whole number, but 'a' is of kind str",
    "function half",
)  # fmt: skip


def changed(package: Path) -> int:
    """How many files of a copy of the package are new, or other than here."""
    files = [path for path in package.rglob("*") if path.is_file()]
    here = [ROOT / "rewrite" / path.relative_to(package) for path in files]
    return sum(
        not (old.exists() and filecmp.cmp(old, new, shallow=False))
        for old, new in zip(here, files, strict=True)
    )


@pytest.mark.parametrize(
    "addition",
    [
        pytest.param(STRATEGY, id="strategy"),
        pytest.param(HEURISTIC, id="heuristic", marks=natively),
        pytest.param(FUNCTION, id="function"),
    ],
)
def test_an_addition_takes_so_few_files_and_runs(addition: Addition, tmp_path: Path) -> None:
    package = tmp_path / "rewrite"
    ignored = shutil.ignore_patterns("target", "*-crate", "__pycache__")
    shutil.copytree(ROOT / "rewrite", package, ignore=ignored)
    (tmp_path / "puzzles").symlink_to(ROOT / "puzzles")
    assert changed(package) == 0
    for name, behind, text in addition.edits:
        file = package / name
        before = file.read_text("utf-8") if behind else ""
        assert before.count(behind) == 1, f"{name}: {behind}"
        file.write_text(before.replace(behind, text + behind), "utf-8")
    assert changed(package) == addition.files
    told = subprocess.run(
        [sys.executable, "-B", "-c", addition.program + "print(found.engine, *found.notes)"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
        check=False, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    note = " searched by the Python engine, because the native one cannot: it has no "
    note = note + addition.lacking if addition.lacking and status().usable else ""
    engine = "python" if addition.lacking else "native"
    assert told.stdout + told.stderr == f"{addition.prints}\n{engine}{note}\n"
