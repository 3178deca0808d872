"""The page of `rewrite play`: hints, drags and walks, the way back, levels, the map, the layout."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.browser.pages import holding, opened, press, pressed

LINE = """
from rewrite import Puzzle, contains, ints, rule
N = ints("N")
line = Puzzle(rule("on", take=[N], put=[N + 1], when=N < 9),
              rule("back", take=[N], put=[N - 1], when=(N < 6) & (N > 0)),
              rule("astray", take=[N], put=[20], when=N == 3),
              rule("further", take=[20], put=[21]),
              start=[2], goal=contains(5))
"""


@pytest.fixture
def line(play: Any, tmp_path: Path) -> Any:
    """A game of numbers from 2 to 5, with ways back and astray."""
    (tmp_path / "line.py").write_text(LINE, "utf-8")
    return play(f"{tmp_path / 'line.py'}:line")


def button(page: Any, name: str) -> Any:
    return page.locator("#moves").get_by_role("button", name=name)


def car(page: Any, name: str) -> Any:
    return page.locator("#board [data-mark]").filter(has_text=re.compile(f"^{name}$"))


def cell(page: Any) -> float:
    """The size of a cell on the screen: 40 in the picture."""
    found: float = page.evaluate("document.querySelector('#board svg').getScreenCTM().a * 40")
    return found


def drag(page: Any, mark: Any, right: float, down: float) -> tuple[float, float]:
    """Hold a piece, and move it by so many cells; return where the pointer is."""
    box, size = mark.bounding_box(), cell(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right * size, y + down * size, steps=5)
    return x + right * size, y + down * size


def note(page: Any, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#note")).to_have_text(text)


def status(page: Any, text: str) -> None:
    expect(page.locator("#status")).to_contain_text(text)


# -- hints --------------------------------------------------------------------------------


def test_a_hint_glows_on_the_board_and_an_arrow_shows_where_the_piece_goes(play: Any) -> None:
    page = play("rush_hour")
    page.keyboard.press("h")
    expect(page.locator("#board .hinted")).to_have_count(1)
    glowing = page.locator("#board .hinted").text_content()
    expect(page.locator("#moves .hinted")).to_contain_text(glowing)
    arrow = page.locator("#board .arrow").bounding_box()
    box = page.locator("#board .hinted").bounding_box()
    middle = box["x"] + box["width"] / 2
    assert arrow["x"] < middle + 1 < arrow["x"] + arrow["width"]
    press(page, "h", "1 step")
    expect(page.locator("#board .arrow, #board .hinted")).to_have_count(0)


def test_a_hint_without_a_piece_glows_in_the_list(line: Any) -> None:
    line.keyboard.press("h")
    expect(line.locator("#moves .hinted")).to_have_text(re.compile("on$"))
    expect(line.locator("#board .arrow")).to_have_count(0)


def test_solve_plays_and_goes_on_saying_what_it_found(play: Any) -> None:
    page = play("rush_hour")
    page.keyboard.press("s")
    expect(page.locator("#status")).to_have_text("Goal reached: 8 steps", timeout=20_000)
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    note(page, "Solved in 8 steps, the fewest there are.")


def test_a_wrong_turn_is_told_once_a_hint_was_asked_for(line: Any) -> None:
    said = "document.querySelector('#note').textContent"
    button(line, "back").click()
    status(line, "1 step")
    line.wait_for_timeout(300)
    assert line.evaluate(said) == ""
    line.keyboard.press("h")
    expect(line.locator("#note")).to_contain_text("4 steps to a goal")
    line.evaluate(
        "window.notes = []; new MutationObserver(() => notes.push(" + said + "))"
        ".observe(document.querySelector('#note'), { childList: true })"
    )
    button(line, "back").click()
    note(line, "2 steps longer than before.")
    status(line, "2 steps · 5 left")
    button(line, "on").click()
    status(line, "3 steps · 4 left")
    for number in (4, 5):
        button(line, "on").click()
        status(line, f"{number} steps · {7 - number} left")
    note(line, "")
    button(line, "astray").click()
    note(line, "No goal can be reached from here any more: Undo.")
    status(line, "no goal can be reached from here")
    assert not any("Searching" in text for text in line.evaluate("notes"))
    button(line, "further").click()
    status(line, "dead end")
    expect(line.locator("#told")).to_contain_text("dead end")


def test_the_next_move_cancels_the_search_that_judged_the_last_one(line: Any) -> None:
    line.keyboard.press("h")
    expect(line.locator("#note")).to_contain_text("3 steps to a goal")
    running = {"state": "running", "job": "quiet", "states": 1, "depth": 1, "seconds": 1.0}
    line.route("**/api/hint", lambda route: route.fulfill(json=running))
    line.route("**/api/job", lambda route: route.fulfill(json=running))
    line.route("**/api/cancel", lambda route: route.fulfill(json=running))
    with line.expect_request("**/api/job"):
        button(line, "back").click()
    note(line, "")
    with line.expect_request("**/api/cancel") as asked:
        button(line, "back").click()
    assert asked.value.post_data_json == {"job": "quiet"}


# -- dragging -----------------------------------------------------------------------------


def test_a_piece_is_dragged_along_its_track_to_where_it_snaps(play: Any) -> None:
    page = play("rush_hour")
    drag(page, car(page, "R"), -0.8, 0.3)
    expect(page.locator("#board .ghost")).to_have_count(1)
    held = page.locator("#board .held").evaluate("mark => mark.style.translate")
    across, down = (float(part) for part in (held + " 0px").replace("px", "").split()[:2])
    assert across == pytest.approx(-32, abs=1)
    assert down == 0
    page.mouse.up()
    status(page, "1 step")
    expect(page.locator("#told")).to_contain_text("R")


def test_a_piece_released_where_it_cannot_go_is_back_and_that_is_told(play: Any) -> None:
    page = play("rush_hour")
    before = car(page, "R").bounding_box()
    drag(page, car(page, "R"), 0, -2)
    expect(page.locator("#board .astray .ghost")).to_have_count(1)
    held = page.locator("#board .held").bounding_box()
    assert held["y"] == pytest.approx(before["y"], abs=2)
    page.mouse.up()
    note(page, re.compile("cannot go there"))
    status(page, "0 steps")
    expect(page.locator("#board .ghost, #board .held")).to_have_count(0)
    page.wait_for_timeout(200)
    assert car(page, "R").bounding_box() == before


def test_a_piece_held_while_its_game_goes_is_let_go(play: Any) -> None:
    page = play("rush_hour")
    x, y = drag(page, car(page, "R"), -0.5, 0)
    page.evaluate("location.hash = '#p=rush_hour&m=1'")
    expect(page.locator("#board")).to_contain_text("damaged")
    page.mouse.move(x, y + 9)
    page.mouse.up()
    expect(page.locator("#note")).to_contain_text("damaged")


def test_a_click_or_a_drag_to_a_far_cell_walks_there(play: Any) -> None:
    page = play("sokoban")
    player = page.locator("#board .movable").first
    box, size = player.bounding_box(), cell(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(x + size, y - 2 * size)  # a wall
    note(page, re.compile(r"cannot go there|no piece"))
    page.mouse.click(x, y + 2 * size)
    status(page, "2 steps")
    drag(page, page.locator("#board .movable").first, -1, -4)
    page.mouse.up()
    status(page, "7 steps")
    page.go_back()
    status(page, "2 steps")


def test_a_click_that_means_nothing_says_so(play: Any) -> None:
    page = play("klotski")
    box, size = page.locator("#board svg").bounding_box(), cell(page)
    page.mouse.click(box["x"] + size * 2.2, box["y"] + size)  # a block that cannot move
    note(page, "No move goes there.")
    status(page, "0 steps")


def test_what_the_server_refuses_to_walk_is_told(play: Any) -> None:
    page = play("sokoban")
    page.route("**/api/walk", lambda route: route.fulfill(json={"error": "It is too far."}))
    drag(page, page.locator("#board .movable").first, 3, 3)
    page.mouse.up()
    note(page, "It is too far.")


# -- what is drawn ahead ------------------------------------------------------------------


@pytest.fixture
def foreseen(play: Any) -> Any:
    """A game whose pictures after the next moves are there."""
    page = play("hanoi", "3", "3")
    with page.expect_response("**/api/ahead"):
        press(page, "1", "1 step")
    page.wait_for_timeout(500)  # the page reads the answer
    return page


def drawn(page: Any) -> str:
    """The picture on the board, without what the page adds to it."""
    looks = """() => Array.from(document.querySelectorAll("#board [data-mark]"),
        (mark) => mark.getAttribute("transform") + mark.textContent).join()"""
    found: str = page.evaluate(looks)
    return found


def test_a_move_is_painted_before_the_server_answers(foreseen: Any) -> None:
    before, let_go = drawn(foreseen), holding(foreseen)
    pressed(foreseen, "1")
    expect(foreseen.locator("#board .movable")).to_have_count(0)  # what can be moved is not known
    seen = drawn(foreseen)
    assert seen != before
    let_go()
    expect(foreseen.locator("#status")).to_contain_text("2 steps")
    assert drawn(foreseen) == seen
    expect(foreseen.locator("#board .movable").first).to_be_visible()


def test_a_move_that_fails_is_taken_off_the_board_again(foreseen: Any) -> None:
    before = drawn(foreseen)
    foreseen.route("**/api/position", lambda route: route.fulfill(json={"error": "It is too far."}))
    pressed(foreseen, "1")
    note(foreseen, "It is too far.")
    assert drawn(foreseen) == before
    expect(foreseen.locator("#board .movable").first).to_be_visible()


# -- the way back -------------------------------------------------------------------------


def test_back_and_forward_go_through_moves_and_puzzles(play: Any) -> None:
    page = play("hanoi", "3", "3")
    press(page, "1", "1 step")
    press(page, "2", "2 steps")
    page.go_back()
    status(page, "1 step")
    page.get_by_label("Puzzle").select_option("water_jugs")
    status(page, "0 steps")
    page.go_back()
    status(page, "1 step")
    expect(page.locator("#chooser option:checked")).to_have_text("hanoi")
    press(page, "y", "2 steps")
    page.go_back()
    page.go_back()
    status(page, "0 steps")
    page.go_forward()
    status(page, "1 step")


def test_an_answer_does_not_write_over_an_address_that_is_followed_next(play: Any) -> None:
    page = play("hanoi", "3", "3")
    start = page.evaluate("location.hash")
    press(page, "1", "1 step")
    press(page, "2", "2 steps")
    page.evaluate(
        """(start) => {
        const ask = fetch;
        window.fetch = async (...asked) => {
            const facts = await (await ask(...asked)).json();
            if (facts.moves?.length === 1) location.hash = start; // its event comes later
            return { status: 200, json: async () => facts };
        };
    }""",
        start,
    )
    page.go_back()
    status(page, "0 steps")
    assert page.evaluate("location.hash") == start


def test_other_ways_from_a_position_are_kept_and_chosen_again(play: Any) -> None:
    page = play("hanoi", "3", "3")
    page.locator("#way > summary").click()
    labels = page.locator("#moves button span").all_inner_texts()
    pressed(page, "1", "1", "z", "z", "2")
    expect(page.locator("#made li")).to_have_count(1)
    expect(page.locator("#made .branch")).to_have_text(labels[0])
    page.locator("#made .branch").click()
    expect(page.locator("#made li")).to_have_count(2)
    status(page, "1 step")
    expect(page.locator("#made .branch")).to_have_text(labels[1])
    page.reload()
    status(page, "1 step")
    page.locator("#way > summary").click()
    expect(page.locator("#made li")).to_have_count(2)
    expect(page.locator("#made .branch")).to_have_text(labels[1])
    pressed(page, "y")
    status(page, "2 steps")


def test_the_moves_that_are_kept_are_bounded(play: Any) -> None:
    page = play("hanoi", "3", "3")
    nodes, line = page.evaluate(
        """async () => {
        const { Tree } = await import("./history.js");
        const tree = new Tree({ p: "many" });
        for (let number = 0; number < 2500; number += 1) tree.go([`way ${number}`]);
        tree.plan(["on"]);
        return [tree.nodes.length, tree.line().map(({ move }) => move)];
    }"""
    )
    assert nodes <= 2001
    assert line == ["way 2499", "on"]


# -- levels -------------------------------------------------------------------------------

LEVELS = """
#####
#@$.#
#####

; One

######
# @$.#
######

; Two
"""


def test_levels_are_stepped_through_and_marked(play: Any, tmp_path: Path) -> None:
    (tmp_path / "levels.xsb").write_text(LEVELS, "utf-8")
    page = play("sokoban", str(tmp_path / "levels.xsb"))
    level, title = page.get_by_role("group", name="Level"), page.locator("#level-title")
    first = title.inner_text()
    assert first.endswith("of 2")
    level.get_by_role("button", name="Previous level").click(force=True)
    note(page, "This is the first level.")
    press(page, "ArrowRight", "Goal reached: 1 step")
    expect(title).to_have_text(f"{first} ★")
    level.get_by_role("button", name="Next level").click()
    status(page, "0 steps")
    for key, made in (
        ("ArrowLeft", "1 step"),
        ("ArrowRight", "2 steps"),
        ("ArrowRight", "3 steps"),
    ):
        press(page, key, made)
    expect(title).to_have_text(re.compile("of 2 ✓$"))
    level.get_by_role("button", name="Previous level").click()
    expect(title).to_have_text(f"{first} ★")  # of another visit


def test_where_there_is_no_level_there_is_no_bar(play: Any) -> None:
    expect(play("hanoi").get_by_role("group", name="Level")).to_be_hidden()


# -- the map ------------------------------------------------------------------------------


@pytest.fixture
def mapped(play: Any) -> Any:
    page = play("hanoi", "3", "2", viewport={"width": 1400, "height": 900})
    page.locator("#map > summary").click()
    expect(page.locator("#map-picture svg").first).to_be_visible()
    return page


def view(page: Any) -> list[float]:
    found = page.locator("#map-picture > svg").get_attribute("viewBox")
    return [float(part) for part in found.split()]


def test_a_state_of_the_map_is_gone_to_by_pointer_and_by_key(mapped: Any) -> None:
    goal = mapped.locator("#map-picture .rw-node-goal").first
    goal.click()
    status(mapped, "Goal reached: 3 steps")
    expect(mapped.locator("#map-picture .rw-node-goal.rw-node-current")).to_have_count(1)
    mapped.locator("#map-picture .rw-node-start").first.focus()
    press(mapped, "Enter", "0 steps")
    expect(mapped.locator("#map-picture .rw-node-current")).to_be_focused()
    mapped.go_back()
    status(mapped, "Goal reached: 3 steps")


def test_the_map_is_zoomed_and_moved_and_stays_so(mapped: Any) -> None:
    whole = view(mapped)
    mapped.locator("#map-picture").hover()
    mapped.mouse.wheel(0, -300)
    mapped.get_by_role("button", name="Zoom in").click()
    near = view(mapped)
    assert near[2] == pytest.approx(whole[2] / 1.25 / 1.5)
    box = mapped.locator("#map-picture").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mapped.mouse.move(x, y)
    mapped.mouse.down()
    mapped.mouse.move(x + 60, y, steps=4)
    mapped.mouse.up()
    moved = view(mapped)
    assert moved[0] < near[0]
    assert moved[1:] == pytest.approx(near[1:])
    status(mapped, "0 steps")  # that was no click
    with mapped.expect_response("**/api/map"):
        pressed(mapped, "1")
    status(mapped, "1 step")
    mapped.wait_for_timeout(100)
    assert view(mapped)[2] == pytest.approx(moved[2])
    mapped.get_by_role("button", name="Whole").click()
    assert view(mapped) == whole


def test_where_no_map_can_be_drawn_its_buttons_do_nothing(play: Any) -> None:
    page = play("hanoi", "3", "2")
    page.route("**/api/map", lambda route: route.fulfill(json={"error": "It is too far."}))
    page.locator("#map > summary").click()
    expect(page.locator("#map-text")).to_have_text("It is too far.")
    for name in ("Zoom in", "Whole"):
        page.get_by_role("button", name=name).click()


def test_a_larger_map_is_asked_for_by_a_button(mapped: Any) -> None:
    with mapped.expect_request("**/api/map") as asked:
        mapped.get_by_role("button", name="Larger").click()
    assert asked.value.post_data_json["most"] == 2000
    expect(mapped.get_by_role("button", name="Larger")).to_have_attribute("aria-pressed", "true")
    with mapped.expect_request("**/api/map") as asked:
        pressed(mapped, "1")
    assert asked.value.post_data_json["most"] == 2000


# -- the layout ---------------------------------------------------------------------------

CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((one) => (one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = numbers(getComputedStyle(one).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg") || !element.checkVisibility()) continue;
    const [one, other] = [light(numbers(getComputedStyle(element).color)), light(ground(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const faded = [...document.querySelectorAll("*")].some(
      (one) => one.contains(element) && Number(getComputedStyle(one).opacity) < 1);
    if (contrast < 4.5 || faded) low.push(`${node.data.trim()} ${contrast}`);
  }
  return low;
}"""
NAMELESS = """() => [...document.querySelectorAll("button, input, select, [tabindex], summary")]
  .filter((one) => one.checkVisibility())
  .filter((one) => !one.textContent.trim() && !one.getAttribute("aria-label"))
  .filter((one) => !one.labels?.length)
  .map((one) => one.outerHTML)"""


@pytest.mark.parametrize("puzzle", ["rush_hour", "sokoban", "klotski", "peg_solitaire"])
def test_the_board_fills_the_window_and_nothing_is_cut(
    serve: Any, browse: Any, puzzle: str
) -> None:
    server = serve(puzzle)
    for width, height in ((360, 740), (1400, 900), (2560, 1300)):
        page = opened(browse(viewport={"width": width, "height": height}), server.link)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width
        svg, board = page.locator("#board svg").first.bounding_box(), page.locator("#board")
        outer = board.bounding_box()
        fills = svg["width"] > 0.9 * outer["width"] or svg["height"] > 0.66 * height
        assert fills, (width, svg, outer)
        assert svg["height"] <= 0.78 * height + 1
        assert not board.evaluate("board => board.scrollWidth > board.clientWidth")
        bar = page.get_by_role("button", name="Hint", exact=True).bounding_box()
        assert width == 360 or bar["y"] + bar["height"] <= height  # seen without scrolling


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_and_controls_have_names(serve: Any, browse: Any, scheme: str) -> None:
    watched = browse(color_scheme=scheme)
    page = opened(watched, serve("rush_hour").link)
    page.locator("#way > summary").click()
    page.locator("#map > summary").click()
    expect(page.locator("#map-picture svg").first).to_be_visible()
    pressed(page, "1", "2", "z", "h")
    expect(page.locator("#board .hinted")).to_have_count(1)
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate(NAMELESS) == []
    car(page, "R").click()
    expect(page.locator("#moves .aside")).not_to_have_count(0)
    assert page.evaluate(CONTRAST) == []


def test_nothing_moves_where_less_motion_is_wanted(play: Any) -> None:
    page = play("rush_hour", reduced_motion="reduce")
    page.keyboard.press("h")
    expect(page.locator("#board .hinted")).to_have_count(1)
    assert page.evaluate("document.getAnimations().length") == 0
    press(page, "h", "1 step")
    assert page.evaluate("document.getAnimations().length") == 0


def test_words_are_asked_for_only_where_a_puzzle_takes_some(play: Any) -> None:
    page = play("hanoi")
    expect(page.get_by_label("Words")).to_be_visible()
    names = {"name": "hanoi", "about": "", "words": ""}
    page.route(
        "**/api/puzzles",
        lambda route: route.fulfill(json={"first": {"p": "hanoi", "w": []}, "choices": [names]}),
    )
    page.reload()
    status(page, "0 steps")
    expect(page.get_by_label("Words")).to_be_hidden()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Scramble")).to_be_visible()


def test_a_listener_hears_what_a_move_changed_not_the_whole_board(play: Any) -> None:
    page = play("rush_hour")
    said: Callable[[], str] = page.locator("#told").inner_text
    assert said() == "Start"
    press(page, "1", "1 step")
    expect(page.locator("#told")).to_contain_text("A +1")
    assert len(said()) < 40


# -- reasons ------------------------------------------------------------------------------


def test_reasons_come_after_the_picture_and_the_raw_text_is_a_click_away(play: Any) -> None:
    page = play("hanoi", "3", "2")
    asked: list[tuple[str, int]] = []  # and after how many moves: earlier positions may still ask
    reason = {"rule": "move", "why": "Its peg is free.", "raw": "nothing comes through take <b>"}

    def note(request: Any) -> None:
        asked.append((request.url.rsplit("/", 1)[1], len(request.post_data_json["game"]["m"])))

    page.route("**/api/why", lambda route: route.fulfill(json={"idle": [reason]}))
    page.on("request", note)
    with page.expect_request(lambda request: asked[-1:] == [("ahead", 1)]):
        press(page, "1", "1 step")
    assert [name for name, moves in asked if moves == 1] == ["position", "why", "ahead"]
    expect(page.locator("#idle summary")).to_have_text("Its peg is free.")
    expect(page.locator("#idle code")).to_be_hidden()
    page.locator("#idle summary").click()
    expect(page.locator("#idle code")).to_have_text("nothing comes through take <b>")
    page.locator("#why > summary").click()
    asked.clear()
    with page.expect_request(lambda request: asked[-1:] == [("ahead", 0)]):
        pressed(page, "z")
    assert asked == [("position", 0), ("ahead", 0)]


def test_a_part_of_the_goal_shows_its_raw_text_on_demand(play: Any) -> None:
    page = play("hanoi", "3", "2")

    def answer(route: Any) -> None:
        facts = route.fetch().json()
        facts["goal"]["parts"] = [{"text": "All discs on C.", "holds": False, "raw": "On(1, 'C')"}]
        route.fulfill(json=facts)

    page.route("**/api/position", answer)
    press(page, "1", "1 step")
    expect(page.locator("#parts summary")).to_have_text("All discs on C.")
    page.locator("#parts summary").click()
    expect(page.locator("#parts code")).to_have_text("On(1, 'C')")


# -- the cost of a move -------------------------------------------------------------------

MOST_LAYOUTS = 6


def test_a_move_is_one_request_and_few_layouts_before_it_is_painted(play: Any) -> None:
    page = play("rush_hour", reduced_motion="reduce")  # each frame of a movement is a layout
    page.locator("#why > summary").click()
    measure = page.context.new_cdp_session(page)
    measure.send("Performance.enable")

    def layouts() -> int:
        found = measure.send("Performance.getMetrics")["metrics"]
        return int(next(one["value"] for one in found if one["name"] == "LayoutCount"))

    free = holding(page)
    pressed(page, "1")
    page.wait_for_timeout(200)
    before = layouts()
    free()
    status(page, "1 step")
    page.wait_for_timeout(600)
    assert layouts() - before <= MOST_LAYOUTS
