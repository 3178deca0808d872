"""`FILE.py:NAME`: puzzles in a person's own files, and what is wrong with some."""

import os
from pathlib import Path
from typing import Any

import pytest

from rewrite import RewriteError
from tests.unit.cli.conftest import Run


def test_a_puzzle_object_in_a_file_is_solved(run: Run) -> None:
    result = run("solve", "own.py:boxes")
    assert result.stdout.endswith("\n  1. push 0\n  2. push 1\n  3. push 2\n")
    assert result.exit_code == 0


def test_a_function_gets_the_words_as_numbers_where_it_says_int(run: Run) -> None:
    result = run("solve", "own.py:count", "5")
    assert result.stdout.endswith("\n  1. to 6\n  2. to 7\n")


def test_a_puzzle_without_a_name_of_its_own_is_called_by_that_in_the_file(run: Run) -> None:
    assert run("explain", "own.py:endless").stdout.startswith("endless: 1 rule\n")
    assert run("explain", "own.py:boxes").stdout.startswith("the boxes: 1 rule\n")


def test_a_file_may_import_its_neighbours(run: Run, tmp_path: Path) -> None:
    (tmp_path / "beside_own.py").write_text("from own import boxes\nmine = boxes\n", "utf-8")
    assert run("solve", "beside_own.py:mine").exit_code == 0


def test_a_file_with_one_puzzle_needs_no_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "single.py").write_text("from own import boxes\n", "utf-8")
    assert run("solve", "single.py").exit_code == 0


def test_a_file_called_like_a_module_of_python_leaves_that_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("from own import boxes\n", "utf-8")
    assert run("solve", "json.py:boxes", "--json").stdout.startswith('{"rewrite": "result"')


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (
            ["own.py:boxs"],
            2,
            "own.py has no boxs (did you mean boxes?); the puzzles in it: own.py:endless, "
            "own.py:bare, own.py:boxes, own.py:count, own.py:broken",
        ),
        (
            ["own.py:notihng"],
            2,
            "own.py has no notihng (did you mean nothing?); the puzzles in it: own.py:endless, "
            "own.py:bare, own.py:boxes, own.py:count, own.py:broken",
        ),
        (
            ["own.py"],
            2,
            "own.py: which one; the puzzles in it: own.py:endless, own.py:bare, own.py:boxes, "
            "own.py:count, own.py:broken",
        ),
        (
            ["own.py:bare"],
            5,
            'own.py:bare has no start (Puzzle(…, start=[…]), or --start "[…]") and no goal '
            "(Puzzle(…, goal=contains(…)))",
        ),
        (
            ["own.py:bare", "--start", "[1]"],
            5,
            "own.py:bare has no goal (Puzzle(…, goal=contains(…)))",
        ),
        (
            ["own.py:boxes", "3"],
            2,
            "own.py:boxes is a Puzzle and takes no words; found '3'. To choose a start by words, "
            "name a function that returns a Puzzle",
        ),
        (
            ["own.py:N"],
            2,
            "own.py:N is N, which is neither a Puzzle nor a function that returns one; the puzzles "
            "in it: endless, bare, boxes, count, broken",
        ),
        (["own.py:count", "x"], 2, "own.py:count: first is a whole number; found 'x'"),
        (
            ["own.py:count"],
            2,
            "own.py:count(first: int, word: str = 'x') takes "
            "other words: missing a required argument: 'first'; found none",
        ),
        (["own.py:nothing"], 5, "own.py:nothing returned 7, which is not a Puzzle"),
    ],
)
def test_a_name_that_gives_no_puzzle_is_explained(
    run: Run, words: list[str], code: int, text: str
) -> None:
    result = run("solve", *words)
    assert (result.stderr, result.exit_code) == (f"error: {text}\n", code)


def test_a_start_is_asked_for_by_option_only_where_there_is_one(run: Run) -> None:
    for words, said in (
        (["play", "own.py:bare", "--no-browser"], "start (Puzzle(…, start=[…]))"),
        (["replay", "own.py:bare", "to 1"], 'start (Puzzle(…, start=[…]), or --start "[…]")'),
    ):
        assert run(*words).stderr == f"error: own.py:bare has no {said}\n"


def test_an_error_in_a_function_of_the_file_names_its_line(run: Run) -> None:
    result = run("solve", "own.py:broken")
    assert result.stderr.startswith("error: own.py:broken() failed: line 25: ExpressionError: ")
    assert result.stderr.endswith('\n  return Puzzle(rule("a", take=[N], put=[N / 2]))\n')
    assert result.exit_code == 5


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("x = 1\ny = x / 0\n", "line 2: ZeroDivisionError: division by zero\n  y = x / 0"),
        ("x = (\n", "line 1: SyntaxError: '(' was never closed\n  x = ("),
        ("import nowhere_at_all\n", "line 1: ModuleNotFoundError: No module named 'nowhere_at_all'"
         "\n  import nowhere_at_all"),
        ("raise SystemExit\n", "line 1: SystemExit\n  raise SystemExit"),
        (
            "from rewrite import *\n\np = Puzzle(\n    rule('a', put=[(1.5)]),\n)\n",
            "line 4: TermError: rule 'a': ",
        ),
        (
            "from rewrite import strs\nW, V = strs('W V')\nx = '-'.join([W, 'a', V])\n",
            "line 3: TypeError: sequence item 0: expected str instance, Variable found (W and V "
            "are only known during the search; compute with it in a function decorated with @fn)",
        ),
        (
            "from rewrite import ints\ndef f(n):\n    return [{1: 2}][0][n]\nx = f(ints('M'))\n",
            "line 3: KeyError: M (n is only known during the search; compute with it in a function "
            "decorated with @fn)\n  return [{1: 2}][0][n]",
        ),
        (
            "from rewrite import ints\nM = ints('M')\nx = (M, 1 // 0)\n",
            "line 3: ZeroDivisionError: integer division or modulo by zero\n  x = (M, 1 // 0)",
        ),
    ],
)  # fmt: skip
def test_a_file_that_does_not_import_is_named_with_the_line(
    run: Run, tmp_path: Path, source: str, text: str
) -> None:
    (tmp_path / "bad.py").write_text(source, "utf-8")
    result = run("solve", "bad.py:p")
    assert result.stderr.startswith(f"error: bad.py does not import: {text}")
    assert (result.stdout, result.exit_code) == ("", 5)


def test_a_syntax_error_in_a_neighbour_names_both_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text("x = (\n", "utf-8")
    (tmp_path / "asks.py").write_text("\nimport faulty\n", "utf-8")
    result = run("solve", "asks.py:p")
    assert result.stderr == (
        "error: asks.py does not import: line 2: SyntaxError: '(' was never closed "
        f"({tmp_path / 'faulty.py'}, line 1)\n  import faulty\n"
    )


def test_traceback_shows_the_code_and_without_it_there_is_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("x = 1 / 0\n", "utf-8")
    assert "Traceback" not in run("solve", "bad.py:p").stderr
    shown = run("solve", "bad.py:p", "--traceback").stderr
    assert shown.startswith("Traceback (most recent call last):\n")
    assert 'bad.py", line 1, in <module>\n' in shown
    assert shown.endswith("line 1: ZeroDivisionError: division by zero\n  x = 1 / 0\n")


def test_a_function_that_fails_during_the_search_is_an_error_of_the_puzzle(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "fails.py").write_text(
        "from rewrite import *\nN = ints('N')\n\n@fn\ndef half(n: int) -> int:\n    return n // 0\n"
        "\np = Puzzle(rule('halve', take=[N], put=[half(N)]), start=[4], goal=contains(9))\n"
        "def shown(state):\n    raise ValueError('no picture')\n"
        "q = Puzzle(rule('on', take=[N], put=[N + 1]), start=[4], goal=contains(5), show=shown)\n"
        "def wordless(state):\n    raise ValueError(10**5000)\n"
        "r = q.replace(show=wordless)\n",
        "utf-8",
    )
    result = run("solve", "fails.py:p")
    assert result.stderr.startswith("error: rule 'halve' failed in half(4)")
    assert result.exit_code == 5
    result = run("solve", "fails.py:q", "--show")
    assert result.stderr == (
        "error: ValueError: no picture. It came from a function of the puzzle: fails.py, line 10\n"
    )
    assert result.exit_code == 5
    result = run("solve", "fails.py:r", "--show")
    assert result.stderr == (
        "error: ValueError, whose text fails with ValueError. It came from a function of the "
        "puzzle: fails.py, line 13\n"
    )
    assert result.exit_code == 5


def test_what_a_function_of_the_puzzle_called_may_be_to_blame(run: Run, tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(
        "import json\nfrom rewrite import *\nN = ints('N')\n\n"
        "def library(state):\n    return json.loads('{')\n\n"
        "def ours(state):\n    return str(Path(None, 3).states)\n\n"
        "p = Puzzle(rule('on', take=[N], put=[N + 1]), start=[4], goal=contains(5), show=library)\n"
        "q = p.replace(show=ours)\n",
        "utf-8",
    )
    result = run("solve", "calls.py:p", "--show")
    assert result.stderr.endswith(". It came from a function of the puzzle: calls.py, line 6\n")
    assert result.exit_code == 5
    result = run("solve", "calls.py:q", "--show")
    assert result.stderr.endswith(
        ". It came from what calls.py, line 9 called, or is a bug in rewrite; --traceback shows "
        "which\n"
    )
    assert result.exit_code == 5


def test_an_error_in_code_of_rewrite_is_told_as_a_bug_and_how_to_report_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = "with what the same command with --traceback and `rewrite doctor` print\n"
    made: dict[str, Any] = {}
    exec(compile("def search(*_, **__): return 1 // 0", "<generated grow 0>", "exec"), made)
    monkeypatch.setattr("rewrite.cli.solve.search", made["search"])
    result = run("solve", "own.py:boxes")
    assert result.stderr == (
        "error: this is a bug in rewrite, not in the puzzle: ZeroDivisionError: integer division "
        f"or modulo by zero. Please report it with the puzzle and {printed}"
    )
    assert result.exit_code == 5

    def failing(*_: object, **__: object) -> None:
        raise RewriteError("p: the engine failed; please report it with the puzzle")

    monkeypatch.setattr("rewrite.cli.solve.search", failing)
    result = run("solve", "own.py:boxes")
    assert result.stderr == (
        f"error: p: the engine failed; please report it with the puzzle and {printed}"
    )
    assert result.exit_code == 5


ENDS = ["SystemExit", "SystemExit(1)", "SystemExit(0)", "GeneratorExit", "BaseException('no')"]


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize(
    "source",
    [
        "raise {}\n",
        "def p():\n    raise {}\n",
        "from rewrite import *\n@fn\ndef f(n):\n    raise {}\nN = ints('N')\n"
        "p = Puzzle(rule('a', take=[N], put=[f(N)]), start=[1], goal=contains(9))\n",
        "from rewrite import *\ndef f(state):\n    raise {}\n"
        "p = Puzzle(rule('a', take=[1], put=[2]), start=[1], goal=f)\n",
        "from rewrite import *\ndef f(state):\n    raise {}\n"
        "p = Puzzle(rule('a', take=[1], put=[2]), start=[1], goal=contains(2), show=f)\n",
    ],
    ids=["import", "instance", "fn", "goal", "show"],
)
def test_a_puzzle_that_ends_the_process_is_an_error_and_no_answer(
    run: Run, tmp_path: Path, source: str, ends: str
) -> None:
    (tmp_path / "ends.py").write_text(source.format(ends), "utf-8")
    result = run("solve", "ends.py:p", "--show")
    assert result.exit_code == 5
    assert result.stderr.startswith("error: ")
    assert ends.split("(")[0] in result.stderr
    assert "line " in result.stderr
    assert "bug" not in result.stderr
    written = result.stdout.splitlines()  # lines are written as they are known: one before a view
    assert written == [] or (
        written[0][:6] == "1 step" and written[1:] == [] and "show=f" in source
    )


@pytest.mark.parametrize(
    "source", ["raise KeyboardInterrupt\n", "def p():\n    raise KeyboardInterrupt\n"]
)
def test_an_interrupt_while_a_file_is_read_is_an_interrupt(
    run: Run, tmp_path: Path, source: str
) -> None:
    (tmp_path / "stops.py").write_text(source, "utf-8")
    result = run("solve", "stops.py:p")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "interrupted\n", 130)


def test_a_file_that_cannot_be_read_is_bad_usage(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "file").write_text("", "utf-8")
    long = "x" * 300 + ".py"
    for file, why in [
        ("missing.py", "missing.py: no such file"),
        ("folder.py", "folder.py is a folder; name a file in it"),
        ("loop.py", "loop.py cannot be read: Too many levels of symbolic links"),
        ("file/in.py", "file/in.py cannot be read: Not a directory"),
        (long, f"{long} cannot be read: File name too long"),
    ]:
        for words in (["solve", file], ["solve", f"{file}:p"], ["explain", file]):
            result = run(*words)
            assert (result.stderr, result.exit_code) == (f"error: {why}\n", 2), words
        result = run("solve", "own.py:boxes", "--heuristic", f"{file}:h")
        assert (result.stderr, result.exit_code) == (f"error: {why}\n", 2)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_bad_usage(run: Run, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("", "utf-8")
    (tmp_path / "secret.py").chmod(0)
    result = run("solve", "secret.py")
    why = "error: secret.py cannot be read: Permission denied\n"
    assert (result.stderr, result.exit_code) == (why, 2)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x00\x01\x02", "source code string cannot contain null bytes"),
        (b"\x7fELF\xff\xfe", "invalid non-printable character U+007F"),
        ("p = '\xe9'\n".encode("latin-1"), "(unicode error) 'utf-8' codec can't decode byte 0xe9"),
    ],
    ids=["zeros", "binary", "latin-1"],
)
def test_a_file_that_is_no_python_text_is_an_error_of_the_file(
    run: Run, tmp_path: Path, content: bytes, why: str
) -> None:
    (tmp_path / "raw.py").write_bytes(content)
    result = run("solve", "raw.py:p")
    assert result.stderr.startswith("error: raw.py does not import: ")
    assert why in result.stderr
    assert result.exit_code == 5
