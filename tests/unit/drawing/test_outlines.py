"""The outline of cells that belong together."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.drawing.looks import Cell, outline

cells = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1)


def area(path: str) -> float:
    """What the straight paths of a `d` enclose; holes, which run the other way, are taken off."""
    total = 0.0
    for loop in re.findall("M[^Z]*Z", path):
        points = [tuple(map(float, pair.split())) for pair in re.split("[ML]", loop[1:-1])]
        around = zip(points, [*points[1:], points[0]], strict=True)
        total += sum(x * v - u * y for (x, y), (u, v) in around) / 2
    return total


@given(cells)
def test_an_outline_encloses_exactly_its_cells(found: set[Cell]) -> None:
    assert area(outline(found, 10, 20)) == pytest.approx(200 * len(found))


def test_an_inset_runs_inside_of_the_corners_of_an_l() -> None:
    path = outline([(0, 0), (1, 0), (1, 1)], 10, 10, inset=1)
    assert path == "M1 1L9 1L9 11L19 11L19 19L1 19Z"
