"""One-file replays in a real browser, from disk and inside a notebook's frame."""

from pathlib import Path
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import search
from rewrite.results.path import Path as Solution

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def path() -> Solution:
    found = search(PUZZLES["water_jugs"]()).paths[0]
    return found


def pictures(shown: Any) -> str:
    said: str = shown.locator(".stage svg").get_attribute("aria-label")
    return said


def stepped(page: Any, shown: Any, path: Solution) -> None:
    """Go through all steps by the right arrow; each picture is that of its state."""
    seen = [pictures(shown)]
    for number, label in enumerate(path.labels, 1):
        page.keyboard.press("ArrowRight")
        expect(shown.locator(".said")).to_contain_text(label)
        expect(shown.locator(".said")).to_contain_text(f"{number} of {len(path)}")
        seen.append(pictures(shown))
    assert seen == [path.puzzle.shown(state) for state in path.states]


def test_a_replay_from_disk_steps_through_all_moves(
    browse: Any, path: Solution, tmp_path: Path
) -> None:
    file = tmp_path / "replay.html"
    path.to_html(file)
    page = browse().page()
    page.goto(file.as_uri())
    stepped(page, page, path)
    assert page.url.endswith(f"#step={len(path)}")
    page.keyboard.press("Home")
    expect(page.locator(".said")).to_contain_text("tart")
    page.goto(f"{file.as_uri()}#step=2")
    page.reload()
    expect(page.locator(".said")).to_contain_text(path.labels[1])
    page.locator(".moves button").nth(4).click()
    expect(page.locator(".said")).to_contain_text("4 of")


def test_a_replay_plays_to_its_end_by_space(browse: Any, path: Solution, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    path.to_html(file)
    page = browse(reduced_motion="reduce").page()
    page.goto(file.as_uri())
    page.get_by_label("Speed").select_option("8")
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("Space")
    expect(page.locator(".said")).to_contain_text(f"{len(path)} of {len(path)}")


def test_without_script_all_pictures_are_there(browse: Any, path: Solution, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    path.to_html(file)
    page = browse(java_script_enabled=False).page()
    page.goto(file.as_uri())
    strip = page.locator(".strip svg")
    assert strip.count() == len(path) + 1
    expect(strip.last).to_be_visible()


def test_the_player_runs_in_the_frame_of_a_notebook(
    browse: Any, path: Solution, tmp_path: Path
) -> None:
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{path._repr_html_()}", "utf-8")
    page = browse().page()
    page.goto(file.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".stage svg").click()
    frame.locator(".moves").click(position={"x": 2, "y": 2})
    page.keyboard.press("Home")
    stepped(page, frame, path)


def test_a_result_that_found_nothing_is_a_page_too(browse: Any, tmp_path: Path) -> None:
    file = tmp_path / "nothing.html"
    result = search(PUZZLES["water_jugs"]("7", "4", "6"))
    result.to_html(file)
    page = browse(viewport={"width": 360, "height": 700}).page()
    page.goto(file.as_uri())
    expect(page.locator("body")).to_contain_text(result.summary())
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
