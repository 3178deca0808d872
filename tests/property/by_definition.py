"""Whole spaces by the definition of the rules, and what a search owes to them."""

from collections.abc import Iterator
from itertools import pairwise
from math import inf
from typing import Any

from attrs import frozen
from hypothesis import assume, note

from rewrite import STRATEGIES, Puzzle, Result, RewriteError, State, explore
from rewrite.language import meaning
from tests.property.strategies import begun

STATES = 150
Ways = dict[State, list[meaning.RuleApplication]]


def first_states(puzzle: Puzzle, most: int, depth: int | None = None) -> Ways:
    """The first so many states breadth first, within so many steps, with all that applies."""
    ways: Ways = {}
    level, steps = [begun(puzzle)], 0
    while level and (depth is None or steps < depth):
        following: list[State] = []
        for state in level:
            if state not in ways:
                if len(ways) == most:
                    return ways
                ways[state] = meaning.successors(puzzle, state)
                following += [way.after for way in ways[state]]
        level, steps = following, steps + 1
    return ways


@frozen
class Twin:
    """A whole space by the definition: the successors of each state, the goals, the distances."""

    ways: Ways
    after: dict[State, list[State]]
    costs: dict[tuple[State, State], int]
    goals: set[State]
    left: dict[State, int]

    @property
    def levels(self) -> list[int]:
        steps = list(self.left.values())
        return [steps.count(depth) for depth in range(max(steps, default=-1) + 1)]

    def others(self, state: State) -> list[State]:
        return [one for one in self.after[state] if one != state]

    @property
    def start(self) -> State:
        return next(iter(self.after))

    def least(self, known: dict[State, int] | None = None) -> dict[State, int]:
        """The least cost of a way from each state to a goal, by trying all steps over and over."""
        known = dict.fromkeys(self.goals, 0) if known is None else known
        for _ in self.after:
            for (state, to), cost in self.costs.items():
                if to in known:
                    known[state] = min(known[to] + cost, known.get(state, known[to] + cost))
        return known

    def steps(self, start: State) -> dict[State, int]:
        """The least number of steps from a state to each other."""
        known, level = {start: 0}, [start]
        while level:
            after = {one: known[state] + 1 for state in level for one in self.after[state]}
            level = [one for one in after if one not in known]
            known = after | known
        return known

    def cheapest(self, start: State) -> int | None:
        return self.least().get(start)

    def paths(self, state: State) -> Iterator[list[State]]:
        """All shortest paths from a state to a goal."""
        if state in self.goals:
            yield [state]
        for one in self.after[state]:
            if self.left.get(one) == self.left[state] - 1:
                yield from ([state, *path] for path in self.paths(one))


def twin(puzzle: Puzzle, most: int = STATES) -> Twin | None:
    """The space of a puzzle; None where it has more states."""
    ways = first_states(puzzle, most + 1)
    if len(ways) > most:
        return None
    costs: dict[tuple[State, State], int] = {}
    for state, applied in ways.items():
        for way in applied:
            step = state, way.after
            costs[step] = min(way.cost, costs.get(step, way.cost))
    after = {state: list(dict.fromkeys(way.after for way in ways[state])) for state in ways}
    goal = puzzle.goal
    goals = {one for one in after if goal is not None and meaning.is_goal(puzzle, one, goal)}
    left = dict.fromkeys(goals, 0)
    for depth in range(1, len(after) + 1):
        found = {s for s, tos in after.items() if s not in left and not left.keys().isdisjoint(tos)}
        left |= dict.fromkeys(found, depth)
    return Twin(ways, after, costs, goals, left)


def assume_few(puzzle: Puzzle, most: int = STATES) -> None:
    """Set aside what `small` would, but ask an engine, where few examples need the definition."""
    try:
        few = explore(puzzle.replace(goal=None), max_states=most + 1)
    except RewriteError:
        few = None
    assume(few is not None and few.complete and len(few.states) <= most)


def small(puzzle: Puzzle, most: int = STATES) -> Twin:
    """The space of a puzzle; an example with more states is set aside, or one that fails."""
    note(f"{puzzle.rules}, start={puzzle.start}, goal={puzzle.goal}, {puzzle.facts}")
    try:
        space = twin(puzzle, most)
    except RewriteError:
        space = None
    assume(space is not None)
    assert space is not None
    return space


def levels(
    puzzle: Puzzle, depth: int, start: State | None = None, most: float = inf
) -> list[list[State]]:
    """The states of each level, up to a depth, as long as all levels have at most so many."""
    found = [[begun(puzzle) if start is None else start]]
    seen = {*found[0]}
    while len(found) <= depth:
        made = [way.after for state in found[-1] for way in meaning.successors(puzzle, state)]
        fresh = [state for state in dict.fromkeys(made) if state not in seen]
        if not fresh or len(seen) + len(fresh) > most:
            break
        seen.update(fresh)
        found.append(fresh)
    return found


def judge(result: Result, space: Twin, given: dict[str, Any]) -> None:
    """Hold a search on against the space; `given`: what was asked beside the puzzle."""
    start = space.start
    for path in result.paths:
        assert path.start == start
        assert path.end in space.goals or "minimize" in given
        assert all(to in space.after[state] for state, to in pairwise(path.states))
    if result.limit is not None:
        return
    if result.status == "exhausted" and result.swept == "states":
        fewer = result.ruled_out or "up to symmetry" in str(result.notes)
        assert result.states <= len(space.after) if fewer else result.states == len(space.after)
    if "minimize" in given or given.get("min_depth"):
        return  # the state of the least value is an answer, too; and the nearest goal is none
    assert bool(result.paths) == (start in space.left)
    promised = isinstance(given.get("heuristic", ""), str)  # else nobody knows what it is worth
    if result.optimal and result.path is not None and promised:
        if STRATEGIES[result.strategy].cheapest:
            assert result.path.cost == space.cheapest(start)
        else:
            assert len(result.path) == space.left[start]
