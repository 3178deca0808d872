"""A page taken apart by Python's own parser, which knows nothing of the templates."""

from __future__ import annotations

from html.parser import HTMLParser

import attrs

VOID = {"meta", "input", "br"}


@attrs.define
class Element:
    name: str
    attributes: dict[str, str]
    text: str = ""

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


class Parsed(HTMLParser):
    """The elements of a page, in order; the text of one is that of all it holds."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> ends nothing"
        assert self._open[-1].name == tag, f"</{tag}> ends <{self._open[-1].name}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def named(self, name: str) -> list[Element]:
        return [one for one in self.elements if one.name == name]

    def classed(self, name: str) -> list[Element]:
        return [one for one in self.elements if name in one.classes]


def parsed(page: str) -> Parsed:
    """Return a page taken apart. Fails where what is opened is not closed."""
    made = Parsed(page)
    assert not made._open, [one.name for one in made._open]
    return made
