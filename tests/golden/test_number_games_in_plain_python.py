"""The numbers in number_games_and_two_grids.toml, counted by loops that share no code with rewrite.

These loops are the source of what nobody has published: the rules of each game are written here a
second time, in plain Python, over sorted tuples and strings.
"""

import tomllib
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

FACTS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("number_games_and_two_grids.toml").read_text("utf-8")
)
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
