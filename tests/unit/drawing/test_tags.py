"""Markup: what was not written as a tag is text."""

from xml.etree import ElementTree

import pytest

from rewrite.drawing.tags import tag

NASTY = ["<script>", '"', "'", "&amp;", "]]>", "a\nb", "\x00", "\x1b[31m", "-->", "日本 🙂"]


@pytest.mark.parametrize("text", NASTY)
def test_a_text_stays_a_text_inside_and_in_attributes(text: str) -> None:
    element = ElementTree.fromstring(tag("text", text, title=text))
    assert len(element) == 0
    assert element.text == element.get("title")
    assert element.text == text or not text.isprintable()
