"""What is printed is written as soon as it is known; Ctrl-C while loading ends quietly."""

import signal
import subprocess
import sys
from pathlib import Path

COUNTING = """
import sys
from rewrite import *
N = ints("N")
counting = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1]), start=[0], goal=contains(3000))
from rewrite.outcome.path import Path
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
