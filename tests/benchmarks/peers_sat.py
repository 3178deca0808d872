"""The two grids as a planning problem in clauses, for the SAT solvers of python-sat.

Asked for exactly 0, 1, 2, … moves, each time anew, until there is an answer; so a plan of k moves
is proved shortest by what was refuted before. `python -m tests.benchmarks.peers_sat 526844…` is the
process that the benchmark watches: a line for each k, as JSON.

The encoding, with what made it faster: each cell holds one digit at each time, each time has one
move; a move says where each cell's digit comes from (as an equivalence: frame axioms and effects in
one). Two moves in a row must not undo each other or amount to a single move, and two that touch no
cell in common come in one order only: this refutes 8 moves in a quarter of the time. A goal line
holds one of the triples of sum 15. CaDiCaL 1.9.5 and 1.5.3 take the same time, Glucose 4 twice it.
"""

import importlib
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from pathlib import Path

import click

from puzzles.two_grids import COLUMNS, LINES, ROWS
from tests.benchmarks.contests import Contestant, Ran
from tests.benchmarks.measure import memory

NAME = "python-sat, CaDiCaL 1.9.5"
SOLVER = "cadical195"
CELLS = range(18)
Move = tuple[int, ...]
"""By cell: the cell whose digit comes there."""
Clauses = list[list[int]]


def moves() -> list[Move]:
    """Every row and column, turned either way."""
    lines = [cells[::way] for cells in (*ROWS, *COLUMNS) for way in (1, -1)]
    return [
        tuple(line[line.index(cell) - 1] if cell in line else cell for cell in CELLS)
        for line in lines
    ]


MOVES = moves()


def needless() -> list[tuple[int, int]]:
    """Pairs of moves in a row that no shortest plan needs: see above."""
    stay = tuple(CELLS)
    found = []
    for (i, one), (j, two) in product(enumerate(MOVES), repeat=2):
        both = tuple(one[two[cell]] for cell in CELLS)
        apart = all(one[cell] == cell or two[cell] == cell for cell in CELLS)
        if both == stay or both in MOVES or (apart and i > j):
            found.append((i, j))
    return found


NEEDLESS = needless()


def encoding(board: Sequence[int], plan: int) -> tuple[Clauses, list[list[int]]]:
    """The clauses of a plan of so many moves, and by time the variables of the moves."""
    digits = sorted(set(board))
    fresh = iter(range(1, sys.maxsize))
    holds = [[{d: next(fresh) for d in digits} for _ in CELLS] for _ in range(plan + 1)]
    moved = [[next(fresh) for _ in MOVES] for _ in range(plan)]
    clauses = [[holds[0][cell][digit]] for cell, digit in enumerate(board)]
    for one_of in [*(list(cell.values()) for at in holds for cell in at), *moved]:
        clauses += [one_of, *([-a, -b] for a, b in combinations(one_of, 2))]
    for at, variables in enumerate(moved):
        for variable, move in zip(variables, MOVES, strict=True):
            for cell, digit in product(CELLS, digits):
                before, after = holds[at][move[cell]][digit], holds[at + 1][cell][digit]
                clauses += [[-variable, -before, after], [-variable, before, -after]]
    for first, second in pairwise(moved):
        clauses += [[-first[i], -second[j]] for i, j in NEEDLESS]
    for line in LINES:
        triples = [each for each in product(digits, repeat=3) if sum(each) == 15]
        chosen = [next(fresh) for _ in triples]
        clauses.append(chosen)
        cells = (line.first, line.second, line.third)
        for variable, triple in zip(chosen, triples, strict=True):
            for cell, digit in zip(cells, triple, strict=True):
                clauses.append([-variable, holds[plan][cell][digit]])
    return clauses, moved


def solves(board: Sequence[int], plan: Sequence[int]) -> bool:
    now = list(board)
    for move in plan:
        now = [now[cell] for cell in MOVES[move]]
    return all(now[line.first] + now[line.second] + now[line.third] == 15 for line in LINES)


def answers(board: Sequence[int]) -> Iterator[dict[str, object]]:
    """For each number of moves, until there is a plan: whether there is one, and what it took."""
    solver = importlib.import_module("pysat.solvers").Solver
    begin, inside, plan = time.perf_counter(), 0.0, 0
    found = False
    while not found:
        clauses, moved = encoding(board, plan)
        before = time.perf_counter()
        with solver(name=SOLVER, bootstrap_with=clauses) as one:
            found = one.solve()
            inside += time.perf_counter() - before
            true = set(one.get_model() or ()) if found else set()
        now = time.perf_counter()
        steps = [step for at in moved for step, variable in enumerate(at) if variable in true]
        assert not found or solves(board, steps), f"the solver's plan {steps} solves nothing"
        yield {
            "moves": plan, "found": found, "search": inside, "call": now - begin,
            "peak": memory("VmHWM"),
        }  # fmt: skip
        plan += 1


def shortest(digits: str, limit: float) -> Ran:
    """What the solver comes to within so many seconds, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.peers_sat", digits]
    process = subprocess.Popen(
        command, cwd=Path(__file__).parents[2], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        said, complaint = process.communicate(timeout=limit)
        if process.returncode:
            raise AssertionError(f"{command} failed: {complaint}")
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
    finally:
        process.kill()
    return read(said, limit)


def read(said: str, limit: float) -> Ran:
    """The lines of the process as a run; without a plan, what was refuted before the limit."""
    lines = [json.loads(line) for line in said.splitlines()]
    if not lines:
        return Ran(None, None, limit, None, reached=f"stopped after {limit:g} s")
    last = lines[-1]
    if last["found"]:
        return Ran(last["moves"], last["search"], last["call"], last["peak"])
    done = f"{last['moves']} refuted after {last['call']:.0f} s"
    return Ran(None, None, limit, last["peak"], reached=f"{done}, stopped after {limit:g} s")


def peer(digits: str, limit: float) -> Contestant:
    missing = importlib.util.find_spec("pysat") is None
    absent = "not installed: pip install python-sat" if missing else None
    return Contestant(NAME, lambda: shortest(digits, limit), absent)


@click.command(help="Solves a board of the two grids, eighteen digits, by SAT.")
@click.argument("digits")
def main(digits: str) -> None:
    for line in answers([int(digit) for digit in digits]):
        click.echo(json.dumps(line))


if __name__ == "__main__":
    main()
