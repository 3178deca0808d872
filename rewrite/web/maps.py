"""The map: the space around a position as a graph, with the way walked and the way to a goal."""

from __future__ import annotations

from collections import deque
from typing import Any

from attrs import evolve

from rewrite.drawing.graph import Graph
from rewrite.language.states import State
from rewrite.outcome.space import Space
from rewrite.search.tasks.explore import explore
from rewrite.views.pictures import drawn_or_told
from rewrite.web.positions import Instance, Position

MOST_STATES, NEAREST = 150, 50
"""States of a map of the whole space; and where that is larger, of one of what is nearest."""
LONGEST = 10.0
"""Seconds after which a map shows what there is."""
MOST_PICTURES = 60
"""Beyond so many states they are numbers that say what they are when pointed at."""


def map_of(instance: Instance, here: Position) -> dict[str, Any]:
    """Return the map of a position: a picture, and what it shows in words. Raises RewriteError.

    The whole space from the start where that is small, else what is nearest to the position.
    """
    start = here.way()[0].state
    space = explore(instance.puzzle, start, max_states=MOST_STATES, max_seconds=LONGEST)
    if not space.complete:
        space = _nearest(
            explore(instance.puzzle, here.state, max_states=NEAREST, max_seconds=LONGEST)
        )
    with instance.lock:
        return {
            "picture": str(_graph(instance, here, space).svg(style=False)),
            "text": _text(space, instance.has_costs),
        }


def _nearest(space: Space) -> Space:
    """Return the first states of a space: a search looks at its limits now and then only."""
    if len(space) <= NEAREST:
        return space
    return evolve(
        space,
        states=space.states[:NEAREST],
        level=space.level[:NEAREST],
        edges=[edge for edge in space.edges if max(edge) < NEAREST],
        complete=False,
    )


def _graph(instance: Instance, here: Position, space: Space) -> Graph:
    numbers = {state: number for number, state in enumerate(space.states)}
    goals = {numbers[state] for state in space.states if instance.told_goal(state)}
    current = numbers[here.state]
    walked = [numbers[one.state] for one in here.way() if one.state in numbers]
    texts = [_said(instance, state) for state in space.states]
    few = len(space) <= MOST_PICTURES
    pictures = [drawn_or_told(instance.puzzle, one) for one in space.states] if few else []
    return Graph(
        depths=space.level,
        links=space.edges,
        said=texts,
        pictures=pictures,
        start=0 if space.complete else None,
        goals=goals,
        dead=_dead(space, goals),
        current=current,
        walked=walked,
        shortest=_shortest(space, current, goals),
    )


def _said(instance: Instance, state: State) -> str:
    """Return a state in words, as far as a view manages that."""
    said = drawn_or_told(instance.puzzle, state).said
    return said or str(state)


def _dead(space: Space, goals: set[int]) -> set[int]:
    """Return the states from which no goal is reached: none is said to be where it is not known."""
    if not space.complete or not goals:
        return set()
    before: dict[int, list[int]] = {}
    for source, target in space.edges:
        before.setdefault(target, []).append(source)
    alive, todo = set(goals), [*goals]
    while todo:
        for one in before.get(todo.pop(), ()):
            if one not in alive:
                alive.add(one)
                todo.append(one)
    return set(range(len(space))) - alive


def _shortest(space: Space, current: int, goals: set[int]) -> list[int]:
    """Return the states of a way of the fewest steps to a goal on the map, or none."""
    after: dict[int, list[int]] = {}
    for source, target in space.edges:
        after.setdefault(source, []).append(target)
    came = {current: current}
    todo = deque([current])
    while todo:
        here = todo.popleft()
        if here in goals:
            way = [here]
            while way[-1] != current:
                way.append(came[way[-1]])
            return way[::-1]
        for one in after.get(here, ()):
            if one not in came:
                came[one] = here
                todo.append(one)
    return []


def _text(space: Space, costs: bool) -> str:
    best = "a way of the fewest steps, whatever they cost," if costs else "a shortest way"
    ways = f"Dashed: the way walked. Green: {best} to a goal."
    if space.complete:
        return f"All {len(space):,} states. {ways}"
    return f"The space is larger: the {len(space):,} states nearest to here. {ways}"
