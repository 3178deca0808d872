"""Where the machine has no memory left, a search ends and says so; the process goes on.

Each case runs in a process of its own, whose address space is bounded (as `ulimit -v` does it).
Before growing was made to fail instead of aborting, most of them ended by SIGABRT.
"""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.engines import natively

pytestmark = [
    natively,
    pytest.mark.skipif(sys.platform != "linux", reason="address space is bounded on Linux only"),
]

ROOM = 24 << 20
"""Bytes that a process may take once all is imported and something was searched."""

SCRIPT = """
import json, resource, sys
from pathlib import Path
from puzzles import hanoi
from puzzles.lights_out import Lamp, lights_out
from rewrite import Puzzle, contains, distances, explore, ints, lacks, rule, search

lamps = lights_out(["10000"] + 4 * ["00000"])  # cannot be put out: 8,388,608 states are seen
M = ints("M")
bag = Puzzle(
    rule("up", take=[M], put=[M + 1]), rule("more", take=[M], put=[M, 2 * M]),
    start=[1, 1], goal=contains(-1),
)

def told(found):
    return [found.status, found.limit, found.engine, list(found.notes)]

def explored():
    try:
        space = explore(lamps)
    except MemoryError:
        return ["limit", "max_memory"]
    return [space.complete, space.limit]

def known():
    found = distances(lamps.replace(never=contains(Lamp(0, 1), Lamp(1, 1))))
    return [found.complete, found.limit]

search(hanoi.instance())
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
most = used + int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (most, most))
print(json.dumps(eval(sys.argv[2])))
small = search(hanoi.instance())
print(json.dumps([small.status, len(small.path), small.states]))
"""


def alone(call: str) -> list[Any]:
    """Return what a call comes to in a process with little memory; the next search is right."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(ROOM), call],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stderr == ""
    found, after = map(json.loads, done.stdout.splitlines())
    assert after == ["found", 255, 6391]
    return list(found)


@pytest.mark.parametrize(
    "call",
    [
        "search(lamps, strategy='breadth_first')",
        "search(lamps, strategy='breadth_first', threads=2)",
        "search(lamps, strategy='depth_first')",
        "search(lamps, strategy='uniform_cost')",
        "search(lamps, strategy='astar', heuristic='goal_count')",
        "search(lamps, strategy='greedy', heuristic='goal_count')",
        "search(lamps, strategy='beam', heuristic='goal_count', width=5_000_000)",
        "search(lamps, strategy='bidirectional')",
        "search(lamps, distinct='paths', solutions=None)",
        "search(lamps, distinct='paths', shortest=True, solutions=None)",
        "search(bag, strategy='breadth_first')",
        "search(bag, strategy='depth_first')",
        "search(bag, strategy='uniform_cost')",
        "search(bag, distinct='paths')",
    ],
)
def test_a_search_without_memory_says_so_and_the_next_one_is_right(call: str) -> None:
    ended, limit, engine, notes = alone(f"told({call})")
    assert (ended, limit, engine) == ("limit", "max_memory", "native")
    assert "the memory of this machine ran out; max_memory= ends a search before that" in notes


@pytest.mark.parametrize("call", ["explored()", "known()"])
def test_where_all_states_are_asked_for_the_process_outlives_it(call: str) -> None:
    alone(call)
