"""What a person waits for: whole processes, and the time from a call to its answer."""

import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from puzzles import PUZZLES
from puzzles.eight_puzzle import far
from rewrite import STRATEGIES, search
from tests.benchmarks import peers_maude
from tests.benchmarks.measure import in_fresh_process
from tests.benchmarks.rows import full_space
from tests.benchmarks.workloads import WORKLOADS

HEAD = ("what", "wall", "CPU", "target", "reached")
TARGET, NUMBERS = 793, "75 4 7 9 8 2"
THROUGH_THE_PACKAGE = (
    "from tests.benchmarks.peers_maude import shortest; "
    f"assert len(shortest({TARGET}, {NUMBERS!r})) == 5"
)
"""Five states, so four steps, as `rewrite solve` finds them."""


@attrs.frozen
class Moment:
    """The median of the wall and of the CPU seconds, and the most that is allowed, if anything."""

    name: str
    wall: float
    cpu: float
    most: float | None = None
    because: str = ""

    def cells(self) -> list[str]:
        """The texts of the row, under HEAD."""
        verdict = "–"
        if self.most is not None:
            verdict = "yes" if self.wall <= self.most else f"no: {self.wall / self.most:.1f} ×"
        return [
            self.name,
            f"{1000 * self.wall:.0f} ms" if self.wall > 0.01 else f"{1000 * self.wall:.1f} ms",
            f"{1000 * self.cpu:.0f} ms" if self.cpu > 0.01 else f"{1000 * self.cpu:.1f} ms",
            "–" if self.most is None else f"≤ {1000 * self.most:.0f} ms{self.because}",
            verdict,
        ]


def whole_processes(runs: int) -> list[Moment]:
    """Whole processes in turn: Python itself, the import, and the solving of one Digitle."""
    python = sys.executable
    solve = Path(python).with_name("rewrite")
    commands: dict[str, list[str]] = {
        "python -c pass": [python, "-c", "pass"],
        'python -c "import rewrite"': [python, "-c", "import rewrite"],
        f"rewrite solve digitle {TARGET} {NUMBERS}": [
            str(solve) if solve.exists() else "rewrite",
            *["solve", "digitle", str(TARGET)],
            *NUMBERS.split(),
        ],
    }
    if peers_maude.version() is not None:
        commands["the same by the package maude, in Python"] = [python, "-c", THROUGH_THE_PACKAGE]
    with tempfile.TemporaryDirectory() as folder:
        binary = shutil.which("maude")
        if binary is not None:
            file = Path(folder, "digitle.maude")
            shown = debian_module(file, binary)
            commands[f"the same by the program maude {shown}"] = maude_command(binary, file)
        seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(runs):
            for name, command in commands.items():
                seconds[name].append(one_process(command))
    return moments(seconds)


def moments(seconds: Mapping[str, list[tuple[float, float]]]) -> list[Moment]:
    """The rows of whole processes, with their targets."""
    found = [
        Moment(name, statistics.median(w for w, _ in both), statistics.median(c for _, c in both))
        for name, both in seconds.items()
    ]
    rivals = [each for each in found if each.name.startswith("the same by")]
    return [
        attrs.evolve(each, most=0.1)
        if "import rewrite" in each.name
        else attrs.evolve(
            each, most=min(rival.wall for rival in rivals), because=" (the faster Maude below)"
        )
        if each.name.startswith("rewrite solve") and rivals
        else each
        for each in found
    ]


def one_process(command: list[str]) -> tuple[float, float]:
    """Wall and CPU seconds of a process, from its start to its end.

    Raises AssertionError when it fails.
    """
    before, wall = children(), time.perf_counter()
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    wall, cpu = time.perf_counter() - wall, children() - before
    if done.returncode:
        raise AssertionError(f"{command} failed: {done.stderr.decode()}")
    return wall, cpu


def children() -> float:
    """CPU seconds of the processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def maude_command(binary: str, file: Path) -> list[str]:
    """Maude without its banner on this file."""
    return [binary, "-no-banner", "-no-advise", "-batch", str(file)]


def debian_module(file: Path, binary: str) -> str:
    """Writes what the program is to solve: a search, and the path to what it finds.

    Gives its version. The path has to be asked for by the number of the state, found beforehand.
    """
    text, _ = peers_maude.digitle(str(TARGET))
    question = f"{text}search [1] {NUMBERS} =>* {TARGET} P:Pool .\n"
    file.write_text(f"{question}quit\n")
    said = subprocess.run(maude_command(binary, file), capture_output=True, text=True, check=True)
    state = re.search(r"^Solution 1 \(state (\d+)\)", said.stdout, re.MULTILINE)
    if state is None:
        raise AssertionError(f"the program maude found nothing: {said.stdout}{said.stderr}")
    file.write_text(f"{question}show path {state[1]} .\nquit\n")
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True)
    return version.stdout.strip()


def the_space() -> None:
    """The whole space of the 8-puzzle, in the native engine."""
    found = full_space(WORKLOADS["8-puzzle"], "auto")
    assert found.states == WORKLOADS["8-puzzle"].states


def the_answer() -> None:
    """A hardest 8-puzzle, of 31 moves, from both ends."""
    result = search(PUZZLES["eight_puzzle"](), strategy="bidirectional")
    assert result.path is not None
    assert (len(result.path), result.engine) == (31, "native"), result


def the_answer_by_estimate() -> None:
    """The same with the Manhattan distance of the gallery."""
    result = search(PUZZLES["eight_puzzle"](), heuristic=far)
    assert result.path is not None
    assert (len(result.path), result.engine) == (31, "native"), result


def seconds_of(call: Callable[[], None], runs: int) -> list[tuple[float, float]]:
    """Wall and CPU seconds of calls one after the other in this process, the first not counted."""
    call()
    found = []
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        found.append((time.perf_counter() - wall, time.process_time() - cpu))
    return found


def calls(runs: int) -> list[Moment]:
    """From the call to the answer, the compilation of the puzzle included."""
    rows = []
    wanted: list[tuple[str, Callable[[], None], float | None]] = [
        ("8-puzzle, the whole space: call to answer", the_space, 0.1),
        ("8-puzzle of 31 moves, A*: call to answer", the_answer_by_estimate, None),
    ]
    if "bidirectional" in STRATEGIES:
        name = "8-puzzle of 31 moves, bidirectional: call to answer"
        wanted.append((name, the_answer, 0.005))
    for name, call, most in wanted:
        both = in_fresh_process(seconds_of, call, runs)
        wall, cpu = (statistics.median(column) for column in zip(*both, strict=True))
        rows.append(Moment(name, wall, cpu, most))
    return rows
