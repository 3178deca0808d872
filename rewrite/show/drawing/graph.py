"""A graph of states, layered by depth: nodes for a pointer, links, and coloured paths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from math import hypot
from pathlib import Path

from attrs import frozen

from rewrite.show.drawing.drawing import STYLE, Drawing, panel
from rewrite.show.drawing.sheet import Sheet
from rewrite.show.drawing.tags import Markup, number, tag

STYLE_OF_GRAPHS = Path(__file__).with_name("graph.css").read_text("utf-8")
RADIUS, BOX, ROOM, MARGIN = 13, 84, 16, 14
SWEEPS = 8  # how often nodes are sorted by their neighbours
LARGEST_PICTURE, FLATTEST, MOST_MARKS = 230, 0.4, 80
"""Larger or flatter pictures would not be recognisable at the size of a node."""
Place = tuple[float, float]


@frozen(kw_only=True)
class Graph:
    """States as nodes, numbered from 0, and steps as links.

    depths    the level of each node: levels are side by side, the first on the left
    links     (from, to); two nodes may be linked in both directions
    said      the text of each node, shown when pointed at
    pictures  of each node, or none: nodes are then circles with their numbers
    start     the node with the thick border, or None
    goals, dead  coloured nodes, and grey nodes
    current   the current node, or None
    walked    nodes in the order visited; shortest: the nodes of a shortest path
    """

    depths: Sequence[int]
    links: Sequence[tuple[int, int]]
    said: Sequence[str]
    pictures: Sequence[Drawing] = ()
    start: int | None = 0
    goals: Collection[int] = frozenset()
    dead: Collection[int] = frozenset()
    current: int | None = None
    walked: Sequence[int] = ()
    shortest: Sequence[int] = ()

    def svg(self, *, style: bool = True) -> Markup:
        """Return one `<svg>`, always of the same bytes; nodes are `g.rw-node[data-node]`."""
        sheet = Sheet(self.pictures) if recognisable(self.pictures) else None
        half = BOX / 2 if sheet else RADIUS
        places = _places(self, half)
        return panel(
            # a bent link may leave the panel slightly
            max((x for x, _ in places), default=0) + half + MARGIN,
            max((y for _, y in places), default=0) + half + MARGIN,
            sheet.svg() if sheet else Markup(""),
            *_links(self, places, half, bool(sheet)),
            *(self._node(at, place, sheet) for at, place in enumerate(places)),
            style=STYLE + STYLE_OF_GRAPHS if style else "",
            said=f"graph of {len(places):,} state{'s' * (len(places) != 1)}, by depth",
            kind="rw rw-graph",
        )

    def _node(self, at: int, place: Place, sheet: Sheet | None) -> Markup:
        marks = {
            "start": at == self.start,
            "goal": at in self.goals,
            "dead": at in self.dead,
            "current": at == self.current,
        }
        names = [name for name, holds in marks.items() if holds]
        classes = ["rw-node", *(f"rw-node-{name}" for name in names)]
        if sheet is None:
            shown = (tag("circle", r=RADIUS), tag("text", at, y=4))
        else:
            drawing, side = self.pictures[at], BOX
            small = tag(
                "svg", sheet.inside(at),
                x=-side / 2 + 3, y=-side / 2 + 3, width=side - 6, height=side - 6,
                viewBox=f"0 0 {number(drawing.width)} {number(drawing.height)}",
            )  # fmt: skip
            shown = (tag("rect", x=-side / 2, y=-side / 2, width=side, height=side, rx=8), small)
        kinds = f" ({', '.join(names)})" if names else ""
        title = tag("title", f"{at}{kinds}: {self.said[at]}")
        x, y = map(number, place)
        where = f"translate({x} {y})"
        return tag("g", title, *shown, class_=" ".join(classes), data_node=at, transform=where)


def recognisable(pictures: Sequence[Drawing]) -> bool:
    return bool(pictures) and all(
        max(one.width, one.height) <= LARGEST_PICTURE
        and min(one.width, one.height) >= FLATTEST * max(one.width, one.height)
        and len(one.marks) <= MOST_MARKS
        for one in pictures
    )


def _places(graph: Graph, half: float) -> list[Place]:
    """Return the place of each node: levels side by side, neighbours moved together in sweeps."""
    layers: dict[int, list[int]] = defaultdict(list)
    for node, depth in enumerate(graph.depths):
        layers[depth].append(node)
    near: dict[int, set[int]] = defaultdict(set)
    for a, b in graph.links:
        near[a].add(b)
        near[b].add(a)
    tallest = max(map(len, layers.values()), default=1)
    pitch = 2 * half + ROOM
    row: dict[int, float] = {}

    def stand(depth: int) -> None:
        free = (tallest - len(layers[depth])) / 2
        for place, node in enumerate(layers[depth]):
            row[node] = free + place

    for depth in layers:
        stand(depth)
    for sweep in range(SWEEPS):
        order = sorted(layers, reverse=bool(sweep % 2))
        for depth in order:
            side = depth + 1 if sweep % 2 else depth - 1

            def middle(node: int, side: int = side) -> float:
                rows = [row[one] for one in near[node] if graph.depths[one] == side]
                return sum(rows) / len(rows) if rows else row[node]

            layers[depth].sort(key=lambda node: (middle(node), node))
            stand(depth)
    column = {depth: at for at, depth in enumerate(sorted(layers))}
    wide = pitch + ROOM * 1.5
    return [
        (MARGIN + half + column[depth] * wide, MARGIN + half + row[node] * pitch)
        for node, depth in enumerate(graph.depths)
    ]


def _links(graph: Graph, places: list[Place], half: float, square: bool) -> Iterable[Markup]:
    """Yield the links: first the plain ones, then those of the paths, drawn above them."""
    there = dict.fromkeys(graph.links)
    for a, b in there:
        both = (b, a) in there
        if a != b and not (both and a > b):
            yield from _link(graph, places, (a, b), "rw-link", None if both else half, square)
    for way, name in ((graph.shortest, "shortest"), (graph.walked, "walked")):
        for pair in dict.fromkeys(pairwise(way)):
            yield from _link(graph, places, pair, f"rw-link rw-link-{name}", None, square)


def _link(
    graph: Graph, places: list[Place], link: tuple[int, int], classes: str, half: float | None,
    square: bool,
) -> Iterable[Markup]:  # fmt: skip
    """Yield a link, with an arrowhead if `half`, half the size of a node, is given."""
    (x, y), (p, q) = places[link[0]], places[link[1]]
    apart = abs(graph.depths[link[0]] - graph.depths[link[1]])
    long = hypot(p - x, q - y) or 1
    # straight to the next level; bent within or across levels, to avoid running through nodes
    bend = 0.0 if apart == 1 else min(0.25 * long, 46.0)
    middle = ((x + p) / 2 + bend * abs(q - y) / long, (y + q) / 2 - bend * abs(p - x) / long)
    curve = f"Q{number(middle[0])} {number(middle[1])} " if bend else "L"
    end = f"{number(p)} {number(q)}"
    yield tag("path", d=f"M{number(x)} {number(y)}{curve}{end}", class_=classes)
    if half is not None:
        fromx, fromy = middle if bend else (x, y)
        length = hypot(p - fromx, q - fromy) or 1
        dx, dy = (p - fromx) / length, (q - fromy) / length
        edge = half / max(abs(dx), abs(dy)) if square else half
        tipx, tipy = p - dx * (edge + 2), q - dy * (edge + 2)
        corners = [(tipx, tipy)] + [
            (tipx - 8 * dx + side * dy, tipy - 8 * dy - side * dx) for side in (4, -4)
        ]
        points = " ".join(f"{number(a)},{number(b)}" for a, b in corners)
        yield tag("polygon", points=points, class_="rw-head")
