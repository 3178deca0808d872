"""What scripts in docs/ draw is committed as they draw it; pages name files that are there."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs import pictures, rooms

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_is_what_the_script_draws(name: str) -> None:
    drawn = (pictures.FOLDER / name).read_bytes()
    assert drawn == pictures.whole(name).encode(), "draw it again: python -m docs.pictures"


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_is_small_and_well_formed(name: str) -> None:
    file: Path = pictures.FOLDER / name
    root = ElementTree.fromstring(file.read_bytes())
    assert root.tag == f"{SVG}svg"
    assert not [one for one in root.iter() if one.tag == f"{SVG}script"]
    assert file.stat().st_size < 60_000


def test_every_picture_that_a_page_shows_is_one_that_a_script_draws() -> None:
    shown = set()
    for page in [rooms.ROOT / "README.md", *pictures.FOLDER.rglob("*.md")]:
        for name in re.findall(r'(?:src="|\]\()([^")]*\.svg)', page.read_text("utf-8")):
            assert (page.parent / name).is_file(), f"{page}: {name}"
            shown.add(Path(name).name)
    assert {*pictures.PICTURES} <= shown


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
