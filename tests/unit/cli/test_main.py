"""The command as a whole: gallery, doctor, help, and real processes with signals and a terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

from puzzles import PUZZLES
from rewrite import native
from rewrite.cli.main import COMMANDS
from tests.unit.cli.conftest import Run

COMMAND = [sys.executable, "-m", "rewrite"]


def test_the_gallery_lists_every_puzzle_with_what_it_is_about_and_its_words(run: Run) -> None:
    lines = run("gallery").stdout.splitlines()
    assert lines[0].split() == ["name", "puzzle", "words"]
    assert [name for name in PUZZLES if not any(line.split()[:1] == [name] for line in lines)] == []
    assert lines[-1] == "e.g. rewrite solve digitle 793 75 4 7 9 8 2"


@pytest.mark.parametrize("columns", ["40", "70", "300"])
def test_the_gallery_cuts_nothing_off(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = run("gallery").stdout
    assert "…" not in text
    for word in ("eight_puzzle", "solitaire", "496125", "Microban"):
        assert word in text


def test_the_gallery_names_what_each_column_holds_on_a_narrow_screen(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    assert (
        "name: hyperjump\npuzzle: Hyperjump: put digits into a chain that ends in the 9\n"
        "words: The digits without the 9; without words, 4 4 7 3 1 1 8 5. Chains end in the 7 with "
        "last=7\n"
    ) in run("gallery").stdout


def test_doctor_names_the_engine_the_versions_and_the_self_check(run: Run) -> None:
    result = run("doctor")
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"python {sys.version.split()[0]} (")
    assert f"rewrite {metadata.version('rewrite')}" in lines
    assert f"attrs {metadata.version('attrs')}" in lines
    engines = "python and native" if native.status().usable else "python"
    assert lines[lines.index(native.status().reason) - 1] == f"engine: {engines}"
    assert any(line.startswith("extra graph: ") for line in lines)
    assert lines[-1] == "self-check: water_jugs solved in 6 steps and replayed"
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("found", "engines", "code"),
    [
        (native.Status(True, "native engine: built (…)"), "python and native", 0),
        (native.Status(False, "native engine: not built (…)"), "python", 0),
        (native.Status(False, "native engine: out of date (…)", refused=True), "python", 5),
    ],
    ids=["usable", "missing", "refused"],
)
def test_doctor_says_which_engines_there_are_and_ends_with_5_where_searches_refuse(
    run: Run, monkeypatch: pytest.MonkeyPatch, found: native.Status, engines: str, code: int
) -> None:
    monkeypatch.setattr("rewrite.cli.doctor.status", lambda: found)
    result = run("doctor")
    lines = result.stdout.splitlines()
    assert lines[lines.index(f"engine: {engines}") + 1] == found.reason
    assert result.exit_code == code


def test_doctor_says_how_to_install_an_extra_that_is_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "rewrite.cli.doctor.version_of", lambda name: None if name == "networkx" else "1.0"
    )
    lines = run("doctor").stdout.splitlines()
    assert "extra graph: graphviz 1.0; missing networkx: pip install 'rewrite[graph]'" in lines


def test_doctor_ends_with_5_when_the_self_check_fails(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rewrite.cli.doctor.STEPS", 7)
    result = run("doctor")
    last = result.stdout.splitlines()[-1]
    assert last.startswith(
        "self-check: water_jugs: 7 steps were expected; found: 6 steps, shortest"
    )
    assert result.exit_code == 5


def test_the_help_lists_the_exit_codes_and_cuts_nothing_off(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for words in (["--help"], ["solve", "--help"], ["replay", "-h"]):
        result = run(*words)
        assert "4  interrupted by Ctrl-C, with the answers so far" in result.stdout
        assert "..." not in result.stdout.replace("[ARGS]...", "").replace("[WORDS]...", "")
        assert result.exit_code == 0


def test_only_the_command_that_keeps_a_search_says_what_sigterm_does(run: Run) -> None:
    told = [name for name in COMMANDS if "SIGTERM saves" in run(name, "--help").stdout]
    assert told == ["solve"]


def test_an_unknown_command_and_an_unknown_option_are_bad_usage(run: Run) -> None:
    assert run("sovle").exit_code == 2
    assert run("solve", "digitle", "--max-state", "5").exit_code == 2


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version").stdout == f"rewrite, version {metadata.version('rewrite')}\n"


# -- a real process ------------------------------------------------------------------------


def process(*words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONUTF8": "1", **more}
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, env=environment, timeout=60,
        encoding=more.get("PYTHONIOENCODING", "utf-8"),
    )  # fmt: skip


def test_the_process_ends_with_the_code_of_what_happened(run: Run) -> None:
    for code, words in [
        (0, ["solve", "digitle"]),
        (1, ["solve", "digitle", "99", "2", "3"]),
        (2, ["solve", "digitel"]),
        (3, ["solve", "own.py:endless", "--max-states", "9"]),
        (5, ["solve", "own.py:nothing"]),
    ]:
        ended = process(*words)
        assert ended.returncode == code, ended.stderr


def test_rich_is_not_loaded_where_nothing_needs_it(run: Run) -> None:
    code = (
        "import sys; sys.argv = ['rewrite', 'solve', 'digitle']\n"
        "from rewrite.cli.main import main\n"
        "try:\n    main()\nfinally:\n    print([m for m in sys.modules if m == 'rich'])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60
    )
    assert ended.stdout.endswith("\n[]\n")


def test_an_arrow_that_the_output_cannot_show_does_not_stop_the_run(run: Run) -> None:
    ended = process("solve", "digitle", PYTHONUTF8="0", PYTHONIOENCODING="latin-1")
    assert "13 \\u2192 793" in ended.stdout
    assert ended.returncode == 0


def test_nothing_is_coloured_or_shown_as_progress_where_there_is_no_terminal(run: Run) -> None:
    ended = process("solve", "own.py:endless", "--max-seconds", "1.3", "--max-states", "10000000")
    assert "\x1b" not in ended.stdout + ended.stderr
    assert "waiting" not in ended.stderr
    assert "\x1b" not in process("gallery", FORCE_COLOR="1", NO_COLOR="1").stdout


class OnTerminal:
    """A run whose stderr is a terminal; `seen` is what was written there."""

    def __init__(self, *words: str) -> None:
        self.terminal, theirs = pty.openpty()
        self.seen = ""
        self.run = subprocess.Popen(
            [*COMMAND, *words], stdout=subprocess.PIPE, stderr=theirs, encoding="utf-8",
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "PYTHONUTF8": "1"},
        )  # fmt: skip
        os.close(theirs)

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Read until the text is there; fail where it does not come."""
        until = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < until:
            self._read()
        assert text in self.seen

    def _read(self) -> bool:
        if not select.select([self.terminal], [], [], 0.1)[0]:
            return True
        try:
            found = os.read(self.terminal, 65536)
        except OSError:  # Linux: the other end was closed
            return False
        self.seen += found.decode()
        return bool(found)

    def ended(self) -> tuple[str, int]:
        assert self.run.stdout is not None
        out, code = self.run.stdout.read(), self.run.wait(60)
        self.run.stdout.close()
        while select.select([self.terminal], [], [], 0)[0] and self._read():
            pass
        os.close(self.terminal)
        return out, code


PROGRESS = re.compile(r"[\d,]+ states, [\d,]+ a second, depth [\d,]+, [\d,]+ waiting, [\d,]+ MB")


def test_progress_is_shown_on_a_terminal_and_removed_at_the_end(run: Run) -> None:
    started = OnTerminal("solve", "own.py:endless", "--max-seconds", "2")
    started.wait_for("waiting")
    out, code = started.ended()
    assert PROGRESS.search(started.seen)
    assert "\x1b[1A\x1b[2K" in started.seen[-400:]  # the line is left, and erased
    assert "\x1b" not in out
    assert out.startswith("stopped by max_seconds=2")
    assert code == 3


def test_ctrl_c_prints_the_result_so_far_and_ends_with_4(run: Run) -> None:
    started = OnTerminal("solve", "own.py:endless")
    started.wait_for("waiting")
    started.run.send_signal(signal.SIGINT)
    out, code = started.ended()
    assert out.startswith("interrupted after ")
    assert "not found yet" in out
    assert code == 4


def test_ctrl_c_ends_a_comparison_as_a_whole(run: Run) -> None:
    started = OnTerminal("compare", "own.py:endless")
    started.wait_for("waiting")
    started.run.send_signal(signal.SIGINT)
    out, code = started.ended()
    assert len(out.splitlines()) == 3
    assert out.splitlines()[2].split()[:2] == ["breadth_first", "interrupted"]
    assert code == 4


def test_a_second_ctrl_c_ends_at_once_with_130(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import sys, time\nfrom rewrite import *\nN = ints('N')\n\n@fn\ndef slow(n: int) -> int:\n"
        "    sys.stderr.write('sleeping')\n    sys.stderr.flush()\n    time.sleep(100)\n"
        "    return n\n\n"
        "p = Puzzle(rule('on', take=[N], put=[slow(N)]), start=[1], goal=contains(2))\n",
        "utf-8",
    )
    started = OnTerminal("solve", "slow.py:p")
    started.wait_for("sleeping")
    started.run.send_signal(signal.SIGINT)
    time.sleep(1)  # two that come at once are one
    assert started.run.poll() is None
    started.run.send_signal(signal.SIGINT)
    out, code = started.ended()
    assert (out, code) == ("", 130)
    assert started.seen.endswith("interrupted\r\n")


COUNTING = """
import sys
from rewrite import *
N = ints("N")
counting = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1]), start=[0], goal=contains(3000))
from rewrite.results.path import Path
real, steps = Path._traced, 0
def traced(self, index):
    sys.stderr.write(".")
    return real(self, index)
Path._traced = traced
"""


def test_a_reader_that_goes_away_ends_the_printing_of_a_long_path(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(COUNTING, "utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "rewrite", "solve", "long.py:counting"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", cwd=tmp_path,
    ) as run:  # fmt: skip
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline().startswith("3,000 steps, shortest")
        run.stdout.close()
        told = run.stderr.read()
        assert run.wait(60) == 141
    assert set(told) <= {"."}
    assert len(told) < 3000  # it did not trace the path to its end


def test_ctrl_c_while_the_command_is_loaded_ends_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "attrs.py").write_text(
        "import sys, time\nprint('loading', flush=True)\ntime.sleep(60)\n",
        "utf-8",
    )
    with subprocess.Popen(
        [sys.executable, "-m", "rewrite", "gallery"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", cwd=tmp_path,
    ) as run:  # fmt: skip
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline() == "loading\n"
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 130
        assert run.stderr.read() == "interrupted\n"
