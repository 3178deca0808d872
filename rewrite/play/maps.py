"""The map: the space around a position as a graph, with the path taken and the path to a goal."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from attrs import evolve

from rewrite.errors import SearchError
from rewrite.play.positions import Instance, Position
from rewrite.results.spaces import Space
from rewrite.search.tasks.explore import explore
from rewrite.show.drawing.graph import Graph
from rewrite.show.views.pictures import drawn_or_told

FEWEST, MOST_STATES = 150, 2_000
"""The most states in a map: where the page asks for no number, and at all. Of a larger space, it
shows a third as many, the nearest ones."""
LONGEST = 0.5
"""Seconds after which a map shows what has been found."""
MOST_PICTURES = 60
"""Beyond this, states are numbers whose text appears when pointed at."""


def map_of(instance: Instance, here: Position, most: int = 0) -> dict[str, Any]:
    most = min(max(most, FEWEST), MOST_STATES)
    root = here.way()[0]
    space = explore(instance.puzzle, root.state, max_states=most, max_seconds=LONGEST)
    if not space.complete:
        root = here
        near = explore(instance.puzzle, root.state, max_states=most // 3, max_seconds=LONGEST)
        space = _nearest(near, most // 3)
    with instance.lock:
        instance.mapped = root, space
        graph = _graph(instance, here, space)
        return {
            "picture": str(graph.svg(style=False)),
            "text": _text(space, instance.has_costs, len(graph.shortest) > 1),
            "nodes": len(space),
        }


def way_to(instance: Instance, here: Position, node: int) -> list[Any]:
    with instance.lock:
        root, space = instance.mapped or (here, None)
        if space is None or not 0 <= node < len(space):
            raise SearchError("The map is not that of this game any more: open it again.")
        level = space.level
        before = {b: a for a, b in reversed(space.edges) if level[b] == level[a] + 1}
        way = [node]
        while way[-1]:
            way.append(before[way[-1]])
        end = root
        for number in reversed(way[:-1]):
            following = instance.entered(end, space.states[number])
            assert following is not None
            end = following
        return end.played()


def _nearest(space: Space, most: int) -> Space:
    """Return the first states of a space: a search checks its limits only now and then."""
    if len(space) <= most:
        return space
    return evolve(
        space,
        states=space.states[:most],
        level=space.level[:most],
        edges=[edge for edge in space.edges if max(edge) < most],
        complete=False,
    )


def _graph(instance: Instance, here: Position, space: Space) -> Graph:
    numbers = {state: number for number, state in enumerate(space.states)}
    goals = {numbers[state] for state in space.states if instance.is_goal(state)}
    current = numbers[here.state]
    few = space.states if len(space) <= MOST_PICTURES else []
    pictures = [drawn_or_told(instance.puzzle, one) for one in few]
    towards = _towards(space, goals)
    # no state is called dead if unseen states may lead to a goal
    dead = set(range(len(space))) - {*towards} if space.complete and goals else set()
    return Graph(
        depths=space.level,
        links=space.edges,
        said=[drawn.said for drawn in pictures] or [str(one) for one in space.states],
        pictures=pictures,
        start=0 if space.complete else None,
        goals=goals,
        dead=dead,
        current=current,
        walked=[numbers[one.state] for one in here.way() if one.state in numbers],
        shortest=_shortest(towards, current),
    )


def _towards(space: Space, goals: set[int]) -> dict[int, int | None]:
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


def _text(space: Space, costs: bool, leads: bool) -> str:
    best = "a way of the fewest steps, whatever they cost," if costs else "a shortest way"
    ways = "Dashed: the way walked." + (f" Green: {best} to a goal." if leads else "")
    if space.complete:
        return f"All {len(space):,} states. {ways}"
    return f"The space is larger: the {len(space):,} states nearest to here. {ways}"
