"""Whole spaces by the definition of the rules, and what a search owes to them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import frozen

from rewrite.language import meaning
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.outcome.result import Result
from rewrite.search.strategies import STRATEGIES
from tests.property.strategies import begun

STATES = 150


@frozen
class Twin:
    """A whole space by the definition: the successors of each state, the goals, the distances."""

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

    def least(self) -> dict[State, int]:
        """The least cost of a way from each state to a goal, by trying all steps over and over."""
        known = dict.fromkeys(self.goals, 0)
        for _ in self.after:
            for (state, to), cost in self.costs.items():
                if to in known:
                    known[state] = min(known[to] + cost, known.get(state, known[to] + cost))
        return known

    def cheapest(self, start: State) -> int | None:
        return self.least().get(start)

    def ways(self, state: State) -> Iterator[list[State]]:
        """All shortest paths from a state to a goal."""
        if state in self.goals:
            yield [state]
        for one in self.after[state]:
            if self.left.get(one) == self.left[state] - 1:
                yield from ([state, *way] for way in self.ways(one))


def twin(puzzle: Puzzle, most: int = STATES) -> Twin | None:
    """The space of a puzzle; None where it has more states."""
    after: dict[State, list[State]] = {}
    costs: dict[tuple[State, State], int] = {}
    waiting = [begun(puzzle)]
    while waiting:
        state = waiting.pop(0)
        if state not in after:
            for way in meaning.successors(puzzle, state):
                step = state, way.after
                costs[step] = min(way.cost, costs.get(step, way.cost))
            after[state] = [to for origin, to in costs if origin == state]
            waiting += after[state]
            if len(after) > most:
                return None
    goal = puzzle.goal
    goals = {one for one in after if goal is not None and meaning.is_goal(puzzle, one, goal)}
    left = dict.fromkeys(goals, 0)
    for depth in range(1, len(after) + 1):
        found = {
            s for s, ways in after.items() if s not in left and not left.keys().isdisjoint(ways)
        }
        left |= dict.fromkeys(found, depth)
    return Twin(after, costs, goals, left)


def levels(puzzle: Puzzle, depth: int, start: State | None = None) -> list[list[State]]:
    """The states of each level, up to a depth."""
    found = [[begun(puzzle) if start is None else start]]
    seen = {*found[0]}
    while len(found) <= depth:
        made = [way.after for state in found[-1] for way in meaning.successors(puzzle, state)]
        fresh = [state for state in dict.fromkeys(made) if state not in seen]
        if not fresh:
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
