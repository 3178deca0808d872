"""Colours: the ink is read on every paint, and values in a row differ."""

from collections.abc import Callable

import pytest

from rewrite.drawing.palette import CYCLE, NAMED, PATTERNS, contrast, numbered, paint_of, painted


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
