"""The map: the space around a position as a graph, with the path taken and the path to a goal."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from attrs import evolve

from rewrite.play.positions import Instance, Position
from rewrite.results.spaces import Space
from rewrite.search.tasks.explore import explore
from rewrite.show.drawing.graph import Graph
from rewrite.show.views.pictures import drawn_or_told

MOST_STATES, NEAREST = 150, 50
"""The most states in a map of the whole space; in a larger space, the nearest states to show."""
LONGEST = 10.0
"""Seconds after which a map shows what has been found."""
MOST_PICTURES = 60
"""Beyond this, states are numbers whose text appears when pointed at."""


def map_of(instance: Instance, here: Position) -> dict[str, Any]:
    """Return a picture of the whole space, or of the nearest states if it is large; and a text."""
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
    """Return the first states of a space: a search checks its limits only now and then."""
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
    goals = {numbers[state] for state in space.states if instance.is_goal(state)}
    current = numbers[here.state]
    pictures = [drawn_or_told(instance.puzzle, one) for one in space.states]
    towards = _towards(space, goals)
    # no state is called dead if unseen states may lead to a goal
    dead = set(range(len(space))) - {*towards} if space.complete and goals else set()
    return Graph(
        depths=space.level,
        links=space.edges,
        said=[drawn.said or str(one) for drawn, one in zip(pictures, space.states, strict=True)],
        pictures=pictures if len(space) <= MOST_PICTURES else [],
        start=0 if space.complete else None,
        goals=goals,
        dead=dead,
        current=current,
        walked=[numbers[one.state] for one in here.way() if one.state in numbers],
        shortest=_shortest(towards, current),
    )


def _towards(space: Space, goals: set[int]) -> dict[int, int | None]:
    """Return for each state with a path to a goal the next state on a shortest one."""
    before: dict[int, list[int]] = defaultdict(list)
    for source, target in space.edges:
        before[target].append(source)
    towards: dict[int, int | None] = dict.fromkeys(sorted(goals))
    todo = deque(towards)
    while todo:
        here = todo.popleft()
        for one in before[here]:
            if one not in towards:
                towards[one] = here
                todo.append(one)
    return towards


def _shortest(towards: dict[int, int | None], current: int | None) -> list[int]:
    way = []
    while current in towards:
        way.append(current)
        current = towards[current]
    return way


def _text(space: Space, costs: bool) -> str:
    best = "a way of the fewest steps, whatever they cost," if costs else "a shortest way"
    ways = f"Dashed: the way walked. Green: {best} to a goal."
    if space.complete:
        return f"All {len(space):,} states. {ways}"
    return f"The space is larger: the {len(space):,} states nearest to here. {ways}"
