"""Refined partitions are equitable, no finer than they may be, and blind to names."""

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rewrite.reasoning.symmetry.refinement import Graph, Partition, Refiner, Trace


@st.composite
def graphs(draw: st.DrawFn, most: int = 12) -> Graph:
    count = draw(st.integers(1, most))
    vertex = st.integers(0, count - 1)
    colours = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    return Graph.of(
        colours, draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 1)), max_size=2 * count))
    )


def refined(graph: Graph) -> tuple[Partition, Trace]:
    partition = Partition(graph.colours)
    cells = [cell for cell, size in enumerate(partition.size) if size]
    trace = Refiner(graph).refine(partition, cells)
    assert trace is not None
    return partition, trace


def by_definition(graph: Graph) -> list[int]:
    """Return a class for each vertex: by colour, then by those of neighbours, until stable."""
    classes = list(graph.colours)
    while True:
        seen: list[object] = []
        for vertex in range(len(classes)):
            to = Counter((label, classes[other]) for other, label in graph.edges[vertex])
            back = Counter(
                (label, classes[source])
                for source, row in enumerate(graph.edges)
                for other, label in row
                if other == vertex
            )
            seen.append((classes[vertex], sorted(to.items()), sorted(back.items())))
        numbered = [seen.index(one) for one in seen]
        if len(set(numbered)) == len(set(classes)):
            return numbered
        classes = numbered


def renamed(graph: Graph, names: list[int]) -> Graph:
    colours = [0] * len(names)
    for vertex, colour in enumerate(graph.colours):
        colours[names[vertex]] = colour
    return Graph.of(
        colours,
        [
            (names[vertex], names[other], label)
            for vertex, row in enumerate(graph.edges)
            for other, label in row
        ],
    )


@given(graphs())
@example(Graph.of([0, 0, 1, 1, 1], [(1, 3, 0), (1, 2, 0)]))  # a cell is split while it waits
def test_refinement_finds_the_classes_of_the_definition(graph: Graph) -> None:
    partition, _ = refined(graph)
    classes = by_definition(graph)
    pairs = set(zip(partition.cell, classes, strict=True))
    assert len(pairs) == len(set(partition.cell)) == len(set(classes)) == partition.cells


@given(graphs())
def test_cells_places_and_sizes_say_the_same(graph: Graph) -> None:
    partition, _ = refined(graph)
    assert [partition.vertices[at] for at in partition.place] == list(range(len(graph.colours)))
    for vertex, cell in enumerate(partition.cell):
        assert vertex in partition.members(cell)
    assert sum(partition.size) == len(graph.colours)


@given(st.data(), graphs())
def test_names_change_neither_the_trace_nor_the_cell_of_a_vertex(
    data: st.DataObject, graph: Graph
) -> None:
    names = data.draw(st.permutations(range(len(graph.colours))))
    (first, trace), (second, again) = refined(graph), refined(renamed(graph, names))
    assert trace == again
    assert first.cell == [second.cell[name] for name in names]


def test_refinement_stops_where_another_graph_was_expected() -> None:
    path, star = [(0, 1, 0), (1, 2, 0), (2, 3, 0)], [(0, 1, 0), (0, 2, 0), (0, 3, 0)]
    _, expected = refined(Graph.of([0] * 4, star))
    partition = Partition([0] * 4)
    assert Refiner(Graph.of([0] * 4, path)).refine(partition, [0], expected) is None
    partition = Partition([0] * 4)
    assert Refiner(Graph.of([0] * 4, star)).refine(partition, [0], expected) == expected
    partition = Partition([0] * 4)
    longer = [*expected, (0,)]
    assert Refiner(Graph.of([0] * 4, star)).refine(partition, [0], longer) is None


def test_repeated_edges_labels_and_directions_are_told_apart() -> None:
    ways = [[(0, 1, 0)], [(1, 0, 0)], [(0, 1, 1)], [(0, 1, 0)] * 2, [(0, 1, 0), (1, 0, 0)]]
    arcs = [(2 * i + a, 2 * i + b, label) for i, way in enumerate(ways) for a, b, label in way]
    partition, _ = refined(Graph.of([0] * 10, arcs))
    cell = partition.cell
    assert cell[0] == cell[3]
    assert cell[1] == cell[2]
    assert cell[8] == cell[9]
    assert partition.cells == 7


def test_the_cell_to_be_split_next_is_the_first_of_the_smallest() -> None:
    assert Partition([0, 0, 0, 1, 2, 2, 3, 3]).target() == 4
    assert Partition([0, 1, 2]).target() is None


def test_a_graph_that_names_no_vertex_of_its_own_is_noticed() -> None:
    with pytest.raises(AssertionError, match="no such vertex"):
        Graph((0, 0), (((2, 0),), ())).check()
    with pytest.raises(AssertionError, match="a row of edges for each vertex"):
        Graph((0, 0), ((),)).check()
