"""`rewrite play` and its processes: what asks for too much is refused, and harms nobody else."""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define

from puzzles import PUZZLES
from rewrite.play.crew import Processes
from rewrite.play.source import Bounds, OnePuzzle
from rewrite.play.table import Table
from tests.unit.play.clients import Page, loop

FILE = """
from rewrite import Puzzle, contains, ints, rule
N = ints("N")
def up(by: int = 1) -> Puzzle:
    print("made", by)
    while by == 13:
        pass
    if by == 14:
        raise SystemExit("x" * 10**10)
    return Puzzle(
        rule(f"from {N}", take=[N], put=[N + by]),
        rule(f"back from {N}", take=[N], put=[N - by], when=N > by),
        start=[1], goal=contains(10**15),
    )
"""
ROOT = Path(__file__).parents[2]
LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/#t=([\w-]+)")


@define
class Served(Page):
    """A server in a process of its own, and what a page asks it."""

    process: subprocess.Popen[str]

    def children(self) -> set[int]:
        found = set()
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid:
                found.add(int(stat.parent.name))
        return found

    def megabytes(self) -> float:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+) kB", text)[0]) / 1024


@contextmanager
def serving(home: Path, *words: str) -> Iterator[Served]:
    process = subprocess.Popen(
        [sys.executable, "-m", "rewrite", "play", "--no-browser", "--port", "0", *words],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "XDG_STATE_HOME": str(home), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := LINK.search(line):
                yield Served(int(found[1]), found[2], process)
                break
        else:
            raise AssertionError("no link was printed")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Served]:
    file = tmp_path / "climb.py"
    file.write_text(FILE)
    words = ("--answer-seconds", "3", "--max-memory", "200MB", f"{file}:up")
    with serving(tmp_path, *words) as served:
        yield served


def game(*words: str, moves: Any = ()) -> Any:
    return {"game": {"p": "climb.py:up", "w": [*words], "m": [*moves]}}


def test_a_link_that_asks_for_too_much_is_refused_and_another_tab_never_notices(up: Served) -> None:
    running = up.ask("hint", game("1"))
    assert running["state"] == "running"
    with ThreadPoolExecutor(1) as elsewhere:
        asked = elsewhere.submit(up.ask, "position", game("13"))
        while not asked.done():
            still = up.ask("job", {"job": running["job"]})
            assert (still["status"], still["state"]) == (200, "running")
            assert up.ask("position", game("1", moves=["from 1"]))["number"] == 1
    refused = asked.result()
    assert refused["status"] == 503
    assert "takes longer than the 3 s of --answer-seconds" in refused["error"]


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux")
def test_a_link_that_asks_for_too_much_memory_is_refused(up: Served) -> None:
    refused = up.ask("position", game("14"))
    assert "MemoryError" in refused["error"]
    assert up.ask("position", game("2"))["number"] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_one_interrupt_ends_the_server_and_all_that_belongs_to_it(up: Served) -> None:
    assert up.ask("hint", game("1"))["state"] == "running"
    belonging = up.children()
    assert belonging
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(20) == 0
    until = time.monotonic() + 20
    while left := [pid for pid in belonging if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < until, left
        time.sleep(0.05)


def test_a_process_that_cannot_be_started_is_told() -> None:
    async def asked() -> Any:
        crew = Processes(Table(OnePuzzle(PUZZLES["hanoi"]()), Bounds()), ["/no/such/program"], 3.0)
        crew.begin()
        try:
            return await crew.answer("position", {"game": {"p": "hanoi"}})
        finally:
            await crew.end()

    status, facts = asyncio.run_coroutine_threadsafe(asked(), loop()).result()
    assert status == 503
    assert "ended the process" in facts["error"]


WORDS: tuple[Any, ...] = (
    [],
    ["1"],
    ["x"],
    ["3", "3"],
    ["-1"],
    ["010", "111", "010"],
    ["🙂"],
    ["\u202e\x1b"],
)
NAMES = ("water_jugs", "eight_puzzle", "lights_out", "hanoi", "sokoban", "nothing", "", None, 7)
MOVES: tuple[Any, ...] = (
    [],
    ["fill 3"],
    ["u", "l"],
    [["on", 2]],
    [["on", 0]],
    [7],
    "moves",
    ["\u202e"],
    None,
)
DAMAGED: tuple[Any, ...] = (
    None,
    7,
    "game",
    [],
    {},
    {"p": []},
    {"p": "hanoi", "w": [7]},
    {"p": "hanoi", "s": [0]},
)
ASKED = ("puzzles", "position", "why", "hint", "job", "cancel", "walk", "map", "visit", "nothing")


def random_request(chance: random.Random) -> tuple[str, Any]:
    games: list[Any] = [*DAMAGED]
    for _ in DAMAGED:
        words, moves = chance.choice(WORDS), chance.choice(MOVES)
        scramble = chance.choice([None, None, [3, 5], [0, 0], "s"])
        games.append({"p": chance.choice(NAMES), "w": words, "m": moves, "s": scramble})
    body = {"game": chance.choice(games), "job": chance.choice([None, 7, "a" * 16, ""])}
    body |= {"mark": chance.choice([0, 5, -1, "x", 1e300]), "to": chance.choice([[1, 2], [], "x"])}
    body |= {"node": chance.choice([0, 3, -1, "x", 10**30]), "most": chance.choice([0, 10**9, "x"])}
    return chance.choice(ASKED), chance.choice([body, body, body, [], 7])


@pytest.mark.parametrize("requests", [60, pytest.param(1_000, marks=pytest.mark.long)])
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_random_requests_leave_no_traceback_and_little_memory(
    tmp_path: Path, requests: int
) -> None:
    chance = random.Random(28)
    with serving(tmp_path, "--answer-seconds", "10", "water_jugs") as served:
        for _ in range(20):
            served.ask("position", {"game": {"p": "water_jugs"}})
        before = served.megabytes()
        for number in range(requests):
            question, body = random_request(chance)
            answer = served.ask(question, body)
            assert answer["status"] in (200, 400, 404, 503), (number, question, body, answer)
            assert "Traceback" not in str(answer)
        assert served.megabytes() < before + 50
        assert served.ask("position", {"game": {"p": "water_jugs"}})["status"] == 200
