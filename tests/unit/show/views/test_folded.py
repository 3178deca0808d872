"""A net that is folded to a cube: which sticker is where."""

import math
import re

import pytest

from rewrite import State, ViewError, grid, ints, strs
from rewrite.show.drawing.drawing import Drawing, outlined
from rewrite.show.views.cells import View

P, C = ints("P"), strs("C")
CUBE = grid(8, (P, C), empty=" ", folded=True)
NET = """
  ab
  cd
efghijkl
mnopqrst
  uv
  wx
"""
STICKERS = [
    (8 * row + column, sign)
    for row, line in enumerate(NET.strip("\n").split("\n"))
    for column, sign in enumerate(line)
    if sign != " "
]


def drawing(*terms: object) -> Drawing:
    assert isinstance(CUBE, View)
    return CUBE.drawing(State(terms))


def middles(drawing: Drawing) -> dict[str, tuple[float, float]]:
    """The middle of each sticker."""
    return {
        mark.terms[0][1]: (mark.x + mark.look.width / 2, mark.y + mark.look.height / 2)
        for mark in drawing.marks
        if mark.terms
    }


def test_three_faces_are_seen_from_the_front_and_three_from_behind() -> None:
    found = middles(drawing(*STICKERS))
    assert len(found) == 24
    half = drawing().width / 2
    assert {sign for sign, (x, _) in found.items() if x < half} == {*"abcdghopijqr"}
    assert min(found, key=lambda sign: found[sign][1]) == "a"
    assert max(found, key=lambda sign: found[sign][1]) == "v"


@pytest.mark.parametrize("edge", ["cg", "dh", "di", "bj", "hi", "pq", "kb", "le", "tm", "mw", "sx"])
def test_stickers_that_share_an_edge_are_beside_each_other_where_both_are_seen(edge: str) -> None:
    found = middles(drawing(*STICKERS))
    one, other = edge[0], edge[1]
    both = {found[one][0] < drawing().width / 2, found[other][0] < drawing().width / 2}
    assert (math.dist(found[one], found[other]) < 41) == (len(both) == 1)


def test_stickers_of_a_face_have_one_look_by_colour_and_an_outline_of_their_own() -> None:
    _, *marks = drawing((2, "W"), (3, "W"), (10, "W"), (18, "W")).marks
    assert len({mark.look for mark in marks[:3]}) == 1
    assert marks[3].look != marks[0].look
    assert "<path" in outlined(marks[0].look)
    assert len(re.findall("l", marks[0].look.edge or "")) == 3


def test_a_blank_is_no_sticker() -> None:
    assert len(drawing((2, "W"), (3, ".")).marks) == 2


def test_the_text_is_the_net() -> None:
    assert [line.replace(" ", "") for line in CUBE(State(STICKERS)).split("\n")] == NET.split()


def test_a_cell_beside_the_net_is_an_error() -> None:
    with pytest.raises(
        ViewError, match=r"folded=True\): 'x' is in row 1, column 1, beside the net"
    ):
        drawing((0, "x"))


def test_a_net_has_four_faces_in_a_row() -> None:
    with pytest.raises(ViewError, match=r"grid\(6, …, folded=True\): four faces in a row"):
        grid(6, (P, C), folded=True)
