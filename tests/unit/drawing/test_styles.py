"""Looks that are written as words."""

import pytest

from rewrite.drawing.looks import ALONE as DRAWN_ALONE
from rewrite.drawing.looks import JOINED as DRAWN_JOINED
from rewrite.drawing.looks import look_of
from rewrite.drawing.palette import ALONE, JOINED, SIGNS, Style, style_of
from rewrite.errors import ViewError


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
