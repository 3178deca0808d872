"""Sliding tiles and Sokoban in PDDL, for Fast Downward (https://www.fast-downward.org).

The usual formulations. A tile is at a cell, a cell is empty: its translator makes one variable a
tile of it, and one of the empty cell. A cell has a box or is clear; a push costs 1, a walk nothing.
The planner is the one in the package up-fast-downward; that
package is not imported (it would want a planning library), its program is run.
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.contests import Contestant, Ran

NAME = "Fast Downward"
MERGE_AND_SHRINK = (
    "merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),"
    "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering("
    "scoring_functions=[goal_relevance(),dfp(),total_order()])),"
    "label_reduction=exact(before_shrinking=true,before_merging=false),"
    "max_states=50k,threshold_before_merge=1)"
)
"""As its manual recommends."""
HEURISTICS = {
    "blind": "blind()",
    "lmcut": "lmcut()",
    "ipdb": "ipdb()",
    "cpdbs, systematic(3)": "cpdbs(patterns=systematic(3))",
    "merge-and-shrink": MERGE_AND_SHRINK,
}
OUT_OF_TIME = {21, 23, 24}
"""Exit codes: the translator, the search, the search in time and memory."""
OUT_OF_MEMORY = {20, 22}

DOMAIN = """
(define (domain sliding)
  (:requirements :strips)
  (:predicates (tile ?t) (next ?p ?q) (at ?t ?p) (empty ?p))
  (:action slide :parameters (?t ?p ?q)
    :precondition (and (tile ?t) (next ?p ?q) (at ?t ?p) (empty ?q))
    :effect (and (not (at ?t ?p)) (not (empty ?q)) (at ?t ?q) (empty ?p))))
"""


SOKOBAN = """
(define (domain sokoban)
  (:requirements :strips :action-costs)
  (:predicates (next ?p ?q) (line ?p ?q ?r) (at ?p) (box ?p) (clear ?p))
  (:functions (total-cost) - number)
  (:action walk :parameters (?p ?q)
    :precondition (and (next ?p ?q) (at ?p) (clear ?q))
    :effect (and (not (at ?p)) (at ?q) (increase (total-cost) 0)))
  (:action push :parameters (?p ?q ?r)
    :precondition (and (line ?p ?q ?r) (at ?p) (box ?q) (clear ?r))
    :effect (and (not (at ?p)) (at ?q) (not (box ?q)) (clear ?q) (box ?r) (not (clear ?r))
                 (increase (total-cost) 1))))
"""


def sokoban_problem(rows: Sequence[str]) -> str:
    """A level with as many boxes as targets, by least pushes."""
    signs = {(y, x): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    floor = [cell for cell, sign in signs.items() if sign in "@+$*. "]

    def name(cell: tuple[int, int]) -> str:
        return f"c{cell[0]}-{cell[1]}"

    facts = ["(= (total-cost) 0)"]
    for y, x in floor:
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            beside, beyond = (y + down, x + right), (y + 2 * down, x + 2 * right)
            if beside in floor:
                facts.append(f"(next {name((y, x))} {name(beside)})")
                if beyond in floor:
                    facts.append(f"(line {name((y, x))} {name(beside)} {name(beyond)})")
    for cell in floor:
        facts.append(f"({'box' if signs[cell] in '$*' else 'clear'} {name(cell)})")
        if signs[cell] in "@+":
            facts.append(f"(at {name(cell)})")
    goal = " ".join([f"(box {name(cell)})" for cell in floor if signs[cell] in ".+*"])
    return f"""
(define (problem level) (:domain sokoban)
  (:objects {" ".join(map(name, floor))})
  (:init {" ".join(facts)})
  (:goal (and {goal}))
  (:metric minimize (total-cost)))
"""


def problem(board: Sequence[int]) -> str:
    """The instance of a square board, row by row, 0 for the empty cell, which ends up last."""
    cells = range(len(board))
    side = round(len(board) ** 0.5)
    near = [
        f"(next c{p} c{q})"
        for p in cells
        for q in cells
        if abs(p // side - q // side) + abs(p % side - q % side) == 1
    ]
    tiles = [f"t{number}" for number in cells[1:]]
    places = [f"(at t{n} c{c})" if n else f"(empty c{c})" for c, n in enumerate(board)]
    goal = [f"(at t{number} c{number - 1})" for number in cells[1:]]
    return f"""
(define (problem board) (:domain sliding)
  (:objects {" ".join(tiles)} {" ".join(f"c{cell}" for cell in cells)})
  (:init {" ".join(f"(tile {tile})" for tile in tiles)} {" ".join(near)} {" ".join(places)})
  (:goal (and {" ".join(goal)})))
"""


def planner() -> Path | None:
    """The program, or None where the package is not installed."""
    package = importlib.util.find_spec("up_fast_downward")
    if package is None or package.origin is None:
        return None
    program = Path(package.origin).parent / "downward" / "fast-downward.py"
    return program if program.exists() else None


def version() -> str | None:
    program = planner()
    if program is None:
        return None
    command = [sys.executable, str(program), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    return said.stdout.strip().splitlines()[0]


def shortest(board: Sequence[int], heuristic: str, limit: float) -> Ran:
    """What A* with this heuristic comes to within so many seconds (of CPU time, as it counts).

    Raises AssertionError where it fails for another reason.
    """
    return planned(DOMAIN, problem(board), heuristic, limit)


def planned(domain: str, instance: str, heuristic: str, limit: float) -> Ran:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("domain.pddl", domain), ("problem.pddl", instance)):
            Path(folder, name).write_text(text)
        command = [
            *[sys.executable, str(planner()), "--overall-time-limit", f"{limit:.0f}s"],
            *["--overall-memory-limit", "4G", "domain.pddl", "problem.pddl"],
            *["--search", f"astar({HEURISTICS[heuristic]})"],
        ]
        begin = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        took = time.perf_counter() - begin
    if done.returncode not in {0} | OUT_OF_TIME | OUT_OF_MEMORY:
        raise AssertionError(f"{command} failed: {done.stdout[-1000:]}{done.stderr}")
    return read(done.stdout, done.returncode, took, limit)


def read(said: str, code: int, took: float, limit: float) -> Ran:
    def figure(pattern: str) -> float | None:
        found = re.findall(pattern, said)
        return float(found[-1]) if found else None

    def number(pattern: str) -> int | None:
        value = figure(pattern)
        return None if value is None else int(value)

    peaks = [int(kb) for kb in re.findall(r"[Pp]eak memory: (\d+) KB", said)]
    moves, bound = number(r"Plan length: (\d+) step"), number(r"\bf = (\d+),")
    stopped = f"stopped after {limit:g} s" if code in OUT_OF_TIME else "stopped at 4 GiB"
    reached = stopped if bound is None else f"at least {bound}, {stopped}"
    return Ran(
        moves=moves,
        search=figure(r"Search time: ([\d.]+)s"),
        call=took,
        peak=max(peaks) * 1024 if peaks else None,
        states=number(r"Number of registered states: (\d+)"),
        expanded=number(r"Expanded (\d+) state"),
        reached=reached,
        cost=number(r"Plan cost: (\d+)"),
    )


def peer(board: Sequence[int], heuristic: str, limit: float) -> Contestant:
    absent = None if planner() else "not installed: pip install up-fast-downward"
    return Contestant(f"{NAME}, {heuristic}", lambda: shortest(board, heuristic, limit), absent)
