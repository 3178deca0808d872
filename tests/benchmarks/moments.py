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
STEPS = 4
BARE = "python -c pass"
IMPORT = 'python -c "import rewrite"'
WRITING = "the same with the names that a puzzle is written with"
ABOVE, AS_MAUDE, INSTALL = 0.06, 2, 50.0
"""Targets: seconds above bare Python, times as long as Maude, seconds."""
ROOT = Path(__file__).parents[2]


@attrs.frozen
class Moment:
    """The median of the wall and of the CPU seconds, and the most that is allowed, if anything."""

    name: str
    wall: float
    cpu: float
    most: float | None = None
    because: str = ""

    def cells(self) -> list[str]:
        verdict = "–"
        if self.most is not None:
            verdict = "yes" if self.wall <= self.most else f"no: {self.wall / self.most:.1f} ×"
        return [
            self.name,
            told(self.wall),
            told(self.cpu),
            "–" if self.most is None else f"≤ {told(self.most)}{self.because}",
            verdict,
        ]


def told(seconds: float) -> str:
    """Seconds as a reader takes them in: 4.2 ms, 31 ms, 45 s."""
    if seconds > 10:
        return f"{seconds:.0f} s"
    return f"{1000 * seconds:.0f} ms" if seconds > 0.01 else f"{1000 * seconds:.1f} ms"


def whole_processes(runs: int) -> list[Moment]:
    """Whole processes in turn: Python itself, the import, and the solving of one Digitle."""
    python = sys.executable
    solve = Path(python).with_name("rewrite")
    commands: dict[str, list[str]] = {
        BARE: [python, "-c", "pass"],
        IMPORT: [python, "-c", "import rewrite"],
        WRITING: [python, "-c", "from rewrite import Puzzle, contains, ints, rule, term"],
        'python -c "import puzzles.digitle"': [python, "-c", "import puzzles.digitle"],
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
                wall, cpu, said = one_process(command)
                check(name, said)
                seconds[name].append((wall, cpu))
    return moments(seconds)


def check(name: str, said: str) -> None:
    """Raises AssertionError where who solves the Digitle did not find its four steps."""
    if name.startswith("rewrite solve"):
        assert said.startswith(f"{STEPS} steps, shortest"), said
        assert f"\n{TARGET} = " in said, said
    elif "the program maude" in name:
        assert said.count("\n===[") == STEPS, said


def moments(seconds: Mapping[str, list[tuple[float, float]]]) -> list[Moment]:
    """The rows of whole processes, with their targets: for what is above bare Python, or a peer."""

    def walls(name: str) -> list[float]:
        return [wall for wall, _ in seconds[name]]

    rivals = [name for name in seconds if name.startswith("the same by")]
    fastest = min(rivals, key=lambda name: statistics.median(walls(name)), default=None)
    found = []
    for name, both in seconds.items():
        row = Moment(name, statistics.median(walls(name)), statistics.median(c for _, c in both))
        if name in (IMPORT, WRITING):
            row = attrs.evolve(
                row, most=statistics.median(walls(BARE)) + ABOVE, because=" (60 ms above bare)"
            )
        elif name.startswith("rewrite solve") and fastest is not None:
            # within each round, as everywhere: the machine of one round is the same for both
            pairs = zip(walls(name), walls(fastest), strict=True)
            ratio = statistics.median(mine / theirs for mine, theirs in pairs)
            because = f" (twice the faster Maude below; {ratio:.1f} times it)"
            row = attrs.evolve(row, most=AS_MAUDE * row.wall / ratio, because=because)
        found.append(row)
    return found


def one_process(command: list[str]) -> tuple[float, float, str]:
    """Wall and CPU seconds of a process, from its start to its end, and what it printed.

    Raises AssertionError when it fails.
    """
    before, wall = children(), time.perf_counter()
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    wall, cpu = time.perf_counter() - wall, children() - before
    if done.returncode:
        raise AssertionError(f"{command} failed: {done.stderr.decode()}")
    return wall, cpu, done.stdout.decode()


def install(runs: int) -> list[Moment]:
    """`pip install .` into a new environment, nothing compiled yet; crates are downloaded before.

    It counts only where the core was compiled with optimisation and solves the Digitle.
    """
    found = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            sources, room = Path(folder, "sources"), Path(folder, "environment")
            left = shutil.ignore_patterns("target", "__pycache__", "*.so", "*.pyd")
            for part in ("rewrite", "puzzles"):
                shutil.copytree(ROOT / part, sources / part, ignore=left)
            for part in ("pyproject.toml", "README.md", "LICENSE"):
                shutil.copy(ROOT / part, sources)
            manifest = str(sources / "rewrite/native/Cargo.toml")
            one_process(["cargo", "fetch", "--locked", "--manifest-path", manifest])
            one_process([sys.executable, "-m", "venv", str(room)])
            python = str(room / "bin/python")
            target = f"CARGO_TARGET_DIR={folder}/target"
            pip = ["env", target, python, "-m", "pip", "install", "--no-cache-dir", str(sources)]
            wall, cpu, _ = one_process(pip)
            found.append((wall, cpu))
            asked = "from rewrite.native import core; print(core().profile())"
            said = one_process(["env", "-C", folder, python, "-c", asked])[2]
            assert said == "release\n", said
            words = ["solve", "digitle", str(TARGET), *NUMBERS.split()]
            solved = one_process(["env", "-C", folder, str(room / "bin/rewrite"), *words])[2]
            check("rewrite solve", solved)
    wall, cpu = (statistics.median(column) for column in zip(*found, strict=True))
    return [Moment("pip install . with Rust, nothing compiled yet", wall, cpu, INSTALL)]


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
