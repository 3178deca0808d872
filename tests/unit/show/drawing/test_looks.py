"""Looks: colours, words for shapes, outlines of cells, and texts that fit."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.errors import ViewError
from rewrite.show.drawing.looks import ALONE as DRAWN_ALONE
from rewrite.show.drawing.looks import JOINED as DRAWN_JOINED
from rewrite.show.drawing.looks import Cell, look_of, outline
from rewrite.show.drawing.palette import (
    ALONE,
    CYCLE,
    JOINED,
    NAMED,
    PATTERNS,
    SIGNS,
    Style,
    contrast,
    numbered,
    paint_of,
    painted,
    style_of,
)
from rewrite.show.drawing.tags import fitted, width_of


@pytest.mark.parametrize("colour", NAMED)
def test_the_ink_on_every_paint_has_the_contrast_that_small_text_needs(colour: str) -> None:
    paint = painted(colour)
    assert contrast(paint.fill, paint.ink) >= 4.5


@pytest.mark.parametrize("written", [str, lambda index: chr(65 + index)])
def test_32_numbers_or_letters_in_a_row_differ_in_colour_or_pattern(
    written: Callable[[int], str],
) -> None:
    assert (
        len({paint_of(written(index)) for index in range(32)}) == len(CYCLE) * len(PATTERNS) == 32
    )


def test_the_name_of_a_colour_is_painted_so() -> None:
    assert paint_of("red") == painted("red")


def test_colours_that_stand_for_something_else_are_left_out() -> None:
    found = {numbered(index, but={"red", "sky"}) for index in range(24)}
    assert len(found) == 24
    assert {NAMED["red"], NAMED["sky"]}.isdisjoint({paint.fill for paint in found})
    assert numbered(3, but=CYCLE) == numbered(3)


@pytest.mark.parametrize(
    ("words", "style"),
    [
        ("red car", Style("car", "red")),
        ("car red", Style("car", "red")),
        ("target", Style("target")),
        ("white", Style("tile", "white")),
        ("blank", Style("blank")),
    ],
)
def test_words_are_a_shape_and_a_colour_in_any_order(words: str, style: Style) -> None:
    assert style_of(words) == style


@pytest.mark.parametrize("words", ["", "rde car", "red blue", "car box", "Red", None, 7, ("car",)])
def test_other_words_are_refused_with_those_that_are_known(words: object) -> None:
    with pytest.raises(ViewError, match=r"shapes are tile, car, .*, blank, and the colours orange"):
        style_of(words)


def test_every_shape_is_drawn() -> None:
    assert tuple(DRAWN_JOINED) == JOINED
    assert tuple(DRAWN_ALONE) == ALONE
    assert set(SIGNS.values()) <= {*JOINED, *ALONE}


@pytest.mark.parametrize("shape", [*JOINED, *ALONE])
def test_a_shape_has_the_same_look_each_time_and_no_markup_of_its_text(shape: str) -> None:
    style, cells = Style(shape, "red"), ((0, 0), (0, 1), (1, 0))
    assert look_of(style, "<b>", cells) == look_of(style, "<b>", cells)
    assert "<b>" not in look_of(style, "<b>", cells).svg


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


@pytest.mark.parametrize("text", ["7", "12345", "a" * 50, "漢字漢字漢字", "🙂" * 9])
@pytest.mark.parametrize("width", [12, 30, 80])
def test_a_text_fits_or_is_cut(text: str, width: float) -> None:
    shown, size = fitted(text, width, 19)
    assert width_of(shown, size) <= width + 1e-9 or len(shown) == 1
    assert size <= 19
    assert shown == text or shown.endswith("…")
