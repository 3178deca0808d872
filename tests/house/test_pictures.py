"""What scripts in docs/ draw is committed as they draw it; pages name files that are there."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from docs import pictures, rooms
from puzzles.klotski import klotski
from rewrite import replay

SOLVED = pictures.solved()


def test_the_picture_of_klotski_is_what_the_script_draws() -> None:
    message = "draw it again: python -m docs.pictures"
    assert pictures.FILE.read_bytes() == pictures.drawn(SOLVED).encode(), message


def test_the_picture_of_klotski_is_small_and_well_formed() -> None:
    root = ElementTree.fromstring(pictures.FILE.read_bytes())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len([rect for rect in root.iter() if rect.get("id")]) == 10
    assert pictures.FILE.stat().st_size < 60_000


def test_the_blocks_in_the_picture_go_the_way_of_a_path_that_replays() -> None:
    assert replay(klotski, klotski.start, SOLVED).end == SOLVED.end
    journeys = pictures.journeys(SOLVED)
    for number, state in enumerate(SOLVED.states):
        assert {journey[number] for journey in journeys} == pictures.blocks(state)
    for journey in journeys:
        assert {abs(b - a) for (_, a), (_, b) in pairwise(journey)} <= {0, 1, pictures.PLACES}
        assert len({part for part, _ in journey}) == 1


def test_the_page_of_the_architecture_shows_the_import_table() -> None:
    page = rooms.PAGE.read_text("utf-8")
    assert page == rooms.with_drawing(page), "draw it again: python -m docs.rooms"


def test_every_import_that_the_table_allows_is_an_arrow_or_a_longer_way() -> None:
    arrows = {room: {*rooms.nearest(room)} for room in rooms.TABLE}
    for room, below in rooms.TABLE.items():
        assert arrows[room] <= below <= rooms.reached(room, arrows)


@pytest.mark.parametrize("page", ["docs/contributing.md", "docs/explanation/architecture.md"])
def test_every_file_that_a_page_about_the_code_names_is_there(page: str) -> None:
    text = (rooms.ROOT / page).read_text("utf-8")
    named = set(re.findall(r"`((?:rewrite|tests|docs|puzzles)/[^` ]*)`", text))
    missing = {name for name in named if "NAME" not in name and not any(rooms.ROOT.glob(name))}
    assert len(named) > 5
    assert missing == set()
