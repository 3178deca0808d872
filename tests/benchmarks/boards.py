"""`python -m tests.benchmarks.boards`: boards that people play, each in a process of its own.

`--set korf15 --set rush_hour --set boxoban` (all by default), `--data FOLDER` where the boards are
(`../shared/data` beside the project by default; they are not part of it), `--first N` boards of
each set, `--choice NAME`: `auto`, or a choice that is fixed: breadth_first, bidirectional, astar
(with heuristic="auto"). Prints two tables as Markdown: what each choice takes, and how `auto`
compares with the best fixed choice of each board.

A board has 30 seconds and 4 GB. "Call" is the wall time of `search`, "CPU" its processor time: it
tells more where the machine does other things too. Imports and the declaration are left out. Memory
is the peak of the process, so that imports count.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from attrs import frozen

from puzzles import rush_hour, sokoban
from puzzles.sliding_tiles import Tile, sliding
from rewrite import Puzzle, SearchError, search
from tests.benchmarks import peers_planner
from tests.benchmarks.drawn_levels import level

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
SECONDS, MEMORY = 30, "4GB"
CHOICES: dict[str, dict[str, Any]] = {
    "auto": {},
    "breadth_first": {"strategy": "breadth_first"},
    "bidirectional": {"strategy": "bidirectional"},
    "astar": {"strategy": "astar", "heuristic": "auto"},
}
PLANNER = "Fast Downward, "
PLANNERS = tuple([PLANNER + heuristic for heuristic in peers_planner.HEURISTICS])
WORSE = 2.0
"""How many times the best fixed choice `auto` may take."""
NOISE, ROOM = 0.05, 30.0
"""Seconds, and megabytes, by which a board may differ from run to run."""


@frozen
class Board:
    """A board of a set; `expected`: how many steps an answer takes, where that was published.

    pddl  domain and instance for a planner, where there are such
    """

    name: str
    puzzle: Puzzle
    expected: int | None
    pddl: tuple[str, str] | None = None


@frozen
class Row:
    """What a board took; `problem`: "" where it was solved, and rightly."""

    board: str
    problem: str
    call: float
    cpu: float
    memory: float
    states: int
    strategy: str


def korf15(data: Path) -> Iterator[Board]:
    """Korf's fifteen-puzzles; the empty cell ends in the first place."""
    with (data / "korf15_40.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            tiles = map(int, row["tiles"].split())
            start = [Tile(cell, number) for cell, number in enumerate(tiles)]
            puzzle = sliding(4, 4, "first").replace(start=start)
            # for planners the empty cell ends up last: the board is turned around
            turned = [(16 - int(tile)) % 16 for tile in row["tiles"].split()[::-1]]
            pddl = peers_planner.DOMAIN, peers_planner.problem(turned)
            yield Board(row["instance"], puzzle, int(row["optimal"]), pddl)


def rush_hour_boards(data: Path) -> Iterator[Board]:
    """Boards of 36 letters, each between its least number of moves and that of its states."""
    text = (data / "rush_hour_60.txt").read_text()
    lines = text.splitlines()
    for number, (one, line) in enumerate(zip(rush_hour.levels(text), lines, strict=True), 1):
        yield Board(str(number), one.puzzle(), int(line.split()[0]))


def boxoban(data: Path, *words: str) -> Iterator[Board]:
    """Levels in standard notation; with the word "pushes" only these count."""
    text = (data / "boxoban_hard_20.txt").read_text()
    for number, one in enumerate(sokoban.levels(text, *words), 1):
        pddl = peers_planner.SOKOBAN, peers_planner.sokoban_problem(one.words[len(words) :])
        yield Board(str(number), one.puzzle(), None, pddl if words else None)


def boxoban_pushes(data: Path) -> Iterator[Board]:
    return boxoban(data, "pushes")


def drawn(_: Path) -> Iterator[Board]:
    for boxes, width, height in ((8, 11, 9), (10, 12, 9), (12, 12, 10), (16, 13, 11)):
        for seed in range(4):
            rows = level(seed, width, height, boxes)
            pddl = peers_planner.SOKOBAN, peers_planner.sokoban_problem(rows)
            yield Board(f"{boxes} boxes, {seed}", sokoban.instance("pushes", *rows), None, pddl)


SETS = {
    "korf15": korf15, "rush_hour": rush_hour_boards, "boxoban": boxoban,
    "boxoban_pushes": boxoban_pushes, "drawn": drawn,
}  # fmt: skip


def board_of(data: Path, name: str, number: str) -> Board:
    return next(one for one in SETS[name](data) if one.name == number)


def planned(board: Board, choice: str) -> Row:
    """Let a planner search a board; its translator's time counts."""
    if board.pddl is None:
        return Row(board.name, "no PDDL", 0.0, 0.0, 0.0, 0, choice)
    ran = peers_planner.planned(*board.pddl, choice.removeprefix(PLANNER), SECONDS)
    known = board.expected in (None, ran.moves)
    problem = "" if ran.moves is not None and known else ran.reached or f"{ran.moves} steps"
    peak = (ran.peak or 0) / 2**20
    return Row(board.name, problem, ran.call, ran.call, peak, ran.states or 0, f"cost {ran.cost}")


def solve(board: Board, choice: str) -> Row:
    """Search a board in this process; another search goes before, so that all is imported."""
    if choice.startswith(PLANNER):
        return planned(board, choice)
    search(sokoban.instance(), **CHOICES[choice])
    began, used = time.perf_counter(), time.process_time()
    try:
        result = search(board.puzzle, max_seconds=SECONDS, max_memory=MEMORY, **CHOICES[choice])
    except SearchError as error:
        return Row(board.name, str(error), 0.0, 0.0, 0.0, 0, choice)
    call, cpu = time.perf_counter() - began, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    problem = ""
    if result.path is None:
        problem = result.summary()
    elif not result.optimal or board.expected not in (None, len(result.path)):
        problem = f"{len(result.path)} steps, {board.expected} expected"
    return Row(board.name, problem, call, cpu, peak, result.states, result.strategy)


def apart(data: Path, name: str, number: str, choice: str) -> Row:
    """Search a board in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.boards", "--data", str(data),
               "--one", name, number, choice]  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=4 * SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Row(number, f"not ended after {4 * SECONDS} s", 0.0, 0.0, 0.0, 0, choice)
    if done.returncode:
        return Row(number, f"failed: {done.stderr.strip()[-200:]}", 0.0, 0.0, 0.0, 0, choice)
    return Row(**json.loads(done.stdout))


def figures(name: str, choice: str, rows: Sequence[Row]) -> str:
    solved = [row for row in rows if not row.problem]
    if not solved:
        return f"| {name} | {choice} | 0 of {len(rows)} | – | – | – | – | – | – |"
    calls, cpu = [row.call for row in solved], [row.cpu for row in solved]
    memory, states = max(row.memory for row in solved), median([row.states for row in solved])
    return (
        f"| {name} | {choice} | {len(solved)} of {len(rows)} | {median(calls):.3f} s | "
        f"{max(calls):.3f} s | {median(cpu):.3f} s | {max(cpu):.3f} s | {memory:,.0f} MB | "
        f"{int(states):,} |"
    )


def worst(name: str, by_choice: dict[str, list[Row]]) -> Iterator[str]:
    """Yield how `auto` compares with the best fixed choice, where it takes longest beside it."""
    fixed = [choice for choice in by_choice if choice in CHOICES and choice != "auto"]
    for what, slack in (("call", NOISE), ("cpu", NOISE), ("memory", ROOM)):
        ratios = []
        for at, row in enumerate(by_choice["auto"]):
            others = [by_choice[one][at] for one in fixed if not by_choice[one][at].problem]
            if others:
                best = min(getattr(one, what) for one in others)
                ratio = getattr(row, what) / (best + slack) if not row.problem else float("inf")
                ratios.append((ratio, row.board, row.strategy))
        if ratios:
            ratio, board, strategy = max(ratios)
            above = sum(one[0] > WORSE for one in ratios)
            yield (
                f"| {name} | {what} | {ratio:.1f} | {board} ({strategy}) | {above} of "
                f"{len(ratios)} |"
            )


def report(data: Path, sets: Sequence[str], choices: Sequence[str], first: int | None) -> None:
    found: dict[str, dict[str, list[Row]]] = {}
    for name in sets:
        names = [board.name for board in SETS[name](data)][:first]
        found[name] = {one: [] for one in choices}
        for number in names:
            for choice in choices:
                row = apart(data, name, number, choice)
                found[name][choice].append(row)
                took = f"{row.call:.2f} s ({row.cpu:.2f} of CPU), {row.memory:,.0f} MB"
                told = row.problem or f"{took}, {row.states:,} states"
                print(f"{name} {number} {choice}: {told} ({row.strategy})", file=sys.stderr)
    print("| set | choice | solved | median call | max call | median CPU | max CPU | max memory | "
          "median states |")  # fmt: skip
    print(f"| {'--- | ' * 9}".rstrip())
    for name, by_choice in found.items():
        for choice, rows in by_choice.items():
            print(figures(name, choice, rows))
    if "auto" in choices and len(choices) > 1:
        print(f"\n| set | `auto` by the best fixed choice | worst | board | above {WORSE:.0f} |")
        print("| --- | --- | --- | --- | --- |")
        for name, by_choice in found.items():
            for line in worst(name, by_choice):
                print(line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--set", action="append", choices=SETS, dest="sets")
    parser.add_argument("--choice", action="append", choices=[*CHOICES, *PLANNERS], dest="choices")
    parser.add_argument("--first", type=int)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.data.is_dir():
        parser.error(f"no boards in {given.data}: give --data, the folder where they are")
    if given.one:
        name, number, choice = given.one
        row = solve(board_of(given.data, name, number), choice)
        print(json.dumps({one: getattr(row, one) for one in Row.__annotations__}))
    else:
        report(given.data, given.sets or [*SETS], given.choices or [*CHOICES], given.first)


if __name__ == "__main__":
    main()
