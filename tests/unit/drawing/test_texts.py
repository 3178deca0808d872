"""Texts on pieces are written so that they fit."""

import pytest

from rewrite.drawing.texts import centred, fitted, width_of


@pytest.mark.parametrize("text", ["7", "12345", "a" * 50, "漢字漢字漢字", "🙂" * 9])
@pytest.mark.parametrize("width", [12, 30, 80])
def test_a_text_fits_or_is_cut(text: str, width: float) -> None:
    shown, size = fitted(text, width, 19)
    assert width_of(shown, size) <= width + 1e-9 or len(shown) == 1
    assert size <= 19
    assert shown == text or shown.endswith("…")


def test_a_short_text_keeps_its_size() -> None:
    assert fitted("7", 30, 19) == ("7", 19)


def test_five_digits_are_read_on_a_cell() -> None:
    assert fitted("12345", 27, 19)[0] == "12345"


def test_a_blank_text_is_nothing() -> None:
    assert centred("  ", 0, 0, 10, 10) == ""
