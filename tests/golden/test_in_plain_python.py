"""Known numbers, and boards of our own, by loops in plain Python that share no code with rewrite.

These loops are the source of what nobody has published in number_games_and_two_grids.toml, and the
gallery is held against them: Rush Hour with walls, sliding tiles of any size, Hyperjump with any
last digit.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

from puzzles import eight_puzzle, hyperjump, rush_hour, sliding_tiles
from rewrite import Puzzle, search
from tests.golden.facts import read


def steps_and_states(
    start: str, successors: Callable[[str], Iterator[str]], solved: Callable[[str], bool]
) -> tuple[int | None, int]:
    """The least moves to a solved board (None: there is none), and how many boards there are."""
    depth = {start: 0}
    for board in (queue := [start]):
        for new in successors(board):
            if new not in depth:
                depth[new] = depth[board] + 1
                queue.append(new)
    return min((moves for board, moves in depth.items() if solved(board)), default=None), len(depth)


def found(puzzle: Puzzle) -> tuple[int | None, int]:
    """The same by searches."""
    assert puzzle.goal is not None
    path = search(puzzle).path
    all_of_it = search(puzzle, goal=puzzle.goal & ~puzzle.goal, strategy="breadth_first")
    assert all_of_it.status == "exhausted"
    return None if path is None else len(path), all_of_it.states


# -- Rush Hour ------------------------------------------------------------------------------------


def traffic(seed: int, red: str) -> str:
    """A board of 36 signs, with walls and eight other cars at most."""
    chance, cells = random.Random(seed), ["o"] * 36
    cells[12] = cells[13] = red
    for _ in range(chance.randint(1, 2)):
        cells[chance.choice([i for i in range(36) if cells[i] == "o"])] = "x"
    for name in "BCDEFGHI":
        step, length = chance.choice([1, 6]), chance.choice([2, 2, 3])
        row, column = chance.randrange(6), chance.randrange(6)
        places = [6 * row + column + i * step for i in range(length)]
        end = (row if step == 6 else column) + length
        if end <= 6 and all(cells[p] == "o" for p in places) and (step == 6 or row != 2):
            for place in places:
                cells[place] = name
    return "".join(cells)


def slides(board: str) -> Iterator[str]:
    """Every board that one car leads to, by any distance."""
    for name in sorted({*board} - {"o", "x"}):
        at = [i for i in range(36) if board[i] == name]
        step = at[1] - at[0]
        for way in (step, -step):
            moved = at
            while True:
                moved = [i + way for i in moved]
                inside = all(0 <= i < 36 for i in moved) and (
                    step == 6 or {i // 6 for i in moved} == {at[0] // 6}
                )
                if not inside or any(board[i] not in ("o", name) for i in moved):
                    break
                yield "".join(
                    name if i in moved else "o" if i in at else sign for i, sign in enumerate(board)
                )


@pytest.mark.parametrize("seed", range(8))
def test_rush_hour_with_walls(seed: int) -> None:
    red = "AXZK"[seed % 4]
    board = traffic(seed, red)
    assert "x" in board
    expected = steps_and_states(board, slides, lambda b: b[16] == b[17] == red)
    assert found(rush_hour.instance(board)) == expected


def test_boards_of_rush_hour_are_with_and_without_an_answer() -> None:
    answers = {search(rush_hour.instance(traffic(seed, "A"))).status for seed in range(8)}
    assert answers == {"found", "exhausted"}


# -- sliding tiles --------------------------------------------------------------------------------


def tiles_slid(width: int) -> Callable[[str], Iterator[str]]:
    """Every board that one slide leads to; tiles are letters, @ is the empty cell."""

    def slid(board: str) -> Iterator[str]:
        blank = board.index("@")
        for cell, tile in enumerate(board):
            row, column = abs(cell // width - blank // width), abs(cell % width - blank % width)
            if row + column == 1:
                yield board.replace(tile, "?").replace("@", tile).replace("?", "@")

    return slid


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 3), (4, 1), (7, 1), (4, 2)])
@pytest.mark.parametrize("blank", ["first", "last"])
def test_sliding_tiles_of_other_sizes(width: int, height: int, blank: str) -> None:
    numbers = [*range(width * height)]
    random.Random(width).shuffle(numbers)
    start = "".join(chr(ord("@") + number) for number in numbers)
    ordered = "".join(sorted(start))
    goal = ordered if blank == "first" else ordered[1:] + "@"
    expected = steps_and_states(start, tiles_slid(width), lambda board: board == goal)
    said = " ".join(map(str, numbers))
    assert found(sliding_tiles.instance(f"{width}x{height}", said, f"blank={blank}")) == expected


def test_a_square_of_nine_is_the_eight_puzzle() -> None:
    assert sliding_tiles.instance("8 6 7", "2 5 4", "3 0 1") == eight_puzzle.instance("867254301")


# -- Hyperjump ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("loose", "last"), [("4421385", "7"), ("824615", "0"), ("9984", "1")])
def test_hyperjump_with_another_last_digit(loose: str, last: str) -> None:
    result = search(hyperjump.instance(*loose, f"last={last}"), solutions=None)
    chains = {"".join(map(str, hyperjump.digits(path))) for path in result.paths}
    assert chains == {chain for chain, _ in in_hyperjump(loose, last) if chain.endswith(last)}
    assert any(len(chain) > 3 for chain in chains)


# -- number games ---------------------------------------------------------------------------------

FACTS = read("number_games_and_two_grids")
Pool = tuple[int, ...]
Results = Callable[[int, int], list[int]]


def in_digitle(small: int, large: int) -> list[int]:
    """What two numbers make in Digitle: whole numbers above zero."""
    return [
        large + small,
        large * small,
        *([large - small] if large > small else []),
        *([large // small] if large % small == 0 else []),
    ]


def in_digits(small: int, large: int) -> list[int]:
    """What two numbers make in Digits: whole numbers, zero too."""
    quotients = [a // b for a, b in ((small, large), (large, small)) if b and a % b == 0]
    return [large + small, large * small, large - small, *quotients]


def levels(numbers: list[int], results: Results) -> list[set[Pool]]:
    """The pools of numbers at each distance from the start, breadth first."""
    start = tuple(sorted(numbers))
    seen, found = {start}, [{start}]
    while found[-1]:
        found.append(set())
        for pool in found[-2]:
            for i, j in combinations(range(len(pool)), 2):
                rest = pool[:i] + pool[i + 1 : j] + pool[j + 1 :]
                for result in results(pool[i], pool[j]):
                    new = tuple(sorted((*rest, result)))
                    if new not in seen:
                        seen.add(new)
                        found[-1].add(new)
    return found[:-1]


def first(found: list[set[Pool]], wanted: Callable[[Pool], bool]) -> int:
    """The distance to the nearest pool that is wanted."""
    return next(depth for depth, pools in enumerate(found) if any(map(wanted, pools)))


def test_digitle() -> None:
    fact = FACTS["digitle"]
    found = levels([75, 4, 7, 9, 8, 2], in_digitle)
    everything = set().union(*found)
    assert [len(pools) for pools in found] == fact["levels"]
    assert len(everything) == fact["states"]
    assert first(found, lambda pool: 793 in pool) == fact["steps"]
    assert first(found, lambda pool: pool == (793,)) == fact["hard_steps"]
    assert sum(pool == (793,) for pool in everything) == fact["hard_goals"]
    near = fact["almost_steps"]
    assert first(found, lambda pool: any(abs(n - 793) <= 10 for n in pool)) == near
    missed = min(abs(n - fact["unreachable"]) for pool in everything for n in pool)
    assert missed == fact["nearest_distance"]


def test_digits() -> None:
    fact = FACTS["digits"]
    found = levels([5, 7, 11, 13, 19, 23], in_digits)
    assert [len(pools) for pools in found] == fact["levels"]
    assert sum(fact["levels"]) == fact["states"]
    assert first(found, lambda pool: 469 in pool) == fact["steps"]
    sevens = set().union(*levels([7, 7, 7], in_digits))
    assert sorted({n for pool in sevens for n in pool}) == fact["equal_numbers"]


def chain_values(left: int, rest: Pool) -> set[int]:
    """What a number makes where each step uses the result before it and one given number."""
    made = {left}
    for i, number in enumerate(rest):
        for result in in_digits(*sorted((left, number))):
            made |= chain_values(result, rest[:i] + rest[i + 1 :])
    return made


def test_digits_needs_two_branches_for_a_target_that_no_chain_makes() -> None:
    fact = FACTS["digits"]["two_branches"]
    numbers = tuple(fact["numbers"])
    chains = [chain_values(n, numbers[:i] + numbers[i + 1 :]) for i, n in enumerate(numbers)]
    assert fact["target"] not in set().union(*chains)
    found = levels(fact["numbers"], in_digits)
    assert first(found, lambda pool: fact["target"] in pool) == fact["steps"]


def next_digits(chain: str) -> set[str]:
    """The last digits of what the end of a chain of two or more makes in Hyperjump."""
    x, y = int(chain[-2]), int(chain[-1])
    results = {x + y, x * y}
    for at in range(len(chain) - 1):
        joined = int(chain[at:-1])
        results |= {joined - y} if joined > y else set()
        results |= {joined // y} if y and joined % y == 0 else set()
    return {str(result % 10) for result in results}


@pytest.mark.parametrize(
    ("loose", "name"), [("44731185", "hyperjump"), ("18187437", "hyperjump_18187437")]
)
def test_hyperjump(loose: str, name: str) -> None:
    fact = FACTS[name]
    seen = in_hyperjump(loose, "9")
    lengths = Counter(len(chain) - 1 for chain, _ in seen if chain.endswith("9"))
    assert [lengths[length] for length in range(1, 9)] == fact["by_length"]
    assert sum(lengths.values()) == fact["chains"]
    assert len(seen) == fact["states"]


def in_hyperjump(loose: str, last: str) -> set[tuple[str, str]]:
    """Each chain that can be made, with the digits that are left, sorted."""
    seen = {("", "".join(sorted(loose + last)))}
    for chain, left in (queue := list(seen)):
        for digit in set(left) & next_digits(chain) if len(chain) > 1 else ():
            new = chain + digit, left.replace(digit, "", 1)
            if new not in seen:
                seen.add(new)
                queue.append(new)
        if not chain:  # the first two digits are free
            for x in left:
                for y in (rest := left.replace(x, "", 1)):
                    new = x + y, rest.replace(y, "", 1)
                    if new not in seen:
                        seen.add(new)
                        queue.append(new)
    return seen


@pytest.mark.parametrize(
    ("start", "times", "cells", "rings", "states"), FACTS["power_strike"]["rings"]
)
def test_power_strike(start: int, times: int, cells: int, rings: int, states: int) -> None:
    ways = Counter({start: 1})  # the number in a cell -> how many ways lead to it
    seen = 1
    for _ in range(cells):
        following: Counter[int] = Counter()
        for number, count in ways.items():
            text = str(number)
            struck = {int("0" + text[:at] + text[at + 1 :]) for at in range(len(text))} - {0}
            for new in {number * times, *struck}:
                following[new] += count
        ways = following
        seen += len(ways)
    assert (ways[start], seen) == (rings, states)
