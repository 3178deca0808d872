"""Looks: colours, words for shapes, outlines of cells, and texts that fit."""

import math
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.errors import ViewError
from rewrite.show.drawing.looks import ALONE, JOINED, Cell, look_of, outline
from rewrite.show.drawing.palette import (
    CYCLE,
    DARK,
    LIGHT,
    NAMED,
    PATTERNS,
    SHAPES,
    SIGNS,
    Style,
    numbered,
    paint_of,
    painted,
    style_of,
)
from rewrite.show.drawing.tags import fitted, width_of


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb (WCAG 2.2), from 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2.2), from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", NAMED)
def test_the_ink_on_every_paint_has_the_contrast_that_small_text_needs(colour: str) -> None:
    paint = painted(colour)
    assert contrast(paint.fill, paint.ink) >= 4.5
    assert paint.ink == max((DARK, LIGHT), key=lambda ink: contrast(paint.fill, ink))


SIMULATED = {  # Gustavo Machado et al., 2009: linear RGB, seen without red or green cones
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
               (-0.011820, 0.042940, 0.968881)),
}  # fmt: skip


def seen(colour: str, kind: str) -> tuple[float, ...]:
    """A colour as CIELAB, seen with a kind of colour blindness."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    r, g, b = (
        min(1.0, max(0.0, sum(a * c for a, c in zip(row, linear, strict=True))))
        for row in SIMULATED[kind]
    )
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
        for t in (
            (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
            0.2126 * r + 0.7152 * g + 0.0722 * b,
            (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("kind", SIMULATED)
def test_red_is_told_from_every_other_colour_by_the_colour_blind(kind: str) -> None:
    far = {name: math.dist(seen(NAMED["red"], kind), seen(NAMED[name], kind)) for name in NAMED}
    assert min(far[name] for name in CYCLE if name != "red") > 25
    assert far["brown"] > 10


def test_red_is_red() -> None:
    red, green, blue = (int(NAMED["red"][at : at + 2], 16) for at in (1, 3, 5))
    assert red > 150 > 60 > max(green, blue)


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
    assert (*JOINED, *ALONE, "blank") == SHAPES
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
