"""`--checkpoint DIR` and `rewrite checkpoint DIR`."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.engines import natively

pytestmark = natively


def rewrite(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rewrite", *words], capture_output=True, text=True, check=False
    )


def test_a_search_is_kept_gone_on_with_and_shown(tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    first = rewrite("solve", "eight_puzzle", "--checkpoint", folder, "--max-states", "5000")
    assert first.returncode == 3
    assert f"saved in {folder}: the same command continues there" in first.stdout
    shown = rewrite("checkpoint", folder)
    assert shown.returncode == 0
    lines = dict(line.split(":", 1) for line in shown.stdout.splitlines())
    assert lines["asked"].strip() == "search(eight_puzzle)"
    assert lines["done"].strip() == "no: stopped by max_states"
    assert lines["worked on"].strip() == "by nobody"
    done = rewrite("solve", "eight_puzzle", "--checkpoint", folder)
    assert done.returncode == 0
    assert "31 steps, shortest (181,440 states, " in done.stdout
    assert "done:      yes: found" in rewrite("checkpoint", folder).stdout
    other = rewrite("solve", "eight_puzzle", "--checkpoint", folder, "--strategy", "uniform_cost")
    assert other.returncode == 2
    assert "--strategy: there 'auto', here 'uniform_cost'" in other.stderr


def test_a_folder_that_keeps_nothing_is_an_error(tmp_path: Path) -> None:
    shown = rewrite("checkpoint", str(tmp_path))
    assert (shown.returncode, shown.stdout) == (2, "")
    assert "no search is kept there" in shown.stderr


ENDLESS = """
from rewrite import *
N = ints("N")
endless = Puzzle(rule("on", take=[N], put=[N + 1]), rule("twice", take=[N], put=[2 * N, 1]),
                 start=[1], goal=contains("never"))
"""


def test_sigterm_ends_the_command_as_it_would_have(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(ENDLESS)
    folder = tmp_path / "kept"
    words = ["solve", f"{tmp_path / 'endless.py'}:endless", "--checkpoint", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "rewrite", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    until = time.monotonic() + 60
    while not list(folder.glob("manifest-*")) and time.monotonic() < until:
        time.sleep(0.02)
    process.terminate()
    process.communicate()
    assert process.returncode == -signal.SIGTERM  # 143 in a shell
    assert "done:      no: interrupted" in rewrite("checkpoint", str(folder)).stdout
