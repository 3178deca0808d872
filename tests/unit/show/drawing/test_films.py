"""What changed between drawings; each look is drawn once, and marks are followed through all."""

import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree

from puzzles import PUZZLES
from puzzles.klotski import klotski
from rewrite.search.api import search
from rewrite.show.drawing.change import change, marked
from rewrite.show.drawing.drawing import Drawing, Look, Mark
from rewrite.show.drawing.sheet import Sheet, animated, journeys
from rewrite.show.drawing.tags import tag

FLOOR = Look(tag("rect", width=90, height=30, class_="floor"), 90, 30)
DOT, RING = (Look(tag("circle", r=r), 10, 10) for r in (5, 4))


def drawing(*dots: float, rings: Sequence[float] = (), width: float = 90) -> Drawing:
    """A floor, dots and then rings at these places."""
    marks = [Mark(FLOOR, 0, 0), *(Mark(DOT, x, 0) for x in dots)]
    return Drawing(width, 30, [*marks, *(Mark(RING, x, 0) for x in rings)])


def moving(*drawings: Drawing) -> str:
    """The animated SVG of drawings."""
    changes = [change(a, b) for a, b in pairwise(drawings)]
    return str(animated(drawings, changes, "moving"))


def test_a_frame_uses_the_looks_and_numbers_the_marks_as_the_drawing_does() -> None:
    sheet = Sheet([drawing(5, 20), drawing(5, 40)])
    frame = ElementTree.fromstring(sheet.frame(1))
    uses = [one.attrib for one in frame.iter() if one.tag.endswith("use")]
    assert [one.get("data-mark") for one in uses] == ["0", "1", "2"]
    assert uses[2]["x"] == "40"


def test_a_mark_that_changed_is_outlined_in_its_frame_and_the_outline_goes_with_it() -> None:
    sheet = Sheet([drawing(5), Drawing(90, 30, [Mark(FLOOR, 0, 0), Mark(DOT, 8, 0, changed=True)])])
    [group] = [one for one in ElementTree.fromstring(sheet.frame(1)).iter() if
               one.get("data-mark") == "1"]  # fmt: skip
    assert group.tag.endswith("}g")
    assert [child.get("class") for child in group] == [None, "rw-changed"]


def test_what_stays_is_not_animated_and_what_travels_ends_where_it_is_drawn() -> None:
    svg = moving(drawing(5), drawing(30))
    assert svg.count("@keyframes") == 1
    # 4.25 seconds: one before, a quarter for the step, three after it
    assert "0%{transform:translate(-25px,0px)}23.53%{transform:translate(-25px,0px)}" in svg
    assert "29.41%{transform:translate(0px,0px)}100%{transform:translate(0px,0px)}" in svg
    assert 'x="30"' in svg


def test_what_comes_and_goes_fades_and_is_hidden_at_the_end_only_if_it_is_gone() -> None:
    svg = moving(drawing(5), drawing(rings=[5]))
    hidden = re.findall(r'<use [^>]*opacity="0"[^>]*/>', svg)
    assert len(hidden) == 1
    assert svg.count("opacity:0") == 4  # the dot goes and stays away, the ring is not there before
    [dot, ring] = re.findall(r"@keyframes (\w+)\{((?:[\d.]+%\{[^}]*\})+)\}", svg)
    assert [float(time) for time in re.findall(r"([\d.]+)%", dot[1])] == [0, 23.53, 29.41, 100]
    assert "100%{opacity:0}" in dot[1]
    assert "100%{opacity:1}" in ring[1]


def test_nothing_moves_for_who_asked_for_less_motion() -> None:
    svg = moving(drawing(5), drawing(30))
    assert svg.index("prefers-reduced-motion:no-preference") < svg.index("@keyframes")
    assert svg.count("@keyframes") == svg[svg.index("no-preference") :].count("@keyframes")
    assert "@media (prefers-reduced-motion" not in moving(drawing(5))


def test_klotski_in_116_steps_is_a_well_formed_svg_below_60_kilobytes() -> None:
    path = search(klotski).paths[0]
    svg = path.to_svg()
    assert len(path) == 116
    assert len(svg.encode()) < 60_000
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert svg == path.to_svg()
    assert "<script" not in svg
    assert svg.count("@keyframes") == 10  # every block moves, and is one mark


RED, BLUE = (Look(tag("rect", fill=name), 10, 10) for name in ("red", "blue"))


def test_of_equal_looks_the_first_that_was_taken_goes_where_the_first_is_that_was_put() -> None:
    before = Drawing(100, 100, [Mark(RED, 0, 0, (1,)), Mark(RED, 10, 0, (2,))])
    after = Drawing(100, 100, [Mark(RED, 20, 0, (3,)), Mark(RED, 30, 0, (4,))])
    assert change(before, after, (1, 2), (3, 4)).travels == ((0, 0), (1, 1))
    assert set(change(before, after, (1, 2), (4, 3)).travels) == {(0, 1), (1, 0)}
    assert set(change(before, after, (2, 1), (3, 4)).travels) == {(0, 1), (1, 0)}


def test_what_is_marked_is_new_in_its_place_and_shows_a_fresh_term() -> None:
    before = Drawing(100, 100, [Mark(RED, 0, 0, ("old",)), Mark(BLUE, 10, 0, ("moved",))])
    after = Drawing(
        100,
        100,
        [
            Mark(RED, 0, 0, ("fresh",)),  # looks as before
            Mark(BLUE, 20, 0, ("moved",)),  # pushed aside: not fresh
            Mark(RED, 30, 0, ("fresh",)),
            Mark(BLUE, 40, 0),  # shows no term
        ],
    )
    found = marked(before, after, ["fresh"])
    assert [mark.changed for mark in found.marks] == [False, False, True, True]
    assert found.mark_svg(2).count("rw-changed") == 1
    assert found.mark_svg(0).count("rw-changed") == 0


def test_what_lay_on_top_stays_on_top_though_the_last_picture_has_fewer_marks() -> None:
    """The numbers of marks in two pictures do not say which of the two lies on top."""
    first = Drawing(90, 30, [Mark(FLOOR, 0, 0), *[Mark(RING, x, 0) for x in (0, 20)],
                             Mark(DOT, 0, 0), Mark(BLUE, 20, 0)])  # fmt: skip
    last = Drawing(90, 30, [Mark(FLOOR, 0, 0), Mark(RED, 0, 0), Mark(RED, 20, 0), Mark(RED, 40, 0),
                            Mark(RING, 0, 0), Mark(RING, 20, 0), Mark(BLUE, 40, 0)])  # fmt: skip
    found = journeys([first, last], [change(first, last)])
    order = [journey.look for journey in found]
    assert order == [FLOOR, RED, RED, RED, RING, RING, DOT, BLUE]
    assert found[6].end == 0


def test_no_hole_is_ever_drawn_above_a_peg() -> None:
    path = search(PUZZLES["peg_solitaire"]()).paths[0]
    svg = path.to_svg()
    marks = re.findall('<use href="#([^"]+)"', svg)
    names = re.findall(r'<g id="([^"]+)"><circle [^>]*class="rw-(hole|edge)"', svg)
    [hole] = [name for name, kind in names if kind == "hole"]
    [peg] = [name for name, kind in names if kind == "edge"]
    last = len(marks) - 1 - marks[::-1].index(hole)
    assert last < marks.index(peg)
    assert (marks.count(peg), marks.count(hole)) == (14, 15)


def test_a_ground_that_changes_is_not_marked() -> None:
    ground, other = (Look(tag("rect", width=n), 90, 30, fixed=True) for n in (1, 2))
    before = Drawing(90, 30, [Mark(ground, 0, 0), Mark(RED, 0, 0, (1,))])
    after = Drawing(90, 30, [Mark(other, 0, 0), Mark(BLUE, 0, 0, (2,))])
    assert [mark.changed for mark in marked(before, after, [2]).marks] == [False, True]
