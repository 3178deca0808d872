"""Texts on pieces are written so that they fit."""

import pytest

from rewrite.drawing.tags import fitted, width_of


@pytest.mark.parametrize("text", ["7", "12345", "a" * 50, "漢字漢字漢字", "🙂" * 9])
@pytest.mark.parametrize("width", [12, 30, 80])
def test_a_text_fits_or_is_cut(text: str, width: float) -> None:
    shown, size = fitted(text, width, 19)
    assert width_of(shown, size) <= width + 1e-9 or len(shown) == 1
    assert size <= 19
    assert shown == text or shown.endswith("…")
