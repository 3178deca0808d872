"""`rewrite play` in a real browser: by keys, by clicks, by hints, over crashes and reloads."""

import re
from pathlib import Path
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import distances, moves, search

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.browser.pages import holding, off, opened, press, pressed

KEYS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}
DARKEST, LIGHTEST = 60, 200  # of 255


def words_of(state: Any) -> list[str]:
    return ["".join(str(tile.number) for tile in sorted(state, key=lambda tile: tile.cell))]


@pytest.fixture(scope="module")
def near() -> Any:
    """The 8-puzzle from its goal: how far states are from it, as moves can be undone."""
    return distances(PUZZLES["eight_puzzle"]("123456780"), max_depth=9)


def test_sokoban_is_played_by_arrows_to_its_end(play: Any) -> None:
    path = search(PUZZLES["sokoban"]()).paths[0]
    page = play("sokoban")
    for number, label in enumerate(path.labels, 1):
        press(page, KEYS[label.lower()], f"{number} step")
    expect(page.locator("#status")).to_have_text("Goal reached: 33 steps")
    expect(page.locator("#told")).to_contain_text("Goal reached")


def test_pieces_are_clicked_taken_back_and_hints_lead_to_the_goal_by_the_fewest_steps(
    play: Any, near: Any
) -> None:
    start = near.farthest()[0]
    puzzle = near.puzzle
    page = play("eight_puzzle", *words_of(start))
    state = start
    for number in (1, 2, 3):
        step = moves(puzzle, state)[-1]
        tile = step.bindings["V"]
        page.locator("#board [data-mark]").filter(has_text=re.compile(f"^{tile}$")).click()
        expect(page.locator("#status")).to_contain_text(f"{number} step")
        before, state = state, step.after
    press(page, "u", "2 steps")
    left = near.distance(before)
    for made in range(left):
        page.keyboard.press("h")
        expect(page.locator("#note")).to_contain_text("Hint: slide")
        press(page, "h", f"{2 + made + 1} step")
    expect(page.locator("#status")).to_have_text(f"Goal reached: {2 + left} steps")


def test_solve_plays_a_shortest_way_and_escape_ends_a_long_search(
    serve: Any, browse: Any, near: Any
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


def test_a_reload_keeps_the_game_and_two_tabs_are_two_games(serve: Any, browse: Any) -> None:
    server, watched = serve("hanoi", "3", "3"), browse()
    one, other = opened(watched, server.link), opened(watched, server.link)
    press(one, "1", "1 step")
    press(one, "1", "2 steps")
    press(other, "2", "1 step")
    shown = one.locator("#board svg").get_attribute("aria-label")
    one.reload()
    expect(one.locator("#status")).to_contain_text("2 steps")
    assert one.locator("#board svg").get_attribute("aria-label") == shown
    expect(other.locator("#status")).to_contain_text("1 step")
    third = opened(watched, one.url)
    expect(third.locator("#status")).to_contain_text("2 steps")


def test_the_game_goes_on_when_the_server_was_killed_and_is_back(serve: Any, browse: Any) -> None:
    server, watched = serve("hanoi", "3", "3"), browse()
    page = opened(watched, server.link)
    press(page, "1", "1 step")
    server.kill()
    page.keyboard.press("1")
    expect(page.locator("#gone")).to_be_visible()
    server.start()
    expect(page.locator("#gone")).to_be_hidden()
    expect(page.locator("#status")).to_contain_text("2 steps")
    broken = "Failed to load resource: net::ERR_"  # refused, or broken off
    assert all(text.startswith(broken) for text in watched.complaints)
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


def test_texts_that_look_like_markup_are_shown_as_texts(play: Any, tmp_path: Path) -> None:
    (tmp_path / "foreign.py").write_text(FOREIGN, "utf-8")
    page = play(f"{tmp_path / 'foreign.py'}:evil")
    for number in (1, 2, 3):
        press(page, "1", f"{number} step")
    expect(page.locator("#status")).to_contain_text("Goal reached")
    assert page.locator("body script, img, b").count() == 0
    expect(page.locator("#idle")).to_contain_text("never <b>bold</b>")


def test_it_fits_a_phone_and_is_dark_where_that_is_wanted(serve: Any, browse: Any) -> None:
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


def test_it_is_played_without_a_pointer_and_fields_keep_their_keys(play: Any) -> None:
    page = play("water_jugs")
    page.get_by_label("Words").focus()
    page.keyboard.type("4 3 5")
    expect(page.locator("#status")).to_have_text("0 steps")  # none of it was a move
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_be_focused()
    page.wait_for_url("**w=**")
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
    press(page, "Enter", "1 step")


def test_a_move_of_one_instance_is_not_made_in_another(play: Any) -> None:
    page = play("water_jugs")
    free = holding(page)
    page.get_by_label("Words").fill("4 3 5")
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator("#moves button").first.click()
    free()
    page.wait_for_url("**w=**")
    page.wait_for_timeout(300)
    expect(page.locator("#status")).to_have_text("0 steps")


def test_a_piece_is_dragged_to_where_it_goes(play: Any) -> None:
    page = play("rush_hour")
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


def test_moves_back_to_states_that_were_seen_are_marked_and_the_map_is_drawn(play: Any) -> None:
    page = play("hanoi", "3", "2")
    assert page.locator("#moves .visited").count() == 0
    press(page, "1", "1 step")
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
    play: Any, tmp_path: Path
) -> None:
    (tmp_path / "dead.py").write_text(DEAD, "utf-8")
    page = play(f"{tmp_path / 'dead.py'}:dead")
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
    play: Any, tmp_path: Path
) -> None:
    file = tmp_path / "counting.py"
    file.write_text(COUNT.replace("LAST", "4"), "utf-8")
    page = play(f"{file}:count")
    for number in (1, 2, 3):
        press(page, "1", f"{number} step")
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


def test_a_search_that_finds_nothing_says_how_many_states_it_saw(play: Any) -> None:
    page = play("water_jugs", "7", "4", "6")
    page.keyboard.press("h")
    expect(page.locator("#note")).to_contain_text(re.compile(r"no solution.*all \d+ states seen"))
    expect(page.locator("#status")).to_contain_text("no goal can be reached from here")


def test_while_a_position_loads_that_is_said_and_the_key_leaves_the_address_at_once(
    serve: Any, browse: Any
) -> None:
    server = serve("hanoi", "3", "3")
    page = browse().page()
    free = holding(page)
    page.goto(server.link)
    expect(page.locator("#board")).to_have_text("Loading …")
    expect(page.locator("#chooser option:checked")).to_have_text("hanoi")
    assert page.locator("#chooser option").count() > 1
    assert "t=" not in page.url
    assert "p=hanoi" in page.url
    pressed(page, "z", "1", "ArrowUp", "Escape", "h")
    off(page, "Undo")
    free()
    expect(page.locator("#status")).to_have_text("0 steps")


def test_where_no_game_can_be_opened_the_reason_stays_and_another_can_be_chosen(
    serve: Any, browse: Any
) -> None:
    key = serve("hanoi").link.split("#")
    page = browse().page()
    page.goto(f"{key[0]}#{key[1].split('&')[0]}&p=nosuch")
    expect(page.locator("#board")).to_contain_text("nosuch")
    pressed(page, "z", "y", "r", "1", "ArrowUp", "h", "s", "Space", "Escape")
    for name in ("Undo", "Hint", "Solve", "Scramble", "Copy link"):
        off(page, name).click(force=True)
    page.wait_for_timeout(200)
    expect(page.locator("#note")).to_contain_text("nosuch")
    assert page.url.endswith("#p=nosuch")
    page.get_by_label("Puzzle").select_option("water_jugs")
    expect(page.locator("#status")).to_have_text("0 steps")
    expect(page.locator("#moves button").first).to_be_visible()


def test_a_damaged_link_is_told_and_opens_nothing_in_its_place(serve: Any, browse: Any) -> None:
    server, watched = serve("hanoi", "3", "3"), browse()
    page = opened(watched, server.link)
    home = server.link.split("#")[0]
    for part, damaged in (
        ("the moves (m)", "p=hanoi&m=%5B%22a"), ("the moves (m)", "p=hanoi&m=1"),
        ("the words (w)", "p=hanoi&w=0"), ("the words (w)", "p=hanoi&w=%22%22"),
        ("the words (w)", "p=hanoi&w=%7B%7D"), ("the words (w)", "p=hanoi&w=false"),
        ("the words (w)", "p=hanoi&w=[3]"), ("the scramble (s)", "p=hanoi&s=[1,1.5]"),
        ("the puzzle (p)", "m=[]"),
    ):  # fmt: skip
        page.goto(f"{home}#{damaged}")
        expect(page.locator("#board")).to_contain_text(f"damaged: {part}")
        expect(page.locator("#note")).to_contain_text(f"damaged: {part}")
        pressed(page, "1", "z", "Escape")
        assert page.url == f"{home}#{damaged}"
        page.reload()
        expect(page.locator("#board")).to_contain_text(f"damaged: {part}")
        assert page.url == f"{home}#{damaged}"
    page.goto(f"{home}#p=water_jugs&m=1")
    expect(page.locator("#board")).to_contain_text("damaged: the moves (m)")
    page.get_by_label("Words").fill("4 3 2")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#status")).to_have_text("0 steps")
    assert "p=water_jugs&w=" in page.url


def test_the_right_link_in_a_tab_with_an_old_key_brings_it_to_life(serve: Any, browse: Any) -> None:
    server, watched = serve("hanoi", "3", "3"), browse()
    page = watched.page()
    page.goto(f"{server.link.split('#')[0]}#t=old&p=hanoi")
    expect(page.locator("#gone")).to_contain_text("token")
    page.evaluate("link => { location.href = link }", server.link)
    expect(page.locator("#status")).to_have_text("0 steps")
    expect(page.locator("#gone")).to_be_hidden()
    assert page.locator("#chooser option").count() > 1
    assert {"401" in text for text in watched.complaints} == {True}
    watched.complaints.clear()


def test_the_focus_is_kept_and_a_button_that_is_off_says_why(play: Any) -> None:
    page = play("hanoi", "3", "3")
    page.get_by_role("button", name="Hint", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#note")).to_contain_text("Hint: ")
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_focused()
    page.locator("#moves button").nth(1).focus()
    press(page, "Enter", "1 step")
    expect(page.locator("#moves button").nth(1)).to_be_focused()
    with page.expect_response("**/api/position"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_timeout(100)
    expect(page.locator("#moves button").nth(1)).to_be_focused()
    page.locator("#way > summary").click()
    page.locator("#made button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#made button").first).to_be_focused()
    page.get_by_role("button", name="Undo", exact=True).focus()
    press(page, "Enter", "0 steps")
    expect(off(page, "Undo")).to_be_focused()
    expect(off(page, "Undo")).to_have_attribute("aria-description", "No move was made.")
    page.keyboard.press("Enter")
    expect(page.locator("#note")).to_have_text("No move was made.")


def test_a_move_cancels_the_search(play: Any) -> None:
    hard = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    page = play("eight_puzzle", *hard.split())
    page.keyboard.press("h")
    expect(page.locator("#note")).to_contain_text("Searching: ")
    press(page, "1", "1 step")
    expect(page.locator("#note")).to_have_text("Cancelled: the position has changed.")
    page.wait_for_timeout(600)
    expect(page.locator("#note")).to_have_text("Cancelled: the position has changed.")
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_attribute(
        "aria-disabled", "false"
    )


def test_quick_keys_neither_hasten_the_playing_nor_queue_without_bound(play: Any) -> None:
    page = play("hanoi", "3", "7")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    pressed(page, *["Space"] * 12)
    began = int(page.locator("#status").inner_text().split()[0])
    page.wait_for_timeout(1500)
    made = int(page.locator("#status").inner_text().split()[0]) - began
    assert 1 <= made <= 5
    page.keyboard.press("Space")
    press(page, "r", "0 steps")
    page.wait_for_load_state("networkidle")  # what the pause asked for is answered
    page.wait_for_timeout(1_000)
    free = holding(page)
    pressed(page, *["1", "2"] * 20)
    page.wait_for_timeout(100)
    free()
    expect(page.locator("#status")).to_contain_text("32 steps")
    page.wait_for_timeout(300)
    expect(page.locator("#status")).to_contain_text("32 steps")
    free = holding(page)
    pressed(page, "1", "2", "1", "Escape")
    page.evaluate(
        "for (let i = 0; i < 5; i += 1) document.querySelector('#board').dispatchEvent("
        "new KeyboardEvent('keydown', { key: '1', repeat: true }))"
    )
    free()
    page.wait_for_timeout(300)
    expect(page.locator("#status")).to_contain_text("33 steps")


def test_the_map_is_asked_for_once_a_move(serve: Any, browse: Any) -> None:
    watched = browse()
    page = opened(watched, serve("hanoi", "3", "2").link)
    with page.expect_response("**/api/map"):
        page.locator("#map > summary").click()
    for key, steps in (("1", "1 step"), ("u", "0 steps"), ("y", "1 step"), ("r", "0 steps")):
        watched.asked.clear()
        pressed(page, key)
        expect(page.locator("#status")).to_contain_text(steps)
        page.wait_for_timeout(200)
        assert sum(url.endswith("api/map") for url in watched.asked) == 1


DEAR = """
from rewrite import Puzzle, contains, ints, rule
N = ints("N")
dear = Puzzle(rule("", take=[N], put=[N + 1], when=N < 3, cost=2),
              rule("jump", take=[N], put=[N + 3], when=N < 1, cost=9), start=[0], goal=contains(3))
"""


def test_costs_and_moves_without_a_label_are_told_and_keys_obey_the_buttons(
    play: Any, tmp_path: Path
) -> None:
    (tmp_path / "dear.py").write_text(DEAR, "utf-8")
    page = play(f"{tmp_path / 'dear.py'}:dear")
    page.keyboard.press("h")
    note = "Hint: (no label). 3 steps, cost 6 to a goal, the cheapest way."
    expect(page.locator("#note")).to_contain_text(note)
    expect(page.locator("#status")).to_contain_text("· 3 left, cost 6")
    page.keyboard.press("h")
    expect(page.locator("#told")).to_contain_text("1 move")
    page.keyboard.press("s")
    expect(page.locator("#status")).to_have_text("Goal reached: 3 steps, cost 6")
    page.keyboard.press("h")
    expect(page.locator("#note")).to_have_text("This is a goal.")
    press(page, "r", "0 steps")
    typed = "([key, code, shiftKey]) => document.querySelector('#board').dispatchEvent("
    typed += "new KeyboardEvent('keydown', { key, code, shiftKey }))"
    for number, event in enumerate((["&", "Digit1", False], ["1", "Digit1", True]), 1):
        page.evaluate(typed, event)
        expect(page.locator("#status")).to_contain_text(f"{number} step")


def test_the_chooser_goes_back_where_a_puzzle_cannot_be_opened(play: Any) -> None:
    page = play("hanoi", "3", "3")
    page.route("**/api/position", lambda route: route.fulfill(json={"error": "it is broken"}))
    page.get_by_label("Puzzle").select_option("water_jugs")
    expect(page.locator("#note")).to_have_text("it is broken")
    expect(page.locator("#chooser option:checked")).to_have_text("hanoi")
    assert "p=hanoi" in page.url


def test_a_wide_picture_scrolls_on_a_narrow_screen(play: Any) -> None:
    page = play("missionaries", viewport={"width": 320, "height": 640})
    shrunk = page.evaluate(
        "(svg => svg.getBoundingClientRect().width / svg.width.baseVal.value)"
        "(document.querySelector('#board svg'))"
    )
    assert shrunk > 0.79
    board = page.locator("#board")
    assert board.evaluate("board => board.scrollWidth > board.clientWidth")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 320
