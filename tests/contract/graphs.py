"""Walks on small graphs, and how a strategy is asked; what is right is found without a search.

Distances by repeated relaxation over the definition of the rules (`meaning.successors`).
"""

import random
from typing import Any

import pytest

from rewrite import STRATEGIES, Condition, Puzzle, Result, State, contains, ints, rule, search, term
from rewrite.language import meaning
from rewrite.search.strategies import Strategy
from tests.engines import natively, start_of

A, B, W, M, N = ints("A B W M N")


@term
class At:
    place: int


@term
class Edge:
    start: int
    end: int
    cost: int


Edges = list[tuple[int, int, int]]


def graph(edges: Edges, start: int = 0) -> Puzzle:
    return Puzzle(
        rule(f"{A} to {B}", take=[At(A)], keep=[Edge(A, B, W)], put=[At(B)], cost=W),
        start=[At(start)],
        facts=[Edge(*edge) for edge in edges],
        name="graph",
    )


def plain(*pairs: tuple[int, int]) -> Puzzle:
    """A walk on a graph whose steps all cost 1."""
    return graph([(a, b, 1) for a, b in pairs]).replace(
        rules=rule(f"{A} to {B}", take=[At(A)], keep=[Edge(A, B, 1)], put=[At(B)])
    )


def seeds(few: int, many: int) -> pytest.MarkDecorator:
    """Mark a test as one for each seed; those from `few` on belong to the long form."""
    long = [pytest.param(seed, marks=pytest.mark.long) for seed in range(few, many)]
    return pytest.mark.parametrize("seed", [*range(few), *long])


def random_graph(seed: int, places: int = 12, weights: int = 1) -> Edges:
    chance = random.Random(seed)
    pairs = [(a, b) for a in range(places) for b in range(places) if a != b]
    return [(a, b, chance.randint(0, weights)) for a, b in chance.sample(pairs, places * 2)]


def distances(puzzle: Puzzle) -> dict[State, tuple[int, int]]:
    """State -> (fewest steps, lowest cost) from the start, by relaxation until nothing changes."""
    known = {start_of(puzzle): (0, 0)}
    changed = True
    while changed:
        changed = False
        for state, (steps, cost) in list(known.items()):
            for way in meaning.successors(puzzle, state):
                old = known.get(way.after, (10**9, 10**9))
                new = (min(old[0], steps + 1), min(old[1], cost + way.cost))
                if new != old:
                    known[way.after], changed = new, True
    return known


FORWARDS = [one for one in STRATEGIES.values() if one.remembers and not one.needs_inverse]
"""Strategies that ask nothing of rules and goal and keep the states that they have seen."""
FORGETFUL = [one for one in STRATEGIES.values() if not one.remembers]
"""Strategies that keep nothing but their path: these count and promise less."""


def each(strategies: list[Strategy]) -> pytest.MarkDecorator:
    """Make a test one for each of these strategies, where there is an engine that has it."""
    return pytest.mark.parametrize("strategy", [
        pytest.param(one, id=one.name, marks=[natively] * one.core_only) for one in strategies
    ])  # fmt: skip


every = each(FORWARDS)
forgetful = each(FORGETFUL)
complete = each([one for one in FORWARDS if one.complete])


def ask(strategy: Strategy, puzzle: Puzzle, goal: Any, **options: Any) -> Result:
    """Search with a heuristic that is always right and says nothing, where one is needed."""
    if strategy.needs_heuristic:
        options.setdefault("heuristic", 0)
    return search(puzzle, None, goal, strategy=strategy.name, **options)


def place(number: int) -> Condition:
    return contains(At(number))


RING = plain(*[(n, (n + 1) % 8) for n in range(8)], *[(n, (n + 3) % 8) for n in range(8)])
LINE = plain(*[(n, n + 1) for n in range(5)])
NOWHERE = place(99)
GROWING = Puzzle(
    rule(f"grow {M}", take=[M], put=[M + 1]),
    rule(f"shrink {M}", take=[M], put=[M - 2]),
    start=[0],
    name="growing",
)
