"""No text of a puzzle is ever markup: its elements in a page are ours, and its texts are texts."""

from typing import Any
from xml.etree import ElementTree

import pytest

from rewrite import Path, Puzzle, State, chain, contains, explore, rule, search, strs, term
from rewrite.show.drawing.graph import Graph
from tests.unit.show.html.reading import Parsed, parsed

T = strs("T")
NASTY = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "</style><img src=x onerror=alert(3)>",
    "\" onload=alert(4) x='",
    "]]> --> <!-- <![CDATA[",
    "null\0 bell\x07 right\u202eto left",
    "{{ 7 * 7 }} {% raw %} ${1}",
    "&lt;b&gt; &amp; &#60;",
    "\ud800",
    "red\x1b[31m \u2066turned\u2069 \u200fmarked inv\u200disible",
)
PLAIN = "harmless"


@term
class Named:
    text: str


Named.__name__ = Named.__qualname__ = "<script>alert(5)</script>"


def puzzle(text: str, show: Any = None) -> Puzzle:
    """A puzzle in which a text stands wherever one can: also in labels, by the variable."""
    return Puzzle(
        rule(f"say {T}", take=[Named(T)], put=[T, (T, T)], name=text),
        start=[Named(text)],
        goal=contains((T, T)),
        facts=["fact", text],
        show=show,
        name=text,
    )


def code(page: Parsed) -> list[str]:
    """The scripts and styles of a page."""
    return [one.text for one in page.elements if one.name in {"script", "style"}]


VIEWS = (None, chain(), lambda state: f"<b>{state}</b>")


@pytest.mark.parametrize("show", VIEWS, ids=["bag", "chain", "function"])
@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_a_page_holds_our_elements_and_our_code_only_whatever_the_texts_are(
    text: str, show: Any
) -> None:
    plain, page = (parsed(search(puzzle(said, show)).to_html()) for said in (PLAIN, text))
    assert code(page) == code(plain)
    ours = {one.name for one in plain.elements} | {"ul", "li", "rect", "circle", "path", "text"}
    assert {one.name for one in page.elements} <= ours
    for element in page.elements:
        assert not {"src", "onload", "onerror", "onclick"} & {*element.attributes}
        assert element.attributes.get("href", "#").startswith("#")


@pytest.mark.parametrize("text", NASTY[:5], ids=ascii)
def test_a_nasty_text_is_read_in_the_page_as_it_is(text: str) -> None:
    page = parsed(search(puzzle(text)).to_html())
    assert page.named("h1")[0].text == text
    assert page.named("figcaption")[1].text == f"1. say {text}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (NASTY[5], r"null\x00 bell\x07 right\u202eto left"),
        (NASTY[9], r"red\x1b[31m \u2066turned\u2069 \u200fmarked inv\u200disible"),
    ],
)
def test_what_cannot_be_printed_is_shown_escaped_everywhere(text: str, shown: str) -> None:
    made = search(puzzle(text))
    faces = made.to_html(), made._repr_html_(), puzzle(text)._repr_html_(), made.paths[0].to_svg()
    for face in faces:
        assert not {*"\0\x07\u202e\x1b\u2066\u2069\u200f\u200d"} & {*face}
        assert shown in face


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_pictures_are_xml_whatever_texts_they_show(text: str) -> None:
    path = search(puzzle(text)).paths[0]
    svgs = [path.to_svg(), *(graph(text).svg() for graph in (_numbers, _pictures))]
    for svg in svgs:
        root = ElementTree.fromstring(svg.encode("utf-8", "strict"))
        found = {one.tag.removeprefix("{http://www.w3.org/2000/svg}") for one in root.iter()}
        assert not found & {"script", "img", "b", "foreignObject"}


def _numbers(text: str) -> Graph:
    return Graph(depths=[0, 1], links=[(0, 1)], said=[text, text])


def _pictures(text: str) -> Graph:
    from rewrite.show.html.faces import graph_of

    return graph_of(explore(puzzle(text)))


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_faces_in_a_notebook_hold_our_elements_only(text: str) -> None:
    def elements(said: str) -> set[str]:
        result = search(puzzle(said))
        values = (puzzle(said), result, result.path, explore(puzzle(said)), State([Named(said)]))
        found = set()
        for value in values:
            page = parsed(value._repr_html_())  # type: ignore[union-attr]
            found |= {one.name for one in page.elements}
            for frame in page.named("iframe"):
                assert frame.attributes["sandbox"] == "allow-scripts"
                found |= {one.name for one in parsed(frame.attributes["srcdoc"]).elements}
        return found

    assert elements(text) <= elements(PLAIN) | {"ul", "li"}


def test_an_error_is_told_as_text() -> None:
    path = Path(puzzle("<b>"), [State([Named("<i>")]), State([Named("<script>")])])
    told = path._repr_html_()
    assert [one.name for one in parsed(told).elements] == ["div", "pre", "span"]
    assert "ReplayError: step 1: no rule of <b> leads from" in parsed(told).elements[0].text


def test_the_parser_of_these_tests_sees_what_a_forgotten_escape_would_let_in() -> None:
    assert code(parsed(f"<p>{NASTY[0]}</p>")) == ["alert(1)"]
