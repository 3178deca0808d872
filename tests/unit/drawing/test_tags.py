"""Markup: what was not written as a tag is text."""

from xml.etree import ElementTree

import pytest

from rewrite.drawing.tags import Markup, number, tag

NASTY = ["<script>", '"', "'", "&amp;", "]]>", "a\nb", "\x00", "\x1b[31m", "-->", "日本 🙂"]


@pytest.mark.parametrize("text", NASTY)
def test_a_text_stays_a_text_inside_and_in_attributes(text: str) -> None:
    element = ElementTree.fromstring(tag("text", text, title=text))
    assert len(element) == 0
    assert element.text == element.get("title")
    assert element.text == text or not text.isprintable()


def test_what_a_tag_made_is_not_escaped_again() -> None:
    assert tag("g", tag("rect", x=1), "<") == Markup('<g><rect x="1"/>&lt;</g>')


@pytest.mark.parametrize(
    ("value", "written"), [(1.0, "1"), (0.125, "0.12"), (-0.001, "0"), (100, "100"), (-2.5, "-2.5")]
)
def test_numbers_are_written_short(value: float, written: str) -> None:
    assert number(value) == written
