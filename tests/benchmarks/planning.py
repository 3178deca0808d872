"""Planning tasks, beside Fast Downward, each in a process of its own, by the wall clock.

`python -m tests.benchmarks.planning FOLDER [SECONDS]`: every folder in FOLDER holds domain.pddl and
one task. Beside those, tasks are drawn here. Printed are: from the files to the first state; the
cheapest plan, proved (with nothing told, and A* with lmcut of both); any plan (Fast Downward: the
first iteration of LAMA). A cost that both prove must be the same.
"""

import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.peers_planner import SOKOBAN, planner, sokoban_problem

LEVEL = """
########
#  #   #
# $  . #
#  ##$ #
# .@ $ #
#  . # #
########
""".strip().splitlines()
GRID = """
(define (domain keys)
  (:requirements :strips)
  (:predicates (next ?a ?b) (at ?a) (open ?a) (locked ?a) (key ?k ?a) (has ?k) (fits ?k ?a))
  (:action walk :parameters (?a ?b) :precondition (and (at ?a) (next ?a ?b) (open ?b))
    :effect (and (not (at ?a)) (at ?b)))
  (:action take :parameters (?a ?k) :precondition (and (at ?a) (key ?k ?a))
    :effect (and (not (key ?k ?a)) (has ?k)))
  (:action drop :parameters (?a ?k) :precondition (and (at ?a) (has ?k))
    :effect (and (key ?k ?a) (not (has ?k))))
  (:action unlock :parameters (?a ?b ?k)
    :precondition (and (at ?a) (next ?a ?b) (locked ?b) (has ?k) (fits ?k ?b))
    :effect (and (not (locked ?b)) (open ?b))))
"""


def keys(size: int, number: int, seed: int) -> str:
    """A square of cells, some of them locked, with keys lying about."""
    chance = random.Random(seed)
    cells = [(y, x) for y in range(size) for x in range(size)]
    near = [
        (one, (one[0] + down, one[1] + right))
        for one in cells
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if (one[0] + down, one[1] + right) in cells
    ]
    locked = chance.sample(cells[1:], number)
    free = [one for one in cells if one not in locked]

    def name(cell: tuple[int, int]) -> str:
        return f"c{cell[0]}-{cell[1]}"

    facts = [f"(next {name(one)} {name(other)})" for one, other in near] + ["(at c0-0)"]
    facts += [f"({'locked' if one in locked else 'open'} {name(one)})" for one in cells]
    for at, cell in enumerate(locked):
        facts += [f"(fits k{at} {name(cell)})", f"(key k{at} {name(chance.choice(free))})"]
    goal = [f"(key k{at} {name(chance.choice(free))})" for at in range(2)]
    goal.append(f"(open {name(locked[0])})")
    return f"""(define (problem drawn) (:domain keys)
      (:objects {" ".join(map(name, cells))} {" ".join(f"k{at}" for at in range(number))})
      (:init {" ".join(facts)}) (:goal (and {" ".join(goal)})))"""


DRAWN = {
    "Sokoban, 3 boxes": (SOKOBAN, sokoban_problem(LEVEL)),
    "keys, 8x8": (GRID, keys(8, 6, 1)),
    "keys, 40x40": (GRID, keys(40, 30, 2)),
}


def ours(files: list[str], *more: str) -> tuple[float, str]:
    return timed([sys.executable, "-m", "rewrite", "solve", *files, *more])


def theirs(
    files: list[str], seconds: float, *more: str, before: tuple[str, ...] = ()
) -> tuple[float, str]:
    limits = ["--overall-time-limit", f"{seconds:.0f}s", "--overall-memory-limit", "4G"]
    return timed([sys.executable, str(planner()), *limits, *before, *files, *more])


def timed(command: list[str]) -> tuple[float, str]:
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        return time.perf_counter() - begin, done.stdout


def cost(text: str) -> str:
    """What a plan costs, of either program; "–" without one."""
    patterns = (r"Plan cost: (\d+)", r"cost (\d+)", r"^(\d+) steps?")
    found = [one for pattern in patterns for one in re.findall(pattern, text, re.MULTILINE)]
    return found[0] if found else "–"


def row(name: str, files: list[str], seconds: float) -> None:
    limits = ("--max-seconds", f"{seconds:g}", "--max-memory", "4GB")
    first = ours(files, "--max-states", "1", "--strategy", "breadth_first")[0]
    translated = theirs(files, seconds, before=("--translate",))[0]
    best = ours(files, *limits)
    own = ours(files, *limits, "--strategy", "astar", "--heuristic", "lmcut")
    lmcut = theirs(files, seconds, "--search", "astar(lmcut())")
    soon = ours(files, *limits, "--any")
    lama = theirs(files, seconds, before=("--alias", "lama-first"))
    proved = "shortest" in best[1] or "cheapest" in best[1]
    costs = [cost(best[1]) if proved else "–", cost(lmcut[1])]
    assert "–" in costs or costs[0] == costs[1], (name, costs)
    found = [f"{took:.2f}: {cost(text)}" for took, text in (best, own, lmcut, soon, lama)]
    print("|", " | ".join([name, f"{first:.2f}", f"{translated:.2f}", *found]), "|", flush=True)


def main(folder: str, seconds: float = 30) -> None:
    print(
        "| task | first state | translator | cheapest | lmcut, ours | lmcut | any | LAMA, first |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as drawn:
        for name, texts in DRAWN.items():
            files = [str(Path(drawn, one)) for one in ("domain.pddl", "problem.pddl")]
            for file, text in zip(files, texts, strict=True):
                Path(file).write_text(text)
            row(name, files, seconds)
    for place in sorted(Path(folder).iterdir()):
        tasks = [one for one in sorted(place.glob("*.pddl")) if one.name != "domain.pddl"]
        for task in tasks:
            row(place.name, [str(place / "domain.pddl"), str(task)], seconds)


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
