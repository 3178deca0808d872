"""The group found is the group of all permutations that keep colours, edges and labels."""

from collections.abc import Iterable
from itertools import permutations

import pytest
from hypothesis import example, given, note
from hypothesis import strategies as st

from rewrite.analysis.symmetry.automorphisms import Group, Permutation, automorphism_group
from rewrite.analysis.symmetry.refinement import Graph
from rewrite.compile.slots.keys import Unsuitable

Arc = tuple[int, int, int]


def both_ways(edges: Iterable[tuple[int, int]]) -> list[Arc]:
    return [arc for a, b in edges for arc in ((a, b, 0), (b, a, 0))]


def cycle(count: int, first: int = 0) -> list[tuple[int, int]]:
    return [(first + at, first + (at + 1) % count) for at in range(count)]


def keeps(graph: Graph, image: Permutation) -> bool:
    """Say by the definition whether a permutation is an automorphism."""
    moved = [(image[a], image[b], label) for a, b, label in graph.arcs]
    same = all(graph.colours[vertex] == graph.colours[to] for vertex, to in enumerate(image))
    return same and sorted(moved) == sorted(graph.arcs)


def found(count: int, arcs: Iterable[Arc]) -> Group:
    """Return the group of a graph of one colour, once all generators were seen to keep it."""
    graph = Graph([0] * count, [*arcs])
    group = automorphism_group(graph)
    assert all(keeps(graph, one) for one in group.generators)
    return group


def shrikhande_and_rook() -> tuple[list[Arc], list[Arc]]:
    """Return two graphs of 16 vertices that refinement cannot tell apart, nor with one fixed."""
    cells = [(a, b) for a in range(4) for b in range(4)]
    steps = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
    first, second = [], []
    for i, (a, b) in enumerate(cells):
        for j, (c, d) in enumerate(cells):
            if ((a - c) % 4, (b - d) % 4) in steps:
                first.append((i, j, 0))
            if i != j and (a == c or b == d):
                second.append((i, j, 0))
    return first, second


PETERSEN = [
    *cycle(5),
    *[(5 + at, 5 + (at + 2) % 5) for at in range(5)],
    *[(a, a + 5) for a in range(5)],
]
CUBE = [(a, a ^ bit) for a in range(8) for bit in (1, 2, 4) if a < a ^ bit]
BOARD = [
    (3 * r + c, 3 * s + d)
    for r in range(3)
    for c in range(3)
    for s, d in ((r + 1, c), (r, c + 1))
    if s < 3 and d < 3
]
SHRIKHANDE, ROOK = shrikhande_and_rook()


@pytest.mark.parametrize(
    ("count", "arcs", "order"),
    [
        (10, both_ways(PETERSEN), 120),
        (8, both_ways(CUBE), 48),
        (9, both_ways(BOARD), 8),
        (10, both_ways([*cycle(5), *cycle(5, 5)]), 2 * 10**2),
        (16, SHRIKHANDE, 192),
        (16, ROOK, 1152),
        (32, [*SHRIKHANDE, *[(a + 16, b + 16, 0) for a, b, _ in ROOK]], 192 * 1152),
        (32, [*ROOK, *[(a + 16, b + 16, 0) for a, b, _ in ROOK]], 2 * 1152**2),
    ],
    ids=["Petersen", "cube", "board", "pentagons", "Shrikhande", "rook", "unlike", "alike"],
)
def test_a_known_graph_has_as_many_automorphisms_as_is_known(
    count: int, arcs: list[Arc], order: int
) -> None:
    assert found(count, arcs).order == order


def test_where_the_first_vertex_that_looks_right_fails_others_are_tried() -> None:
    """Two islands, each with both graphs of 16 vertices, that are numbered the other way round."""
    islands = [(0, SHRIKHANDE), (16, ROOK), (32, ROOK), (48, SHRIKHANDE)]
    arcs = [(a + first, b + first, 0) for first, part in islands for a, b, _ in part]
    arcs += [(64 + vertex // 32, vertex, 0) for vertex in range(64)]
    graph = Graph([0] * 64 + [1, 1], arcs)
    assert automorphism_group(graph).order == 2 * (192 * 1152) ** 2


def test_a_search_that_is_too_long_says_so() -> None:
    graph = Graph([0] * 16, SHRIKHANDE)
    text = "takes too long: looking at 50 edges of a graph of 16 vertices was not enough"
    with pytest.raises(Unsuitable, match=text):
        automorphism_group(graph, most_work=50)
    assert automorphism_group(graph, most_work=50_000).order == 192


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 7))
    vertex = st.integers(0, count - 1)
    colours = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    label = st.integers(0, draw(st.integers(0, 1)))
    return Graph(colours, draw(st.lists(st.tuples(vertex, vertex, label), max_size=14)))


@given(small_graphs())
@example(Graph([0] * 7, [(0, 1, 0), (0, 1, 0), (2, 3, 0), (3, 2, 0), (4, 4, 0), (5, 6, 1)]))
def test_the_group_is_what_trying_all_permutations_finds(graph: Graph) -> None:
    group = automorphism_group(graph)
    every = {one for one in permutations(range(len(graph.colours))) if keeps(graph, one)}
    elements = group.subgroup(5_040, len(graph.colours))
    note(f"missing {every - set(elements)}, invented {set(elements) - every}")
    assert set(elements) == every
    assert len(elements) == len(every) == group.order
    assert elements[0] == tuple(range(len(graph.colours)))


def test_a_subgroup_is_the_largest_of_the_chain_that_is_small_enough() -> None:
    group = automorphism_group(Graph([0] * 5, []))
    sizes = {most: len(group.subgroup(most, 5)) for most in (0, 1, 2, 5, 6, 23, 24, 119, 120, 999)}
    assert sizes == {0: 1, 1: 1, 2: 2, 5: 2, 6: 6, 23: 6, 24: 24, 119: 24, 120: 120, 999: 120}
    assert all(one[:2] == (0, 1) for one in group.subgroup(6, 5))


def test_the_elements_may_be_those_of_the_first_vertices_only() -> None:
    group = automorphism_group(Graph([0, 0, 1, 1, 1], [(0, 2, 0), (1, 3, 0)]))
    assert group.subgroup(24, 5) == [(0, 1, 2, 3, 4), (1, 0, 3, 2, 4)]
    assert group.subgroup(24, 2) == [(0, 1), (1, 0)]
