"""Where the machine has no memory left, a search ends and says so; the process goes on.

Each case runs in a process of its own, whose address space is bounded (as `ulimit -v` does it).
"""

import json
import resource
import subprocess
import sys

import pytest

from rewrite.native import status

pytestmark = pytest.mark.skipif(not status().usable, reason="the native engine is not there")

AFTER = 120 << 20
"""Bytes that a process may take once all is imported and compiled."""

STRATEGIES = (
    "breadth_first", "depth_first", "iterative_deepening", "uniform_cost", "astar", "greedy",
    "beam", "bidirectional",
)  # fmt: skip

CASES = {name: f"told(search(board, strategy={name!r}, **informed({name!r})))" for name in STRATEGIES}
CASES |= {
    "paths": "told(search(board, distinct='paths', solutions=None))",
    "shortest": "told(search(board, distinct='paths', shortest=True, solutions=None))",
    "multisets": "told(search(bag, strategy='depth_first'))",
    "multisets_by_cost": "told(search(bag, strategy='uniform_cost'))",
    "explored": "explored()",
    "distances": "known()",
}

SCRIPT = """
import json, resource, sys
from pathlib import Path
from puzzles import eight_puzzle, hanoi
from rewrite import Puzzle, contains, distances, explore, ints, lacks, rule, search, total, variables
from rewrite.native.engine import NativeSearch

# a board of 24 lamps: 16,777,216 states; a bag of numbers without end
lamps = [("off", cell) for cell in range(24)]
M, N = ints("M N")
{puzzles}

def informed(name):
    if name in ("astar", "greedy", "beam"):
        wide = dict(width=5_000_000) if name == "beam" else {{}}
        return dict(heuristic=0, **wide)
    return {{}}

def told(found):
    print(json.dumps([found.status, found.limit, found.engine, list(found.notes)]))

def explored():
    try:
        space = explore(board)
    except MemoryError:  # Python ran out of it while the states were made
        print(json.dumps(["limit", "max_memory", "native", ["MemoryError"]]))
    else:
        print(json.dumps(["limit" if space.limit else "", "max_memory", "native", [space.limit]]))

def known():
    found = distances(board.replace(never=lacks(Lamp(0))))
    print(json.dumps(["limit" if found.limit else "", "max_memory", found.engine, [found.limit]]))

search(eight_puzzle.instance(), strategy="astar", heuristic="goal_count")
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
most = used + {room}
resource.setrlimit(resource.RLIMIT_AS, (most, most))
{case}
small = search(hanoi.instance())
print(json.dumps([small.status, len(small.path), small.states]))
"""

PUZZLES = """
from rewrite import term
@term
class Lamp:
    cell: int
@term
class Dark:
    cell: int
board = Puzzle(
    rule("on", take=[Dark(M)], put=[Lamp(M)]), rule("off", take=[Lamp(M)], put=[Dark(M)]),
    start=[Dark(cell) for cell in range(26)],
    goal=contains(*[Lamp(cell) for cell in range(26)]) & contains(Dark(0)),
)
bag = Puzzle(
    rule("up", take=[M], put=[M + 1]), rule("more", take=[M], put=[M, 2 * M]),
    start=[1, 1], goal=contains(-1),
)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is bounded on Linux only")
@pytest.mark.parametrize("name", CASES)
def test_a_search_without_memory_ends_and_the_next_one_is_right(name: str) -> None:
    script = SCRIPT.format(puzzles=PUZZLES, room=AFTER, case=CASES[name])
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found, after = map(json.loads, done.stdout.splitlines())
    ended, limit, engine, notes = found
    assert (ended, limit, engine) == ("limit", "max_memory", "native"), found
    assert any("memory" in note.lower() for note in notes), notes
    assert after[0] == "found"
    assert done.stderr == ""
