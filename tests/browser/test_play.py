"""`rewrite play` in a real browser: by keys, by clicks, by hints, over crashes and reloads."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import distances, moves, search

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

KEYS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}
DARKEST, LIGHTEST = 60, 200  # of 255


def opened(watched: Any, link: str) -> Any:
    """A tab with the game of a link, when it is there."""
    page = watched.page()
    page.goto(link)
    expect(page.locator("#board svg").first).to_be_visible()
    expect(page.locator("#status")).not_to_be_empty()
    return page


def words_of(state: Any) -> list[str]:
    """The words of an 8-puzzle."""
    return ["".join(str(tile.number) for tile in sorted(state, key=lambda tile: tile.cell))]


@pytest.fixture(scope="module")
def near() -> Any:
    """The 8-puzzle from its goal: how far states are from it, as moves can be undone."""
    return distances(PUZZLES["eight_puzzle"]("123456780"), max_depth=9)


def test_sokoban_is_played_by_arrows_to_its_end(serve: Callable[..., Any], browse: Any) -> None:
    path = search(PUZZLES["sokoban"]()).path
    assert path is not None
    page = opened(browse(), serve("sokoban").link)
    for number, label in enumerate(path.labels, 1):
        page.keyboard.press(KEYS[label.lower()])
        expect(page.locator("#status")).to_contain_text(f"{number} step")
    expect(page.locator("#status")).to_have_text("Goal reached: 33 steps")
    expect(page.locator("#told")).to_contain_text("Goal reached")


def test_pieces_are_clicked_taken_back_and_hints_lead_to_the_goal_by_the_fewest_steps(
    serve: Callable[..., Any], browse: Any, near: Any
) -> None:
    start = near.farthest()[0]
    puzzle = near.puzzle
    page = opened(browse(), serve("eight_puzzle", *words_of(start)).link)
    state = start
    for number in (1, 2, 3):
        step = moves(puzzle, state)[-1]
        tile = step.bindings["V"]
        page.locator("#board [data-mark]").filter(has_text=re.compile(f"^{tile}$")).click()
        expect(page.locator("#status")).to_contain_text(f"{number} step")
        before, state = state, step.after
    page.keyboard.press("u")
    expect(page.locator("#status")).to_contain_text("2 steps")
    left = near.distance(before)
    for made in range(left):
        page.keyboard.press("h")
        expect(page.locator("#note")).to_contain_text("Hint: slide")
        page.keyboard.press("h")
        expect(page.locator("#status")).to_contain_text(f"{2 + made + 1} step")
    expect(page.locator("#status")).to_have_text(f"Goal reached: {2 + left} steps")


def test_solve_plays_a_shortest_way_and_escape_ends_a_long_search(
    serve: Callable[..., Any], browse: Any, near: Any
) -> None:
    server = serve("eight_puzzle", *words_of(near.farthest()[0]))
    page = opened(browse(), server.link)
    page.keyboard.press("s")
    expect(page.locator("#status")).to_have_text("Goal reached: 9 steps")
    hard = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"  # the first of Korf's hundred boards
    page.get_by_label("Words").fill(hard)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#status")).to_have_text("0 steps")
    page.keyboard.press("s")
    expect(page.locator("#note")).to_contain_text("Searching")
    page.keyboard.press("Escape")
    expect(page.locator("#note")).to_have_text("Cancelled.")
    page.locator("#moves button").first.click()
    expect(page.locator("#status")).to_contain_text("1 step")


def test_a_reload_keeps_the_game_and_two_tabs_are_two_games(
    serve: Callable[..., Any], browse: Any
) -> None:
    server, watched = serve("hanoi", "3", "3"), browse()
    one, other = opened(watched, server.link), opened(watched, server.link)
    one.keyboard.press("1")
    expect(one.locator("#status")).to_contain_text("1 step")
    one.keyboard.press("1")
    expect(one.locator("#status")).to_contain_text("2 steps")
    other.keyboard.press("2")
    expect(other.locator("#status")).to_contain_text("1 step")
    shown = one.locator("#board svg").get_attribute("aria-label")
    one.reload()
    expect(one.locator("#status")).to_contain_text("2 steps")
    assert one.locator("#board svg").get_attribute("aria-label") == shown
    expect(other.locator("#status")).to_contain_text("1 step")
    third = opened(watched, one.url)
    expect(third.locator("#status")).to_contain_text("2 steps")


def test_the_game_goes_on_when_the_server_was_killed_and_is_back(
    serve: Callable[..., Any], browse: Any
) -> None:
    server, watched = serve("hanoi", "3", "3"), browse()
    page = opened(watched, server.link)
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("1 step")
    server.kill()
    page.keyboard.press("1")
    expect(page.locator("#gone")).to_be_visible()
    server.start()
    expect(page.locator("#gone")).to_be_hidden()
    expect(page.locator("#status")).to_contain_text("2 steps")
    refused = "Failed to load resource: net::ERR_CONNECTION_REFUSED"
    assert all(text.startswith(refused) for text in watched.complaints)
    assert watched.complaints
    watched.complaints.clear()


FOREIGN = """
from rewrite import Puzzle, contains, ints, rule, strs, term

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\\"'&"

@term
class Text:
    at: int
    text: str

N = ints("N")
T = strs("T")
evil = Puzzle(
    rule(f"{EVIL} {N} {T}", take=[Text(N, T)], put=[Text(N + 1, T)], when=N < 3),
    rule("never <b>bold</b>", take=[Text(N, "</svg><script>alert(3)</script>")], put=[]),
    start=[Text(0, EVIL)], goal=contains(Text(3, EVIL)), name=EVIL,
)
"""


def test_texts_that_look_like_markup_are_shown_as_texts(
    serve: Callable[..., Any], browse: Any, tmp_path: Path
) -> None:
    (tmp_path / "foreign.py").write_text(FOREIGN, "utf-8")
    page = opened(browse(), serve(f"{tmp_path / 'foreign.py'}:evil").link)
    for number in (1, 2, 3):
        page.keyboard.press("1")
        expect(page.locator("#status")).to_contain_text(f"{number} step")
    expect(page.locator("#status")).to_contain_text("Goal reached")
    assert page.locator("body script, img, b").count() == 0
    expect(page.locator("#idle")).to_contain_text("never <b>bold</b>")


def test_it_fits_a_phone_and_is_dark_where_that_is_wanted(
    serve: Callable[..., Any], browse: Any
) -> None:
    server = serve("rush_hour")
    for scheme in ("light", "dark"):
        watched = browse(viewport={"width": 360, "height": 740}, color_scheme=scheme)
        page = opened(watched, server.link)
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= 360
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
        assert (
            max(red, green, blue) < DARKEST
            if scheme == "dark"
            else min(red, green, blue) > (LIGHTEST)
        )


def test_it_is_played_without_a_pointer_and_fields_keep_their_keys(
    serve: Callable[..., Any], browse: Any
) -> None:
    page = opened(browse(), serve("water_jugs").link)
    page.get_by_label("Words").focus()
    page.keyboard.type("4 3 5")
    expect(page.locator("#status")).to_have_text("0 steps")  # none of it was a move
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_be_focused()
    page.keyboard.press("Control+1")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    expect(page.locator("#keys")).to_contain_text("undo")
    page.keyboard.press("Escape")
    expect(page.locator("#status")).to_have_text("0 steps")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('#moves') !== null"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("1 step")


def test_a_piece_is_dragged_to_where_it_goes(serve: Callable[..., Any], browse: Any) -> None:
    page = opened(browse(), serve("rush_hour").link)
    car = page.locator("#board [data-mark]").filter(has_text=re.compile("^R$"))
    box = car.bounding_box()
    middle = box["y"] + box["height"] / 2
    cell = box["width"] / 3
    page.mouse.move(box["x"] + cell, middle)
    page.mouse.down()
    page.mouse.move(box["x"], middle, steps=4)
    page.mouse.up()
    expect(page.locator("#status")).to_contain_text("1 step")
    expect(page.locator("#told")).to_contain_text("R -1")


def test_moves_back_to_states_that_were_seen_are_marked_and_the_map_is_drawn(
    serve: Callable[..., Any], browse: Any
) -> None:
    page = opened(browse(), serve("hanoi", "3", "2").link)
    assert page.locator("#moves .visited").count() == 0
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("1 step")
    expect(page.locator("#moves .visited")).to_have_count(1)
    expect(page.locator("#moves .visited")).to_contain_text("was here")
    page.locator("#map > summary").click()
    expect(page.locator("#map-picture svg")).to_be_visible()
    expect(page.locator("#map-text")).not_to_be_empty()


DEAD = """
from rewrite import Puzzle, contains, ints, rule
N = ints("N")
dead = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1], when=N < 3),
              rule("astray", take=[N], put=[9], when=N < 3), start=[0], goal=contains(3))
"""


def test_a_move_after_which_no_goal_can_be_reached_is_marked_once_that_is_known(
    serve: Callable[..., Any], browse: Any, tmp_path: Path
) -> None:
    (tmp_path / "dead.py").write_text(DEAD, "utf-8")
    page = opened(browse(), serve(f"{tmp_path / 'dead.py'}:dead").link)
    page.get_by_role("button", name="astray").click()
    expect(page.locator("#status")).to_contain_text("1 step")
    page.keyboard.press("h")
    expect(page.locator("#note")).to_contain_text("no solution from here: all 1 state seen")
    page.keyboard.press("u")
    expect(page.locator("#status")).to_have_text("0 steps")
    expect(page.locator("#moves .dead")).to_have_text("2astrayleads to no goal")


COUNT = """
from rewrite import Puzzle, contains, ints, rule
N = ints("N")
def shown(state):
    [number] = state
    if number == 2:
        raise ValueError("there is no picture of two")
    return f"<{number}>"
count = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1], when=N < LAST), start=[0],
               goal=contains(LAST), show=shown)
"""


def test_a_view_that_fails_says_so_and_a_file_that_changes_is_read_again(
    serve: Callable[..., Any], browse: Any, tmp_path: Path
) -> None:
    file = tmp_path / "counting.py"
    file.write_text(COUNT.replace("LAST", "4"), "utf-8")
    page = opened(browse(), serve(f"{file}:count").link)
    for number in (1, 2, 3):
        page.keyboard.press("1")
        expect(page.locator("#status")).to_contain_text(f"{number} step")
        fails = "there is no picture of two" in page.locator("#board").inner_text()
        assert fails == (number == 2)
    file.write_text(COUNT.replace("LAST", "2"), "utf-8")
    page.reload()
    expect(page.locator("#note")).to_contain_text("rules have changed")
    expect(page.locator("#status")).to_contain_text("2 steps")
    file.write_text("this is not Python", "utf-8")
    page.keyboard.press("u")
    expect(page.locator("#trouble")).to_contain_text("cannot be read")
    expect(page.locator("#status")).to_contain_text("1 step")


def test_a_search_that_finds_nothing_says_how_many_states_it_saw(
    serve: Callable[..., Any], browse: Any
) -> None:
    page = opened(browse(), serve("water_jugs", "7", "4", "6").link)
    page.keyboard.press("h")
    expect(page.locator("#note")).to_contain_text(re.compile(r"no solution.*all \d+ states seen"))
    expect(page.locator("#status")).to_contain_text("no goal can be reached from here")
