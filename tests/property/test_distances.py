"""A table of distances is what breadth-first search by the definition finds."""

from itertools import combinations
from typing import Any

import networkx
from hypothesis import given, note
from hypothesis import strategies as st

from rewrite import Puzzle, distances, ints, rule
from tests.engines import ENGINES, natively, quiet
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import levels
from tests.property.strategies import puzzles
from tests.property.tuple_puzzles import tuple_puzzles
from tests.property.walking_puzzles import walking_puzzles
from tests.terms import At

pytestmark = quiet

V = ints("V")
FREE = board_puzzles().map(lambda puzzle: puzzle.replace(never=[]))
WALKS = walking_puzzles(forbids=True)


@given(st.one_of(board_puzzles(), FREE, puzzles(), WALKS, tuple_puzzles()), st.integers(0, 4))
def test_distances_are_those_of_the_definition_on_both_engines(puzzle: Puzzle, depth: int) -> None:
    expected = levels(puzzle, depth)
    for engine in ENGINES:
        found = distances(puzzle, engine=engine, max_depth=depth)
        note(f"{engine}, {found.encoding}: {found!r}")
        assert found.levels == [len(level) for level in expected]
        for number, level in enumerate(expected):
            assert {found.distance(state) for state in level} == {number}
        assert found.farthest() == sorted(expected[-1])
        paths = [found.path(state) for state in expected[-1][:3]]
        assert all(len(path.steps) == len(expected) - 1 for path in paths)


@st.composite
def holes(draw: st.DrawFn) -> tuple[Puzzle, set[tuple[int, int]]]:
    """Tiles with a hole among them on the places of a random graph, and its edges."""
    size = draw(st.integers(2, 6))
    pairs = st.sampled_from(list(combinations(range(size), 2)))
    edges = draw(st.sets(pairs, min_size=1, max_size=7))
    tiles = draw(st.permutations(range(size)))
    slides = [
        rule("slide", take=[At(a, 0), At(b, V)], put=[At(a, V), At(b, 0)])
        for one in edges for a, b in (one, one[::-1])
    ]  # fmt: skip
    start = [At(place, tile) for place, tile in enumerate(tiles)]
    return Puzzle(*slides, start=start, name="holes"), edges


@natively
@given(holes(), st.integers(0, 9), st.integers(1, 3))
def test_a_hole_that_alternates_takes_two_bits_and_the_distances_are_those_of_the_definition(
    drawn: tuple[Puzzle, set[tuple[int, int]]], depth: int, threads: int
) -> None:
    puzzle, edges = drawn
    expected = levels(puzzle, depth)
    found = distances(puzzle, threads=threads, max_depth=depth)
    assert found.levels == [len(level) for level in expected]
    for number, level in enumerate(expected):
        assert {found.distance(state) for state in level} == {number}
    assert found.farthest() == sorted(expected[-1])
    graph: Any = networkx.Graph(edges)
    hole = next(one.cell for one in puzzle.start or () if one.value == 0)
    places = networkx.node_connected_component(graph, hole) if hole in graph else ()
    reached = graph.subgraph(places)
    if len(reached) > 2:
        assert ("2 bits" in found.encoding) is networkx.is_bipartite(reached), found.encoding
