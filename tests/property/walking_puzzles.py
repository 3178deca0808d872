"""Small random puzzles with free moves, and what they cost by a search with steps of cost 0.

One or two walkers stand on cells that are joined by ways. Walking along a way is free where no
block is in it; blocks are pushed, carried off, and put down. Some ways lead in one direction only,
so that some free moves cannot be taken back. Some free moves change nothing, and some counted steps
(jumps) lead where a free move leads, too.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from rewrite import Condition, Puzzle, Rule, State, contains, ints, lacks, rule, term
from tests.property.by_definition import Twin, small


@term
class Walker:
    name: int
    cell: int


@term
class Block:
    cell: int


@term
class Hole:
    cell: int


@term
class Hands:
    full: int


@term
class Way:
    here: int
    there: int


@term
class Line:
    here: int
    next: int
    beyond: int


N, X, Y, Z = ints("N X Y Z")


def rules(costs: tuple[int, int, int], avoids: bool) -> dict[str, Rule]:
    """All rules; avoids: whether walkers and blocks keep out of each other's cells."""
    others = [Walker(1 - N, Y)] if avoids else []
    walk = rule(
        f"{N}: {X}-{Y}", name="walk", free=True, keep=[Way(X, Y)], absent=[Block(Y), *others],
        take=[Walker(N, X)], put=[Walker(N, Y)],
    )  # fmt: skip
    push = rule(
        f"{N} pushes {Y}-{Z}", name="push", keep=[Line(X, Y, Z)],
        absent=[Block(Z), *([Walker(1 - N, Z)] if avoids else [])],
        take=[Walker(N, X), Block(Y)], put=[Walker(N, Y), Block(Z)], cost=costs[0],
    )  # fmt: skip
    lift = rule(
        f"{N} lifts {Y}", name="lift", keep=[Way(X, Y), Walker(N, X)],
        take=[Block(Y), Hands(0)], put=[Hands(1)], cost=costs[1],
    )  # fmt: skip
    drop = rule(
        f"{N} drops {Y}", name="drop", keep=[Way(X, Y), Walker(N, X)],
        absent=[Block(Y), *others],
        take=[Hands(1)], put=[Hands(0), Block(Y)], cost=costs[2],
    )  # fmt: skip
    jump = rule(
        f"{N} jumps", name="jump", keep=[Way(X, Y)], absent=[Block(Y)],
        take=[Walker(N, X)], put=[Walker(N, Y)], cost=2,
    )  # fmt: skip
    stay = rule(f"{N} stays", name="stay", free=True, take=[Walker(N, X)], put=[Walker(N, X)])
    swap = rule(
        "swap", free=True, keep=[Hands(1)], take=[Walker(0, X), Walker(1, Y)],
        put=[Walker(1, Y), Walker(0, X)],
    )  # fmt: skip
    wave = rule("wave", free=True, absent=[Block(0)], take=[Hands(X)], put=[Hands(X)])
    return {one.name: one for one in (walk, push, lift, drop, jump, stay, swap, wave)}


STILL = ("stay", "swap", "wave")
"""Free rules that change nothing."""


@st.composite
def walking_puzzles(draw: st.DrawFn, forbids: bool = False) -> Puzzle:
    """A puzzle of at most five cells. `forbids`: perhaps with `never`."""
    size = draw(st.integers(3, 5))
    cells = range(size)
    line = [(cell, cell + 1) for cell in range(size - 1)]
    more = draw(st.lists(st.tuples(st.sampled_from(cells), st.sampled_from(cells)), max_size=3))
    ways = {one for one in (*line, *more) if one[0] != one[1]}
    both = draw(st.integers(0, 9)) > 0
    ways |= {(there, here) for here, there in ways if both or draw(st.booleans())}
    lines = [(a, b, c) for a, b in sorted(ways) for d, c in sorted(ways) if b == d and a != c]
    costs = draw(st.sampled_from([(1, 1, 1), (1, 1, 1), (2, 0, 1), (3, 1, 0)]))
    avoids = draw(st.integers(0, 3)) > 0
    every = rules(costs, avoids)
    names = draw(st.sets(st.sampled_from(["push", "lift", "drop", "jump"]), min_size=1))
    free = draw(st.sets(st.sampled_from(STILL)))
    free |= {"walk"} if not free or draw(st.integers(0, 9)) else set()
    chosen = [every[name] for name in sorted(free | names)]
    places = draw(st.permutations(list(cells)))
    walkers = draw(st.integers(1, 2))
    blocks = draw(st.integers(0, min(3, size - walkers)))
    start: list[Any] = [Walker(number, places[number]) for number in range(walkers)]
    start += [Block(cell) for cell in places[walkers : walkers + blocks]]
    start += [Hands(draw(st.integers(0, 1)))]
    facts: list[Any] = [Way(*one) for one in sorted(ways)] + [Line(*one) for one in lines]
    facts.extend(Hole(cell) for cell in cells if draw(st.booleans()))
    never: list[Condition] = [contains(Walker(1, draw(st.integers(0, size - 1))))]
    never += [contains(Walker(N, X), Block(X)), contains(Block(X), Hands(1))]
    forbidden = draw(st.lists(st.sampled_from(never), max_size=1)) if forbids else []
    return Puzzle(chosen, facts=facts, start=start, goal=_goal(draw, size), never=forbidden)


def _goal(draw: st.DrawFn, size: int) -> Condition:
    cell = draw(st.integers(0, size - 1))
    goals: list[Condition] = [
        contains(Walker(0, cell)),
        contains(Block(cell)),
        lacks(Block(X), absent=Hole(X)),
        lacks(Block(X), absent=Hole(X)) & contains(Walker(0, cell)),
        contains(Block(cell), Block(draw(st.integers(0, size - 1)))),
        lacks(Block(X)),
        contains(Walker(N, X), Block(X)),
    ]
    return draw(st.sampled_from(goals))


@frozen
class Known:
    """What a plain search knows: the least cost, and whether some free move has no way back."""

    cost: int | None
    stuck: bool
    classes: int
    """How many classes there are, where every move can be taken back."""
    after_a_step: int | None
    """The least cost of a way with a counted step."""


def known(puzzle: Puzzle) -> Known:
    """Search all states by the definition; an example with too many is set aside."""
    space = small(puzzle, 120)
    left, after = space.least(), dict[State, int]()
    for _ in space.ways:
        for state, ways in space.ways.items():
            rest = [(way, after if way.rule.free else left) for way in ways]
            costs = [way.cost + costs[way.after] for way, costs in rest if way.after in costs]
            if costs:
                after[state] = min(costs)
    walks = {state: _walked(space, state) for state in space.ways}
    stuck = any(walks[state] != walks[other] for state in walks for other in walks[state])
    start = space.start
    return Known(left.get(start), stuck, len({*walks.values()}), after.get(start))


def _walked(space: Twin, state: State) -> frozenset[State]:
    seen = [state]
    for one in seen:
        free = {way.after: None for way in space.ways[one] if way.rule.free}
        seen += [after for after in free if after not in seen]
    return frozenset(seen)
