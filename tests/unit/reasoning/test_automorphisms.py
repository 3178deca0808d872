"""The group found is the group of all permutations that keep colours, edges and labels."""

from collections.abc import Iterable
from itertools import permutations

import pytest
from hypothesis import example, given, note
from hypothesis import strategies as st

from rewrite.reasoning.symmetry.automorphisms import (
    Graph,
    Group,
    Permutation,
    TooLarge,
    automorphism_group,
)

Arc = tuple[int, int, int]


def both_ways(edges: Iterable[tuple[int, int]]) -> list[Arc]:
    return [arc for a, b in edges for arc in ((a, b, 0), (b, a, 0))]


def cycle(count: int, first: int = 0) -> list[tuple[int, int]]:
    return [(first + at, first + (at + 1) % count) for at in range(count)]


def keeps(graph: Graph, permutation: Permutation) -> bool:
    """Say by the definition whether a permutation is an automorphism."""
    return all(
        graph.colours[vertex] == graph.colours[image]
        and sorted((permutation[other], label) for other, label in graph.edges[vertex])
        == sorted(graph.edges[image])
        for vertex, image in enumerate(permutation)
    )


def found(count: int, arcs: Iterable[Arc]) -> Group:
    """Return the group of a graph of one colour, once all generators were seen to keep it."""
    graph = Graph.of([0] * count, arcs)
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
    graph = Graph.of([0] * 64 + [1, 1], arcs)
    assert automorphism_group(graph).order == 2 * (192 * 1152) ** 2


def test_a_search_that_is_too_long_says_so() -> None:
    graph = Graph.of([0] * 16, SHRIKHANDE)
    with pytest.raises(TooLarge) as caught:
        automorphism_group(graph, most_work=50)
    assert str(caught.value) == (
        "the automorphisms of a graph of 16 vertices were to be found by looking at no more than "
        "50 edges, and that was not enough; give a larger most_work, or colour vertices that are "
        "known to differ"
    )
    assert (caught.value.vertices, caught.value.most_work) == (16, 50)
    assert automorphism_group(graph, most_work=50_000).order == 192


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 7))
    vertex = st.integers(0, count - 1)
    colours = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    label = st.integers(0, draw(st.integers(0, 1)))
    return Graph.of(colours, draw(st.lists(st.tuples(vertex, vertex, label), max_size=14)))


@given(small_graphs())
@example(Graph.of([0] * 7, [(0, 1, 0), (0, 1, 0), (2, 3, 0), (3, 2, 0), (4, 4, 0), (5, 6, 1)]))
def test_the_group_is_what_trying_all_permutations_finds(graph: Graph) -> None:
    group = automorphism_group(graph)
    every = {one for one in permutations(range(len(graph.colours))) if keeps(graph, one)}
    elements = group.elements(5_040)
    assert elements is not None
    note(f"missing {every - set(elements)}, invented {set(elements) - every}")
    assert set(elements) == every
    assert len(elements) == len(every) == group.order
    assert elements[0] == tuple(range(len(graph.colours)))
