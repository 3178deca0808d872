"""`python -m tests.benchmarks.calls`: what a whole call costs, not its search alone.

    rush-hour     calls with all labels read, against a loop in plain Python (boards are drawn from
                  a seed, or read from a file of `moves board states` lines: --boards FILE)
    second        a search again, and from another start: what is outside the search
    each          a search for every set of digits of Hyperjump, and for every hand of the 24 game
    sokoban       compiling an empty room of 262 cells with three boxes
    countdown     which targets each of the 13,243 selections of Countdown makes: minutes, so that
                  it runs only when it is named, as does the next
    rings         the 19,440 rings of Power Strike, and the time to read the states of all

CPU seconds. Contestants take turns board by board, and must find the same numbers of moves.
"""

import random
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations_with_replacement
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click

from puzzles import PUZZLES, sokoban
from puzzles.rush_hour import board as puzzle_of
from puzzles.twenty_four import Num, twenty_four
from rewrite import RewriteWarning, search
from rewrite.compile import encoding
from rewrite.compile.task import Task
from rewrite.engine.build import build
from tests.benchmarks.spaces import countdown, declared, hyperjump_of, nothing, selections
from tests.benchmarks.spaces import sets_of_digits as sets

SEED, BOARDS, LEAST = 7, 30, 8
WORKERS = 2
TARGETS = 899  # 101 to 999
SOLVABLE = 10_858_746
SECOND: dict[str, Any] = {"water_jugs": None, "digitle": [3, 6, 7, 8, 25, 50], "eight_puzzle": None}
"""Puzzles, each with another start; None: a step on from its own."""
ALLOWED = 1.0
"""Milliseconds outside a search."""


# -- Rush Hour -------------------------------------------------------------------------------
def by_hand(board: str) -> int | None:
    """The least number of moves, as one writes it in ten minutes; None where there is no way."""
    cells: dict[str, list[int]] = {}
    for at, sign in enumerate(board):
        if sign not in "ox":
            cells.setdefault(sign, []).append(at)
    names = sorted(cells)
    steps = [1 if cells[name][1] - cells[name][0] == 1 else 6 for name in names]
    sizes = [len(cells[name]) for name in names]
    walls = [at for at, sign in enumerate(board) if sign == "x"]
    red = names.index("A")
    start = tuple([cells[name][0] for name in names])
    goal = start[red] // 6 * 6 + 6 - sizes[red]

    def moves(state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        full = bytearray(36)
        for wall in walls:
            full[wall] = 1
        for at, step, size in zip(state, steps, sizes, strict=True):
            for part in range(size):
                full[at + part * step] = 1
        for car, (at, step, size) in enumerate(zip(state, steps, sizes, strict=True)):
            place, last = (at % 6, at) if step == 1 else (at // 6, at)
            for _ in range(6 - size - place):
                if full[last + size * step]:
                    break
                last += step
                yield (*state[:car], last, *state[car + 1 :])
            last = at
            for _ in range(place):
                if full[last - step]:
                    break
                last -= step
                yield (*state[:car], last, *state[car + 1 :])

    seen, level, depth = {start}, [start], 0
    while level:
        if any(state[red] == goal for state in level):
            return depth
        depth += 1
        following = []
        for state in level:
            for after in moves(state):
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        level = following
    return None


def drawn_boards() -> Iterator[str]:
    """Boards with a way of at least LEAST moves, always the same ones."""
    chance, found = random.Random(SEED), 0
    while found < BOARDS:
        red = 12 + chance.randrange(3)
        board = ["o"] * 36
        board[red] = board[red + 1] = "A"
        for name in "BCDEFGHIJKLM"[: chance.randint(8, 12)]:
            step, size = chance.choice((1, 6)), chance.choice((2, 2, 2, 3))
            for _ in range(20):
                row, column = chance.randrange(6), chance.randrange(6)
                last = (column if step == 1 else row) + size - 1
                cells = [6 * row + column + part * step for part in range(size)]
                if (
                    last < 6
                    and all(board[cell] == "o" for cell in cells)
                    and (step == 6 or row != 2)
                ):
                    for cell in cells:
                        board[cell] = name
                    break
        text = "".join(board)
        moves = by_hand(text)
        if moves is not None and moves >= LEAST:
            found += 1
            yield text


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    begin = time.process_time()
    return call(), time.process_time() - begin


def rush_hour(boards: list[str]) -> str:
    plain = called = read = 0.0
    steps = 0
    for board in boards:
        moves, seconds = timed(lambda board=board: by_hand(board))  # type: ignore[misc]
        plain += seconds
        puzzle = puzzle_of(board, "A")
        result, seconds = timed(lambda puzzle=puzzle: search(puzzle))  # type: ignore[misc]
        called += seconds
        assert result.path is not None
        assert len(result.path) == moves, board
        _, seconds = timed(lambda path=result.path: [step.label for step in path])  # type: ignore[misc]
        read += seconds
        steps += moves
    return (
        f"{len(boards)} boards: plain {plain:.2f} s, calls {called:.2f} s, labels {read:.2f} s "
        f"({1000 * read / steps:.2f} ms a step): {(called + read) / plain:.2f} of plain's time"
    )


# -- searches of puzzles that are kept -------------------------------------------------------
def second() -> str:
    """What is outside the search, the first time, again, and from another start."""
    rows = []
    for name, other in SECOND.items():
        puzzle = PUZZLES[name]()
        path = search(puzzle).path
        assert path is not None
        starts = {"first": puzzle.start, "again": puzzle.start, "moved": other or path.states[1]}
        times: dict[str, list[float]] = {"first": [], "again": [], "moved": []}
        for _ in range(15):
            encoding.forget()
            for what, start in starts.items():
                moved = puzzle.replace(start=start)
                # limits that are reached at once: nothing is left but what is around the search
                result, seconds = timed(lambda moved=moved: search(moved, max_states=1))  # type: ignore[misc]
                assert result.limit == "max_states", result
                times[what].append(1000 * seconds)
        first, again, moved_ = (statistics.median(one) for one in times.values())
        rows.append(
            f"{name}: first {first:.2f} ms, again {again:.2f} ms, from another start {moved_:.2f} "
            f"ms (at most {ALLOWED:.0f} ms)"
        )
    return "\n".join(rows)


def each() -> str:
    """Every set of digits of Hyperjump, and every hand of the 24 game."""
    goal = nothing()
    results, seconds = timed(lambda: [search(hyperjump_of(one), goal=goal) for one in sets()])
    states = sum(one.states for one in results)
    assert states == 612_153, states
    inside = sum(one.seconds for one in results)
    told = f"Hyperjump: {len(results):,} searches, {states:,} states: {seconds:.1f} s"
    told += f", {inside:.1f} s inside the searches"
    hands = [
        [Num(card, 1) for card in hand] for hand in combinations_with_replacement(range(1, 14), 4)
    ]
    results, seconds = timed(lambda: [search(twenty_four, hand) for hand in hands])
    solved = sum(map(bool, results))
    assert (len(hands), solved) == (1_820, 1_362)
    return f"{told}\nthe 24 game: {len(hands):,} hands, {solved:,} with an answer: {seconds:.1f} s"


def sokoban_room() -> str:
    """Compiling a large room, from nothing."""
    width, height = 18, 17
    room = [["#"] * width] + [["#", *" " * (width - 2), "#"] for _ in range(height - 2)]
    room += [["#"] * width]
    for (row, column), sign in {
        (2, 2): "@", (3, 3): "$", (4, 6): "$", (6, 5): "$", (1, 1): ".", (1, 2): ".", (1, 3): ".",
    }.items():  # fmt: skip
        room[row][column] = sign
    puzzle = sokoban.level("\n".join(map("".join, room)))
    assert puzzle.start is not None
    task = Task(puzzle, puzzle.start, puzzle.goal)
    times = []
    for _ in range(5):
        encoding.forget()
        engine, seconds = timed(lambda: build(task))
        times.append(seconds)
        assert "bits" in engine.encoding
    return f"Sokoban, {engine.encoding}: {statistics.median(times):.2f} s"


# -- what takes minutes -----------------------------------------------------------------------
def solvable(numbers: tuple[int, ...]) -> tuple[int, int]:
    """How many targets these numbers make, and how many states were searched for it."""
    result = search(countdown, list(numbers), solutions=None)
    assert result.status == "exhausted", result
    return len(result.paths), result.states


def every_countdown() -> str:
    """Every target of every selection, on two processes."""
    begin = time.perf_counter()
    context = get_context("spawn")
    with ProcessPoolExecutor(
        WORKERS,
        mp_context=context,
        initializer=quiet,
        max_tasks_per_child=1,  # new processes: what a search leaves behind does not add up
    ) as processes:
        found = list(processes.map(solvable, selections(), chunksize=200))
    seconds = time.perf_counter() - begin
    targets, states = sum(each for each, _ in found), sum(each for _, each in found)
    assert targets == SOLVABLE, f"{targets:,} solvable, not {SOLVABLE:,}"
    return (
        f"{len(found):,} selections, {targets:,} of {TARGETS * len(found):,} targets, {states:,} "
        f"states: {seconds:.0f} s on {WORKERS} processes"
    )


def rings() -> str:
    """All rings of Power Strike, with and without their states."""
    puzzle = declared("power_strike", ("41", "×7", "14"))
    begin = time.process_time()
    result = search(puzzle, solutions=None, distinct="paths")
    searched = time.process_time()
    length = sum(len(path.states) for path in result.paths)
    read = time.process_time()
    return (
        f"{len(result.paths):,} rings in {searched - begin:.2f} s CPU; reading the states of all, "
        f"{length:,}: {read - searched:.2f} s"
    )


def quiet() -> None:
    """No warnings about rules that small searches never needed."""
    warnings.simplefilter("ignore", RewriteWarning)


RUNS: dict[str, Callable[[], str]] = {"second": second, "each": each, "sokoban": sokoban_room}
BY_HAND: dict[str, Callable[[], str]] = {"countdown": every_countdown, "rings": rings}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(["rush-hour", *RUNS, *BY_HAND]))
@click.option("--boards", type=click.Path(exists=True, path_type=Path))
def main(names: tuple[str, ...], boards: Path | None) -> None:
    quiet()
    for name in names or ["rush-hour", *RUNS]:
        if name == "rush-hour":
            lines = [] if boards is None else boards.read_text("utf-8").splitlines()
            given = [line.split()[1] for line in lines if line.strip()]
            print(rush_hour(given or list(drawn_boards())))
        else:
            print({**RUNS, **BY_HAND}[name]())


if __name__ == "__main__":
    main()
